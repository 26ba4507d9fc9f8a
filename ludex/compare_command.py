"""`ludex compare`: two rulebooks or two documents in, what differs out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludex.arguments import parse, parser_for, print_json, suggestion
from ludex.book import Book, load
from ludex.comparing import compare as compare_books
from ludex.errors import UsageError
from verifier.comparing import Comparison, Different, Only, Says
from verifier.finding import Finding

_TITLES = {
    "move": "moves",
    "value": "values",
    "outcome": "outcomes",
    "table": "tables",
    "rank": "ranks",
    "trigger": "triggers and limits",
    "action": "what is done",
    "passage": "passages",
    "state": "things and state",
}
_WORDS = {**{sort: sort for sort in _TITLES}, "action": "body", "move": "action", "state": "declaration"}
_SHOWN = 12  # names of a list, facts of a state, differences of a sort


def compare(args: Sequence[str]) -> int:
    parser = parser_for(
        "compare",
        "Two rulebooks, or two documents of one: which moves, values and outcomes differ, each with a state that shows "
        "it. Exit status: 0 nothing differs, 1 something does, 2 bad usage.",
    )
    parser.add_argument("one", metavar="A", help="a rulebook: a file, a folder, or the name of a bundled one")
    parser.add_argument("other", metavar="B", nargs="?", help="another: an edition, a translation, an errata sheet")
    parser.add_argument("--documents", metavar="X,Y", help="compare two documents of one rulebook")
    parser.add_argument("--players", type=int, metavar="N", help="for how many; without, as few as the books allow")
    parser.add_argument(
        "--findings",
        action="store_true",
        help="what the judge finds in one of them alone; always done where B imports A",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    books = [_book(path) for path in (options.one, options.other) if path is not None]
    documents = _documents(options.documents)
    try:
        found = compare_books(
            books[0],
            books[1] if len(books) > 1 else None,
            documents=documents,
            players=options.players,
            findings=True if options.findings else None,
        )
    except ValueError as error:
        raise UsageError(str(error)) from None
    if options.format == "json":
        print_json(comparison_json(found))
    else:
        print("\n".join(comparison_lines(found)))
    return 0 if found.same and not found.appeared and not found.settled else 1


def _book(path: str) -> Book:
    book = load(path)
    if not book.sources:
        raise UsageError(f"`{path}` cannot be read; {suggestion(path)}")
    return book


def _documents(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise UsageError(f"`--documents` takes two names with a comma between them, not `{text}`")
    return names[0], names[1]


# ---- as text --------------------------------------------------------------------------------------------------------


def comparison_lines(found: Comparison) -> list[str]:
    lines = [f"{found.one} and {found.other}, {_number(found.players, 'player')}"]
    for side, name in (("one", found.one), ("other", found.other)):
        lines += _only_lines([one for one in found.only if one.side == side], name)
    for sort, title in _TITLES.items():
        different = [one for one in found.different if one.sort == sort]
        if different:
            lines += ["", title]
            for one in different[:_SHOWN]:
                lines += _different_lines(one, found)
            if len(different) > _SHOWN:
                lines.append(f"  ... and {len(different) - _SHOWN} more; `--format json` shows them")
    lines += _findings_lines(found)
    if found.not_compared:
        lines += ["", "not compared", *(f"  {name}: {reason}" for name, reason in found.not_compared)]
    counted = ", ".join(_number(count, _WORDS[sort]) for sort, count in found.compared if sort != "trigger")
    return [*lines, "", f"compared: {counted or 'nothing'}; {_number(len(found.different), 'difference')}"]


def _only_lines(only: list[Only], name: str) -> Iterator[str]:
    by_sort: dict[str, list[str]] = {}
    for one in only:
        by_sort.setdefault(one.sort, []).append(one.name)
    for sort, names in by_sort.items():
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        yield f"only in {name}: {sort} {', '.join(names[:_SHOWN])}{more}"


def _different_lines(one: Different, found: Comparison) -> Iterator[str]:
    yield f"  {one.example}"
    width = max(len(found.one), len(found.other))
    yield f"    {found.one:<{width}}  {_says(one.one)}"
    yield f"    {found.other:<{width}}  {_says(one.other)}"
    if one.facts:
        more = f"; and {len(one.facts) - _SHOWN} more" if len(one.facts) > _SHOWN else ""
        yield f"    where {'; '.join(one.facts[:_SHOWN])}{more}"
    if not one.confirmed:
        by_text = one.sort in ("rank", "trigger", "action", "passage", "state")
        yield f"    ({'written otherwise' if by_text else 'found by the solver, not confirmed in a state of play'})"


def _says(says: Says) -> str:
    return says.words + (f", by {', '.join(says.rules)}" if says.rules else "")


def _findings_lines(found: Comparison) -> Iterator[str]:
    for title, findings in (("settled", found.settled), ("new", found.appeared)):
        if findings is None:
            continue
        yield ""
        yield f"{title}: {_number(len(findings), 'finding')}"
        yield from (f"  {one.code} {one.message} ({one.certainty})" for one in findings)


def _number(count: int, word: str) -> str:
    several = "bodies" if word == "body" else f"{word}s"
    return f"{count or 'no'} {word if count == 1 else several}"


# ---- as data --------------------------------------------------------------------------------------------------------


def comparison_json(found: Comparison) -> dict[str, object]:
    return {
        "one": found.one,
        "other": found.other,
        "players": found.players,
        "same": found.same,
        "different": [_different_json(one) for one in found.different],
        "only": [{"sort": one.sort, "name": one.name, "in": one.side} for one in found.only],
        "compared": dict(found.compared),
        "not_compared": [{"name": name, "reason": reason} for name, reason in found.not_compared],
        "settled": _findings_json(found.settled),
        "new": _findings_json(found.appeared),
    }


def _different_json(one: Different) -> dict[str, object]:
    sides = {
        name: {"says": says.words, "rules": list(says.rules)} for name, says in (("one", one.one), ("other", one.other))
    }
    return {
        "sort": one.sort,
        "name": one.name,
        "example": one.example,
        **sides,
        "state": list(one.facts),
        "confirmed": one.confirmed,
    }


def _findings_json(findings: tuple[Finding, ...] | None) -> list[dict[str, str]] | None:
    if findings is None:
        return None
    return [{"code": one.code, "message": one.message, "certainty": one.certainty} for one in findings]
