"""Whole sentences that an author writes as they stand in a printed rulebook: looks at a `Failure`.

In: a `Failure`. Out: a label and a diagnostic that says the sentence in the words of the language, or nothing. What is
proposed is tried first: the line can be read with it, or the diagnostic says what else is needed.
"""

from __future__ import annotations

import re

from grammar.failure import LAYOUT, Failure, shorten
from grammar.guesses import declares, text_at, words_of_text
from grammar.parser import keywords
from rules.diagnostics import Diagnostic

Verdict = tuple[str, Diagnostic]

_UP = frozenset(
    ["gains", "gain", "gets", "get", "receives", "receive", "earns", "earn", "obtains", "wins", "takes", "collects"]
)
_DOWN = frozenset(["loses", "lose", "pays", "pay", "spends", "spend"])
_DRAWS = frozenset({"draws", "draw"})
_ROLLS = frozenset({"rolls", "throws"})
_ONE = frozenset({"a", "an", "one", "the", "another"})
_ALL = frozenset({"all", "every"})
_CARDS = frozenset({"card", "cards", "tile", "tiles"})
_ACTIONS = frozenset(["action", "actions", "turn", "turns", "any", "up", "step", "steps", "move", "moves"])
_DIE = re.compile(r"d[0-9]+")
_SUBJECT_REACH = 6
_LONGEST_SENTENCE = 100

# Lines that belong below a declaration, and below which.
_HOMES = {
    word: home
    for home, words in {
        "precedence": "assume authority explicit listed simultaneous",
        "story": "passage chapter option",
        "scenario": "given then seats",
        "question": "expect",
        "play": "phase step turns each repeat",
        "rule": "reading",
        "map": "links",
        "outline": "section line",
        "kind": "printed",
        "rank": "most fewest ties",
    }.items()
    for word in words.split()
}


def told(failure: Failure) -> Verdict | None:
    """`p gains 2 coins`, `p draws 1 card`, `p rolls d6`, `when owner of q rows to r`."""
    start = _sentence_start(failure)
    verb = _after_subject(failure, start)
    if verb is None or failure.index < verb or failure.types[verb + 1] in LAYOUT:
        return None
    subject = " ".join(text_at(failure, i) for i in range(start, verb))
    opening = " ".join(text_at(failure, i) for i in range(failure.line.start, start))
    is_event = opening in ("when", "when about to", "instead of")
    right = _event(failure, verb, subject) if is_event else _statement(failure, verb, subject)
    if right is None or len(right) > _LONGEST_SENTENCE:
        return None
    word = text_at(failure, verb)
    stop = failure.line_end
    fits = failure.fits(start, stop, words_of_text(right), stop)
    if is_event and not fits:
        return None
    condition = not is_event and any(text_at(failure, i) in ("when", "if", "unless") for i in range(verb, stop))
    if not fits:
        hint = f"write `when` and an event, and below it, indented, `{right}`"
    elif condition:
        hint = f"write `if ...`, and below it, indented, `{right}`"
    else:
        hint = f"write `{opening} {right}`" if is_event else f"write `{right}`"
    code = "LX025" if is_event or not fits else "LX027"
    message = f"`{shorten(word)}` is not how the language tells what happens"
    return "told", Diagnostic(code, message, failure.span(verb, verb + 1), help=hint)


def _sentence_start(failure: Failure) -> int:
    """Behind `when`, `when about to`, `usually` or the key of a row."""
    start = failure.line.start
    end = failure.line_end
    colon = next((i for i in range(start, end) if text_at(failure, i) == ":"), None)
    if colon is not None and all(failure.types[i] != "NAME" or i == start for i in range(start, colon)):
        start = colon + 1
    for opening in (("when", "about", "to"), ("instead", "of"), ("when",), ("usually",), ("immediately",)):
        if tuple(text_at(failure, start + i) for i in range(len(opening))) == opening:
            return start + len(opening)
    return start


def _after_subject(failure: Failure, start: int) -> int | None:
    """The place of the verb, if a name or `owner of q` stands before it."""
    place = start
    while place < start + _SUBJECT_REACH and failure.types[place : place + 1] == ["NAME"]:
        if text_at(failure, place + 1) != "of":
            return place + 1 if text_at(failure, place + 1)[:1].isalpha() else None
        place += 2
    return None


def _amount_and_thing(failure: Failure, verb: int) -> tuple[str, str] | None:
    amount, thing = text_at(failure, verb + 1), text_at(failure, verb + 2)
    if failure.types[verb + 1] not in ("INT", "NAME") and amount not in _ALL | _ONE:
        return None
    if amount in _ONE:
        amount = "1"
    if failure.types[verb + 2 : verb + 3] != ["NAME"]:
        return None if text_at(failure, verb) == "takes" else (amount, "coins")
    return amount, thing


