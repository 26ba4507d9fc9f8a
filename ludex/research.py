"""A rulebook as a game of research: the names that OpenSpiel gives to games and states, so that its bots can play.

    game = research.Game(ludex.load("tic_tac_toe"))
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    print(state.returns())

Nothing of OpenSpiel is needed. Its conventions, where they leave a choice, are met as follows; the reasons stand in
docs/decisions/0005-research-adapter.md.

Actions are integers that depend on the book and the number of players alone. What the table decides as one is decided
by player 0. At a point that the book leaves open, play cannot go on: `OpenPointError`, and the state stays as it was.
Returns are 1 shared by those who win and -1 shared by those who do not, and 0 for all if nobody wins or all do; of a
game for one, 1 or -1. Or they are what a number of the book has gained since the start: `score="purse"`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from ludex.book import Book, load
from ludex.knowledge import Step, heard, view
from ludex.numbering import Numbering
from ludex.table import ending, open_lines, player_name
from rules import model as m
from rules.machine import Chance, Choice, Machine, Move, Node, Open, Over
from rules.machine import state as machine_state
from rules.machine.world import Cells
from rules.types import KindT, NumberT
from rules.walk import nodes_of

CHANCE_PLAYER = -1
TERMINAL_PLAYER = -4


class OpenPointError(RuntimeError):
    """The book leaves open what happens here; `point` says what, with the rules concerned."""

    def __init__(self, point: Open) -> None:
        super().__init__("\n".join(open_lines(point)))
        self.point = point


class TooLongError(RuntimeError):
    """A game went on for longer than `max_game_length`."""


class _Word(Enum):
    """Equal to the word of the same name in another library's enumeration, where ours stands on the left."""

    def __eq__(self, other: object) -> bool:
        return getattr(other, "name", None) == self.name

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True)
class GameType:
    """What bots ask before they play."""

    class Dynamics(_Word):
        SEQUENTIAL = 0

    class ChanceMode(_Word):
        DETERMINISTIC = 0
        EXPLICIT_STOCHASTIC = 1

    class Information(_Word):
        PERFECT_INFORMATION = 0
        IMPERFECT_INFORMATION = 1

    class Utility(_Word):
        ZERO_SUM = 0
        CONSTANT_SUM = 1
        GENERAL_SUM = 2

    class RewardModel(_Word):
        TERMINAL = 0

    short_name: str
    long_name: str
    dynamics: Dynamics
    chance_mode: ChanceMode
    information: Information
    utility: Utility
    reward_model: RewardModel
    max_num_players: int
    min_num_players: int
    provides_information_state_string: bool = True
    provides_information_state_tensor: bool = False
    provides_observation_string: bool = True
    provides_observation_tensor: bool = False
    provides_factored_observation_string: bool = False
    parameter_specification: dict[str, Any] = field(default_factory=dict)


