"""`ludex.toml`: what a project wants to see of the findings, and how heavy they weigh.

    [check]
    select = ["contradiction", "gap", "LX95"]
    ignore = ["overlap"]

    [check.severity]
    gap = "warning"
    LX504 = "off"

It stands beside the book or in a folder above; the nearest counts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from ludex.errors import UsageError
from rules.codes import CODES
from rules.diagnostics import Severity
from verifier.selection import FAMILIES, Selection, Wanted, is_fixed, problem_with

NAME = "ludex.toml"
_SEVERITIES: dict[str, Severity | None] = {**{s.value: s for s in Severity}, "off": None}


def project_selection(book: str) -> Selection:
    """What the project of a book says; all that it leaves open where there is none. Raises `UsageError`."""
    path = _nearest(Path(book))
    return Selection() if path is None else read_config(path)


def _nearest(book: Path) -> Path | None:
    try:
        place = book.resolve()
        folders = [place, *place.parents] if place.is_dir() else place.parents
        return next((folder / NAME for folder in folders if (folder / NAME).is_file()), None)
    except OSError:  # a path that cannot be looked at: reading the book says so
        return None


def read_config(path: Path) -> Selection:
    """What one file says. Raises `UsageError` with the file and the line for whatever cannot be meant."""
    shown = _shown(path)
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise UsageError(f"`{shown}` cannot be read: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise UsageError(f"`{shown}` is not text") from None
    try:
        value = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"line (\d+)", str(error))
        line = found.group(1) if found else max(1, len(text.splitlines()))  # it stops at the end
        raise UsageError(f"{shown}:{line}: this is not TOML: {_lower(error)}") from None
    return _Config(shown, text).selection(value)


def _lower(error: Exception) -> str:
    text = str(error)
    return text[:1].lower() + text[1:]


def _shown(path: Path) -> str:
    """As short as it can be said from here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


@dataclass(frozen=True, slots=True)
class _Config:
    path: str
    text: str

    def selection(self, value: dict[str, Any]) -> Selection:
        self._keys(value, "the file", ("check",))
        check = self._table(value, "check", "[check]")
        self._keys(check, "[check]", ("select", "ignore", "severity"))
        wanted = Wanted(self._patterns(check, "select"), self._patterns(check, "ignore"))
        for pattern in wanted.ignore:
            self._changeable(pattern, "ignore")
        severities = self._table(check, "severity", "[check.severity]")
        return Selection(project=wanted, severities=tuple(self._severity(*item) for item in severities.items()))

    def _table(self, value: dict[str, Any], key: str, name: str) -> dict[str, Any]:
        found = value.get(key, {})
        if not isinstance(found, dict):
            self._wrong(key, f"`{key}` is a section: {name}")
        return found

    def _keys(self, value: dict[str, Any], name: str, known: tuple[str, ...]) -> None:
        for key in value:
            if key not in known:
                self._wrong(key, f"{name} has no `{key}`; {_hint(key, known)}")

    def _patterns(self, check: dict[str, Any], key: str) -> tuple[str, ...]:
        found = check.get(key, [])
        if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
            self._wrong(key, f'`{key}` is a list of codes, beginnings of codes and families: ["gap", "LX95"]')
        for item in found:
            problem = problem_with(item)
            if problem is not None:
                self._wrong(item, problem, key)
        return tuple(found)

    def _severity(self, key: str, value: object) -> tuple[str, Severity | None]:
        if key not in CODES and key not in FAMILIES:
            hint = _hint(key, (*FAMILIES, *CODES))
            self._wrong(key, f"`{key}` is no code and no family of findings; {hint}", "severity")
        self._changeable(key, "severity")
        if not isinstance(value, str) or value not in _SEVERITIES:
            self._wrong(key, f"the severity of `{key}` is {_one_of(_SEVERITIES)}", "severity")
        return key, _SEVERITIES[value]

    def _changeable(self, code: str, under: str) -> None:
        if code in CODES and is_fixed(code):
            always = "an error that keeps a book from being judged: it is always shown as one"
            self._wrong(code, f"`{code}` is {always}", under)

    def _wrong(self, word: str, message: str, under: str | None = None) -> NoReturn:
        start = 1 if under is None else self._line(under, 1)
        raise UsageError(f"{self.path}:{self._line(word, start)}: {message}")

    def _line(self, word: str, start: int) -> int:
        """The first line from `start` on that has a word: the parser of TOML does not tell where it read what."""
        pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        lines = enumerate(self.text.splitlines()[start - 1 :], start)
        return next((number for number, line in lines if pattern.search(line.partition("#")[0])), start)


def _hint(word: str, known: tuple[str, ...]) -> str:
    close = get_close_matches(word, known, n=1)
    if close:
        return f"did you mean `{close[0]}`?"
    return f"there is {_one_of(known)}" if len(known) < 20 else f"families are {', '.join(FAMILIES)}"


def _one_of(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def command_patterns(option: str, given: Iterable[str]) -> tuple[str, ...]:
    """What stands after `--select` or `--ignore`: several by commas or by giving the option again."""
    words = [word.strip() for text in given for word in text.split(",") if word.strip()]
    found = [word.upper() if word.upper().startswith("LX") else word for word in words]
    for word in found:
        problem = problem_with(word)
        if problem is not None:
            raise UsageError(f"{option}: {problem}")
        if option == "--ignore" and word in CODES and is_fixed(word):
            raise UsageError(f"{option}: `{word}` is an error that keeps a book from being judged: it is always shown")
    return tuple(found)
