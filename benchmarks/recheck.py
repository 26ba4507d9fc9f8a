"""A book checked again after an edit, beside a full check: `python -m benchmarks.recheck [BOOK ...]`.

All bundled books, or those that are named, and a made one of 300 rules. Each is checked with nothing kept; then, each
time from what that check has kept: unchanged, with a remark above all, with another claim, with a rule more that holds
nowhere, and with another number in the condition of a rule. Seconds are those of the processor; for each edit its share
of the full check, and whether play was explored again: then the full check is that of the edited book. What is said
must be what a check without anything kept says: `--verify` looks at that for every edit.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time

import ludex
from benchmarks.judge import book_text
from ludex.book import bundled
from ludex.judge import JudgeOptions, judge
from tests.verifier.rechecking import other_number, remark
from verifier import cache as caching
from verifier.judgement import Judgement

ROOT = Path(ludex.__file__).parents[1] / "rules" / "books"
MADE = "made, 300 rules"


def _claim(text: str, _draw: random.Random) -> str | None:
    return text + "\nclaim never 1 is 2\n"


def _rule(text: str, _draw: random.Random) -> str | None:
    """One more that forbids what the first rule of its sort allows, under a condition that holds nowhere."""
    found = re.search(r"^rule \w+( cites [^\n]*)?\n(    \w+ may [^\n]*?)( when [^\n]*)?$", text, re.MULTILINE)
    if found is None:
        return None
    cites = re.sub(r" (?!cites).*", "", found[1] or "") or found[1] or ""
    made = f"rule one_more{found[1] or cites}\n{found[2].replace(' may ', ' cannot ')} when 1 is 2\n\n"
    return text[: found.start()] + made + text[found.start() :]


EDITS: dict[str, Callable[[str, random.Random], str | None]] = {
    "a remark": remark,
    "a claim more": _claim,
    "a rule more that holds nowhere": _rule,
    "a number in a condition": other_number,
}


def _placed(name: str, folder: Path) -> tuple[Path, Path]:
    """A copy of a book: what is loaded, and the file in it that is edited."""
    if name == MADE:
        path = folder / "made.rules"
        path.write_text(book_text(300))
        return path, path
    if (ROOT / name).is_dir():
        shutil.copytree(ROOT / name, folder / name)
        return folder / name, folder / name / "rules.rules"
    path = folder / f"{name}.rules"
    shutil.copy(ROOT / path.name, path)
    return path, path


def _check(path: Path, cache: bool) -> tuple[float, Judgement, str]:
    """The seconds of the check, reading included, the judgement, and all that it says but for times."""
    gc.collect()
    began = process_time()
    book = ludex.load(path)
    if book.checked is None:
        raise ValueError
    found = judge(book, JudgeOptions(decided=True, cache=cache))
    seconds = process_time() - began
    ran = tuple(replace(run, seconds=0.0) for run in found.ran)
    return seconds, found, json.dumps(caching._plain(replace(found, ran=ran, recalled=None), book.sources))


def _told(name: str, folder: Path, verify: bool) -> None:
    path, file = _placed(name, folder)
    text = file.read_text()
    cache = folder / "cache"
    full, _, _ = _check(path, cache=True)
    kept = folder / "kept"
    shutil.copytree(cache, kept)
    again, _, _ = _check(path, cache=True)
    print(f"{name}: full check {full:.2f} s; unchanged {again / full:.3f} of it", flush=True)
    for edit, change in EDITS.items():
        new = change(text, random.Random(0))
        if new is None:
            continue
        shutil.rmtree(cache)
        shutil.copytree(kept, cache)
        file.write_text(new)
        try:
            seconds, found, said = _check(path, cache=True)
        except ValueError:  # there is a mistake in it now
            continue
        is_same = found.recalled is not None and found.recalled.play
        beside = full
        if verify or not is_same:  # another play may take more, or less
            beside, _, without = _check(path, cache=False)
            if said != without:
                raise SystemExit(f"{name}, {edit}: from the cache something else is said")
        how = "play not explored" if is_same else "play explored again"
        print(f"    {edit}: {seconds:.2f} s, {seconds / beside:.3f} of the full check, {how}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="*")
    parser.add_argument("--verify", action="store_true")
    given = parser.parse_args()
    for name in given.books or [*sorted(bundled()), MADE]:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
            _told(name, Path(folder), given.verify)


if __name__ == "__main__":
    main()
