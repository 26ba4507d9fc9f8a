"""The one format: blank lines, comments, long lines; and one text that has every construct in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark

from grammar.format import format_text
from grammar.layout import lex
from grammar.parser import grammar_text, keywords, parse_tokens
from grammar.text import parse_text
from rules.span import Source
from tests.grammar.reading import formatted

EVERY_CONSTRUCT = (Path(__file__).parent / "every_construct.rules").read_text(encoding="utf-8")


def is_unchanged(text: str) -> bool:
    return formatted(text) == text


# ---- Every construct ----------------------------------------------------------------------------------------------


def test_the_sample_has_every_construct_of_the_grammar() -> None:
    rules = Lark(grammar_text(), parser="lalr", start="rulebook", lexer="basic").rules
    named = {rule.alias or rule.origin.name for rule in rules if rule.alias or not _leaves_no_node(rule.origin.name)}
    tree = parse_tokens(lex(Source("sample", EVERY_CONSTRUCT), keywords()).tokens)
    assert named - {subtree.data for subtree in tree.iter_subtrees()} == set()


def _leaves_no_node(rule: str) -> bool:
    return rule.startswith("_") or f"\n?{rule}:" in grammar_text()


def test_the_sample_has_every_word_of_the_language() -> None:
    tokens = lex(Source("sample", EVERY_CONSTRUCT), keywords()).tokens
    assert set(keywords().values()) - {token.type for token in tokens} == set()


def test_the_sample_is_in_the_one_format() -> None:
    assert is_unchanged(EVERY_CONSTRUCT)


def test_the_sample_gets_its_format_back() -> None:
    untidy = "\n\n".join(line.replace("    ", "  ") + "   " for line in EVERY_CONSTRUCT.split("\n"))
    tidy = formatted(untidy)
    assert [line for line in tidy.split("\n") if line] == [line for line in EVERY_CONSTRUCT.split("\n") if line]


# ---- Blank lines --------------------------------------------------------------------------------------------------


def test_declarations_stand_apart() -> None:
    assert formatted('\n\ngame "g"\nplay\n  nothing\nrule r\n   p wins\n\n\n\nrule s\n p wins\n\n\n') == (
        'game "g"\n\nplay\n    nothing\n\nrule r\n    p wins\n\nrule s\n    p wins\n'
    )


def test_single_lines_of_one_kind_stay_together_as_the_author_has_them() -> None:
    assert formatted('let a be B\nlet c be B\n\n\nlet d be B\nimport "x"\nimport "y"\n') == (
        'let a be B\nlet c be B\n\nlet d be B\n\nimport "x"\nimport "y"\n'
    )


def test_a_block_never_stands_right_beside_a_line_of_its_kind() -> None:
    assert formatted("kind A\nkind B\n    x 0..1\nkind C\nkind D\n") == (
        "kind A\n\nkind B\n    x 0..1\n\nkind C\nkind D\n"
    )


def test_blank_lines_in_blocks_are_kept_but_for_the_first() -> None:
    assert formatted("play\n\n  nothing\n  nothing\n\n\n  if a\n\n    nothing\n\n  otherwise\n    nothing\n") == (
        "play\n    nothing\n    nothing\n\n    if a\n        nothing\n\n    otherwise\n        nothing\n"
    )


# ---- Comments -----------------------------------------------------------------------------------------------------


def test_comments_stay_with_their_lines() -> None:
    assert formatted(
        "#first\n"
        "\n"
        "#about g\n"
        'game "g"#after g\n'
        "play   # after play\n"
        "\n"
        "      # before the first\n"
        "  nothing\n"
        "# at the margin, in a block\n"
        "  if a #  cond\n"
        "    # inner\n"
        "    nothing\n"
        "  otherwise # branch\n"
        "    nothing # last\n"
    ) == (
        "# first\n"
        "\n"
        "# about g\n"
        'game "g"  # after g\n'
        "\n"
        "play  # after play\n"
        "    # before the first\n"
        "    nothing\n"
        "    # at the margin, in a block\n"
        "    if a  # cond\n"
        "        # inner\n"
        "        nothing\n"
        "    otherwise  # branch\n"
        "        nothing  # last\n"
    )


def test_comments_at_the_end_of_a_block_stay_in_it() -> None:
    assert formatted(
        "play\n"
        "  if a\n"
        "    nothing\n"
        "      # deeper than all\n"
        "    # inner\n"
        "   # between\n"
        "  # middle\n"
        "    # not deeper again\n"
        "# about r\n"
        "rule r\n"
        "  p wins\n"
        "\n"
        "  # end of r\n"
        " # end of the book\n"
    ) == (
        "play\n"
        "    if a\n"
        "        nothing\n"
        "        # deeper than all\n"
        "        # inner\n"
        "    # between\n"
        "    # middle\n"
        "    # not deeper again\n"
        "\n"
        "# about r\n"
        "rule r\n"
        "    p wins\n"
        "\n"
        "    # end of r\n"
        "\n"
        "# end of the book\n"
    )


def test_comments_between_single_lines_of_one_kind() -> None:
    assert is_unchanged("let a be B\n# more\nlet c be B\n\n# most\n\nlet d be B\n# end\n")
    assert formatted('let a be B\n# more\nnote n "x"\n') == 'let a be B\n\n# more\nnote n "x"\n'


def test_comments_inside_a_statement_come_before_it_and_the_last_stays_behind_it() -> None:
    assert formatted(
        "rule r\n"
        "    p may sail when a and  # one\n"
        "        # two\n"
        "        b or  # three\n"
        "        c  # four\n"
        "\n"
        "    p may pass when a  # five\n"
        "        # six\n"
        "        and b\n"
    ) == (
        "rule r\n"
        "    # one\n"
        "    # two\n"
        "    # three\n"
        "    p may sail when (a and b) or c  # four\n"
        "\n"
        "    # five\n"
        "    # six\n"
        "    p may pass when a and b\n"
    )


def test_comments_of_two_lines_that_become_one() -> None:
    assert formatted(
        "table t by d6\n"
        "    1:  # one\n"
        "        # two\n"
        "        p wins  # three\n"
        "    # four\n"
        "    2:\n"
        "        p wins\n"
        "        # five\n"
        "value v: yes/no\n"
        "    # six\n"
        "    is a  # seven\n"
        "    # eight\n"
    ) == (
        "table t by d6\n"
        "    # one\n"
        "    # two\n"
        "    1: p wins  # three\n"
        "    # four\n"
        "    2: p wins\n"
        "    # five\n"
        "\n"
        "# six\n"
        "value v: yes/no is a  # seven\n"
        "# eight\n"
    )


def test_comments_around_otherwise_if() -> None:
    assert formatted(
        "play\n"
        "    if a\n"
        "        nothing  # one\n"
        "    # two\n"
        "    otherwise  # three\n"
        "        # four\n"
        "        if b  # five\n"
        "            nothing\n"
        "        # six\n"
        "        otherwise\n"
        "            # seven\n"
        "            nothing\n"
    ) == (
        "play\n"
        "    if a\n"
        "        nothing  # one\n"
        "    # two\n"
        "    # three\n"
        "    # four\n"
        "    otherwise if b  # five\n"
        "        nothing\n"
        "    # six\n"
        "    otherwise\n"
        "        # seven\n"
        "        nothing\n"
    )


def test_marks_of_a_comment_are_kept() -> None:
    assert formatted('## Part one\n#\n#!x\n#no # space\n#    kept\nimport "x" ##y\n') == (
        '## Part one\n#\n#!x\n# no # space\n#    kept\nimport "x"  ##y\n'
    )


def test_a_text_of_comments_only() -> None:
    assert format_text(parse_text(Source("x", "\n\n  # a\n\n\n#b"))) == "# a\n\n# b\n"
    assert format_text(parse_text(Source("x", " \n\n"))) == ""


# ---- Long lines ---------------------------------------------------------------------------------------------------


def test_a_long_line_is_broken_before_a_word_that_goes_on() -> None:
    assert formatted(
        "rule r\n"
        "    p may sail to q when q is next to ship of p and weather is calm and coins of p > 3 and p is passed and "
        "some r where r is next to q and r is not ship of p unless the_gods_are_angry\n"
    ) == (
        "rule r\n"
        "    p may sail to q when q is next to ship of p and weather is calm and coins of p > 3\n"
        "            and p is passed and some r where r is next to q and r is not ship of p\n"
        "            unless the_gods_are_angry\n"
    )


def test_clauses_and_lists_are_broken_after_commas() -> None:
    names = ", ".join(f"a_rather_long_name_{i}" for i in range(9))
    assert formatted(
        f"rule short_name cites book {', '.join(map(str, range(100, 125)))} overrides {names}\n    p wins\n"
    ) == (
        "rule short_name\n"
        "        cites book 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115,\n"
        "        116, 117, 118, 119, 120, 121, 122, 123, 124\n"
        "        overrides a_rather_long_name_0, a_rather_long_name_1, a_rather_long_name_2,\n"
        "        a_rather_long_name_3, a_rather_long_name_4, a_rather_long_name_5, a_rather_long_name_6,\n"
        "        a_rather_long_name_7, a_rather_long_name_8\n"
        "    p wins\n"
    )


def test_brackets_are_broken_only_for_want_of_a_better_place() -> None:
    long = "number of (a_rather_long_name where another_long_name of it > a_third_long_name)"
    assert formatted(f"rule r\n    p wins when p is passed and {long}\n") == (
        f"rule r\n    p wins when p is passed\n            and {long}\n"
    )
    assert formatted(f"claim always coins_of_a_player + 1 < {long}\n") == (
        "claim always coins_of_a_player + 1 < number of (a_rather_long_name where\n"
        "            another_long_name of it > a_third_long_name)\n"
    )


def test_a_bracket_is_broken_anywhere_rather_than_not_at_all() -> None:
    names = [f"a_rather_long_name_{i}" for i in range(5)]
    assert formatted(f"claim always happened (sail by {' to '.join(names)}) this turn\n") == (
        f"claim always happened (sail by {' to '.join(names[:3])}\n            to {' to '.join(names[3:])}) this turn\n"
    )


def test_a_type_is_not_broken() -> None:
    names = [f"a_rather_long_name_{i}" for i in range(4)]
    assert formatted(f"let {', '.join(names)} be Port or none\n") == (
        f"let {', '.join(names[:3])},\n        {names[3]} be Port or none\n"
    )


def test_a_comment_does_not_break_its_line_and_stays_at_the_end() -> None:
    long = "a_rather_long_name and another_rather_long_name"
    comment = "# " + "x" * 90
    assert is_unchanged(f"claim always {long}  {comment}\n")
    assert formatted(f"claim always {long} and {long}  {comment}\n") == (
        f"claim always {long} and a_rather_long_name\n        and another_rather_long_name  {comment}\n"
    )


def test_what_cannot_be_broken_stays_long() -> None:
    text = "x, and y or (z) " * 10
    assert formatted(f'note flavour "{text}" cites book 3\n') == f'note flavour "{text}"\n        cites book 3\n'
    assert is_unchanged(f'passage p "{text}"\n'.join(["story s\n    starts at p\n    ", ""]))


def test_lines_of_a_hundred_characters_are_not_broken() -> None:
    fits = f"claim always {'a' * 41} and {'b' * 41}"
    assert len(fits) == 100
    assert is_unchanged(fits + "\n")
    assert formatted(f"{fits}b\n") == f"claim always {'a' * 41}\n        and {'b' * 42}\n"


@pytest.mark.parametrize(("operators", "lines"), [(148, 1), (149, 2)])
def test_two_lines_do_not_become_one_with_too_many_operators(operators: int, lines: int) -> None:
    value = formatted(f"value v of p: X\n    is a{' or a' * operators}\n")
    row = formatted(f"table t by d6\n    -1:\n        x becomes not a{' or a' * operators}\n")
    assert (value.count("\n    is a"), row.count("\n        x becomes")) == (lines - 1, lines - 1)


# ---- What is given to it ------------------------------------------------------------------------------------------


def test_tabs_become_spaces() -> None:
    source = Source("x", "play\n    if a\t# one\n\t\tnothing\n        # two\n\t# three\n")
    assert format_text(parse_text(source)) == ("play\n    if a  # one\n        nothing\n        # two\n    # three\n")


@pytest.mark.parametrize(
    "text", ["rule r\n    p may\n", "rule r\n    p wins %\n", "rule r\n\tp wins %\n", "rule r\n\tp may\n"]
)
def test_a_text_with_errors_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="has errors"):
        format_text(parse_text(Source("x", text)))
