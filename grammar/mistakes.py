"""The table of typical mistakes. Where two fit the same place, the one that stands first is told."""

from __future__ import annotations

from grammar.mistake import Mistake
from grammar.mistakes_in_play import IN_PLAY
from grammar.mistakes_in_questions import IN_QUESTIONS
from grammar.mistakes_in_rules import IN_RULES
from grammar.mistakes_in_things import IN_THINGS

MISTAKES: tuple[Mistake, ...] = (*IN_RULES, *IN_PLAY, *IN_THINGS, *IN_QUESTIONS)
