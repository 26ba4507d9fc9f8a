"""Where play cannot go on, goes round, or can no longer be won; and where it only seems so."""

from __future__ import annotations

from tests.verifier.judging import found, names, the_one

WORKS = """game "Copper Hill" played by Player
kind Player 2
    coins 0..9 starts 3
type Weather is calm, storm
state
    weather Weather starts calm
    height 0..2
let p be Player
play
    step dawn
        roll d6:
            1..3: weather becomes storm
            4..6: nothing
    step raising
        turns of p until height is 2
            p takes 1 action
action haul by p
    height increases by 1
rule hauling
    p may haul when weather is calm{}
"""


def test_nobody_can_move_and_nothing_ends() -> None:
    finding = the_one(WORKS.format(""), "LX971")
    assert finding.certainty == "witnessed"
    assert names(finding)[0] == "raising"
    assert "haul" in names(finding)
    assert finding.witness is not None
    assert finding.witness.play is not None
    assert finding.witness.facts == ("weather is storm",)
    assert found(WORKS.format(""), "LX972") == []  # told once


def test_that_somebody_has_no_move_is_no_defect() -> None:
    assert found(WORKS.format(" or coins of p is 3"), "LX971", "LX972") == []
    assert found(WORKS.format("").replace("turns of p until height is 2", "each p"), "LX971", "LX972") == []


STORY = """game "Night Ferry" played by Player
kind Player 1
state
    ticket yes/no
play
    read harbour
story voyage
    starts at harbour
    passage harbour "Gulls."
        option "Buy a ticket"
            ticket becomes yes
            go to gangway
        option "Walk"
            go to gangway
    passage gangway "Planks."
        option "Show it" when ticket
            ending "Off."
{}"""


def test_a_passage_without_an_open_option() -> None:
    finding = the_one(STORY.format(""), "LX971")
    assert names(finding) == ["gangway", "gangway"]
    assert finding.certainty == "witnessed"
    assert finding.witness is not None
    assert finding.witness.play == ("Walk",)


def test_a_passage_with_a_way_that_is_always_open() -> None:
    assert found(STORY.format('        option "Stay"\n            ending "Home."\n'), "LX971") == []


def test_a_passage_that_nothing_leads_on_from() -> None:
    text = STORY.format('        option "Fall"\n            go to sea\n    passage sea "Cold."\n')
    assert names(the_one(text, "LX971")) == ["sea"]


POTS = """game "Copper Hill" played by Player
kind Player 2
    coins 0..9 starts 3
let p be Player
play
    each p
        p takes 1 action
action dig by p
    coins of p becomes 4
rule digging
    p may dig
rule filling
    when coins of p becomes 4
        coins of p becomes 0
rule emptying
    when coins of p becomes 0{}
        coins of p becomes 4
"""


def test_triggers_that_bring_each_other_about() -> None:
    finding = the_one(POTS.format(""), "LX972")
    assert finding.certainty == "witnessed"
    assert set(names(finding)) >= {"filling", "emptying"}
    assert found(POTS.format(""), "LX971") == []


def test_triggers_that_come_to_rest() -> None:
    assert (
        found(POTS.format("").replace("becomes 0\n        coins of p becomes 4", "becomes 0\n        nothing"), "LX972")
        == []
    )


COUNTING = """    step counting
        repeat until done
            nothing
"""


def test_a_step_that_repeats_without_end() -> None:
    text = POTS.split("rule filling", maxsplit=1)[0].replace("play\n", "state\n    done yes/no\nplay\n" + COUNTING)
    assert names(the_one(text, "LX972")) == ["counting"]


SOLO = """game "Night Ferry" played by Player
kind Player 1
state
    ticket yes/no
    fare 0..1 starts 1
let p be Player
play
    repeat 2 times
        each p
            p takes 1 action
{}action buy by p
    fare decreases by 1
    ticket becomes yes
action drink by p
    fare decreases by 1
action board by p
    p wins
rule choices
    p may buy or drink when fare > 0
rule boarding
    p may board when ticket
"""


def test_a_game_for_one_that_can_no_longer_be_won() -> None:
    finding = the_one(SOLO.format(""), "LX973")
    assert finding.certainty == "proved"
    assert finding.witness is not None
    assert finding.witness.play is not None
    assert len(finding.witness.play) == 1


def test_a_game_for_one_that_says_when_it_is_lost() -> None:
    assert found(SOLO.format("    each p\n        p loses\n"), "LX973", "LX974") == []


TOGETHER = """game "Night Ferry" played by Player
kind Player 2
state
    ticket yes/no
    fare 0..1 starts 1
let p be Player
play
    repeat 3 times
        each p
            p takes 1 action
{}action buy by p
    fare decreases by 1
    ticket becomes yes
action drink by p
    fare decreases by 1
action board by p
    {}
action wait by p
    nothing
rule choices
    p may buy or drink when fare > 0
    p may wait
rule boarding
    p may board when ticket
"""
ALL_LOSE = "    Player loses\n"


def test_a_game_that_all_win_together_and_can_no_longer_win() -> None:
    finding = the_one(TOGETHER.format("", "Player wins"), "LX973")
    assert finding.certainty == "proved"
    assert finding.witness is not None
    assert finding.witness.play == ("drink by Player 1",)


def test_a_game_that_goes_on_after_it_is_lost() -> None:
    finding = the_one(TOGETHER.format(ALL_LOSE, "Player wins"), "LX974")
    assert (finding.certainty, finding.severity.value) == ("proved", "info")
    assert finding.witness is not None
    assert finding.witness.play == ("drink by Player 1",)
    assert "goes on for 5 decisions" in finding.message


def test_a_game_that_is_lost_at_once_or_that_players_win_against_each_other() -> None:
    told = "rule broke\n    Player loses when fare is 0 and not ticket\n"
    assert found(TOGETHER.format(ALL_LOSE, "Player wins") + told, "LX973", "LX974") == []
    assert found(TOGETHER.format("", "p wins"), "LX973", "LX974") == []
