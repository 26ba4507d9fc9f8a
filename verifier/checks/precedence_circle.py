"""LX922: norms that all apply, each of which gives way to another: a circle, and nothing decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from solver.encode.judging import Applying
from solver.graphs import cycles
from solver.play import Fact
from solver.terms import Flag, Term, both, evaluate, no, some, variables_of
from solver.verdict import Proved, Unknown
from verifier.court import Case, Court
from verifier.finding import Finding, Place, Witness
from verifier.matters import Matter
from verifier.suspicion import Check, Looked, Remark, Suspicion

Edges = Mapping[tuple[int, int], Flag]  # who goes before whom where both apply and disagree, by place in the matter


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for matter in court.matters.all:
        looked.things += 1
        with court.encoder.apart():
            edges = _edges(court, matter)
            if not _circles(edges):
                continue
            nobody_stands = both(
                some(one.when for one in matter.norms),
                *(_gives_way(place, one, matter, edges) for place, one in enumerate(matter.norms)),
            )
        asked = matter.asked([nobody_stands])
        found = court.possible(("each gives way", nobody_stands), ("asked", asked))
        if not isinstance(found, Proved):
            yield _suspicion(court, matter, edges, found)


def _edges(court: Court, matter: Matter) -> dict[tuple[int, int], Flag]:
    found: dict[tuple[int, int], Flag] = {}
    place = {id(one): number for number, one in enumerate(matter.norms)}
    for pair in matter.pairs():
        for a, b in ((pair.one, pair.other), (pair.other, pair.one)):
            before = both(pair.meet, court.encoder.precedes(a, b))
            if before is not False:
                found[place[id(a)], place[id(b)]] = before
    return found


def _circles(edges: Edges) -> list[list[int]]:
    found = cycles((f"{one:06}", f"{other:06}") for one, other in edges)
    return [[int(name) for name in circle] for circle in found]


def _gives_way(place: int, one: Applying, matter: Matter, edges: Edges) -> Flag:
    """That a norm does not apply, or an applicable one that disagrees goes before it."""
    beaten = some(edges[rival, place] for rival in range(len(matter.norms)) if (rival, place) in edges)
    return some((no(one.when), beaten))


def _suspicion(court: Court, matter: Matter, edges: Edges, found: Case | Unknown) -> Suspicion:
    circle = _circle_in(court, edges, found) if isinstance(found, Case) else _circles(edges)[0]
    norms = [matter.norms[place] for place in circle]
    names = [one.norm.name for one in norms]
    chain = ", ".join(f"`{a}` before `{b}`" for a, b in zip(names, (*names[1:], names[0]), strict=True))
    message = f"precedence goes in a circle on {matter.words}: {chain}"
    places: list[Place] = []
    for one, after in zip(norms, (*norms[1:], norms[0]), strict=True):
        ground = next((ground for ground, when in court.encoder.grounds(one, after) if when is not False), None)
        by = "" if ground is None else f" ({ground.words})"
        places.append(court.place(one.norm, f"{matter.says(one.norm)}, goes before {after.norm.name}{by}"))
    hint = (
        "take one of these out of the circle, by an `overrides` or a line of `precedence` that goes before the others"
    )
    keys = {one.norm.key for one in norms}

    def shown(fact: Fact) -> bool:
        return (
            fact.kind == "open"
            and fact.what[0] == "undetermined"
            and keys <= {k for side in fact.what[2] for k in side}
        )

    if isinstance(found, Unknown):
        return Suspicion(
            Finding("LX922", message, tuple(places), "unknown", found.reason, None, (), hint), shown_by_fact=shown
        )
    witness = Witness(found.situation.facts, None, court.seats)
    finding = Finding("LX922", message, tuple(places), "possible", "the solver", witness, (), hint)
    return Suspicion(finding, found, shown_by_fact=shown)


def _circle_in(court: Court, edges: Edges, case: Case) -> list[int]:
    """The circle as it is in the state that was found."""
    values: dict[Term, bool | int] = {}
    for variable in variables_of(*edges.values()):
        values[variable] = variable.low if variable.op == "number" else False
    if case.state is not None:
        values |= court.space.values_in(case.state, edges.values())
    values |= case.values
    holding = {edge: True for edge, when in edges.items() if evaluate(when, values)}
    return (_circles(holding) or _circles(edges))[0]


CHECK = Check("circle of precedence", "precedence", suspect)
