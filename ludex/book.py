"""The whole way of a rulebook, from a path to what is known about it: load, check, judge."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from grammar.load import load_rulebook
from rules import model as m
from rules.check import CheckedRulebook, check_rules
from rules.diagnostics import Diagnostic, in_reading_order
from rules.span import Source
from verifier import Coverage, check_structure, coverage_of

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

    def coverage(self) -> Coverage:
        """What share of each document is encoded."""
        return coverage_of(self.rulebook)


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
