"""What is proved of small games, known beforehand; and proofs beside play, on random books."""

from __future__ import annotations

import pytest

from rules import model as m
from rules.machine import machine_of
from solver.encode.legality import Encoder
from solver.encode.space import Space
from solver.flow.flow import Budget
from solver.flow.prove import Comes, Never, Prover, Verdict, prove_never
from solver.play import replay
from solver.terms import Flag, both, equal, less, no, plus
from solver.verdict import Unknown
from tests.machine.properties import make
from tests.solver.proving import Compared, compare_proofs
from tests.verifier.judging import checked

DIGGERS = """
game "Diggers" played by Player
kind Player 2
    coins 0..60 starts 3
state
    chest 0..60 starts 6
    open_ yes/no
let p be Player
play
    repeat
        turns of p until some p where coins of p >= 50
            p must dig or store or take
action dig by p
    coins of p increases by 2
action store by p
    pay 2 from coins of p
    chest increases by 2
action take by p
    chest decreases by 2
    coins of p increases by 2
rule digging
    p may dig when coins of p < 21
rule storing
    p may store when chest < 40
rule taking
    p may take when chest > 1 and coins of p < 41
"""


def cell(encoder: Encoder, name: str, place: int = 0) -> Flag:
    slot = next(slot for slot in encoder.world.slots.values() if slot.symbol.name == name)
    payload: Flag = encoder.space.cell(slot.base + place).payload
    return payload


def encoder_of(text: str) -> Encoder:
    return Encoder(Space(machine_of(checked(text))))


def verdict(text: str, condition: str) -> Verdict:
    """What is said to one of the conditions below, of the coins and the chest of a text."""
    encoder = encoder_of(text)
    first, second, chest = cell(encoder, "coins"), cell(encoder, "coins", 1), cell(encoder, "chest")
    conditions = {
        "rich": less(60, plus(first, 8)),
        "odd chest": equal(chest, 7),
        "even coins": equal(first, 4),
        "coins of both": both(equal(first, 5), equal(second, 7)),
        "full chest": less(41, chest),
    }
    return prove_never(encoder, conditions[condition])


def test_bounds_exclude_what_guards_keep_out() -> None:
    found = verdict(DIGGERS, "full chest")
    assert isinstance(found, Never)
    assert found.by == "bounds"


@pytest.mark.parametrize("condition", ["odd chest", "even coins"])
def test_what_goes_by_twos_stays_odd_or_even(condition: str) -> None:
    found = verdict(DIGGERS, condition)
    assert isinstance(found, Never | Unknown)


def test_a_play_is_found_and_replayed() -> None:
    found = verdict(DIGGERS, "coins of both")
    assert isinstance(found, Comes)
    encoder = encoder_of(DIGGERS)
    state, _ = replay(encoder.machine, found.play)
    assert state.cells[:2] == [5, 7]
    assert len(found.play) >= 3


def test_a_loop_over_two_places_needs_more_than_one_step() -> None:
    """Who is two ahead was two ahead one decision before: the other has had a turn since."""
    text = """
game "Rungs" played by Player
kind Player 2
    rung 0..60
let p be Player
play
    turns of p until some p where rung of p > 50
        p must climb
action climb by p
    rung of p increases by 1
rule climbing
    p may climb when rung of p < 60
"""
    encoder = encoder_of(text)
    first, second = cell(encoder, "rung"), cell(encoder, "rung", 1)
    found = prove_never(encoder, less(plus(second, 1), first))
    assert isinstance(found, Never)
    assert found.by in ("bounds", "induction", "k-induction")
    assert isinstance(prove_never(encoder, less(second, first)), Comes)


SECRET = """
game "Fists" played by Player
kind Player 2
    shown 0..5
let p be Player
let n be 0..5
play
    repeat
        each p secretly
            p chooses n
            shown of p becomes n
"""


def test_what_cannot_be_followed_is_named_and_proves_nothing() -> None:
    encoder = encoder_of(SECRET)
    prover = Prover(encoder, [less(5, plus(cell(encoder, "shown"), 1))])
    assert not prover.closed
    assert "choices are made in secret" in prover.flow.left_out.values()
    found = prover.never(0)
    assert isinstance(found, Unknown)
    assert "secret" in found.reason


