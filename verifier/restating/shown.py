"""What norms say in a state of play, as the interpreter sees it; and goals: states in which two of them say different.

The same questions that `solver.encode.saying` puts as terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, product

from rules import model as m
from rules.machine import Machine, Node
from rules.machine.base import Happening
from rules.machine.norms import RuleNorm
from rules.machine.state import State
from rules.machine.why import deciding_state
from rules.machine.world import Value
from rules.symbols import VariableSymbol
from solver.encode.saying import Subject, variables_in_order
from solver.play import Goal

Norms = Sequence[RuleNorm]
Said = frozenset[Value]
_MOST_ARGS = 3_000  # so many combinations of parts are looked at in one state


def said(machine: Machine, norms: Norms, subject: Subject, args: tuple[Value, ...], state: State) -> Said:
    """What norms say of a subject with these parts: values, or just that they apply."""
    return frozenset(one for norm in norms for one in _said(machine, norm, subject, args, state))


def env_of(
    machine: Machine, norm: RuleNorm, subject: Subject, args: tuple[Value, ...], state: State
) -> dict[str, Value] | None:
    """What the variables of a norm stand for where it applies to these parts."""
    return next((env for env in _envs(machine, norm, args, state)), None) if subject.sort != "move" else None


def _said(machine: Machine, norm: RuleNorm, subject: Subject, args: tuple[Value, ...], state: State) -> Iterator[Value]:
    body = norm.body
    if subject.sort == "move":
        yield from (True for _ in machine._matching([norm], subject.words, args, state))
        return
    for env in _envs(machine, norm, args, state):
        match body:
            case m.ValueNorm() | m.Case():
                yield machine.evaluator.value(body.value, state, env)
            case m.LimitNorm(most=most):
                yield machine.evaluator.value(most, state, env)
            case _:
                yield True


def _envs(machine: Machine, norm: RuleNorm, args: tuple[Value, ...], state: State) -> Iterator[dict[str, Value]]:
    body = norm.body
    for base in machine.bindings(norm):
        env = dict(base)
        if isinstance(body, m.LimitNorm):
            env |= dict(zip(variables_in_order(body.what, machine.needs(body.what)), args, strict=True))
        if isinstance(body, m.Case):
            env |= dict(zip(case_variables(machine, body), args, strict=True))
        if _fits(machine, body, args, env, state) and machine.applies(norm, env, state):
            yield env


def case_variables(machine: Machine, case: m.Case) -> tuple[str, ...]:
    value = next(v for v in machine.values.values() if any(one is case for one in v.cases))
    return tuple(name.text for name in value.variables)


def _fits(
    machine: Machine, body: m.NormBody | m.Case, args: tuple[Value, ...], env: dict[str, Value], state: State
) -> bool:
    match body:
        case m.ValueNorm(target=target):
            return _all_fit(machine, target.args, args, env, state)
        case m.EventNorm(event=event):
            return _event_fits(machine, event, args, env, state)
        case m.IgnoreNorm(what=what) if not isinstance(what, m.Name):
            return _event_fits(machine, what, args, env, state)
        case m.OutcomeNorm(outcome=m.Outcome(player=m.Ref() as player)):
            symbol = machine.checked.symbol_of(player)
            if isinstance(symbol, VariableSymbol) and symbol.name not in env:
                env[symbol.name] = args[0]
                return True
            who = machine.evaluator.value(player, state, env)
            return args[0] in who if isinstance(who, frozenset) else bool(who == args[0])
        case _:
            return True


def _all_fit(
    machine: Machine, patterns: Iterable[m.Expr], args: Iterable[Value], env: dict[str, Value], state: State
) -> bool:
    return all(machine.unify(pattern, arg, env, state) for pattern, arg in zip(patterns, args, strict=False))


def _event_fits(machine: Machine, event: m.Event, args: tuple[Value, ...], env: dict[str, Value], state: State) -> bool:
    match event:
        case m.PhraseEvent(phrase=phrase):
            return machine.match_phrase(phrase, args, env, state)
        case m.ChangeEvent(subject=ref, amount=amount):
            fits = _all_fit(machine, ref.args, args[:-1], env, state)
            return fits and (amount is None or machine.unify(amount, args[-1], env, state))
        case m.TransferEvent(what=what, where=where):
            return _all_fit(machine, (what, *where.args), args, env, state)
        case m.MomentEvent(moment=of) | m.RunsOutEvent(pile=of):
            return _all_fit(machine, of.args, args, env, state)


# ---- goals ----------------------------------------------------------------------------------------------------------


def goal_for(ours: Norms, theirs: Norms, subject: Subject, part: bool = False) -> Goal:
    """A state of play in which the two sides do not say the same; with `part`, one in which ours say something."""
    reads = reads_of((*ours, *theirs))
    if subject.sort == "move":
        return Goal(_asked_apart(ours, theirs, subject, part), "decisions", reads)
    if subject.sort == "event":
        return Goal(_events_apart(ours, theirs, part), "every step", reads)

    def holds(machine: Machine, state: State, _node: Node | None) -> bool:
        return any(
            one != said(machine, theirs, subject, args, state)
            for args in _all_args(machine, subject)
            if (one := said(machine, ours, subject, args, state)) or not part
        )

    # Whoever wins ends the game: there may be no decision after it.
    return Goal(holds, "every step" if subject.sort == "outcome" else "decisions", reads)


def _all_args(machine: Machine, subject: Subject) -> Iterator[tuple[Value, ...]]:
    domains = [machine.world.domain(type_) for type_ in subject.types]
    yield from islice(product(*domains), _MOST_ARGS)


def spoken_of(machine: Machine, subject: Subject, state: State) -> Iterator[tuple[tuple[Value, ...], State]]:
    """The parts of a subject that a state of play brings up, each with the state in which the rules are asked there:
    the moves of who is asked, what has just happened; of anything else, all."""
    match subject.sort:
        case "move":
            yield from _moves_asked(machine, subject.words, state)
        case "event":
            found = _just_happened(state)
            for happening in found[0] if found is not None else ():
                if found is not None and happening.key == subject.key:
                    yield _parts_of(happening, len(subject.types)), found[1]
        case _:
            yield from ((args, state) for args in _all_args(machine, subject))


def _parts_of(happening: Happening, count: int) -> tuple[Value, ...]:
    match happening.key[0]:
        case "change":
            by = happening.new if happening.amount is None else happening.amount
            return (*happening.args, by)
        case "transfer":
            return (happening.new, *happening.args)
        case _:
            return happening.args[:count]


def _moves_asked(machine: Machine, verb: str, state: State) -> Iterator[tuple[tuple[Value, ...], State]]:
    """The ways of one action that can be asked for here, of who is asked for an action."""
    deciding = deciding_state(state) if state.stack else state
    asked = machine.asked(deciding) if deciding.stack else None
    if asked is None:
        return
    actor, kind, phrases, env = asked
    for offered, phrase in machine._offered(deciding, kind, phrases):
        if offered == verb:
            fixed = machine._fixed(machine.verbs[verb], actor, phrase, env, deciding)
            every = machine._all_args(machine.verbs[verb], fixed)
            yield from ((args, deciding) for args in islice(every, _MOST_ARGS))


def _asked_apart(
    ours: Norms, theirs: Norms, subject: Subject, part: bool
) -> Callable[[Machine, State, Node | None], bool]:
    """Somebody is asked for an action, and of one way of it only one side speaks."""
    verb = subject.words

    def holds(machine: Machine, state: State, _node: Node | None) -> bool:
        return any(
            speaks != bool(machine._matching(theirs, verb, args, deciding))
            for args, deciding in _moves_asked(machine, verb, state)
            if (speaks := bool(machine._matching(ours, verb, args, deciding))) or not part
        )

    return holds


def _events_apart(ours: Norms, theirs: Norms, part: bool) -> Callable[[Machine, State, Node | None], bool]:
    """An event has just happened, or what it began has just ended, and only one side reacts to it."""

    def holds(machine: Machine, state: State, _node: Node | None) -> bool:
        found = _just_happened(state)
        if found is None:
            return False
        happenings, after = found
        return any(
            speaks != any(machine._reacting(norm, happening, after) for norm in theirs)
            for happening in happenings
            if (speaks := any(machine._reacting(norm, happening, after) for norm in ours)) or not part
        )

    return holds


def _just_happened(state: State) -> tuple[tuple[Happening, ...], State] | None:
    """The event on top of the stack, or below the action or procedure that ends just now; and the state without it."""
    stack = state.stack
    if not stack:
        return None
    if stack[-1].kind == "event" and stack[-1].stage == 2:
        return stack[-1].data["happenings"], state
    ends = len(stack) > 1 and stack[-1].kind == "moment" and stack[-1].stage == 2
    if ends and stack[-2].kind == "event" and stack[-2].stage == 2:
        after = state.copy()
        after.stack.pop()
        return stack[-2].data["happenings"], after
    return None


def reads_of(norms: Norms) -> tuple[m.Expr, ...]:
    """The expressions that must be looked at to know what norms say."""
    return tuple(expr for norm in norms for expr in _expressions(norm))


def _expressions(norm: RuleNorm) -> Iterator[m.Expr]:
    conditions = norm.conditions
    yield from (e for e in (conditions.when, conditions.unless, conditions.even_if) if e is not None)
    match norm.body:
        case m.ValueNorm(value=value) | m.Case(value=value):
            yield value
        case m.LimitNorm(what=what, most=most):
            yield from (what, most)
        case m.ModalNorm(actor=actor, phrases=phrases):
            yield actor
            yield from (arg.value for phrase in phrases for arg in phrase.args)
        case _:
            return
