"""Judging a book with several numbers of players: which, and one judgement of all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.span import Source, Span
from tests.verifier.judging import BUDGET, checked, judged, only
from tests.verifier.sample import CONTRADICTION, JUDGEMENT, report
from verifier.checks import allowed_and_forbidden, claims, idle_override
from verifier.finding import Certainty, Finding, Place, Witness
from verifier.hearing import judge
from verifier.judgement import ClaimVerdict, Judgement, Players, Verdict, Wanted, with_players
from verifier.numbers import Heard, key_of, merged, players_for, ruled
from verifier.report.html import report_html
from verifier.report.json_ import finding_json, judgement_json
from verifier.report.sarif import report_sarif
from verifier.report.text import claim_lines, finding_text, judgement_lines, players_words
from verifier.suspicion import Ruled

BOOK = """
game "Copper Hill" played by Player

kind Player {players}
    coins 0..9 starts 2

state
    day 1..3
    fog yes/no

let p be Player

play
    repeat until day is 3
        roll d6:
            1..3: fog becomes yes
            4..6: fog becomes no
        each p
            p takes 1 action
        day increases by 1
    nobody wins

action dig by p
    coins of p increases by 1

action sleep by p
    nothing

rule digging
    p may dig

rule fog_hides
    p cannot dig when fog and {when}

