"""Stories at the size of books: what no reading comes to, decided by the marks and numbers that conditions read."""

from solver.stories.deciding import Stories, stories_of

__all__ = ["Stories", "stories_of"]
