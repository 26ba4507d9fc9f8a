"""Ludex: rulebooks of tabletop games as checked text.

    book = ludex.load("harbour.rules")
    for diagnostic in book.diagnostics:
        print(diagnostic.code, diagnostic.span, diagnostic.message)
    print(book.coverage())

Nothing heavy is imported before it is needed.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as typing has it, without the cost of importing it
if TYPE_CHECKING:
    from ludex.book import Book, load

__version__ = "0.1.0"
__all__ = ["Book", "__version__", "load"]


def __getattr__(name: str) -> object:
    if name in ("Book", "load"):
        from ludex import book  # noqa: PLC0415  (`ludex --help` must not pay for the parser)

        return getattr(book, name)
    raise AttributeError(f"module 'ludex' has no attribute {name!r}")
