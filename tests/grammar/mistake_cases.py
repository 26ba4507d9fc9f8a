"""For each label of the table of mistakes: a text that is none of its examples, and a similar text without mistake."""

from __future__ import annotations

CASES: dict[str, tuple[str, str]] = {
    "can_for_may": (
        "rule ferry cites book 3\n    owner of c can draw when day > 2",
        "rule ferry cites book 3\n    owner of c may draw when day > 2",
    ),
    "should_for_must": (
        "rule duty\n    active of turn shall discard c or pass",
        "rule duty\n    active of turn must discard c or pass",
    ),
    "may_not": (
        "rule calm\n    usually p may not attack other during night",
        "rule calm\n    usually p cannot attack other when during night",
    ),
    "not_before_norm": (
        "rule x\n    p may pass\n    not other may attack p",
        "rule x\n    p may pass\n    other cannot attack p",
    ),
    "norm_quantifier": (
        "rule x\n    immediately p wins when x\n    every other cannot attack p",
        "rule x\n    immediately p wins when x\n    other cannot attack p",
    ),
    "or_repeats": (
        "rule x\n    p must dig at q with c or p must pass when day > 1",
        "rule x\n    p must dig at q with c or pass when day > 1",
    ),
    "condition_first": (
        "rule x\n    if coins of p > 3 and day is 2\n        p wins",
        "rule x\n    p wins when coins of p > 3 and day is 2",
    ),
    "change_without_event": (
        "rule wages\n    usually wallet of owner of s increases by 3",
        "rule wages\n    when dusk begins\n        wallet of owner of s increases by 3",
    ),
    "norm_without_verb": (
        "rule storm\n    p sails\n    p may pass",
        "rule storm\n    p may sail\n    p may pass",
    ),
    "verb_missing": (
        "rule storm\n    captain of s cannot even if day is 3",
        "rule storm\n    captain of s cannot sail even if day is 3",
    ),
    "before_for_about_to": (
        "rule salvage\n    before draw by p if day is 3\n        p wins",
        "rule salvage\n    when about to draw by p if day is 3\n        p wins",
    ),
    "effect_on_line": (
        "rule tax\n    when turn of p ends, coins of p decreases by 1",
        "rule tax\n    when turn of p ends\n        coins of p decreases by 1",
    ),
    "how_often": (
        "rule dig\n    p may dig at q twice per round when day > 1",
        "rule dig\n    p may dig at q up to 2 times per round when day > 1",
    ),
    "times_per": (
        "rule dig\n    p may dig at q 3 times per night unless p is passed",
        "rule dig\n    p may dig at q up to 3 times per night unless p is passed",
    ),
    "how_often_unfinished": (
        "rule dig\n    p may dig at q once when day > 1",
        "rule dig\n    p may dig at q once per day when day > 1",
    ),
    "possible_words": (
        "ruling e\n    rule x\n        p must row to crete or pass whenever possible unless day is 2",
        "ruling e\n    rule x\n        p must row to crete or pass if possible unless day is 2",
    ),
    "possible_place": (
        "rule x cites book 3\n    usually p must row to crete up to 2 times per day if possible",
        "rule x cites book 3\n    usually p must row to crete if possible up to 2 times per day",
    ),
    "possible_unfinished": (
        "rule x\n    p must row to crete or pass if wind permits",
        "rule x\n    p must row to crete or pass if possible",
    ),
    "limit_to": (
        "rule hands\n    limit size of hand of p is 7",
        "rule hands\n    limit size of hand of p to 7",
    ),
    "rest_lost": (
        "rule hands\n    limit coins of p to 7, rest wasted",
        "rule hands\n    limit coins of p to 7, rest lost",
    ),
    "instead_of": (
        "rule shield\n    instead damage p by n\n        nothing",
        "rule shield\n    instead of damage p by n\n        nothing",
    ),
    "outcome_form": (
        "rule end_of_game\n    leader of p win when day is 30",
        "rule end_of_game\n    leader of p wins when day is 30",
    ),
    "nobody_loses": (
        "procedure finish\n    if day is 3\n        nobody loses",
        "procedure finish\n    if day is 3\n        nobody wins",
    ),
    "reading_needs_all": (
        "rule hit cites book 3\n    reading one\n        p wins when x\n    p cannot sail",
        "rule hit cites book 3\n    reading one\n        p wins when x\n    reading two\n        p cannot sail",
    ),
    "if_for_when": (
        "rule x\n    toll of p is 0 if ship of p is crete",
        "rule x\n    toll of p is 0 when ship of p is crete",
    ),
    "unless_forms": (
        "rule x\n    toll of p is 2, unless ship of p is crete",
        "rule x\n    toll of p is 2 unless ship of p is crete",
    ),
    "comparison_in_words": (
        "rule rich\n    p wins when coins of p + gems of p is more than 20",
        "rule rich\n    p wins when coins of p + gems of p > 20",
    ),
    "equals": (
        "rule x\n    p may sail when ship of p equals harbour of q",
        "rule x\n    p may sail when ship of p is harbour of q",
    ),
    "has_in_condition": (
        "rule x\n    p wins when 3 > 2 and leader of p has gold",
        "rule x\n    p wins when 3 > 2 and gold of leader of p > 0",
    ),
    "between": (
        "play\n    if n is between 3 and 4\n        p wins",
        "play\n    if n >= 3 and n <= 4\n        p wins",
    ),
    "quantifier": (
        "play\n    repeat until all p is passed\n        p may sail",
        "play\n    repeat until every p is passed\n        p may sail",
    ),
    "quantifier_where": (
        "rule x\n    p loses when no q such that owner of q is p",
        "rule x\n    p loses when no q where owner of q is p",
    ),
    "some_where": (
        "rule x\n    p loses when some q >= 3",
        "rule x\n    p loses when some q where strength of q >= 3",
    ),
    "every_satisfies": (
        "rule x\n    p wins when every q where owner of q is p unless day is 3",
        "rule x\n    p wins when every q where owner of q is p satisfies strength of q > 2 unless day is 3",
    ),
    "conditions_order": (
        "rule x\n    toll of p is 3 unless day is 4 when coins of p > 3",
        "rule x\n    toll of p is 3 when coins of p > 3 unless day is 4",
    ),
    "even_if": (
        "rule x\n    p may sail to q even though day is 3",
        "rule x\n    p may sail to q even if day is 3",
    ),
    "is_in": (
        "rule x\n    p may play c when c in hand of p",
        "rule x\n    p may play c when c is in hand of p",
    ),
    "next_to": (
        "rule x\n    p may sail to q when q is next ship of p",
        "rule x\n    p may sail to q when q is next to ship of p",
    ),
    "happened_form": (
        "rule x\n    p cannot sail when happened sail by p this turn",
        "rule x\n    p cannot sail when happened (sail by p) this turn",
    ),
    "chained_comparison": (
        "rule x\n    p may sail when 2 < coins of p < 6",
        "rule x\n    p may sail when 2 < coins of p and coins of p < 6",
    ),
    "else": (
        "procedure test1\n    if n > 3\n        p wins\n    elsif n is 2\n        nothing",
        "procedure test1\n    if n > 3\n        p wins\n    otherwise if n is 2\n        nothing",
    ),
    "otherwise_alone": (
        "procedure test1\n    roll d6 as n\n    otherwise\n        nothing",
        "procedure test1\n    if n > 3\n        roll d6 as n\n    otherwise\n        nothing",
    ),
    "then_on_line": (
        "procedure test1\n    if coins of p > 3 or day is 2 then p wins",
        "procedure test1\n    if coins of p > 3 or day is 2\n        p wins",
    ),
    "when_for_if": (
        "action dig by p\n    when gold of p > 3\n        p wins",
        "action dig by p\n    if gold of p > 3\n        p wins",
    ),
    "while": (
        "procedure test1\n    roll d6 as n\n    while n > 3 and day is 2\n        roll d6 as n",
        "procedure test1\n    roll d6 as n\n    repeat until n <= 3 or day is not 2\n        roll d6 as n",
    ),
    "for_each": (
        "procedure test1\n    for every p where p is passed\n        p wins",
        "procedure test1\n    each p where p is passed\n        p wins",
    ),
    "forever": (
        "procedure test1\n    p wins\n    loop\n        phase dawn",
        "procedure test1\n    p wins\n    repeat\n        phase dawn",
    ),
    "set_to": (
        "action dig by p\n    set weather to storm",
        "action dig by p\n    weather becomes storm",
    ),
    "is_for_becomes": (
        "table t by d6\n    1..3:\n        weather of q is storm",
        "table t by d6\n    1..3:\n        weather of q becomes storm",
    ),
    "verb_form": (
        "table t by d6\n    1..3: gold of p decrease by n",
        "table t by d6\n    1..3: gold of p decreases by n",
    ),
    "by_missing": (
        "table t by d6\n    1..3: gold of p decreases n",
        "table t by d6\n    1..3: gold of p decreases by n",
    ),
    "go_to": (
        'story s\n    starts at a\n    passage a "x"\n        if day is 3\n            go a',
        'story s\n    starts at a\n    passage a "x"\n        if day is 3\n            go to a',
    ),
    "arrow_for_go": (
        'story s\n    starts at a\n    passage a "x"\n        -> a',
        'story s\n    starts at a\n    passage a "x"\n        go to a',
    ),
    "move_into": (
        "action play by p\n    move top of deck onto discard of p",
        "action play by p\n    move top of deck to discard of p",
    ),
    "move_beneath": (
        "action play by p\n    move c from hand of p underneath discard of p",
        "action play by p\n    move c from hand of p under discard of p",
    ),
    "move_to": (
        "action play by p\n    move top of deck cites book 3",
        "action play by p\n    move top of deck to discard cites book 3",
    ),
    "draw_from": (
        "action play by p\n    draw n + 1 from deck cites book 3",
        "action play by p\n    draw n + 1 from deck to hand of p cites book 3",
    ),
    "pay_from": (
        "action play by p\n    pay cost of c coins",
        "action play by p\n    pay cost of c from coins of p",
    ),
    "roll_form": (
        "action play by p\n    roll 3",
        "action play by p\n    roll 3 d6 as b",
    ),
    "roll_plus": (
        "action play by p\n    roll d8 + bonus of p as n",
        "action play by p\n    roll d8 as n",
    ),
    "roll_into": (
        "action play by p\n    roll 2 d6 into b",
        "action play by p\n    roll 2 d6 as b",
    ),
    "chooses_what": (
        "action play by p\n    owner of c chooses q from deck",
        "action play by p\n    owner of c chooses q where q is in deck",
    ),
    "takes_actions": (
        "play\n    each p\n        p takes up to 3",
        "play\n    each p\n        p takes up to 3 actions",
    ),
    "offer_possible": (
        "procedure harvest by p\n    p must row to crete or pass if possible cites book 3",
        "procedure harvest by p\n    p must row to crete or pass cites book 3",
    ),
    "turns_until": (
        "play\n    turns of p by seats_of where not passed of p\n        p may sail",
        "play\n    turns of p by seats_of where not passed of p until day is 3\n        p may sail",
    ),
    "turns_of": (
        "play\n    phase day1\n        turns by order1 until x\n            p may sail",
        "play\n    phase day1\n        turns of p by order1 until x\n            p may sail",
    ),
    "repeat_form": (
        "play\n    repeat n + 1 rounds\n        p may sail",
        "play\n    repeat n + 1 times\n        p may sail",
    ),
    "phase_on_line": (
        "play\n    phase dusk draw 3 from deck to hand of p",
        "play\n    phase dusk\n        draw 3 from deck to hand of p",
    ),
    "consult_with": (
        "action look by p\n    consult fate on n",
        "action look by p\n    consult fate with n",
    ),
    "disable_rule": (
        "action look by p\n    disable rule tax until dawn begins",
        "action look by p\n    disable tax until dawn begins",
    ),
    "decides_options": (
        "action look by p\n    owner of c decides\n        go to a",
        'action look by p\n    owner of c decides\n        option "on"\n            go to a',
    ),
    "norm_among_statements": (
        "action look by p\n    coins of p increases by 1\n    limit coins of p to 7",
        "action look by p\n    coins of p increases by 1",
    ),
    "row_colon": (
        "table fate by d6, Weather cites book 3\n    1..2, storm weather becomes calm",
        "table fate by d6, Weather cites book 3\n    1..2, storm: weather becomes calm",
    ),
    "row_or_more": (
        "play\n    roll d6 as n:\n        1..4: nothing\n        5 and above: p wins",
        "play\n    roll d6 as n:\n        1..4: nothing\n        5+: p wins",
    ),
    "row_otherwise": (
        "play\n    roll d6 as n:\n        1..4: nothing\n        all others:\n            p wins",
        "play\n    roll d6 as n:\n        1..4: nothing\n        otherwise:\n            p wins",
    ),
    "row_gives": (
        "table cost by Weather\n    calm: gives 1\n    storm: 4",
        "table cost by Weather\n    calm: gives 1\n    storm: gives 4",
    ),
    "row_key": (
        'table cost by Weather\n    calm: gives 1\n    "storm": gives 3',
        "table cost by Weather\n    calm: gives 1\n    storm: gives 3",
    ),
    "table_by": (
        "table cost with d6\n    1: gives 3",
        "table cost by d6\n    1: gives 3",
    ),
    "type_missing": (
        "state\n    weather Weather\n    night starts no",
        "state\n    weather Weather\n    night yes/no starts no",
    ),
    "number_type": ("value cost of c: number cites book 3", "value cost of c: 0..9 cites book 3"),
    "range_half": (
        "kind Player 2..4\n    gold 20 private",
        "kind Player 2..4\n    gold 0..20 private",
    ),
    "starts_value": (
        "kind Player 2..4\n    passed yes/no starts cites book 3",
        "kind Player 2..4\n    passed yes/no starts no cites book 3",
    ),
    "starts_words": (
        "state\n    weather Weather starts as calm",
        "state\n    weather Weather starts calm",
    ),
    "yes_no": (
        "state\n    night yes or no starts no",
        "state\n    night yes/no starts no",
    ),
    "indices_brackets": (
        "state\n    friends of Player, Player yes/no starts no",
        "state\n    friends of (Player, Player) yes/no starts no",
    ),
    "population": (
        "kind Port consists of athens",
        "kind Port named athens",
    ),
    "copies_first": (
        "kind Card named gust, calm 3 cites book 3",
        "kind Card named gust, 3 calm cites book 3",
    ),
    "has_given": (
        "kind Port named athens, rhodes\n    printed depth 0..9\n    rhodes has 3 depth",
        "kind Port named athens, rhodes\n    printed depth 0..9\n    rhodes has depth 3",
    ),
    "let_be": ("let s, t in Space", "let s, t be Space"),
    "let_unfinished": ("let s, t Space", "let s, t be Space"),
    "collection_type": (
        "kind Player 2..4\n    dice bag of d6 starts {}",
        "kind Player 2..4\n    dice bag of d6 up to 4 starts {}",
    ),
    "or_none": (
        "state\n    leader Player or nobody starts none",
        "state\n    leader Player or none starts none",
    ),
    "piles_of": (
        "piles for Card\n    deck starts Card shuffled",
        "piles of Card\n    deck starts Card shuffled",
    ),
    "pool_total": (
        "pool energy cites book 3\n    supply starts rest",
        "pool energy 12 cites book 3\n    supply starts rest",
    ),
    "per_for_each": (
        "pool energy 12 each Player cites book 3\n    supply starts rest",
        "pool energy 12 for each Player cites book 3\n    supply starts rest",
    ),
    "type_is": (
        "type Season of spring, summer cites book 3",
        "type Season is spring, summer cites book 3",
    ),
    "type_unfinished": (
        "type Season cites book 3",
        "type Season is spring, summer cites book 3",
    ),
    "or_for_comma": (
        "type Season is spring, summer and winter",
        "type Season is spring, summer, winter",
    ),
    "map_links": (
        "map town of Square\n    links a - b\n    b - c",
        "map town of Square\n    links a - b\n    links b - c",
    ),
    "map_of": (
        "map town cites book 3\n    links a - b",
        "map town of Square cites book 3\n    links a - b",
    ),
    "sight_lines": (
        "sight views of (a, b)\n    from centre to any corner\n    walls where wall of s",
        "sight views of (a, b)\n    from centre to any corner\n    blocked by s where wall of s",
    ),
    "value_colon": (
        "value cost of c is 3",
        "value cost of c: 0..5 is 3",
    ),
    "value_combine": (
        "value cost of c: 0..5, last\n    is 1",
        "value cost of c: 0..5, lowest\n    is 1",
    ),
    "case_line": (
        "value cost of c: 0..5\n    is 1\n    2 when c is calm",
        "value cost of c: 0..5\n    is 1\n    is 2 when c is calm",
    ),
    "rank_line": (
        "rank best of p\n    most gold of p\n    then gems of p",
        "rank best of p\n    most gold of p\n    most gems of p",
    ),
    "rank_words": (
        "rank best of p where p is passed\n    lowest debts of p",
        "rank best of p where p is passed\n    fewest debts of p",
    ),
    "range_marks": (
        "kind Player 2..4\n    gold 0-20 starts 3",
        "kind Player 2..4\n    gold 0..20 starts 3",
    ),
    "cite_place": (
        "value cost of c: 0..5 cites card\n    is 1",
        "value cost of c: 0..5 cites card 4\n    is 1",
    ),
    "cite_page": (
        "value cost of c: 0..5 cites card page 4\n    is 1",
        "value cost of c: 0..5 cites card 4\n    is 1",
    ),
    "clause_words": (
        "rule lamp override storm\n    p may sail",
        "rule lamp overrides storm\n    p may sail",
    ),
    "clause_names": (
        "rule lamp overrides cites book 3\n    p may sail",
        "rule lamp overrides storm cites book 3\n    p may sail",
    ),
    "restates_part": (
        "rule lamp cites card 3 restates part of storm\n    p may sail",
        "rule lamp cites card 3 restates some of storm\n    p may sail",
    ),
    "clause_order": (
        "action sail by p to q cites book 9 during dusk",
        "action sail by p to q during dusk cites book 9",
    ),
    "norm_clause": (
        "rule lamp\n    ship of p is rhodes when day > 3 and weather is storm cites card 4",
        "rule lamp cites card 4\n    ship of p is rhodes when day > 3 and weather is storm",
    ),
    "story_starts": (
        'story voyage cites book 9\n    chapter one\n        passage a "x"',
        'story voyage cites book 9\n    starts at a\n    chapter one\n        passage a "x"',
    ),
    "story_items": (
        'story voyage\n    starts at a\n    passage a "x"\n    go to a',
        'story voyage\n    starts at a\n    passage a "x"\n        go to a',
    ),
    "chapter_items": (
        'story voyage\n    starts at a\n    chapter one "One"\n        go to a',
        'story voyage\n    starts at a\n    chapter one "One"\n        passage a\n            go to a',
    ),
    "passage_text": (
        "story voyage\n    starts at a\n    chapter one\n        passage quay The gulls are silent",
        'story voyage\n    starts at a\n    chapter one\n        passage quay "The gulls are silent"',
    ),
    "text_in_block": (
        'story voyage\n    starts at a\n    passage a\n        option "on"\n            "You go on"',
        'story voyage\n    starts at a\n    passage a "You go on"\n        option "on"',
    ),
    "option_text": (
        "procedure ask\n    p decides\n        option stay\n            nothing",
        'procedure ask\n    p decides\n        option "stay"\n            nothing',
    ),
    "option_on_line": (
        'procedure ask\n    p decides\n        option "leave" unless coins of p < 3: nothing',
        'procedure ask\n    p decides\n        option "leave" unless coins of p < 3\n            nothing',
    ),
    "ending_text": (
        "story voyage\n    starts at a\n    passage a\n        if day is 3\n            ending happy",
        'story voyage\n    starts at a\n    passage a\n        if day is 3\n            ending "happy"',
    ),
    "options_elsewhere": (
        'procedure ask\n    if day is 3\n        option "stay"',
        'procedure ask\n    if day is 3\n        p decides\n            option "stay"',
    ),
    "question_ask": (
        'question "Why?" cites book 3\n    every p is passed',
        'question "Why?" cites book 3\n    p may sail when every p is passed',
    ),
    "question_modal": (
        'question "Why?"\n    ship of p leaves rhodes',
        'question "Why?"\n    what happens when ship of p leaves rhodes',
    ),
    "question_possible": (
        'question "duty?"\n    p must row to crete if able when day is 3',
        'question "duty?"\n    p must row to crete when day is 3',
    ),
    "what_is": (
        'question "Why?"\n    what cost of c when day is 3',
        'question "Why?"\n    what is cost of c when day is 3',
    ),
    "expect_answer": (
        'question "Why?"\n    what is cost of c\n    expect against storm',
        'question "Why?"\n    what is cost of c\n    expect 3 against storm',
    ),
    "question_two": (
        'question "Why?"\n    what happens when sail by p\n    given day is 3',
        'question "Why?"\n    what happens when sail by p\n    expect never',
    ),
    "claim_word": (
        'claim "nobody is in debt" coins of p >= 0',
        'claim "nobody is in debt" always coins of p >= 0',
    ),
    "claim_words": (
        'claim "nobody is in debt" impossible coins of p < 0',
        'claim "nobody is in debt" never coins of p < 0',
    ),
    "scenario_line": (
        'scenario "storm" cites book 3\n    given weather is storm\n    weather becomes calm',
        'scenario "storm" cites book 3\n    given weather is storm\n    do wait',
    ),
    "scenario_words": (
        'scenario "storm"\n    suppose weather is storm\n    then day is 3',
        'scenario "storm"\n    given weather is storm\n    then day is 3',
    ),
    "policy_line": (
        "policy home cites book 3\n    storm over lamp\n    hit means one_blow",
        "policy home cites book 3\n    storm over lamp\n    hit reads one_blow",
    ),
    "policy_words": (
        "ruling second_printing\n    hit reads one_blow\n    storm wins over lamp",
        "ruling second_printing\n    hit reads one_blow\n    storm over lamp",
    ),
    "default_policy": (
        "policy home always cites book 3\n    storm over lamp",
        "policy home by default cites book 3\n    storm over lamp",
    ),
    "default_ruling": (
        "ruling second_printing by default cites book 9\n    hit reads one_blow",
        "ruling second_printing cites book 9\n    hit reads one_blow",
    ),
    "errata_for_ruling": (
        "errata second_printing cites book 9\n    storm over lamp\n    hit reads one_blow",
        "ruling second_printing cites book 9\n    storm over lamp\n    hit reads one_blow",
    ),
    "note_reason": (
        'note "be kind to the loser" cites book 3',
        'note etiquette "be kind to the loser" cites book 3',
    ),
    "value_missing": (
        "rule x\n    p may sail when coins of p >=\n    p may pass",
        "rule x\n    p may sail when coins of p >= 3\n    p may pass",
    ),
    "rounded": (
        "action share by p\n    gold of p becomes (gold of p + 1) / 2 cites book 3",
        "action share by p\n    gold of p becomes (gold of p + 1) / 2 rounded up cites book 3",
    ),
    "number_of": (
        "rule x\n    p wins when number of ports >= 3",
        "rule x\n    p wins when number of (q where owner of q is p) >= 3",
    ),
    "aggregate_of": (
        "rule x\n    p wins when coins of p is highest of coins",
        "rule x\n    p wins when coins of p is highest of (coins of other for other)",
    ),
    "arithmetic_words": (
        "action share by p\n    gold of p becomes gold of p plus 3",
        "action share by p\n    gold of p becomes gold of p + 3",
    ),
    "text_as_value": (
        'rule x\n    p wins when weather of q is not "calm"',
        "rule x\n    p wins when weather of q is not calm",
    ),
    "at_the_margin": (
        "coins of p becomes 3",
        "play\n    coins of p becomes 3",
    ),
    "quotes": (
        "documents\n    book Rules cites",
        'documents\n    book "Rules"',
    ),
    "played_by": ('game "Dig" with Digger cites book 1', 'game "Dig" played by Digger cites book 1'),
    "played_unfinished": ('game "Dig" played cites book 1', 'game "Dig" played by Digger cites book 1'),
    "name_missing": (
        "procedure look\n    step even when ended\n        nothing",
        "procedure look\n    step one even when ended\n        nothing",
    ),
    "action_verb": ("action from q to r", "action go from q to r"),
    "brackets_after_verb": (
        "action swap (c, d) during trade",
        "action swap c with d during trade",
    ),
    "action_condition": (
        "action swap c with d during trade when c is calm",
        "action swap c with d during trade",
    ),
    "precedence_line": (
        "precedence\n    explicit\n    immediate",
        "precedence\n    explicit\n    immediate over lasting",
    ),
    "precedence_words": (
        "precedence\n    explicit\n    immediate trumps lasting cites book 3",
        "precedence\n    explicit\n    immediate over lasting cites book 3",
    ),
    "outline_line": (
        'outline card\n    section "A" lines 1..9\n        line 3 holds 2',
        'outline card\n    section "A" lines 1..9\n        line 3 states 2',
    ),
    "colon_at_end": (
        "kind Player 2..4:\n    gold 0..9",
        "kind Player 2..4\n    gold 0..9",
    ),
    "comma_not_needed": (
        'question "Why?"\n    p may sail\n    expect never because storm, against lamp',
        'question "Why?"\n    p may sail\n    expect never because storm against lamp',
    ),
    "article": (
        "rule x\n    p may sail to the harbour of q when during the dusk",
        "rule x\n    p may sail to harbour of q when during dusk",
    ),
    "article_subject": (
        "rule x\n    an envoy may row to q when day is 3",
        "rule x\n    a may row to q when day is 3",
    ),
    "game_ends": (
        "procedure finish\n    if day is 3\n        game ends",
        "procedure finish\n    if day is 3\n        end game",
    ),
    "game_ends_when": (
        "rule x\n    the game ends when gold of p >= 20",
        "rule x\n    p wins when gold of p >= 20",
    ),
    "range_in_condition": (
        "rule x\n    p may row when coins of p is in 2..4",
        "rule x\n    p may row when coins of p >= 2 and coins of p <= 4",
    ),
    "even_odd": (
        "play\n    if n + 1 is even\n        p wins",
        "play\n    if remainder of (n + 1, 2) is 0\n        p wins",
    ),
    "comma_for_and": (
        'scenario "storm"\n    given weather is storm, ship of p is rhodes\n    then day is 3',
        'scenario "storm"\n    given weather is storm and ship of p is rhodes\n    then day is 3',
    ),
    "comma_in_condition": (
        "rule x\n    p may row to q unless weather is storm, coins of p < 3",
        "rule x\n    p may row to q unless weather is storm or coins of p < 3",
    ),
    "cite_several": (
        "value cost of c: 0..5 cites card 4 and 9\n    is 1",
        "value cost of c: 0..5 cites card 4, 9\n    is 1",
    ),
    "beats_clause": (
        "rule lamp trumps storm\n    p may sail",
        "rule lamp overrides storm\n    p may sail",
    ),
    "for_in": (
        "procedure test1\n    p wins\n    for q in Port:\n        p wins",
        "procedure test1\n    p wins\n    each q\n        p wins",
    ),
    "order_ends": (
        "procedure test1\n    if p is first of initiative\n        p wins",
        "procedure test1\n    if p is front of initiative\n        p wins",
    ),
    "row_keys": (
        "table fate by d6, Omen\n    1 and good: nothing",
        "table fate by d6, Omen\n    1, good: nothing",
    ),
    "links_join": (
        "map town of Square\n    links a - b, c to d",
        "map town of Square\n    links a - b, c - d",
    ),
    "link_unfinished": (
        "map town of Square\n    links a - b, c d",
        "map town of Square\n    links a - b, c -> d",
    ),
    "ties_form": (
        "rank best of p\n    most gold of p\n    ties stay tied",
        "rank best of p\n    most gold of p\n    ties stay",
    ),
    "ties_by": (
        "rank best of p\n    most gold of p\n    ties are decided by gems of p",
        "rank best of p\n    most gold of p\n    most gems of p",
    ),
    "number_words": (
        "kind Space square grid eight by 8",
        "kind Space square grid 8 by 8",
    ),
    "import_path": ("import storms", 'import "storms.rules"'),
    "action_during": (
        "action swap c with d in trade",
        "action swap c with d during trade",
    ),
}
