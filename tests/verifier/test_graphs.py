"""Pictures as data: what is in them, and what stands in its place where they are too large."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludex.book import load
from rules import model as m
from rules.check import CheckedRulebook
from rules.machine import machine_of
from rules.machine.norms import Applied, RuleNorm
from solver.referee import referee_of
from tests.machine.making import checked
from tests.making import SHAPES, random_book
from verifier.graphs import Drawing, Edge, Node, NoSuchNode, picture, to_svg
from verifier.graphs.owners import owners_of
from verifier.graphs.rivals import Norms, rivals_of

ROOT = Path(__file__).parents[2]
STORY = """\
game "Night" played by Player
kind Player 1
state
    torch yes/no
    gold 0..9
play
    read quay
procedure watch
    read alarm
story night
    starts at quay
    passage quay "Fog."
        option "Into the dark" when torch and gold >= 2
            go to cellar
        option "Wait"
            roll d6:
                1..2: go to quay
                3..6: go to street
    chapter below "Under the town"
        passage cellar
            if torch
                go to street
            otherwise if gold is 0
                go to street
            otherwise
                go to quay
        passage crypt
            go to cellar
    chapter above
        passage street
            ending "Home."
        passage alarm
            return
"""
RULES = """\
game "Rules" played by Player
documents
    book "Book"
    card "Card"
precedence
    explicit
    authority card > book cites book 1
    later over earlier among finds by found cites book 2
    assume cannot over may
    otherwise undecided
kind Player 2
    coins 0..9 starts 3
    ready yes/no
kind Find named lamp, rope
    found 0..9
    printed price 0..9 starts 1
let p be Player
let f be Find
play
    phase morning
        each p
            p takes up to 2 actions
    greet
procedure greet
    window applause
action work by p during morning cites book 4
    pay toll of p from coins of p
action clap by p during applause cites book 4
    coins of p increases by 1
rule may_work cites book 5
    p may work
rule storm cites book 6
    p cannot work when ready of p
rule lantern cites card 1
    p may work when coins of p is 0
rule exception cites book 7 overrides lantern
    p cannot work when coins of p is 9
rule old_find cites book 8 among finds source f
    p may clap when found of f is 3
rule new_find cites book 9 among finds source f
    p cannot clap when found of f is 4
rule duty cites book 10
    p must clap
rule poor cites book 11
    when coins of p decreases
        ready of p becomes yes
value toll of p: 0..3 cites book 12
    usually is 1
rule dear cites book 13
    toll of p is 3 when some f where price of f is 2
rule rich cites book 14
    p wins when coins of p is 9
ruling errata
    may_work over storm
