"""The page: whole, well-formed, with nothing of a rulebook in it that is not escaped."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from rules.diagnostics import Diagnostic, InternalError, Label
from rules.span import Source, Span
from tests.verifier.sample import CONTRADICTION, JUDGEMENT, LIGHT, report, span_of
from verifier.coverage import Coverage, DocumentCoverage, SectionCoverage
from verifier.finding import Finding, Place, Witness
from verifier.judgement import Assumption, CheckRun, Decided, Judgement
from verifier.report import Picture
from verifier.report.html import report_html
from verifier.report.markup import Markup, element, words
from verifier.report.svg import picture_markup

pytestmark = pytest.mark.usefixtures("codes")
EMPTY = {"meta", "input"}
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"><style>.a > .b { x: y }</style>'
    '<rect width="3" height="3"/><text>caf&amp;&lt;é</text></svg>'
)


class Page(HTMLParser):
    """Reads a page strictly: every element is closed, in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), attrs
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in {"style", "script"}:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def having(self, class_: str) -> list[tuple[str, dict[str, str | None]]]:
        return [e for e in self.elements if class_ in (e[1].get("class") or "").split()]


def test_the_page_is_well_formed_and_has_its_parts() -> None:
    page = Page(report_html(report(), (Picture("Phases", SVG),)))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for part in ("summary", "findings", "reading", "decided", "pictures", "coverage", "checks"):
        assert part in ids
    targets = [a["href"] for tag, a in page.elements if tag == "a"]
    assert {target.removeprefix("#") for target in targets if target} <= {i for i in ids if i}
    assert [tag for tag, _ in page.elements].count("h1") == 1


def test_every_finding_shows_all_that_is_known_of_it() -> None:
    page = Page(report_html(report()))
    assert len(page.having("finding")) == 4
    for text in (
        "rule storm_keeps_in cites book 5, card 2",
        "    p cannot sail when storm",
        "two ports.rules:38:1",
        "card 4",
        "storm is yes",
        "sail by Player 2",
        "2 players, 2 decisions",
        "here is a play, replayed move by move",
        "policy `brave`",
        "the pair meets in 6 of 20 states",
        "overrides storm_keeps_in",
        "No play to this state was found.",
        "the book has no campaign",
        "its amount has no bound",
        "authority card > book",
        "say who may",
    ):
        assert text in page.text, text
    marked = [text for text in page.texts if text == "lighthouse"]
    assert len(marked) >= 2
    groups = [a["data-family"] for _, a in page.having("family")]
    assert groups == ["contradiction", "gap", "unreachable", "reading"]


def test_the_page_needs_nothing_else() -> None:
    text = report_html(report(), (Picture("Phases", SVG),))
    page = Page(text)
    for tag, attributes in page.elements:
        assert tag not in {"link", "iframe", "object", "embed", "img", "base"}
        assert "src" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert "@import" not in text
    assert "url(" not in text


NASTY = "</code></pre><script>alert(1)</script><img src=x onerror=alert(1)>\"'&lt;`</mark>`\u202e\x00"


def nasty_spans() -> Iterator[Span]:
    source = Source(f"{NASTY}.rules", f"one {NASTY} two\n{NASTY}\n")
    yield Span(source, 4, 12)
    yield Span(source, 0, len(source.text))
    yield Span(source, len(source.text), len(source.text))


def test_nothing_of_a_rulebook_becomes_markup() -> None:
    places = tuple(Place(NASTY, span, (NASTY,), NASTY) for span in nasty_spans())
    finding = Finding(
        "LX901",
        NASTY,
        places,
        "witnessed",
        NASTY,
        Witness((NASTY,), (NASTY,) * 20, 2),
        ((NASTY, NASTY),),
        NASTY,
        (NASTY,),
    )
    span = places[0].span
    judged = Judgement(
        (finding, replace(finding, witness=Witness((NASTY,), (NASTY,)))),
        (CheckRun(NASTY, "gap", 1, 1), CheckRun(NASTY, "gap", 0, 0, NASTY)),
        1,
        ((NASTY, span, NASTY),),
        (NASTY,),
        True,
        ((NASTY, 1),),
        (Assumption(NASTY, span, 1),),
        (Decided((places[0], places[1]), NASTY, NASTY, (NASTY,)),),
    )
    diagnostic = Diagnostic("LX504", NASTY, span, (Label(span, NASTY),), NASTY)
    section = SectionCoverage(NASTY, 3, 1, ((NASTY, 1),), ((4, 1),))
    nasty = replace(
        report(judged, (diagnostic,), baseline=()),
        book=NASTY,
        title=NASTY,
        read=NASTY,
        coverage=Coverage((DocumentCoverage(NASTY, NASTY, 1, (section,)), DocumentCoverage("b", NASTY, 1, ()))),
    )
    text = report_html(nasty)
    page = Page(text)
    harmless = Page(report_html(report()))
    assert {tag for tag, _ in page.elements} <= {tag for tag, _ in harmless.elements}
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert not any("onerror" in attributes for _, attributes in page.elements)
    assert "<img" not in text
    assert "\u202e" not in text
    assert "\x00" not in text


