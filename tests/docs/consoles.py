"""Console blocks in Markdown: a command after `$ `, then what it prints."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^(?P<fence>`{3,})console\n(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Console:
    command: str
    output: str


def consoles(text: str) -> list[Console]:
    found: list[Console] = []
    for block in _BLOCK.finditer(text):
        for part in re.split(r"^\$ ", block["body"], flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append(Console(command, output))
    return found


def run(command: str, typed: str = "") -> str:
    """What a `ludex` command prints; other commands do not stand in our documents."""
    words = shlex.split(command)
    assert words[0] == "ludex", command
    # A process of its own, as a reader has it: nothing that other tests left behind can show.
    done = subprocess.run(
        [sys.executable, "-m", "ludex", *words[1:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        input=typed,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONPATH": str(_ROOT), "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
    )
    return done.stdout


def with_outputs(text: str) -> str:
    """The text with what each command prints now."""

    def fill(match: re.Match[str]) -> str:
        parts = re.split(r"^\$ ", match["body"], flags=re.MULTILINE)[1:]
        commands = [part.partition("\n")[0] for part in parts]
        printed = "".join(f"$ {command}\n{run(command)}" for command in commands)
        return f"{match['fence']}console\n{printed}{match['fence']}"

    return _BLOCK.sub(fill, text)
