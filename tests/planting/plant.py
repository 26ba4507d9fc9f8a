"""Planting: one defect of a known kind at a random place of a clean book, or one of each kind at once."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tests.planting import sites_of_conflicts as conflicts
from tests.planting import sites_of_documents as documents
from tests.planting import sites_of_gaps as gaps
from tests.planting import sites_of_play as play
from tests.planting import sites_of_questions as questions
from tests.planting.clean import CORE, Book
from tests.planting.site import Site

Sites = Callable[[Book], Iterator[Site]]

# The code by which a finding must tell each kind, and where it can be planted.
KINDS: dict[str, tuple[str, Sites]] = {
    "guard dropped": ("LX911", documents.guard_dropped),
    "number changed": ("LX912", documents.number_changed),
    "actor changed": ("LX914", documents.actor_changed),
    "time changed": ("LX915", documents.time_changed),
    "item dropped": ("LX913", documents.item_dropped),
    "row shifted": ("LX913", documents.row_shifted),
    "said otherwise": ("LX916", documents.said_otherwise),
    "hole in a table": ("LX931", gaps.hole_in_a_table),
    "rows that meet": ("LX941", gaps.rows_that_meet),
    "tie without a breaker": ("LX933", gaps.tie_without_a_breaker),
    "value without a case": ("LX932", gaps.value_without_a_case),
    "empty stock": ("LX935", gaps.empty_stock),
    "duty without a way": ("LX936", gaps.duty_without_a_way),
    "beyond its range": ("LX937", gaps.beyond_its_range),
    "nothing follows": ("LX934", gaps.nothing_follows),
    "case covered": ("LX942", gaps.case_covered),
    "may against cannot": ("LX901", conflicts.may_against_cannot),
    "must against cannot": ("LX902", conflicts.must_against_cannot),
    "two duties": ("LX903", conflicts.two_duties),
    "two values": ("LX904", conflicts.two_values),
    "two replacements": ("LX905", conflicts.two_replacements),
    "link cut": ("LX954", play.link_cut),
    "guard against itself": ("LX951", play.guard_against_itself),
    "guard against history": ("LX955", play.guard_against_history),
    "action never legal": ("LX952", play.action_never_legal),
    "moment never entered": ("LX953", play.moment_never_entered),
    "ending never read": ("LX956", play.ending_never_read),
    "row never up": ("LX957", play.row_never_up),
    "steps swapped": ("LX962", play.steps_swapped),
    "overwritten unread": ("LX963", play.overwritten_unread),
    "triggers without order": ("LX961", play.triggers_without_order),
    "cycle": ("LX922", conflicts.cycle),
    "idle override": ("LX921", conflicts.idle_override),
    "idle meta-rule": ("LX923", conflicts.idle_meta_rule),
    "question failed": ("LX925", questions.question_failed),
    "claim failed": ("LX926", questions.claim_failed),
    "no legal move": ("LX971", play.no_legal_move),
    "no open option": ("LX971", play.no_open_option),
    "endless loop": ("LX972", play.endless_loop),
    "win and loss": ("LX981", conflicts.win_and_loss),
    "ending out of reach": ("LX982", conflicts.ending_out_of_reach),
    "ending of nobody": ("LX983", conflicts.ending_of_nobody),
    "two readings": ("LX991", conflicts.two_readings),
    "said already": ("LX995", conflicts.said_already),
}

# What the judge says and nothing is planted for.
NOT_PLANTED: dict[str, str] = {
    "LX924": "tells what rests on an assumption of the book, which is no defect",
    "LX927": "tells that neither a proof nor a play was found for a claim, which hangs on how much is tried",
    "LX973": "told of games for one, where every state of play was seen; these are games for several",
    "LX974": "told of games for one, where every state of play was seen; and it is no defect",
    "LX984": "told only where every state of play was seen, which is too much in books of this size",
    "LX985": "told only where every state of play was seen, which is too much in books of this size",
    "LX996": "tells that a restatement agrees, where that is asked for",
}


@dataclass(frozen=True, slots=True)
class Planted:
    """A book with a defect, and what is known of it by construction.

    `group` is the guild or chapter that was changed. Of each of `named`, a finding with the `code` must give at least
    one name. `about` is all that belongs to what was changed: what a finding says of it is no false alarm.
    """

    text: str
    kind: str
    code: str
    group: str
    named: tuple[tuple[str, ...], ...]
    about: frozenset[str]

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for names in self.named for name in names))

    def is_found_by(self, code: str, names: Iterable[str]) -> bool:
        given = _words(names)
        return code == self.code and all(not given.isdisjoint(choice) for choice in self.named)

    def concerns(self, names: Iterable[str]) -> bool:
        return not _words(names).isdisjoint(self.about)


def _words(names: Iterable[str]) -> set[str]:
    """A place can be named with more words than one: the passage and its option, the value and its case."""
    return {word for name in names for word in re.findall(r"\w+", name)}


def plant(book: Book, kind: str, seed: int) -> Planted:
    """Raises `ValueError` where the book has no place for such a defect."""
    sites = list(KINDS[kind][1](book))
    if not sites:
        raise ValueError(f"this book has no place for: {kind}")
    site = _chooser(book, kind, seed).choice(sites)
    return _planted(book, kind, site, book.edited(site.group, site.edit).text())


def all_together(book: Book, seed: int, kinds: Iterable[str] = tuple(KINDS)) -> tuple[Planted, ...]:
    """One of each kind in different guilds and chapters, all in the same text. Raises `ValueError` like `plant`."""
    chosen = _apart({kind: _mixed(book, kind, seed) for kind in kinds})
    changed = book
    for site in chosen.values():
        changed = changed.edited(site.group, site.edit)
    text = changed.text()
    return tuple(_planted(book, kind, site, text) for kind, site in chosen.items())


def _planted(book: Book, kind: str, site: Site, text: str) -> Planted:
    (changed,) = (group for group in book.edited(site.group, site.edit).groups if group.name == site.group)
    (before,) = (group for group in book.groups if group.name == site.group)
    names = {name for choice in site.named for name in choice}
    # All rules of the core have to do with each other; of a defect there, only what it was planted in is concerned.
    about = names if site.group == CORE else names | changed.names() | before.names() | {f"{site.group}_works"}
    return Planted(text, kind, site.code or KINDS[kind][0], site.group, site.named, frozenset(about))


def _chooser(book: Book, kind: str, seed: int) -> random.Random:
    return random.Random(f"plant {book.seed} {book.size} {kind} {seed}")


def _mixed(book: Book, kind: str, seed: int) -> list[Site]:
    sites = list(KINDS[kind][1](book))
    _chooser(book, kind, seed).shuffle(sites)
    return sites


def _apart(sites: dict[str, list[Site]]) -> dict[str, Site]:
    """A site for each kind, no two in the same place: by paths along which others give way."""
    taken: dict[str, tuple[str, Site]] = {}

    def settle(kind: str, asked: set[str]) -> bool:
        for site in sites[kind]:
            where = f"{CORE} {site.part}" if site.group == CORE else site.group
            if where in asked:
                continue
            asked.add(where)
            if where not in taken or settle(taken[where][0], asked):
                taken[where] = (kind, site)
                return True
        return False

    for kind in sites:
        if not settle(kind, set()):
            raise ValueError(f"this book is too small to have all of them apart: no place is left for: {kind}")
    found = dict(taken.values())
    return {kind: found[kind] for kind in sites}
