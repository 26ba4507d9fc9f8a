"""Typical mistakes in rules: their lines, their conditions, and the clauses of headers."""

from __future__ import annotations

from grammar.mistake import BLOCKS, LISTS, RULES, Mistake, instead, norm_lines, statement_lines

_NORMS = (
    Mistake(
        "can_for_may",
        "LX025",
        "`{word}` is no word for a permission here",
        "write `may`",
        ("rule r\n    p can sail to q", "rule r\n    p is allowed to sail to q"),
        instead("may", "can|could|might|is allowed to|is able to|may also"),
        inside=RULES | BLOCKS,
    ),
    Mistake(
        "should_for_must",
        "LX025",
        "`{word}` is no word for a duty here",
        "write `must`",
        ("rule r\n    p should sail to q", "rule r\n    p has to sail to q"),
        instead("must", "should|shall|has to|have to|needs to|is obliged to|always must"),
        inside=RULES | BLOCKS,
    ),
    Mistake(
        "may_not",
        "LX025",
        "`{word}` is not how something is forbidden",
        "write `cannot`",
        ("rule r\n    p may not sail", "rule r\n    p must not sail to q", "rule r\n    p can not sail"),
        instead("cannot", "may not|must not|can not|should not|may never|must never|is not allowed to|does not"),
        inside=RULES | BLOCKS,
    ),
    Mistake(
        "not_before_norm",
        "LX025",
        "a rule cannot begin with `not`",
        "to forbid something write `p cannot ...`",
        norm_lines("not p may sail"),
        near="line",
    ),
    Mistake(
        "article_subject",
        "LX025",
        "a rule does not speak of things with `{word}`, but with a variable",
        "use a variable: with `let p be Ferryman` write `p cannot row`",
        ("rule r\n    a ferryman cannot row", "rule r\n    an elf may row"),
        instead("", "a|an"),
        inside=RULES,
        where="first",
    ),
    Mistake(
        "norm_quantifier",
        "LX025",
        "a line of a rule does not begin with `{word}`",
        "write `p may ...`: with `let p be Player` it holds for every player; for none of them write `p cannot ...`",
        norm_lines("each p may sail", "every p must sail", "some p may sail", "any p may sail", "no p may sail"),
        near="line",
    ),
    Mistake(
        "or_repeats",
        "LX025",
        "after `or` stands only another action",
        "do not say again who acts: `p must sail to q or pass`",
        tuple(
            f"{frame}p {first} sail{where} or p {second} pass"
            for frame in ("rule r\n    ", "play\n    ")
            for first in ("may", "must", "cannot")
            for where in ("", " to q")
            for second in ("may", "must", "cannot")
        ),
        near="token",
    ),
    Mistake(
        "condition_first",
        "LX025",
        "a condition stands here in front of its rule",
        "put it behind: `p cannot sail when ...`; a line that begins with `when` names an event, such as `dawn begins`",
        (
            *norm_lines("if weather is storm p cannot sail", "during dusk p may sail"),
            "rule r\n    when weather is storm p cannot sail",
            "rule r\n    when coins of p is 3 p wins",
            "rule r\n    when coins of p >= 3 p wins",
            "rule r\n    when coins of p < 3 p wins",
            "rule r\n    when coins >= 3 p wins",
            "rule r\n    when coins > 3 p wins",
            "rule r\n    when coins < 3 p wins",
            "rule r\n    when not passed of p",
            "rule r\n    when every p is passed",
            "rule r\n    when some p is passed",
            "rule r\n    when no p is passed",
        ),
        near="line",
    ),
    Mistake(
        "change_without_event",
        "LX025",
        "a rule cannot change something just so",
        "write `when EVENT` and the change indented below, or put it into `play`, an action or a procedure",
        (
            "rule r\n    coins of p increases by 2",
            "rule r\n    coins of p decreases by 2",
            "rule r\n    weather becomes calm",
            "rule r\n    p chooses q",
            "rule r\n    p decides",
            *norm_lines(
                "move c to deck", "roll d6 as n", "draw 3 from deck to hand", "end game", "pay 2 from x", "go to a"
            ),
        ),
        near="line",
    ),
    Mistake(
        "game_ends",
        "LX025",
        "`ends` does not bring about an end",
        "say who wins: `p wins when ...` or `nobody wins when ...`; a statement in `play` is `end game`",
        (
            *norm_lines("turn of p ends"),
            *statement_lines("game ends", "the game ends", "turn of p ends"),
        ),
        near="token",
    ),
    Mistake(
        "game_ends_when",
        "LX025",
        "`{word}` does not bring about an end",
        "say who wins: `p wins when ...` or `nobody wins when ...`; a statement in `play` is `end game`",
        ("rule r\n    game ends when day is 3", "rule r\n    the game is over when day is 3"),
        instead("nobody wins", "game ends|the game ends|game is over|the game is over|game over"),
        inside=RULES,
        where="first",
    ),
    Mistake(
        "norm_without_verb",
        "LX025",
        "this line of a rule has no verb that the language knows",
        "say what is so: `p may ...`, `p must ...`, `p cannot ...`, `toll of p is ...`, `p wins when ...`",
        ("rule r\n    p", "rule r\n    coins of p", "rule r\n    p sails to q"),
    ),
    Mistake(
        "verb_missing",
        "LX025",
        "after `may`, `must` or `cannot` the action is missing",
        "name it as it is declared: `p may sail to q`",
        (
            *(
                f"rule r\n    p {modal}{rest}"
                for modal in ("may", "must", "cannot")
                for rest in ("", " when x", " unless x", " even if x", " once per turn", " to q")
            ),
            "rule r\n    p may sail or",
        ),
        near="token",
    ),
    Mistake(
        "before_for_about_to",
        "LX025",
        "`{word}` cannot begin a rule",
        "write `{right}` and the event",
        ("rule r\n    before sail by p\n        p wins", "rule r\n    whenever dawn begins\n        p wins"),
        (*instead("when about to", "before|when p about to"), *instead("when", "after|whenever|each time|every time")),
        inside=RULES,
        where="first",
    ),
    Mistake(
        "effect_on_line",
        "LX025",
        "what happens does not stand on the line of the event",
        "end the line here and write what happens below, indented",
        (
            *(
                f"rule r\n    {event}{mark} p wins"
                for event in (
                    "when dawn begins",
                    "when turn of p ends",
                    "when dawn begins if day is 3",
                    "when sail by p",
                    "when sail",
                    "when coins of p increases",
                    "when coins of p increases by 2",
                    "when coins of p becomes 2",
                    "when coins of p changes",
                    "when c enters deck",
                    "when deck runs out",
                    "when about to sail by p",
                    "instead of sail by p",
                )
                for mark in (",", ":", " then")
            ),
        ),
        near="line",
    ),
    Mistake(
        "how_often",
        "LX025",
        "`{word}` does not say how often",
        "write `once per turn` or `up to 3 times per turn`",
        ("rule r\n    p may sail once a turn", "rule r\n    p may sail twice per turn"),
        (
            *instead("once per", "once a|once each|once every|once in a|only once per|at most once per|once during"),
            *instead("up to 2 times per", "twice per|two times per|at most twice per"),
            *instead("up to 3 times per", "three times per"),
        ),
        inside=RULES,
    ),
    Mistake(
        "times_per",
        "LX025",
        "a number of times is a bound, and needs `up to`",
        "write `up to 2 times per turn`",
        ("rule r\n    p may sail 2 times per turn", "rule r\n    p may sail to q 3 times per round"),
        near="token",
    ),
    Mistake(
        "how_often_unfinished",
        "LX025",
        "it is not said how often",
        "write `once per turn` or `up to 3 times per turn`",
        (
            "rule r\n    p may sail once",
            "rule r\n    p may sail once per",
            "rule r\n    p may sail up to 2",
            "rule r\n    p may sail up to turn",
            "rule r\n    p may sail up to 2 times",
            "rule r\n    p may sail up to 2 times per",
        ),
    ),
    Mistake(
        "possible_words",
        "LX025",
        "`{word}` is not how a duty rests that cannot be met",
        "write `if possible`",
        ("rule r\n    p must sail if able", "rule r\n    p must sail to q when possible when day is 3"),
        instead(
            "if possible",
            "if able|when able|when possible|whenever possible|where possible|as far as possible"
            "|if it can|if he can|if she can|if they can|if p can|if this is possible|unless impossible|if posible",
        ),
        inside=frozenset({"rule", "policy", "ruling"}),
        where="must",
    ),
    Mistake(
        "possible_place",
        "LX025",
        "`{word}` stands in a rule, right behind what must be done",
        "write `p must sail to q if possible when ...`; in a block take it away: a statement offers only what is legal",
        (
            "rule r\n    p must sail when day is 3 if possible",
            "rule r\n    p must sail once per turn if possible",
            "rule r\n    when dawn begins\n        p must sail if possible",
        ),
        instead("", "if possible|, if possible ,"),
        inside=frozenset({"rule", "policy", "ruling"}),
    ),
    Mistake(
        "possible_unfinished",
        "LX025",
        "after `if` only `possible` can stand here",
        "a duty that rests where it cannot be met is `p must sail if possible`; a condition begins with `when`",
        ("rule r\n    p must sail if he likes", "rule r\n    p must sail to q if", "rule r\n    p may sail if 3 and"),
    ),
    Mistake(
        "limit_to",
        "LX025",
        "a limit needs `to` and a number",
        "write `limit size of hand of p to 7`",
        ("rule r\n    limit size of hand of p", "rule r\n    limit coins of p at 7"),
    ),
    Mistake(
        "rest_lost",
        "LX025",
        "after a limit only `, rest lost` can stand",
        "leave it out where going beyond the limit is forbidden",
        ("rule r\n    limit coins of p to 7, rest discarded", "rule r\n    limit coins of p to 7, p wins"),
    ),
    Mistake(
        "instead_of",
        "LX025",
        "after `instead` stands `of` and the event that is replaced",
        "write `instead of coins of p decreases by n`, and below, indented, what happens",
        ("rule r\n    instead p wins", "rule r\n    instead\n        p wins"),
    ),
    Mistake(
        "outcome_form",
        "LX025",
        "`{word}` is not the form of the verb",
        "write `{right}`",
        ("rule r\n    p win when day is 3", "rule r\n    p lose when day is 3"),
        (
            ("win", "wins"),
            ("won", "wins"),
            ("lose", "loses"),
            ("lost", "loses"),
            ("has won", "wins"),
            ("has lost", "loses"),
        ),
        inside=RULES | BLOCKS,
    ),
    Mistake(
        "nobody_loses",
        "LX025",
        "after `nobody` only `wins` can stand",
        "write `nobody wins` for a game without a winner, `p cannot ...` for what all are forbidden",
        ("rule r\n    nobody loses when day is 3", "play\n    nobody may sail"),
    ),
    Mistake(
        "reading_needs_all",
        "LX025",
        "a rule has either readings or lines of its own, not both",
        "put every line under a `reading`, or take `reading` away",
        (
            "rule r\n    p may sail\n    reading a\n        p may sail",
            "rule r\n    when dawn begins\n        p wins\n    reading a\n        p may sail",
            *(
                f"rule r\n    reading a\n        p may sail\n    {norm}"
                for norm in ("p wins", "when x begins", "limit x to 3")
            ),
        ),
        near="line",
    ),
)


