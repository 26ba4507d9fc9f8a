"""A path to a rulebook: `load_rulebook`.

In: the path of a file or a folder. Out: `Loaded`: all declarations of it and of all that it imports, and what is wrong
with the files. Afterwards each file has been read once, however often it is imported; what a file imports stands before
the file itself, else files stand in the order of their paths.
"""

from __future__ import annotations

import ntpath
import os
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from grammar.read import SUFFIX, files_under, read_source, shown_path, unreadable, whole_file
from grammar.text import ParsedText, parse_text
from rules import model as m
from rules.diagnostics import Diagnostic, Label
from rules.span import Span

# What an editor left behind is reported once, and the text is read all the same: it may hold worse.
_MENDED_BY_FMT = frozenset({"LX005", "LX006"})


@dataclass(frozen=True, slots=True)
class Loaded:
    rulebook: m.Rulebook
    texts: tuple[ParsedText, ...]
    diagnostics: tuple[Diagnostic, ...]


def load_rulebook(path: str) -> Loaded:
    loader = _Loader()
    loader.load(path)
    declarations = tuple(d for text in loader.texts for d in text.declarations)
    return Loaded(m.Rulebook(declarations), tuple(loader.texts), tuple(loader.diagnostics))


@dataclass(frozen=True, slots=True)
class _File:
    """`path` leads to the file, `shown` is for messages, `real` tells whether two paths lead to the same file."""

    path: str
    shown: str
    real: str


@dataclass(frozen=True, slots=True)
class _Open:
    """A file that is being read: its imports are followed one after the other."""

    file: _File
    text: ParsedText
    imports: Iterator[tuple[_File, Span]]
    via: Span | None  # the import that led here


class _Loader:
    def __init__(self) -> None:
        self.texts: list[ParsedText] = []
        self.diagnostics: list[Diagnostic] = []
        self.seen: set[str] = set()
        self.open: list[_Open] = []

    def load(self, path: str) -> None:
        try:
            os.stat(path)
        except (OSError, ValueError) as error:
            self.diagnostics.append(unreadable(error, path))
            return
        if not os.path.isdir(path):
            self._follow(_File(path, shown_path(path), os.path.realpath(path)), None)
            return
        files = self._files_in(path, shown_path(path))
        if not files and not self.diagnostics:
            message = f"the folder `{shown_path(path)}` holds no `*{SUFFIX}` file"
            self.diagnostics.append(whole_file("LX009", message, path))
        for file in files:
            self._follow(file, None)

    def _follow(self, file: _File, via: Span | None) -> None:
        """Reads a file and all that it imports. A stack of our own, since chains of imports may be long."""
        self._enter(file, via)
        while self.open:
            current = self.open[-1]
            following = next(current.imports, None)
            if following is None:
                self.open.pop()
                self.texts.append(current.text)
            else:
                self._enter(*following)

    def _enter(self, file: _File, via: Span | None) -> None:
        if file.real in self.seen:
            if via is not None and any(opened.file.real == file.real for opened in self.open):
                self.diagnostics.append(self._circle(file, via))
            return
        self.seen.add(file.real)
        source = read_source(file.path, shown=file.shown)
        if isinstance(source, Diagnostic):
            self.diagnostics.append(source)
            if source.code not in _MENDED_BY_FMT:
                return
            source = read_source(file.path, lenient=True, shown=file.shown)
            if isinstance(source, Diagnostic):  # it has changed under our eyes
                return
        text = parse_text(source)
        self.diagnostics.extend(text.diagnostics)
        self.open.append(_Open(file, text, self._imports(file, text), via))

    def _imports(self, file: _File, text: ParsedText) -> Iterator[tuple[_File, Span]]:
        for declaration in text.declarations:
            if isinstance(declaration, m.Import):
                for target in self._targets(file, declaration):
                    yield target, declaration.span

    def _targets(self, file: _File, wanted: m.Import) -> list[_File]:
        if not wanted.path or posixpath.isabs(wanted.path) or ntpath.splitdrive(wanted.path)[0]:
            self._missing(wanted, "an import is a path that leads from this file to another")
            return []
        path = os.path.join(os.path.dirname(file.path), *wanted.path.split("/"))
        shown = posixpath.normpath(posixpath.join(posixpath.dirname(file.shown), wanted.path))
        if os.path.isdir(path):
            before = len(self.diagnostics)
            files = self._files_in(path, shown)
            if not files and len(self.diagnostics) == before:
                message = f"the folder `{shown}` holds no `*{SUFFIX}` file"
                self.diagnostics.append(Diagnostic("LX009", message, wanted.span))
            return files
        if not os.path.lexists(path):
            hint = None
            if os.path.isfile(path + SUFFIX):
                hint = f'did you mean `import "{wanted.path}{SUFFIX}"`?'
            elif "\\" in wanted.path:
                hint = "part the folders of a path with `/`"
            self._missing(wanted, f"there is no file or folder `{shown}`", hint)
            return []
        return [_File(path, shown, os.path.realpath(path))]

    def _files_in(self, folder: str, shown: str) -> list[_File]:
        paths, problems = files_under(folder)
        self.diagnostics.extend(problems)
        return [
            _File(path, shown_path(os.path.join(shown, os.path.relpath(path, folder))), os.path.realpath(path))
            for path in paths
        ]

    def _missing(self, wanted: m.Import, message: str, help: str | None = None) -> None:
        self.diagnostics.append(Diagnostic("LX007", message, wanted.span, help=help))

    def _circle(self, file: _File, via: Span) -> Diagnostic:
        """The import that closes a circle, with labels at the other imports of it."""
        start = next(i for i, opened in enumerate(self.open) if opened.file.real == file.real)
        around = self.open[start:]
        if len(around) == 1:
            return Diagnostic("LX008", f"`{file.shown}` imports itself", via, help="take this import away")
        names = [opened.file.shown for opened in around]
        labels = tuple(
            Label(opened.via, f"`{before.file.shown}` imports `{opened.file.shown}` here")
            for before, opened in pairwise(around)
            if opened.via is not None
        )
        chain = " imports ".join(f"`{name}`" for name in [*names, names[0]])
        message = f"files import each other in a circle: {chain}"
        return Diagnostic("LX008", message, via, labels, help="take one of these imports away")