def _statement(failure: Failure, verb: int, subject: str) -> str | None:
    word = text_at(failure, verb)
    if word in _ROLLS:
        die = next((text_at(failure, i) for i in (verb + 1, verb + 2) if _DIE.fullmatch(text_at(failure, i))), "d6")
        several = failure.types[verb + 1] == "INT"
        return f"roll {text_at(failure, verb + 1)} {die} as b" if several else f"roll {die} as n"
    if word not in _UP | _DOWN | _DRAWS or text_at(failure, verb + 1) in _ACTIONS:
        return None
    found = _amount_and_thing(failure, verb)
    if found is None or found[1] in _ACTIONS:
        return None
    amount, thing = found
    if word in _DRAWS or (word in _UP and thing in _CARDS):
        return f"draw {'1' if amount in _ALL else amount} from deck to hand of {subject}"
    if amount in _ALL:
        return f"{thing} of {subject} becomes 0"
    return f"{_plural(thing)} of {subject} {'increases' if word in _UP else 'decreases'} by {amount}"


def _event(failure: Failure, verb: int, subject: str) -> str | None:
    word = text_at(failure, verb)
    if word in _DRAWS:
        return f"c enters hand of {subject}"
    if word in _UP | _DOWN:
        found = _amount_and_thing(failure, verb)
        if found is None:
            return None
        amount, thing = found
        by = f" by {amount}" if amount.isdigit() else ""
        return f"{_plural(thing)} of {subject} {'increases' if word in _UP else 'decreases'}{by}"
    if failure.types[verb] == "NAME" and failure.index == verb and word.endswith("s"):
        rest = " ".join(text_at(failure, i) for i in range(verb + 1, failure.line_end))
        return f"{_stem(word)} by {subject} {rest}"
    return None


def _plural(thing: str) -> str:
    return thing if thing.endswith("s") else f"{thing}s"


def _stem(verb: str) -> str:
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes")) else verb[:-1]


def called(failure: Failure) -> Verdict | None:
    """`coins(p)`, as in a programming language."""
    of = ("NAME", keywords()["of"])
    for works in (failure.mended, failure.helped):
        for place in reversed(failure.line):
            if failure.types[place] != "NAME" or text_at(failure, place + 1) != "(":
                continue
            if failure.tokens[place].end_pos == failure.tokens[place + 1].start_pos and works(place, place + 1, of):
                name, inner = text_at(failure, place), text_at(failure, place + 2)
                right = f"{name} of {inner}" if text_at(failure, place + 3) == ")" else f"{name} of (...)"
                return "called", Diagnostic(
                    "LX033",
                    "what belongs to something is told with `of`",
                    failure.span(place, place + 2),
                    help=f"write `{shorten(right)}`",
                )
    return None


def verb_between(failure: Failure) -> Verdict | None:
    """`answer beats led`: a relation of the author's own, written as a verb."""
    relation = words_of_text("beats of (answer, led)")
    for first in reversed(failure.line):
        if failure.types[first : first + 3] != ["NAME"] * 3 or declares(failure, first):
            continue
        if failure.mended(first, first + 3, relation):
            one, verb, two = (text_at(failure, first + i) for i in range(3))
            right, name = shorten(f"{verb} of ({one}, {two})"), shorten(verb)
            return "verb_between", Diagnostic(
                "LX033",
                f"`{name}` cannot stand between two names",
                failure.span(first + 1, first + 2),
                help=f"write `{right}`, and declare `{name}` with `value` or `state`",
            )
    return None


def unit(failure: Failure) -> Verdict | None:
    """`increases by 2 coins`, `increases by 2 d6`."""
    place = failure.index
    if failure.type != "NAME" or failure.types[place - 1] != "INT" or not failure.mended(place, place + 1, ()):
        return None
    if text_at(failure, place - 2) == "move":  # what is moved is told by the places
        return None
    word = failure.shown
    if _DIE.fullmatch(word):
        return "unit", Diagnostic(
            "LX033",
            "a die is not a number before it is rolled",
            failure.span(place - 1, place + 1),
            help=f"roll first, `roll {text_at(failure, place - 1)} {word} as b`, and then write `sum of b`",
        )
    return "unit", Diagnostic("LX035", f"after a number `{word}` is not needed", failure.span(), help="take it away")


def homeless(failure: Failure) -> Verdict | None:
    """A line that belongs below some declaration, but stands at the margin."""
    start = failure.line.start
    word = text_at(failure, start)
    home = _HOMES.get(word)
    lost = start == 0 and failure.index == 0
    if word == "assume":
        lost = failure.declaration not in ("precedence", "scenario")
    if home is None or not lost:
        return None
    return "homeless", Diagnostic(
        "LX037",
        f"a line with `{word}` belongs in a `{home}` block",
        failure.span(start, start + 1),
        help=f"put it below a line that begins with `{home}`, indented by four spaces",
    )
