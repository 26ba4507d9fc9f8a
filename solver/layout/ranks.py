"""Which box stands in which row: links lead from a row to a later one, and no row is much wider than wanted.

In: names in their order and arcs between them. Out: arcs that must be turned round, and the row of each name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

Arc = tuple[str, str]


def turned(names: Sequence[str], arcs: Sequence[Arc]) -> frozenset[Arc]:
    """Arcs without which there is no circle: those that lead back when one walks from the first names on, or those that
    lead to an earlier name, whichever are fewer."""
    import networkx as nx  # noqa: PLC0415  (a third of a second that most runs do not need)

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(arcs)
    place = {name: number for number, name in enumerate(names)}
    component = {name: number for number, part in enumerate(nx.strongly_connected_components(graph)) for name in part}
    after: dict[str, list[str]] = {name: [] for name in names}
    entered: set[str] = set()
    earlier: set[Arc] = set()
    for one, other in dict.fromkeys(arcs):
        if component[one] == component[other]:
            after[one].append(other)
            if place[other] < place[one]:
                earlier.add((one, other))
        else:
            entered.add(other)
    found = _leading_back(names, after, entered)
    return frozenset(min(found, earlier, key=lambda some: sum(arc in some for arc in arcs)))


def _leading_back(names: Sequence[str], after: Mapping[str, Sequence[str]], entered: Set[str]) -> set[Arc]:
    found: set[Arc] = set()
    done: set[str] = set()
    open_: set[str] = set()
    # Where a circle is come into from outside, its first row is there.
    for start in sorted(names, key=lambda name: name not in entered):
        if start in done or not after[start]:
            continue
        open_.add(start)
        way = [(start, iter(after[start]))]
        while way:
            name, rest = way[-1]
            following = next(rest, None)
            if following is None:
                way.pop()
                open_.discard(name)
                done.add(name)
            elif following in open_:
                found.add((name, following))
            elif following not in done:
                open_.add(following)
                way.append((following, iter(after[following])))
    return found


def rows(names: Sequence[str], arcs: Sequence[Arc], widths: Mapping[str, float], widest: float) -> dict[str, int]:
    """The row of each name, counted from 0. INVARIANT: the arcs have no circle, and each leads to a later row."""
    import networkx as nx  # noqa: PLC0415  (as above)

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(arcs)
    place = {name: number for number, name in enumerate(names)}
    order = list(nx.lexicographical_topological_sort(graph, key=place.__getitem__))
    filled: dict[int, float] = {}
    row: dict[str, int] = {}

    def put(name: str, number: int) -> None:
        row[name] = number
        filled[number] = filled.get(number, 0) + widths[name]

    def fits(name: str, number: int) -> bool:
        return filled.get(number, 0) == 0 or filled[number] + widths[name] <= widest

    for name in order:
        number = max((row[before] + 1 for before in graph.predecessors(name)), default=0)
        while not fits(name, number):
            number += 1
        put(name, number)
    # What leads on more than it is led to stands next to where it leads.
    for name in reversed(order):
        following = [row[after] for after in graph.successors(name)]
        if not following or graph.in_degree(name) > graph.out_degree(name):
            continue
        lowest = min(following) - 1
        target = next((n for n in range(lowest, row[name], -1) if fits(name, n)), row[name])
        if target != row[name]:
            filled[row[name]] -= widths[name]
            put(name, target)
    used = {number: place for place, number in enumerate(sorted(set(row.values())))}
    return {name: used[row[name]] for name in names}
