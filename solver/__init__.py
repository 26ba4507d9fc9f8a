"""Questions to verdicts. The only room that knows Z3 and NetworkX."""

from solver.graphs import cycles, unreachable

__all__ = ["cycles", "unreachable"]
