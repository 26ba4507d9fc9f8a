"""LX921 to LX924: overrides, circles, meta-rules and assumptions; with the defect, almost with it, and without."""

from __future__ import annotations

import pytest

from rules.machine.norms import Undetermined
from tests.machine.making import checked
from tests.verifier.checks.village import village
from tests.verifier.judging import findings, judged
from verifier.court import Court

EXPLICIT = ("explicit", "otherwise undecided")
DIG = "rule digging\n    p may dig when tired of p"


# ---- LX921 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        # they never meet
        ((DIG, "rule worn_out overrides digging\n    p cannot dig when not tired of p"), ["worn_out", "digging"]),
        ((DIG, "rule r overrides digging\n    p cannot dig when tired of p and coins of p > 4 and coins of p < 3"),
         ["r", "digging"]),
        # they speak of different things
        ((DIG, "rule early overrides digging\n    p cannot sleep"), ["early", "digging"]),
        # they say the same wherever both apply
        (("rule one\n    depth of p is 3", "rule two overrides one\n    depth of p is 1 + 2"), ["two", "one"]),
        (("rule one\n    depth of p is coins of p", "rule two overrides one\n    depth of p is 4 when coins of p is 4"),
         ["two", "one"]),
        # nothing that could drop or replace the same event
        (("rule one\n    ignore dig by p", "rule two overrides one\n    ignore sleep by p"), ["two", "one"]),
    ],
)  # fmt: skip
def test_an_override_that_can_never_matter(rules: tuple[str, ...], named: list[str]) -> None:
    (found,) = findings(village(EXPLICIT, *rules), "LX921")
    assert found.certainty == "proved"
    assert [place.name for place in found.places] == named
    assert found.witness is None


def test_an_override_that_the_precedence_does_not_know_of() -> None:
    rules = ("rule digging\n    p may dig", "rule worn_out overrides digging\n    p cannot dig")
    book = village(("otherwise undecided",), *rules)
    (found,) = findings(book, "LX921")
    assert (found.certainty, [place.name for place in found.places]) == ("proved", ["worn_out"])
    assert "has no line `explicit`" in found.message
    (clash,) = findings(book, "LX901")
    assert clash.hint == "let `worn_out` go before, as it says: add the line `explicit` to `precedence`"


@pytest.mark.parametrize(
    "rules",
    [
        (DIG, "rule worn_out overrides digging\n    p cannot dig when weather is storm"),
        (DIG, "rule worn_out overrides digging\n    p cannot dig"),
        ("rule one\n    depth of p is 3", "rule two overrides one\n    depth of p is 2 when coins of p is 9"),
        (
            "rule one\n    ignore dig by p",
            "rule two overrides one\n    instead of dig by p\n        tired of p becomes yes",
        ),
        ("rule one\n    p wins when coins of p > 4", "rule two overrides one\n    p loses when coins of p is 5"),
    ],
)
def test_an_override_that_matters_somewhere_is_none(rules: tuple[str, ...]) -> None:
    assert findings(village(EXPLICIT, *rules), "LX921") == []


def test_even_if_where_no_rule_applies_only_there() -> None:
    book = village(
        EXPLICIT, "rule one\n    p may dig even if weather is storm", "rule two\n    p cannot dig when tired of p"
    )
    (found,) = findings(book, "LX921")
    assert [(place.name, place.part) for place in found.places] == [("one", "even if weather is storm")]


@pytest.mark.parametrize(
    ("precedence", "condition"),
    [
        (EXPLICIT, "weather is storm and tired of p"),
        # without the words, the assumption would settle it: they keep it open
        (("explicit", "assume cannot over may"), "tired of p"),
    ],
)
def test_even_if_that_matters(precedence: tuple[str, ...], condition: str) -> None:
    rules = "rule one\n    p may dig even if weather is storm", f"rule two\n    p cannot dig when {condition}"
    assert findings(village(precedence, *rules), "LX921") == []


def test_a_ruling_that_settles_nothing_and_one_that_does() -> None:
    rules = "rule one\n    p may dig when tired of p", "rule two\n    p cannot dig when not tired of p"
    (found,) = findings(village(EXPLICIT, *rules, "ruling at_home\n    one over two"), "LX921")
    assert [place.name for place in found.places] == ["at_home", "two"]
    rules = "rule one\n    p may dig", "rule two\n    p cannot dig when not tired of p"
    assert findings(village(EXPLICIT, *rules, "ruling at_home\n    one over two"), "LX921") == []


# ---- LX922 ----------------------------------------------------------------------------------------------------------

RING = ("explicit", "authority card > book cites book 1", "heavy over light cites book 2", "otherwise undecided")
A = "rule a cites card 1\n    depth of p is 1"
B = "rule b cites book 3 among heavy\n    depth of p is 2"
C = "rule c cites book 4 among light overrides a\n    depth of p is 3"
USE = "rule deep\n    p cannot dig when depth of p is 9"
MAY = "rule digging\n    p may dig"


