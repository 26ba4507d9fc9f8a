"""Typical mistakes in what happens: statements, tables and stories."""

from __future__ import annotations

from grammar.mistake import BLOCKS, Mistake, instead, later_lines, statement_lines

_STATEMENTS = (
    Mistake(
        "else",
        "LX027",
        "`{word}` is not a word of the language",
        "write `{right}`",
        (
            "play\n    if x\n        p wins\n    else\n        p loses",
            "play\n    if x\n        p wins\n    elif y\n        p loses",
            "play\n    if x\n        p wins\n    else if y\n        p loses",
        ),
        (*instead("otherwise if", "else if|elif|elseif|elsif|or if"), ("else", "otherwise"), ("if not", "otherwise")),
        inside=BLOCKS,
        where="first",
    ),
    Mistake(
        "otherwise_alone",
        "LX027",
        "there is no `if` right before this `otherwise`",
        "`otherwise` stands below the block of an `if`, indented like that `if`",
        statement_lines("otherwise\n        p loses"),
        near="line",
    ),
    Mistake(
        "then_on_line",
        "LX027",
        "what is done does not stand on the line of its condition",
        "end the line after the condition and write what is done below, indented",
        (
            *(
                f"play\n    {header}{mark} p wins"
                for header in ("if x", "if x is 3", "if not x is 3 and y", "repeat until x", "repeat 3 times")
                for mark in (",", ":", " then")
            ),
            *(
                f"play\n    if x\n        p wins\n    otherwise{rest}"
                for rest in (" p loses", ": p loses", " nothing", " roll d6")
            ),
        ),
        near="line",
    ),
    Mistake(
        "when_for_if",
        "LX027",
        "among statements a condition is asked with `if`, not with `{word}`",
        "write `if`; `when` stands in a `rule`",
        ("play\n    when x is 3\n        p wins", "play\n    as soon as x is 3\n        p wins"),
        (("when", "if"), ("whenever", "if"), ("as soon as", "if")),
        inside=BLOCKS,
        where="first",
    ),
    Mistake(
        "while",
        "LX027",
        "`{word}` is not how something is repeated",
        "write `repeat until` and the condition that ends it",
        ("play\n    while x is 3\n        p wins", "play\n    repeat while x is 3\n        p wins"),
        instead("repeat until", "repeat while|while|loop until|until|do until|loop while"),
        inside=BLOCKS,
        where="first",
    ),
    Mistake(
        "for_each",
        "LX027",
        "`{word}` is not how something is done for several things",
        "write `{right}`",
        ("play\n    for each p\n        p wins", "play\n    every p\n        p wins"),
        (*instead("each", "for each|foreach|for every|for all|for|every|all|each of"),),
        inside=BLOCKS,
        where="first",
    ),
    Mistake(
        "for_in",
        "LX027",
        "among which things it is done is not said with `in`",
        "write `each p`; of what kind `p` is, `let p be Player` says",
        statement_lines("for p in Player", "each p in Player"),
        near="line",
    ),
    Mistake(
        "order_ends",
        "LX033",
        "`{word}` is not how the ends of an order are named",
        "write `{right}`; at the other end is `back of`",
        ("play\n    x becomes first of seating", "rule r\n    p wins when p is first in seating"),
        instead("front of", "first of|first in|the first of"),
    ),
    Mistake(
        "forever",
        "LX027",
        "`{word}` is not how something is repeated",
        "write `repeat`",
        ("play\n    forever\n        p wins", "play\n    loop\n        p wins"),
        instead("repeat", "forever|loop|repeat forever|repeat always"),
        inside=BLOCKS,
        where="first",
    ),
    Mistake(
        "set_to",
        "LX027",
        "`{word}` does not begin a statement",
        "to give something a value write `coins of p becomes 3`",
        statement_lines("set coins of p to 3", "let x be 3"),
        near="line",
    ),
    Mistake(
        "is_for_becomes",
        "LX027",
        "`is` asks, it does not change anything",
        "to give something a value write `becomes`; to ask, begin the line with `if`",
        ("play\n    weather is calm", "play\n    coins of p is 3"),
        near="token",
    ),
    Mistake(
        "verb_form",
        "LX027",
        "`{word}` is not the form of the verb",
        "write `{right}`",
        ("play\n    coins of p increase by 2", "play\n    weather of p is set to calm"),
        (
            *instead("becomes", "become|is now|is set to|turns into|turns to|changes to|gets"),
            *instead("increases", "increase|goes up|rises|grows"),
            *instead("decreases", "decrease|goes down|falls|drops"),
            *instead("chooses", "choose|picks|selects"),
            *instead("takes", "take|performs|does"),
            *instead("decides", "decide"),
        ),
        inside=BLOCKS,
    ),
    Mistake(
        "by_missing",
        "LX027",
        "by how much is missing",
        "write `coins of p increases by 2`",
        ("play\n    coins of p increases 2", "play\n    coins of p decreases"),
    ),
    Mistake(
        "go_to",
        "LX027",
        "after `go` stands `to` and the name of a passage",
        "write `go to harbour`",
        ("play\n    go harbour", "play\n    go -> harbour", "play\n    go to", 'play\n    go to "harbour"'),
    ),
    Mistake(
        "arrow_for_go",
        "LX027",
        "`{word}` is not how a reader is sent on",
        "write `go to` and the name of the passage",
        ("play\n    -> harbour", 'story s\n    starts at a\n    passage a\n        option "b"\n            -> a'),
        instead("go to", "->|go into|go on to|go back to"),
        inside=BLOCKS,
        where="first",
    ),
    Mistake(
        "move_into",
        "LX027",
        "`{word}` cannot stand here",
        "write `to`",
        ("play\n    move c into discard", "play\n    move c onto deck"),
        instead("to", "into|onto|in|on|towards|toward|over to"),
        inside=BLOCKS,
        where="move",
    ),
    Mistake(
        "move_beneath",
        "LX027",
        "`{word}` cannot stand here",
        "write `under`",
        ("play\n    move c beneath deck", "play\n    move c to below deck"),
        instead("under", "beneath|underneath|below|to under|to below|at the bottom of"),
        inside=BLOCKS,
        where="move",
    ),
    Mistake(
        "move_to",
        "LX027",
        "where it is moved is missing",
        "write `move c to discard`, or `move 2 from supply of p to available of p`",
        ("play\n    move c", "play\n    move 2 from supply of p", "play\n    move 2 cubes to supply", "play\n    move"),
    ),
    Mistake(
        "draw_from",
        "LX027",
        "a draw says how many, from where and to where",
        "write `draw 3 from deck to hand of p`",
        ("play\n    draw 3", "play\n    draw 3 cards", "play\n    draw 3 from deck", "play\n    draw"),
    ),
    Mistake(
        "pay_from",
        "LX027",
        "a payment says how much and from what",
        "write `pay 2 from coins of p`",
        ("play\n    pay 2", "play\n    pay 2 coins", "play\n    pay"),
    ),
    Mistake(
        "roll_form",
        "LX027",
        "a roll names a die, and what is done with it",
        "write `roll d6 as n`, `roll 2 d6 as b` or `roll d6 on weather_table`",
        ("play\n    roll", "play\n    roll 2", "play\n    roll d6 as", "play\n    roll d6 on"),
    ),
    Mistake(
        "roll_plus",
        "LX027",
        "a roll names only a die",
        "keep the number with `roll d6 as n`, and reckon with `n` afterwards",
        ("play\n    roll d6 + 1 as n", "play\n    roll 2 d6 - 1 as n"),
        near="here",
    ),
    Mistake(
        "roll_into",
        "LX027",
        "`{word}` cannot stand here",
        "write `as n` to keep the number, or `on weather_table` to look it up",
        ("play\n    roll d6 into n", "play\n    roll d6 using weather_table"),
        instead("as", "into|for|to|called|named") + instead("on", "using|in|with|against"),
        inside=BLOCKS,
        where="roll",
    ),
    Mistake(
        "chooses_what",
        "LX027",
        "what is chosen is not said with one variable",
        "write `p chooses q where ...`, with `q` declared by `let`",
        (
            "play\n    p chooses",
            "play\n    p chooses q from hand of p",
            "play\n    p chooses 2 q",
            "play\n    p chooses q or r",
        ),
        near="here",
    ),
    Mistake(
        "takes_actions",
        "LX027",
        "how many actions is not said",
        "write `p takes up to 2 actions`, `p takes 1 action` or `p takes any actions`",
        (
            "play\n    p takes",
            "play\n    p takes 2",
            "play\n    p takes up 2 actions",
            "play\n    p takes up to 2",
            "play\n    p takes 2 turns",
            "play\n    p takes any",
        ),
    ),
    Mistake(
        "offer_possible",
        "LX027",
        "a statement offers only what is legal: `{word}` is not needed",
        "take it away; where nothing is legal, nothing is asked",
        ("play\n    p must sail if possible", "play\n    p may sail to q or pass if able"),
        instead(
            "", "if possible|, if possible ,|if able|when possible|where possible|whenever possible|as far as possible"
        ),
        inside=BLOCKS - {"rule"},
    ),
    Mistake(
        "turns_until",
        "LX027",
        "turns need an end",
        "write `turns of p until every p is passed`",
        (
            "play\n    turns of p\n        p may sail",
            "play\n    turns of p by order1\n        p may sail",
            "play\n    turns of p where x\n        p may sail",
            "play\n    turns of p by order1 where x\n        p may sail",
        ),
    ),
    Mistake(
        "turns_of",
        "LX027",
        "whose turns is not said",
        "write `turns of p until ...`, with `p` declared by `let`",
        ("play\n    turns p until x\n        p may sail", "play\n    turns\n        p may sail"),
    ),
    Mistake(
        "repeat_form",
        "LX027",
        "how often it is repeated is not said",
        "write `repeat 3 times`, `repeat until ...`, or `repeat` alone",
        ("play\n    repeat 3\n        p wins", "play\n    repeat 3 rounds\n        p wins"),
    ),
    Mistake(
        "phase_on_line",
        "LX027",
        "what is done does not stand on the line of its header",
        "end the line after the name and write what is done below, indented",
        (
            *(
                f"play\n    {header} {statement}"
                for header in ("phase dawn", "step dawn", "after dawn", "each p", "end dawn then")
                for statement in (": roll d6", "roll d6", "move c to d", "draw 1 from c to d", "each q", "turns of q")
            ),
            "play\n    phase dawn if x",
            "play\n    end dawn then p wins",
            "play roll d6",
            "play: roll d6",
            "play each p",
            "play if x",
        ),
        near="line",
    ),
    Mistake(
        "consult_with",
        "LX027",
        "a table is consulted with a value",
        "write `consult weather_table with n`",
        (
            "play\n    consult weather_table",
            "play\n    consult weather_table 3",
            "play\n    consult weather_table for n",
        ),
    ),
    Mistake(
        "disable_rule",
        "LX027",
        "after `disable` stands only the name of a rule",
        "write `disable storm until dawn begins`",
        ("play\n    disable rule storm", "play\n    disable", "play\n    disable storm for 3"),
        near="here",
    ),
    Mistake(
        "decides_options",
        "LX027",
        "below `decides` each line begins with `option` and a text",
        'write `option "Go on"`, and below, indented, what happens then',
        (
            *later_lines("play\n    p decides", '    option "a"', "    p wins", "    go to a", "    roll d6"),
            'play\n    p decides\n        option "a"\n            p wins\n        p loses',
        ),
    ),
    Mistake(
        "norm_among_statements",
        "LX027",
        "`{word}` does not begin a statement",
        "a line such as `ignore`, `limit` or `instead of` stands in a `rule`",
        statement_lines("limit x to 3", "ignore rule r", "instead of sail", "immediately p wins", "usually p may sail"),
        near="line",
    ),
)


