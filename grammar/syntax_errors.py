"""Syntax errors in words: `describe`.

In: the parser's error, the tokens of the declaration, the source. Out: one diagnostic. The surest ground is used first:
words that are known to be wrong and make sense when mended; then what stands at this place of the grammar in the table
of mistakes; and last a plain list of what could have stood there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import assert_never

from lark import Token

from grammar import guesses, mistake_sentences
from grammar.expected import in_words
from grammar.failure import LAYOUT, Failure
from grammar.layout import lex
from grammar.mistake import Mistake
from grammar.mistakes import MISTAKES
from grammar.parser import UnexpectedToken, keywords, parse_tokens
from rules.diagnostics import Diagnostic, InternalError
from rules.span import Source, Span

Verdict = tuple[str, Diagnostic]


def describe(error: UnexpectedToken, tokens: Sequence[Token], source: Source) -> Diagnostic:
    return judge(Failure.of(error, tokens, source))[1]


def judge(failure: Failure) -> Verdict:
    """What the mistake is taken for, by the label of the table or of one of the looks below, and the diagnostic."""
    for look in _LOOKS:
        found = look(failure)
        if found is not None:
            return found
    return "general", _general(failure)


# ---- from the surest to the most general ---------------------------------------------------------------------------


def _broken_off(failure: Failure) -> Verdict | None:
    if failure.at_end and not failure.source.text.endswith("\n"):
        return "cut_off", _cut_off(failure)
    return None


def _block_missing(failure: Failure) -> Verdict | None:
    if failure.follow != {"_INDENT"}:
        return None
    return "block_missing", Diagnostic(
        "LX023",
        "below this line its block is missing",
        failure.header_span(),
        help="write what belongs to it on the next lines, indented by four spaces",
    )


def _swapped(failure: Failure) -> Verdict | None:
    return _swap(guesses.swapped(failure))


def _half_swapped(failure: Failure) -> Verdict | None:
    return _swap(guesses.half_swapped(failure))


def _swap(found: tuple[Mistake, guesses.Guess] | None) -> Verdict | None:
    if found is None:
        return None
    mistake, guess = found
    return mistake.label, Diagnostic(
        mistake.code,
        mistake.message.format(word=guess.word, right=guess.right),
        guess.span,
        help=mistake.help.format(word=guess.word, right=guess.right),
    )


def _misspelt(failure: Failure) -> Verdict | None:
    guess = guesses.misspelt(failure)
    if guess is None:
        return None
    return "misspelt", Diagnostic(
        "LX036", f"`{guess.word}` cannot be read here", guess.span, help=f"did you mean `{guess.right}`?"
    )


def _row_without_colon(failure: Failure) -> Verdict | None:
    if not guesses.row_without_colon(failure):
        return None
    end = failure.header_span().end
    return "row_without_colon", Diagnostic(
        "LX028",
        "rows stand below this roll, but its line does not end with a colon",
        Span(failure.source, end, end),
        help="write `roll d6 as n:`",
    )


def _known_token(failure: Failure) -> Verdict | None:
    table = _table()
    by_line = table.by_line.get((failure.settled, failure.type))
    return _known(failure, table.by_token.get((failure.state, failure.type), by_line))


def _word_as_name(failure: Failure) -> Verdict | None:
    if not guesses.word_as_name(failure):
        return None
    word = failure.shown
    new = guesses.declares(failure, failure.index)
    return "word_as_name", Diagnostic(
        "LX021",
        f"`{word}` is a word of the language and cannot be a name",
        failure.span(),
        help=f"take another word, or write `{word}_`" if new else "take another word for it, where it is declared",
    )


def _two_names(failure: Failure) -> Verdict | None:
    one_name = guesses.joined(failure)
    with_of = guesses.missing_of(failure)
    if one_name is None and with_of is None:
        return None
    if one_name is None:
        assert with_of is not None
        return "missing_of", Diagnostic(
            "LX033",
            f"between the names `{with_of.word}` a word is missing",
            with_of.span,
            help=f"write `{with_of.right}`",
        )
    hint = f"write `{one_name.right}`"
    with_comma = guesses.missing_comma(failure)
    if with_of is not None:
        hint += f" if it is one name, `{with_of.right}` if one belongs to the other"
    elif with_comma is not None:
        hint += f" if it is one name, `{with_comma.right}` if there are two"
    written = "a name has no `-` in it" if "-" in one_name.word else f"`{one_name.word}` is more than one name"
    return "several_words", Diagnostic("LX034", written, one_name.span, help=hint)


def _unexpected_indent(failure: Failure) -> Verdict | None:
    if failure.type != "_INDENT":
        return None
    return "unexpected_indent", Diagnostic(
        "LX024",
        "this line is indented, but no line above opens a block for it",
        failure.span(failure.index + 1, failure.index + 2),
        help="indent it like the line above, or look whether that line is written in full",
    )


def _known_state(failure: Failure) -> Verdict | None:
    table = _table()
    return _known(failure, table.by_here.get(failure.here, table.by_state.get(failure.settled)))


def _ends_too_soon(failure: Failure) -> Verdict | None:
    return ("cut_off", _cut_off(failure)) if failure.at_end else None


_LOOKS = (
    _broken_off,
    _block_missing,
    mistake_sentences.homeless,
    mistake_sentences.told,
    mistake_sentences.called,
    _swapped,
    _misspelt,
    mistake_sentences.unit,
    _row_without_colon,
    _known_token,
    _half_swapped,
    _word_as_name,
    mistake_sentences.verb_between,
    _two_names,
    _unexpected_indent,
    _known_state,
    _ends_too_soon,
)


def _known(failure: Failure, mistake: Mistake | None) -> Verdict | None:
    if mistake is None:
        return None
    return mistake.label, Diagnostic(
        mistake.code, mistake.message.format(word=failure.shown), failure.span(), help=mistake.help
    )


def _cut_off(failure: Failure) -> Diagnostic:
    return Diagnostic(
        "LX022",
        "the text breaks off here, in the middle of a declaration",
        failure.span(),
        help=f"here could stand {in_words(failure.follow)}",
    )


def _general(failure: Failure) -> Diagnostic:
    if failure.type == "_NL":
        message = "the line ends too soon"
    elif failure.type in LAYOUT:
        message = "the block ends too soon"
    elif failure.type == "STRING":
        message = "a text in quotes cannot stand here"
    else:
        message = f"`{failure.shown}` cannot stand here"
    return Diagnostic("LX020", message, failure.span(), help=f"here could stand {in_words(failure.follow)}")


# ---- the table of mistakes, as places of the grammar ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Table:
    by_token: dict[tuple[int, str], Mistake]
    by_line: dict[tuple[int, str], Mistake]
    by_state: dict[int, Mistake]
    by_here: dict[int, Mistake]


@cache
def _table() -> _Table:
    """Built on the first error, from where the parser stops in each example."""
    table = _Table({}, {}, {}, {})
    for mistake in MISTAKES:
        if mistake.swaps:
            continue
        for example in mistake.examples:
            place = failure_in(example)
            match mistake.near:
                case "token":
                    table.by_token.setdefault((place.state, place.type), mistake)
                case "line":
                    table.by_line.setdefault((place.settled, place.type), mistake)
                case "state":
                    table.by_state.setdefault(place.settled, mistake)
                case "here":
                    table.by_here.setdefault(place.here, mistake)
                case _ as never:
                    assert_never(never)
    return table


def failure_in(example: str) -> Failure:
    """Where the parser stops in an example of a mistake."""
    source = Source("", example + "\n")
    tokens = lex(source, keywords()).tokens
    try:
        parse_tokens(tokens)
    except UnexpectedToken as error:
        return Failure.of(error, tokens, source)
    raise InternalError(f"an example of a mistake can be read: {example!r}")
