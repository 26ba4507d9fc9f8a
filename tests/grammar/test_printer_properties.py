"""Whatever the model, its text parses back to it, also when it is wrapped; and every layout of it has one format."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grammar.printer import PrintedLine, print_declaration, print_expression
from grammar.wrap import wrap_line
from rules import model as m
from tests.grammar import strategies as any_of
from tests.grammar.reading import condition, formatted, read

often = settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
sometimes = settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def joined(lines: list[PrintedLine], width: int = 10**9) -> str:
    return "".join(f"{row}\n" for line in lines for row in wrap_line(line.text, 4 * line.depth, width))


@often
@given(any_of.expressions(4))
def test_an_expression_parses_back(expr: m.Expr) -> None:
    assert condition(print_expression(expr)) == expr


@sometimes
@given(any_of.blocks(3))
def test_statements_parse_back(block: m.Block) -> None:
    play = m.Play(m.NO_CLAUSES, block, any_of.SPAN)
    assert read(joined(print_declaration(play))).declarations == (play,)


@sometimes
@given(any_of.rules)
def test_a_rule_parses_back(rule: m.Rule) -> None:
    assert read(joined(print_declaration(rule))).declarations == (rule,)


@often
@given(any_of.declarations)
def test_a_declaration_parses_back(declaration: m.Declaration) -> None:
    assert read(joined(print_declaration(declaration))).declarations == (declaration,)


@sometimes
@given(any_of.declarations, st.integers(10, 60))
def test_a_wrapped_declaration_parses_back(declaration: m.Declaration, width: int) -> None:
    assert read(joined(print_declaration(declaration), width)).declarations == (declaration,)


@st.composite
def untidy_texts(draw: st.DrawFn) -> str:
    """The text of a random book, oddly indented and broken, with blank lines and comments wherever they can stand."""
    book = draw(any_of.rulebooks.filter(bool))
    step = draw(st.integers(1, 7))
    extras = st.lists(st.sampled_from(("blank", "comment", "end", "", "")), max_size=3)
    rows: list[str] = []
    comments = 0
    for line in (line for declaration in book for line in print_declaration(declaration)):
        for row in wrap_line(line.text, step * line.depth, draw(st.sampled_from((20, 60, 200)))):
            end = ""
            for extra in draw(extras):
                comments += extra in ("comment", "end")
                if extra == "blank":
                    rows.append(" " * draw(st.integers(0, 3)))
                elif extra == "comment":
                    rows.append(f"{' ' * draw(st.integers(0, 12))}#{' ' * draw(st.integers(0, 2))}note {comments}")
                elif extra == "end":
                    end = f" # note {comments}"
            rows.append(row + end)
    rows.extend(f"{' ' * column}# last {column}" for column in draw(st.lists(st.integers(0, 12), max_size=3)))
    return "\n".join(rows) + draw(st.sampled_from(("", "\n", "\n\n")))


@sometimes
@given(untidy_texts())
def test_every_layout_has_one_format(text: str) -> None:
    result = formatted(text)
    assert result.endswith("\n")
    assert not result.endswith("\n\n")
    assert "\n\n\n" not in result
    assert all(row == row.rstrip() for row in result.split("\n"))
