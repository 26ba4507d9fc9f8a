"""From a text to declarations: what is good is read, what is bad is said once, nothing raises."""

from __future__ import annotations

import gc
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar import text as text_module
from grammar.layout import MAX_DEPTH, MAX_DIGITS, MAX_OPERATORS, lex, split_declarations
from grammar.parser import keywords
from grammar.text import ParsedText, parse_text
from rules import model as m
from rules.diagnostics import Diagnostic
from rules.span import Source

SAMPLE = """\
game "The Harbour" played by Player
documents
    book "Rulebook"
type Weather is calm, rough, storm
kind Player 2..4
    coins 0..20 starts 3
    passed yes/no
kind Port named athens, rhodes, 2 crete
    athens has depth 4, twins {rhodes, crete}
map sea of Port
    links athens - rhodes - crete, crete -> athens
let p, other be Player
let q be Port
state
    weather Weather starts calm
    knows of (Player, Port) yes/no private
play
    repeat until day is 30
        phase dawn
            roll d6 as n:
                1..3: p wins
                4+:
                    p loses
        if day > 3
            nothing
        otherwise if day is 2
            end dawn then
                p wins
action sail by p to q during sailing
    ship of p becomes q
rule storm cites book 31, 33 (2)
    p cannot sail to q when weather is storm and
        (some q where q is crete or p is passed)
value toll of p: 0..3, first
    is 1
    is 0 when number of (q where q is next to crete) > (1 + 2) / 2 rounded up
story voyage
    starts at quay
    passage quay "Gulls."
        option "Board" when coins of p >= 2
            go to quay
question "May a player?"
    p may sail to q when ship of p is rhodes
    expect always because storm
"""


def read(text: str) -> ParsedText:
    return parse_text(Source("test.rules", text))


def codes(text: str) -> list[str]:
    return [diagnostic.code for diagnostic in read(text).diagnostics]


def assert_in_order(parsed: ParsedText) -> None:
    """Every diagnostic stands inside the text, they are in reading order, and their words are well formed."""
    size = len(parsed.source.text)
    for diagnostic in parsed.diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= size
        assert_well_worded(diagnostic)
    for before, after in pairwise(parsed.diagnostics):
        assert before.span.start <= after.span.start


def assert_well_worded(diagnostic: Diagnostic) -> None:
    for said in (diagnostic.message, diagnostic.help or "x"):
        assert "\n" not in said
        assert not said.endswith(".")
        assert len(said) < 400


# ---- what is read


def test_a_good_text_gives_its_declarations_in_order() -> None:
    parsed = read(SAMPLE)
    assert parsed.diagnostics == ()
    assert [type(declaration) for declaration in parsed.declarations] == [
        m.Game,
        m.Documents,
        m.TypeDecl,
        m.Kind,
        m.Kind,
        m.Map,
        m.Let,
        m.Let,
        m.State,
        m.Play,
        m.Action,
        m.Rule,
        m.Value,
        m.Story,
        m.Question,
    ]


def test_a_mistake_elsewhere_does_not_change_what_is_read() -> None:
    parsed = read(SAMPLE + "rule broken\n    p sails\n")
    assert parsed.declarations == read(SAMPLE).declarations
    assert [diagnostic.code for diagnostic in parsed.diagnostics] == ["LX025"]


def test_each_broken_declaration_is_reported_once_and_the_good_ones_are_read() -> None:
    parsed = read(
        "game The Harbour\n"
        "type Weather is calm, storm\n"
        "rule one\n    p can sail\n    p should sail\n    p sails\n"
        "let p be Player\n"
        "rule two\n    p may sail when day = 3 = 4\n    p sails\n"
        "rule three\n    p may sail\n"
        "rule four\n"
    )
    assert [(d.code, d.span.line) for d in parsed.diagnostics] == [
        ("LX037", 1),
        ("LX025", 4),
        ("LX017", 9),
        ("LX023", 13),
    ]
    assert [type(declaration) for declaration in parsed.declarations] == [m.TypeDecl, m.Let, m.Rule]
    assert_in_order(parsed)