def test_a_circle_is_shown_as_the_circle_and_comes_up_in_play() -> None:
    (found,) = findings(village(RING, A, B, C, USE, MAY), "LX922")
    assert found.certainty == "witnessed"
    assert found.witness is not None
    assert found.witness.play is not None
    assert [place.name for place in found.places] == ["a", "b", "c"]
    assert [place.part.partition("goes before ")[2] for place in found.places] == [
        "b (authority card > book)",
        "c (heavy over light)",
        "a (explicit)",
    ]


def test_the_machine_raises_with_all_sides() -> None:
    court = Court(checked(village(RING, A, B, C, USE, MAY)))
    with pytest.raises(Undetermined) as stopped:
        court.machine.weigh("dig", (0,), court.space.start)
    assert [[norm.name for norm in side] for side in stopped.value.sides] == [["depth"], ["a"], ["b"], ["c"]]


def test_a_circle_that_no_play_asks_for_is_dropped_or_only_possible() -> None:
    """Nothing reads the value: every state of play was seen, and the circle was not among them."""
    found = findings(village(RING, A, B, C, MAY), "LX922")
    assert [one.certainty for one in found] in ([], ["possible"])


@pytest.mark.parametrize(
    "rules",
    [
        (A, B, C.replace(" overrides a", "")),  # no circle at all
        (A, B, C + " when coins of p > 3", A.replace("rule a", "rule top") + " when coins of p > 3"),  # c gives way
        (A + " when weather is calm", B, C + " when weather is storm"),  # never all three
        (A, B, C.replace("is 3", "is 2")),  # b and c agree
    ],
)
def test_almost_a_circle(rules: tuple[str, ...]) -> None:
    assert findings(village(RING, *rules, USE, MAY), "LX922") == []


def test_a_circle_of_four_about_an_action() -> None:
    ring = ("explicit", "heavy over light cites book 2", "otherwise undecided")
    rules = (
        "rule a overrides b\n    p may dig",
        "rule b overrides c\n    p cannot dig",
        "rule c among heavy\n    p may dig when coins of p < 9",
        "rule d among light overrides a\n    p cannot dig when coins of p < 9",
    )
    (found,) = findings(village(ring, *rules), "LX922")
    assert {place.name for place in found.places} == {"a", "b", "c", "d"}
    assert found.certainty == "witnessed"


# ---- LX923 and LX924 ------------------------------------------------------------------------------------------------


def test_meta_rules_that_decide_nothing() -> None:
    precedence = (
        "authority card > book cites book 1",
        "heavy over light cites book 2",
        "assume cannot over may",
        "otherwise undecided",
    )
    book = village(
        precedence,
        "rule a cites card 1 among heavy\n    p may dig",
        "rule b cites book 3 among light\n    p cannot dig when tired of p",
    )
    found = findings(book, "LX923")
    assert [place.name for one in found for place in one.places] == ["heavy over light", "cannot over may"]
    assert {one.certainty for one in found} == {"proved"}
    assert "assumed" in found[1].message


def test_specific_over_general_decides_where_only_a_proof_tells() -> None:
    precedence = ("assume specific over general", "otherwise undecided")
    rules = "rule a\n    p may dig when coins of p < 8", "rule b\n    p cannot dig when coins of p < 3"
    (found,) = findings(village(precedence, *rules), "LX924")
    assert found.details == ("`b` goes before `a` on `dig`",)
    assert findings(village(precedence, *rules), "LX901", "LX923") == []
    other = "rule a\n    p may dig when coins of p < 8", "rule b\n    p cannot dig when tired of p"
    assert [one.code for one in findings(village(precedence, *other), "LX901", "LX923")] == ["LX901", "LX923"]


def test_listed_order_that_only_orders_what_happens_at_once_is_not_idle() -> None:
    rules = (
        "rule a among firsts\n    when dig by p\n        tired of p becomes no",
        "rule b among firsts\n    when dig by p\n        coins of p increases by 1",
        MAY,
    )
    precedence = ("listed order among firsts cites book 1", "otherwise undecided")
    assert findings(village(precedence, *rules), "LX923") == []
    assert len(findings(village(precedence, rules[0], MAY), "LX923")) == 1


def test_what_rests_on_an_assumption_is_said_once_with_its_number() -> None:
    rules = [f"rule may_{n}\n    p may dig when coins of p is {n}" for n in range(7)]
    precedence = ("assume cannot over may", "otherwise undecided")
    judgement = judged(village(precedence, *rules, "rule no_digging\n    p cannot dig when tired of p"), "LX924")
    (found,) = (one for one in judgement.findings if one.code == "LX924")
    assert found.severity.value == "info"
    assert "7 pairs of rules rest" in found.message
    assert len(found.details) == 6
    assert found.details[-1] == "and 2 more"
    assert [(one.words, one.verdicts) for one in judgement.assumptions] == [("cannot over may", 7)]


def test_an_assumption_that_a_stronger_line_spares_is_idle() -> None:
    precedence = ("hard over soft cites book 1", "assume cannot over may", "otherwise undecided")
    rules = "rule a among soft\n    p may dig", "rule b among hard\n    p cannot dig when tired of p"
    book = village(precedence, *rules)
    assert findings(book, "LX924") == []
    (found,) = findings(book, "LX923")
    assert found.places[0].name == "cannot over may"
