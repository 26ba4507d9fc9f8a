"""Checked rules made to run: the state machine of a book, and games played on it."""

from rules.machine.base import Chance, Choice, Legal, Move, Node, Open, Over
from rules.machine.game import Entry, Game, Save, read_save, save_text
from rules.machine.norms import Ruling
from rules.machine.policies import in_force, machine_of
from rules.machine.run import Machine

__all__ = [
    "Chance",
    "Choice",
    "Entry",
    "Game",
    "Legal",
    "Machine",
    "Move",
    "Node",
    "Open",
    "Over",
    "Ruling",
    "Save",
    "in_force",
    "machine_of",
    "read_save",
    "save_text",
]
