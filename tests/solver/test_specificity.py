"""Specificity by proof: what the referee says of two norms, and that everybody who asks it plays and proves alike."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from rules import model as m
from rules.machine import Choice, Game, Machine, machine_of
from rules.machine.base import Broken
from rules.machine.norms import Applied, Gap, RuleNorm, Undetermined, is_narrower_by_form
from rules.machine.state import State
from rules.machine.world import Value
from solver.encode.expressions import NotEncodable, Trouble
from solver.encode.legality import Encoder, Weighed
from solver.encode.space import Space
from solver.encode.sym import Sym, code
from solver.referee import referee_of
from solver.terms import evaluate, variables_of
from tests.machine.making import checked
from tests.machine.properties import DARING, decisions, make
from tests.making import SHAPES, random_book

ROOT = Path(__file__).parents[2]

HEAD = """\
game "Gifts" played by Player

kind Player 2..3
    coins 0..9 starts 3
    passed yes/no
    ship Port starts athens

kind Port named athens, rhodes, crete

type Weather is calm, rough, storm

let p, other be Player
let q be Port
let n be 0..9
let k be 0..999

precedence
    assume specific over general
    otherwise undecided

state
    weather Weather starts calm
    day 1..30 starts 1

play
    repeat until day is 30
        phase gifts
            each p
                p takes up to 1 action
        phase dusk
            weather becomes storm
            each p
                passed of p becomes yes
            day increases by 1

action give by p against other to q
    coins of p decreases by 1
    ship of p becomes q

action bid by p with k
    coins of p decreases by 1

value wealth of p: 0..30
    is coins of p + day when day <= 20

value toll of p: 0..9
    usually is 0

"""


def the_machine(*rules: str) -> Machine:
    text = "\n\n".join(f"rule {name}\n    {rule}" for name, rule in zip("abcdef", rules, strict=False))
    return machine_of(checked(f"{HEAD}{text}\n"), 2, (), referee_of)


def applied(machine: Machine, norm: RuleNorm) -> Applied:
    """As precedence sees it: all variables are bound, whatever to."""
    phrase = norm.body.phrases[0] if isinstance(norm.body, m.ModalNorm) else None
    return Applied(norm, dict.fromkeys(machine.variables), phrase)


def compared(one: str, other: str) -> str:
    """Which is the narrower, by proof."""
    machine = the_machine(one, other)
    first, second = (applied(machine, norm) for norm in machine.norms)
    narrower = machine.precedence.is_more_specific
    assert not (narrower(first, second) and narrower(second, first))
    return "first" if narrower(first, second) else "second" if narrower(second, first) else "neither"


@pytest.mark.parametrize(
    ("one", "other", "narrower"),
    [
        ("p may give when day > 3 and passed of p", "p cannot give when day > 3", "first"),
        ("p may give when day > 7", "p cannot give when day > 3", "first"),
        ("p may give when weather is storm", "p cannot give when weather is not calm", "first"),
        ("p may give when coins of p is 5", "p cannot give when coins of p is in {4, 5}", "first"),
        ("p may give unless day < 9", "p cannot give unless day < 5", "first"),
        ("p may give unless weather is calm", "p cannot give unless not passed of p", "neither"),
        # the same in other words, and what types promise anyway
        ("p may give when day > 3", "p cannot give when not day <= 3", "neither"),
        ("p may give when day >= 1 and passed of p", "p cannot give when passed of p", "neither"),
        # the parts of the action are shared, whatever the variables are called
        ("other may give against p when coins of other > 3", "p cannot give when coins of p > 2", "first"),
        ("p may give to rhodes", "p cannot give to q when q is not athens", "first"),
        ("p may give against other when coins of other > 5", "p cannot give when coins of p > 3", "neither"),
        ("p may give against p", "p cannot give", "first"),
        # through a value, where the value is known
        ("p may give when wealth of p > 10 and day < 3", "p cannot give when coins of p is 9", "first"),
        ("p may give when wealth of p > 9 and day is 2", "p cannot give when coins of p is 9", "neither"),
        # who wins, values and events
        ("p wins when coins of p is 9", "other loses when coins of other > 3", "first"),
        ("toll of p is 3 when coins of p is 9", "toll of other is 4 when coins of other > 3", "first"),
        ("toll of p is 3", "toll of other is 4 when coins of other > 3", "second"),
        (
            "ignore coins of p decreases by n if n > 3",
            "instead of coins of other decreases by n if n > 1\n        day increases by 1",
            "first",
        ),
        ("ignore coins of p decreases", "instead of coins of p changes\n        day increases by 1", "first"),
        ("ignore weather becomes storm", "instead of weather changes\n        day increases by 1", "first"),
        ("ignore give against other", "instead of give to rhodes\n        day increases by 1", "second"),
    ],
)  # fmt: skip
def test_the_narrower_of_two(one: str, other: str, narrower: str) -> None:
    assert compared(one, other) == narrower
    turned = {"first": "second", "second": "first", "neither": "neither"}
    assert compared(other, one) == turned[narrower]


def test_parts_are_compared_where_a_condition_has_no_form_as_a_term() -> None:
    asked = "happened (bid by p with k) this game"
    machine = the_machine(f"p may bid with k when {asked} and day > 3", f"p cannot bid with k when {asked}")
    encoder = Encoder(Space(machine))
    with pytest.raises(NotEncodable, match="combinations"):
        encoder.matching(machine.norms, "bid", encoder.parts("bid"))
    first, second = (applied(machine, norm) for norm in machine.norms)
    assert is_narrower_by_form(first, second)
    assert machine.precedence.is_more_specific(first, second)
    assert not machine.precedence.is_more_specific(second, first)


DEPTH = """
value depth of q: 0..9
    is 1
    is 2 when some port where port is next to q and depth of port > 3
    is 3 when (some port where port is next to q and depth of port > 3) and day > 2
