"""Typical mistakes in questions, claims and scenarios, in expressions, and words that are not needed."""

from __future__ import annotations

from grammar.mistake import Mistake, instead, later_lines

_JUDGING = (
    Mistake(
        "question_ask",
        "LX032",
        "first comes what is asked",
        "write `p may sail to q`, `what is toll of p` or `what happens when ...`, and `expect` on the next line",
        ('question "q"\n    expect always', 'question "q"\n    is toll of p 3', 'question "q"\n    when x'),
    ),
    Mistake(
        "question_modal",
        "LX032",
        "what is asked has no verb that the language knows",
        "write `p may sail to q`, `what is toll of p` or `what happens when ...`",
        ('question "q"\n    p', 'question "q"\n    p sails', 'question "q"\n    toll of p is 3'),
    ),
    Mistake(
        "question_possible",
        "LX032",
        "a question or scenario does not ask `{word}`",
        "take it away: a duty that rests is none",
        ('question "q"\n    p must sail if possible', 'scenario "s"\n    given x\n    then p must sail if possible'),
        instead("", "if possible|if able|when possible"),
        inside=frozenset({"question", "scenario"}),
    ),
    Mistake(
        "what_is",
        "LX032",
        "after `what` stands `is` or `happens when`",
        "write `what is toll of p` or `what happens when sail by p`",
        ('question "q"\n    what toll of p', 'question "q"\n    what may p do'),
    ),
    Mistake(
        "expect_answer",
        "LX032",
        "the expected answer is missing",
        "write `expect always`, `expect never`, `expect depends`, `expect undetermined` or a value",
        ('question "q"\n    p may sail\n    expect', 'question "q"\n    p may sail\n    expect because r'),
    ),
    Mistake(
        "question_two",
        "LX032",
        "a question asks one thing and has one expected answer",
        "write a second `question`",
        (
            *(
                f'question "q"\n    {ask}\n    {line}'
                for ask in ("p may sail", "what is x", "what happens when sail", "p may sail\n    expect always")
                for line in ("p may row", "then x", "given x", "expect always\n    expect never", "what is x")
            ),
        ),
        near="line",
    ),
    Mistake(
        "claim_word",
        "LX032",
        "what is claimed is missing",
        "after `claim` stands `always`, `never`, `possible` or `eventually`, and then a condition",
        ("claim x is 3", 'claim "text" x is 3', "claim", 'claim "text"', "claim that x is 3"),
    ),
    Mistake(
        "claim_words",
        "LX032",
        "`{word}` is not how a claim begins",
        "write `{right}`",
        ("claim impossible x is 3", "claim sometimes x is 3"),
        instead("never", "impossible|not possible|cannot be|no way")
        + instead("possible", "sometimes|can be|may be|maybe|possibly|could be")
        + instead("eventually", "at last|finally|in the end|one day")
        + instead("always", "invariant|every time|forever|at all times"),
        inside=frozenset({"claim"}),
    ),
    Mistake(
        "scenario_line",
        "LX032",
        "this is no line of a scenario",
        "each begins with `seats`, `policy`, `given`, `during`, `do` or `then`",
        later_lines('scenario "s"', "given x", "p may sail", "x is 3", "claim always x", "roll d6", "move c to d"),
    ),
    Mistake(
        "scenario_words",
        "LX032",
        "`{word}` is not how a line of a scenario begins",
        "write `{right}`",
        ('scenario "s"\n    if x is 3\n    then x', 'scenario "s"\n    given x\n    expect x'),
        instead("given", "if|when|let|state|where|assume|suppose")
        + instead("then", "expect|so|therefore|result")
        + instead("seats", "players|player|for"),
        inside=frozenset({"scenario"}),
        where="first",
    ),
    Mistake(
        "policy_line",
        "LX032",
        "a line of a policy or ruling says what a rule reads, which rule goes over which, or what is done if possible",
        "write `defeated reads one_blow` or `storm over lighthouse`, or a `rule` with its lines below",
        (
            *later_lines("policy b", "c over d", "p may sail", "3", "when x"),
            "policy b\n    defeated",
            "policy b\n    defeated is one_blow",
            "policy b\n    defeated reads",
            *later_lines("ruling b", "c over d", "p may sail", "when x"),
        ),
    ),
    Mistake(
        "policy_words",
        "LX032",
        "`{word}` is not how one rule is put over another",
        "write `over`",
        ("policy b\n    storm beats lamp", "ruling b\n    c over d\n    storm goes before lamp"),
        instead("over", "beats|before|goes before|goes over|wins over|overrides|trumps|above"),
        inside=frozenset({"policy", "ruling"}),
    ),
    Mistake(
        "errata_for_ruling",
        "LX037",
        "`{word}` is not the word for an erratum",
        "write `ruling` and a name",
        ("errata e\n    storm over lamp", "erratum e cites book 3\n    storm over lamp"),
        instead("ruling", "errata|erratum|correction|amendment|clarification|official ruling"),
        inside=frozenset({"errata", "erratum", "correction", "amendment", "clarification", "official"}),
        where="first",
    ),
    Mistake(
        "note_reason",
        "LX032",
        "a note has a reason, and then a text in quotes",
        'write `note advice "shuffle well"`; or etiquette, appearance, content, damaged, flavour, elsewhere',
        ('note "text"', "note advice", "note advice text", "note advice: text", "note"),
    ),
)