class Game:
    """A book for a number of players.

    `score` names a number that each player has: returns are what it has gained since the start. `utility_sum` is what
    the returns of all add up to at every end, if you know it; it is checked there. `max_game_length` is a promise that
    a book cannot make by itself: no game has more decisions of players, or play stops with `TooLongError`.
    """

    def __init__(
        self,
        book: Book | str | Path,
        players: int | None = None,
        policies: tuple[str, ...] = (),
        *,
        default_policies: bool = True,
        score: str | None = None,
        utility_sum: float | None = None,
        max_game_length: int = 10_000,
    ) -> None:
        self.book = book if isinstance(book, Book) else load(book)
        self.machine: Machine = self.book.machine(players, policies, default_policies)
        self.numbering = Numbering(self.machine)
        self._players = max(1, self.machine.world.seats)  # a story without players is read by one
        self._length = max_game_length
        start = self.machine.start()
        self._score = self._score_cells(score) if score is not None else None
        self._begun = self._scores(start)
        if self._score is None and utility_sum not in (None, 0):
            raise ValueError("wins and losses add up to nought; another sum needs a `score`")
        self._sum = utility_sum if self._score is not None else 0.0 if self._players > 1 else None
        self._root = Point(start, self.go_on(start))

    def _score_cells(self, name: str) -> Cells:
        owner = KindT(self.machine.checked.players or "")
        for slot in self.machine.world.slots.values():
            symbol = slot.symbol
            if symbol.name == name and symbol.params == (owner,) and isinstance(symbol.type, NumberT):
                return slot
        raise ValueError(f"no number called `{name}` that each player has")

    def _scores(self, state: machine_state.State) -> list[int]:
        cells = self._score
        return [] if cells is None else state.cells[cells.base : cells.base + cells.count]

    def go_on(self, state: machine_state.State) -> Choice | Chance | Over:
        """To the next decision, or the end. Raises `OpenPointError`."""
        node: Node = self.machine.run(state)
        if isinstance(node, Open):
            raise OpenPointError(node)
        return node

    # ---- what is known of every game

    def new_initial_state(self) -> State:
        return State(self, self._root)

    def new_initial_states(self) -> list[State]:
        return [self.new_initial_state()]

    def num_players(self) -> int:
        return self._players

    def num_distinct_actions(self) -> int:
        return self.numbering.choices

    def max_chance_outcomes(self) -> int:
        return self.numbering.chances

    def max_game_length(self) -> int:
        """A bound on the decisions of players; what chance decides is not counted."""
        return self._length

    def max_utility(self) -> float:
        if self._score is None:
            return 1.0
        assert isinstance(self._score.symbol.type, NumberT)
        return float(self._score.symbol.type.high - min(self._begun))

    def min_utility(self) -> float:
        if self._score is None:
            return -1.0
        assert isinstance(self._score.symbol.type, NumberT)
        return float(self._score.symbol.type.low - max(self._begun))

    def utility_sum(self) -> float | None:
        return self._sum

    def get_type(self) -> GameType:
        players = self.machine.checked.players
        kind = self.machine.checked.kinds[players] if players else None
        hidden = any(
            (isinstance(node, m.Each) and node.secretly)
            or (isinstance(node, m.Slot) and any(word.text in ("closed", "private") for word in node.modifiers))
            for node in nodes_of(self.machine.checked.book.declarations)
        )
        chance = "EXPLICIT_STOCHASTIC" if self.numbering.chances else "DETERMINISTIC"
        summed = "GENERAL_SUM" if self._sum is None else "CONSTANT_SUM" if self._sum else "ZERO_SUM"
        return GameType(
            short_name=Path(self.book.path).stem,
            long_name=self.book.title,
            dynamics=GameType.Dynamics.SEQUENTIAL,
            chance_mode=GameType.ChanceMode[chance],
            information=GameType.Information[f"{'IM' if hidden else ''}PERFECT_INFORMATION"],
            utility=GameType.Utility[summed],
            reward_model=GameType.RewardModel.TERMINAL,
            max_num_players=kind.most if kind else 1,
            min_num_players=kind.least if kind else 1,
        )

    def get_parameters(self) -> dict[str, Any]:
        return {"players": self._players}

    def action_to_string(self, player: int, action: int) -> str:
        """In the words of the game, whether it is legal now or not."""
        if player == CHANCE_PLAYER:
            return self.numbering.chance_text(action)
        return self.numbering.choice_text(action, player)

    def __str__(self) -> str:
        return f"{Path(self.book.path).stem}(players={self._players})"

    # ---- the end

    def returns_of(self, state: machine_state.State, node: Over) -> list[float]:
        if self._score is not None:
            gained = [float(now - then) for now, then in zip(self._scores(state), self._begun, strict=True)]
            if self._sum is not None and sum(gained) != self._sum:
                raise ValueError(f"the scores add up to {sum(gained):g}, and not to {self._sum:g}")
            return gained
        results = dict(node.outcomes)
        players = range(self._players)
        winners = [player for player in players if results.get(player) == "wins"]
        if not winners and "loses" in results.values():
            winners = [player for player in players if results.get(player) != "loses"]
        if self._players == 1:
            return [1.0 if winners else -1.0 if results else 0.0]
        if len(winners) in (0, self._players):
            return [0.0] * self._players
        lost = -1.0 / (self._players - len(winners))
        return [1.0 / len(winners) if player in winners else lost for player in players]


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """A moment of one line of play, with the way that led there. INVARIANT: nothing of it changes, so lines share it.

    `known` keeps what each player sees here, once it has been asked for.
    """

    state: machine_state.State
    node: Choice | Chance | Over
    before: Point | None = None
    move: Move | None = None
    number: int = 0
    depth: int = 0
    choices: int = 0
    known: dict[int, dict[str, str]] = field(default_factory=dict)

    def step(self) -> Step:
        """The decision that led here."""
        assert self.before is not None
        assert self.move is not None
        assert not isinstance(self.before.node, Over)
        return Step(self.before.node, self.move, self.before.state, self.state, self.node)

    def line(self) -> list[Point]:
        """From the start to here."""
        points: list[Point] = []
        point: Point | None = self
        while point is not None:
            points.append(point)
            point = point.before
        return points[::-1]


