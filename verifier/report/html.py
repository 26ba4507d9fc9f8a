"""A report as one HTML page that needs nothing else: no network, and without scripts it still shows everything."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.resources import files

from rules.codes import CODES
from verifier.report.html_finding import diagnostic_card, finding_card, place_block
from verifier.report.html_tables import checks_table, coverage_tables
from verifier.report.markup import Markup, element, join, words
from verifier.report.report import Picture, Report, ShownFinding
from verifier.report.svg import picture_markup
from verifier.report.text import became, explored_words, number, players_words, unseen_words
from verifier.selection import FAMILIES

_FEW = 3  # so many findings are shown open


def report_html(report: Report, pictures: tuple[Picture, ...] = ()) -> str:
    """The page. `pictures` were drawn by us; all else is escaped."""
    page = files("verifier").joinpath("report", "page")
    style = page.joinpath("page.css").read_text(encoding="utf-8")
    script = page.joinpath("page.js").read_text(encoding="utf-8")
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    parts = [(name, title, body) for name, title, body in _parts(report, pictures) if body]
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element(
            "meta",
            http_equiv="Content-Security-Policy",
            content=f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'",
        ),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{report.title}: what Ludex found"),
        element("style", Markup(style)),
    )
    body = element(
        "body",
        element("a", "To the findings", class_="skip", href="#findings"),
        element(
            "header",
            element("p", "Ludex, the judge of the rules", class_="over"),
            element("h1", report.title),
            element("p", element("code", report.book), " ", report.read, class_="read"),
            _verdict(report),
        ),
        element(
            "nav",
            [element("a", title, href=f"#{name}") for name, title, _ in parts],
            aria_label="Parts of this page",
        ),
        element("main", [element("section", element("h2", title), body, id=name) for name, title, body in parts]),
        element("script", Markup(script)),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def _parts(report: Report, pictures: tuple[Picture, ...]) -> Iterator[tuple[str, str, Markup]]:
    yield "summary", "Summary", _summary(report)
    yield "findings", "Findings", _findings(report)
    yield "reading", "Messages on reading", join([diagnostic_card(shown) for shown in report.diagnostics])
    yield "decided", "Decided by the book", _decided(report)
    yield "pictures", "Pictures", join([_picture(picture) for picture in pictures])
    yield "coverage", "Coverage", coverage_tables(report.coverage)
    yield "checks", "Checks", checks_table(report.judgement, report.stats) if report.judgement.ran else Markup()


def _verdict(report: Report) -> Markup:
    """The result in one line. Where nothing was judged, or not all, it is never a good one."""
    judgement = report.judgement
    count = len(report.findings)
    of_these = f", {len(report.new) or 'none'} of them new" if report.gone is not None and count else ""
    if not judgement.ran:
        kind, text = "open", "nothing was judged"
        if report.errors:
            kind, text = "bad", f"{number(report.errors, 'error')}: nothing was judged"
    elif count:
        kind = "bad" if any(shown.counts for shown in report.findings) else "open"
        text = f"{number(count, 'finding')}{of_these}"
    elif judgement.interrupted or judgement.skipped or judgement.not_encoded:
        kind, text = "open", "no findings in what was looked at"
    else:
        kind, text = "good", "no findings"
    if judgement.interrupted:
        text += "; interrupted, so this is what is known so far"
    return element("p", text, class_=f"verdict {kind}")


# ---- the summary ----------------------------------------------------------------------------------------------------


def _summary(report: Report) -> Markup:
    judgement = report.judgement
    tiles = [
        (len(report.findings), "findings"),
        *((count, f"of them {certainty}") for certainty, count in report.certainties()),
        (report.errors, "errors of reading"),
        (report.warnings, "warnings of reading"),
        (judgement.rules, "rules judged"),
        (len(judgement.unseen), unseen_words(judgement)),
        (len(judgement.left_open), "left open"),
        (len(judgement.not_encoded), "not encoded"),
    ]
    shown = element(
        "ul",
        [
            element("li", element("strong", str(count)), " ", element("span", label), class_=None if count else "none")
            for count, label in tiles
        ],
        class_="tiles",
    )
    facts = [element("div", element("dt", title), element("dd", body), id=name) for name, title, body in _facts(report)]
    return join(shown, element("dl", facts, class_="facts"))


def _facts(report: Report) -> Iterator[tuple[str, str, Markup]]:
    judgement = report.judgement
    if not judgement.ran:
        why = "the book has errors, which come first" if report.errors else "no check was run"
        yield "judged", "Judged", words(f"nothing: {why}")
    else:
        ran = len(judgement.ran) - len(judgement.skipped)
        yield "judged", "Judged", words(f"{number(judgement.rules, 'rule')} by {number(ran, 'check')}")
    if judgement.players.several:
        yield "players", "Players", words(players_words(judgement.players))
    if judgement.explored:
        yield "explored", "Seen of play", _list([words(explored_words(one)) for one in judgement.explored])
    if judgement.unseen:
        title = unseen_words(judgement).capitalize()
        yield "unseen", title, _list([words(f"`{name}`") for name in judgement.unseen], "row")
    if judgement.left_open:
        lines = [join(words(f"{f.code}: {f.message}"), _at(str(f.places[0].span))) for f in judgement.left_open]
        yield "left-open", "Left open: no play that was seen shows it, and nothing excludes it", _list(lines)
    if judgement.claims:
        claims = [join(words(f"{became(c)}: {c.text} ({c.by})"), _at(str(c.span))) for c in judgement.claims]
        yield "claims", "Claims", _list(claims)
    if judgement.vacuous:
        yield "vacuous", "Nothing to look at", _list([words(run.name) for run in judgement.vacuous], "row")
    if judgement.skipped:
        skipped = [words(f"{run.name}: {run.skipped}") for run in judgement.skipped]
        yield "skipped", "Skipped", _list(skipped)
    if judgement.not_encoded:
        lines = [join(words(f"`{name}`: {why}"), _at(str(span))) for name, span, why in judgement.not_encoded]
        yield "not-encoded", "Not encoded", _list(lines)
    if judgement.engines:
        engines = [words(f"{name}: {count}") for name, count in judgement.engines]
        yield "engines", "Questions decided by", _list(engines, "row")
    if judgement.assumptions:
        lines = [
            join(words(f"`{a.words}`: {number(a.verdicts, 'verdict')} on it"), _at(str(a.span)))
            for a in judgement.assumptions
        ]
        yield "assumptions", "Assumed, not in the book", _list(lines)
    if report.hidden:
        hidden = [words(f"{code} {CODES[code].title}: {count}") for code, count in report.hidden]
        yield "hidden", "Not selected", _list(hidden)
    if report.gone is not None:
        yield "baseline", "Baseline", words(f"{report.known} known, {len(report.new)} new")
        if report.gone:
            gone = [words(f"{entry.code}: {entry.message}") for entry in report.gone]
            yield "gone", "No longer found", _list(gone)


def _list(items: list[Markup], kind: str | None = None) -> Markup:
    return element("ul", [element("li", item) for item in items], class_=kind)


def _at(place: str) -> Markup:
    return join(" ", element("span", place, class_="at"))


# ---- findings -------------------------------------------------------------------------------------------------------


def _findings(report: Report) -> Markup:
    if not report.findings:
        return element("p", "None." if report.judgement.ran else "Nothing was judged.")
    opened = len(report.findings) <= _FEW
    groups = []
    for family in FAMILIES:
        shown = [item for item in report.findings if item.finding.family == family]
        if shown:
            cards = [finding_card(item, opened) for item in shown]
            title = element("h3", family, " ", element("span", str(len(shown)), class_="count"))
            groups.append(element("section", title, cards, class_="family", data_family=family))
    return join(_filter(report), groups, element("p", "No finding fits.", class_="nothing", hidden=True))


def _filter(report: Report) -> Markup:
    """Shown by the script only: without it there is nothing to filter with."""
    families = [family for family in FAMILIES if any(s.finding.family == family for s in report.findings)]
    severities = [word for word in ("error", "warning", "info") if any(_is(s, word) for s in report.findings)]
    certainties = [certainty for certainty, _ in report.certainties()]
    new = (
        element("label", element("input", type="checkbox", id="by-new"), " only new", class_="check")
        if report.gone is not None
        else None
    )
    return element(
        "form",
        element(
            "label", "Search ", element("input", type="search", id="by-text", autocomplete="off"), class_="search wide"
        ),
        _choice("family", families),
        _choice("severity", severities),
        _choice("certainty", certainties),
        new,
        element("button", "Open all", type="button", id="open-all", aria_pressed="false"),
        element("output", "", id="shown", aria_live="polite"),
        class_="filter",
        hidden=True,
        role="search",
        aria_label="Filter the findings",
    )


def _is(shown: ShownFinding, word: str) -> bool:
    return shown.severity.value == word


def _choice(name: str, values: Sequence[str]) -> Markup:
    options = [element("option", "all", value=""), *(element("option", value, value=value) for value in values)]
    return element("label", f"{name.capitalize()} ", element("select", options, id=f"by-{name}"))


def _decided(report: Report) -> Markup:
    pairs = [
        element(
            "article",
            element(
                "p",
                words(f"`{pair.winner}` wins, by `{pair.by}`"),
                f" ({', '.join(pair.cites)})" if pair.cites else ", an assumption" if pair.assumed else None,
                class_="message",
            ),
            [place_block(place) for place in pair.places],
            class_="card",
        )
        for pair in report.judgement.decided
    ]
    return join(pairs)


def _picture(picture: Picture) -> Markup:
    """In a shadow tree, so that the styles and names of a picture stay inside it; its scroll box takes the keyboard."""
    inside = join(
        element("style", Markup("svg { display: block; max-width: var(--fit, none); height: auto; }")),
        picture_markup(picture.svg),
    )
    fit = element("label", element("input", type="checkbox"), " fit to width", class_="check")
    box = element(
        "div",
        element("div", element("template", inside, shadowrootmode="open")),
        class_="paper",
        tabindex="0",
        role="group",
        aria_label=picture.title,
    )
    return element("figure", element("figcaption", element("strong", picture.title), " ", fit), box)
