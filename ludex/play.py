"""`ludex play`: a game in the terminal. One person takes all seats, or some, and the others play by themselves."""

from __future__ import annotations

import random
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from ludex.errors import UsageError
from ludex.game import Game
from ludex.knowledge import told
from ludex.saves import refusal
from ludex.strategies import Strategy
from ludex.table import ending, open_lines, player_name, policy_lines, state_lines
from rules.machine import Chance, Choice, Move, Open, Over
from rules.machine.secrets import NOBODY
from rules.machine.state import State

HELP = """\
a number       makes that move; so does its text
why N          which rules allow move N, and where they stand
why not MOVE   why a move is not legal, and what would make it so; `--all` at the end tells everything
state          all that lies on the table, as the one who decides sees it
undo           takes your last move or ruling back; not past dice, shuffles and what somebody has seen since
undo!          takes it back even so
save FILE      writes the game to a file; `ludex play BOOK --load FILE` goes on
quit           writes the game to its file and leaves; `quit!` leaves without writing"""

_NOTHING_CHOSEN = "nothing was chosen, so nothing was written"


def new_seed() -> int:
    return random.SystemRandom().randrange(1_000_000)


@contextmanager
def _ends_the_input() -> Iterator[None]:
    """A terminal that is closed, or a process that is told to end, is the end of input: the game is kept."""

    def end(_number: int, _frame: object) -> None:
        raise EOFError

    told = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        told = []  # only the main thread hears of it
    before = {number: signal.signal(number, end) for number in told}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Table:
    """`seats` are those of the person, None is all; `strategy` plays the others; `file` is where the game is saved.

    `name` is what the person calls the rulebook.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        seats: frozenset[int] | None = None,
        strategy: Strategy | None = None,
        file: str | None = None,
    ) -> None:
        self.game = game
        self.name = name
        self.seats = seats
        self.strategy = strategy
        self.file = file

    def play(self) -> int:
        """Plays until the end, `quit` or the end of input; gives the exit status."""
        game = self.game
        players = game.machine.world.seats
        seated = f"{players} {'player' if players == 1 else 'players'}"
        print(f"{game.book.title}, {seated}, seed {game.seed}; `help` tells what can be typed")
        print("\n".join((*policy_lines(game.policies), "")))
        try:
            with _ends_the_input():
                return self._take_turns()
        except (EOFError, KeyboardInterrupt):
            return self._leave()
        except Exception:  # of a strategy, of the terminal, of ours
            if self.game.has_chosen and (path := self._keep()) is not None:
                print(f"the game so far is saved to {path}", file=sys.stderr)
            raise

    def _take_turns(self) -> int:
        before: State | None = None
        while True:
            self._go_on()
            self._show(before)
            if isinstance(self.game.node, Over):
                print(f"\n{ending(self.game.machine, self.game.node)}")
                return self._after_the_end()
            self._offer()
            before = self.game.state.copy()
            if not self._listen():
                return self._status

    @property
    def _status(self) -> int:
        return 1 if isinstance(self.game.node, Open) else 0

    # ---- what is seen

    @property
    def _viewer(self) -> int | None:
        """Whose eyes the person has: of the seats of the person, the one who decides; None is the table as one."""
        node = self.game.node
        actor = node.actor if isinstance(node, Choice) else None
        if self.seats is None:
            return actor
        return actor if actor in self.seats else min(self.seats)

    def _show(self, before: State | None) -> None:
        viewer = self._viewer
        eyes = NOBODY if viewer is None else viewer
        changed = state_lines(self.game.machine, self.game.state, eyes, before)
        print("\n".join(changed) if changed else "nothing on the table has changed")

    def _offer(self) -> None:
        node = self.game.node
        if isinstance(node, Open):
            print("\nplay stops here\n" + "\n".join(open_lines(node)))
            if node.rulings:
                print("\nthe table rules, and play goes on:")
            by_side = len(node.sides) == len(node.rulings) > 1
            options = [
                f"side {number}: {ruling.text}" if by_side else ruling.text
                for number, ruling in enumerate(node.rulings, 1)
            ]
        else:
            assert isinstance(node, Choice)
            secretly = ", in secret" if node.secret else ""
            print(f"\n{player_name(self.game.machine, node.actor)} decides ({node.what}{secretly}):")
            options = [move.text for move in node.moves]
        width = len(str(len(options)))
        for number, text in enumerate(options, 1):
            print(f"  {number:>{width}}  {text}")

    # ---- going on by itself

    def _go_on(self) -> None:
        """Chance decides, and those who are not seated here, until the person must."""
        last = ""
        while True:
            node = self.game.node
            if isinstance(node, Chance):
                before = self.game.state.copy()
                came = self.game.chance()
                move = next(move for move, _ in node.outcomes if move.text == came)
                eyes = NOBODY if self.seats is None else min(self.seats)
                text = told(self.game.machine, node, move, before, self.game.state, eyes)
                if not (node.shuffles and text == last):
                    print(text)
                last = text
            elif isinstance(node, Choice) and self._by_itself(node):
                assert self.strategy is not None
                move, before = self.strategy(self.game), self.game.state.copy()
                self.game.do(move)
                if node.secret:
                    print(f"{player_name(self.game.machine, node.actor)} chooses in secret")
                else:
                    assert self.seats is not None
                    print(told(self.game.machine, node, move, before, self.game.state, min(self.seats)))
            else:
                return

    def _by_itself(self, node: Choice) -> bool:
        return self.seats is not None and node.actor is not None and node.actor not in self.seats

    # ---- what is typed

    def _listen(self) -> bool:
        """Asks until the game has changed; no where it is left."""
        while True:
            line = " ".join(input("> ").split())
            word, _, rest = line.partition(" ")
            match word:
                case "":
                    continue
                case "quit" if not rest:
                    if self._quit():
                        return False
                case "quit!" if not rest:
                    print("nothing was written")
                    return False
                case "help" if not rest:
                    print(HELP)
                case "state" if not rest:
                    self._show(None)
                case "save":
                    if rest or self.file is not None:
                        self._save(rest or str(self.file))
                    else:
                        print("`save` needs the name of a file")
                case "why":
                    self._why(rest)
                case "undo" | "undo!" if not rest:
                    if self._undo(word == "undo!"):
                        return True
                case _:
                    if self._decide(line):
                        return True

    def _place(self, text: str, size: int) -> int | None:
        if not _is_number(text) or not 1 <= int(text) <= size:
            return None
        return int(text) - 1

    def _decide(self, line: str) -> bool:
        node = self.game.node
        if isinstance(node, Open):
            return self._rule(node, line)
        assert isinstance(node, Choice)
        move = self._meant(node, line)
        if move is None:
            many = f"a number from 1 to {len(node.moves)}, the text of a move, `why not {line}`, or `help`"
            print(f"`{line}` cannot be chosen here: {many}")
            return False
        self.game.do(move)
        return True

    def _meant(self, node: Choice, line: str) -> Move | None:
        place = self._place(line, len(node.moves))
        if place is not None:
            return node.moves[place]
        return next((m for m in node.moves if m.text.lower() == line.lower()), None)

    def _rule(self, node: Open, line: str) -> bool:
        place = self._place(line, len(node.rulings))
        if place is None:
            numbers = f"a number from 1 to {len(node.rulings)}, " if node.rulings else ""
            print(f"`{line}` settles nothing here: {numbers}`undo`, `save`, `quit` or `help`")
            return False
        self.game.rule(node.rulings[place])
        return True

    def _why(self, text: str) -> None:
        node = self.game.node
        if not isinstance(node, Choice):
            print("nobody has to decide anything here")
            return
        wanted = f"{text} ".removeprefix("not ").strip()
        whole = wanted.endswith("--all")
        wanted = wanted.removesuffix("--all").strip()
        place = self._place(wanted, len(node.moves))
        if not wanted or (place is None and _is_number(wanted)):
            print(f"`why` needs a move: a number from 1 to {len(node.moves)}, or its text after `why not`")
            return
        try:
            found = self.game.why(wanted if place is None else node.moves[place], self._viewer)
        except ValueError as error:
            print(error)
            return
        print(found.text(whole))

    def _undo(self, through_chance: bool) -> bool:
        """Back to the last decision of the person; what the others have chosen since is taken back with it."""
        record = list(self.game.record)
        try:
            undone = self.game.undo(through_chance)
            while isinstance(self.game.node, Choice) and self._by_itself(self.game.node):
                undone = self.game.undo(through_chance)
        except ValueError as error:
            hint = "" if through_chance or not self.game.has_chosen else "; `undo!` takes that back too"
            self.game.replay(record)
            print(f"{error}{hint}")
            return False
        print(f"taken back: {undone.text}")
        return True

    # ---- leaving

    def _save(self, path: str) -> bool:
        """Whether it was written; what stands in the way is told, and nothing else is overwritten."""
        try:
            if (found := refusal(self.game.book, path)) is not None:
                raise UsageError(found)
            self.game.save(path)
        except UsageError as error:
            print(error)
            return False
        print(f"saved to {path}")
        return True

    def _quit(self) -> bool:
        """Whether the person can leave: what was played must not be lost."""
        if not self.game.has_chosen:
            print(_NOTHING_CHOSEN)
            return True
        path = self.file or self._free_name()
        if not self._save(path):
            print("`save FILE` writes the game elsewhere, `quit!` leaves without writing")
            return False
        print(f"`ludex play {self.name} --load {path}` goes on")
        return True

    def _leave(self) -> int:
        """Leaves where nobody can be asked any more, and perhaps nobody reads; gives the exit status."""
        path = self._keep() if self.game.has_chosen else None
        print("\nend of input" if self.game.record else "")
        if path is not None:
            print(f"saved to {path}\n`ludex play {self.name} --load {path}` goes on")
        elif self.game.has_chosen:
            print("the game could not be written anywhere")
            return 2
        else:
            print(_NOTHING_CHOSEN)
        return self._status

    def _keep(self) -> str | None:
        """Writes the game to its file or, where that cannot be, to another one; says nothing but which."""
        elsewhere = Path(tempfile.gettempdir())
        for path in (self.file, self._free_name(), self._free_name(elsewhere)):
            if path is None or refusal(self.game.book, path) is not None:
                continue
            try:
                self.game.save(path)
            except UsageError:
                continue
            return path
        return None

    def _after_the_end(self) -> int:
        """A game that is over is written where the person said so, and where it has rulings that can be exported."""
        if self.file is None and not self.game.rulings:
            return 0
        path = self.file or self._free_name()
        if not self._save(path):
            return 2
        if self.game.rulings:
            print(f"`ludex rulings {self.name} {path}` shows what was ruled")
        return 0

    def _free_name(self, folder: Path = Path()) -> str:
        stem = Path(self.game.book.path).stem
        names = (folder / (f"{stem}.save" if i == 1 else f"{stem}-{i}.save") for i in count(1))
        return str(next(name for name in names if not name.exists()))


def _is_number(text: str) -> bool:
    """Whether it is a number that somebody would type."""
    return text.isascii() and text.isdigit() and len(text) <= 9
