"""Stories at the size of books: what no reading comes to, and the shortest way to what one does.

Both are decided by the marks and numbers that conditions read.
"""

from solver.stories.asking import NoReading, way_to
from solver.stories.deciding import Stories, stories_of

__all__ = ["NoReading", "Stories", "stories_of", "way_to"]
