from __future__ import annotations

import json
from pathlib import Path

import pytest

from motionloom.errors import FileFormatError, ParameterError
from motionloom.json_files import JsonFields, check_fields, message_to_json, read_json
from motionloom.messages import Argument, ClipName, Message, Operation


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{\n oops", r"line 2: is not JSON: Expecting property name"),
        (b"\xff\xfe\xff", "is not JSON text"),
        (b"[" * 100_000, "is not JSON text"),
        (b" " * 200_000, "is far too large for a test"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=message):
        read_json(path, "a test", 150_000)
    with pytest.raises(FileFormatError, match="cannot be read"):
        read_json(tmp_path, "a test", 150_000)


def test_a_byte_order_mark_is_no_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert read_json(tmp_path / "x.json", "a test", 100) == {"a": 1}


def test_fields_are_the_known_ones() -> None:
    with pytest.raises(ParameterError, match=r"keys\[0\] must be an object with the fields time, joint"):
        check_fields("keys[0]", [], ["time", "joint"])
    with pytest.raises(ParameterError, match=r"keys\[0\] has an unknown field 'tme': the fields are time"):
        check_fields("keys[0]", {"tme": 1}, ["time"])


def test_errors_name_the_part_of_the_file() -> None:
    header = JsonFields(Path("a.npz"), {"fps": "fast", "source": {"unit": 3}})
    with pytest.raises(FileFormatError, match=r"a.npz: the entry 'fps' of header.json must be a number"):
        header.number("fps")
    extras = JsonFields(Path("a.usd"), {"tips": [{"joint": None}]}, "its extras")
    with pytest.raises(FileFormatError, match=r"a.usd: the entry 'joint' of its extras must be a number"):
        extras.objects("tips")[0].number("joint")
    with pytest.raises(FileFormatError, match=r"the entry 'unit' of header.json must be a string"):
        header.object("source").text("unit")


def test_messages_are_stored_with_their_parts(tmp_path: Path) -> None:
    said = [
        "the file was cut short",
        Message((ClipName(1, "jog"), " is short"), remedy=("use ", Operation("motionloom.load"))),
        Message("no rate", remedy=("state ", Argument("fps"), Argument("cyclic", False)), subject="a.bvh"),
        Message("must be 1", parameter="knots", remedy=("leave it out",)),
    ]
    stored = json.loads(json.dumps([message_to_json(message) for message in said]))
    read = JsonFields(tmp_path, {"notes": stored}).messages("notes")
    assert list(read) == said
    assert [vars(a) == vars(b) for a, b in zip(read[1:], said[1:], strict=True)] == [True, True, True]
    assert stored[0] == "the file was cut short"


@pytest.mark.parametrize("wrong", [3, [3], [{"problem": 3}], [{"problem": [{"argument": 3}]}], [None]])
def test_what_is_no_message_is_refused(tmp_path: Path, wrong: object) -> None:
    with pytest.raises(FileFormatError):
        JsonFields(tmp_path, {"notes": wrong}).messages("notes")
