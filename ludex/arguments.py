"""What the commands share: reading arguments, and printing."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Literal, NoReturn

from ludex.errors import UsageError

SHOWN = 30  # messages, unless all are asked for


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage().strip()}")


def parser_for(command: str, description: str) -> Parser:
    return Parser(prog=f"ludex {command}", description=description, allow_abbrev=False)


def parse(parser: Parser, args: Sequence[str]) -> argparse.Namespace | int:
    """The arguments, or the exit status after `--help`. Options may stand before, between and after the others."""
    try:
        return parser.parse_intermixed_args(args)
    except SystemExit as stop:
        return int(stop.code or 0)


def colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def print_json(value: object) -> None:
    print(json_text(value))


def json_text(value: object) -> str:
    import json  # noqa: PLC0415

    return json.dumps(value, indent=2, ensure_ascii=False)


def suggestion(path: str) -> str:
    """Where a book that is not there might be meant."""
    from ludex.book import bundled  # noqa: PLC0415

    if os.path.exists(f"{path}.rules"):
        return f"did you mean `{path}.rules`?"
    known = list(bundled())
    close = get_close_matches(path.lower().replace("-", "_"), known, n=1)
    hint = f"did you mean `{close[0]}`? " if close else ""
    return f"{hint}rulebooks that come with Ludex: {', '.join(known)}"


def numbers(text: str) -> int | tuple[int, int] | Literal["all"]:
    """`3`, `2..4` or `all`, as an argument."""
    if text == "all":
        return "all"
    low, dots, high = text.partition("..")
    if not dots:
        return count(text)
    found = (count(low), count(high))
    if found[0] > found[1]:
        raise argparse.ArgumentTypeError(f"`{text}` runs backwards: write `{high}..{low}`")
    return found


def count(text: str) -> int:
    """A number from 1 up, as an argument."""
    if not (re.fullmatch(r"[0-9]{1,9}", text) and int(text) > 0):
        raise argparse.ArgumentTypeError(f"`{text}` is no number from 1 up")
    return int(text)
