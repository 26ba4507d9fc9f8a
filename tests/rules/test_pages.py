"""The pages that explain the codes: one for each, and their examples show what they say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from grammar.text import parse_text
from ludex.book import Book
from ludex.positions import read_position
from ludex.scenarios import failures
from rules import model as m
from rules.check import check_rules
from rules.codes import CODES
from rules.diagnostics import Diagnostic, Severity, in_reading_order
from rules.machine import Choice
from rules.machine.position import Placed
from rules.span import Source
from tests.verifier.judging import judged
from verifier.checks import checks_for
from verifier.selection import Selection, Wanted
from verifier.structure import check_structure
from verifier.suspicion import Check

PAGES = Path(__file__).parents[2] / "rules" / "pages"
SECTIONS = ["What it finds", "Why it matters at the table", "Example", "How to mend it"]
# Examples of the LX0 family are about the text itself; tests of the grammar try them.
CHECKED = [code for code in CODES if not code.startswith("LX0")]
# Pages of the LX8 family are about state files: each shows a rulebook, a state file of it, and the file mended.
PLACED = [code for code in CHECKED if code.startswith("LX8")]
# Pages of the LX9 family show what the judge finds in a text that is in order by itself.
JUDGED = [code for code in CHECKED if code.startswith("LX9")]
RULES = [code for code in CHECKED if code not in PLACED and code not in JUDGED]
_FENCE = re.compile(r"^```rules\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_POSITION = re.compile(r"^```position\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Page:
    title: str
    sections: dict[str, str]

    def rulebook(self, section: str) -> str:
        (text,) = _FENCE.findall(self.sections[section])
        return str(text)

    def position(self, section: str) -> str:
        (text,) = _POSITION.findall(self.sections[section])
        return str(text)


def read(code: str) -> Page:
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    title, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    named = [part.partition("\n") for part in parts]
    return Page(title.strip(), {name: body for name, _, body in named})


def diagnostics_of(text: str) -> tuple[Diagnostic, ...]:
    """All that is found in a rulebook that can be read."""
    parsed = parse_text(Source("example.rules", text))
    assert parsed.diagnostics == ()
    checked = check_rules(m.Rulebook(parsed.declarations))
    if checked.rulebook is None:
        return in_reading_order(checked.diagnostics)
    book = Book("example.rules", checked.rulebook.book, (), checked.rulebook, ())
    return in_reading_order((*checked.diagnostics, *check_structure(checked.rulebook), *failures(book)))


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert sorted(path.stem for path in PAGES.glob("*.md")) == sorted(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_the_title_of_its_code(code: str) -> None:
    assert read(code).title == f"# {code}: {CODES[code].title}"


@pytest.mark.parametrize("code", CHECKED)
def test_a_page_has_its_sections_and_says_something_in_each(code: str) -> None:
    sections = read(code).sections
    assert list(sections) == SECTIONS
    for name, body in sections.items():
        prose = _POSITION.sub("", _FENCE.sub("", body)).strip()
        in_both = name in ("Example", "How to mend it")
        assert len(_FENCE.findall(body)) == (name == "Example" if code in PLACED else in_both)
        assert len(_POSITION.findall(body)) == (code in PLACED and in_both)
        assert prose or name == "Example", name


@pytest.mark.parametrize("code", RULES)
def test_the_example_shows_the_code_and_nothing_else(code: str) -> None:
    assert [d.code for d in diagnostics_of(read(code).rulebook("Example"))] == [code]


@pytest.mark.parametrize("code", RULES)
def test_the_mended_text_is_clean(code: str) -> None:
    assert diagnostics_of(read(code).rulebook("How to mend it")) == ()


@pytest.mark.parametrize("code", JUDGED)
def test_the_judge_finds_what_the_example_shows(code: str) -> None:
    text = read(code).rulebook("Example")
    assert not [d for d in diagnostics_of(text) if d.is_error]
    assert code in {finding.code for finding in judged(text, checks=_checks(code)).findings}


@pytest.mark.parametrize("code", JUDGED)
def test_the_judge_does_not_find_it_in_the_mended_text(code: str) -> None:
    text = read(code).rulebook("How to mend it")
    assert not [d for d in diagnostics_of(text) if d.is_error]
    left = judged(text, checks=_checks(code)).findings
    assert [f.message for f in left if f.code == code or f.severity is Severity.ERROR] == []


def _checks(code: str) -> tuple[Check, ...]:
    """All that always run, and the one that the page is about."""
    return checks_for(Selection(Wanted((code, "LX9"))))


def placed(page: Page, section: str) -> Placed | tuple[Diagnostic, ...]:
    checked = check_rules(m.Rulebook(parse_text(Source("example.rules", page.rulebook("Example"))).declarations))
    assert checked.rulebook is not None
    book = Book("example.rules", checked.rulebook.book, (), checked.rulebook, ())
    return read_position(book, Source("example.position", page.position(section)))


@pytest.mark.parametrize("code", PLACED)
def test_the_state_file_shows_the_code_and_nothing_else(code: str) -> None:
    page = read(code)
    assert diagnostics_of(page.rulebook("Example")) == ()
    found = placed(page, "Example")
    assert isinstance(found, tuple)
    assert [d.code for d in found] == [code]


@pytest.mark.parametrize("code", PLACED)
def test_the_mended_state_file_can_be_played_on(code: str) -> None:
    found = placed(read(code), "How to mend it")
    assert isinstance(found, Placed)
    assert isinstance(found.node, Choice)


@pytest.mark.parametrize("code", CHECKED)
def test_pages_are_short(code: str) -> None:
    bodies = [_POSITION.sub("", _FENCE.sub("", body)) for body in read(code).sections.values()]
    prose = [line for body in bodies for line in body.splitlines() if line]
    assert len(prose) <= 20
    assert all(len(line) <= 120 for line in prose)


def test_every_code_of_the_checker_is_reported_somewhere_and_every_reported_one_is_registered() -> None:
    """What the sources mention against what the registry has; LX0 and the rest come from different rooms."""
    root = PAGES.parents[1]
    sources = [
        path
        for room in ("rules", "grammar", "solver", "verifier", "ludex")
        for path in (root / room).rglob("*.py")
        if path.name != "codes.py"
    ]
    mentioned = {code for path in sources for code in re.findall(r'"(LX\d{3})"', path.read_text(encoding="utf-8"))}
    assert mentioned - set(CODES) == set()
    assert set(CHECKED) - mentioned == set()