def test_a_line_of_marks_between_declarations_spoils_neither() -> None:
    parsed = read("let p be Player\n=====\n=====\nlet q be Port\n")
    assert [(d.code, d.span.line) for d in parsed.diagnostics] == [("LX017", 2), ("LX017", 3)]
    assert len(parsed.declarations) == 2


def test_an_indented_line_of_marks_belongs_to_the_declaration_above() -> None:
    parsed = read("let p be Player\n    ==\nlet q be Port\n")
    assert [(d.code, d.span.line) for d in parsed.diagnostics] == [("LX017", 2)]
    assert [type(declaration) for declaration in parsed.declarations] == [m.Let]


def test_comments_are_kept_even_when_the_text_is_broken() -> None:
    assert [c.text for c in read("# one\nrule\n    # two\n").comments] == ["one", "two"]


@pytest.mark.parametrize("text", ["", "\n\n", "   \n", "# only a comment", "# one\n\n    # two\n"])
def test_a_text_without_declarations_is_empty(text: str) -> None:
    parsed = read(text)
    assert [(d.code, d.span.line, d.span.column) for d in parsed.diagnostics] == [("LX002", 1, 1)]
    assert parsed.declarations == ()


def test_a_text_of_bad_marks_is_not_called_empty() -> None:
    assert codes("?\n") == ["LX017"]


# ---- tabs and brackets


def test_tabs_are_reported_once_and_the_text_is_read_all_the_same() -> None:
    parsed = read("rule one\n\tp may sail\nrule two\n\tp may row\n\twhen dawn begins\n\t\tp wins\nlet p\tbe Player\n")
    assert [(d.code, d.span.line) for d in parsed.diagnostics] == [("LX011", 2)]
    assert [type(declaration) for declaration in parsed.declarations] == [m.Rule, m.Rule, m.Let]


def test_a_tab_stands_for_four_spaces() -> None:
    parsed = read("play\n    if x\n\t\tp wins\n\tnothing\n")
    assert codes("play\n    if x\n\t\tp wins\n\tnothing\n") == ["LX011"]
    assert parsed.declarations == read("play\n    if x\n        p wins\n    nothing\n").declarations


def test_a_closing_bracket_may_stand_at_the_margin() -> None:
    assert codes("claim always (\n    x or\n    y\n)\n") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("claim always (x\nlet p be Player\n", ["LX015"]),
        ("claim always x)\n", ["LX015"]),
        ("claim always (x}\n", ["LX015"]),
        ("claim always x)\n    )\n", ["LX015"]),
    ],
)
def test_a_bracket_without_partner_is_reported_once(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


@pytest.mark.parametrize("mark", ["\u00a0", "\x0b", "\u200b", "\u2028"])
def test_an_invisible_mark_is_named_by_its_number(mark: str) -> None:
    (found,) = read(f"let p{mark} be Player\n").diagnostics
    assert found.code == "LX017"
    assert f"U+{ord(mark):04X}" in found.message
    assert mark not in found.message


def test_a_mark_at_the_end_of_a_line_gets_its_own_help() -> None:
    assert read("let p be Player.\n").diagnostics[0].help != read("kind P 1.4\n").diagnostics[0].help


def helped(text: str) -> tuple[str, str | None]:
    (found,) = read(text + "\n").diagnostics
    return found.code, found.help


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("rule r\n    p wins when wind isn't gale", "`is not`"),
        ("rule r\n    p wins when wind isn\u2019t gale", "`is not`"),
        ("rule r\n    p can't sail", "`cannot`"),
        ("rule r\n    p doesn't sail", "`cannot`"),
        ("rule r\n    p's coins is 3", "`coins of p`"),
        ("kind Port named l'isola", "`l_isola`"),
        ("game 'Harbour'", "double quotes"),
        ("game \u201eHafen\u201c", "double quotes"),
        ("game \u00abPort\u00bb", "double quotes"),
        ("rule r\n    p wins when p.coins is 3", "`coins of p`"),
        ("rule r cites book 3.2\n    p wins", "title of the section"),
        ("rule r cites book p.13\n    p wins", "number of the line"),
        ("rule r cites book p. 13\n    p wins", "number of the line"),
        ("rule r cites book \u00a73\n    p wins", "title of a section"),
        ("state\n    day 0..2.5", "whole"),
        ("kind Player 2.4", "two dots"),
        ("import b.rules", "quotes"),
        ("rule r\n    p wins when !(x is 3)", "`not`"),
        ("rule r\n    p wins when x != 3", "`is not`"),
        ("rule r\n    p wins!", "no mark"),
        ("rule r\n    p wins when x % 2 is 0", "`remainder of (a, b)`"),
        ("play\n    x becomes 50% of y", "fraction"),
        ("play\n    coins of p += 1", "`increases by 1`"),
        ("play\n    coins of p -= n", "`decreases by n`"),
        ("play\n    x := 3", "`becomes`"),
        ("play\n    if x == 3\n        p wins", "`is`"),
        ("rule r\n    p wins when x => 3", "`>=`"),
        ("rule r\n    p wins when x =< 3", "`<=`"),
        ("state\n    coins int = 0", "`coins 0..20 starts 3`"),
        ("let p = Player", "`be`"),
        ("type Weather = calm, storm", "`is`"),
        ("map m of Port\n    links mill \u2013 island", "`links mill - island`"),
        ("kind Player 2\u20134", "`..`"),
        ("// the harbour", "`#`"),
        ("play\n    p wins // at last", "`#`"),
        ("/* the harbour */", "`#`"),
    ],
)
def test_a_mark_that_means_nothing_is_told_what_to_write(text: str, part: str) -> None:
    code, hint = helped(text)
    assert code == "LX017"
    assert hint is not None
    assert part in hint