def test_a_small_budget_is_said() -> None:
    encoder = encoder_of(DIGGERS)
    prover = Prover(encoder, [less(41, cell(encoder, "chest"))], Budget(locations=1, edges=1))
    assert not prover.flow.complete
    assert isinstance(prover.never(0), Unknown)


def test_sums_that_stay() -> None:
    encoder = encoder_of(
        DIGGERS.replace("p must dig or store or take", "p must store or take").replace(
            "until some p where coins of p >= 50", "until chest is 59"
        )
    )
    prover = Prover(encoder, ())
    assert prover.closed
    (found,) = prover.sums
    assert found.value == 12
    assert {variable.args[0][2] for _, variable in found.factors} == {
        ("coins", "Player 1"),
        ("coins", "Player 2"),
        ("chest",),
    }


@pytest.mark.parametrize("shape", ["numbers", "rules", "values", "triggers", "dice", "choices"])
def test_no_play_contradicts_a_proof(shape: str) -> None:
    compared = Compared()
    for seed in range(2):
        compare_proofs(make(shape, seed).machine(), f"{shape}:{seed}", compared, count=3)
    assert compared.failures == []
    assert compared.verdicts


# ---- what was proved helps to prove more


STACKS = """
game "Stacks" played by Player
kind Player named light, dark
type Column is 1..3
kind Place square grid 3 by 3
    disc Player or none
let p be Player
let s be Place
let i be Column
play
    turns of p until every s satisfies disc of s is not none
        p must drop
value filled of i: 0..3 is number of (s where column of s is i and disc of s is not none)
value landing of i: Place or none is cell of (Place, i, filled of i + 1)
value discs of p: 0..9 is number of (s where disc of s is p)
action drop by p into i during turn
    disc of landing of i becomes p
rule a_disc_a_turn
    p may drop into i
rule full
    p cannot drop into i when landing of i is none
precedence
    assume cannot over may
claim always discs of light - discs of dark <= {ahead}
{more}"""
FLOATS = """claim never some s where row of s > 1 and disc of s is not none
        and disc of cell of (Place, column of s, row of s - 1) is none
"""


def _claimed(text: str) -> Prover:
    encoder = Encoder(Space(machine_of(checked(text))))
    conditions: list[Flag] = []
    for claim in encoder.machine.checked.book.declarations:
        if isinstance(claim, m.Claim):
            held = encoder.holds(claim.condition, {})
            conditions.append(no(held) if claim.word == "always" else held)
    return Prover(encoder, tuple(conditions))


def test_what_an_edge_adds_to_a_sum_is_known_by_what_was_proved() -> None:
    prover = _claimed(STACKS.format(ahead=1, more=FLOATS))
    assert prover.never(1, thorough=False) == Never("induction", prover._read(1))
    assert prover.never(0, thorough=False) == Never("bounds", prover._read(0))


def test_and_not_where_nothing_was_proved_or_it_is_not_so() -> None:
    assert isinstance(_claimed(STACKS.format(ahead=1, more="")).never(0, thorough=False), Unknown)
    assert isinstance(_claimed(STACKS.format(ahead=0, more=FLOATS)).never(0, thorough=False), Unknown)


PAIRS = """
game "Pairs" played by Player
kind Player 2
let p be Player
let n be 0..3
state
    u 0..3 starts 0
    v 0..3 starts 1
    w 0..3 starts 2
    z 0..3 starts 3
play
    turns of p until no
        p must wind or spin
action wind by p with n
    u becomes n
{ends}
action spin by p with n
    w becomes n
    if w is z
        p wins
rule turning
    p may wind with n or spin with n
claim never u is v and w is z
"""


def test_a_condition_is_excluded_by_its_parts() -> None:
    prover = _claimed(PAIRS.format(ends="    if u is v\n        p wins"))
    assert prover.never(0, thorough=False) == Unknown("bounds and induction do not exclude it")
    assert prover.never(0) == Never("induction over its parts", prover._read(0))


def test_and_not_where_the_game_goes_on_with_one_of_them() -> None:
    prover = _claimed(PAIRS.format(ends="    nothing"))
    assert prover._by_parts(0) is None
    assert isinstance(prover.never(0), Comes)