"""


def _node(drawing: Drawing, name: str) -> Node:
    (found,) = [node for node in drawing.nodes if node.name == name]
    return found


def _edges(drawing: Drawing) -> dict[tuple[str, str], Edge]:
    names = {node.id: node.name for node in drawing.nodes} | {group.id: group.name for group in drawing.groups}
    return {(names[edge.source], names[edge.target]): edge for edge in drawing.edges}


# ---- story


def test_choices_are_edges_with_what_they_need() -> None:
    edges = _edges(picture(checked(STORY), "story"))
    assert {ends: edge.label for ends, edge in edges.items()} == {
        ("quay", "cellar"): "Into the dark\nwhen torch and gold >= 2",
        ("quay", "quay"): "Wait\nd6 1..2",
        ("quay", "street"): "Wait\nd6 3..6",
        ("cellar", "street"): "otherwise if gold is 0",
        ("cellar", "quay"): "otherwise",
        ("crypt", "cellar"): "",
    }


def test_chapters_are_groups_and_endings_are_shown() -> None:
    drawing = picture(checked(STORY), "story")
    assert [group.title for group in drawing.groups] == ["below · Under the town", "above"]
    groups = {group.id: group.name for group in drawing.groups}
    assert {node.name: groups.get(node.group or "") for node in drawing.nodes} == {
        "quay": None,
        "cellar": "below",
        "crypt": "below",
        "street": "above",
        "alarm": "above",
    }
    assert {node.name: node.kind for node in drawing.nodes} == {
        "quay": "start",
        "cellar": "passage",
        "crypt": "passage",
        "street": "end",
        "alarm": "start",
    }
    assert _node(drawing, "street").lines == ("street", "ending: Home.")


def test_what_no_link_leads_to_is_marked_and_so_is_what_a_check_found() -> None:
    plain = picture(checked(STORY), "story")
    assert {node.name for node in plain.nodes if node.fault} == {"crypt"}
    told = picture(checked(STORY), "story", unreached={"cellar": "condition", "street": "history"})
    faults = {node.name: node.fault for node in told.nodes if node.fault}
    assert set(faults) == {"crypt", "cellar", "street"}
    assert len(set(faults.values())) == 3
    assert any("3 passages that no play comes to" in note for note in told.notes)


# ---- phases


def test_phases_hold_what_happens_in_them() -> None:
    drawing = picture(checked(RULES), "phases")
    names = {group.id: group.name for group in drawing.groups}
    parents = {group.title: names.get(group.parent or "") for group in drawing.groups}
    assert parents == {"play": None, "phase morning": "play", "↻ each p": "morning", "procedure greet": None}
    offer = next(node for node in drawing.nodes if node.kind == "offer")
    assert offer.lines == ("p takes up to 2 actions", "work")
    window = next(node for node in drawing.nodes if node.kind == "window")
    assert window.lines[1:] == ("clap",)
    assert names[window.group or ""] == "greet"


def test_phases_follow_each_other_and_calls_lead_to_procedures() -> None:
    edges = _edges(picture(checked(RULES), "phases"))
    assert edges[("morning", "greet")].line == "solid"
    call = edges[("greet", "greet")]
    assert (call.line, call.tone) == ("dotted", "quiet")


def test_a_condition_has_two_ways_on() -> None:
    text = RULES.replace("    greet\nproc", "    if some p where p is ready\n        greet\n    greet\nproc")
    drawing = picture(checked(text), "phases")
    (decision,) = [node for node in drawing.nodes if node.kind == "if"]
    assert {edge.label for edge in drawing.edges if edge.source == decision.id} == {"yes", "no"}


def test_an_action_offered_only_elsewhere_is_not_offered_here() -> None:
    drawing = picture(checked(RULES), "phases")
    assert all("clap" not in node.lines for node in drawing.nodes if node.kind == "offer")


# ---- precedence


def test_who_goes_before_whom() -> None:
    drawing = picture(checked(RULES), "precedence")
    edges = {ends: (edge.label, edge.line, edge.tone) for ends, edge in _edges(drawing).items()}
    assert edges[("exception", "lantern")] == ("overrides", "solid", "good")
    assert edges[("may_work", "storm")] == ("ruling errata", "solid", "good")
    assert ("storm", "may_work") not in edges
    assert edges[("lantern", "storm")] == ("2", "solid", "plain")
    assert edges[("exception", "may_work")] == ("4", "dashed", "plain")
    assert edges[("old_find", "new_find")] == ("3?", "dotted", "plain")
    assert edges[("new_find", "duty")] == ("undecided", "solid", "bad")
    assert edges[("dear", "toll")] == ("usually", "solid", "plain")
    assert edges[("card", "book")] == ("outranks", "solid", "plain")


def test_meta_rules_stand_in_their_order_and_assumptions_are_marked() -> None:
    drawing = picture(checked(RULES), "precedence")
    metas = [node for node in drawing.nodes if node.kind == "meta"]
    assert [node.lines[0][:3] for node in metas] == ["1. ", "2. ", "3. ", "4. ", "5. "]
    assert [node.assumed for node in metas] == [False, False, False, True, False]
    chain = [(edge.source, edge.target) for edge in drawing.edges if edge.source.startswith("meta")]
    assert chain == [(f"meta {number}", f"meta {number + 1}") for number in range(1, 5)]


def test_rules_that_nothing_disagrees_with_stand_apart() -> None:
    drawing = picture(checked(RULES), "precedence")
    assert {node.name for node in drawing.nodes if node.group == "rest"} == {"poor", "rich"}


@pytest.mark.parametrize("seed", range(40))
def test_the_machine_decides_as_the_picture_says(seed: int) -> None:
    """Of rules with one norm each, where the picture does not say that the state decides."""
    book = checked(random_book(seed, SHAPES[("rules", "triggers", "values", "whole")[seed % 4]]))
    machine = machine_of(book, referee=referee_of)
    metas = [rule for d in book.book.declarations if isinstance(d, m.Precedence) for rule in d.rules]
    single = {d.name.text for d in book.book.declarations if isinstance(d, m.Rule) and len(d.all_norms()) == 1}
    norm = {found.name: found for found in machine.norms}
    state = machine.start()
    for pair in rivals_of(Norms(book, owners_of(book), tuple(metas))):
        if pair.depends or pair.winner_name not in single or pair.loser_name not in single:
            continue
        strong, weak = (_applied(norm[name], pair.subject) for name in (pair.winner_name, pair.loser_name))
        ground = machine.precedence.precedes(strong, weak, state)
        assert machine.precedence.precedes(weak, strong, state) is None
        if pair.meta is None:
            assert ground is None
        else:
            assert ground is not None
            assert ground.assumed == pair.assumed
            if pair.meta.isdigit():
                assert ground.rule is metas[int(pair.meta) - 1]


def _applied(norm: RuleNorm, verb: str) -> Applied:
    phrases = norm.body.phrases if isinstance(norm.body, m.ModalNorm) else ()
    return Applied(norm, {}, next((phrase for phrase in phrases if phrase.verb.text == verb), None))


SPECIFIC = """game "Copper Hill" played by Player
documents
    book "Rulebook"
