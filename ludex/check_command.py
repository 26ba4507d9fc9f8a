"""`ludex check`: what is wrong with a rulebook, in the form that was asked for, and the exit status."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludex.arguments import SHOWN, colour, json_text, numbers, parse, parser_for, suggestion
from ludex.errors import UsageError

if TYPE_CHECKING:
    from ludex.book import Book
    from verifier.baseline import Known
    from verifier.graphs import Unreached, What
    from verifier.report import Picture, Report
    from verifier.selection import Selection


def check(args: Sequence[str]) -> int:
    options = _options(args)
    if isinstance(options, int):
        return options
    from ludex.book import find, load  # noqa: PLC0415
    from ludex.judge import JudgeOptions, judge  # noqa: PLC0415
    from ludex.summary import read_words  # noqa: PLC0415
    from verifier.report import report_of  # noqa: PLC0415

    selection = _selection(options, None if find(options.book) != options.book else options.book)
    baseline = None if options.baseline is None else _baseline(options.baseline)
    book = load(options.book)
    wanted = JudgeOptions(options.decided, options.players, sys.stderr.isatty(), not options.no_cache, selection)
    try:
        judgement = judge(book, wanted)
    except ValueError as error:
        raise UsageError(str(error)) from None
    report = report_of(
        options.book,
        book.title,
        read_words(book),
        book.diagnostics,
        judgement,
        book.coverage(),
        selection,
        baseline,
        options.stats,
    )
    _show(book, report, options)
    if options.write_baseline is not None:
        _write_baseline(book, report, options)
    return _status(book, report, options)


def _options(args: Sequence[str]) -> argparse.Namespace | int:
    parser = parser_for(
        "check",
        "Read a rulebook, check its names and types, judge it, show what is wrong. "
        "Exit status: 0 clean, 1 for findings and errors, 2 for bad usage.",
    )
    parser.add_argument("book", metavar="BOOK", help="a file, a folder, or the name of a bundled rulebook")
    parser.add_argument(
        "--format", choices=("text", "json", "sarif", "html"), default="text", help="how to show it (default: text)"
    )
    parser.add_argument("--output", metavar="FILE", help="where to write it (default: show it)")
    what = "codes, beginnings of codes or families, by commas; may be given again"
    parser.add_argument("--select", action="append", default=[], metavar="WHAT", help=f"show only these: {what}")
    parser.add_argument("--ignore", action="append", default=[], metavar="WHAT", help="show all but these")
    parser.add_argument("--baseline", metavar="FILE", help="findings that are known: only others count")
    parser.add_argument("--write-baseline", metavar="FILE", help="write what is shown as known findings")
    parser.add_argument(
        "--players",
        type=numbers,
        metavar="N",
        help="judge it with N players, with `2..4`, with `all` (default: as few as it allows, and others briefly)",
    )
    parser.add_argument("--decided", action="store_true", help="list the pairs of rules that the book itself decides")
    parser.add_argument("--stats", action="store_true", help="what each check looked at, and how long it took")
    parser.add_argument("--no-cache", action="store_true", help="judge it anew, and keep nothing for the next time")
    parser.add_argument("--strict", action="store_true", help="exit status 1 for warnings too")
    parser.add_argument("--all", action="store_true", help=f"show all messages, not only the first {SHOWN}")
    return parse(parser, args)


def _selection(options: argparse.Namespace, book: str | None) -> Selection:
    """What the command line and the project of a book want; the books that come with Ludex are of no project."""
    from dataclasses import replace  # noqa: PLC0415

    from ludex.config import command_patterns, project_selection  # noqa: PLC0415
    from verifier.selection import Selection, Wanted  # noqa: PLC0415

    wanted = Wanted(command_patterns("--select", options.select), command_patterns("--ignore", options.ignore))
    return replace(Selection() if book is None else project_selection(book), command=wanted)


def _baseline(path: str) -> tuple[Known, ...]:
    from verifier.baseline import read_baseline  # noqa: PLC0415

    try:
        return read_baseline(Path(path).read_bytes().decode("utf-8"))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"`{path}` cannot be read: {reason}; `--write-baseline` writes one") from None
    except UnicodeDecodeError:
        raise UsageError(f"`{path}` is no baseline: it is not text") from None
    except ValueError as error:
        raise UsageError(f"`{path}` is no baseline that can be used: {error}") from None


def _show(book: Book, report: Report, options: argparse.Namespace) -> None:
    """Prints the report, or writes it and prints what sums it up."""
    if options.output is None:
        print(_shown(book, report, options, colour()))
        return
    from ludex.rewrite import write_whole  # noqa: PLC0415
    from ludex.summary import summary_lines  # noqa: PLC0415

    write_whole(Path(options.output), _shown(book, report, options, False) + "\n")
    print("\n".join([f"wrote {options.output}", *summary_lines(book, report)]))


def _shown(book: Book, report: Report, options: argparse.Namespace, coloured: bool) -> str:
    match options.format:
        case "json":
            from ludex.summary import summary_of  # noqa: PLC0415
            from verifier.report.json_ import report_json  # noqa: PLC0415

            return json_text(report_json(report, summary_of(book, report)))
        case "sarif":
            from ludex import __version__  # noqa: PLC0415
            from verifier.report.sarif import report_sarif  # noqa: PLC0415

            return json_text(report_sarif(report, __version__))
        case "html":
            from verifier.report.html import report_html  # noqa: PLC0415

            return report_html(report, _pictures(book, report)).rstrip("\n")
        case _:
            return "\n".join(_text(book, report, options, coloured))


def _pictures(book: Book, report: Report) -> tuple[Picture, ...]:
    """The phases, the story and the precedence of a book, each where it has something to show."""
    if book.checked is None:
        return ()
    from verifier.graphs import picture, to_svg  # noqa: PLC0415
    from verifier.report import Picture  # noqa: PLC0415

    found = []
    titles: dict[What, str] = {"phases": "Phases", "story": "Story", "precedence": "Precedence"}
    for what, title in titles.items():
        drawing = picture(book.checked, what, unreached=_unreached(report))
        if drawing.nodes:
            found.append(Picture(title, to_svg(drawing)))
    return tuple(found)


def _unreached(report: Report) -> dict[str, Unreached]:
    """The passages that no play comes to although links lead there."""
    return {
        finding.places[0].name: "history" if "by history" in finding.message else "condition"
        for finding in report.judgement.findings
        if finding.code == "LX954"
    }


def _text(book: Book, report: Report, options: argparse.Namespace, coloured: bool) -> list[str]:
    from ludex.summary import summary_lines  # noqa: PLC0415
    from verifier.render import to_text  # noqa: PLC0415
    from verifier.report.text import decided_lines, finding_text, stats_lines  # noqa: PLC0415

    ordered = sorted(report.diagnostics, key=lambda s: (not s.diagnostic.is_error, s.diagnostic.code >= "LX1"))
    lines = _cut([to_text(s.diagnostic, coloured, s.severity) for s in ordered], options.all)
    lines += _cut([finding_text(shown, coloured, options.all) for shown in report.findings], options.all)
    if not book.sources:
        return [*lines, suggestion(options.book)]
    if options.decided:
        lines += [*decided_lines(report.judgement.decided), ""]
    if options.stats:
        lines += [*stats_lines(report.judgement), ""]
    return [*lines, *summary_lines(book, report, options.all)]


def _cut(messages: list[str], whole: bool) -> list[str]:
    """Each message with an empty line after it; only the first ones unless `whole`."""
    shown = messages if whole else messages[:SHOWN]
    lines = [line for message in shown for line in (message, "")]
    if len(shown) < len(messages):
        lines += [f"... and {len(messages) - len(shown)} more; `--all` shows them", ""]
    return lines


def _write_baseline(book: Book, report: Report, options: argparse.Namespace) -> None:
    from ludex.rewrite import write_whole  # noqa: PLC0415
    from verifier.baseline import baseline_text  # noqa: PLC0415

    path = options.write_baseline
    if book.errors or report.judgement.interrupted:
        why = "the book has errors" if book.errors else "the check was interrupted"
        raise UsageError(f"`{path}` was not written: {why}, so not all findings are known")
    known = report.entries()
    write_whole(Path(path), baseline_text(known))
    print(f"wrote {path}: {len(known)} known", file=sys.stderr)


def _status(book: Book, report: Report, options: argparse.Namespace) -> int:
    if not book.sources:
        return 2
    accepted = options.write_baseline is not None and options.baseline is None  # all that is shown is known now
    if not accepted and not report.clean(options.strict):
        return 1
    return 2 if report.judgement.interrupted else 0