def test_a_comment_of_another_language_spoils_no_declaration_beside_it() -> None:
    parsed = read("let p be Player\n// it's here\nlet q be Port\n")
    assert [(d.code, d.span.line, d.span.text) for d in parsed.diagnostics] == [("LX017", 2, "//")]
    assert len(parsed.declarations) == 2


def test_slashes_in_quotes_and_comments_and_single_ones_are_left_alone() -> None:
    assert codes('game "a // b"  # see // there\nlet x be yes/no\nclaim always 4 / 2 rounded up is 2\n') == []


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        ("kind Port named mill, 3rd_isle", "3rd_isle", "`3 rd_isle`"),
        ("play\n    roll 2d6 as b", "2d6", "`2 d6`"),
        ("rule r cites book 7a\n    p wins", "7a", "`cites book 12`"),
        ("kind Port named " + "3" + "x" * 500, "3" + "x" * 500, "in front"),
    ],
)
def test_a_number_does_not_run_into_a_word(text: str, place: str, part: str) -> None:
    (found,) = read(text + "\n").diagnostics
    assert (found.code, found.span.text) == ("LX018", place)
    assert part in (found.help or "")


def test_a_number_may_stand_before_a_word_and_inside_one() -> None:
    assert codes("kind Port named mill, 3 rd_isle, isle3\nplay\n    roll 2 d6 as b\n") == []


def test_an_odd_indentation_is_told_with_all_those_above() -> None:
    text = "play\n    each p\n        p wins\n      p wins"
    assert helped(text) == ("LX012", "the blocks above are indented by 0, 4 and 8 spaces")
    assert helped("play\n    each p\n   p wins") == ("LX012", "the blocks above are indented by 0 and 4 spaces")


@pytest.mark.parametrize("name", ["\u0939\u093f\u0928\u094d\u0926\u0940", "x\u0308y", "\u0b95\u0bbf"])
def test_a_name_may_go_on_with_combining_marks(name: str) -> None:
    (declared,) = read(f"let {name}, q be Player\n").declarations
    assert isinstance(declared, m.Let)
    assert [str(declared_name) for declared_name in declared.names] == [name, "q"]


@pytest.mark.parametrize("text", ["let \u093fp be Player\n", "let p\ufe0f be Player\n", "let p\u034f be Player\n"])
def test_a_name_does_not_begin_with_a_mark_nor_hold_one_that_cannot_be_seen(text: str) -> None:
    assert codes(text) == ["LX017"]


