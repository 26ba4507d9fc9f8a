"""What is wrong with a command, as opposed to a rulebook."""


class UsageError(ValueError):
    """One line for the user, exit status 2."""