_CONDITIONS = (
    Mistake(
        "if_for_when",
        "LX026",
        "a condition begins with `when` here, not with `{word}`",
        "write `{right}`",
        ("rule r\n    p may sail if day is 3", "rule r\n    p cannot sail as long as day is 3"),
        (
            *instead(
                "when",
                "requires|needs|if|while|as long as|whenever|provided|provided that|in case|only if|only when|where",
            ),
            *instead("when during", "during"),
        ),
        inside=RULES | {"value", "story", "play"},
    ),
    Mistake(
        "unless_forms",
        "LX026",
        "`{word}` is no word for an exception here",
        "write `unless`",
        ("rule r\n    coins of p is 3 except when day is 3", "rule r\n    p may sail, unless day is 3"),
        instead("unless", "except when|except if|except|but not when|but not if|, unless|if not"),
        inside=RULES | {"value", "story", "play"},
    ),
    Mistake(
        "comparison_in_words",
        "LX026",
        "`{word}` is not how numbers are compared",
        "write `{right}`",
        ("claim always coins of p is greater than 3", "claim always coins of p is at least 3"),
        (
            *instead(">", "is greater than|is more than|is larger than|is bigger than|is higher than|exceeds|is above"),
            *instead(">", "more than|greater than|larger than|higher than"),
            *instead("<", "less than|fewer than|smaller than|lower than"),
            *instead(">=", "at least|no less than"),
            *instead("<=", "at most|no more than"),
            *instead("<", "is less than|is fewer than|is smaller than|is lower than|is below"),
            *instead(">=", "is at least|is not less than|is no less than|is greater than or equal to"),
            *instead("<=", "is at most|is not more than|is no more than|is up to|is less than or equal to"),
        ),
    ),
    Mistake(
        "equals",
        "LX026",
        "`{word}` is not how things are compared",
        "write `{right}`",
        ("claim always coins of p equals 3", "claim always coins of p is the same as 3"),
        (
            *instead("is not", "is not equal to|is different from|differs from|is not the same as|are not|isnt|arent"),
            *instead("is", "equals|equal|is equal to|is the same as|are|was|were|be"),
        ),
    ),
    Mistake(
        "has_in_condition",
        "LX026",
        "`has` cannot stand in a condition",
        "name what is had: `coins of p >= 3`, `c is in hand of p`",
        (
            "claim always p has 3",
            "claim always owner of q has 3",
            "rule r\n    p may sail when p has 3 coins",
            "rule r\n    p may sail when owner of q has 3 coins",
            "play\n    if p has 3 coins\n        p wins",
            "play\n    if owner of q has 3 coins\n        p wins",
            "play\n    repeat until p has 3 coins\n        p wins",
            "claim always some p has coins",
            "claim always every p has coins",
        ),
        near="token",
    ),
    Mistake(
        "range_in_condition",
        "LX026",
        "a range cannot stand in a condition",
        "give both ends: `coins of p >= 2 and coins of p <= 4`",
        (
            "claim always x is 2..4",
            "claim always x is in 2..4",
            "claim always x is in {2..4}",
            "claim always 2..4",
            "rule r\n    x is 2..4",
        ),
        near="token",
    ),
    Mistake(
        "even_odd",
        "LX026",
        "whether a number is even is not asked with `{word}`",
        "write `remainder of (x, 2) is 0`, or `is 1` where it is odd",
        (
            "claim always x is even",
            "claim always x is not even",
            "claim always some n is even",
            "rule r\n    p wins when x is even",
            "rule r\n    x is even",
        ),
        near="token",
    ),
    Mistake(
        "comma_for_and",
        "LX026",
        "two conditions are joined by a word, not by a comma",
        "write `and` or `or`",
        ('scenario "s"\n    given x is 3, y is 4\n    then x', 'scenario "s"\n    given x\n    then x is 3, y is 4'),
        instead("and", ",|, and"),
        inside=frozenset({"scenario", "question"}),
    ),
    Mistake(
        "comma_in_condition",
        "LX026",
        "after a condition no comma can stand",
        "join two conditions with `and` or `or`; what happens stands on the next line, indented",
        (
            *(
                f"rule r\n    {norm} {word} x is 3, y is 4"
                for norm in ("p may sail", "p wins", "x is 3", "x plus 3", "limit x to 3")
                for word in ("when", "unless", "even if")
            ),
            "claim always x is 3, y is 4",
            "value v: 0..3\n    is 1 when x is 3, y is 4",
        ),
        near="line",
    ),
    Mistake(
        "between",
        "LX026",
        "`between` cannot stand in a condition",
        "give both ends: `coins of p >= 2 and coins of p <= 5`",
        (
            "claim always coins of p is between 2 and 5",
            "claim always coins of p is not between 2 and 5",
            "rule r\n    p may sail when day is between 2 and 5",
            "rule r\n    toll of p is between 2 and 5",
            "claim always some p is between 2 and 5",
        ),
        near="token",
    ),
    Mistake(
        "quantifier",
        "LX026",
        "`{word}` is not how a condition speaks of several things",
        "write `{right}`",
        ("claim always all p is passed", "claim always any q is calm"),
        (
            *instead("every", "all|each|for all|for every|for each|everyone|any and all"),
            *instead("some", "any|there is a|there is an|there is|there exists|exists|at least one|one|a"),
            *instead("no", "none of|not any|there is no|nobody|not a single"),
        ),
    ),
    Mistake(
        "quantifier_where",
        "LX026",
        "`{word}` cannot join a thing and its condition",
        "write `where`",
        ("claim always some q with q is calm", "claim always some q such that q is calm"),
        instead("where", "with|such that|so that|when|if|that|which|who|for which|having"),
    ),
    Mistake(
        "some_where",
        "LX026",
        "what is asked of this thing is missing",
        "write `some q where ...` or `some q is ...`",
        ("claim always some q", "claim always no q", "claim always some q coins of p is 3"),
    ),
    Mistake(
        "every_satisfies",
        "LX026",
        "what is asked of every such thing is missing",
        "write `every p where A satisfies B`, or `every p is passed`",
        ("claim always every p", "claim always every p where p is passed", "claim always every p and day is 3"),
    ),
    Mistake(
        "conditions_order",
        "LX026",
        "conditions of a rule stand in this order: `when`, `unless`, `even if`, each once",
        "join two conditions with `and` or `or`",
        (
            *(
                f"rule r\n    {norm} {conditions}"
                for norm in (
                    "p may sail",
                    "p wins",
                    "x is 3",
                    "x plus 3",
                    "x minus 3",
                    "limit x to 3",
                    "x is at least 3",
                )
                for conditions in (
                    "when day is 3 when day is 4",
                    "unless day is 3 when day is 4",
                    "unless day is 3 unless day is 4",
                    "even if day is 3 when day is 4",
                    "even if day is 3 unless day is 4",
                )
            ),
            "rule r\n    p may sail when day is 4 once per turn",
        ),
        near="line",
    ),
    Mistake(
        "even_if",
        "LX026",
        "after `even` stands `if` and a condition",
        "write `p may sail even if weather is storm`",
        ("rule r\n    p may sail even when day is 3", "rule r\n    p may sail even day is 3"),
    ),
    Mistake(
        "is_in",
        "LX026",
        "`{word}` needs `is` in front of it",
        "write `{right}`",
        ("claim always c in hand of p", "claim always c not in hand of p"),
        (
            ("not in", "is not in"),
            ("in", "is in"),
            ("belongs to", "is in"),
            ("lies in", "is in"),
            ("is inside", "is in"),
        ),
    ),
    Mistake(
        "next_to",
        "LX026",
        "a relation needs `to`",
        "write `q is next to r`",
        ("claim always q is next r", "claim always q is adjacent with r"),
        (
            ("is next", "is next to"),
            ("is adjacent with", "is next to"),
            ("is near", "is next to"),
            ("borders", "is next to"),
        ),
    ),
    Mistake(
        "happened_form",
        "LX026",
        "an event of the past stands in brackets, and then since when",
        "write `happened (sail by p) this turn`",
        (
            "claim always happened sail by p this turn",
            "claim always happened (sail by p)",
            "claim always happened (sail by p) in turn",
            "claim always happened (sail by p) this",
            "claim always times sail by p is 3",
            "claim always times (sail by p) is 3",
            "claim always times (sail by p) this is 3",
        ),
    ),
    Mistake(
        "chained_comparison",
        "LX026",
        "two comparisons stand in one",
        "write them apart and join them with `and`: `2 < x and x < 5`",
        (
            "claim always 2 < x < 5",
            "claim always 2 <= x <= 5",
            "claim always 2 > x > 5",
            "claim always 2 >= x >= 5",
            "claim always x is y is z",
            "claim always x < 3 is yes",
        ),
        near="token",
    ),
)


