"""Findings that a project knows of and lives with for now, as a file: only others are new.

A file lists each with its fingerprint, which survives edits elsewhere, and in words, for whoever reads a change of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

VERSION = 1


@dataclass(frozen=True, slots=True)
class Known:
    """One finding that is known: code and message as they were, to be read by people."""

    fingerprint: str
    code: str
    message: str


def baseline_text(known: Iterable[Known]) -> str:
    """The file. The same findings give the same file."""
    entries = sorted(known, key=lambda entry: (entry.code, entry.message, entry.fingerprint))
    found = [{"fingerprint": e.fingerprint, "code": e.code, "message": e.message} for e in entries]
    return json.dumps({"version": VERSION, "findings": found}, indent=2, ensure_ascii=False) + "\n"


def read_baseline(text: str) -> tuple[Known, ...]:
    """What a file lists. Raises `ValueError`, in words, for a text that is no baseline."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno} is not JSON") from None
    except (RecursionError, ValueError):
        raise ValueError("it is not JSON that a baseline would have") from None
    if not isinstance(value, dict) or "version" not in value:
        raise ValueError("it is no baseline of Ludex")
    if value["version"] != VERSION:
        raise ValueError(f"it has version {value['version']}, and this Ludex reads version {VERSION}; write it anew")
    entries = value.get("findings")
    if not isinstance(entries, list):
        raise ValueError("it lists no findings")
    return tuple(_known(entry, place) for place, entry in enumerate(entries, 1))


def _known(entry: Any, place: int) -> Known:
    match entry:
        case {"fingerprint": str(fingerprint), "code": str(code), "message": str(message)}:
            return Known(fingerprint, code, message)
        case _:
            raise ValueError(f"its entry {place} has no fingerprint, code and message")
