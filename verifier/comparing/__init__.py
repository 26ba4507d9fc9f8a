"""Two rulebooks, or two documents of one: which moves, values and outcomes differ, each with a state that shows it."""

from verifier.comparing.compare import compare_books, compare_documents
from verifier.comparing.comparison import Comparison, Different, Only, Says

__all__ = ["Comparison", "Different", "Only", "Says", "compare_books", "compare_documents"]