rule sleeping
    p may sleep
{more}
"""


def book(players: str = "2..4", when: str = "size of Player is 3", more: str = "") -> str:
    return BOOK.format(players=players, when=when, more=more)


def clashes(text: str, players: Wanted) -> Judgement:
    return judge(checked(text), players, checks=(allowed_and_forbidden.CHECK,), budget=BUDGET)


# ---- which numbers


@pytest.mark.parametrize(
    ("allowed", "wanted", "players"),
    [
        ("2", None, Players((2,), (), ())),
        ("2..4", None, Players((2,), (3, 4), ())),
        ("1..9", None, Players((1,), (2, 3, 4, 9), (5, 6, 7, 8))),
        ("2..4", 3, Players((3,), (), (2, 4))),
        ("2..4", (3, 4), Players((3, 4), (), (2,))),
        ("2..4", "all", Players((2, 3, 4), (), ())),
    ],
)
def test_which_numbers_are_looked_at(allowed: str, wanted: Wanted, players: Players) -> None:
    assert players_for(checked(book(allowed)), wanted) == players


@pytest.mark.parametrize("wanted", [5, (3, 5), (1, 2)])
def test_a_number_that_the_book_is_not_for(wanted: Wanted) -> None:
    with pytest.raises(ValueError, match=r"the game is for 2 to 4 players, not [15]"):
        players_for(checked(book()), wanted)


def test_the_words_for_them() -> None:
    assert with_players((1,)) == "with 1 player"
    assert with_players((2, 3, 5)) == "with 2, 3 and 5 players"
    assert with_players((2, 3, 4, 5)) == "with 2 to 5 players"
    assert players_words(Players((2,), (3, 9), (4, 5))) == (
        "judged with 2 players; briefly with 3 and 9 (`--players all` looks at each as closely); "
        "not with 4 and 5 players"
    )


# ---- whole books


@pytest.mark.parametrize("wanted", [None, "all", (2, 3), 3])
def test_what_shows_only_with_three_is_found(wanted: Wanted) -> None:
    finding = only(clashes(book(), wanted))
    assert (finding.code, finding.certainty) == ("LX901", "witnessed")
    assert finding.players == (() if wanted == 3 else (3,))
    assert finding.witness is not None
    assert finding.witness.players == 3


@pytest.mark.parametrize("wanted", [2, 4])
def test_and_not_where_only_others_are_looked_at(wanted: int) -> None:
    found = clashes(book(), wanted)
    assert found.findings == ()
    assert 3 in found.players.left


def test_what_shows_with_all_is_told_once_and_says_nothing_of_players() -> None:
    finding = only(clashes(book(when="coins of p > 2"), "all"))
    assert finding.players == ()
    assert finding.witness is not None
    assert finding.witness.players == 2


def test_what_shows_with_some_says_with_which() -> None:
    assert only(clashes(book(when="size of Player > 2"), "all")).players == (3, 4)


def test_an_override_that_matters_with_three_is_not_idle() -> None:
    text = (
        book(more="")
        .replace("rule fog_hides", "rule fog_hides overrides digging")
        .replace("play\n", "precedence\n    explicit\n\nplay\n", 1)
    )
    alone = judge(checked(text), 2, checks=(idle_override.CHECK,), budget=BUDGET)
    assert [finding.code for finding in alone.findings] == ["LX921"]
    assert judge(checked(text), None, checks=(idle_override.CHECK,), budget=BUDGET).findings == ()


def test_a_rule_that_fires_with_three_fires() -> None:
    assert judged(book(), seats=2).unseen == ("fog_hides",)
    assert judged(book()).unseen == ()


@pytest.mark.parametrize(
    ("claim", "verdict", "code"),
    [
        ("always not (fog and size of Player is 3)", "fails", "LX926"),
        ("never coins of p is 9", "holds", None),
        ("possible fog and size of Player is 3", "holds", None),
        ("possible size of Player is 5", "fails", "LX926"),
    ],
)
def test_claims_speak_of_games_with_any_number_of_players(claim: str, verdict: Verdict, code: str | None) -> None:
    text = book("2..3", more=f"\nclaim {claim}\n")
    found = judge(checked(text), "all", checks=(claims.CHECK,), budget=BUDGET)
    assert [one.verdict for one in found.claims] == [verdict]
    assert [finding.code for finding in found.findings] == ([code] if code else [])


# ---- merging


SOURCE = Source("example.rules", "p may dig")


def a_finding(certainty: Certainty, players: int, code: str = "LX901", message: str = "it is so") -> Finding:
    place = Place("digging", Span(SOURCE, 0, 9), (), "allows it")
    return Finding(code, message, (place,), certainty, "a test", Witness((), None, players))


def heard(players: int, *findings: Finding, brief: bool = False, suspected: tuple[Finding, ...] = ()) -> Heard:
    return Heard(players, brief, findings, frozenset(key_of(one) for one in suspected))


def test_the_surest_counts_then_the_fewest_players() -> None:
    possible, seen, seen_later = a_finding("possible", 2), a_finding("witnessed", 3), a_finding("witnessed", 4)
    (found,) = merged([heard(2, possible), heard(3, seen), heard(4, seen_later)])
    assert found == seen
    (found,) = merged([heard(2), heard(3, seen), heard(4, seen_later)])
    assert found == replace(seen, players=(3, 4))
    (found,) = merged([heard(2, a_finding("witnessed", 2)), heard(3, seen)])
    assert found == a_finding("witnessed", 2)


def test_what_a_brief_look_cannot_exclude_is_not_told_where_a_close_one_could() -> None:
    possible = a_finding("possible", 3)
    assert merged([heard(2, suspected=(possible,)), heard(3, possible, brief=True)]) == ()
    (found,) = merged([heard(2), heard(3, possible, brief=True)])
    assert found.players == (3,)
    (found,) = merged([heard(2, suspected=(possible,)), heard(3, a_finding("witnessed", 3), brief=True)])
    assert (found.certainty, found.players) == ("witnessed", (3,))


def test_what_never_matters_must_not_matter_with_any() -> None:
    idle = a_finding("proved", 2, "LX921")
    assert merged([heard(2, idle), heard(3)]) == ()
    assert merged([heard(2, idle), heard(3, a_finding("proved", 3, "LX921"))]) == (idle,)


def a_ruling(word: str, verdict: Verdict, by: str = "a test") -> Ruled:
    code = {"fails": "LX926", "open": "LX927"}.get(verdict)
    finding = None if code is None else a_finding("unknown", 2, code)
    return Ruled(ClaimVerdict("it is so", word, verdict, by, Span(SOURCE, 0, 9)), finding)


@pytest.mark.parametrize(
    ("word", "rows", "verdict", "by", "codes"),
    [
        ("always", [(2, False, "holds"), (3, True, "holds")], "holds", "a test", []),
        (
            "always",
            [(2, False, "holds"), (3, True, "open"), (4, True, "open")],
            "holds",
            "a test, with 2 players; left open with 3 and 4 players",
            [],
        ),
        (
            "always",
            [(2, False, "holds"), (3, True, "fails")],
            "fails",
            "a test, with 3 players; holds with 2 players",
            ["LX926"],
        ),
        (
            "never",
            [(2, False, "holds"), (3, False, "open")],
            "open",
            "a test, with 3 players; holds with 2 players",
            ["LX927"],
        ),
        ("possible", [(2, False, "fails"), (3, True, "holds")], "holds", "a test", []),
        (
            "possible",
            [(2, False, "fails"), (3, True, "open")],
            "open",
            "a test, with 3 players; does not hold with 2 players",
            ["LX927"],
        ),
        ("possible", [(2, False, "fails"), (3, True, "fails")], "fails", "a test", ["LX926"]),
    ],
)
def test_what_becomes_of_a_claim(
    word: str, rows: list[tuple[int, bool, Verdict]], verdict: Verdict, by: str, codes: list[str]
) -> None:
    verdicts, findings = ruled([(players, brief, a_ruling(word, one)) for players, brief, one in rows])
    assert [(one.verdict, one.by) for one in verdicts] == [(verdict, by)]
    assert [finding.code for finding in findings] == codes


def test_a_part_of_a_claim_that_only_a_brief_look_knows_and_leaves_open_is_not_told() -> None:
    assert ruled([(3, True, a_ruling("possible", "open"))]) == ((), ())


# ---- reports


SOME = Players((2,), (3, 4), (5,))
LINE = "judged with 2 players; briefly with 3 and 4 (`--players all` looks at each as closely); not with 5 players"


@pytest.mark.usefixtures("codes")
def test_every_report_says_with_how_many_players_it_was_judged_and_a_finding_was_seen() -> None:
    finding = replace(CONTRADICTION, players=(3, 4))
    told = report(replace(JUDGEMENT, findings=(finding,), players=SOME))
    (shown,) = told.findings
    assert f"players: {LINE}" in judgement_lines(told)
    assert "= players: seen with 3 and 4 players" in finding_text(shown)
    assert finding_json(shown)["players"] == [3, 4]
    assert judgement_json(told.judgement)["players"] == {"full": [2], "brief": [3, 4], "not_looked_at": [5]}
    (run,) = report_sarif(told, "1")["runs"]
    assert run["results"][-1]["properties"]["players"] == [3, 4]
    assert "seen with 3 and 4 players" in run["results"][-1]["message"]["text"]
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert f"players: {LINE}" in [note["message"]["text"] for note in notes]
    page = report_html(told, ())
    assert "Seen with 3 and 4 players." in page
    assert "not with 5 players" in page


@pytest.mark.usefixtures("codes")
def test_a_book_for_one_number_of_players_says_nothing_of_it() -> None:
    told = report(replace(JUDGEMENT, players=Players((2,))))
    assert not any(line.startswith("players:") for line in judgement_lines(told))
    assert "Players" not in report_html(told, ())


def test_a_claim_that_is_left_open_with_some_numbers_holds_in_part() -> None:
    span = Span(Source("a.rules", "claim"), 0, 5)
    rows = [
        (2, False, Ruled(ClaimVerdict("c", "always", "holds", "bounds", span))),
        (3, True, Ruled(ClaimVerdict("c", "always", "open", "it was looked at briefly", span))),
    ]
    (verdict,), findings = ruled(rows)
    assert (verdict.verdict, verdict.in_part, findings) == ("holds", True, ())
    assert claim_lines(Judgement(claims=(verdict,)))[0] == "claims: 1 claim: 1 holds in part"
    (verdict,), _ = ruled(rows[:1])
    assert not verdict.in_part