_TABLES = (
    Mistake(
        "row_colon",
        "LX028",
        "after the key of a row stands a colon",
        "write `1..3: weather becomes calm`",
        (
            "table t by d6\n    1 p wins",
            "table t by d6\n    1..3 p wins",
            "table t by d6\n    1 -> p wins",
            "table t by d6\n    calm p wins",
            "table t by d6\n    any p wins",
            "table t by d6\n    6+ p wins",
            "table t by d6\n    yes p wins",
            "table t by d6\n    1, 2 p wins",
        ),
    ),
    Mistake(
        "row_or_more",
        "LX028",
        "`{word}` is not how a row is left open upwards",
        "write `6+`",
        ("table t by d6\n    6 and more: p wins", "table t by d6\n    6 and up: p wins"),
        (*instead("+", "or up|and up|and more|and higher|and above|upwards"), (".. :", "+ :")),
        inside=BLOCKS,
    ),
    Mistake(
        "row_otherwise",
        "LX028",
        "`{word}` is not how the row for all the rest begins",
        "write `otherwise`; `any` fits every value, also those of other rows",
        (
            "table t by d6\n    1: p wins\n    every: p loses",
            "table t by d6\n    1: p wins\n    anything else: p loses",
        ),
        instead(
            "otherwise", "every|*|rest|the rest|all others|all other|any other|anything else|everything else|or else"
        ),
        inside=BLOCKS,
        where="first",
    ),
    Mistake(
        "row_keys",
        "LX028",
        "several keys or values are parted by commas, not by `{word}`",
        "write `,`; values of one key that share a row are joined by `or`, or are a range such as `1..3`",
        ("table t by d6, d6\n    1 and 2: p wins", "play\n    consult t with n or x"),
        instead(",", "and|or"),
        inside=BLOCKS,
    ),
    Mistake(
        "row_gives",
        "LX028",
        "a row that holds a value says so with `gives`",
        "write `1..3: gives 2`",
        (
            "table t by d6\n    1: 3",
            "table t by d6\n    1: -3",
            "table t by d6\n    1: yes",
            "table t by d6\n    1: none",
            "table t by d6\n    1: (3)",
            "table t by d6\n    1: is 3",
        ),
        near="token",
    ),
    Mistake(
        "row_key",
        "LX028",
        "a row of a table begins with its key",
        "the key is a number, a range such as `1..3`, `6+`, a name, `yes`, `no` or `any`; `or` joins several values, "
        "commas part several keys",
        (
            *later_lines("table t by d6", "1: p wins", "roll d6", '"one": p wins', "(1): p wins", ": p wins"),
            *later_lines("play\n    roll d6:", "    1: p wins", "    roll d6"),
        ),
    ),
    Mistake(
        "table_by",
        "LX028",
        "by what the table is read is missing",
        "write `table weather_table by d6`",
        ("table t\n    1: p wins", "table t of d6\n    1: p wins", "table t by\n    1: p wins", "table t 1: p wins"),
    ),
)


