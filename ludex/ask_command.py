"""`ludex ask`: questions in the language of a rulebook, and their answers."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ludex.arguments import colour, parse, parser_for, print_json
from ludex.commands import without_errors
from ludex.errors import UsageError


def ask(args: Sequence[str]) -> int:
    parser = parser_for(
        "ask",
        "What the rules say to a question, in every state: always, never, it depends, or undetermined. "
        "Exit status: 0 for an answer, 1 where it is not the expected one or nobody knows, 2 for bad usage.",
    )
    parser.add_argument("book", metavar="BOOK", help="a file, a folder, or the name of a bundled rulebook")
    parser.add_argument(
        "question",
        metavar="QUESTION",
        nargs="?",
        help="as a rulebook asks: `p may sail to q when weather is storm`, `what is toll of p`, `what happens when "
        "...`; or the title of a question of the book (default: all questions of the book)",
    )
    parser.add_argument(
        "--players", type=int, metavar="N", help="how many play (default: as few as it can be asked with)"
    )
    parser.add_argument(
        "--policy", action="append", default=[], metavar="NAME", help="a policy to go by; may be given again"
    )
    parser.add_argument("--plays", action="store_true", help="the play to each state, move by move")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to show it (default: text)")
    options = parse(parser, args)
    if isinstance(options, int):
        return options
    book = without_errors(options.book, "questions are only answered")
    if isinstance(book, int):
        return book
    from ludex.asking import QuestionError, answer_json, answer_text, ask_all  # noqa: PLC0415
    from ludex.asking import ask as ask_book  # noqa: PLC0415
    from verifier.render import to_text  # noqa: PLC0415

    policies = tuple(options.policy)
    try:
        if options.question is None:
            found = list(ask_all(book, options.players, policies))
        else:
            found = [ask_book(book, options.question, options.players, policies)]
    except QuestionError as error:
        for diagnostic in error.diagnostics:
            print(to_text(diagnostic, colour()), end="\n\n", file=sys.stderr)
        return 2
    except ValueError as error:
        raise UsageError(str(error)) from None
    if options.format == "json":
        print_json({"version": 1, "book": options.book, "questions": [answer_json(one) for one in found]})
    elif not found:
        print("the rulebook has no questions")
    else:
        titles = options.question is None
        print(
            "\n\n".join(
                f"{one.title}\n{answer_text(one, options.plays)}" if titles else answer_text(one, options.plays)
                for one in found
            )
        )
    return 1 if any(one.unexpected is not None or one.answer.word == "unknown" for one in found) else 0