def test_nothing_judged_is_never_a_good_verdict() -> None:
    def verdict(judged: Judgement, *diagnostics: Diagnostic) -> str:
        (found,) = Page(report_html(report(judged, diagnostics))).having("verdict")
        return (found[1]["class"] or "").split()[1]

    ran = (CheckRun("may against cannot", "contradiction", 3, 0),)
    assert verdict(Judgement()) == "open"
    assert verdict(Judgement(), Diagnostic("LX101", "m", span_of("storm"))) == "bad"
    assert verdict(Judgement(ran=ran, rules=3)) == "good"
    assert verdict(Judgement(ran=ran, interrupted=True)) == "open"
    assert verdict(Judgement(ran=(replace(ran[0], skipped="no time"),))) == "open"
    assert verdict(Judgement(ran=ran, not_encoded=(("a", span_of("storm"), "b"),))) == "open"
    assert verdict(JUDGEMENT) == "bad"
    assert verdict(replace(JUDGEMENT, findings=(JUDGEMENT.findings[2],))) == "open"


def test_only_a_baseline_brings_the_choice_of_new_findings() -> None:
    assert 'id="by-new"' not in report_html(report())
    page = Page(report_html(report(baseline=report().entries()[:1])))
    assert [a["data-known"] for _, a in page.having("finding")] == ["yes", "no", "no", "no"]
    assert any(a.get("id") == "by-new" for _, a in page.elements)


def test_a_long_play_is_closed_and_a_short_one_open() -> None:
    def plays(length: int) -> tuple[int, bool]:
        witness = Witness((), tuple(f"move {n}" for n in range(length)), 2)
        text = report_html(report(replace(JUDGEMENT, findings=(replace(CONTRADICTION, witness=witness),))))
        (head,) = re.findall(r"<details( open)?><summary>2 players", text)
        return text.count("<li>move "), bool(head)

    assert plays(5) == (5, True)
    assert plays(90) == (90, False)


def test_few_findings_are_open_and_many_are_closed() -> None:
    few = Page(report_html(report(replace(JUDGEMENT, findings=(CONTRADICTION,)))))
    assert ["open" in a for _, a in few.having("finding")] == [True]
    assert ["open" in a for _, a in Page(report_html(report())).having("finding")] == [False] * 4


def test_a_part_of_a_line_is_marked_and_whole_rules_are_shown() -> None:
    text = report_html(report(replace(JUDGEMENT, findings=(CONTRADICTION,))))
    assert f">{LIGHT.span.line}</span>rule <mark>lighthouse</mark> cites card 4\n" in text
    assert ">39</span>    p cannot sail when storm\n" in text


def test_a_long_rule_is_cut() -> None:
    source = Source("a.rules", "".join(f"line {n}\n" for n in range(1, 31)))
    place = Place("long", Span(source, 0, len(source.text)))
    text = report_html(report(replace(JUDGEMENT, findings=(replace(CONTRADICTION, places=(place,)),))))
    assert ">10</span>line 10\n" in text
    assert "line 11" not in text
    assert "... and 20 lines more" in text


def test_coverage_has_bars_that_add_up() -> None:
    text = report_html(report())
    bars = re.findall(r'class="bar".*?</span></span>', text)
    assert len(bars) == 3
    for bar in bars:
        assert sum(float(width) for width in re.findall(r"width: ([\d.]+)%", bar)) == pytest.approx(100, abs=0.1)
    assert 'aria-label="3 modelled, 0 noted, 0 open"' in bars[0]
    assert "It has no outline" in text


def test_seconds_only_on_request() -> None:
    assert "0.25" not in report_html(report())
    assert "0.25" in report_html(report(stats=True))


def test_pictures_keep_to_themselves() -> None:
    text = report_html(report(), (Picture("<Phases>", SVG),))
    assert "&lt;Phases&gt;" in text
    assert '<template shadowrootmode="open">' in text
    assert "caf&amp;&lt;é" in text
    Page(text)


@pytest.mark.parametrize(
    "svg",
    [
        "<svg",
        "<html/>",
        '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject/></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="x.png"/></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg" onload="1"/>',
        '<svg xmlns="http://www.w3.org/2000/svg"><a href="http://x"/></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><style>@import "x"</style></svg>',
    ],
)
def test_what_is_no_picture_of_ours_is_our_mistake(svg: str) -> None:
    with pytest.raises(InternalError):
        picture_markup(svg)


def test_markup() -> None:
    assert element("p", "a < b", class_="x", hidden=True, open=False, title=None) == '<p class="x" hidden>a &lt; b</p>'
    assert element("input", data_a='"') == '<input data-a="&quot;">'
    assert element("p", [Markup("<b>"), None, "<"]) == "<p><b>&lt;</p>"
    assert words("`a` beats `<b>`") == "<code>a</code> beats <code>&lt;b&gt;</code>"
