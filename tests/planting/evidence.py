"""Evidence by play that a planted defect is there: the machine itself stops at it, or a game shows it.

Games are played by chance, with a leaning towards the moves that a defect has to do with. Where a rule never applies,
the clean book shows how many games it takes there, and several times as many are played; the tale is read in every way.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any
from unittest.mock import patch

from rules import model as m
from rules.check import CheckedRulebook
from rules.machine import Chance, Choice, Game, Machine, Open, Over, machine_of
from rules.machine.base import Happening
from rules.machine.norms import RuleNorm
from rules.machine.observer import Observer
from rules.machine.state import Frame, State
from tests.machine.making import checked
from tests.planting.clean import Book
from tests.planting.plant import Planted

GAMES = 150  # at most, to find something
SOME_GAMES = 15  # to see that something never comes about
_STEPS = 3_000  # without a decision; no game of a clean book needs as many
_LEANING = 0.7
_CORE_MOVES = frozenset({"sail", "load", "deliver"})


def machines(text: str) -> list[Machine]:
    """For two, three and four players."""
    rulebook: CheckedRulebook = checked(text)
    return [machine_of(rulebook, seats) for seats in (2, 3, 4)]


def positions(tables: list[Machine], games: int, favoured: frozenset[str] = frozenset()) -> Iterator[Game]:
    """Many games, at each of their decisions and at their ends."""
    for seed in range(games):
        game = Game(tables[seed % len(tables)], seed)
        chooser = random.Random(seed)
        while True:
            game.settle()
            yield game
            if not isinstance(game.node, Choice):
                break
            game.do(_chosen(game.node, chooser, favoured))


def _chosen(node: Choice, chooser: random.Random, favoured: frozenset[str]) -> str:
    texts = [move.text for move in node.moves]
    liked = [text for text in texts if text.split()[0] in favoured | _CORE_MOVES]
    if liked and chooser.random() < _LEANING:
        return chooser.choice(liked)
    return chooser.choice([text for text in texts if text != "stop"] or texts)


# ---- play stops -----------------------------------------------------------------------------------------------------


def stops(planted: Planted, wanted: str) -> bool:
    """Play comes to an open point of this kind that is about what was planted: by its rules, or by its words."""
    for game in positions(machines(planted.text), GAMES, planted.about):
        node = game.node
        if isinstance(node, Open) and node.kind == wanted:
            given = {norm.name for side in node.sides for norm in side}
            given |= {word.strip("`:,") for word in node.text.split()}
            if all(not given.isdisjoint(choice) for choice in planted.named):
                return True
    return False


def goes_round(planted: Planted, moment: Callable[[Planted], str]) -> bool:
    """Play goes on for ever without a decision, in this moment."""
    with patch("rules.machine.run.MAX_STEPS", _STEPS):
        for game in positions(machines(planted.text), GAMES, planted.about):
            if isinstance(game.node, Open) and game.node.kind == "stuck" and "round and round" in game.node.text:
                return game.state.running(moment(planted))
    return False


# ---- two norms are told apart ---------------------------------------------------------------------------------------


def _norms(machine: Machine, name: str) -> list[RuleNorm]:
    return [norm for norm in machine.norms if norm.name == name]


def _applies_to(machine: Machine, name: str, state: State) -> set[tuple[Any, ...]]:
    """The moves to which a rule applies."""
    (norm,) = _norms(machine, name)
    assert isinstance(norm.body, m.ModalNorm)
    verb = norm.body.phrases[0].verb.text
    domains = [machine.world.domain(type_) for type_ in machine.verbs[verb].types]
    return {args for args in product(*domains) if machine._matching([norm], verb, args, state)}


def differs(planted: Planted) -> bool:
    """Where somebody decides, the restatement applies and the rule does not, or the other way round."""
    new, old = (choice[0] for choice in planted.named)
    tables = machines(planted.text)
    if old in tables[0].tables:
        rows = [{key: _row(tables[0], name, key) for key in range(1, 7)} for name in (new, old)]
        return rows[0] != rows[1]
    return any(
        _applies_to(game.machine, new, game.state) != _applies_to(game.machine, old, game.state)
        for game in positions(tables, GAMES, planted.about)
        if isinstance(game.node, Choice)
    )


def _row(machine: Machine, table: str, key: int) -> object:
    rows = machine.tables[table].rows
    return [row.gives for row in rows if all(machine._key_fits(k, key) for k in row.keys)]


def excludes(planted: Planted) -> bool:
    """Two duties ask for different moves at once, and to meet the one ends both."""
    new, old = (choice[0] for choice in planted.named)
    for game in positions(machines(planted.text), GAMES, planted.about):
        owed = {legal.args: {applied.norm.name for applied in legal.owed} for legal in game.legal() if legal.owed}
        if {new} in owed.values() and {old} in owed.values():
            game.do(game.moves[0])
            game.settle()
            return not any(applied.norm.name in (new, old) for legal in game.legal() for applied in legal.owed)
    return False


def adds_nothing(planted: Planted) -> bool:
    """The rule applies, and without it every decision is as it was."""
    new = planted.named[0][0]
    applied = False
    for game in positions(machines(planted.text), SOME_GAMES, planted.about):
        if game.legal():
            applied = applied or bool(_applies_to(game.machine, new, game.state))
            if moves_without(game, frozenset()) != moves_without(game, frozenset({new})):
                return False
    return applied


def moves_without(game: Game, rules: frozenset[str]) -> object:
    state = game.state.copy()
    state.disabled = dict.fromkeys(rules)
    return {(one.verb, one.args, one.must) for one in game.machine.legal_now(state)}


def never_matters(planted: Planted) -> bool:
    """Neither rule ever goes before the other."""
    pair = {choice[0] for choice in planted.named}
    for game in positions(machines(planted.text), SOME_GAMES, planted.about):
        asked = game.machine.asked(game.state) if isinstance(game.node, Choice) else None
        for one in game.machine.survey(game.state, *asked) if asked is not None else ():
            if any({defeat.winner.norm.name, defeat.loser.norm.name} == pair for defeat in one.defeats):
                return False
    return True


# ---- the order matters ----------------------------------------------------------------------------------------------


def order_matters(planted: Planted) -> bool:
    """Somebody is asked which comes first, and the two answers lead to different states."""
    wanted = {f"first {choice[0]}" for choice in planted.named}
    for game in positions(machines(planted.text), GAMES, planted.about):
        if isinstance(game.node, Choice) and wanted <= {move.text for move in game.node.moves}:
            ends = []
            for move in game.node.moves:
                if move.text in wanted:
                    state = game.state.copy()
                    game.machine.answer(state, move)
                    game.machine.run(state)
                    ends.append(state.cells)
            if ends[0] != ends[1]:
                return True
    return False


def read_too_early(book: Book, planted: Planted) -> bool:
    """The step that reads the load finds none; in the clean book it always finds one."""
    toll, _, load, _ = planted.rules
    before = _loads(book.text(), toll, load)
    after = _loads(planted.text, toll, load)
    return bool(before) and None not in before and set(after) == {None}


def overwritten(planted: Planted) -> bool:
    """Different loads are there when it is overwritten, and the step that reads it finds the same one always."""
    found, read = (
        set(_loads(planted.text, f"{planted.group}_{step}", f"{planted.group}_load")) for step in ("levelling", "toll")
    )
    return found == {1, 2} and read == {2}


def _loads(text: str, step: str, load: str) -> list[object]:
    """What a piece of state is whenever a step begins."""
    found: list[object] = []
    table = machines(text)[0]
    base = next(slot.base for slot in table.world.slots.values() if slot.symbol.name == load)
    emit = table._emit

    def watched(state: State, happenings: tuple[Happening, ...], perform: tuple[Any, ...]) -> None:
        if (happenings[0].key, happenings[0].word) == (("moment", step), "begins"):
            found.append(state.cells[base])
        emit(state, happenings, perform)

    table._emit = watched  # type: ignore[method-assign]
    for _ in positions([table], 5):
        pass
    return found


# ---- what never comes about -----------------------------------------------------------------------------------------


def applied_rules(
    text: str, games: int, favoured: frozenset[str] = frozenset(), wanted: frozenset[str] = frozenset()
) -> tuple[set[str], int]:
    """The rules whose conditions held when they were asked, and the number of games; the `wanted` ones are enough.

    No game may stop at an open point.
    """
    found: set[str] = set()
    tables = machines(text)
    for table in tables:
        _watch(table, found)
    played = 0
    for game in positions(tables, games, favoured):
        assert not isinstance(game.node, Open), game.node
        played += isinstance(game.node, Over)
        if wanted and wanted <= found:
            break
    return found, played


def _watch(table: Machine, found: set[str]) -> None:
    applies = table.applies

    def watched(norm: RuleNorm, env: Any, state: State) -> bool:
        holds = applies(norm, env, state)
        if holds:
            found.add(norm.name)
        return holds

    table.applies = watched  # type: ignore[method-assign]


def never_applies(book: Book, planted: Planted) -> bool:
    """In several times as many games as it takes in the clean book, if the rule stands there too."""
    (name,) = planted.rules
    games = SOME_GAMES
    if any(rule.name == name for group in book.groups for rule in group.rules):
        found, played = applied_rules(book.text(), GAMES, planted.about, frozenset({name}))
        if name not in found:
            return False
        games = max(games, 3 * played)
    return name not in applied_rules(planted.text, games, planted.about)[0]


def readings_of_the_tale(text: str) -> set[tuple[str, str]]:
    """Every option that is ever open, with its passage, in all ways of reading the tale."""
    table = machines(text)[0]
    game = Game(table)
    game.settle()
    found: set[tuple[str, str]] = set()
    known: set[tuple[Any, ...]] = set()
    waiting = [game.state]
    while waiting:
        state = waiting.pop()
        node = table.run(state)
        if isinstance(node, Chance | Open | Over) or not node.what.startswith("read "):
            continue
        passage = node.what.removeprefix("read ")
        if (key := (passage, *map(str, state.cells))) in known:
            continue
        known.add(key)
        for move in node.moves:
            found.add((passage, move.text))
            after = state.copy()
            table.answer(after, move)
            waiting.append(after)
    return found


def never_read(book: Book, planted: Planted) -> bool:
    """Some option of the passage is open in the clean book and never in this one."""
    lost = readings_of_the_tale(book.text()) - readings_of_the_tale(planted.text)
    return any(passage in planted.rules for passage, _ in lost)


# ---- what is asked of the book --------------------------------------------------------------------------------------


def demands(planted: Planted) -> bool:
    """The restatement demands what the rule allows, at the same time."""
    new, old = (choice[0] for choice in planted.named)
    for game in positions(machines(planted.text), GAMES, planted.about):
        if isinstance(game.node, Choice) and _applies_to(game.machine, new, game.state):
            modals = [norm.body.modal for name in (new, old) for norm in _norms(game.machine, name)]  # type: ignore[union-attr]
            return modals == ["must", "may"] and bool(_applies_to(game.machine, old, game.state))
    return False


def never_offered(book: Book, planted: Planted) -> bool:
    """The action is legal in the clean book, and never in this one."""
    (verb,) = planted.rules
    return _is_offered(book.text(), GAMES, planted, verb) and not _is_offered(planted.text, SOME_GAMES, planted, verb)


def _is_offered(text: str, games: int, planted: Planted, verb: str) -> bool:
    return any(
        one.verb == verb and one.legal
        for game in positions(machines(text), games, planted.about)
        if isinstance(game.node, Choice)
        for one in game.legal()
    )


def never_comes(planted: Planted, words: tuple[str, ...]) -> bool:
    """No play enters a moment, reads an ending or finds a row of that name."""
    seen: set[str] = set()
    tables = machines(planted.text)
    for table in tables:
        table.observer = _Seeing(seen, table)
    for _ in positions(tables, SOME_GAMES, planted.about):
        pass
    return bool(seen) and seen.isdisjoint(words)


class _Seeing(Observer):
    """The moments that are entered, and the statements that are carried out, by name or by their text."""

    def __init__(self, seen: set[str], table: Machine) -> None:
        self.seen = seen
        self.rows = {id(row): f"{name} {row.keys[0].span.text}" for name, t in table.tables.items() for row in t.rows}

    def entered(self, frame: Frame, state: State) -> None:  # noqa: ARG002
        self.seen.add(str(frame.moment))

    def done(self, statement: m.Statement, state: State) -> None:  # noqa: ARG002
        self.seen.add(statement.span.text.strip())

    def found_row(self, row: m.Row, state: State) -> None:  # noqa: ARG002
        self.seen.add(self.rows.get(id(row), ""))


def never_followed(planted: Planted) -> bool:
    """The step has no line, or the faces of the roll are never looked at: the state after it is the same."""
    name = planted.rules[0]
    lines = planted.text.split("\n")
    place = next(i for i, line in enumerate(lines) if line.strip().startswith((f"step {name}", f"action {name} ")))
    rest = lines[place + 1].strip()
    return rest == "roll d6 as n" or len(lines[place + 1]) - len(rest) <= len(lines[place]) - len(lines[place].strip())


def is_denied(planted: Planted) -> bool:
    """Where the question asks, the move is offered at some other time, and never then."""
    (verb,) = planted.rules
    asked = next(line for line in planted.text.split("\n") if line.startswith(f"    p may {verb} when "))
    weather = asked.rsplit(" ", 1)[1]
    then: set[bool] = set()
    for game in positions(machines(planted.text), GAMES, planted.about):
        if isinstance(game.node, Choice):
            now = _weather(game) == weather
            then |= {now for one in game.legal() if one.verb == verb and one.legal}
    return then == {False}


def _weather(game: Game) -> str:
    slot = next(slot for slot in game.machine.world.slots.values() if slot.symbol.name == "weather")
    return game.machine.world.show(game.state.cells[slot.base], slot.symbol.type)


def is_broken(planted: Planted) -> bool:
    """The claim says never, and it comes about; or possible, and there is no such weather."""
    claim = next(line for line in planted.text.split("\n") if line.startswith("claim "))
    if " possible " in claim:
        return claim.endswith("weather is calm and weather is storm")
    (name,) = planted.rules
    most = int(claim.rsplit(" ", 1)[1])
    for game in positions(machines(planted.text), GAMES, planted.about):
        slot = next(slot for slot in game.machine.world.slots.values() if slot.symbol.name == name)
        if most in game.state.cells[slot.base : slot.base + slot.count]:
            return True
    return False


def never_decides(planted: Planted) -> bool:
    """No two rules are told apart by the line of precedence."""
    word = planted.rules[0]
    for game in positions(machines(planted.text), SOME_GAMES, planted.about):
        asked = game.machine.asked(game.state) if isinstance(game.node, Choice) else None
        for one in game.machine.survey(game.state, *asked) if asked is not None else ():
            if any(defeat.ground.words.startswith(word) for defeat in one.defeats):
                return False
    return True


def speaks_of_nobody(planted: Planted) -> bool:
    """The rule applies in some play, and with what it asks for turned round it applies just as well."""
    (name,) = planted.rules
    other = planted.text.replace("satisfies q is ship of p", "satisfies q is not ship of p")
    found = [applied_rules(text, GAMES, planted.about, frozenset({name}))[0] for text in (planted.text, other)]
    return other != planted.text and all(name in one for one in found)


def _covered(planted: Planted) -> bool:
    """No play carries out what the covered case says: it is told apart by being put where the first one is."""
    survey = planted.rules[0]
    lines = planted.text.split("\n")
    place = next(i for i, line in enumerate(lines) if line.strip() == f"step {survey}")
    first, case = lines[place + 1].strip(), lines[place + 3].strip()
    return case.startswith(f"otherwise {first} and ")


# ---- by kind --------------------------------------------------------------------------------------------------------


def _raising(planted: Planted) -> str:
    return planted.named[0][2]


def _cooking(planted: Planted) -> str:
    return next(name for name in planted.about if name.startswith("cook_") and not name.endswith("_allowed"))


def _open(kind: str) -> Callable[[Book, Planted], bool]:
    return lambda _, planted: stops(planted, kind)


def _shown(show: Callable[[Planted], bool]) -> Callable[[Book, Planted], bool]:
    return lambda _, planted: show(planted)


EVIDENCE: dict[str, Callable[[Book, Planted], bool]] = {
    "guard dropped": _shown(differs),
    "number changed": _shown(differs),
    "actor changed": _shown(differs),
    "time changed": _shown(differs),
    "item dropped": _shown(differs),
    "row shifted": _shown(differs),
    "said otherwise": _shown(demands),
    "hole in a table": _open("gap"),
    "rows that meet": _open("undetermined"),
    "tie without a breaker": _open("gap"),
    "value without a case": _open("gap"),
    "empty stock": _open("gap"),
    "duty without a way": _open("unmet"),
    "beyond its range": _open("broken"),
    "nothing follows": _shown(never_followed),
    "case covered": _shown(_covered),
    "may against cannot": _open("undetermined"),
    "must against cannot": _open("undetermined"),
    "two duties": _shown(excludes),
    "two values": _open("undetermined"),
    "two replacements": _open("undetermined"),
    "link cut": never_read,
    "guard against itself": never_applies,
    "guard against history": never_read,
    "action never legal": never_offered,
    "moment never entered": lambda _, planted: never_comes(planted, planted.rules),
    "ending never read": lambda _, planted: never_comes(planted, ('ending "You are crowned."',)),
    "row never up": lambda _, planted: never_comes(planted, (f"{planted.rules[0]} 5..6",)),
    "steps swapped": read_too_early,
    "overwritten unread": _shown(overwritten),
    "triggers without order": _shown(order_matters),
    "cycle": _open("undetermined"),
    "idle override": _shown(never_matters),
    "idle meta-rule": _shown(never_decides),
    "question failed": _shown(is_denied),
    "claim failed": _shown(is_broken),
    "no legal move": _shown(partial(goes_round, moment=_raising)),
    "no open option": _open("stuck"),
    "endless loop": _shown(partial(goes_round, moment=_cooking)),
    "win and loss": _open("undetermined"),
    "ending out of reach": never_applies,
    "ending of nobody": _shown(speaks_of_nobody),
    "two readings": _open("undetermined"),
    "said already": _shown(adds_nothing),
}
