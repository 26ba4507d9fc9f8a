"""A second check answers from the cache with the same words, and what cannot be trusted is not read."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.judge import JudgeOptions, judge
from verifier import cache as caching
from verifier.cache import Cache
from verifier.judgement import Judgement

ROOT = Path(__file__).parents[2]
BOOK = """
game "Three doors" played by Player

documents
    book "Rulebook"

precedence
    otherwise undecided

kind Player 2
    coins 0..9 starts 3
    keys 0..9 starts 1

let p be Player

play
    repeat 2 times
        each p
            p takes up to 1 action

action open by p
    coins of p decreases by 1

action knock by p
    keys of p increases by 1

action wait by p
    coins of p becomes 2

rule opening cites book 1
    p may open when coins of p > 1

rule guards cites book 2
    p cannot open when coins of p < OPEN

rule knocking cites book 3
    p may knock when keys of p < 4

rule silence cites book 4
    p cannot knock when keys of p > KNOCK

rule waiting cites book 5
    p may wait when coins of p > 0 and keys of p > 0

rule hurry cites book 6
    p cannot wait when coins of p + keys of p > WAIT
    p cannot wait when happened (knock by p) this game
"""


def text(opening: int = 3, knock: int = 2, wait: int = 9) -> str:
    return BOOK.replace("OPEN", str(opening)).replace("KNOCK", str(knock)).replace("WAIT", str(wait)).lstrip()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def judged(path: Path, cache: bool = True, players: int | None = None) -> Judgement:
    return judge(ludex.load(path), JudgeOptions(decided=True, players=players, cache=cache))


def said(found: Judgement) -> Any:
    """All that a judgement says, but for the time that it took."""
    ran = tuple(replace(run, seconds=0.0) for run in found.ran)
    sources = [f.places[0].span.source for f in found.findings] + [d.places[0].span.source for d in found.decided]
    assert len({id(source) for source in sources}) <= 1
    return caching._plain(replace(found, ran=ran, recalled=None), sources[:1])


def files(folder: Path, sort: str) -> list[Path]:
    return sorted((folder / "cache" / "ludex").glob(f"{sort}-*"))


def test_an_unchanged_book_is_answered_from_the_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = folder / "doors.rules"
    book.write_text(text())
    fresh = judged(book)
    assert {f.code for f in fresh.findings} >= {"LX901"}
    assert fresh.recalled is not None
    assert (fresh.recalled.answered, fresh.recalled.whole) == (0, False)
    monkeypatch.setattr("verifier.hearing.judge", None)  # nothing is heard again
    again = judged(book)
    assert again.recalled is not None
    assert again.recalled.whole
    assert said(again) == said(fresh)
    assert all(place.span.text for finding in again.findings for place in finding.places)


def test_an_edited_rule_is_asked_about_and_the_others_are_not(folder: Path) -> None:
    book = folder / "doors.rules"
    book.write_text(text())
    before = judged(book).recalled
    book.write_text(text(opening=5))
    edited = judged(book)
    after = edited.recalled
    assert before is not None
    assert after is not None
    assert not after.whole
    assert 0 < after.answered < after.asked
    touched = after.asked - after.answered
    assert said(edited) == said(judged(book, cache=False))
    book.write_text(text(opening=5, knock=1, wait=8))
    two_more = judged(book).recalled
    assert two_more is not None
    assert two_more.asked - two_more.answered > touched  # each edit has its own questions


def test_a_comment_above_all_moves_every_place_and_no_question(folder: Path) -> None:
    book = folder / "doors.rules"
    book.write_text(text())
    first = judged(book)
    book.write_text("# The doors of the keep\n" + text())
    moved = judged(book)
    assert moved.recalled is not None
    assert moved.recalled.answered == moved.recalled.asked > 0
    assert moved.recalled.play
    lines = [[p.span.line for f in found.findings for p in f.places] for found in (first, moved)]
    assert lines[1] == [line + 1 for line in lines[0]]


def test_other_options_are_another_judgement(folder: Path) -> None:
    book = folder / "doors.rules"
    book.write_text(text().replace("kind Player 2", "kind Player 2..3"))
    judged(book)
    three = judged(book, players=3)
    assert three.recalled is not None
    assert not three.recalled.whole
    assert len(files(folder, "judgement")) == 2


def test_another_ludex_judges_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = folder / "doors.rules"
    book.write_text(text())
    judged(book)
    monkeypatch.setattr(caching, "made_by", lambda: "another")
    again = judged(book).recalled
    assert again is not None
    assert (again.whole, again.answered) == (False, 0)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def _garbage(path: Path) -> None:
    path.write_bytes(b"\xff\x00 no cache")


def _changed(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"LX901", b"LX902").replace(b"ed", b"de"))


def _other_content(path: Path) -> None:
    content = json.dumps({"key": None, "verdicts": 3})
    path.write_text(f"{caching._digest(content)}\n{content}")


def _open_to_all(path: Path) -> None:
    path.chmod(0o666)


@pytest.mark.parametrize("spoil", [_cut, _garbage, _changed, _other_content, _open_to_all])
def test_a_spoilt_cache_is_not_read(folder: Path, spoil: Any) -> None:
    book = folder / "doors.rules"
    book.write_text(text())
    fresh = judged(book)
    for path in (*files(folder, "judgement"), *files(folder, "questions"), *files(folder, "play")):
        spoil(path)
    again = judged(book)
    assert again.recalled is not None
    assert (again.recalled.whole, again.recalled.answered, again.recalled.play) == (False, 0, False)
    assert said(again) == said(fresh)
    assert judged(book).recalled == replace(again.recalled, answered=again.recalled.asked, whole=True)


def test_a_judgement_of_the_right_key_and_the_wrong_form_is_not_read(folder: Path) -> None:
    book = folder / "doors.rules"
    book.write_text(text())
    judged(book)
    (path,) = files(folder, "judgement")
    stored = json.loads(path.read_text().partition("\n")[2])
    forms: tuple[object, ...] = (
        {"": "Judgement", "unheard": 1},
        {"": "Popen"},
        [],
        {"": "Span", "source": 7, "start": 0, "end": 1},
    )
    for wrong in forms:
        content = json.dumps({**stored, "judgement": wrong})
        path.write_text(f"{caching._digest(content)}\n{content}")
        loaded = ludex.load(book)
        assert Cache(loaded.path, loaded.sources, (None,)).judgement() is None


def test_no_cache_reads_and_writes_nothing(folder: Path) -> None:
    book = folder / "doors.rules"
    book.write_text(text())
    assert judged(book, cache=False).recalled is None
    assert files(folder, "judgement") == files(folder, "questions") == files(folder, "play") == []


def test_what_was_interrupted_is_not_kept(folder: Path) -> None:
    book = folder / "doors.rules"
    book.write_text(text())
    loaded = ludex.load(book)
    Cache(loaded.path, loaded.sources, (None,)).keep(Judgement(interrupted=True))
    assert files(folder, "judgement") == []


def test_where_nothing_can_be_written_nothing_is_said(folder: Path) -> None:
    book = folder / "doors.rules"
    book.write_text(text())
    (folder / "cache").write_text("a file where the folder should be")
    assert judged(book).findings


def test_two_checks_at_once(folder: Path) -> None:
    book = folder / "doors.rules"
    book.write_text(text())
    command = [sys.executable, "-m", "ludex", "check", str(book), "--stats"]
    env = {"XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": str(ROOT), "PATH": ""}
    both = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [1, 1]
    assert all("LX901" in output for output in outputs)
    third = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert "from the cache: the whole judgement" in third.stdout
    assert not [path for path in (folder / "cache" / "ludex").iterdir() if path.suffix not in (".json", "")]
