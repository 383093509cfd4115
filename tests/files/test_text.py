from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import FileFormatError, MotionloomError
from motionloom.files.text import (
    check_size,
    decode_text,
    parse_number,
    quote_word,
    read_text,
    renaming_notes,
    unique_names,
)
from motionloom.json_files import MAX_NUMBER


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("", "'' is not a number"),
        ("x", "'x' is not a number"),
        ("1_000", "'1_000' is not a number"),
        ("٣", "'٣' is not a number"),
        (" 1", "' 1' is not a number"),
        ("1e", "'1e' is not a number"),
        ("0x10", "'0x10' is not a number"),
        ("nan", "'nan' stands for no value: remove or repair this line"),
        ("-Infinity", "'-Infinity' stands for no value"),
        ("-1.#IND00", "'-1.#IND00' stands for no value"),
        ("1e400", "'1e400' is too large: numbers go up to 1e"),
        ("-1.1e9", "'-1.1e9' is too large"),
        ("9" * 100, f"'{'9' * 40}…' is too large"),
    ],
)
def test_words_that_are_no_numbers(word: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace(".", r"\.")):
        parse_number(word)


def test_missing_files_and_false_utf_16(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="none: there is no such file"):
        read_text(tmp_path / "none")
    with pytest.raises(FileFormatError, match=r"cannot be read \(Is a directory\)"):
        read_text(tmp_path)
    (tmp_path / "odd").write_bytes(b"\xff\xfea")
    with pytest.raises(FileFormatError, match="begins like UTF-16 text but is not"):
        read_text(tmp_path / "odd")


def test_too_large_values_are_not_written() -> None:
    check_size("x.bvh", MAX_NUMBER)
    with pytest.raises(MotionloomError, match=r"x\.bvh: a value of 2e\+09 is too large to be written"):
        check_size("x.bvh", 2 * MAX_NUMBER)


@pytest.mark.parametrize(
    ("word", "value"), [("1", 1), ("-.5", -0.5), ("+2.", 2), ("1E-3", 0.001), ("1e9", 1e9)]
)
def test_numbers_by_hand(word: str, value: float) -> None:
    assert parse_number(word) == value


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_encodings_and_line_ends(tmp_path: Path, line_end: str, encoding: str) -> None:
    (tmp_path / "x").write_bytes(line_end.join(["Hüfte", "", "b"]).encode(encoding))
    file = read_text(tmp_path / "x")
    assert decode_text(file.content) == "Hüfte\n\nb"
    assert file.line_at(len(file.content)) == 3
    assert bool(file.notes) == (encoding == "utf-16")


def test_mixed_line_ends_are_all_line_ends(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"a\rb\r\nc\nd\r\r\ne")
    assert read_text(tmp_path / "x").content == b"a\nb\nc\nd\n\ne"


def test_long_words_are_cut_in_messages() -> None:
    assert quote_word("a" * 41) == repr("a" * 40 + "…")


@given(st.floats(-MAX_NUMBER, MAX_NUMBER))
def test_what_python_prints_is_read(value: float) -> None:
    assert parse_number(repr(value)) == value


def test_copies_of_names_do_not_take_other_names() -> None:
    labels = ["a", "a", "a_2", "a", ""]
    names = unique_names(labels, "point")
    assert names == ("a", "a_3", "a_2", "a_4", "point 5")
    assert renaming_notes("point", labels, names) == [
        "a second point 'a' was renamed 'a_3'",
        "a second point 'a' was renamed 'a_4'",
    ]


def test_empty_names_count_as_any_other_unless_named() -> None:
    assert unique_names(["", ""]) == ("", "_2")
    assert unique_names(["", "point 1"], "point") == ("point 1_2", "point 1")