_STORIES = (
    Mistake(
        "story_starts",
        "LX031",
        "the first line of a story says where reading begins",
        "write `starts at harbour`",
        (
            "story s\n    passage a",
            "story s\n    starts harbour\n    passage a",
            "story s\n    starts at\n    passage a",
            'story s\n    "Once"',
        ),
    ),
    Mistake(
        "story_items",
        "LX031",
        "in a story stand only passages and chapters",
        "put statements and options into a `passage`",
        (
            *later_lines("story s\n    starts at a", "passage a", "p wins", 'option "b"', '"text"'),
            "story s\n    starts at a\n    passage a\n        p wins\n    p wins",
            'story s\n    starts at a\n    chapter one\n        passage a\n    option "b"',
            "story s\n    starts at a",
        ),
    ),
    Mistake(
        "chapter_items",
        "LX031",
        "in a chapter stand only passages",
        "put statements and options into a `passage`",
        (
            "story s\n    starts at a\n    chapter one\n        p wins",
            'story s\n    starts at a\n    chapter one\n        option "b"',
            'story s\n    starts at a\n    chapter one "One"\n        go to a',
            "story s\n    starts at a\n    chapter one\n        passage a\n        p wins",
            "story s\n    starts at a\n    chapter one\n        passage a\n            p wins\n        p wins",
        ),
    ),
    Mistake(
        "passage_text",
        "LX031",
        "the name of a passage is one word, its text stands in quotes",
        'write `passage harbour "Gulls over the quay."`',
        (
            "story s\n    starts at a\n    passage a Gulls over",
            'story s\n    starts at a\n    passage "Gulls"',
            "story s\n    starts at a\n    passage a: Gulls",
        ),
        near="token",
    ),
    Mistake(
        "text_in_block",
        "LX031",
        "a text cannot stand on a line of its own here",
        'put it behind the name: `passage harbour "First text." "Second text."`',
        statement_lines('"Gulls"'),
        near="line",
    ),
    Mistake(
        "option_text",
        "LX031",
        "the text of an option stands in quotes",
        'write `option "Board the ship"`',
        (
            "story s\n    starts at a\n    passage a\n        option board",
            "play\n    p decides\n        option\n            p wins",
        ),
    ),
    Mistake(
        "option_on_line",
        "LX031",
        "what follows from an option does not stand on its line",
        "end the line here and write `go to ship` below, indented",
        (
            *(
                f'story s\n    starts at a\n    passage a\n        option "b"{condition}{rest}'
                for condition in ("", " when x", " unless x is 3")
                for rest in (" -> c", " go to c", ": go to c", " then c", ", c")
            ),
            'story s\n    starts at a\n    passage a\n        option "b" c',
            'story s\n    starts at a\n    passage a\n        option "b" to c',
        ),
        near="line",
    ),
    Mistake(
        "ending_text",
        "LX031",
        "an ending has a text in quotes",
        'write `ending "You drown."`',
        ("play\n    ending drowned", "play\n    ending"),
    ),
    Mistake(
        "options_elsewhere",
        "LX031",
        "an option can stand only in a passage, or below `decides`",
        "write `p decides` on the line before, and indent the options below it",
        ('play\n    option "a"', 'play\n    p wins\n    option "a"'),
        near="line",
    ),
)


IN_PLAY: tuple[Mistake, ...] = (*_STATEMENTS, *_TABLES, *_STORIES)