"""


def test_a_case_that_asks_for_its_own_value_is_compared_by_its_parts() -> None:
    more = "map sea of Port\n    links athens - rhodes - crete\n\nlet port be Port\n"
    machine = machine_of(checked(f"{HEAD}{more}{DEPTH}"), 2, (), referee_of)
    (node,) = (node for node in machine.values.values() if node.name.text == "depth")
    cases = [Applied(machine.case_norm(node, place), {"q": None}) for place in range(3)]
    assert machine.precedence.is_more_specific(cases[1], cases[0])
    assert machine.precedence.is_more_specific(cases[2], cases[1])
    assert not machine.precedence.is_more_specific(cases[1], cases[2])


def test_proof_decides_in_play() -> None:
    text = "p may give when day < 5", "p cannot give when day < 3"
    machine = the_machine(*text)
    start = Space(machine).start
    found = machine.weigh("give", (0, 1, 1), start)
    assert not found.legal
    assert [(d.loser.norm.name, d.winner.norm.name, d.ground.words) for d in found.defeats] == [
        ("a", "b", "specific over general")
    ]
    assert machine_of(machine.checked, 2).weigh("give", (0, 1, 1), start).clash is not None


# ---- what is loaded when --------------------------------------------------------------------------------------------


def loaded(book: str) -> tuple[bool, bool]:
    """Whether a game of a few moves needs the encoder, and Z3, in a fresh process."""
    code = (
        "import sys, ludex\n"
        f"game = ludex.load({book!r}).start(seed=3)\n"
        "game.settle(); game.do(game.moves[0]); game.settle()\n"
        "print('solver.encode.specificity' in sys.modules, 'z3' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    first, second = done.stdout.split()
    return first == "True", second == "True"


def written(tmp_path: Path, *rules: str) -> str:
    text = "\n\n".join(f"rule {name}\n    {rule}" for name, rule in zip("abcdef", rules, strict=False))
    (tmp_path / "gifts.rules").write_text(f"{HEAD}{text}\n", encoding="utf-8")
    return str(tmp_path / "gifts.rules")


def test_nothing_is_loaded_where_no_two_norms_meet(tmp_path: Path) -> None:
    assert loaded("harbour") == (False, False)
    assert loaded(written(tmp_path, "p may give when day < 5", "p cannot give when day > 9")) == (False, False)


def test_bounds_tell_without_a_solver(tmp_path: Path) -> None:
    assert loaded(written(tmp_path, "p may give when day < 5", "p cannot give when day < 2 and not passed of p")) == (
        True,
        False,
    )


def test_only_a_solver_can_tell(tmp_path: Path) -> None:
    """That a square is not 7 more than another square's double is not seen by looking at bounds."""
    one = "p may give when coins of p * coins of p - day * day * day + day * coins of p is 3 - day or day < 4"
    other = "p cannot give when coins of p * coins of p + day * coins of p is day * day * day - day + 3 or day < 5"
    assert loaded(written(tmp_path, one, other)) == (True, True)


# ---- engine against engine ------------------------------------------------------------------------------------------

BOOKS = [(shape, seed) for shape in sorted(SHAPES) for seed in range(80)]


def interpreted(machine: Machine, verb: str, args: tuple[Value, ...], state: State) -> tuple[bool, bool, bool] | None:
    try:
        found = machine.weigh(verb, args, state)
    except (Undetermined, Gap, Broken):
        return None
    return found.legal, found.must, found.clash is not None


