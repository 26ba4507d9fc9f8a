"""Clean rulebooks at a chosen size: `make(seed, rules)` gives the parts, `clean_book` the text.

A game of ports, guilds and a tale: it checks without a warning, runs to an end by its clock, and says nothing twice and
nothing in vain. The core has ten rules; guilds are added until there are as many as asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.planting.guilds import catch, contest, craft, market
from tests.planting.more_guilds import feast, stores, watch, works
from tests.planting.parts import Action, Edit, Group, Lines, Modal, Outcome, Rank, Row, Rule, Table, Trigger, indented
from tests.planting.setting import COINS, DAYS, FAME, RUIN, Setting, phase_name, setting
from tests.planting.tale import chapter

_TEMPLATES = (craft, market, catch, contest, feast, watch, works, stores)
CORE = "core"


@dataclass(frozen=True, slots=True)
class Book:
    """The core, the guilds by phase (one of each sort at most), and the chapters of the tale."""

    seed: int
    ports: tuple[str, str, str, str]
    core: Group
    phases: tuple[tuple[str, tuple[Group, ...]], ...]
    chapters: tuple[Group, ...]

    @property
    def groups(self) -> tuple[Group, ...]:
        return (self.core, *(guild for _, guilds in self.phases for guild in guilds), *self.chapters)

    @property
    def size(self) -> int:
        return sum(len(group.rules) for group in self.groups)

    def edited(self, name: str, edit: Edit) -> Book:
        """The same book with one group changed."""

        def change(group: Group) -> Group:
            return edit(group) if group.name == name else group

        phases = tuple((phase, tuple(map(change, guilds))) for phase, guilds in self.phases)
        return replace(self, core=change(self.core), phases=phases, chapters=tuple(map(change, self.chapters)))

    def only(self, *names: str) -> Book:
        """The same book without the other guilds; the core and the tale stay."""
        phases = ((phase, tuple(guild for guild in guilds if guild.name in names)) for phase, guilds in self.phases)
        return replace(self, phases=tuple((phase, guilds) for phase, guilds in phases if guilds))

    def text(self) -> str:
        return "\n\n".join("\n".join(lines) for lines in _declarations(self)) + "\n"


def clean_book(seed: int, rules: int) -> str:
    """The text of a clean book of so many rules, or a few more; never fewer than ten."""
    return make(seed, rules).text()


def make(seed: int, rules: int) -> Book:
    s = setting(seed)
    core = _core(s)
    phases: list[tuple[str, tuple[Group, ...]]] = []
    count = len(core.rules)
    while count < rules:
        phase = phase_name(len(phases))
        guilds: list[Group] = []
        for template in s.random.sample(_TEMPLATES, len(_TEMPLATES)):
            if count < rules:
                guilds.append(template(s, phase))
                count += len(guilds[-1].rules)
        phases.append((phase, tuple(guilds)))
    tales = 1 + count // 40
    chapters = tuple(chapter(s, number, number == tales) for number in range(1, tales + 1))
    return Book(seed, s.ports, core, tuple(phases), chapters)


def _core(s: Setting) -> Group:
    home, bay, far, reef = s.ports
    sailing = Modal("may", "sail to q", ("q is next to ship of p",))
    rules = (
        Rule("neighbours", s.cite("book"), sailing, open=True),
        Rule("storm_keeps_in", s.cite("book"), Modal("cannot", "sail", ("weather is storm",)), among="hindrances"),
        Rule(
            "lighthouse",
            s.cite("card"),
            Modal("may", "sail to q", ("weather is storm", f"ship of p is {bay}", f"q is next to {bay}")),
            exception=True,
        ),
        Rule("neighbours_summary", s.cite("sheet"), sailing, restates="neighbours"),
        Rule("loading", s.cite("book"), Modal("may", "load", (f"ship of p is {home}", "not cargo of p")), open=True),
        Rule(
            "delivering",
            s.cite("book"),
            Modal("may", "deliver", (f"ship of p is {far}", "cargo of p", f"fame of p < {FAME}")),
        ),
        Rule(
            "wrecked",
            s.cite("book"),
            Trigger(f"sail by p to {reef}", ("ruin of p increases by 1",), ("weather is rough", f"ruin of p < {RUIN}")),
        ),
        Rule(
            "famous",
            s.cite("book"),
            Outcome("p", "wins", (f"fame of p is {FAME}", f"ruin of p < {RUIN}", f"day < {DAYS}")),
        ),
        Rule("ruined", s.cite("book"), Outcome("p", "loses", (f"ruin of p is {RUIN}",))),
        Rule("last_day", s.cite("book"), Outcome("p", "wins", (f"day is {DAYS}", "place of (p, leader) is 1"))),
    )
    return Group(
        CORE,
        CORE,
        attributes=(
            f"coins 0..{COINS} starts 3",
            f"fame 0..{FAME}",
            f"ruin 0..{RUIN}",
            "cargo yes/no",
            f"ship Port starts {home}",
        ),
        state=("weather Weather starts calm", f"day 1..{DAYS} starts 1", "seating order of Player shuffled"),
        actions=(
            Action("sail by p to q", "sailing", s.cite("book"), ("ship of p becomes q",)),
            Action("load by p", "sailing", s.cite("book"), ("cargo of p becomes yes",)),
            Action(
                "deliver by p",
                "sailing",
                s.cite("book"),
                (
                    "cargo of p becomes no",
                    "fame of p increases by 1",
                    f"if coins of p < {COINS}",
                    "    coins of p increases by 1",
                ),
            ),
        ),
        tables=(
            Table(
                "weather_table",
                s.cite("book"),
                (
                    Row(1, 2, "weather becomes calm"),
                    Row(3, 4, "weather becomes rough"),
                    Row(5, 6, "weather becomes storm"),
                ),
            ),
        ),
        ranks=(
            Rank(
                "leader",
                s.cite("book"),
                ("most fame of p", "most coins of p", "first in seating"),
                f"ruin of p < {RUIN}",
            ),
        ),
        rules=rules,
    )


# ---- the text -------------------------------------------------------------------------------------------------------


def _declarations(book: Book) -> Iterator[Lines]:
    home, bay, far, reef = book.ports
    sorts = {group.sort for group in book.groups}
    yield ('game "The Guilds of Halmar" played by Player',)
    yield ("documents", '    book "Rulebook"', '    card "Guild cards"', '    sheet "Reference sheet"')
    yield (
        "precedence",
        "    explicit",
        "    authority card > book > sheet cites book 2",
        *(("    specific over general cites book 3",) if "contest" in sorts else ()),
        "    hindrances over book cites book 4",
        *(("    simultaneous by seating among feasts cites book 5",) if "feast" in sorts else ()),
        *indented(tuple(line for group in book.groups for line in group.meta)),
        "    otherwise undecided",
    )
    yield ("type Weather is calm, rough, storm",)
    if "works" in sorts:
        yield ("type Load is 1..2",)
    yield (f"kind Port named {home}, {bay}, {far}, {reef}",)
    yield ("map sea of Port", f"    links {home} - {bay} - {reef} - {far} - {home}, {bay} - {far}")
    yield ("kind Player 2..4", *indented(tuple(line for group in book.groups for line in group.attributes)))
    yield ("state", *indented(tuple(line for group in book.groups for line in group.state)))
    yield from _variables(book)
    yield tuple(_play(book))
    for group in book.groups:
        yield from group.declarations()
    yield tuple(_story(book))


def _variables(book: Book) -> Iterator[Lines]:
    """Only those that are used: a letter that stands for nothing is a warning."""
    parts = "\n".join("\n".join(lines) for group in book.groups for lines in group.declarations())
    words = set(parts.replace("(", " ").replace(",", " ").split())
    yield ("let p be Player",)
    yield ("let q be Port",)
    if "n" in words:
        yield ("let n be 1..6",)


def _play(book: Book) -> Iterator[str]:
    yield "play"
    yield "    phase prologue"
    yield f"        read {book.chapters[0].passages[0].name}"
    yield f"    repeat until day is {DAYS}"
    yield "        phase dawn"
    yield "            roll d6 on weather_table"
    for phase, guilds in (("sailing", ()), *book.phases):
        if not guilds or any(not guild.steps for guild in guilds):
            yield f"        phase {phase}"
            yield "            each p by seating"
            yield f"                p takes up to {2 if guilds else 3} actions"
        for guild in guilds:
            if guild.steps:
                yield f"        phase {guild.name}_works"
                for step in guild.steps:
                    yield from indented(step.lines(), 3)
    yield "        phase dusk"
    yield "            day increases by 1"


def _story(book: Book) -> Iterator[str]:
    yield "story tale cites book 6"
    yield f"    starts at {book.chapters[0].passages[0].name}"
    for group in book.chapters:
        yield f'    chapter {group.name} "{group.title}"'
        for passage in group.passages:
            yield from indented(passage.lines(), 2)
