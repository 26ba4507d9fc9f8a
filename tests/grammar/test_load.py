"""From paths to rulebooks: folders, imports, and every kind of bad input with one message at its place."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grammar import read as read_module
from grammar.load import Loaded, load_rulebook
from grammar.read import MAX_BYTES, read_source, rule_files, shown_path
from rules import model as m
from rules.diagnostics import Diagnostic
from rules.span import Source

LET = "let {} be Player\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, text: str | bytes) -> str:
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def found(loaded: Loaded) -> list[tuple[str, str]]:
    return [(diagnostic.code, str(diagnostic.span)) for diagnostic in loaded.diagnostics]


def names(loaded: Loaded) -> list[str]:
    """The names of all variables, in the order in which they were declared."""
    return [n.text for d in loaded.rulebook.declarations if isinstance(d, m.Let) for n in d.names]


def paths(loaded: Loaded) -> list[str]:
    return [text.source.path for text in loaded.texts]


# ---- files and folders


def test_a_file() -> None:
    loaded = load_rulebook(write("a.rules", LET.format("p")))
    assert found(loaded) == []
    assert names(loaded) == ["p"]
    assert paths(loaded) == ["a.rules"]


def test_a_folder_is_all_its_rule_files_in_the_order_of_their_paths() -> None:
    for path in ("z.rules", "Z.rules", "b/a.rules", "b-c.rules", "a/b/c.rules", "a/a.rules", "a.rules", "ä.rules"):
        write(f"book/{path}", LET.format("p"))
    write("book/notes.txt", "no rules")
    write("book/.hidden.rules", "no rules")
    write("book/.git/a.rules", "no rules")
    loaded = load_rulebook("book")
    assert found(loaded) == []
    assert paths(loaded) == [
        "book/Z.rules",
        "book/a.rules",
        "book/a/a.rules",
        "book/a/b/c.rules",
        "book/b-c.rules",
        "book/b/a.rules",
        "book/z.rules",
        "book/ä.rules",
    ]
    assert rule_files("book") == [path.replace("/", os.sep) for path in paths(loaded)]


def test_declarations_stand_in_the_order_of_files() -> None:
    write("book/b.rules", LET.format("two"))
    write("book/a.rules", LET.format("one"))
    assert names(load_rulebook("book")) == ["one", "two"]


@pytest.mark.parametrize("given_as", ["./a.rules", "sub/../a.rules", "{cwd}/a.rules"])
def test_paths_are_shown_relative_and_plain(given_as: str, tmp_path: Path) -> None:
    write("a.rules", "rule\n")
    Path("sub").mkdir()
    loaded = load_rulebook(given_as.format(cwd=tmp_path))
    assert [str(d.span) for d in loaded.diagnostics] == ["a.rules:1:5"]


def test_a_path_elsewhere_is_shown_as_it_was_given(tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other") / "a.rules"
    other.write_text("rule\n")
    assert paths(load_rulebook(str(other))) == [other.as_posix()]


def test_the_current_folder() -> None:
    write("a.rules", LET.format("p"))
    assert paths(load_rulebook(".")) == ["a.rules"]


def test_a_mistake_in_one_file_leaves_the_others() -> None:
    write("book/a.rules", "rule\n")
    write("book/b.rules", LET.format("p"))
    loaded = load_rulebook("book")
    assert found(loaded) == [("LX037", "book/a.rules:1:5")]
    assert names(loaded) == ["p"]


# ---- imports


def test_an_import_is_relative_to_the_importing_file_and_comes_before_it() -> None:
    write("game/expansion/storms.rules", 'import "../base/harbour.rules"\n' + LET.format("later"))
    write("game/base/harbour.rules", LET.format("before"))
    loaded = load_rulebook("game/expansion/storms.rules")
    assert found(loaded) == []
    assert paths(loaded) == ["game/base/harbour.rules", "game/expansion/storms.rules"]
    assert names(loaded) == ["before", "later"]


def test_an_import_of_a_folder() -> None:
    write("base/b.rules", LET.format("b"))
    write("base/a.rules", LET.format("a"))
    loaded = load_rulebook(write("expansion.rules", 'import "base"\n' + LET.format("c")))
    assert found(loaded) == []
    assert names(loaded) == ["a", "b", "c"]


def test_a_diamond_is_read_once() -> None:
    write("base.rules", LET.format("base"))
    write("left.rules", 'import "base.rules"\n' + LET.format("left"))
    write("right.rules", 'import "./sub/../base.rules"\n' + LET.format("right"))
    Path("sub").mkdir()
    loaded = load_rulebook(write("all.rules", 'import "left.rules"\nimport "right.rules"\n' + LET.format("all_")))
    assert found(loaded) == []
    assert names(loaded) == ["base", "left", "right", "all_"]


def test_one_file_under_two_names_is_read_once() -> None:
    write("book/a.rules", LET.format("p"))
    os.symlink("a.rules", "book/b.rules")
    assert names(load_rulebook("book")) == ["p"]


def test_importing_a_file_of_the_same_folder_is_fine() -> None:
    write("book/a.rules", 'import "c.rules"\n' + LET.format("a"))
    write("book/b.rules", LET.format("b"))
    write("book/c.rules", LET.format("c"))
    loaded = load_rulebook("book")
    assert found(loaded) == []
    assert sorted(names(loaded)) == ["a", "b", "c"]


def test_a_long_chain_of_imports() -> None:
    for i in range(1500):
        write(f"f{i}.rules", f'import "f{i + 1}.rules"\n')
    write("f1500.rules", LET.format("last"))
    assert names(load_rulebook("f0.rules")) == ["last"]


def test_a_missing_import_is_reported_at_the_import() -> None:
    loaded = load_rulebook(write("a.rules", LET.format("p") + 'import "b.rules"\n'))
    assert found(loaded) == [("LX007", "a.rules:2:1")]
    assert loaded.diagnostics[0].span.text.strip() == 'import "b.rules"'
    assert names(loaded) == ["p"]


def test_a_missing_import_that_lacks_its_ending() -> None:
    write("base.rules", LET.format("p"))
    loaded = load_rulebook(write("a.rules", 'import "base"\n'))
    assert found(loaded) == [("LX007", "a.rules:1:1")]
    assert loaded.diagnostics[0].help == 'did you mean `import "base.rules"`?'


@pytest.mark.parametrize("path", ["", "/etc/hostname", "C:/a.rules", "..\\\\a.rules", "x" * 5000, "a.rules/b.rules"])
def test_a_path_that_cannot_be_imported(path: str) -> None:
    assert found(load_rulebook(write("a.rules", f'import "{path}"\n'))) == [("LX007", "a.rules:1:1")]


def test_an_import_of_an_empty_folder_is_reported_at_the_import() -> None:
    Path("empty").mkdir()
    assert found(load_rulebook(write("a.rules", 'import "empty"\n'))) == [("LX009", "a.rules:1:1")]


def test_a_bad_file_that_is_imported_is_reported_at_its_own_place() -> None:
    write("b.rules", b"\xff")
    assert found(load_rulebook(write("a.rules", 'import "b.rules"\n'))) == [("LX003", "b.rules:1:1")]


def test_a_file_that_imports_itself() -> None:
    loaded = load_rulebook(write("a.rules", LET.format("p") + 'import "a.rules"\n'))
    assert found(loaded) == [("LX008", "a.rules:2:1")]
    assert names(loaded) == ["p"]


def test_a_file_that_imports_its_own_folder() -> None:
    write("book/b.rules", LET.format("b"))
    loaded = load_rulebook(write("book/a.rules", 'import "."\n' + LET.format("a")))
    assert found(loaded) == [("LX008", "book/a.rules:1:1")]
    assert sorted(names(loaded)) == ["a", "b"]


def test_a_circle_of_imports_shows_every_import() -> None:
    write("a.rules", 'import "sub/b.rules"\n' + LET.format("a"))
    write("sub/b.rules", LET.format("b") + 'import "../c.rules"\n')
    write("c.rules", 'import "a.rules"\n' + LET.format("c"))
    loaded = load_rulebook("a.rules")
    assert found(loaded) == [("LX008", "c.rules:1:1")]
    (circle,) = loaded.diagnostics
    assert [str(label.span) for label in circle.labels] == ["a.rules:1:1", "sub/b.rules:2:1"]
    assert sorted(names(loaded)) == ["a", "b", "c"]
    assert circle.message == (
        "files import each other in a circle: `a.rules` imports `sub/b.rules` imports `c.rules` imports `a.rules`"
    )


def test_a_circle_in_a_folder_is_reported_once() -> None:
    write("book/a.rules", 'import "b.rules"\n')
    write("book/b.rules", 'import "a.rules"\n')
    assert found(load_rulebook("book")) == [("LX008", "book/b.rules:1:1")]


# ---- bad input: one message, at its place


@pytest.mark.parametrize("path", ["nowhere.rules", "no/where", "", "a\0b", "x" * 5000])
def test_a_path_that_leads_nowhere(path: str) -> None:
    loaded = load_rulebook(path)
    assert [d.code for d in loaded.diagnostics] == ["LX001"]
    assert (loaded.diagnostics[0].span.line, loaded.diagnostics[0].span.column) == (1, 1)
    assert loaded.texts == ()


def test_a_folder_without_rules() -> None:
    write("book/notes.txt", "nothing")
    assert found(load_rulebook("book")) == [("LX009", "book:1:1")]


def test_a_link_that_leads_to_itself() -> None:
    os.symlink("loop.rules", "loop.rules")
    assert found(load_rulebook("loop.rules")) == [("LX001", "loop.rules:1:1")]


def test_a_link_that_leads_nowhere() -> None:
    Path("book").mkdir()
    os.symlink("nowhere", "book/a.rules")
    assert found(load_rulebook("book")) == [("LX001", "book/a.rules:1:1")]


def test_a_folder_that_leads_back_into_itself() -> None:
    write("book/a.rules", LET.format("p"))
    os.symlink("..", "book/again")
    loaded = load_rulebook("book")
    assert [d.code for d in loaded.diagnostics] == ["LX001"]
    assert names(loaded) == ["p"]


def test_a_link_to_a_folder_is_followed() -> None:
    write("base/a.rules", LET.format("p"))
    Path("book").mkdir()
    os.symlink("../base", "book/base")
    assert names(load_rulebook("book")) == ["p"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_not_opened() -> None:
    os.mkfifo("pipe.rules")
    assert found(load_rulebook("pipe.rules")) == [("LX001", "pipe.rules:1:1")]


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="the system has no such sockets")
def test_a_socket_is_not_opened() -> None:
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("s.rules")
        assert found(load_rulebook("s.rules")) == [("LX001", "s.rules:1:1")]


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="the system has no such device")
def test_a_device_is_not_opened() -> None:
    assert found(load_rulebook("/dev/zero")) == [("LX001", "/dev/zero:1:1")]


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> object:
        raise PermissionError(13, "Permission denied")

    write("a.rules", LET.format("p"))
    monkeypatch.setattr(read_module, "open", refuse, raising=False)
    loaded = load_rulebook("a.rules")
    assert found(loaded) == [("LX001", "a.rules:1:1")]
    assert loaded.diagnostics[0].message == "`a.rules` may not be read: permission is missing"


def test_a_folder_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    write("book/a.rules", LET.format("p"))
    write("book/secret/b.rules", LET.format("q"))
    plain = os.listdir

    def refuse(path: str) -> list[str]:
        if path.endswith("secret"):
            raise PermissionError(13, "Permission denied")
        return plain(path)

    monkeypatch.setattr(os, "listdir", refuse)
    loaded = load_rulebook("book")
    assert found(loaded) == [("LX001", "book/secret:1:1")]
    assert names(loaded) == ["p"]


@pytest.mark.parametrize("text", ["", "\n", "# nothing yet\n"])
def test_an_empty_file(text: str) -> None:
    assert found(load_rulebook(write("a.rules", text))) == [("LX002", "a.rules:1:1")]


@pytest.mark.parametrize(
    ("data", "place", "byte"),
    [
        (b"\xff\xfe\x00\x01", "1:1", "UTF-16"),
        (b"let p be Player\nlet \xe4 be Player\n", "2:5", "byte 21 "),
        (b"let p be Player\n\x00", "2:1", "byte 17 "),
        (b"let p be Player\r\n\x00\xff", "2:1", "byte 18 "),
        (b"\xff\x00", "1:1", "byte 1 "),
        (b"\x00\xff", "1:1", "byte 1 "),
        (b"\xef\xbb\xbflet \xc3", "1:5", "byte 8 "),
        ("game".encode("utf-16"), "1:1", "UTF-16"),
        (b"PK\x03\x04 and so on\x00", "1:1", "a Word"),
        ("let ä be Player\nlet ".encode() + b"\xe4", "2:5", "byte 22 "),
    ],
)
def test_a_file_that_is_not_text(data: bytes, place: str, byte: str) -> None:
    loaded = load_rulebook(write("a.rules", data))
    assert found(loaded) == [("LX003", f"a.rules:{place}")]
    assert byte in loaded.diagnostics[0].message


def test_a_file_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with open("big.rules", "wb") as file:
        file.truncate(MAX_BYTES + 1)
    monkeypatch.setattr(read_module, "open", None, raising=False)
    assert found(load_rulebook("big.rules")) == [("LX004", "big.rules:1:1")]


def test_a_file_that_grows_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_module, "MAX_BYTES", 100)
    write("a.rules", "#" * 101)
    monkeypatch.setattr(os, "stat", lambda _path: os.stat_result((0o100644, *[0] * 9)))
    assert found(load_rulebook("a.rules")) == [("LX004", "a.rules:1:1")]


def test_a_file_of_the_greatest_size_is_read() -> None:
    text = LET.format("p")
    loaded = load_rulebook(write("a.rules", text + "#" * (MAX_BYTES - len(text))))
    assert names(loaded) == ["p"]


def test_a_byte_order_mark() -> None:
    loaded = load_rulebook(write("a.rules", b"\xef\xbb\xbf" + LET.format("p").encode()))
    assert found(loaded) == [("LX005", "a.rules:1:1")]
    assert loaded.diagnostics[0].help == "`ludex fmt` removes it"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("let p be Player\r\nlet q be Port\r\n", "1:16"),
        ("let p be Player\nlet q be Port\r", "2:14"),
        ("let p be Player\rlet q be Port\r", "1:16"),
    ],
)
def test_carriage_returns_are_reported_once(text: str, place: str) -> None:
    loaded = load_rulebook(write("a.rules", text))
    assert found(loaded) == [("LX006", f"a.rules:{place}")]
    assert loaded.diagnostics[0].help == "`ludex fmt` removes it"
    assert "\r" not in loaded.diagnostics[0].span.source.text


def test_a_mark_and_carriage_returns_together_are_one_message() -> None:
    assert found(load_rulebook(write("a.rules", b"\xef\xbb\xbflet p be Player\r\n"))) == [("LX005", "a.rules:1:1")]


# ---- reading leniently, for the formatter


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("\ufefflet p be Player\n", "let p be Player\n"),
        ("let p be Player\r\nlet q be Port\r\n", "let p be Player\nlet q be Port\n"),
        ("let p be Player\rlet q be Port\r", "let p be Player\nlet q be Port\n"),
        ("rule r\n\tp may sail\n\t\tor x\n", "rule r\n    p may sail\n        or x\n"),
        ("rule r\n  \tp may sail\n", "rule r\n      p may sail\n"),
        ("let p\tbe\t\tPlayer\n", "let p be Player\n"),
        ('game "a\tb"\t# c\td\n', 'game "a\tb" # c\td\n'),
        ("\n\n\tx\n", "\n\n    x\n"),
    ],
)
def test_a_lenient_reading_mends_what_cannot_be_seen(data: str, text: str) -> None:
    source = read_source(write("a.rules", data), lenient=True)
    assert isinstance(source, Source)
    assert source.text == text


@pytest.mark.parametrize(("data", "code"), [(b"\xff", "LX003"), (b"a\0", "LX003")])
def test_a_lenient_reading_does_not_guess(data: bytes, code: str) -> None:
    result = read_source(write("a.rules", data), lenient=True)
    assert isinstance(result, Diagnostic)
    assert result.code == code


def test_a_folder_is_no_source() -> None:
    result = read_source(".")
    assert isinstance(result, Diagnostic)
    assert result.code == "LX001"


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_random_bytes_never_raise(data: bytes) -> None:
    loaded = load_rulebook(write("random.rules", data))
    assert all(d.span.start <= len(d.span.source.text) for d in loaded.diagnostics)
    assert loaded.diagnostics
    read_source("random.rules", lenient=True)


def test_a_name_that_is_not_unicode_is_shown_all_the_same() -> None:
    shown_path(os.fsdecode(b"a\xff.rules")).encode("utf-8")


def test_what_an_editor_left_hides_nothing_else() -> None:
    broken = "rule r\r\n    p may (sail\r\n"
    assert [code for code, _ in found(load_rulebook(write("a.rules", broken)))] == ["LX006", "LX015"]
    marked = "\ufeffrule r\n    p wins\n"
    loaded = load_rulebook(write("b.rules", marked))
    assert [code for code, _ in found(loaded)] == ["LX005"]
    assert len(loaded.rulebook.declarations) == 1
