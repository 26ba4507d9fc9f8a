"""The command line. `--help` and `--version` answer without loading anything; each command loads what it needs."""

from __future__ import annotations

import sys

USAGE = """\
usage: ludex COMMAND ...

Write the rules of a tabletop game as text; check them, test them, play them.

  ludex check BOOK       read a rulebook, check its names and types, show what is wrong
  ludex fmt PATH...      rewrite rulebooks in the one canonical form
  ludex test BOOK        run the scenarios of a rulebook, and ask its questions
  ludex play BOOK        play in the terminal: all seats, or against players who play by themselves
  ludex legal BOOK       what can be chosen in a position, and the rules that allow it
  ludex ask BOOK [QUESTION]  what the rules say to a question in their own language, in every state
  ludex why BOOK MOVE    why a move is legal or not, and what would make it so
  ludex run BOOK         let games play themselves, and see how they end
  ludex rulings BOOK SAVE  what a table ruled in a saved game, as a rulebook of its own
  ludex compare A B      two rulebooks or two documents: which moves, values and outcomes differ, and where
  ludex coverage BOOK    what share of each document is encoded, section by section
  ludex graph BOOK       pictures: phases, story, precedence, what the rules hang on
  ludex explain CODE     what a diagnostic means, with an example
  ludex new NAME         start a small rulebook of your own

BOOK is a file, a folder of *.rules files, or the name of a rulebook that comes with Ludex.
`ludex COMMAND --help` tells more. Exit status: 0 clean, 1 problems in the rulebook, 2 bad usage or our fault.
"""

COMMANDS = (
    "ask",
    "check",
    "compare",
    "coverage",
    "explain",
    "fmt",
    "graph",
    "legal",
    "new",
    "play",
    "rulings",
    "run",
    "test",
    "why",
)


def main(argv: list[str] | None = None) -> int:
    """Runs a command. Nothing that goes wrong with the output itself ends in a traceback."""
    args = sys.argv[1:] if argv is None else argv
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a console that cannot show é shows a code instead of failing
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _main(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone (`ludex check ... | head`): nothing is wrong, and nothing more can be said.
        _forget_output()
        return 0
    except OSError as error:
        _forget_output()
        sys.stderr.write(f"ludex: the output could not be written: {(error.strerror or str(error)).lower()}\n")
        return 2
    return status


def _forget_output() -> None:
    """What is still waiting to be written goes nowhere, so that it does not fail once more at the very end."""
    import os  # noqa: PLC0415  (only on this way out)

    try:
        number = sys.stdout.fileno()
    except (AttributeError, OSError):  # not a real stream: nothing waits
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def _main(args: list[str]) -> int:
    if not args or args[0] in ("-h", "--help", "help"):
        if args[1:]:
            args = [args[1], "--help"]
        else:
            sys.stdout.write(USAGE)
            return 0 if args else 2
    if args[0] in ("-V", "--version"):
        from ludex import __version__  # noqa: PLC0415

        sys.stdout.write(f"ludex {__version__}\n")
        return 0
    from ludex.commands import run  # noqa: PLC0415  (see the docstring)

    return run(args)


if __name__ == "__main__":
    sys.exit(main())
