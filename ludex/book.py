"""The whole way of a rulebook, from a path to what is known about it: load, check, judge."""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from grammar.load import load_rulebook
from rules import model as m
from rules.check import CheckedRulebook, check_rules
from rules.diagnostics import Diagnostic, in_reading_order
from rules.span import Source
from solver.referee import referee_of
from verifier import Coverage, check_structure, coverage_of

if TYPE_CHECKING:
    from ludex.game import Game
    from ludex.positions import Placed
    from rules.machine import Machine
    from verifier.asking import Answer

# When a part of the text cannot be read, what it declares is missing: complaints about that would hide the cause.
_NEEDS_ALL_TEXT = frozenset(
    {"LX101", "LX104", "LX108", "LX110", "LX207", "LX208", "LX209", "LX212", "LX312", "LX407", "LX409"}
)


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook and all that is known about it. `checked` is there only when it has no error."""

    path: str
    rulebook: m.Rulebook
    sources: tuple[Source, ...]
    checked: CheckedRulebook | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.is_error)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if not d.is_error)

    @property
    def title(self) -> str:
        """The name of the game, or of the file where the book gives it none."""
        named = next((d.title for d in self.rulebook.declarations if isinstance(d, m.Game)), None)
        return named if named is not None else Path(self.path).stem

    @property
    def digest(self) -> str:
        """Of all its texts: another text, another digest."""
        found = blake2b(digest_size=16)
        for source in self.sources:
            text = source.text.encode("utf-8", "surrogatepass")
            found.update(len(text).to_bytes(8, "big"))
            found.update(text)
        return found.hexdigest()

    def coverage(self) -> Coverage:
        """What share of each document is encoded."""
        return coverage_of(self.rulebook)

    def check(self) -> tuple[Diagnostic, ...]:
        """All that is wrong, or looks wrong: errors, then warnings, each in the order of the text."""
        return (*self.errors, *self.warnings)

    def _in_force(self, named: tuple[str, ...] = (), default_policies: bool = True) -> tuple[str, ...]:
        """The policies of a game, the one that counts last at the end: the default ones, if wanted, then those named.

        Raises `TypeError` for what is no names.
        """
        if isinstance(named, str):
            raise TypeError(f"`policies` are several names, not {named!r}")
        from rules.machine import in_force  # noqa: PLC0415  (checking a book must not pay for playing it)

        return in_force(self.rulebook, named, default_policies)

    def machine(
        self, players: int | None = None, policies: tuple[str, ...] = (), default_policies: bool = True
    ) -> Machine:
        """The state machine of the book; without `players`, for as few as the book allows.

        The policies that the book marks `by default` are in force too, unless `default_policies` is no.
        Raises `ValueError` for a book with errors or without `play`, a number of players that it is not for, or a
        policy that it does not have; `TypeError` for what is no number, or no names.
        """
        if self.checked is None:
            raise ValueError("a rulebook with errors cannot be played")
        if not any(isinstance(d, m.Play) for d in self.checked.book.declarations):
            raise ValueError("the rulebook has no `play`, so there is nothing to play")
        if players is not None and not isinstance(players, int):
            raise TypeError(f"`players` is a whole number, not {players!r}")
        from rules.machine import machine_of  # noqa: PLC0415  (as above)

        return machine_of(self.checked, players, self._in_force(policies, default_policies), referee_of)

    def ask(self, text: str, players: int | None = None, policies: tuple[str, ...] = ()) -> Answer:
        """What the rules say to a question in the language of the book: `p may sail to q when weather is storm`.

        The title of a question that the book has will do, too. Without `players`, for as few as it can be asked with.
        Only `policies` are in force, no default ones.
        Raises `ValueError` for a text that is no question about this book, and for a book with errors.
        """
        from ludex.asking import ask  # noqa: PLC0415  (as above)

        return ask(self, text, players, policies).answer

    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        policies: tuple[str, ...] = (),
        default_policies: bool = True,
    ) -> Game:
        """A new game. Raises `ValueError` and `TypeError` like `machine`, and for a seed that is no whole number."""
        from ludex.game import Game  # noqa: PLC0415  (as above)

        machine = self.machine(players, policies, default_policies)
        return Game(self, machine, seed, self._in_force(policies, default_policies))

    def begin(self, position: Placed, text: str = "", seed: int = 0) -> Game:
        """A game that begins with a position; `text` is that of its state file, and goes into saves."""
        from ludex.game import Game  # noqa: PLC0415  (as above)

        return Game(self, position.machine, seed, position.policies, position.state, text)

    def resume(self, path: str | Path) -> Game:
        """Goes on with a saved game. Raises `ValueError` where the file is no save, or does not fit the book."""
        from ludex.saves import load_save  # noqa: PLC0415  (as above)

        return load_save(self, path)


def load(path: str | Path) -> Book:
    """Reads and checks a rulebook: a file, a folder, or the name of one that comes with Ludex."""
    place = find(str(path))
    loaded = load_rulebook(place)
    checked = check_rules(loaded.rulebook)
    found = list(loaded.diagnostics)
    complete = not any(d.is_error for d in found)
    found += [d for d in checked.diagnostics if complete or (d.is_error and d.code not in _NEEDS_ALL_TEXT)]
    evidence = checked.rulebook if complete else None
    if evidence is not None:
        found += check_structure(evidence)
        if any(d.is_error for d in found):
            evidence = None
    sources = tuple(text.source for text in loaded.texts)
    return Book(place, loaded.rulebook, sources, evidence, in_reading_order(found))


def find(path: str) -> str:
    """The path itself, or that of the bundled rulebook of that name."""
    if os.path.exists(path) or not path.isidentifier():
        return path
    return bundled().get(path, path)


def bundled() -> dict[str, str]:
    """The rulebooks that come with Ludex, by name."""
    folder = Path(str(files("rules"))) / "books"
    found = {entry.stem: entry for entry in folder.iterdir() if entry.suffix == ".rules" or entry.is_dir()}
    return {name: str(found[name]) for name in sorted(found) if not name.startswith(("_", "."))}