_EXPRESSIONS = (
    Mistake(
        "value_missing",
        "LX033",
        "a value is missing here",
        "write a number, a name, or something such as `coins of p`",
        (
            "play\n    x becomes",
            "play\n    x increases by",
            "play\n    x decreases by",
            "rule r\n    x is",
            "rule r\n    x plus",
            "rule r\n    x minus",
            "rule r\n    x is at least",
            "rule r\n    x is at most",
            "rule r\n    limit x to",
            "rule r\n    limit",
            "claim always",
            "claim always x is",
            "claim always x is not",
            "claim always x is in",
            "claim always x is not in",
            "claim always x <",
            "claim always x +",
            "claim always x -",
            "claim always x *",
            "claim always x /",
            "claim always -",
            "claim always x and",
            "claim always x or",
            "claim always not",
            "claim always ()",
            "claim always (x, y)",
            "claim always x of",
            "claim always x is next to",
            "claim always some q is",
            "claim always no q is",
            "claim always every q is",
            "claim always some q where",
            "claim always every q satisfies",
            "rule r\n    p may sail when",
            "rule r\n    p may sail unless",
            "rule r\n    p may sail even if",
            "rule r\n    p may sail to",
            "play\n    if",
            "play\n    repeat until",
            "play\n    if x\n        p wins\n    otherwise if",
            'scenario "s"\n    given',
            "table t by d6\n    1: gives",
            "rank w of p\n    most",
            "rank w of p\n    fewest",
            "value v: 0..3\n    is",
            "value v: 0..3\n    plus",
            "value v: 0..3\n    minus",
            'scenario "s"\n    given x\n    then',
        ),
    ),
    Mistake(
        "rounded",
        "LX033",
        "how this division is rounded is missing",
        "write `coins of p / 2 rounded down` or `rounded up`: all numbers are whole",
        ("claim always x / 2 is 3", "play\n    x becomes x / 2", "play\n    x becomes x / 2 rounded"),
    ),
    Mistake(
        "number_of",
        "LX033",
        "what is counted stands in brackets",
        "write `number of (q where q is calm)`",
        (
            "claim always number is 3",
            "claim always number of q is 3",
            "claim always number of () is 3",
            "claim always number of (3) is 3",
        ),
    ),
    Mistake(
        "aggregate_of",
        "LX033",
        "what is added or compared stands in brackets, and then for which things",
        "write `total of (coins of p for p where p is passed)`; the larger of two is `larger of (a, b)`",
        (
            "claim always total is 3",
            "claim always total coins is 3",
            "claim always total of coins is 3",
            "claim always total of (coins of p) is 3",
            "claim always highest is 3",
            "claim always highest coins is 3",
            "claim always lowest coins of p is 3",
            "claim always highest of (coins of p) is 3",
            "claim always highest of (x, y) is 3",
            "claim always total of (coins of p for) is 3",
        ),
    ),
    Mistake(
        "arithmetic_words",
        "LX033",
        "`{word}` is not how numbers are reckoned here",
        "write `{right}`",
        ("claim always x plus 3 is 5", "claim always x minus 3 is 5"),
        (("plus", "+"), ("minus", "-"), ("times", "*"), ("multiplied by", "*")),
    ),
    Mistake(
        "text_as_value",
        "LX033",
        "a text in quotes cannot be a value",
        "write a name without quotes: `weather is storm`",
        (
            *(
                f'claim always {start} "storm"'
                for start in (
                    "x is",
                    "x is not",
                    "x <",
                    "x and",
                    "not",
                    "x +",
                    "x is in",
                    "some q where",
                    "",
                    "x of",
                    "(",
                )
            ),
            'play\n    x becomes "storm"',
            'play\n    if "storm" is x',
            'rule r\n    p may sail when "storm" is x',
            'rule r\n    x is "storm"',
            'state\n    day 0..3 starts "storm"',
        ),
        near="token",
    ),
)


_NOT_NEEDED = (
    Mistake(
        "colon_at_end",
        "LX035",
        "no colon is needed here",
        "take `:` away; indented lines below belong to the line above them in any case",
        ("rule r:\n    p may sail", "play\n    if x is 3:\n        p wins"),
        ((":", ""),),
    ),
    Mistake(
        "comma_not_needed",
        "LX035",
        "no comma is needed here",
        "take `,` away",
        ('question "q"\n    p may sail\n    expect always, because r', "rule r\n    p may sail, once per turn"),
        ((",", ""),),
    ),
    Mistake(
        "article",
        "LX035",
        "the word `{word}` is not needed here",
        "take it away",
        ("let p be a Player", "claim always during the day"),
        instead("", "the|a|an|one|then|only|also|please|its|his|her|their"),
    ),
)


IN_QUESTIONS: tuple[Mistake, ...] = (*_JUDGING, *_EXPRESSIONS, *_NOT_NEEDED)
