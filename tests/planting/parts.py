"""What a made rulebook consists of: small frozen parts that print themselves.

A defect is planted by changing a part, so the names that a finding must give are known by construction. Conditions are
kept as tuples of their conjuncts. `Group` is all that belongs together: a guild, a chapter of the tale, the core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

Lines = tuple[str, ...]


def indented(lines: Lines, depth: int = 1) -> Iterator[str]:
    return ("    " * depth + line for line in lines)


def _after(word: str, guards: Lines) -> str:
    return f" {word} {' and '.join(guards)}" if guards else ""


# ---- Norms ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Modal:
    """`p may weave once per workshops when ... unless ... even if ...`"""

    modal: str
    phrase: str
    when: Lines = ()
    times: str = ""
    unless: Lines = ()
    even_if: Lines = ()
    actor: str = "p"

    @property
    def verb(self) -> str:
        return self.phrase.split()[0]

    def lines(self) -> Lines:
        head = f"{self.actor} {self.modal} {self.phrase}" + (f" {self.times}" if self.times else "")
        return (head + _after("when", self.when) + _after("unless", self.unless) + _after("even if", self.even_if),)


@dataclass(frozen=True, slots=True)
class Trigger:
    """`rival` is what another rule could do at the same event so that the order of the two matters."""

    event: str
    body: Lines
    when: Lines = ()
    timing: str = "when"
    rival: Lines = ()

    def lines(self) -> Lines:
        return (f"{self.timing} {self.event}{_after('if', self.when)}", *indented(self.body))


@dataclass(frozen=True, slots=True)
class Outcome:
    """`p wins when ...`"""

    who: str
    result: str
    when: Lines

    def lines(self) -> Lines:
        return (f"{self.who} {self.result}{_after('when', self.when)}",)


@dataclass(frozen=True, slots=True)
class Says:
    """What a value is: a case of its own declaration (no `target`), or a norm of another rule."""

    value: str
    when: Lines = ()
    target: str = ""
    op: str = "is"

    def lines(self) -> Lines:
        return (f"{self.target} {self.op} {self.value}{_after('when', self.when)}".strip(),)


Norm = Modal | Trigger | Outcome | Says


# ---- Declarations ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of one norm; `readings` are further readings of its sentence, where it has any.

    `open` marks a permission of the book that nothing but hindrances stands against; `exception` one that counts in
    special cases, and on which nothing else rests.
    """

    name: str
    cites: str
    norm: Norm
    restates: str = ""
    overrides: Lines = ()
    among: str = ""
    open: bool = False
    exception: bool = False
    readings: tuple[Norm, ...] = ()

    @property
    def document(self) -> str:
        return self.cites.split()[0]

    def lines(self) -> Lines:
        head = f"rule {self.name} cites {self.cites}"
        head += f" restates {self.restates}" if self.restates else ""
        head += f" overrides {', '.join(self.overrides)}" if self.overrides else ""
        head += f" among {self.among}" if self.among else ""
        if not self.readings:
            return (head, *indented(self.norm.lines()))
        found = [head]
        for number, norm in enumerate((self.norm, *self.readings), 1):
            found += [f"    reading reading_{number}", *indented(norm.lines(), 2)]
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Value:
    name: str
    type: str
    cites: str
    cases: tuple[Says, ...]

    def lines(self) -> Lines:
        return (
            f"value {self.name} of p: {self.type} cites {self.cites}",
            *(line for case in self.cases for line in indented(case.lines())),
        )


@dataclass(frozen=True, slots=True)
class Row:
    low: int
    high: int
    does: str

    def line(self) -> str:
        key = f"{self.low}..{self.high}" if self.low < self.high else f"{self.low}"
        return f"    {key}: {self.does}"


@dataclass(frozen=True, slots=True)
class Table:
    """By a six-sided die."""

    name: str
    cites: str
    rows: tuple[Row, ...]
    speaks_of: str = ""
    restates: str = ""

    def lines(self) -> Lines:
        head = f"table {self.name} by d6" + (f" for {self.speaks_of}" if self.speaks_of else "")
        head += f" cites {self.cites}" + (f" restates {self.restates}" if self.restates else "")
        return (head, *(row.line() for row in self.rows))


@dataclass(frozen=True, slots=True)
class Rank:
    name: str
    cites: str
    ranks: Lines
    where: str

    def lines(self) -> Lines:
        return (f"rank {self.name} of p where {self.where} cites {self.cites}", *indented(self.ranks))


@dataclass(frozen=True, slots=True)
class Action:
    phrase: str
    during: str
    cites: str
    body: Lines

    def lines(self) -> Lines:
        return (f"action {self.phrase} during {self.during} cites {self.cites}", *indented(self.body))


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    body: Lines

    def lines(self) -> Lines:
        return (f"step {self.name}", *indented(self.body))


