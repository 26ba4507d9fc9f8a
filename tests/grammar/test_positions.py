"""The lines of state files, whatever game they are about: what is read, and what is said of what cannot be."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar.positions import WORDS, parse_position
from rules.diagnostics import Diagnostic
from rules.position import Disabled, During, Happened, Holds, Line, Lost, Players, Position, Title, UsedPolicy
from rules.span import Source, Span
from rules.terms import Copies, Listing, Number, Word

HEAD = 'position "It"\n'
HERE = Span(Source("", ""), 0, 0)  # spans do not count when lines are compared


def word(text: str) -> Word:
    return Word(text, HERE)


def number(value: int) -> Number:
    return Number(value, HERE)


def read(text: str) -> Position:
    parsed = parse_position(Source("s", text))
    assert parsed.diagnostics == ()
    return parsed.position


def wrong(text: str) -> list[Diagnostic]:
    return list(parse_position(Source("s", text)).diagnostics)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("players 3", Players(number(3), HERE)),
        ("policy lenient", UsedPolicy(word("lenient"), HERE)),
        ("disabled storm", Disabled(word("storm"), HERE)),
        ("lost Player 2", Lost(word("Player 2"), HERE)),
        ("tide is -3", Holds(word("tide"), (), number(-3), HERE)),
        ("città is crete # there", Holds(word("città"), (), word("crete"), HERE)),
        ("ship of Player 1 is Cell 2,3", Holds(word("ship"), (word("Player 1"),), word("Cell 2,3"), HERE)),
        ("a of (b,c 1, 2) is no", Holds(word("a"), (word("b"), word("c 1"), number(2)), word("no"), HERE)),
        ("players is 3", Holds(word("players"), (), number(3), HERE)),
        ("position of b is 3", Holds(word("position"), (word("b"),), number(3), HERE)),
        ("disabled of b is yes", Holds(word("disabled"), (word("b"),), word("yes"), HERE)),
    ],
)
def test_a_line_is_read(text: str, line: Line) -> None:
    assert read(HEAD + text).lines[1:] == (line,)


@pytest.mark.parametrize(
    ("text", "bracket", "items"),
    [
        ("[]", "[", ()),
        ("{ }", "{", ()),
        ("[gust, squall 2, 2 breeze]", "[", (word("gust"), word("squall 2"), Copies(2, word("breeze"), HERE))),
        ("[squall 2,2 breeze]", "[", (word("squall 2"), Copies(2, word("breeze"), HERE))),
        ("{Cell 2,2,Cell 3,1 , Cell 1,1}", "{", (word("Cell 2,2"), word("Cell 3,1"), word("Cell 1,1"))),
        ("{Cell 2, 2}", "{", (word("Cell 2"), number(2))),
        ("{1,-2}", "{", (number(1), number(-2))),
        ("[\n  a,  # one\n\n  b\n]", "[", (word("a"), word("b"))),
        ("[a,\nb\n,\nc]", "[", (word("a"), word("b"), word("c"))),
    ],
)
def test_a_list_is_read(text: str, bracket: str, items: tuple[Word | Number | Copies, ...]) -> None:
    (line,) = read(f"{HEAD}x is {text}\n").lines[1:]
    assert isinstance(line, Holds)
    assert isinstance(line.value, Listing)
    assert (line.value.bracket, line.value.items) == (bracket, items)


def test_the_title_may_hold_what_a_title_may() -> None:
    (title,) = read('  position   "A \\"B\\" \\\\ #1"  # so\n').lines
    assert title == Title('A "B" \\ #1', HERE)
    assert title.span.text == 'position   "A \\"B\\" \\\\ #1"'


def test_moments_and_moves_have_their_places() -> None:
    during, happened = read(f"{HEAD}during sailing, turn of Player 1\nhappened sail by Player 1 # once\n").lines[1:]
    assert isinstance(during, During)
    assert [(m.name.text, m.of, m.span.text) for m in during.moments] == [
        ("sailing", None, "sailing"),
        ("turn", word("Player 1"), "turn of Player 1"),
    ]
    assert isinstance(happened, Happened)
    assert happened.move.text == "sail by Player 1"


def test_blank_lines_comments_and_tabs_count_for_nothing() -> None:
    text = f"\n# about it\n\n\t{HEAD}\n   # more\n\tx\tis\t3\n\n"
    assert read(text).lines == (Title("It", HERE), Holds(word("x"), (), number(3), HERE))


@pytest.mark.parametrize(
    ("line", "mark", "message", "help"),
    [
        ("weather = storm", "=", "`is` should stand here, not `=`", "write `is`"),
        ("weather: storm", ":", "`is` should stand here, not `:`", "write `is`"),
        ("weather becomes storm", "becomes", "`is` should stand here, not `becomes`", "write `is`"),
        ("weather storm", "storm", "`is` should stand here, not `storm`", "for example `coins of Player 1 is 3`"),
        ("weather", "", "`is` should stand here", "for example `coins of Player 1 is 3`"),
        ("Player 1 is rich", "1", "`is` should stand here, not `1`", "for example `coins of Player 1 is 3`"),
        ("durng dawn", "durng", "this line cannot be read: `durng` begins no line", "did you mean `during`?"),
        ("x is", "", "a value should stand here", None),
        ("x is not 3", "not", "a state file says what is, not what is not", "write what it is instead"),
        ("x is ?", "?", "a value should stand here, not `?`", None),
        ('x is "a"', '"', 'a value should stand here, not `"`', "names stand without quotation marks"),
        ("x is 3 coins", "coins", "`coins` is too much here", "a line ends here; a comment begins with `#`"),
        ("x is 5coins", "5coins", "a value should stand here, not `5coins`", None),
        ("x is 1234567890", "1234567890", "this number has more than 9 digits", None),
        (
            "x is a, b",
            ",",
            "`,` is too much here",
            "several things stand in brackets: `[a, b]` in order, `{a, b}` without",
        ),
        ("x is 3 and y is 4", "and", "`and` is too much here", "one line for each piece of the state"),
        ("x of a, b is 3", ",", "several things stand in round brackets", "write `of (a, ...)`"),
        ("x of is 3", "is", "a thing should stand here, not `is`", None),
        ("x of (a, b is 3", "(", "`(` is never closed", "put `)` after the last of them"),
        ("x of (a b) is 3", "b", "`,` or `)` should stand here, not `b`", None),
        ("x of () is 3", ")", "a value should stand here, not `)`", None),
        ("x is [a, b", "[", "`[` is never closed", "put `]` after the last of them"),
        ("x is [a, ", "[", "`[` is never closed", "put `]` after the last of them"),
        ("x is [a b]", "b", "`,` or `]` should stand here, not `b`", None),
        ("x is [a}", "}", "`,` or `]` should stand here, not `}`", None),
        ("x is {,}", ",", "a name or a number should stand here, not `,`", None),
        ("players", "", "a number of players should stand here", None),
        ("players three", "three", "a number of players should stand here, not `three`", None),
        ("policy", "", "the name of a policy should stand here", None),
        ("policy a b", "b", "`b` is too much here", "a line ends here; a comment begins with `#`"),
        ("disabled 3", "3", "the name of a rule should stand here, not `3`", None),
        ("lost", "", "a value should stand here", None),
        ("happened", "", "a move should stand here", "for example `happened sail by Player 1`"),
        ("during", "", "the name of a moment should stand here", None),
        ("during turn of", "", "a value should stand here", None),
        ("during a,", "", "the name of a moment should stand here", None),
        ("[a]", "[", "a line begins with a word, not `[`", None),
        ("position It", "It", "the title of the game should stand here, in quotation marks, not `It`", None),
        ('position "It', '"', "this title is never closed", 'put `"` after it'),
        ("position", "", "the title of the game should stand here, in quotation marks", None),
    ],
)
def test_a_line_that_cannot_be_read_is_told_and_hides_no_other(
    line: str, mark: str, message: str, help: str | None
) -> None:
    parsed = parse_position(Source("s", f"{HEAD}before is 1\n{line}\nafter is 2\n"))
    (found,) = parsed.diagnostics
    assert (found.code, found.message, found.help) == ("LX801", message, help)
    assert (found.span.line, found.span.text) == (3, mark)
    names = [one.name.text for one in parsed.position.lines if isinstance(one, Holds)]
    assert names == ["before", "after"]


def test_after_a_mistake_in_a_list_of_several_lines_the_next_line_is_read() -> None:
    parsed = parse_position(Source("s", f"{HEAD}x is [\n    a,\n    ?,\n    b\n]\ny is 3\n"))
    assert [(d.span.line, d.span.text) for d in parsed.diagnostics] == [(4, "?")]
    assert [one.name.text for one in parsed.position.lines if isinstance(one, Holds)] == ["y"]


@pytest.mark.parametrize(
    ("text", "mark", "message"),
    [
        ("", "", "this state file is empty"),
        ("# nothing\n\n", "", "this state file is empty"),
        ("x is 3\n", "x", "a state file begins with the game that it belongs to"),
        ('positon "It"\n', "positon", "a state file begins with the game that it belongs to"),
        ('x is 3\nposition "It"\n', 'position "It"', "the line that names the game stands first"),
    ],
)
def test_a_state_file_begins_with_its_game(text: str, mark: str, message: str) -> None:
    found = [d for d in wrong(text) if d.code == "LX802"]
    assert [(d.span.text, d.message) for d in found] == [(mark, message)]


def test_a_first_line_with_a_slip_is_told_once_for_what_it_is() -> None:
    assert [(d.code, d.help) for d in wrong('positon "It"\n')] == [("LX802", "did you mean `position`?")]
    assert [d.code for d in wrong("position It\nx is 3\n")] == ["LX801"]


lines = st.lists(
    st.sampled_from(
        [
            *WORDS,
            "is",
            "of",
            "not",
            "x",
            "Player",
            "1",
            "2,3",
            "-4",
            "[",
            "]",
            "{",
            "}",
            "(",
            ")",
            ",",
            '"It"',
            '"',
            "#",
            "\n",
        ]
    ),
    max_size=25,
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=80), lines.map(" ".join)))
def test_whatever_stands_in_a_file_is_read_or_told(text: str) -> None:
    source = Source("s", text)
    parsed = parse_position(source)
    for diagnostic in parsed.diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
    starts = [line.span.line for line in parsed.position.lines]
    assert starts == sorted(set(starts))
