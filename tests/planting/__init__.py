"""Clean rulebooks made to order, and defects of a known kind planted in them at a known place."""

from tests.planting.clean import clean_book, make
from tests.planting.plant import KINDS, Planted, all_together, plant

__all__ = ["KINDS", "Planted", "all_together", "clean_book", "make", "plant"]
