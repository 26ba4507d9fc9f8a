"""The language reference and the tutorial: their examples read and check, and the reference leaves nothing out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from lark import Lark, Token, Tree

from grammar.format import format_text
from grammar.layout import HEADS, LOCAL, lex
from grammar.parser import grammar_text, keywords, parse_tokens
from grammar.text import ParsedText, parse_text
from rules import model as m
from rules.check import check_rules
from rules.check.builtins import BUILTIN_FUNCTIONS, BUILTIN_RELATIONS
from rules.check.judging import NOTE_REASONS
from rules.diagnostics import Diagnostic
from rules.machine.scenario import run_scenario
from rules.span import Source
from verifier.render import to_text

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("language.md", "tutorial.md")
PRELUDE = DOCS / "language_prelude.rules"

_FENCE = re.compile(r"^```rules(?P<mark>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_RESERVED = re.compile(
    r"^## [0-9]+ Reserved words\n.*?^```text\n(?P<always>.*?)^```$.*?^```text\n(?P<heads>.*?)^```$"
    r".*?^```text\n(?P<local>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Example:
    """A fenced example; `wrong` is the code that it must give, or None."""

    page: str
    line: int
    text: str
    standalone: bool
    wrong: str | None

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def source(self) -> Source:
        return Source(str(self), self.text)


def examples_in(page: str) -> list[Example]:
    text = (DOCS / page).read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        words = match["mark"].split()
        if words == ["part"]:
            continue
        line = text.count("\n", 0, match.start("text")) + 1
        wrong = words[words.index("wrong") + 1] if "wrong" in words else None
        found.append(Example(page, line, match["text"], "standalone" in words, wrong))
    return found


EXAMPLES = [example for page in PAGES for example in examples_in(page)]
GOOD = [example for example in EXAMPLES if example.wrong is None]
WRONG = [example for example in EXAMPLES if example.wrong is not None]


def prelude() -> ParsedText:
    return parse_text(Source(PRELUDE.name, PRELUDE.read_text(encoding="utf-8")))


def diagnostics_of(example: Example) -> list[Diagnostic]:
    """All that the parser says; where it is content, all that the checker says."""
    parsed = parse_text(example.source)
    if parsed.diagnostics:
        return list(parsed.diagnostics)
    before = () if example.standalone else prelude().declarations
    return list(check_rules(m.Rulebook((*before, *parsed.declarations))).diagnostics)


def shown(diagnostics: list[Diagnostic]) -> list[str]:
    return [f"{d.span} {d.code} {d.message}" for d in diagnostics]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_examples(page: str) -> None:
    assert len(examples_in(page)) >= 3


@pytest.mark.parametrize("page", PAGES)
def test_every_fence_is_marked_in_a_known_way(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    marks = re.findall(r"^```([^\n]+)$", text, re.MULTILINE)
    known = re.compile(r"rules|rules part|rules standalone|rules( standalone)? wrong LX[0-9]{3}|text|console")
    assert [mark for mark in marks if not known.fullmatch(mark)] == []
    assert len(re.findall(r"^```$", text, re.MULTILINE)) == len(marks)


def test_the_prelude_checks() -> None:
    parsed = prelude()
    assert shown(list(parsed.diagnostics)) == []
    checked = check_rules(m.Rulebook(parsed.declarations))
    assert shown([d for d in checked.diagnostics if d.is_error]) == []


@pytest.mark.parametrize("example", GOOD, ids=str)
def test_an_example_parses_and_checks(example: Example) -> None:
    assert shown([d for d in diagnostics_of(example) if d.is_error]) == []


@pytest.mark.parametrize("example", [e for e in GOOD if e.standalone], ids=str)
def test_a_standalone_example_gives_no_warning(example: Example) -> None:
    assert shown(diagnostics_of(example)) == []


@pytest.mark.parametrize("example", GOOD, ids=str)
def test_an_example_is_in_the_one_format(example: Example) -> None:
    assert format_text(parse_text(example.source)) == example.text


def test_the_parts_of_the_tutorial_stand_in_its_whole_text() -> None:
    text = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    parts = [match["text"] for match in _FENCE.finditer(text) if match["mark"].split() == ["part"]]
    whole = examples_in("tutorial.md")[-1].text
    assert parts
    assert [part for part in parts if part not in whole] == []


@pytest.mark.parametrize("example", WRONG, ids=str)
def test_a_wrong_example_gives_its_code(example: Example) -> None:
    assert [d.code for d in diagnostics_of(example) if d.is_error] == [example.wrong]


def test_the_message_in_the_tutorial_is_the_real_one() -> None:
    text = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```text\n(error.*?)^```$", text, re.MULTILINE | re.DOTALL)
    wrong = next(example for example in examples_in("tutorial.md") if example.wrong is not None)
    parsed = parse_text(Source("ferry.rules", wrong.text))
    found = check_rules(m.Rulebook(parsed.declarations)).diagnostics
    assert blocks == ["".join(f"{to_text(diagnostic)}\n" for diagnostic in found)]


def grammar_names() -> set[str]:
    """Every rule and alias of the grammar that can stand as a node in a tree."""
    names: set[str] = set()
    for rule in Lark(grammar_text(), parser="lalr", lexer="basic", start="rulebook").rules:
        passed_on = rule.options.expand1 and len(rule.expansion) == 1
        if rule.alias is not None:
            names.add(rule.alias)
        elif not rule.origin.name.startswith("_") and not passed_on:
            names.add(rule.origin.name)
    return names


def tree_names(tree: Tree[Token]) -> set[str]:
    return {str(part.data) for part in tree.iter_subtrees()}


def test_every_rule_of_the_grammar_has_an_example() -> None:
    used: set[str] = set()
    for example in examples_in("language.md"):
        if example.wrong is None:
            used |= tree_names(parse_tokens(lex(example.source, keywords()).tokens))
    assert sorted(grammar_names() - used) == []


def test_the_reserved_words_are_listed() -> None:
    match = _RESERVED.search((DOCS / "language.md").read_text(encoding="utf-8"))
    assert match is not None
    always, heads = match["always"].split(), match["heads"].split()
    assert always == sorted(always)
    assert heads == sorted(HEADS)
    words = {word for word in keywords() if word[0].isalpha()}
    assert match["local"].split() == sorted(LOCAL)
    assert set(always) == words - HEADS - LOCAL.keys()
    assert words >= HEADS


def test_what_is_built_in_is_told() -> None:
    text = (DOCS / "language.md").read_text(encoding="utf-8")
    section = text[text.index("## 19 What is built in") : text.index("## 20 ")]
    told = re.findall(
        r"`([a-z]+) of ", "\n".join(line.split(" | ")[0] for line in section.splitlines() if line[:1] == "|")
    )
    assert sorted(told) == sorted(BUILTIN_FUNCTIONS)
    assert [word for word in BUILTIN_RELATIONS if f"`{word}`" not in section] == []
    assert [word for word in NOTE_REASONS if f"\n| `{word}` |" not in text] == []


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    for file, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]+))?\)", text):
        assert (DOCS / (file or page)).exists(), file
        if anchor:
            headings = re.findall(r"^#+ (.+)$", (DOCS / (file or page)).read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^a-z0-9 _-]", "", h.lower()).replace(" ", "-") for h in headings}, anchor


@pytest.mark.parametrize("example", [e for e in GOOD if re.search(r"^scenario ", e.text, re.MULTILINE)], ids=str)
def test_the_scenarios_of_an_example_hold(example: Example) -> None:
    before = () if example.standalone else prelude().declarations
    checked = check_rules(m.Rulebook((*before, *parse_text(example.source).declarations))).rulebook
    assert checked is not None
    for scenario in checked.book.declarations:
        if isinstance(scenario, m.Scenario):
            assert run_scenario(checked, scenario) is None, scenario.text
