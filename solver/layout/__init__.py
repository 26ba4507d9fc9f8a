"""Where the parts of a picture stand: boxes in boxes, links between them, no box over another.

In: `Box`es with their sizes and `Link`s. Out: a `Layout` with a place for each box, a way and a place for the label of
each link. Links lead down where they can; a link that closes a circle leads up.
"""

from solver.layout.place import lay_out
from solver.layout.shapes import Box, Layout, Link, Rect, Route

__all__ = ["Box", "Layout", "Link", "Rect", "Route", "lay_out"]
