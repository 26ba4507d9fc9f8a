"""The commands: arguments in, text out, an exit status. All thinking is done elsewhere."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ludex.arguments import SHOWN, Parser, colour, count, parse, parser_for, print_json, suggestion
from ludex.cli import COMMANDS
from ludex.errors import UsageError
from rules.codes import CODES

if TYPE_CHECKING:
    from ludex.book import Book
    from ludex.game import Game
    from ludex.legal import Standing
    from rules.diagnostics import Diagnostic
    from rules.machine import Machine

_MOST_DIGITS = 40  # as a save keeps them


def run(args: list[str]) -> int:
    try:
        return _dispatch(args)
    except UsageError as error:
        print(f"ludex: {error}", file=sys.stderr)
        return 2
    except OSError:
        raise  # only writing the output can still fail here: see `cli.main`
    except KeyboardInterrupt:
        print("ludex: interrupted", file=sys.stderr)
        return 2
    except Exception as error:  # noqa: BLE001, RUF100  (our mistake: say so, and how to show us)
        if os.environ.get("LUDEX_TRACEBACK"):
            raise
        print(
            f"ludex: a mistake of ours: {type(error).__name__}: {error}\n"
            "       please report it with the rulebook; LUDEX_TRACEBACK=1 shows where it happened",
            file=sys.stderr,
        )
        return 2


def _dispatch(args: list[str]) -> int:
    command, rest = args[0], args[1:]
    match command:
        case "ask":
            from ludex.ask_command import ask  # noqa: PLC0415

            return ask(rest)
        case "check":
            from ludex.check_command import check  # noqa: PLC0415

            return check(rest)
        case "compare":
            from ludex.compare_command import compare  # noqa: PLC0415

            return compare(rest)
        case "fmt":
            return fmt(rest)
        case "coverage":
            return coverage(rest)
        case "graph":
            return graph(rest)
        case "explain":
            return explain(rest)
        case "new":
            return new(rest)
        case "test":
            return test(rest)
        case "run":
            return run_games(rest)
        case "play":
            return play(rest)
        case "rulings":
            return rulings(rest)
        case "legal":
            return legal(rest)
        case "why":
            return why(rest)
        case _:
            close = get_close_matches(command, COMMANDS, n=1)
            hint = f"; did you mean `{close[0]}`?" if close else f"; commands are {', '.join(COMMANDS)}"
            raise UsageError(f"no command is called `{command}`{hint}")


# ---- fmt ------------------------------------------------------------------------------------------------------------


def fmt(args: Sequence[str]) -> int:
    parser = parser_for(
        "fmt", "Rewrite rulebooks in the one canonical form. A file that cannot be read is left as it is."
    )
    parser.add_argument(
        "paths", metavar="PATH", nargs="+", help="files and folders; `-` reads and writes the standard streams"
    )
    parser.add_argument("--check", action="store_true", help="change nothing; exit status 1 if something would change")
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    from ludex.rewrite import rewrite  # noqa: PLC0415

    return rewrite(options.paths, options.check, colour())


# ---- coverage -------------------------------------------------------------------------------------------------------


def coverage(args: Sequence[str]) -> int:
    parser = parser_for("coverage", "What share of each document is modelled, noted with a reason, or open.")
    parser.add_argument("book", metavar="BOOK", help="a file, a folder, or the name of a bundled rulebook")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to show it (default: text)")
    parser.add_argument("--open", action="store_true", help="list the lines that are still open")
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    book = without_errors(options.book, "coverage is only counted")
    if isinstance(book, int):
        return book
    from ludex.summary import coverage_json, coverage_text  # noqa: PLC0415

    if options.format == "json":
        print_json({"version": 1, "book": options.book, "documents": coverage_json(book.coverage())})
    else:
        print(coverage_text(book.coverage(), options.open))
    return 0


# ---- graph ----------------------------------------------------------------------------------------------------------


def graph(args: Sequence[str]) -> int:
    parser = parser_for("graph", "Draw a rulebook: its phases, its story, its precedence, or what its rules hang on.")
    parser.add_argument("book", metavar="BOOK", help="a file, a folder, or the name of a bundled rulebook")
    parser.add_argument(
        "--what", default="phases", metavar="WHAT", help="phases (the default), story, precedence or rules"
    )
    parser.add_argument(
        "--format", metavar="FORMAT", help="svg, dot or mermaid (default: as the file is called, or svg)"
    )
    parser.add_argument("--output", metavar="FILE", help="where to write it (default: show the text)")
    parser.add_argument("--focus", metavar="NAME", help="only what is near the rule, passage, phase... of that name")
    parser.add_argument(
        "--depth", type=count, default=1, metavar="N", help="how many steps are near, with --focus (default: 1)"
    )
    parser.add_argument(
        "--limit", type=count, metavar="N", help="nodes beyond which chapters and sections are folded (default: 400)"
    )
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    book = without_errors(options.book, "pictures are only drawn")
    if isinstance(book, int):
        return book
    from ludex.graph_command import Wanted, draw  # noqa: PLC0415

    assert book.checked is not None
    named = Wanted(options.what, options.format, options.output, options.focus, options.depth, options.limit)
    sys.stdout.write(draw(book.checked, named))
    return 0


# ---- explain --------------------------------------------------------------------------------------------------------


def explain(args: Sequence[str]) -> int:
    parser = parser_for("explain", "What a diagnostic means, why it matters, and an example.")
    parser.add_argument(
        "code",
        metavar="CODE",
        nargs="?",
        help="for example LX101; LX9 lists all that begin so, and without it all are listed",
    )
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    if options.code is None:
        for code in CODES.values():
            print(f"{code.code}  {code.severity:<7}  {code.title}")
        return 0
    found = re.search(r"LX[0-9]{3}", options.code.upper())  # also out of `error[LX101]`
    wanted = found.group() if found else options.code.upper()
    begun = [CODES[name] for name in sorted(CODES) if name.startswith(wanted)]
    if wanted.startswith("LX") and begun and wanted not in CODES:
        for code in begun:
            print(f"{code.code}  {code.severity:<7}  {code.title}")
        return 0
    if wanted not in CODES:
        close = get_close_matches(wanted, CODES, n=3)
        raise UsageError(
            f"no code is called `{options.code}`" + (f"; close to it are {', '.join(close)}" if close else "")
        )
    from rules.explain import page_of  # noqa: PLC0415

    print(page_of(wanted))
    return 0


# ---- new ------------------------------------------------------------------------------------------------------------


def new(args: Sequence[str]) -> int:
    parser = parser_for("new", "Start a small rulebook: writes NAME.rules here.")
    parser.add_argument("name", metavar="NAME", help="a short name, such as harbour")
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    from ludex.rewrite import start_rulebook  # noqa: PLC0415

    path = start_rulebook(options.name)
    print(f"wrote {path}\n\n    ludex check {path}\n\nshows what Ludex makes of it.")
    return 0


# ---- test, run, play -------------------------------------------------------------------------------------------------


def test(args: Sequence[str]) -> int:
    parser = parser_for(
        "test", "Run the scenarios of a rulebook and ask its questions; show where one fails or is answered otherwise."
    )
    parser.add_argument("book", metavar="BOOK", help="a file, a folder, or the name of a bundled rulebook")
    parser.add_argument("--claims", action="store_true", help="judge what the book claims of all games, too")
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    book = without_errors(options.book, "scenarios and questions are only tried")
    if isinstance(book, int):
        return book
    from ludex.scenarios import run_claims, run_scenarios  # noqa: PLC0415

    status = run_scenarios(book, colour())
    return max(status, run_claims(book, colour())) if options.claims else status


def run_games(args: Sequence[str]) -> int:
    parser = parser_for("run", "Let games play themselves, and see how they end. The same seed gives the same games.")
    _game_options(parser)
    parser.add_argument("--seed", type=_whole, default=0, metavar="N", help="of the first game; each next has one more")
    parser.add_argument("--games", type=count, default=100, metavar="K", help="how many games (default: 100)")
    _strategy_option(parser, "--strategy", "how moves are chosen")
    parser.add_argument("--state", metavar="FILE", help="a state file to begin each game with (default: the set-up)")
    parser.add_argument(
        "--limit",
        type=count,
        default=10_000,
        metavar="N",
        help="decisions after which a game is left (default: 10000)",
    )
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    book = without_errors(options.book, "games are only played")
    if isinstance(book, int):
        return book
    from ludex.simulate import simulate  # noqa: PLC0415

    game = _begun(book, options)
    if isinstance(game, int):
        return game
    return simulate(game, options.seed, options.games, options.strategy, options.limit)


def play(args: Sequence[str]) -> int:
    parser = parser_for(
        "play",
        "Play in the terminal: all seats, or some and the others play by themselves. `help` in the game tells more.",
    )
    _game_options(parser)
    parser.add_argument("--seed", type=_whole, metavar="N", help="of dice and shuffles (default: a new one)")
    parser.add_argument(
        "--as",
        dest="seats",
        action="append",
        default=[],
        metavar="PLAYER",
        help="a player that you play, by name or number; may be given again (default: all)",
    )
    _strategy_option(parser, "--others", "how the players that you do not play choose")
    parser.add_argument("--state", metavar="FILE", help="a state file to begin with (default: the set-up)")
    parser.add_argument("--load", metavar="FILE", help="go on with a saved game; it is saved there again")
    parser.add_argument("--save", metavar="FILE", help="where the game is saved when you leave")
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    own = (options.players, options.seed, options.policy, options.state, options.default_policies)
    if options.load is not None and own != (None, None, [], None, True):
        raise UsageError("a saved game has its own players, seed, policies and state: leave them out with `--load`")
    book = without_errors(options.book, "games are only played")
    if isinstance(book, int):
        return book
    from ludex.play import Table, new_seed  # noqa: PLC0415
    from ludex.saves import refusal  # noqa: PLC0415
    from ludex.strategies import strategy_of  # noqa: PLC0415

    if options.load is not None:
        game = _resumed(book, options.load)
    else:
        options.seed = options.seed if options.seed is not None else new_seed()
        begun = _begun(book, options)
        if isinstance(begun, int):
            return begun
        game = begun
    seats = frozenset(_player(game.machine, text) for text in options.seats) or None
    if options.save is not None and (found := refusal(book, options.save)) is not None:
        raise UsageError(found)
    strategy = strategy_of(options.others, game.seed)
    return Table(game, options.book, seats, strategy, options.save or options.load).play()


def _resumed(book: Book, path: str) -> Game:
    from ludex.saves import is_changed, needless  # noqa: PLC0415

    game = _resume(book, path)
    if is_changed(book, path):
        print("the rulebook has changed since the game was saved; it was replayed by the rules of now")
        left_out = needless(game, path)
        print(f"all {len(game.record) + left_out} decisions still fit")
        if left_out:
            print(f"{left_out} ruling{'' if left_out == 1 else 's'} of them the rulebook has settled since")
        print()
    return game


def _resume(book: Book, path: str) -> Game:
    try:
        return book.resume(path)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _player(machine: Machine, text: str) -> int:
    """A player by name, as play shows it, or by number from 1 up."""
    names = machine.world.things[machine.checked.players] if machine.checked.players else ()
    wanted = " ".join(text.split()).lower()
    for place, name in enumerate(names):
        if wanted in (name.lower(), str(place + 1)):
            return place
    raise UsageError(f"no player is called `{text}`; players are {', '.join(names) or 'none'}")


def rulings(args: Sequence[str]) -> int:
    parser = parser_for(
        "rulings",
        "Write the rulings of a saved game as a rulebook of their own: loaded, it settles the points that were open.",
    )
    parser.add_argument("book", metavar="BOOK", help="a file, a folder, or the name of a bundled rulebook")
    parser.add_argument("save", metavar="SAVE", help="a game saved by `ludex play`")
    parser.add_argument("--out", metavar="FILE", help="where to write it (default: show it)")
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    book = without_errors(options.book, "games are only played")
    if isinstance(book, int):
        return book
    game = _resume(book, options.save)
    if not game.rulings:
        print("no ruling was made in this game", file=sys.stderr)
        return 0
    folder = os.path.dirname(os.path.abspath(options.out)) if options.out else os.getcwd()
    text = game.errata(os.path.relpath(book.path, folder).replace(os.sep, "/"))
    if options.out is None:
        print(text, end="")
        return 0
    from pathlib import Path  # noqa: PLC0415

    from ludex.rewrite import write_whole  # noqa: PLC0415

    if os.path.exists(options.out):
        raise UsageError(f"`{options.out}` is already there; nothing was changed")
    write_whole(Path(options.out), text)
    print(f"wrote {options.out}")
    return 0


def _begun(book: Book, options: argparse.Namespace) -> Game | int:
    """A new game, or the exit status after what is wrong with its position was shown."""
    _no_doubles(options)
    policies = tuple(options.policy)
    if options.state is None:
        return _start(book, options.players, options.seed, policies, options.default_policies)
    from pathlib import Path  # noqa: PLC0415

    from ludex.positions import load_position  # noqa: PLC0415

    try:
        placed = load_position(book, options.state, policies, options.default_policies)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if isinstance(placed, tuple):
        return _no_position(placed, options.state)
    return book.begin(placed, Path(options.state).read_text(encoding="utf-8"), options.seed)


def _no_doubles(options: argparse.Namespace) -> None:
    if options.state is not None and options.players is not None:
        raise UsageError("a state has its own players: leave them out with `--state`")


def _no_position(found: Sequence[Diagnostic], path: str) -> int:
    """Shows what is wrong with a state file; gives the exit status."""
    from verifier.render import to_text  # noqa: PLC0415

    for diagnostic in found[:SHOWN]:
        print(to_text(diagnostic, colour()), end="\n\n", file=sys.stderr)
    print(f"ludex: `{path}` gives no position", file=sys.stderr)
    return 2


# ---- legal, why -----------------------------------------------------------------------------------------------------


def legal(args: Sequence[str]) -> int:
    parser = parser_for("legal", "What can be chosen in a position, and the rules that allow it.")
    _position_options(parser)
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    at = _standing(options)
    if isinstance(at, int):
        return at
    from ludex.legal import legal_json, legal_lines  # noqa: PLC0415

    viewer = _player(at.machine, options.viewer) if options.viewer is not None else None
    if options.format == "json":
        print_json({"version": 1, "book": options.book, **legal_json(at, viewer)})
    else:
        print("\n".join(legal_lines(at, viewer)))
    return 0


def why(args: Sequence[str]) -> int:
    parser = parser_for(
        "why",
        "Why a move is legal in a position, or why not, and what would make it so. "
        "Exit status: 0 for a legal move, 1 for any other.",
    )
    _position_options(parser)
    parser.add_argument("--all", action="store_true", help="every rule that speaks of the action, and every comparison")
    parser.add_argument(
        "move", metavar="MOVE", nargs="+", help="as play shows it; parts may be left out: `sail to crete`, `sail`"
    )
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    at = _standing(options)
    if isinstance(at, int):
        return at
    from ludex.reasons import why_at  # noqa: PLC0415

    viewer = _player(at.machine, options.viewer) if options.viewer is not None else None
    try:
        found = why_at(at.machine, at.state, at.node, " ".join(options.move), viewer)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if options.format == "json":
        print_json({"version": 1, "book": options.book, **found.json()})
    else:
        print(found.text(options.all))
    return 0 if found.verdict == "legal" else 1


def _position_options(parser: Parser) -> None:
    _game_options(parser)
    parser.add_argument(
        "--state", metavar="FILE", help="a state file or a saved game (default: the first decision of a game)"
    )
    parser.add_argument(
        "--as", dest="viewer", metavar="PLAYER", help="as this player sees it: a name as play shows it, or a number"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to show it (default: text)")


def _standing(options: argparse.Namespace) -> Standing | int:
    """The position that is asked about, or the exit status after what is wrong was shown."""
    _no_doubles(options)
    book = without_errors(options.book, "questions are only answered")
    if isinstance(book, int):
        return book
    from ludex.legal import first_decision, standing_in  # noqa: PLC0415

    policies = tuple(options.policy)
    try:
        if options.state is None:
            return first_decision(book, options.players, policies, options.default_policies)
        found = standing_in(book, options.state, policies, options.default_policies)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return _no_position(found, options.state) if isinstance(found, tuple) else found


def _strategy_option(parser: Parser, name: str, words: str) -> None:
    parser.add_argument(
        name,
        default="random",
        metavar="HOW",
        help=f"{words}: random (the default), first, or FILE.py:NAME, a function that gives one of `game.moves`",
    )


def _game_options(parser: Parser) -> None:
    parser.add_argument("book", metavar="BOOK", help="a file, a folder, or the name of a bundled rulebook")
    parser.add_argument("--players", type=count, metavar="N", help="how many play (default: as few as the game allows)")
    parser.add_argument(
        "--policy",
        action="append",
        default=[],
        metavar="NAME",
        help="a policy of the book, besides those it marks `by default`; may be given again",
    )
    parser.add_argument(
        "--no-policies",
        dest="default_policies",
        action="store_false",
        help="without the policies that the book marks `by default`: play stops where the rules disagree",
    )


def _whole(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]+", text):
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number")
    if len(text) > _MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"a number of {len(text)} digits is too long; up to {_MOST_DIGITS} are read")
    return int(text)


def _start(book: Book, players: int | None, seed: int, policies: tuple[str, ...], default_policies: bool) -> Game:
    try:
        return book.start(players, seed, policies, default_policies)
    except ValueError as error:
        raise UsageError(str(error)) from None


def without_errors(path: str, refusal: str) -> Book | int:
    """The book, or the exit status after its errors were shown."""
    from ludex.book import load  # noqa: PLC0415
    from verifier.render import to_text  # noqa: PLC0415

    book = load(path)
    if not book.errors:
        return book
    for diagnostic in book.errors[:SHOWN]:
        print(to_text(diagnostic, colour()), end="\n\n", file=sys.stderr)
    if not book.sources:
        print(f"ludex: {suggestion(path)}", file=sys.stderr)
        return 2
    print(f"ludex: {refusal} for a rulebook without errors", file=sys.stderr)
    return 1
