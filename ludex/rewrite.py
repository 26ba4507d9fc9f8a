"""Commands that write files. A file is replaced in one step or not at all."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from grammar.format import format_text
from grammar.read import read_source, rule_files, source_of
from grammar.text import parse_text
from ludex.errors import UsageError
from rules.diagnostics import Diagnostic
from rules.span import Source
from verifier.render import to_text


def rewrite(paths: Sequence[str], check_only: bool, colour: bool) -> int:
    """Formats files; gives the exit status."""
    if "-" in paths:
        if len(paths) > 1:
            raise UsageError("`-` stands alone")
        return _rewrite_stream(check_only, colour)
    status = changed = total = 0
    for path in _all_files(paths):
        total += 1
        before = _stamp(path)
        source = read_source(path, lenient=True)
        if isinstance(source, Diagnostic):
            print(to_text(source, colour), file=sys.stderr)
            status = max(status, 2 if source.code == "LX001" else 1)
            continue
        text = _formatted(source, colour)
        if text is None:
            status = max(status, 1)
        elif text.encode() != Path(path).read_bytes():
            changed += 1
            if check_only:
                print(f"would change {path}")
                status = max(status, 1)
            elif _stamp(path) != before:
                raise UsageError(f"`{path}` was changed by somebody else just now; it is left as it is")
            else:
                write_whole(Path(path), text)
                print(f"changed {path}")
    if total and not changed and not status:
        print(f"{total} file{'' if total == 1 else 's'}, nothing to change")
    return status


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def _rewrite_stream(check_only: bool, colour: bool) -> int:
    given = sys.stdin.buffer.read()
    source = source_of(given, "-", lenient=True)
    if isinstance(source, Diagnostic):
        print(to_text(source, colour), file=sys.stderr)
        return 1
    text = _formatted(source, colour)
    if text is None:
        return 1
    if check_only:
        return int(text.encode() != given)
    sys.stdout.buffer.write(text.encode())
    return 0


def _formatted(source: Source, colour: bool) -> str | None:
    parsed = parse_text(source)
    if parsed.diagnostics:
        for diagnostic in parsed.diagnostics:
            print(to_text(diagnostic, colour), file=sys.stderr)
        return None
    return format_text(parsed)


def _all_files(paths: Sequence[str]) -> list[str]:
    found: list[str] = []
    for path in paths:
        inside = rule_files(path) if os.path.isdir(path) else [path]
        if not inside:
            raise UsageError(f"the folder `{path}` has no *.rules files")
        found += inside
    return list(dict.fromkeys(found))


def write_whole(path: Path, text: str) -> None:
    """Replaces a file so that it is at every moment either the old one or the new one; its permissions are kept."""
    target = path.resolve()
    if target.exists() and not os.access(target, os.W_OK):
        raise UsageError(f"`{path}` is protected against writing")
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise UsageError(f"`{path}` cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(text.encode("utf-8"))
            out.flush()
            os.fsync(out.fileno())
        if target.exists():
            os.chmod(temporary, target.stat().st_mode & 0o7777)
        else:
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, target)
    except BaseException as error:
        os.unlink(temporary)
        if isinstance(error, OSError):
            raise UsageError(f"`{path}` cannot be written: {error.strerror}") from None
        raise


def start_rulebook(name: str) -> Path:
    """Writes a small rulebook to start from."""
    word = name.removesuffix(".rules")
    if not re.fullmatch(r"[^\W\d][\w-]*", word):
        raise UsageError(f"`{name}` is no good name: letters, digits, `_` and `-`, beginning with a letter")
    path = Path(f"{word}.rules")
    template = files("ludex").joinpath("templates", "new.rules").read_text(encoding="utf-8")
    title = word.replace("_", " ").replace("-", " ")
    try:
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(template.replace("{title}", title[0].upper() + title[1:]))
    except FileExistsError:
        raise UsageError(f"`{path}` is already there; nothing was changed") from None
    except OSError as error:
        raise UsageError(f"`{path}` cannot be written: {(error.strerror or str(error)).lower()}") from None
    return path