def test_many_tabs_after_many_other_mistakes_take_no_time() -> None:
    begin = time.perf_counter()
    lexed = lex(Source("test.rules", "=\n" * 20_000 + "\tx\n" * 20_000), keywords())
    assert time.perf_counter() - begin < 5  # some 20 s, were all diagnostics looked through for each tab
    assert [d.code for d in lexed.diagnostics].count("LX011") == 1


# ---- bounds


def test_a_chain_of_many_places_is_no_long_statement() -> None:
    chain = " - ".join(f"a{i}" for i in range(2000))
    assert codes(f"map m of Port\n    links {chain}\n") == []
    assert codes(f"claim always {chain} is 3\n") == ["LX013"]


@pytest.mark.parametrize(
    "condition",
    [
        "(" * 10_000 + "x" + ")" * 10_000,
        "not " * 10_000 + "x",
        "- " * 10_000 + "x",
        "x of " * 10_000 + "x",
        "every q satisfies " * 10_000 + "x",
        "some q where " * 10_000 + "x",
        "happened (sail by " * 10_000 + "x" + ") this turn" * 10_000,
        "times (sail by " * 10_000 + "x" + ") this turn" * 10_000 + " is 3",
        "x or " * 10_000 + "x",
        "{" * 10_000 + "x" + "}" * 10_000,
    ],
    ids=lambda condition: condition[:12],
)
def test_a_statement_nested_too_deeply_is_reported_and_not_followed(condition: str) -> None:
    assert codes(f"claim always {condition}\nlet p be Player\n") == ["LX013"]


def test_too_many_branches_are_reported() -> None:
    branches = "    otherwise if x\n        p wins\n" * 10_000
    assert codes("play\n    if x\n        p wins\n" + branches) == ["LX014"]


def test_branches_of_different_conditions_do_not_add_up() -> None:
    assert codes("play\n" + "    if x\n        p wins\n    otherwise\n        p loses\n" * 100) == []


def test_blocks_nested_too_deeply_are_reported() -> None:
    def nested(depth: int) -> str:
        return "play\n" + "".join(f"{' ' * (i + 1)}if x\n" for i in range(depth)) + f"{' ' * (depth + 1)}p wins\n"

    assert codes(nested(MAX_DEPTH - 1)) == []
    assert codes(nested(MAX_DEPTH)) == ["LX014"]


@pytest.mark.parametrize(
    "condition",
    [
        "not " * MAX_OPERATORS + "x",
        "(" * MAX_OPERATORS + "x" + ")" * MAX_OPERATORS,
        "every q satisfies " * MAX_OPERATORS + "x",
        "times (sail by " * (MAX_OPERATORS // 4 - 1) + "x" + ") this turn" * (MAX_OPERATORS // 4 - 1),
    ],
    ids=lambda condition: condition[:12],
)
def test_the_deepest_text_that_is_allowed_can_be_read(condition: str) -> None:
    deep = "play\n" + "".join(f"{' ' * (i + 1)}if x\n" for i in range(MAX_DEPTH - 1))
    assert codes(f"{deep}{' ' * MAX_DEPTH}x becomes {condition}\n") == []


def test_a_number_has_a_bounded_number_of_digits() -> None:
    assert codes(f"kind Card {'9' * MAX_DIGITS}\n") == []
    assert codes(f"kind Card {'9' * (MAX_DIGITS + 1)}\n") == ["LX018"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("claim always " + "x or " * 800_000, ["LX013"]),
        ("=" * 4_000_000, ["LX017"]),
        ("1" * 4_000_000, ["LX018"]),
        ("x" * 4_000_000, ["LX037"]),
        ('game "' + "x" * 4_000_000, ["LX016"]),
        ('game "' + "x" * 4_000_000 + '"\n', []),
    ],
    ids=lambda value: str(value)[:12],
)
def test_four_megabytes_on_one_line(text: str, expected: list[str]) -> None:
    parsed = read(text)
    assert [diagnostic.code for diagnostic in parsed.diagnostics] == expected
    assert_in_order(parsed)


