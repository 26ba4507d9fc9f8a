"""Pictures as text: whatever stands in a book comes out as it is, in all three formats."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tests.machine.making import checked
from tests.verifier.test_graphs import RULES, STORY
from verifier.graphs import Drawing, Edge, Group, Node, picture, to_dot, to_mermaid, to_svg
from verifier.graphs.wording import cut, text_width, wrapped

SVG = "{http://www.w3.org/2000/svg}"
NASTY = (
    'say "hello"',
    "a & b &amp; <i>c</i> ]]> </title><script>x</script>",
    "back\\slash \\n \\N \\G",
    "#quot; #35; `code` %%{init}%% -- end; | [x] {y} (z)",
    "1. style: a#b; *bold* _under_ ~~no~~",
    "Größe дом 漢字 😀 e\u0301",
    "two\nlines\tand \x00 control \x1b letters \u2028 here",
    "-->",
    "end",
    "\ud800 alone",
)
CLEAN = tuple(" ".join(re.sub(r"[\x00-\x1f\u2028]", " ", text).replace("\ud800", "?").split()) for text in NASTY)


def _nasty() -> Drawing:
    nodes = tuple(
        Node(f"n{place}", "rule", text, (text, text), "g", None, text, fault=text) for place, text in enumerate(NASTY)
    )
    edges = tuple(Edge("n0", f"n{place}", text.replace("\n", " "), text) for place, text in enumerate(NASTY))
    return Drawing("rules", NASTY[1], nodes, edges, (Group("g", "chapter", "g", NASTY[0], None, NASTY[3]),), NASTY)


def test_svg_holds_the_texts_as_they_are() -> None:
    root = ElementTree.fromstring(to_svg(_nasty()))
    heads = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "head"]
    assert heads == list(CLEAN)
    labels = [text.text for text in root.iter(f"{SVG}text") if (text.get("class") or "").startswith("label")]
    assert sorted(filter(None, labels)) == sorted(CLEAN)
    hints = [node.findtext(f"{SVG}title") for node in root.iter(f"{SVG}g") if "node" in (node.get("class") or "")]
    assert f"{CLEAN[1]}\n{CLEAN[1]}" in hints


def test_dot_holds_the_texts_as_they_are() -> None:
    labels = re.findall(r'^ +n\d+ \[label="((?:[^"\\]|\\.)*)"', to_dot(_nasty()), re.MULTILINE)
    read = [
        re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], label).replace("&amp;", "&")
        for label in labels
    ]
    assert read == [f"{text}\n{text}" for text in CLEAN]


def test_mermaid_holds_the_texts_as_they_are() -> None:
    text = to_mermaid(_nasty())
    labels = re.findall(r'^ +n\d+\["([^"]*)"\]$', text, re.MULTILINE)
    read = [re.sub(r"#(\d+);", lambda found: chr(int(found[1])), label) for label in labels]
    assert read == [f"{line}<br/>{line}" for line in CLEAN]
    inside = re.sub(r"#\d+;|<br/>", "", "".join(re.findall(r'"([^"]*)"', text)))
    assert not re.search(r"[^\w ,/=]", inside)


@pytest.mark.parametrize("what", ["phases", "precedence", "rules"])
def test_svg_stands_alone_for_light_and_dark(what: str) -> None:
    text = to_svg(picture(checked(RULES), what))  # type: ignore[arg-type]
    root = ElementTree.fromstring(text)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert "@media (prefers-color-scheme:dark)" in text
    assert "var(" not in text
    assert set(re.findall(r"url\(#([\w-]+)\)", text)) <= {part.get("id") for part in root.iter()}
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_texts_fit_in_their_boxes() -> None:
    root = ElementTree.fromstring(to_svg(picture(checked(STORY), "story")))
    seen = 0
    for group in root.iter(f"{SVG}g"):
        rect, text = group.find(f"{SVG}rect"), group.find(f"{SVG}text[@class='head']")
        if rect is not None and text is not None:
            seen += 1
            assert text_width(text.text or "", 13) <= float(rect.get("width") or 0)
    assert seen == 5


def test_unreachable_passages_and_assumptions_look_different_everywhere() -> None:
    story, order = picture(checked(STORY), "story"), picture(checked(RULES), "precedence")
    assert 'class="node passage fault"' in to_svg(story)
    assert 'class="node meta assumed"' in to_svg(order)
    crypt = next(line for line in to_dot(story).splitlines() if 'label="crypt"' in line)
    assert "dashed" in crypt
    assert "b3261e" in crypt
    assert "classDef fault" in to_mermaid(story)
    assert "classDef assumed" in to_mermaid(order)


def test_groups_are_groups_everywhere() -> None:
    drawing = picture(checked(RULES), "phases")
    assert to_dot(drawing).count("subgraph cluster_") == len(drawing.groups)
    mermaid = to_mermaid(drawing)
    assert mermaid.count("subgraph g") == len(drawing.groups) == len(re.findall(r"^ +end$", mermaid, re.MULTILINE))
    assert re.search(r"n\d+ -> n\d+ \[.*lhead=cluster_\d+", to_dot(drawing))


def test_calls_lead_from_border_to_border_in_svg() -> None:
    """Once for each two groups, however often the one calls the other."""
    text = RULES.replace("    greet\nproc", "    greet\n    greet\nproc")
    drawing = picture(checked(text), "phases")
    assert sum(edge.line == "dotted" for edge in drawing.edges) == 2
    assert to_svg(drawing).count('class="edge dotted quiet"') == 1


def test_long_texts_are_cut() -> None:
    assert cut("a" * 50, 10) == "a" * 9 + "…"
    assert wrapped("one two three four", 9, 2) == ("one two", "three fo…")
    assert wrapped("", 9, 2) == ()