def test_interpreter_and_encoder_agree_on_books_where_the_specific_goes_first() -> None:
    tally: Counter[str] = Counter()
    for shape, seed in BOOKS:
        if "specific over general" not in random_book(seed, replace(SHAPES[shape], daring=DARING)):
            continue
        made = make(shape, seed)
        machine = machine_of(made.checked, None, made.policies, referee_of)
        tally["books"] += 1
        space = Space(machine)
        weighed = {verb: _weighed(Encoder(space), verb) for verb in machine.actions if machine.by_of(verb) is not None}
        rng = random.Random(seed)
        game = Game(machine, seed)
        for node in decisions(game, 20):
            if isinstance(node, Choice):
                for verb, found in weighed.items():
                    if found is not None:
                        _compare(machine, space, verb, found, game.state, rng, tally)
    assert tally["books"] >= 40
    assert tally["compared"] > 1_500
    assert tally["legal"] > 100
    assert tally["clash"] > 0


def _weighed(encoder: Encoder, verb: str) -> tuple[tuple[Sym, ...], Weighed, list[Trouble]] | None:
    try:
        with encoder.apart() as troubles:
            parts = encoder.parts(verb)
            return parts, encoder.weigh(verb, parts), troubles
    except NotEncodable:
        return None


def _compare(
    machine: Machine,
    space: Space,
    verb: str,
    asked: tuple[tuple[Sym, ...], Weighed, list[Trouble]],
    state: State,
    rng: random.Random,
    tally: Counter[str],
) -> None:
    parts, weighed, troubles = asked
    types = machine.verbs[verb].types
    args = tuple(rng.choice(machine.world.domain(type_)) for type_ in types)
    expected = interpreted(machine, verb, args, state)
    terms = [weighed.legal, weighed.must, weighed.clash, *(trouble.when for trouble in troubles)]
    values = space.values_in(state, terms)
    for part, arg, type_ in zip(parts, args, types, strict=True):
        plain = 0 if arg is None else code(arg, type_, machine.world)
        values |= dict.fromkeys(variables_of(part.payload), plain)
        values |= dict.fromkeys(variables_of(part.none), arg is None)
    troubled = any(evaluate(trouble.when, values) for trouble in troubles)
    found = None if troubled else tuple(bool(evaluate(term, values)) for term in terms[:3])
    assert found == expected, (machine.checked.book.declarations[0].span.source.path, verb, args)
    tally["compared"] += 1
    if expected is not None:
        tally["legal"] += expected[0]
        tally["clash"] += expected[2]


def test_what_is_proved_narrower_applies_only_where_the_wider_does() -> None:
    """Against play: states are never found in which the proved narrower norm applies to a move and the wider not."""
    tally: Counter[str] = Counter()
    for shape, seed in BOOKS[::4]:
        made = make(shape, seed)
        machine = machine_of(made.checked, None, made.policies, referee_of)
        pairs = [
            (verb, one, other)
            for verb, norms in machine.modals.items()
            for one in norms
            for other in norms
            if one is not other and _plain(one) and _plain(other) and machine.by_of(verb) is not None
        ]
        narrower = [
            (verb, one, other)
            for verb, one, other in pairs
            if machine.precedence.is_more_specific(_as_applied(machine, one, verb), _as_applied(machine, other, verb))
        ]
        tally["pairs"] += len(pairs)
        tally["narrower"] += len(narrower)
        rng = random.Random(seed)
        game = Game(machine, seed)
        for node in decisions(game, 6):
            if not isinstance(node, Choice):
                continue
            for verb, one, other in narrower:
                if {one.name, other.name} & (game.state.disabled.keys() | machine.ignored.keys()):
                    continue
                args = tuple(rng.choice(machine.world.domain(type_)) for type_ in machine.verbs[verb].types)
                try:
                    found = [bool(machine._matching([norm], verb, args, game.state)) for norm in (one, other)]
                except (Undetermined, Gap, Broken):
                    continue
                tally["asked"] += 1
                assert found != [True, False], (shape, seed, verb, one.name, other.name, args)
    assert tally["narrower"] > 30
    assert tally["asked"] > 80


def _plain(norm: RuleNorm) -> bool:
    """Frequencies, readings and what switches a rule off are no part of its condition."""
    body = norm.body
    assert isinstance(body, m.ModalNorm)
    return body.frequency is None and len(body.phrases) == 1 and norm.reading is None


def _as_applied(machine: Machine, norm: RuleNorm, verb: str) -> Applied:
    assert isinstance(norm.body, m.ModalNorm)
    phrase = next(phrase for phrase in norm.body.phrases if phrase.verb.text == verb)
    return Applied(norm, dict.fromkeys(machine.variables), phrase)
