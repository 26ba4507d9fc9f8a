"""Circles and ways in graphs."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from solver import cycles, unreachable

CIRCLES = [
    pytest.param("", [], id="nothing"),
    pytest.param("a>b b>c a>c", [], id="no circle"),
    pytest.param("a>a", ["a"], id="itself"),
    pytest.param("b>a a>b", ["a b"], id="two"),
    pytest.param("c>a a>b b>c", ["a b c"], id="three, from the least name"),
    pytest.param("a>b b>c c>d d>a b>a", ["a b"], id="the shortest"),
    pytest.param("a>b b>a a>a", ["a"], id="itself is shorter still"),
    pytest.param("x>y y>x d>c c>d d>x", ["c d", "x y"], id="two tangles in order of names"),
    pytest.param("a>c c>a a>b b>a", ["a b"], id="the first by name of two as short"),
    pytest.param("z>a a>b b>c", [], id="a way is no circle"),
    pytest.param("a>b a>b b>a", ["a b"], id="an edge twice"),
]


def edges_of(text: str) -> list[tuple[str, str]]:
    return [(edge[0], edge[2]) for edge in text.split()]


@pytest.mark.parametrize(("edges", "expected"), CIRCLES)
def test_circles(edges: str, expected: list[str]) -> None:
    assert cycles(edges_of(edges)) == [circle.split() for circle in expected]


def test_the_order_of_edges_does_not_matter() -> None:
    edges = edges_of("a>b b>c b>d c>e d>e e>a x>y y>z")
    assert cycles(edges) == cycles(reversed(edges)) == [["a", "b", "c", "e"]]
    tangles = edges_of("m>n n>m a>b b>a x>y y>x")
    assert cycles(tangles) == cycles(reversed(tangles)) == [["a", "b"], ["m", "n"], ["x", "y"]]


WAYS = [
    pytest.param("a b c", "a>b b>c", "a", "", id="all are reached"),
    pytest.param("c b a", "a>b", "a", "c", id="one is not"),
    pytest.param("a b c", "", "a", "b c", id="no edges"),
    pytest.param("c a b", "", "", "c a b", id="no start, in the order given"),
    pytest.param("a b c d", "c>d d>c", "a b", "c d", id="a circle of their own"),
    pytest.param("a b c", "b>a c>b", "a", "b c", id="edges are one way"),
    pytest.param("a b", "a>b", "x", "a b", id="a start that is not there"),
    pytest.param("a b", "a>x x>b", "a", "", id="by way of something else"),
]


@pytest.mark.parametrize(("nodes", "edges", "starts", "expected"), WAYS)
def test_unreachable(nodes: str, edges: str, starts: str, expected: str) -> None:
    assert unreachable(nodes.split(), edges_of(edges), starts.split()) == expected.split()


def test_the_library_is_loaded_only_when_it_is_needed() -> None:
    code = "import sys, solver\nassert solver.cycles([]) == []\nprint('networkx' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert run.stdout == "False\n"


def test_many_tangles_are_found_in_the_time_of_their_edges() -> None:
    pairs = [edge for n in range(5000) for edge in ((f"a{n}", f"b{n}"), (f"b{n}", f"a{n}"))]
    begun = time.perf_counter()
    assert len(cycles(pairs)) == 5000
    assert time.perf_counter() - begun < 5
