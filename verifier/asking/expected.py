"""What a question expects, beside what it was answered: a question becomes a test."""

from __future__ import annotations

from rules import model as m
from rules.check import CheckedRulebook
from rules.machine import machine_of
from rules.machine.base import Broken
from rules.machine.norms import Gap, Undetermined
from rules.machine.state import State
from verifier.asking.answer import Answer


def expected_text(checked: CheckedRulebook, question: m.Question, answer: Answer) -> str | None:
    """The value that a question expects, as it is shown; None where it expects no value."""
    expect = question.expect
    if expect is None or isinstance(expect.answer, str) or not isinstance(question.ask, m.AskValue):
        return None
    machine = machine_of(checked, answer.players)
    try:
        value = machine.evaluator.value(expect.answer, State([]), {})
    except (Undetermined, Gap, Broken, LookupError):  # it hangs on the state: nothing can be always that
        return expect.answer.span.text
    return machine.world.show(value, checked.type_of(question.ask.value))


def unexpected(question: m.Question, answer: Answer, expected_value: str | None = None) -> str | None:
    """What is otherwise than the question expects, in words that follow `it is answered`; None where nothing is.

    `expected_value` is the value that is expected, as it is shown, where a value is.
    """
    expect = question.expect
    if expect is None:
        return None
    wanted = expect.answer if isinstance(expect.answer, str) else f"always {expected_value}"
    found = f"always {answer.value}" if answer.word == "always" and answer.value is not None else answer.word
    if wanted not in (found, answer.word):
        return f"`{_told(answer, found)}`, not `{wanted}`"
    if wanted == "undetermined":
        return _other_sides(answer, [name.text for name in (*expect.because, *expect.against)])
    missing = _not_deciding(answer, {name.text for name in expect.because})
    if missing:
        shown = _named(answer.because) or "no rule"
        return f"`{_told(answer, found)}`, but not because of {_named(missing)}: {shown} decides"
    spared = [name.text for name in expect.against if name.text not in answer.against]
    if spared:
        return f"`{_told(answer, found)}`, but not against {_named(spared)}"
    return None


def _other_sides(answer: Answer, wanted: list[str]) -> str | None:
    """Where rules that should contradict each other are on no side of what is undetermined."""
    sides = tuple(dict.fromkeys(place.name for case in answer.open_cases for place in case.because))
    missing = [name for name in wanted if name not in sides]
    return f"`undetermined`, but not between {_named(missing)}: between {_named(sides)}" if missing else None


def _not_deciding(answer: Answer, wanted: set[str]) -> list[str]:
    """The expected rules, where there is a case that none of them decides, or a rule among them that decides none."""
    idle = sorted(wanted - set(answer.because))
    if idle or not wanted:
        return idle
    for case in answer.cases:
        if not wanted & {place.name for place in case.because}:
            return sorted(wanted)
    return []


def _told(answer: Answer, found: str) -> str:
    return {"vacuous": "never asked", "unknown": "nobody knows"}.get(answer.word, found)


def _named(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
