"""Binary FBX files that are whole or not, told before Blender sees them."""

from __future__ import annotations

import struct
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import FileFormatError, FileTooLargeError
from motionloom.files.fbx.structure import MAGIC, MAX_DEPTH, check_structure
from motionloom.jobs.budget import Budget
from tests.conftest import captured
from tests.files.mutation import DAMAGES

PATH = Path("walk.fbx")


def record(at: int, name: bytes, values: list[bytes], below: int = 0, large: bool = False) -> bytes:
    """A record that starts at a byte, with as many empty records one in the other below it."""
    head = struct.Struct("<QQQB" if large else "<IIIB")
    data = b"".join(values)
    start = at + head.size + len(name) + len(data)
    inner = record(start, b"below", [], below - 1, large) + bytes(head.size) if below else b""
    return head.pack(start + len(inner), len(values), len(data), len(name)) + name + data + inner


def file_of(*values: bytes, below: int = 0, version: int = 7400) -> bytes:
    """A file of one record with these values."""
    start = MAGIC + struct.pack("<I", version)
    large = version >= 7500
    return start + record(len(start), b"Key", list(values), below, large) + bytes(25 if large else 13)


def array(letter: bytes, length: int, data: bytes, packed: bool) -> bytes:
    return letter + struct.pack("<III", length, packed, len(data)) + data


VALUES = [
    b"I\1\0\0\0",
    b"Y\1\0",
    b"C\1",
    b"L" + bytes(8),
    b"S\3\0\0\0abc",
    array(b"d", 2, bytes(16), False),
    array(b"f", 1000, zlib.compress(bytes(4000)), True),
    array(b"i", 0, zlib.compress(b""), True),
]

WRONG_LENGTH = "an array does not have the stated length"
WRONG = [
    (file_of(b"?"), 43, "a value has an unknown type"),
    (file_of(b"S\xff\xff\xff\xffabc"), 48, "the file is cut off there"),
    (file_of(array(b"d", 3, bytes(16), False)), 44, WRONG_LENGTH),
    (file_of(array(b"d", 2**32 - 1, zlib.compress(bytes(8)), True)), 44, WRONG_LENGTH),
    (file_of(array(b"d", 1, zlib.compress(bytes(10**7)), True)), 44, WRONG_LENGTH),
    (file_of(array(b"d", 1, zlib.compress(bytes(8))[:-6], True)), 44, WRONG_LENGTH),
    (file_of(array(b"d", 1, b"no zlib data", True)), 44, WRONG_LENGTH),
    (file_of(below=MAX_DEPTH + 1), 1825, "a record has an impossible end"),
    (file_of(below=1)[:-14] + b"x" + bytes(13), 61, "a list of records does not end where it should"),
    (file_of(*VALUES)[:-13], 160, "the file is cut off there"),
]


@pytest.mark.parametrize(("content", "at", "cause"), WRONG, ids=range(len(WRONG)))
def test_what_is_not_whole_is_refused(content: bytes, at: int, cause: str) -> None:
    with pytest.raises(FileFormatError, match=rf"^walk\.fbx: is damaged at byte {at}: {cause}$"):
        check_structure(PATH, content)


def test_counts_that_would_take_for_ever_are_refused_at_once() -> None:
    content = bytearray(file_of(*VALUES))
    struct.pack_into("<I", content, len(MAGIC) + 8, 2**32 - 1)
    with pytest.raises(FileFormatError, match="is damaged at byte"):
        check_structure(PATH, bytes(content))


@pytest.mark.parametrize("version", [7100, 7400, 7500, 7700])
@pytest.mark.parametrize("below", [0, 1, 5])
def test_what_is_whole_passes(version: int, below: int) -> None:
    check_structure(PATH, file_of(*VALUES, below=below, version=version))


def test_other_files_are_left_to_blender() -> None:
    check_structure(PATH, b"; FBX 7.4.0 project file")


def test_arrays_count_by_what_they_unpack_to() -> None:
    budget = Budget(PATH)
    check_structure(PATH, file_of(*VALUES), budget)
    assert budget.claimed == 16 + 4000
    bomb = array(b"d", 4_000_000, zlib.compress(bytes(32_000_000), 9), True)
    with pytest.raises(FileTooLargeError, match="its arrays: reading it would take about 64 MB"):
        check_structure(PATH, file_of(bomb, bomb))
    check_structure(PATH, file_of(bomb, bomb), Budget(PATH, max_memory=64_000_000))


@settings(max_examples=200)
@given(seed=st.integers(0, 2**32), way=st.sampled_from(sorted(DAMAGES)))
def test_damaged_files_pass_or_are_refused(seed: int, way: str) -> None:
    with suppress(FileFormatError):
        check_structure(PATH, DAMAGES[way](file_of(*VALUES, below=3), seed))


@pytest.mark.parametrize("path", captured("dialects/fbx_gltf/*.fbx"), ids=lambda path: path.stem)
def test_captured_files_pass_and_pieces_of_them_do_not(path: Path) -> None:
    content = path.read_bytes()
    check_structure(path, content)
    for seed in range(20):
        with pytest.raises(FileFormatError):
            check_structure(path, DAMAGES["cut short"](content, seed))
