"""Which values the cells can ever hold, and what of a book can ever be carried out: an analysis that is never wrong
about what it excludes, and may leave in what no play reaches."""

from solver.analysis.absent import Early, read_early
from solver.analysis.counting import lasts
from solver.analysis.flow import Analysis, Closed, Reached, analyse
from solver.analysis.guards import THINGS, Asked, Guards
from solver.analysis.sets import ValueSets
from solver.analysis.vain import InVain, Orders, Unset, orders_of

__all__ = [
    "THINGS",
    "Analysis",
    "Asked",
    "Closed",
    "Early",
    "Guards",
    "InVain",
    "Orders",
    "Reached",
    "Unset",
    "ValueSets",
    "analyse",
    "lasts",
    "orders_of",
    "read_early",
]
