"""Reading a story in many ways, one state at a time: what was passed can be reached, as far as it is modelled."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from solver.stories.program import Change, Edge, Forget, Guard, Program, State

_FEW, _MANY = 3, 12  # states of one place that are gone on from: where all ways on were passed, and where not


class Tried:
    """`passed` has the edges that some way was found along, by identity."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.after = program.after()
        self.passed: set[int] = set()
        self._seen: list[set[State]] = [set() for _ in range(program.places)]
        self._waiting: deque[tuple[int, State]] = deque()
        self.come(0, program.start)

    def has_seen(self, place: int) -> bool:
        return bool(self._seen[place])

    def come(self, place: int, state: State) -> None:
        """A state of a place: it is gone on from."""
        seen = self._seen[place]
        if state in seen:
            return
        everything = all(id(edge) in self.passed for edge in self.after[place])
        if len(seen) < (_FEW if everything else _MANY):
            seen.add(state)
            self._waiting.append((place, state))

    def run(self) -> None:
        while self._waiting:
            place, state = self._waiting.popleft()
            for edge in self.after[place]:
                for new in successors(edge, state):
                    self.passed.add(id(edge))
                    self.come(edge.target, new)


def successors(edge: Edge, state: State) -> Iterator[State]:
    """Where an edge leads from a state. Cells that others may change stay as they are: that is one way."""
    found = [state]
    for op in edge.ops:
        match op:
            case Guard(cells=cells, fitting=fitting):
                found = [one for one in found if tuple([one[cell] for cell in cells]) in fitting]
            case Change(cell=cell, reads=reads, becomes=becomes):
                found = [
                    (*one[:cell], new, *one[cell + 1 :])
                    for one in found
                    for new in becomes[tuple([one[read] for read in reads])]
                ]
            case Forget():
                pass
    yield from found
