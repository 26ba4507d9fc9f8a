"""`ludex play`: a game in the terminal, all seats by one person."""

from __future__ import annotations

import random
from pathlib import Path

from ludex.book import Book
from ludex.errors import UsageError
from ludex.rewrite import write_whole
from ludex.table import ending, ground, open_lines, player_name, state_lines
from rules.machine import Chance, Choice, Game, Open, Over, Save, read_save, save_text

HELP = """\
a number       makes that move; so does its text
rules N        which rules allow move N, and where they stand
state          all that lies on the table
undo           takes the last move back; not past dice or shuffles
undo!          takes it back even so
save FILE      writes the game to a file; `ludex play BOOK --load FILE` goes on
quit           ends without saving"""


def new_seed() -> int:
    return random.SystemRandom().randrange(1_000_000)


def load_game(book: Book, path: str) -> int:
    """Goes on with a saved game; nothing is played if it does not fit."""
    try:
        save = read_save(Path(path).read_bytes().decode("utf-8"))
    except OSError as error:
        raise UsageError(f"`{path}` cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"`{path}` is no save: it is not text") from None
    except ValueError as error:
        raise UsageError(f"`{path}`: {error}") from None
    if save.book != book.title:
        raise UsageError(f"`{path}` is a game of `{save.book}`, and this is `{book.title}`")
    changed = save.digest != book.digest
    if changed:
        print("the rulebook has changed since the game was saved; it is replayed by the rules of now")
    try:
        game = book.start(save.seats, save.seed, save.policies)
        game.replay(list(save.record))
    except ValueError as error:
        why = "it no longer fits" if changed else "it does not fit the rulebook"
        raise UsageError(f"`{path}`: {why}: {error}") from None
    if changed:
        print(f"all {len(save.record)} decisions still fit")
    return play_game(book, game, save.policies)


def play_game(book: Book, game: Game, policies: tuple[str, ...]) -> int:
    """Plays until the end, an open point, `quit` or the end of input; gives the exit status."""
    return _Table(book, game, policies).play()


class _Table:
    def __init__(self, book: Book, game: Game, policies: tuple[str, ...]) -> None:
        self.book = book
        self.game = game
        self.policies = policies

    def play(self) -> int:
        game = self.game
        print(
            f"{self.book.title}, {game.machine.world.seats} seats, seed {game.seed}; `help` tells what can be typed\n"
        )
        self._chances()
        print("\n".join(state_lines(game.machine, game.state)))
        while True:
            node = game.node
            if isinstance(node, Over):
                print(f"\n{ending(game.machine, node)}")
                return 0
            if isinstance(node, Open):
                print("\nplay stops here\n" + "\n".join(open_lines(node)))
                return 1
            assert isinstance(node, Choice)
            self._offer(node)
            if not self._listen(node):
                return 0

    def _offer(self, node: Choice) -> None:
        print(f"\n{player_name(self.game.machine, node.actor)} decides ({node.what}):")
        width = len(str(len(node.moves)))
        for number, move in enumerate(node.moves, 1):
            print(f"  {number:>{width}}  {move.text}")

    def _listen(self, node: Choice) -> bool:
        """Asks until the game has changed; no where it is left."""
        while True:
            try:
                line = " ".join(input("> ").split())
            except EOFError:
                print("\nend of input; nothing was saved")
                return False
            word, _, rest = line.partition(" ")
            match word:
                case "":
                    continue
                case "quit" if not rest:
                    print("nothing was saved")
                    return False
                case "help" if not rest:
                    print(HELP)
                case "state" if not rest:
                    print("\n".join(state_lines(self.game.machine, self.game.state)))
                case "save":
                    self._save(rest)
                case "rules" if self._number(rest, node) is not None:
                    self._rules(rest, node)
                case "undo" | "undo!" if not rest:
                    if self._undo(word == "undo!"):
                        return True
                case _:
                    if self._move(line, node):
                        return True

    def _number(self, text: str, node: Choice) -> int | None:
        if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= len(node.moves):
            return None
        return int(text) - 1

    def _move(self, line: str, node: Choice) -> bool:
        place = self._number(line, node)
        move = node.moves[place] if place is not None else None
        if move is None:
            move = next((m for m in node.moves if m.text.lower() == line.lower()), None)
        if move is None:
            print(
                f"`{line}` cannot be chosen here: a number from 1 to {len(node.moves)}, the text of a move, or `help`"
            )
            return False
        before = self.game.state.copy()
        self.game.do(move)
        self._chances()
        changed = state_lines(self.game.machine, self.game.state, before)
        print("\n".join(changed) if changed else "nothing on the table has changed")
        return True

    def _chances(self) -> None:
        """Dice are shown as they fall; of a shuffle only that it was made."""
        last = ""
        while isinstance(self.game.node, Chance):
            node = self.game.node
            came = self.game.chance()
            text = node.what if node.shuffles else f"{node.what}: {came}"
            if not (node.shuffles and text == last):
                print(text)
            last = text

    def _undo(self, through_chance: bool) -> bool:
        before = self.game.state
        try:
            undone = self.game.undo(through_chance)
        except ValueError as error:
            hint = "" if through_chance or not self.game.has_chosen else "; `undo!` takes that back too"
            print(f"{error}{hint}")
            return False
        print(f"taken back: {undone.text}")
        print("\n".join(state_lines(self.game.machine, self.game.state, before)))
        return True

    def _rules(self, text: str, node: Choice) -> None:
        place = self._number(text, node)
        assert place is not None
        move = node.moves[place]
        legal = next((one for one in self.game.legal() if (one.verb, one.args) == move.data), None)
        if legal is None:
            print("no rule is asked here: the play itself offers this")
        elif not legal.winners:
            print("no rule speaks of this action: the play itself offers it")
        else:
            norms = {id(applied.norm.body): applied.norm for applied in legal.winners}
            print("\n".join(ground(norm) for norm in norms.values()))

    def _save(self, path: str) -> None:
        if not path:
            print("`save` needs the name of a file")
            return
        game = self.game
        record = tuple(game.record)
        save = Save(self.book.title, self.book.digest, game.machine.world.seats, game.seed, self.policies, record)
        try:
            write_whole(Path(path), save_text(save))
        except UsageError as error:
            print(error)
            return
        print(f"saved to {path}")
