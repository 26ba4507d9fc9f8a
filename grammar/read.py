"""Files to sources: `read_source`, and which files a folder holds: `rule_files`.

In: a path. Out: a `Source`, or the one diagnostic that says why there is none. Afterwards the text is UTF-8 without
NUL, without byte order mark and without carriage returns, and not too large to be parsed in a moment.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import unicodedata

from rules.diagnostics import Diagnostic
from rules.span import Source, Span

MAX_BYTES = 5_000_000
SUFFIX = ".rules"

# A text in quotes or a comment may hold tabs; a tab in any other place is layout.
_TABS = re.compile(
    r'(?P<kept>"[^"\\\n]*(?:\\["\\n][^"\\\n]*)*"|\#[^\n]*)|(?P<indent>^[ \t]*\t[ \t]*)|(?P<tabs>\t+)', re.MULTILINE
)
_BOM = "\ufeff"


def read_source(path: str, lenient: bool = False, shown: str | None = None) -> Source | Diagnostic:
    """The text of a file; `lenient` mends what `ludex fmt` mends: byte order mark, carriage returns, tabs.

    `shown` is the path for messages, if it is not `path` itself.
    """
    name = shown_path(path) if shown is None else shown
    data = _bytes_of(path, name)
    return data if isinstance(data, Diagnostic) else source_of(data, name, lenient)


def source_of(data: bytes, name: str, lenient: bool = False) -> Source | Diagnostic:
    """The text in these bytes; `name` is for messages."""
    if len(data) > MAX_BYTES:
        return _too_large(name, len(data))
    text = _decoded(data, name)
    if isinstance(text, Diagnostic):
        return text
    text = unicodedata.normalize("NFC", text)  # é is one letter, however an editor wrote it
    if lenient:
        plain = text.removeprefix(_BOM).replace("\r\n", "\n").replace("\r", "\n")
        return Source(name, _TABS.sub(_without_tabs, plain))
    return _strict(text, name)


def rule_files(folder: str) -> list[str]:
    """All `*.rules` files under a folder, sorted by their paths, whatever the system; hidden ones are left out."""
    return files_under(folder)[0]


def files_under(folder: str) -> tuple[list[str], list[Diagnostic]]:
    """The files, and a diagnostic for each folder that cannot be looked into."""
    found: list[str] = []
    problems: list[Diagnostic] = []
    waiting: list[tuple[str, tuple[str, ...]]] = [(folder, ())]
    visited: set[str] = set()  # two links to one folder: its files count once
    while waiting:
        place, above = waiting.pop()
        real = os.path.realpath(place)
        if real in above:
            problems.append(whole_file("LX001", f"the folder `{shown_path(place)}` leads back into itself", place))
            continue
        if real in visited:
            continue
        visited.add(real)
        try:
            names = sorted(os.listdir(place))
        except OSError as error:
            problems.append(unreadable(error, place))
            continue
        for name in names:
            path = os.path.join(place, name)
            if name.startswith("."):
                continue
            if os.path.isdir(path):
                waiting.append((path, (*above, real)))
            elif name.endswith(SUFFIX):
                found.append(path)
    return sorted(found, key=lambda path: path.replace(os.sep, "/")), problems


def shown_path(path: str) -> str:
    """A path as messages show it: relative if it lies below the current folder, with `/`, and always printable."""
    relative = path
    if os.path.isabs(path):
        inside = os.path.join(_here(), "")
        relative = path[len(inside) :] if path.startswith(inside) else path
    name = os.path.normpath(relative).replace(os.sep, "/") if relative else ""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:  # the current folder is gone
        return os.sep


def whole_file(code: str, message: str, path: str, help: str | None = None) -> Diagnostic:
    """A diagnostic about a file as a whole, placed at its start."""
    return Diagnostic(code, message, Span(Source(shown_path(path), ""), 0, 0), help=help)


def unreadable(error: OSError | ValueError, path: str) -> Diagnostic:
    name = shown_path(path)
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.ENOENT:
        message = f"there is no file or folder `{name}`"
    elif number in (errno.EACCES, errno.EPERM):
        message = f"`{name}` may not be read: permission is missing"
    elif number == errno.ELOOP:
        message = f"`{name}` is a link that leads back to itself"
    elif number == errno.ENAMETOOLONG:
        message = "this path is too long for a file"
    elif number is None:
        message = "this path cannot be the path of a file"
    else:
        message = f"`{name}` cannot be read: {os.strerror(number).lower()}"
    return whole_file("LX001", message, path)


def _bytes_of(path: str, name: str) -> bytes | Diagnostic:
    try:
        info = os.stat(path)
        if stat.S_ISDIR(info.st_mode):
            return whole_file("LX001", f"`{name}` is a folder, not a file", path)
        if not stat.S_ISREG(info.st_mode):
            return whole_file("LX001", f"`{name}` is not a plain file", path)
        if info.st_size > MAX_BYTES:
            return _too_large(path, info.st_size)
        with open(path, "rb") as file:
            # A file may grow while it is read, and some say nothing of their size.
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        return unreadable(error, path)
    return data if len(data) <= MAX_BYTES else _too_large(path, len(data))


def _too_large(path: str, size: int) -> Diagnostic:
    message = f"this file has {size:,} bytes; a file may have {MAX_BYTES:,}"
    return whole_file("LX004", message, path, help="part it into several files in one folder")


def _decoded(data: bytes, name: str) -> str | Diagnostic:
    null = data.find(b"\0")
    try:
        text = data.decode("utf-8") if null < 0 else data[:null].decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_text(data, error.start, name)
    return text if null < 0 else _not_text(data, null, name)


_SIGNATURES = {
    b"PK\x03\x04": "a Word, LibreOffice or zip file",
    b"%PDF": "a PDF file",
    b"\xd0\xcf\x11\xe0": "an old Word file",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}


def _not_text(data: bytes, offset: int, name: str) -> Diagnostic:
    known = next((what for start, what in _SIGNATURES.items() if data.startswith(start)), None)
    if known is not None:
        span = Span(Source(name, ""), 0, 0)
        return Diagnostic("LX003", f"this file is {known}", span, help="save it as plain text, encoded as UTF-8")
    before = _printable(data[:offset].decode("utf-8").removeprefix(_BOM))
    return Diagnostic(
        "LX003",
        f"this file is not text: byte {offset + 1} (hexadecimal {data[offset]:02x}) cannot stand in UTF-8 text",
        Span(Source(name, before), len(before), len(before)),
        help="save it as plain text, encoded as UTF-8",
    )


def _strict(text: str, name: str) -> Source | Diagnostic:
    if text.startswith(_BOM):
        source = Source(name, _printable(text[1:]))
        message = "this file begins with a byte order mark, an invisible mark that some editors add"
        return Diagnostic("LX005", message, Span(source, 0, 0), help="`ludex fmt` removes it")
    place = text.find("\r")
    if place < 0:
        return Source(name, text)
    message = "lines of this file end with a carriage return, as on Windows"
    span = Span(Source(name, _printable(text)), place, place + 1)
    return Diagnostic("LX006", message, span, help="`ludex fmt` removes it")


def _printable(text: str) -> str:
    """The text with each carriage return as a space, so that offsets stay and a terminal shows whole lines."""
    return text.replace("\r", " ")


def _without_tabs(match: re.Match[str]) -> str:
    if match["kept"] is not None:
        return match["kept"]
    return match["indent"].replace("\t", "    ") if match["indent"] is not None else " "