@dataclass(frozen=True, slots=True)
class Option:
    text: str
    body: Lines
    when: Lines = ()

    def lines(self) -> Lines:
        return (f'option "{self.text}"{_after("when", self.when)}', *indented(self.body))


@dataclass(frozen=True, slots=True)
class Passage:
    name: str
    text: str
    options: tuple[Option, ...] = ()
    body: Lines = ()

    def lines(self) -> Lines:
        inner = (*self.body, *(line for option in self.options for line in option.lines()))
        return (f'passage {self.name} "{self.text}"', *indented(inner))


@dataclass(frozen=True, slots=True)
class Group:
    """What belongs together. `sort` is the template it was made by, `apart` are pairs of rules that never meet.

    `steps` make a phase of the name of the group. `attributes` are lines of the players' kind, `things` whole
    declarations: kinds, piles, pools and variables, questions and claims. `meta` are lines of the precedence.
    """

    name: str
    sort: str
    title: str = ""
    attributes: Lines = ()
    state: Lines = ()
    things: tuple[Lines, ...] = ()
    actions: tuple[Action, ...] = ()
    values: tuple[Value, ...] = ()
    tables: tuple[Table, ...] = ()
    ranks: tuple[Rank, ...] = ()
    rules: tuple[Rule, ...] = ()
    steps: tuple[Step, ...] = ()
    passages: tuple[Passage, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    meta: Lines = ()

    def rule(self, name: str) -> Rule:
        return next(rule for rule in self.rules if rule.name == name)

    def names(self) -> frozenset[str]:
        """All that a finding about this group can give as a name."""
        words = {line.split()[0] for line in (*self.attributes, *self.state)}
        words |= {line.split()[0] for lines in self.things for line in lines[1:]}
        words |= {line.split()[0] for line in self.meta}
        words |= {action.phrase.split()[0] for action in self.actions}
        named: tuple[Value | Table | Rank | Rule | Step | Passage, ...]
        named = (*self.values, *self.tables, *self.ranks, *self.rules, *self.steps, *self.passages)
        return frozenset({self.name, *words, *(part.name for part in named)})

    def declarations(self) -> Iterator[Lines]:
        yield from self.things
        parts: tuple[Action | Value | Table | Rank | Rule, ...]
        parts = (*self.actions, *self.values, *self.tables, *self.ranks, *self.rules)
        yield from (part.lines() for part in parts)


Edit = Callable[[Group], Group]


# ---- Changing parts -------------------------------------------------------------------------------------------------


def with_rule(name: str, change: Callable[[Rule], Rule]) -> Edit:
    """Changes the rule of that name."""
    return lambda group: replace(group, rules=tuple(change(r) if r.name == name else r for r in group.rules))


def with_norm(name: str, norm: Norm) -> Edit:
    return with_rule(name, lambda rule: replace(rule, norm=norm))


def with_reading(name: str, norm: Norm) -> Edit:
    return with_rule(name, lambda rule: replace(rule, readings=(norm,)))


def with_override(name: str, other: str) -> Edit:
    return with_rule(name, lambda rule: replace(rule, overrides=(*rule.overrides, other)))


def with_new(rule: Rule) -> Edit:
    return lambda group: replace(group, rules=(*group.rules, rule))


def without(name: str) -> Edit:
    return lambda group: replace(group, rules=tuple(r for r in group.rules if r.name != name))


def with_thing(*lines: str) -> Edit:
    """A declaration of its own."""
    return lambda group: replace(group, things=(*group.things, lines))


def with_action(verb: str, body: Lines) -> Edit:
    def change(action: Action) -> Action:
        return replace(action, body=body) if action.phrase.split()[0] == verb else action

    return lambda group: replace(group, actions=tuple(change(action) for action in group.actions))


def with_step(name: str, body: Lines) -> Edit:
    """Changes the step of that name; a new one comes last."""

    def edit(group: Group) -> Group:
        if all(step.name != name for step in group.steps):
            return replace(group, steps=(*group.steps, Step(name, body)))
        return replace(group, steps=tuple(replace(s, body=body) if s.name == name else s for s in group.steps))

    return edit


def with_passage(name: str, change: Callable[[Passage], Passage]) -> Edit:
    return lambda group: replace(group, passages=tuple(change(p) if p.name == name else p for p in group.passages))


def with_option(passage: str, place: int, option: Option) -> Edit:
    def change(found: Passage) -> Passage:
        return replace(found, options=tuple(option if i == place else o for i, o in enumerate(found.options)))

    return with_passage(passage, change)
