"""The commands: arguments in, text out, an exit status. All thinking is done elsewhere."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

from ludex.cli import COMMANDS
from ludex.errors import UsageError
from rules.codes import CODES

_SHOWN = 30


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage().strip()}")


def run(args: list[str]) -> int:
    try:
        return _dispatch(args)
    except UsageError as error:
        print(f"ludex: {error}", file=sys.stderr)
        return 2
    except OSError:
        raise  # only writing the output can still fail here: see `cli.main`
    except KeyboardInterrupt:
        print("ludex: interrupted", file=sys.stderr)
        return 2
    except Exception as error:  # noqa: BLE001, RUF100  (our mistake: say so, and how to show us)
        if os.environ.get("LUDEX_TRACEBACK"):
            raise
        print(
            f"ludex: a mistake of ours: {type(error).__name__}: {error}\n"
            "       please report it with the rulebook; LUDEX_TRACEBACK=1 shows where it happened",
            file=sys.stderr,
        )
        return 2


def _dispatch(args: list[str]) -> int:
    command, rest = args[0], args[1:]
    match command:
        case "check":
            return check(rest)
        case "fmt":
            return fmt(rest)
        case "coverage":
            return coverage(rest)
        case "explain":
            return explain(rest)
        case "new":
            return new(rest)
        case _:
            close = get_close_matches(command, COMMANDS, n=1)
            hint = f"; did you mean `{close[0]}`?" if close else f"; commands are {', '.join(COMMANDS)}"
            raise UsageError(f"no command is called `{command}`{hint}")


def _parser(command: str, description: str) -> _Parser:
    return _Parser(prog=f"ludex {command}", description=description, allow_abbrev=False)


def _parse(parser: _Parser, args: Sequence[str]) -> argparse.Namespace | int:
    """The arguments, or the exit status after `--help`."""
    try:
        return parser.parse_args(args)
    except SystemExit as stop:
        return int(stop.code or 0)


def _colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


# ---- check ----------------------------------------------------------------------------------------------------------


def check(args: Sequence[str]) -> int:
    parser = _parser("check", "Read a rulebook, check its names and types, show what is wrong.")
    parser.add_argument("book", metavar="BOOK", help="a file, a folder, or the name of a bundled rulebook")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to show it (default: text)")
    parser.add_argument("--strict", action="store_true", help="exit status 1 for warnings too")
    parser.add_argument("--all", action="store_true", help=f"show all messages, not only the first {_SHOWN}")
    options = _parse(parser, args)
    if isinstance(options, int):
        return options
    from ludex.book import load  # noqa: PLC0415
    from ludex.summary import summary_of, summary_text  # noqa: PLC0415
    from verifier.render import to_json, to_text  # noqa: PLC0415

    book = load(options.book)
    unread = not book.sources
    if options.format == "json":
        summary = summary_of(book)
        _print_json({"version": 1, "book": options.book, "diagnostics": to_json(book.diagnostics), "summary": summary})
    else:
        ordered = sorted((*book.errors, *book.warnings), key=lambda d: (not d.is_error, d.code >= "LX1"))
        shown = ordered if options.all else ordered[:_SHOWN]
        for diagnostic in shown:
            print(to_text(diagnostic, _colour()), end="\n\n")
        if len(shown) < len(ordered):
            print(f"... and {len(ordered) - len(shown)} more; `--all` shows them\n")
        print(_suggestion(options.book) if unread else summary_text(summary_of(book)))
    if unread:
        return 2
    return 1 if book.errors or (options.strict and book.diagnostics) else 0


def _suggestion(path: str) -> str:
    """Where a book that is not there might be meant."""
    from ludex.book import bundled  # noqa: PLC0415

    if os.path.exists(f"{path}.rules"):
        return f"did you mean `{path}.rules`?"
    known = list(bundled())
    close = get_close_matches(path.lower().replace("-", "_"), known, n=1)
    hint = f"did you mean `{close[0]}`? " if close else ""
    return f"{hint}rulebooks that come with Ludex: {', '.join(known)}"


# ---- fmt ------------------------------------------------------------------------------------------------------------


def fmt(args: Sequence[str]) -> int:
    parser = _parser("fmt", "Rewrite rulebooks in the one canonical form. A file that cannot be read is left as it is.")
    parser.add_argument(
        "paths", metavar="PATH", nargs="+", help="files and folders; `-` reads and writes the standard streams"
    )
    parser.add_argument("--check", action="store_true", help="change nothing; exit status 1 if something would change")
    options = _parse(parser, args)
    if isinstance(options, int):
        return options
    from ludex.rewrite import rewrite  # noqa: PLC0415

    return rewrite(options.paths, options.check, _colour())


# ---- coverage -------------------------------------------------------------------------------------------------------


def coverage(args: Sequence[str]) -> int:
    parser = _parser("coverage", "What share of each document is modelled, noted with a reason, or open.")
    parser.add_argument("book", metavar="BOOK", help="a file, a folder, or the name of a bundled rulebook")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to show it (default: text)")
    parser.add_argument("--open", action="store_true", help="list the lines that are still open")
    options = _parse(parser, args)
    if isinstance(options, int):
        return options
    from ludex.book import load  # noqa: PLC0415
    from ludex.summary import coverage_json, coverage_text  # noqa: PLC0415
    from verifier.render import to_text  # noqa: PLC0415

    book = load(options.book)
    if book.errors:
        for diagnostic in book.errors[:_SHOWN]:
            print(to_text(diagnostic, _colour()), end="\n\n", file=sys.stderr)
        print("ludex: coverage is only counted for a rulebook without errors", file=sys.stderr)
        return 2 if not book.sources else 1
    if options.format == "json":
        _print_json({"version": 1, "book": options.book, "documents": coverage_json(book.coverage())})
    else:
        print(coverage_text(book.coverage(), options.open))
    return 0


def _print_json(value: object) -> None:
    import json  # noqa: PLC0415

    print(json.dumps(value, indent=2, ensure_ascii=False))


# ---- explain --------------------------------------------------------------------------------------------------------


def explain(args: Sequence[str]) -> int:
    parser = _parser("explain", "What a diagnostic means, why it matters, and an example.")
    parser.add_argument("code", metavar="CODE", nargs="?", help="for example LX101; without it, all codes are listed")
    options = _parse(parser, args)
    if isinstance(options, int):
        return options
    if options.code is None:
        for code in CODES.values():
            print(f"{code.code}  {code.severity:<7}  {code.title}")
        return 0
    found = re.search(r"LX[0-9]{3}", options.code.upper())  # also out of `error[LX101]`
    wanted = found.group() if found else options.code.upper()
    if wanted not in CODES:
        close = get_close_matches(wanted, CODES, n=3)
        raise UsageError(
            f"no code is called `{options.code}`" + (f"; close to it are {', '.join(close)}" if close else "")
        )
    from importlib.resources import files  # noqa: PLC0415

    print(files("rules").joinpath("pages", f"{wanted}.md").read_text(encoding="utf-8").strip())
    return 0


# ---- new ------------------------------------------------------------------------------------------------------------


def new(args: Sequence[str]) -> int:
    parser = _parser("new", "Start a small rulebook: writes NAME.rules here.")
    parser.add_argument("name", metavar="NAME", help="a short name, such as harbour")
    options = _parse(parser, args)
    if isinstance(options, int):
        return options
    from ludex.rewrite import start_rulebook  # noqa: PLC0415

    path = start_rulebook(options.name)
    print(f"wrote {path}\n\n    ludex check {path}\n\nshows what Ludex makes of it.")
    return 0
