"""Speed of the front half: `python -m benchmarks.front [LINES]`.

Prints medians of interleaved runs, as ratios to a bound in the same run: reading a text against matching one regular
expression over it, the start of `ludex --help` against `python -c pass`.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import ludex
from benchmarks.timing import medians
from grammar.build import declarations_from_tree
from grammar.layout import lex
from grammar.parser import keywords, parse_tokens
from grammar.text import parse_text
from rules import model as m
from rules.check import check_rules
from rules.span import Source

_PRELUDE = """\
game "Generated" played by Player
documents
    book "Rulebook"
precedence
    assume cannot over may
    otherwise undecided
type Weather is calm, rough, storm
kind Player 2..4
    coins 0..20 starts 3
    ship Port starts athens
kind Port named athens, rhodes, crete
map sea of Port
    links athens - rhodes - crete
let p, other be Player
let q be Port
state
    weather Weather starts calm
    day 1..30 starts 1
play
    phase sailing
        each p
            p takes up to 2 actions
"""

_BLOCK = """\

action sail_{i} by p to q during sailing cites book {i}
    pay 1 from coins of p
    ship of p becomes q

rule neighbours_{i} cites book {i}
    p may sail_{i} to q when q is next to ship of p and coins of p >= {k} and weather is not storm

rule no_crowd_{i} cites book {i}
    p cannot sail_{i} to q when some other where other is not p and ship of other is q

rule salvage_{i} cites book {i}
    when ship of p becomes crete if coins of p < {k}
        coins of p increases by 1
        if weather is storm
            coins of other_of_{i} of p decreases by 1

value other_of_{i} of p: Player
    is p when day <= {k}
    is following of (p, seats_{i}) when day > {k}

state
    seats_{i} order of Player
"""


def generated(lines: int) -> str:
    parts = [_PRELUDE]
    count = _PRELUDE.count("\n")
    i = 0
    while count < lines:
        block = _BLOCK.format(i=i, k=i % 18 + 1)
        parts.append(block)
        count += block.count("\n")
        i += 1
    return "".join(parts)


def _reading(lines: int, path: Path) -> None:
    text = generated(lines)
    path.write_text(text, encoding="utf-8")
    source = Source("generated.rules", text)
    count = text.count("\n")
    words = re.compile(r"\n[ ]*|[^\W\d]\w*|[0-9]+|\"[^\"\n]*\"|\.\.|->|<=|>=|[-+*/<>,:(){}]")
    tokens = lex(source, keywords()).tokens
    tree = parse_tokens(tokens)
    book = m.Rulebook(parse_text(source).declarations)
    checked = check_rules(book)
    if any(d.is_error for d in checked.diagnostics):
        raise SystemExit(f"the generated book has errors: {checked.diagnostics[0]}")
    found = medians(
        {
            "one regular expression (bound)": lambda: words.findall(text),
            "tokens": lambda: lex(source, keywords()),
            "tree (Lark)": lambda: parse_tokens(tokens),
            "model": lambda: declarations_from_tree(tree, source),
            "text to model": lambda: parse_text(source),
            "check": lambda: check_rules(book),
            "file to all that is known (ludex.load)": lambda: ludex.load(path),
        },
        rounds=5,
    )
    bound = found["one regular expression (bound)"]
    print(f"{count} lines, {len(text) / 1e6:.2f} MB, {len(tokens)} tokens, {len(book.declarations)} declarations")
    for name, seconds in found.items():
        print(f"  {name:<40} {seconds * 1000:8.0f} ms  {count / seconds:9.0f} lines/s  {seconds / bound:6.1f} x bound")


def _starting() -> None:
    python = [sys.executable]
    commands = {
        "python -c pass": [*python, "-c", "pass"],
        "ludex --help": [*python, "-m", "ludex.cli", "--help"],
        "ludex explain LX101": [*python, "-m", "ludex.cli", "explain", "LX101"],
        "ludex check tic_tac_toe": [*python, "-m", "ludex.cli", "check", "tic_tac_toe"],
    }
    works = {name: _runner(command) for name, command in commands.items()}
    found = medians(works, rounds=11)
    bound = found["python -c pass"]
    for name, seconds in found.items():
        print(f"  {name:<32} {seconds * 1000:8.0f} ms  {seconds / bound:6.2f} x bound")


def _runner(command: list[str]) -> Callable[[], object]:
    return lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        _reading(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, Path(folder, "generated.rules"))
    print("starting")
    _starting()
