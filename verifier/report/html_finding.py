"""One finding on the page: the sentence, the source of every rule concerned, the state, the play, the hint."""

from __future__ import annotations

from collections.abc import Iterator

from rules.codes import CODES
from rules.span import Span
from verifier.finding import CERTAINTIES, Finding, Place, Witness
from verifier.judgement import with_players
from verifier.report.markup import Markup, element, join, words
from verifier.report.report import ShownDiagnostic, ShownFinding
from verifier.report.text import number, play_words
from verifier.snippet import last_line

_LINES = 10  # of a rule that are shown
_LONG = 12  # decisions; a longer play is shown closed


def finding_card(shown: ShownFinding, opened: bool) -> Markup:
    finding = shown.finding
    severity = shown.severity.value
    head = element(
        "summary",
        element(
            "span",
            element("span", severity, class_=f"badge {severity}"),
            element("span", finding.code, class_="badge code", title=CODES[finding.code].title),
            element("span", finding.certainty, class_=f"badge {finding.certainty}"),
            element("span", "known", class_="badge") if shown.known else None,
            class_="badges",
        ),
        element("span", words(finding.message), class_="message"),
        element("span", "; ".join(_named(place) for place in finding.places), class_="names"),
    )
    return element(
        "details",
        head,
        element(
            "div",
            _part("Rules concerned", join([place_block(place) for place in finding.places])),
            element("div", list(_told(finding)), class_="told"),
            _play(finding.witness) if finding.witness is not None and _is_long(finding.witness) else None,
            class_="body",
        ),
        class_=f"card finding {severity}",
        id=f"f-{shown.fingerprint}",
        open=opened,
        data_severity=severity,
        data_certainty=finding.certainty,
        data_known="yes" if shown.known else "no",
    )


def _named(place: Place) -> str:
    return f"{place.name} ({', '.join(place.cites)})" if place.cites else place.name


def _told(finding: Finding) -> Iterator[Markup]:
    sure = join(
        element("strong", finding.certainty), f": {CERTAINTIES[finding.certainty]}. Shown by {finding.shown_by}."
    )
    if finding.hint is not None:
        yield _part("Hint", element("p", words(finding.hint)), "hint")
    yield _part("How sure", element("p", sure))
    if finding.players:
        yield _part("Players", element("p", f"Seen {with_players(finding.players)}."))
    if finding.witness is not None:
        yield from _witness(finding.witness)
    if finding.outcomes:
        rows = [
            element("tr", element("th", policy, scope="row"), element("td", words(outcome)))
            for policy, outcome in finding.outcomes
        ]
        yield _part("Under each policy", element("table", rows, class_="outcomes"))
    if finding.details:
        yield _part("Details", element("ul", [element("li", words(line)) for line in finding.details]))


def _witness(witness: Witness) -> Iterator[Markup]:
    if witness.facts:
        facts = element("ul", [element("li", words(fact)) for fact in witness.facts], class_="state")
        yield _part("A state that shows it", facts)
    if not _is_long(witness):
        yield _play(witness)


def _is_long(witness: Witness) -> bool:
    return len(witness.play or ()) > _LONG


def _play(witness: Witness) -> Markup:
    """The play step by step; a long one is closed and takes the whole width."""
    if witness.play is None:
        return _part("The play to it", element("p", "No play to this state was found."))
    if not witness.play:
        return _part("The play to it", element("p", play_words(witness)))
    steps = element("ol", [element("li", words(step)) for step in witness.play], class_="play")
    is_long = _is_long(witness)
    shown = element("details", element("summary", play_words(witness)), steps, open=not is_long)
    return _part("The play to it", shown, "wide" if is_long else "")


def _part(title: str, body: Markup, kind: str = "") -> Markup:
    return element("section", element("h4", title), body, class_=f"part {kind}".rstrip())


def diagnostic_card(shown: ShownDiagnostic) -> Markup:
    found = shown.diagnostic
    severity = shown.severity.value
    places = [(found.span, ""), *((label.span, label.text) for label in found.labels)]
    return element(
        "article",
        element(
            "p",
            element("span", severity, class_=f"badge {severity}"),
            element("span", found.code, class_="badge code", title=CODES[found.code].title),
            element("span", "known", class_="badge") if shown.known else None,
            class_="badges",
        ),
        element("p", words(found.message), class_="message"),
        [_source(span, text) for span, text in places],
        element("p", words(f"help: {found.help}"), class_="help") if found.help is not None else None,
        class_=f"card {severity}",
    )


def place_block(place: Place) -> Markup:
    """A rule: its name, its part in the matter, its place in the document, its lines."""
    cites = [element("span", cite, class_="badge cite") for cite in place.cites]
    head = element("p", element("code", place.name), " ", words(place.part), " ", cites, class_="place")
    return element("div", head, _source(place.span, ""), class_="rule")


def _source(span: Span, text: str) -> Markup:
    """The lines that a span covers, with numbers; a part of a line is marked, whole lines speak for themselves."""
    last = last_line(span)
    shown = min(last, span.line + _LINES - 1)
    lines = [_line(span, span.line)] if last == span.line else []
    lines += [_numbered(line, span.source.line_text(line)) for line in range(span.line, shown + 1) if last > span.line]
    if last > shown:
        lines.append(element("span", f"... and {number(last - shown, 'line')} more", class_="line more"))
    caption = element("figcaption", str(span), element("span", f" {text}") if text else None, class_="at")
    return element("figure", caption, element("pre", element("code", lines)), class_="source")


def _line(span: Span, line: int) -> Markup:
    text = span.source.line_text(line)
    left = span.column - 1
    right = min(len(text), left + span.end - span.start)
    marked = element("mark", text[left:right])
    return _numbered(line, text[:left], marked if right > left else None, text[right:])


def _numbered(line: int, *parts: str | Markup | None) -> Markup:
    return element("span", element("span", str(line), class_="number"), *parts, "\n", class_="line")
