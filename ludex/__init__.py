"""Ludex: rulebooks of tabletop games as checked text.

    book = ludex.load("harbour.rules")
    for diagnostic in book.diagnostics:
        print(diagnostic.code, diagnostic.span, diagnostic.message)
    print(book.coverage())

    game = book.start(players=2, seed=7)
    game.settle()
    for legal in game.legal():
        print(legal)
    game.do(game.moves[0])
    game.undo()
    game.save("evening.save")

Nothing heavy is imported before it is needed.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as typing has it, without the cost of importing it
if TYPE_CHECKING:
    from ludex.book import Book, load
    from ludex.game import Game

__version__ = "0.1.0"
__all__ = ["Book", "Game", "__version__", "load"]


def __getattr__(name: str) -> object:
    if name == "Game":
        from ludex import game  # noqa: PLC0415  (as below)

        return game.Game
    if name in ("Book", "load"):
        from ludex import book  # noqa: PLC0415  (`ludex --help` must not pay for the parser)

        return getattr(book, name)
    raise AttributeError(f"module 'ludex' has no attribute {name!r}")
