"""Questions about graphs. NetworkX is loaded when there is something to find."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter


def cycles(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """A shortest cycle through each tangle of the graph, each beginning with its least name, in order of names."""
    found = list(edges)
    if _is_acyclic(found):
        return []
    import networkx as nx  # noqa: PLC0415  (a third of a second that most runs do not need)

    graph: nx.DiGraph[str] = nx.DiGraph(found)
    components = list(nx.strongly_connected_components(graph))
    component_of = {node: number for number, component in enumerate(components) for node in component}
    edges_of: dict[int, list[tuple[str, str]]] = {}
    # Sorted, so that of several shortest circles the same one is told whatever the order of the edges.
    for one, other in sorted(found):
        if component_of[one] == component_of[other]:
            edges_of.setdefault(component_of[one], []).append((one, other))
    result: list[list[str]] = []
    for number, edges_inside in edges_of.items():
        start = min(components[number])
        inside: nx.DiGraph[str] = nx.DiGraph(edges_inside)
        ways = ([start, *nx.shortest_path(inside, after, start)[:-1]] for after in sorted(inside.successors(start)))
        result.append(min(ways, key=lambda way: (len(way), way)))
    return sorted(result)


def _is_acyclic(edges: list[tuple[str, str]]) -> bool:
    """The common case, without NetworkX."""
    before: dict[str, list[str]] = {}
    for one, other in edges:
        before.setdefault(one, []).append(other)
    try:
        TopologicalSorter(before).prepare()
    except CycleError:
        return False
    return True


def unreachable(nodes: Iterable[str], edges: Iterable[tuple[str, str]], starts: Iterable[str]) -> list[str]:
    """The nodes to which no way leads from any start, in the order given."""
    import networkx as nx  # noqa: PLC0415  (see `cycles`)

    graph: nx.DiGraph[str] = nx.DiGraph()
    every = list(nodes)
    graph.add_nodes_from(every)
    graph.add_edges_from(edges)
    reached: set[str] = set()
    for start in starts:
        if start in graph and start not in reached:
            reached |= {start} | nx.descendants(graph, start)
    return [node for node in every if node not in reached]