kind Player 2
    coins 0..9
let p be Player
play
    each p
        p takes 1 action
action dig by p
    coins of p increases by 1
precedence
    specific over general cites book 1
    otherwise undecided
rule digging cites book 2
    p may dig when coins of p < 8
rule poor cites book 3
    p cannot dig when {}
"""


@pytest.mark.parametrize(
    ("condition", "label"),
    [
        ("coins of p < 3", "1"),  # implied, though no part of the one is a part of the other
        ("coins of p < 8", "undecided"),  # the same
        ("coins of p > 3", "undecided"),  # neither implies the other
    ],
)
def test_which_condition_is_narrower_is_proved(condition: str, label: str) -> None:
    drawing = picture(checked(SPECIFIC.format(condition)), "precedence")
    (edge,) = [edge for edge in drawing.edges if not edge.source.startswith("meta")]
    assert edge.label == label
    names = {node.id: node.name for node in drawing.nodes}
    if label == "1":
        assert (names[edge.source], names[edge.target]) == ("poor", "digging")


# ---- dependencies


def test_arrows_point_the_way_that_influence_goes() -> None:
    edges = _edges(picture(checked(RULES), "rules"))
    words = {ends: edge.hint for ends, edge in edges.items()}
    assert words[("work", "coins")] == "work changes coins"
    assert words[("toll", "work")] == "work uses toll"
    assert words[("ready", "storm")] == "storm reads ready"
    assert words[("storm", "work")] == "storm forbids work"
    assert words[("may_work", "work")] == "may_work allows work"
    assert words[("coins", "poor")] == "poor is triggered by coins"
    assert words[("poor", "ready")] == "poor changes ready"
    assert words[("dear", "toll")] == "dear sets toll"
    assert words[("rich", "the end of the game")] == "rich decides the end of the game"
    assert words[("play", "greet")] == "play calls greet"
    assert edges[("storm", "work")].tone == "bad"


def test_what_is_printed_never_changes_and_is_left_out() -> None:
    drawing = picture(checked(RULES), "rules")
    assert "price" not in {node.name for node in drawing.nodes}


# ---- smaller pictures


def test_focus_shows_what_is_near() -> None:
    book = checked(STORY)
    near = picture(book, "story", focus="crypt")
    assert {node.name for node in near.nodes} == {"crypt", "cellar"}
    assert [group.name for group in near.groups] == ["below"]
    further = picture(book, "story", focus="crypt", depth=2)
    assert {node.name for node in further.nodes} == {"crypt", "cellar", "quay", "street"}
    whole_chapter = picture(book, "story", focus="above", depth=1)
    assert {node.name for node in whole_chapter.nodes} == {"street", "alarm", "quay", "cellar"}


def test_focus_keeps_to_the_limit_and_says_so() -> None:
    near = picture(checked(STORY), "story", focus="quay", limit=2)
    assert len(near.nodes) == 2
    assert any("more node" in note for note in near.notes)


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(NoSuchNode, match="nothing in the picture is called `cript`; did you mean `crypt`"):
        picture(checked(STORY), "story", focus="cript")


def _long_story(count: int, chapters: bool) -> CheckedRulebook:
    lines = ['game "Long" played by Player', "kind Player 1", "play", "    read p0", "story tale", "    starts at p0"]
    step = "        " if chapters else "    "
    for number in range(count):
        if chapters and number % 100 == 0:
            lines.append(f"    chapter part_{number // 100}")
        lines.append(f"{step}passage p{number}")
        lines.append(f'{step}    ending "."' if number == count - 1 else f"{step}    go to p{number + 1}")
    return checked("\n".join(lines) + "\n")


def test_a_large_story_is_folded_to_its_chapters() -> None:
    book = _long_story(1000, chapters=True)
    drawing = picture(book, "story")
    assert [node.lines[0] for node in drawing.nodes] == [f"part_{number}" for number in range(10)]
    assert "98 passages" not in drawing.nodes[0].lines[1]
    assert "1 beginning, 99 passages" in drawing.nodes[0].lines[1]
    assert len(drawing.edges) == 9
    assert any("1,000 passages in 10 parts" in note for note in drawing.notes)
    assert len(picture(book, "story", limit=1000).nodes) == 1000
    assert len(picture(book, "story", focus="part_3").nodes) == 102


def test_without_chapters_neighbours_are_put_together() -> None:
    drawing = picture(_long_story(1000, chapters=False), "story", limit=30)
    assert len(drawing.nodes) <= 30
    assert drawing.nodes[0].name == "p0 … p33"


def test_rules_are_folded_to_the_sections_that_they_cite() -> None:
    outline = 'outline book\n    section "First" lines 1..9\n        line 1 states 1\n'
    drawing = picture(checked(RULES.replace("precedence\n", f"{outline}precedence\n", 1)), "rules", limit=9)
    assert "book: First" in {node.name for node in drawing.nodes}
    assert "state of a Player" in {node.name for node in drawing.nodes}


@pytest.mark.parametrize("what", ["phases", "story", "precedence", "rules"])
def test_an_empty_book_has_an_empty_picture(what: str) -> None:
    drawing = picture(checked('game "Nothing"\n'), what)  # type: ignore[arg-type]
    assert (drawing.nodes, drawing.edges) == ((), ())


def test_every_picture_of_random_books_can_be_drawn() -> None:
    for seed in range(12):
        book = checked(random_book(seed))
        for what in ("phases", "story", "precedence", "rules"):
            drawing = picture(book, what)
            ends = {node.id for node in drawing.nodes} | {group.id for group in drawing.groups}
            assert len(ends) == len(drawing.nodes) + len(drawing.groups)
            assert all({edge.source, edge.target} <= ends for edge in drawing.edges)
            assert to_svg(drawing).endswith("</svg>\n")
            assert to_svg(picture(book, what, limit=5))


def test_the_bundled_books_and_the_thirty_statements_have_pictures() -> None:
    ur = load("ur").checked
    assert ur is not None
    assert "take_throw" in {group.name for group in picture(ur, "phases").groups}
    assert len(picture(ur, "rules").nodes) > 20


def test_the_same_book_gives_the_same_letters() -> None:
    program = (
        "from ludex.book import load\n"
        "from verifier.graphs import picture, to_dot, to_mermaid, to_svg\n"
        "book = load('harbour').checked\n"
        "for what in ('phases', 'precedence', 'rules'):\n"
        "    drawing = picture(book, what)\n"
        "    print(to_svg(drawing), to_dot(drawing), to_mermaid(drawing))\n"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1
