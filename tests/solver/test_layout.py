"""Layouts: nothing lies over anything else, groups hold what is in them, links lead down where they can."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import pytest

from solver.layout import Box, Layout, Link, Rect, Route, lay_out


def _random(seed: int) -> tuple[list[Box], list[Link]]:
    draws = Random(seed)
    groups = [f"g{number}" for number in range(draws.randint(0, 5))]
    boxes = [
        Box(name, draws.randint(40, 200), 16, draws.choice([None, *groups[:place]]))
        for place, name in enumerate(groups)
    ]
    leaves = [
        Box(f"n{number}", draws.randint(30, 150), draws.randint(20, 90), draws.choice([None, *groups]))
        for number in range(draws.randint(1, 30))
    ]
    boxes += [*leaves, *(Box(f"in_{group}", 40, 20, group) for group in groups)]
    ends = [box.id for box in boxes]
    links = [
        Link(draws.choice(ends), draws.choice(ends), *draws.choice([(0, 0), (60, 15), (120, 28)]))
        for _ in range(draws.randint(0, 45))
    ]
    return boxes, links


def _apart(one: Rect, other: Rect) -> bool:
    return (
        one.x + one.width <= other.x + 0.01
        or other.x + other.width <= one.x + 0.01
        or one.y + one.height <= other.y + 0.01
        or other.y + other.height <= one.y + 0.01
    )


def _holds(outer: Rect, inner: Rect) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width + 0.01
        and inner.y + inner.height <= outer.y + outer.height + 0.01
    )


def _ancestors(boxes: list[Box]) -> dict[str, set[str]]:
    parent = {box.id: box.parent for box in boxes}
    found: dict[str, set[str]] = {}
    for box in boxes:
        found[box.id] = {box.id}
        at = box.parent
        while at is not None:
            found[box.id].add(at)
            at = parent[at]
    return found


def _on_the_way(route: Route) -> list[tuple[float, float]]:
    """Points along the curves as they are drawn."""
    found: list[tuple[float, float]] = []
    for (x, y), (to_x, to_y) in pairwise(route.points):
        for step in range(21):
            t = step / 20
            ease = 3 * (1 - t) * t * t + t**3  # the pull of the curve from the one `x` to the other
            down = 1.5 * (1 - t) ** 2 * t + 1.5 * (1 - t) * t * t + t**3
            found.append((x + (to_x - x) * ease, y + (to_y - y) * down))
    return found


def _labels(links: list[Link], layout: Layout) -> list[Rect]:
    return [
        Rect(*route.label, link.width - 4, link.height)
        for link, route in zip(links, layout.routes, strict=True)
        if route.label is not None
    ]


@pytest.mark.parametrize("seed", range(60))
def test_nothing_lies_over_anything_else(seed: int) -> None:
    boxes, links = _random(seed)
    layout = lay_out(boxes, links)
    inside = _ancestors(boxes)
    whole = Rect(0, 0, layout.width, layout.height)
    for box in boxes:
        rect = layout.boxes[box.id]
        assert _holds(whole, rect)
        if box.parent is not None:
            assert _holds(layout.boxes[box.parent], rect)
    for one, other in combinations(boxes, 2):
        if one.id not in inside[other.id] and other.id not in inside[one.id]:
            assert _apart(layout.boxes[one.id], layout.boxes[other.id]), (one.id, other.id)
    parents = {box.parent for box in boxes}
    leaves = [layout.boxes[box.id] for box in boxes if box.id not in parents]
    labels = _labels(links, layout)
    assert len(labels) == sum(link.width > 0 for link in links)
    for label in labels:
        assert _holds(whole, label)
        assert all(_apart(label, leaf) for leaf in leaves)
    assert all(_apart(one, other) for one, other in combinations(labels, 2))


@pytest.mark.parametrize("seed", range(60))
def test_links_begin_and_end_at_their_boxes_and_pass_by_all_others(seed: int) -> None:
    boxes, links = _random(seed)
    layout = lay_out(boxes, links)
    parents = {box.parent for box in boxes}
    for link, route in zip(links, layout.routes, strict=True):
        if route.loop:
            continue
        for end, name in ((route.points[0], link.source), (route.points[-1], link.target)):
            rect = layout.boxes[name]
            assert rect.x <= end[0] <= rect.x + rect.width
            assert min(abs(end[1] - rect.y), abs(end[1] - rect.y - rect.height)) < 0.01
        for box in boxes:
            if box.id in parents or box.id in (link.source, link.target):
                continue
            rect = layout.boxes[box.id]
            for x, y in _on_the_way(route):
                over = rect.x + 0.5 < x < rect.x + rect.width - 0.5 and rect.y + 0.5 < y < rect.y + rect.height - 0.5
                assert not over, (link, box.id)


@pytest.mark.parametrize("seed", range(20))
def test_without_circles_all_links_lead_down(seed: int) -> None:
    draws = Random(seed)
    boxes = [Box(f"n{number}", 60, 30) for number in range(25)]
    links = [Link(f"n{a}", f"n{b}") for a, b in (sorted(draws.sample(range(25), 2)) for _ in range(40))]
    draws.shuffle(links)
    layout = lay_out(boxes, links)
    for link in links:
        assert layout.boxes[link.source].y + 30 < layout.boxes[link.target].y


def test_a_circle_has_one_link_that_leads_up() -> None:
    boxes = [Box(name, 60, 30) for name in "abc"]
    links = [Link("a", "b"), Link("b", "c"), Link("c", "a")]
    layout = lay_out(boxes, links)
    up = [link for link in links if layout.boxes[link.source].y > layout.boxes[link.target].y]
    assert up == [Link("c", "a")]
    back = layout.routes[2].points
    assert back[0][1] > back[-1][1]


def test_a_box_linked_to_itself_or_to_its_group_has_a_loop_beside_it() -> None:
    boxes = [Box("g", 50, 16), Box("a", 60, 30, "g"), Box("b", 60, 30, "g")]
    layout = lay_out(boxes, [Link("a", "a"), Link("a", "g", 40, 15)])
    for route in layout.routes:
        assert route.loop
        assert route.points[0][0] == layout.boxes["a"].x + 60
    assert _apart(layout.boxes["a"], layout.boxes["b"])


def test_across_the_outermost_boxes_stand_from_left_to_right() -> None:
    boxes = [Box("g", 50, 16), Box("a", 60, 30, "g"), Box("b", 60, 30, "g"), Box("c", 60, 30)]
    layout = lay_out(boxes, [Link("a", "b"), Link("g", "c")], across=True)
    assert layout.boxes["a"].y < layout.boxes["b"].y
    assert layout.boxes["g"].x + layout.boxes["g"].width < layout.boxes["c"].x
    assert [route.across for route in layout.routes] == [False, True]


def test_a_row_is_not_endless() -> None:
    boxes = [Box("hub", 60, 30), *(Box(f"n{number}", 120, 30) for number in range(200))]
    layout = lay_out(boxes, [Link("hub", f"n{number}") for number in range(200)])
    assert layout.width < 5 * layout.height


def test_the_same_input_gives_the_same_layout() -> None:
    boxes, links = _random(7)
    assert lay_out(boxes, links) == lay_out(boxes, links)


def test_nothing_to_lay_out() -> None:
    assert lay_out([], []).routes == ()
