"""What was judged before: whole judgements of unchanged books, and verdicts of single questions.

Both lie in the user's cache folder as JSON. What somebody else could have written, what is cut off, what another
version wrote is not read; where nothing can be written, the next check is slower, nothing else. Why it is so is told in
`docs/decisions/0007-verdict-cache.md`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from typing import Any

from rules.span import Source, Span
from verifier import finding, judgement
from verifier.judgement import Judgement, Recalled

_CLASSES: dict[str, type[Any]] = {
    name: found
    for module in (finding, judgement)
    for name, found in vars(module).items()
    if isinstance(found, type) and is_dataclass(found)
}
_PACKAGES = ("rules", "grammar", "solver", "verifier", "ludex")
_MOST_QUESTIONS = 200_000  # of one book


class Cache:
    """What is known of one book from earlier checks. `options` is all that a judgement hangs on besides the text."""

    def __init__(self, path: str, sources: Sequence[Source], options: Sequence[object]) -> None:
        self.sources = tuple(sources)
        self.questions = Questions(_file("questions", os.path.abspath(path)))
        self.plays = Plays(os.path.abspath(path), self.sources)
        self._file = _file("judgement", os.path.abspath(path), repr(tuple(options)))
        self._key = _digest(made_by(), repr(tuple(options)), *(part for s in sources for part in (s.path, s.text)))

    def judgement(self) -> Judgement | None:
        """The judgement of the very same text, if there was one."""
        stored = _read(self._file)
        if not isinstance(stored, dict) or stored.get("key") != self._key:
            return None
        try:
            found = _revived(stored["judgement"], self.sources)
        except (KeyError, IndexError, TypeError, ValueError):
            return None
        if not isinstance(found, Judgement):
            return None
        asked = found.recalled.asked if found.recalled is not None else 0
        return replace(found, recalled=Recalled(asked, asked, whole=True))

    def keep(self, found: Judgement) -> None:
        """Keeps a judgement and the verdicts that it took; nothing of one that was interrupted is a judgement."""
        self.questions.write()
        if not found.interrupted:
            with suppress(TypeError):
                _write(self._file, {"key": self._key, "judgement": _plain(found, self.sources)})


class Questions:
    """Verdicts by the digest of their question. What a check did not ask again is forgotten with it."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._known: dict[str, Any] | None = None
        self._used: dict[str, Any] = {}
        self._is_new = False

    def recall(self, key: str) -> Any | None:
        if self._known is None:
            stored = _read(self._path)
            known = stored.get("verdicts") if isinstance(stored, dict) and stored.get("by") == made_by() else None
            self._known = known if isinstance(known, dict) else {}
        found = self._known.get(key)
        if found is not None:
            self._used[key] = found
        return found

    def keep(self, key: str, stored: Any) -> None:
        self._used[key] = stored
        self._is_new = True

    def write(self) -> None:
        if self._is_new and len(self._used) <= _MOST_QUESTIONS:
            _write(self._path, {"by": made_by(), "verdicts": self._used})


class Plays:
    """What play has shown, by the number of players and the policies. Each is kept until it is found anew."""

    def __init__(self, path: str, sources: tuple[Source, ...]) -> None:
        self.sources = sources
        self._path = path

    def read(self, name: str) -> Any | None:
        stored = _read(_file("play", self._path, name))
        return stored.get("found") if isinstance(stored, dict) and stored.get("by") == made_by() else None

    def write(self, name: str, content: dict[str, Any]) -> None:
        _write(_file("play", self._path, name), {"by": made_by(), "found": content})


# ---- judgements as plain data ---------------------------------------------------------------------------------------


def _plain(value: object, sources: Sequence[Source]) -> Any:
    """As JSON holds it. Raises `TypeError` for what is not known here."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case tuple():
            return [_plain(item, sources) for item in value]
        case Span(source=source, start=start, end=end):
            place = next((i for i, one in enumerate(sources) if one is source), None)
            if place is None:
                raise TypeError("a place outside the book")
            return {"": "Span", "source": place, "start": start, "end": end}
        case _ if is_dataclass(value) and _CLASSES.get(type(value).__name__) is type(value):
            parts = {field.name: _plain(getattr(value, field.name), sources) for field in fields(value)}
            return {"": type(value).__name__, **parts}
        case _:
            raise TypeError(f"no plain form for {type(value).__name__}")


def _revived(value: Any, sources: Sequence[Source]) -> Any:
    match value:
        case list():
            return tuple(_revived(item, sources) for item in value)
        case {"": "Span", "source": int() as place, "start": int() as start, "end": int() as end}:
            return Span(sources[place], start, end)
        case {"": str() as name}:
            parts = {str(field): _revived(part, sources) for field, part in value.items() if field}
            return _CLASSES[name](**parts)
        case _:
            return value


# ---- files ----------------------------------------------------------------------------------------------------------


@cache
def made_by() -> str:
    """What judges: the files of this installation and of the solver's, so that an edit to Ludex itself counts too."""
    return _digest(sys.version, *(stamp for package in _PACKAGES for stamp in sorted(_stamps(package))), *_stamps("z3"))


def _stamps(package: str) -> Iterator[str]:
    """Name, size and time of each file of a package; of one that is not ours, of the first alone."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return
    waiting = [os.path.dirname(spec.origin)] if package in _PACKAGES else []
    if not waiting:
        found = os.stat(spec.origin)
        yield f"{spec.origin} {found.st_size} {found.st_mtime_ns}"
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir() and entry.name != "__pycache__":
                    waiting.append(entry.path)
                elif entry.name.endswith((".py", ".lark")):
                    found = entry.stat()
                    yield f"{entry.path} {found.st_size} {found.st_mtime_ns}"


def _digest(*parts: str) -> str:
    found = blake2b(digest_size=16)
    for part in parts:
        text = part.encode("utf-8", "surrogatepass")
        found.update(len(text).to_bytes(8, "big"))
        found.update(text)
    return found.hexdigest()


def _file(sort: str, *parts: str) -> str | None:
    """In the user's own cache folder; None where there is no such folder."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "ludex", f"{sort}-{_digest(*parts)}.json") if os.path.isabs(home) else None


def _read(path: str | None) -> Any | None:
    """What a file holds, if it is ours and whole."""
    try:
        if path is None or not all(map(_is_ours, (os.path.dirname(path), path))):
            return None
        with open(path, encoding="utf-8") as file:
            check, _, text = file.read().partition("\n")
        return json.loads(text) if check == _digest(text) else None
    except (OSError, ValueError, RecursionError):
        return None


def _is_ours(path: str) -> bool:
    found = os.stat(path)
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def _write(path: str | None, content: dict[str, Any]) -> None:
    """The whole file in one step; where it cannot be written, it is not there the next time."""
    if path is None:
        return
    temporary = f"{path}.{os.getpid()}"
    text = json.dumps(content, separators=(",", ":"))
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        try:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(descriptor, "w", encoding="utf-8") as file:
                file.write(f"{_digest(text)}\n{text}")
            os.replace(temporary, path)
        finally:
            if os.path.exists(temporary):
                os.unlink(temporary)
