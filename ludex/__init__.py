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
    from ludex.comparing import compare
    from ludex.game import Game
    from ludex.reasons import Explanation
    from rules.machine import Chance, Choice, Entry, Legal, Move, Open, Over, Ruling
    from verifier.asking import Answer
    from verifier.comparing import Comparison

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Book",
    "Chance",
    "Choice",
    "Comparison",
    "Entry",
    "Explanation",
    "Game",
    "Legal",
    "Move",
    "Open",
    "Over",
    "Ruling",
    "__version__",
    "compare",
    "load",
]

_HOMES = {
    "Answer": "verifier.asking",
    "Book": "ludex.book",
    "Comparison": "verifier.comparing",
    "Explanation": "ludex.reasons",
    "Game": "ludex.game",
    "compare": "ludex.comparing",
    "load": "ludex.book",
}


if not TYPE_CHECKING:  # a type checker knows the names above, and no others

    def __getattr__(name: str) -> object:
        """Each name is imported when it is asked for: `ludex --help` must not pay for the parser."""
        if name not in __all__:
            raise AttributeError(f"module 'ludex' has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415

        return getattr(import_module(_HOMES.get(name, "rules.machine")), name)