_CLAUSES = (
    Mistake(
        "cite_place",
        "LX030",
        "where in the document is missing",
        'write `cites book 12`, `cites book 12..14` or `cites book "Storms"`',
        ("rule r cites book\n    p may sail", "rule r cites\n    p may sail", "rule r cites book 3,\n    p may sail"),
    ),
    Mistake(
        "cite_page",
        "LX030",
        "`{word}` is not needed in a citation",
        "write the document and the number of the line: `cites book 12`",
        ("rule r cites book line 3\n    p may sail", "rule r cites book page 3\n    p may sail"),
        instead("", "line|lines|page|pages|section|number|on|on page|at|in|at line"),
        where="cites",
    ),
    Mistake(
        "cite_several",
        "LX030",
        "several places in a document are parted by commas, not by `{word}`",
        "write `cites book 7, 8`, or `cites book 7..9` for all lines between",
        ("rule r cites book 7 and 8\n    p may sail", "rule r cites book 7, 8 and 9\n    p may sail"),
        instead(",", "and|or|, and|+"),
        inside=BLOCKS | LISTS | {"value", "rank", "note", "claim", "question", "scenario", "policy", "ruling"},
        where="cites",
    ),
    Mistake(
        "clause_words",
        "LX030",
        "`{word}` is not the word for this clause",
        "write `{right}`",
        ("rule r see book 3\n    p may sail", "rule r override storm\n    p may sail"),
        instead("cites", "see|cite|from|in|citing|quotes|ref|source book")
        + instead("overrides", "override|replaces|overriding|instead of")
        + instead("restates", "restate|repeats|restating|same as"),
        inside=frozenset({"rule", "value", "table", "rank", "action", "procedure", "kind", "type", "note", "claim"}),
    ),
    Mistake(
        "beats_clause",
        "LX030",
        "`{word}` is not the word for what a rule wins over",
        "write `overrides`",
        ("rule r beats storm\n    p may sail", "rule r trumps storm cites book 3\n    p may sail"),
        instead("overrides", "beats|trumps|wins over|over"),
        where="rule",
    ),
    Mistake(
        "clause_names",
        "LX030",
        "which rule is meant is missing",
        "name it: `overrides storm`, `restates storm`, `among hindrances`",
        (
            "rule r overrides\n    p may sail",
            "rule r restates 3\n    p may sail",
            "rule r among\n    p may sail",
            "rule r source\n    p may sail",
        ),
    ),
    Mistake(
        "restates_part",
        "LX030",
        "`{word}` is not how a restatement of a part is marked",
        "write `restates {right}`",
        ("rule r restates part of storm\n    p may sail", "rule r restates only some storm\n    p may sail"),
        instead("some of", "part of|parts of|a part of|some|only some|only some of|partly"),
        where="restates",
    ),
    Mistake(
        "clause_order",
        "LX030",
        "after a clause the line must end",
        "put `cites` and other clauses at the end of the line of the header",
        (
            'note advice cites book 3 "text"',
            'game cites book 3 "The Harbour"',
            "action sail by p cites book 3 during sailing",
            "rule r cites book 3 when x\n    p may sail",
            "play\n    phase dawn cites book 3 p wins",
        ),
        near="line",
    ),
    Mistake(
        "norm_clause",
        "LX030",
        "a clause stands on the header of the rule, not on its lines",
        "move it up: `rule storm cites book 31`",
        (
            *(
                f"rule r\n    {norm}{condition} {clause}"
                for norm in ("p may sail", "p may sail to q", "p wins", "x is 3", "x plus 3", "limit x to 3")
                for condition in ("", " when day is 3", " unless x", " even if x")
                for clause in ("cites book 3", "overrides storm", "restates storm", "supplied")
            ),
            "rule r\n    p may sail once per turn cites book 3",
        ),
        near="line",
    ),
)


IN_RULES: tuple[Mistake, ...] = (*_NORMS, *_CONDITIONS, *_CLAUSES)