class PlayerAction(NamedTuple):
    player: int
    action: int


class State:
    """One moment of a game. Copies and steps back cost nothing: what has been is never changed."""

    def __init__(self, game: Game, point: Point) -> None:
        self._game = game
        self._point = point

    # ---- who decides what

    def get_game(self) -> Game:
        return self._game

    def num_players(self) -> int:
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    def current_player(self) -> int:
        return _decider(self._point.node)

    def is_terminal(self) -> bool:
        return isinstance(self._point.node, Over)

    def is_chance_node(self) -> bool:
        return isinstance(self._point.node, Chance)

    def is_player_node(self) -> bool:
        return isinstance(self._point.node, Choice)

    def is_simultaneous_node(self) -> bool:
        """Never: what players choose at the same time they choose one after the other, without seeing it."""
        return False

    def is_mean_field_node(self) -> bool:
        return False

    def is_initial_state(self) -> bool:
        return self._point.before is None

    def _moves(self) -> dict[int, Move]:
        """By number, in order; of two choices in the same words the first."""
        node, numbering = self._point.node, self._game.numbering
        found: dict[int, Move] = {}
        if isinstance(node, Choice):
            for move in node.moves:
                found.setdefault(numbering.of_choice(node, move), move)
        elif isinstance(node, Chance):
            for move, _ in node.outcomes:
                found.setdefault(numbering.of_chance(move), move)
        return dict(sorted(found.items()))

    def legal_actions(self, player: int | None = None) -> list[int]:
        """In rising order; none for a player whose decision it is not."""
        if player is not None and player != self.current_player():
            return []
        return list(self._moves())

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        chance = (self.is_chance_node() and player is None) or player == CHANCE_PLAYER
        numbering = self._game.numbering
        mask = [0] * (numbering.chances if chance else numbering.choices)
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        node = self._point.node
        if not isinstance(node, Chance):
            raise ValueError("nothing is left to chance here")
        weights: dict[int, int] = {}
        for move, weight in node.outcomes:
            number = self._game.numbering.of_chance(move)
            weights[number] = weights.get(number, 0) + weight
        total = sum(weights.values())
        return [(number, weights[number] / total) for number in sorted(weights)]

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """As the action of a player; with the action alone, of the one who decides."""
        if action is None:
            player, action = self.current_player(), player
        return self._game.action_to_string(player, action)

    def string_to_action(self, player: int | str, text: str | None = None) -> int:
        """The other way round, for what is legal here."""
        wanted = player if text is None else text
        for number, move in self._moves().items():
            if move.text == wanted:
                return number
        raise ValueError(f"`{wanted}` cannot be chosen here")

    # ---- going on and back

    def apply_action(self, action: int) -> None:
        """Raises `ValueError` if it is not legal; then, and at an open point, nothing has changed."""
        point = self._point
        move = self._moves().get(int(action))
        if move is None:
            raise ValueError(f"action {action} is not legal here")
        choices = point.choices + isinstance(point.node, Choice)
        if choices > self._game.max_game_length():
            raise TooLongError(f"the game goes on after {choices - 1} decisions; `max_game_length` allows no more")
        state = point.state.copy()
        self._game.machine.answer(state, move)
        node = self._game.go_on(state)
        self._point = Point(state, node, point, move, int(action), point.depth + 1, choices)

    def child(self, action: int) -> State:
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self) -> State:
        return State(self._game, self._point)

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last decision back; it must be the one named."""
        point = self._point
        if point.before is None or (_decider(point.before.node), point.number) != (player, action):
            raise ValueError(f"the last decision was not {action} by {player}")
        self._point = point.before

    def history(self) -> list[int]:
        return [point.number for point in self._point.line()[1:]]

    def full_history(self) -> list[PlayerAction]:
        return [PlayerAction(player, number) for player, number in self._decisions()]

    def _decisions(self) -> Iterator[tuple[int, int]]:
        for point in self._point.line()[1:]:
            assert point.before is not None
            yield _decider(point.before.node), point.number

    def history_str(self) -> str:
        return ", ".join(map(str, self.history()))

    def move_number(self) -> int:
        return self._point.depth

    # ---- what it is worth

    def returns(self) -> list[float]:
        """Nought for all before the end."""
        node = self._point.node
        if not isinstance(node, Over):
            return [0.0] * self.num_players()
        return self._game.returns_of(self._point.state, node)

    def rewards(self) -> list[float]:
        """All at the end: as `returns`."""
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def player_reward(self, player: int) -> float:
        return self.rewards()[player]

    # ---- what is known

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player has seen since the start, and nothing else: the same words for all that he cannot tell
        apart."""
        viewer = self._viewer(player)
        line = self._point.line()
        last = self._seen(line[0], viewer)
        lines = [f"{self._name(viewer)} knows", *(f"{name}: {value}" for name, value in last.items())]
        steps = (point.step() for point in line[1:])
        for point, told in zip(line[1:], heard(self._game.machine, steps, viewer), strict=True):
            seen = self._seen(point, viewer)
            lines += [*told, *(f"  {name}: {value}" for name, value in seen.items() if last[name] != value)]
            last = seen
        return "\n".join([*lines, self._now()])

    def observation_string(self, player: int | None = None) -> str:
        """What a player sees now."""
        viewer = self._viewer(player)
        seen = self._seen(self._point, viewer)
        lines = [f"{self._name(viewer)} sees", *(f"{name}: {value}" for name, value in seen.items()), self._now()]
        return "\n".join(lines)

    def _viewer(self, player: int | None) -> int:
        viewer = self.current_player() if player is None else player
        if not 0 <= viewer < self.num_players():
            raise ValueError(f"{viewer} is no player: they go from 0 to {self.num_players() - 1}")
        return viewer

    def _seen(self, point: Point, viewer: int) -> dict[str, str]:
        if viewer not in point.known:
            point.known[viewer] = view(self._game.machine, point.state, viewer)
        return point.known[viewer]

    def _name(self, player: int) -> str:
        return player_name(self._game.machine, player)

    def _now(self) -> str:
        node = self._point.node
        if isinstance(node, Over):
            return ending(self._game.machine, node)
        if isinstance(node, Chance):
            return f"chance decides ({node.what})"
        return f"{player_name(self._game.machine, node.actor)} decides ({node.what})"

    def __str__(self) -> str:
        """Everything, hidden or not."""
        shown = view(self._game.machine, self._point.state, None)
        return "\n".join([*(f"{name}: {value}" for name, value in shown.items()), self._now()])

    def __repr__(self) -> str:
        return f"State({self._game}, history=[{self.history_str()}])"


def _decider(node: Choice | Chance | Over) -> int:
    match node:
        case Choice(actor=actor):
            return 0 if actor is None else actor
        case Chance():
            return CHANCE_PLAYER
        case Over():
            return TERMINAL_PLAYER
