"""Random rulebooks that make sense and can be played."""

from tests.making.book import random_book
from tests.making.shape import SHAPES, Shape

__all__ = ["SHAPES", "Shape", "random_book"]
