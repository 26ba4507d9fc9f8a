"""Reachability by play: the machine itself is played, exhaustively where that can be done, at random where not."""

from solver.play.commuting import matters, waiting_at
from solver.play.explore import Budget, Exploration, Progress, explore
from solver.play.facts import Evidence, Fact
from solver.play.goals import Goal, goal_of
from solver.play.graph import Graph
from solver.play.key import Keys, key_of
from solver.play.plays import Decision, Play, replay
from solver.play.shortest import Shortest, shortened, shortest, witness
from solver.play.situations import Reads, Situations, reads_of
from solver.play.slicing import relevant_cells
from solver.play.watcher import is_action

__all__ = [
    "Budget",
    "Decision",
    "Evidence",
    "Exploration",
    "Fact",
    "Goal",
    "Graph",
    "Keys",
    "Play",
    "Progress",
    "Reads",
    "Shortest",
    "Situations",
    "explore",
    "goal_of",
    "is_action",
    "key_of",
    "matters",
    "reads_of",
    "relevant_cells",
    "replay",
    "shortened",
    "shortest",
    "waiting_at",
    "witness",
]
