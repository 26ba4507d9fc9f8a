"""Rules that say nothing new; and rules that only look as if they did not."""

from __future__ import annotations

import pytest

from tests.verifier.judging import TINY, judged, only
from verifier.checks import CHECKS, ON_REQUEST, checks_for, said_already
from verifier.selection import Selection, Wanted

BOOK = """\
game "Copper Hill" played by Player

documents
    book "Rulebook"
    card "Cards"

precedence
    explicit
    authority card > book cites book 1
    specific over general cites book 2
    otherwise undecided

kind Player 2
    coins 0..9 starts 2
    hurt yes/no

kind Shaft named upper, lower

state
    storm yes/no

let p be Player
let s be Shaft

play
    repeat 2 times
        storm becomes not storm
        each p
            p takes 1 action

action dig by p to s cites book 3
    coins of p increases by 1

action fall by p cites book 4
    hurt of p becomes yes

value toll of p: 0..3 cites book 5
    usually is 1
    is 0 when hurt of p

"""


def text(*rules: str) -> str:
    """Rules `one`, `two` ...; a rule may begin with its clauses, up to a colon."""
    names = ("one", "two", "three")
    found = []
    for name, rule in zip(names, rules, strict=False):
        clauses, norms = rule.split(": ", 1) if ": " in rule else ("cites book 9", rule)
        lines = "\n    ".join(norms.split("; "))
        found.append(f"rule {name} {clauses}\n    {lines}\n")
    return BOOK + "\n".join(found)


SAID = [
    ("p may dig to s", "p may dig to upper"),
    ("p may dig to s when coins of p < 8", "p may dig to s when coins of p < 5"),
    ("p may dig to s when coins of p < 5", "p may dig to s unless coins of p >= 5"),
    ("p may dig to s or fall", "p may fall"),
    ("cites book 9: p cannot fall when hurt of p", "p cannot fall when hurt of p and storm", "p may fall"),
    ("p wins when coins of p >= 3", "p wins when coins of p >= 4"),
    ("toll of p is 2 when storm and not hurt of p", "toll of p is 2 when storm and not hurt of p and coins of p > 3"),
    ("toll of p is 2 when storm and not hurt of p", "toll of p is 0 when hurt of p and coins of p > 3"),
]

NEW = [
    # it says more, or of something else
    ("p may dig to upper", "p may dig to lower"),
    ("p may dig to s when coins of p < 5", "p may dig to s when coins of p > 2"),
    ("p may dig to s", "p may fall or dig to upper"),
    ("p may dig to s", "p cannot dig to s when storm"),
    ("p may fall", "p must fall if possible when hurt of p"),
    ("p wins when coins of p >= 3", "p loses when coins of p >= 4"),
    ("toll of p is 2 when storm", "toll of p is 3 when storm and coins of p > 3"),
    # it says the same, and goes before what the first gives way to
    ("p may dig to s", "cites card 4: p may dig to s when storm", "p cannot dig when storm"),
    ("p may dig to s", "cites book 9 overrides three: p may dig to s when storm", "p cannot dig when storm"),
    ("p may dig to s", "p may dig to s when storm and hurt of p", "p cannot dig when storm"),
    # it can never apply: that is another finding
    ("p may dig to s", "p may dig to s when coins of p > 9"),
    # it is said to be a restatement
    ("p may dig to s", "cites card 4 restates one: p may dig to s"),
    # what happens twice counts twice
    ("when fall by p;     coins of p increases by 1", "when fall by p;     coins of p increases by 1", "p may fall"),
    # it counts by its name
    ("p may dig to s", "p may dig to upper", "ignore rule two if storm"),
]


@pytest.mark.parametrize("rules", SAID)
def test_what_is_said_already_is_found(rules: tuple[str, ...]) -> None:
    finding = only(judged(text(*rules), checks=(said_already.CHECK,), budget=TINY))
    assert (finding.code, finding.family, finding.certainty) == ("LX995", "redundant", "proved")
    assert finding.places[0].name == "two"
    assert finding.places[1].name in ("one", "toll")
    assert finding.witness is not None


@pytest.mark.parametrize("rules", NEW)
def test_what_only_looks_like_it_is_not_found(rules: tuple[str, ...]) -> None:
    assert judged(text(*rules), checks=(said_already.CHECK,), budget=TINY).findings == ()


def test_of_two_alike_the_later_is_told() -> None:
    finding = only(
        judged(
            text("p may dig to s when storm", "p may dig to s when storm"), checks=(said_already.CHECK,), budget=TINY
        )
    )
    assert [place.name for place in finding.places] == ["two", "one"]


def test_restatements_that_agree_are_looked_for_only_on_request() -> None:
    assert checks_for(Selection()) == CHECKS
    wanted = (*CHECKS, ON_REQUEST["LX996"])
    assert checks_for(Selection(Wanted(("LX996",)))) == wanted
    assert checks_for(Selection(project=Wanted(("redundant",)))) == wanted
    assert checks_for(Selection(Wanted((), ("LX9",)))) == CHECKS
