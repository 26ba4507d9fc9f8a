"""Syntax errors in words: every mistake of the table is recognised, in its examples and in texts that are none."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from grammar.expected import MOST_ITEMS, in_words
from grammar.failure import Failure
from grammar.layout import lex
from grammar.mistake import Mistake
from grammar.mistakes import MISTAKES
from grammar.parser import UnexpectedToken, keywords, parse_tokens
from grammar.recognise import END, Cursor
from grammar.syntax_errors import describe, failure_in, judge
from grammar.text import parse_text
from rules.diagnostics import Diagnostic
from rules.span import Source
from tests.grammar.mistake_cases import CASES

PAGES = Path(__file__).parents[2] / "rules" / "pages"
BY_LABEL = {mistake.label: mistake for mistake in MISTAKES}


def only(text: str) -> Diagnostic:
    (found,) = parse_text(Source("test.rules", text)).diagnostics
    return found


def codes(text: str) -> list[str]:
    return [diagnostic.code for diagnostic in parse_text(Source("test.rules", text)).diagnostics]


# ---- the table


def test_labels_are_unique_and_many() -> None:
    assert len(BY_LABEL) == len(MISTAKES)
    assert len(MISTAKES) >= 35


def test_every_label_has_a_text_of_its_own() -> None:
    assert CASES.keys() == BY_LABEL.keys()


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.label)
def test_every_example_is_recognised(mistake: Mistake) -> None:
    assert mistake.examples
    assert {example: judge(failure_in(example))[0] for example in mistake.examples} == dict.fromkeys(
        mistake.examples, mistake.label
    )


@pytest.mark.parametrize("label", CASES)
def test_a_mistake_is_recognised_in_a_text_that_is_no_example(label: str) -> None:
    wrong, _ = CASES[label]
    assert wrong not in BY_LABEL[label].examples
    found, diagnostic = judge(failure_in(wrong))
    assert found == label
    assert codes(wrong + "\n") == [BY_LABEL[label].code] == [diagnostic.code]


@pytest.mark.parametrize("label", CASES)
def test_a_similar_text_without_the_mistake_is_read(label: str) -> None:
    _, right = CASES[label]
    parsed = parse_text(Source("test.rules", right + "\n"))
    assert parsed.diagnostics == ()
    assert len(parsed.declarations) == 1


def test_no_two_labels_claim_the_same_place() -> None:
    claims: defaultdict[tuple[object, ...], set[str]] = defaultdict(set)
    for mistake in MISTAKES:
        for example in mistake.examples if not mistake.swaps else ():
            place = failure_in(example)
            match mistake.near:
                case "token":
                    key: tuple[object, ...] = ("token", place.state, place.type)
                case "line":
                    key = ("line", place.settled, place.type)
                case "state":
                    key = ("state", place.settled)
                case "here":
                    key = ("here", place.here)
            claims[key].add(mistake.label)
    assert [labels for labels in claims.values() if len(labels) > 1] == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.label)
def test_the_words_of_a_mistake_are_well_formed(mistake: Mistake) -> None:
    assert re.fullmatch(r"LX0[23]\d", mistake.code)
    for said in (mistake.message, mistake.help):
        assert said[0].islower() or said[0] in "`"
        assert not said.endswith(".")
        assert said.count("`") % 2 == 0
        assert "{right}" not in said or mistake.swaps
        assert "{word}" not in mistake.help or mistake.swaps


@pytest.mark.parametrize("mistake", [m for m in MISTAKES if m.swaps], ids=lambda mistake: mistake.label)
def test_right_words_are_words_of_the_language(mistake: Mistake) -> None:
    for wrong, right in mistake.swaps:
        assert wrong != right
        known = keywords().keys() | {"next", "front", "share", "stay"}
        assert {word for word in re.findall(r"\w+|\.\.|[<>]=?|[^\w\s]", right) if not word.isdigit()} <= known


# ---- single verdicts: the code, the place, then the words


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("rule r\n    p can sail\n", "LX025", "can"),
        ("rule r\n    p is allowed to sail\n", "LX025", "is allowed to"),
        ("rule r\n    p may sail if day is 3\n", "LX026", "if"),
        ("claim always coins of p is greater than 3\n", "LX026", "is greater than"),
        ("play\n    if x\n        p wins\n    else\n        p loses\n", "LX027", "else"),
        ("kind Player 2-4\n", "LX038", "-"),
        ("rule r:\n    p may sail\n", "LX035", ":"),
        ("state\n    order 0..3\n", "LX021", "order"),
        ("rule policy\n    p may sail\n", "LX021", "policy"),
        ("ruling storm keeps in\n    a over b\n", "LX034", "storm keeps in"),
        ("ruling e\n    p may sail\n", "LX032", "may"),
        ("ruling e\n    rule r\n        p can sail\n", "LX025", "can"),
        ("ruling e cites book 3 and 4\n    a over b\n", "LX030", "and"),
        ("rulling e\n    a over b\n", "LX036", "rulling"),
        ("let times be Player\n", "LX021", "times"),
        ("rule storm keeps in\n    p may sail\n", "LX034", "storm keeps in"),
        ("kind Player 2..4\n    victory points 0..9\n", "LX034", "victory points"),
        ("rule storm\nlet p be Player\n", "LX023", "rule storm"),
        ("play\n    if x is 3\n    p wins\n", "LX023", "if x is 3"),
        ("play\n    p wins\n        p loses\n", "LX024", "p"),
        ("  rule r\n    p may sail\n", "LX024", "rule"),
        ("rule r\n    p may sail wehn day is 3\n", "LX036", "wehn"),
        ("rule r\n    p cannt sail\n", "LX036", "cannt"),
        ("play\n    coins of p becoms 3\n", "LX036", "becoms"),
        ("play\n    eech p\n        p wins\n", "LX036", "eech"),
        ("states\n    day 0..3\n", "LX036", "states"),
        ("rule r\n    p mya sail wehn x\n", "LX036", "mya"),
        ("play\n    roll d6 as n\n        1: p wins\n", "LX028", ""),
        ("rule r (book 3)\n    p may sail\n", "LX020", "("),
        ("claim always coins owner of p is 3\n", "LX034", "coins owner"),
    ],
)
def test_a_mistake_has_its_code_and_its_place(text: str, code: str, place: str) -> None:
    found = only(text)
    assert (found.code, found.span.text) == (code, place)


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("rule r\n    p may sail wehn day is 3\n", "did you mean `when`?"),
        ("rule r\n    p cannt sail\n", "did you mean `cannot`?"),
        ("rule r\n    p my sail\n", "did you mean `may`?"),
        ("play\n    coins of p becoms 3\n", "did you mean `becomes`?"),
        ("rule storm keeps in\n    p may sail\n", "write `storm_keeps_in`"),
        ("claim always coins p is 3\n", "write `coins of p`"),
        ("claim always p coins is 3\n", "write `coins of p`"),
        (
            "claim always victory points of p is 3\n",
            "write `victory_points` if it is one name, `victory of points` if one belongs to the other",
        ),
        ("type Weather is calm storm\n", "write `calm_storm` if it is one name, `calm, storm` if there are two"),
        ("let order be Player\n", "take another word, or write `order_`"),
        ("claim always coins of p is greater than 3\n", "write `>`"),
        ("play\n    if x\n        p wins\n    elif y\n        p loses\n", "write `otherwise if`"),
    ],
)
def test_help_says_what_to_write(text: str, help: str) -> None:
    assert only(text).help == help


@pytest.mark.parametrize(
    ("text", "code", "help"),
    [
        ("play\n    p loses 2 coins\n", "LX027", "write `coins of p decreases by 2`"),
        ("play\n    p loses a coin\n", "LX027", "write `coins of p decreases by 1`"),
        ("play\n    p loses all gold\n", "LX027", "write `gold of p becomes 0`"),
        ("play\n    p takes 1 card from deck\n", "LX027", "write `draw 1 from deck to hand of p`"),
        ("play\n    owner of q gains 1 coin\n", "LX027", "write `coins of owner of q increases by 1`"),
        ("play\n    owner of q rolls d8\n", "LX027", "write `roll d8 as n`"),
        ("play\n    owner of q rolls 2 d8\n", "LX027", "write `roll 2 d8 as b`"),
        ("table t by d6\n    1..3: p loses 2 coins\n", "LX027", "write `coins of p decreases by 2`"),
        (
            "play\n    p gains 1 coin when x is 3\n",
            "LX027",
            "write `if ...`, and below it, indented, `coins of p increases by 1`",
        ),
        (
            "rule r\n    p draws 1 card\n",
            "LX025",
            "write `when` and an event, and below it, indented, `draw 1 from deck to hand of p`",
        ),
        ("rule r\n    when p loses 2 coins\n        q wins\n", "LX025", "write `when coins of p decreases by 2`"),
        ("rule r\n    when owner of q rows to r\n        q wins\n", "LX025", "write `when row by owner of q to r`"),
        (
            "rule r\n    when about to owner of q draws 1 card\n        q wins\n",
            "LX025",
            "write `when about to c enters hand of owner of q`",
        ),
        ("rule r\n    p wins when coins(p) > coins(q)\n", "LX033", "write `coins of p`"),
        ("play\n    coins(p) becomes 3\n", "LX033", "write `coins of p`"),
        ("claim always knows(p, q)\n", "LX033", "write `knows of (...)`"),
        (
            "play\n    if answer beats led\n        p wins\n",
            "LX033",
            "write `beats of (answer, led)`, and declare `beats` with `value` or `state`",
        ),
        ("play\n    coins of p increases by 2 coins\n", "LX035", "take it away"),
        (
            "play\n    coins of p increases by 2 d6\n",
            "LX033",
            "roll first, `roll 2 d6 as b`, and then write `sum of b`",
        ),
        (
            "assume cannot over may\n",
            "LX037",
            "put it below a line that begins with `precedence`, indented by four spaces",
        ),
        (
            "rule r\n    assume x over y\n",
            "LX037",
            "put it below a line that begins with `precedence`, indented by four spaces",
        ),
        ("given x is 3\n", "LX037", "put it below a line that begins with `scenario`, indented by four spaces"),
    ],
)
def test_a_sentence_of_a_printed_book_is_told_in_the_words_of_the_language(text: str, code: str, help: str) -> None:
    found = only(text)
    assert (found.code, found.help) == (code, help)


@pytest.mark.parametrize(
    "text",
    [
        "play\n    p loses\n    p takes 2 actions\n",
        "play\n    p gains 1 coin\n",  # a procedure may have the name `p`: the checker knows
        "rule r\n    p loses when coins of p is 0\n",
        "rule r\n    when p rows to q\n        q wins\n",
        "play\n    pay (2) from coins of p\n    harm (p)\n",
        "precedence\n    assume cannot over may\n",
        "play\n    roll 2 d6 as b\n    coins of p increases by sum of b\n",
        "claim always beats of (answer, led)\n",
    ],
)
def test_sentences_of_the_language_are_left_alone(text: str) -> None:
    assert codes(text) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("play\n    p takes 2 turns\n", "LX027"),
        ("play\n    move 2 cubes to supply\n", "LX027"),
        ("action sail(p, q)\n", "LX037"),
        ('scenario "s"\n    assume x is 3\n    then x\n', "LX032"),
        ("rule r\n    p sails to q\n", "LX025"),
    ],
)
def test_other_mistakes_are_not_taken_for_such_a_sentence(text: str, code: str) -> None:
    found = only(text)
    assert found.code == code
    assert "is not how the language tells" not in found.message


def test_a_sentence_with_a_very_long_name_is_not_told_at_length() -> None:
    assert len(only("play\n    p loses 2 " + "x" * 5000 + "\n").help or "") < 400


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("kind P 2\n    victory-points 0..3\n", "LX034", "victory-points"),
        ("kind Port named saint-malo, rome\n", "LX034", "saint-malo"),
        ("rule storm-keeps-in\n    p may sail\n", "LX034", "storm-keeps-in"),
        ("RULE r\n    p may sail\n", "LX036", "RULE"),
        ("rule r\n    p MAY sail\n", "LX036", "MAY"),
        ("rule r\n    p wins when wind isnt gale\n", "LX026", "isnt"),
        ("kind Player two to four\n", "LX033", "two to four"),
        ("rule r\n    p wins when coins of p less than 5\n", "LX026", "less than"),
        ("rule r\n    p may sail provided x is 3\n", "LX026", "provided"),
    ],
)
def test_a_word_that_newcomers_write_has_its_code_and_its_place(text: str, code: str, place: str) -> None:
    found = only(text)
    assert (found.code, found.span.text) == (code, place)


def test_a_name_with_a_dash_is_told_so_only_where_it_is_new() -> None:
    assert only("kind P 2\n    victory-points 0..3\n").help == "write `victory_points`"
    assert codes("rule r\n    p wins when victory-points of p is 3\n") == []


def test_another_name_is_proposed_only_where_a_name_is_declared() -> None:
    assert only("state\n    first 0..3\n").help == "take another word, or write `first_`"
    assert only("play\n    x becomes order\n").help == "take another word for it, where it is declared"
    assert only("play\n    x becomes to\n").code != "LX021"
    assert "_" not in (only("play\n    if answer beats led\n        p wins\n").help or "")


def test_words_of_a_message() -> None:
    assert only("let order be Player\n").message == "`order` is a word of the language and cannot be a name"
    assert only("rule storm\nlet p be Player\n").message == "below this line its block is missing"
    assert only("rule r\n    p can sail\n").message == "`can` is no word for a permission here"


def test_a_long_word_is_shown_in_short() -> None:
    assert len(only("x" * 1000 + "\n").message) < 200


@pytest.mark.parametrize(
    "text",
    [
        "rule r\n    p may sail to coin\n",  # not far from `coins`, but a name may stand there
        "rule form\n    p may sail\n",
        "play\n    eech p\n",  # a procedure may have this name
        "rule r\n    p may wehn\n",
        "let orders be Player\n",
        "let state, map be Player\n",
        "rule ruling\n    ruling may sail to ruling when ruling of p is 3\n",
        "let a, the be Player\n",
    ],
)
def test_names_like_words_of_the_language_are_left_alone(text: str) -> None:
    assert codes(text) == []


def test_two_names_across_a_comment_do_not_confuse() -> None:
    assert only("claim always (coins # of\n    p is 3)\n").code == "LX033"


# ---- texts that break off


@pytest.mark.parametrize(
    "text", ["rule", "rule storm", "rule storm\n    p may", 'game "Harbour" played', "kind P\n    x"]
)
def test_a_text_without_its_last_line_end_breaks_off(text: str) -> None:
    found = only(text)
    assert found.code == "LX022"
    assert found.span.start == len(text)


def test_a_text_with_its_last_line_end_is_judged_by_its_last_line() -> None:
    assert codes("rule storm\n") == ["LX023"]
    assert codes("rule storm\n    p may\n") == ["LX025"]
    assert codes("rule storm\n    ignore\n") == ["LX022"]


def test_a_mistake_before_the_end_is_not_called_a_break() -> None:
    assert codes("rule storm\n    p can sail") == ["LX025"]


# ---- what could have stood there


def follow(text: str) -> frozenset[str]:
    cursor = Cursor()
    types = [token.type for token in lex(Source("", text), keywords()).tokens]
    while types and types[-1].startswith("_"):
        types.pop()
    assert cursor.feed(types) == len(types)
    return cursor.could_follow()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rule", "a name"),
        ("import", "a text in quotes"),
        ("rule r\n    p", "`cannot`, `is`, `loses`, `may`, `minus`, `must` and others"),
        ("rule r", "a clause, such as `cites` or the end of the line"),
        ("play\n    draw 3", "`from` or reckoning with `+`, `-`, `*` or `/`"),
        ("claim always", "a condition"),
        ("table t by d6\n    1: gives", "a value"),
        ("", "a new declaration, such as `rule` or `kind` or the end of the text"),
    ],
)
def test_what_could_follow_is_told_in_words(text: str, words: str) -> None:
    assert in_words(follow(text)) == words


def test_at_most_six_things_are_told() -> None:
    for mistake in MISTAKES:
        said = in_words(failure_in(mistake.examples[0]).follow)
        assert 0 < len(said) < 400
        assert said.count(", ") <= MOST_ITEMS + 2


def test_every_type_of_token_has_a_word() -> None:
    every = frozenset(keywords().values()) | {"NAME", "INT", "STRING", "_NL", "_INDENT", "_DEDENT", END}
    for token_type in every:
        assert in_words(frozenset({token_type}))


# ---- recognising without a tree


def test_the_cursor_agrees_with_the_parser() -> None:
    for mistake in MISTAKES:
        for example in mistake.examples[:3]:
            tokens = lex(Source("", example + "\n"), keywords()).tokens
            with pytest.raises(UnexpectedToken) as caught:
                parse_tokens(tokens)
            failure = Failure.of(caught.value, tokens, Source("", example + "\n"))
            assert Cursor().feed(failure.types) == failure.index
            assert failure.type not in failure.follow
            assert describe(caught.value, tokens, failure.source) == judge(failure)[1]


# ---- the pages of the codes


FENCE = re.compile(r"^```rules\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADINGS = ["What it finds", "Why it matters at the table", "Example", "How to mend it"]
ALL_PAGES = sorted(path.stem for path in PAGES.glob("LX0[0-4]?.md"))
TEXT_PAGES = [code for code in ALL_PAGES if code >= "LX011"]


def page(code: str) -> str:
    return (PAGES / f"{code}.md").read_text(encoding="utf-8")


def test_every_code_of_the_table_has_a_page() -> None:
    special = {"LX020", "LX021", "LX022", "LX023", "LX024", "LX034", "LX036"}
    assert {mistake.code for mistake in MISTAKES} | special <= set(TEXT_PAGES)


@pytest.mark.parametrize("code", ALL_PAGES)
def test_a_page_has_its_parts(code: str) -> None:
    lines = page(code).splitlines()
    assert re.fullmatch(f"# {code}: [a-z].*[^.]", lines[0])
    assert [line[3:] for line in lines if line.startswith("## ")] == HEADINGS
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("code", TEXT_PAGES)
def test_the_example_of_a_page_has_its_code_and_the_mended_text_has_none(code: str) -> None:
    wrong, right = FENCE.findall(page(code))
    assert codes(wrong) == [code]
    assert codes(right) == []
