"""Stories: books without `play`, marks that cross chapters, and claims about what a reader can come to."""

from __future__ import annotations

import pytest

from tests.solver.test_asking_stories import a_tale
from tests.verifier.judging import NO_PLAY, TINY, checked, found, judged, names, only
from verifier.checks import claims, never_open, never_read
from verifier.hearing import judge
from verifier.judgement import Verdict

QUEST = """
game "The Long Road" played by Player

kind Player 1

state
    sword yes/no
    shield yes/no
    oath yes/no
{play}
story road
    starts at {starts}
    chapter dawn "The first day"
        passage smithy "The smith has time for one thing."
            option "A sword"
                sword becomes yes
                go to gate
            option "A shield"
                shield becomes yes
                go to gate
        passage gate "The town lies behind you."
            option "On"
                go to bridge
    chapter dusk "The second day"
        passage bridge "A knight bars the way."
            option "Fight" when sword and shield
                go to castle
            option "Swear" when oath
                go to castle
            option "Turn back"
                ending "You go home."
        passage castle "The gate is open."
            ending "You have come to the end of the road."
{more}
"""


def quest(play: str = "", starts: str = "smithy", more: str = "") -> str:
    return QUEST.format(play=play, starts=starts, more=more)


def test_a_branch_that_needs_marks_of_another_chapter_which_exclude_each_other() -> None:
    finding, swear = found(quest(), "LX954", "LX955", "LX956")
    assert (finding.code, finding.certainty, names(finding)[0]) == ("LX954", "proved", "castle")
    assert finding.places[0].part == "is out of reach by history"
    assert "`sword` and `shield` never hold together" in finding.message
    changes = [(place.name, place.part) for place in finding.places if place.part.startswith("changes")]
    assert changes == [("smithy", "changes `sword`"), ("smithy", "changes `shield`")]
    assert (swear.code, swear.details) == ("LX955", ("nothing that is come to changes `oath`",))


def test_a_mark_that_nothing_sets_is_named() -> None:
    text = quest().replace('            option "Fight" when sword and shield\n                go to castle\n', "")
    finding = only(judged(text, "LX954"))
    assert "`oath` never holds" in finding.message


def test_and_not_where_they_can_be_had_together() -> None:
    text = quest().replace(
        "shield becomes yes\n                go to gate", "shield becomes yes\n                go to smithy"
    )
    assert found(text, "LX954", "LX956") == []


@pytest.mark.parametrize("play", ["", "play\n    read smithy\n"])
def test_a_book_without_play_is_judged_as_one_that_reads_its_story(play: str) -> None:
    text = quest(play, more="claim possible sword and not shield\nclaim never sword and shield\n")
    judgement = judged(text)
    assert [(one.verdict, one.by) for one in judgement.claims] == [
        ("holds", "a search through the states of play, the nearest first"),
        ("holds", "every state of play"),
    ]
    assert [finding.code for finding in judgement.findings if finding.severity.value != "info"] == [
        "LX954",
        "LX955",
    ]


def test_every_beginning_is_read_where_the_book_has_several() -> None:
    assert [names(f)[0] for f in found(quest(starts="smithy, castle"), "LX954")] == []
    assert judged(quest(starts="smithy, castle", more="claim possible sword\n")).claims[0].verdict == "holds"


@pytest.mark.parametrize(
    ("claim", "verdict", "by"),
    [
        ("possible crown", "holds", "the shortest way through the stories"),
        ("possible crown and not key", "fails", "every state of the story"),
        ("never crown and not key", "holds", "every state of the story"),
        ("always key or not crown", "holds", "every state of the story"),
        ("never crown", "fails", "the shortest way through the stories"),
    ],
)
def test_claims_about_a_story_too_large_for_play_are_decided(claim: str, verdict: Verdict, by: str) -> None:
    judgement = judge(checked(a_tale(300, f"claim {claim}")), checks=(claims.CHECK,), budget=TINY)
    assert [(one.verdict, one.by) for one in judgement.claims] == [(verdict, by)]
    if claim == "never crown":
        finding = only(judgement)
        assert finding.witness is not None
        assert finding.witness.play is not None
        assert len(finding.witness.play) == 7


def test_what_is_lost_in_a_long_story_is_found_without_play() -> None:
    text = a_tale(300).replace('option "Short cut" when key', 'option "Short cut" when key and crown and not key')
    judgement = judge(checked(text), checks=(never_read.CHECK, never_open.CHECK), budget=NO_PLAY)
    assert [finding.code for finding in judgement.findings] == ["LX955"]