# ---- texts that stop in the middle


def assert_breaks_off(text: str) -> None:
    """A text that was good up to here is complete, or breaks off, or leaves a bracket or a text open."""
    parsed = read(text)
    assert_in_order(parsed)
    assert [d.code for d in parsed.diagnostics] in ([], ["LX022"], ["LX015"]), text[-80:]


def test_a_text_cut_off_at_any_token() -> None:
    tokens = lex(Source("sample", SAMPLE), keywords()).tokens
    ends = sorted({token.end_pos for token in tokens if token.end_pos})
    assert len(ends) > 250
    for end in ends:
        assert_breaks_off(SAMPLE[:end])


def test_every_construct_cut_off_at_any_token() -> None:
    text = (Path(__file__).parent / "every_construct.rules").read_text(encoding="utf-8")
    parts = list(split_declarations(lex(Source("sample", text), keywords()).tokens))
    assert len(parts) > 30
    for part in parts:
        start = part[0].start_pos or 0
        for end in sorted({token.end_pos for token in part if token.end_pos}):
            assert_breaks_off(text[start:end])


def test_a_text_cut_off_at_any_letter_of_its_last_declaration() -> None:
    for end in range(SAMPLE.index("question"), len(SAMPLE)):
        parsed = read(SAMPLE[:end])
        assert len(parsed.diagnostics) <= 1
        assert len(parsed.declarations) >= 14


# ---- texts that are no rulebook


WORDS = st.sampled_from(
    [*sorted(keywords()), "p", "q", "coins", "3", '"text"', "=", "\t", '"open', "#", "\n", "\n", "\n    ", "\n        "]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, max_size=60))
def test_a_soup_of_words_never_raises(words: list[str]) -> None:
    assert_in_order(read(" ".join(words)))


DECLARATIONS = st.sampled_from(["rule r\n    ", "play\n    ", "state\n    ", "claim always ", "table t by d6\n    "])


@settings(max_examples=300, deadline=None)
@given(DECLARATIONS, st.lists(WORDS, max_size=12))
def test_a_soup_of_words_below_a_header_never_raises(header: str, words: list[str]) -> None:
    assert_in_order(read(header + " ".join(words) + "\n"))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_never_raises(text: str) -> None:
    assert_in_order(read(text))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_good_text_with_one_word_changed_never_raises(data: st.DataObject) -> None:
    tokens = [token for token in lex(Source("sample", SAMPLE), keywords()).tokens if str(token)]
    token = data.draw(st.sampled_from(tokens))
    word = data.draw(WORDS)
    parsed = read(SAMPLE[: token.start_pos] + word + SAMPLE[token.end_pos :])
    assert_in_order(parsed)
    assert len(parsed.declarations) >= 8  # only what stands around the change can be lost


# ---- the collector


def test_the_collector_is_paused_for_a_big_text_and_goes_on_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []

    def spy(source: Source, words: dict[str, str]) -> object:
        seen.append(gc.isenabled())
        return lex(source, words)

    monkeypatch.setattr(text_module, "lex", spy)
    assert gc.isenabled()
    read("let p be Player\n")
    read("let p be Player\n" * 10_000)
    assert seen == [True, False]
    assert gc.isenabled()


def test_the_collector_goes_on_after_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_source: Source, _words: dict[str, str]) -> object:
        raise RuntimeError("ours")

    monkeypatch.setattr(text_module, "lex", fail)
    with pytest.raises(RuntimeError):
        read("x" * 100_000)
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        read("let p be Player\n" * 10_000)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_tab_hides_neither_a_syntax_error_nor_a_bad_mark() -> None:
    head = 'game "X" played by Player\n'
    for text, codes in (
        ("rule r\n\tp may\n", ["LX011", "LX025"]),
        ("rule r\n\tp wins %\n", ["LX017"]),
        ("rule r\n\tp wins\n", ["LX011"]),
    ):
        found = parse_text(Source("t.rules", head + text)).diagnostics
        assert [d.code for d in found] == codes, text
