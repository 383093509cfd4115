"""Motionloom's own files: nothing is lost, and nothing in them is trusted."""

from __future__ import annotations

import dataclasses
import io
import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import FileExistsRefusal, FileFormatError
from motionloom.files.acclaim.read import read_acclaim
from motionloom.files.native.clips import read_native, write_native
from motionloom.geometry import rotations
from motionloom.messages import Message
from motionloom.motion import Character, Clip, Constraint, Event, PointClip, Provenance, Skeleton, Source, Tip

THIRD = 1.0 / 3.0


def full_clip(folder: Path = Path()) -> Clip:
    """A clip in which every field differs from its default; its character lies in a folder."""
    rng = np.random.default_rng(11)
    turns = rotations.normalize(rng.normal(size=(6, 3, 4)))
    skeleton = Skeleton(
        ("hip", "knee ü", "\ud83d toe"),
        np.array([-1, 0, 1]),
        rng.normal(size=(3, 3)),
        turns[5],
        (Tip(2, rng.normal(size=3)), Tip(0, np.array([0.0, -0.0, 5e-324]))),
    )
    return Clip(
        skeleton,
        0.0083333,
        rng.normal(size=(5, 3)),
        turns[:5],
        rng.normal(size=(5, 3, 3)),
        (
            Constraint("hip", "heel", THIRD, 2 + THIRD, rng.normal(size=3), rng.normal(size=3)),
            Constraint("knee ü", "toe", 1, 3),
        ),
        (Event(THIRD, "strike", "hip"), Event(2, "lift")),
        True,
        Source(
            path="walk.bvh",
            format="bvh",
            unit="cm",
            metres_per_unit=0.01 * THIRD,
            up="z",
            root_offset="relative",
            channels=(("TX", "RY"), (), ("RZ",)),
            axes=turns[4],
            character=Character(str(folder / "hero.glb"), skeleton),
            notes=("one sentence", "another"),
            animation="Walking_A",
        ),
        provenance=Provenance("c0ffee", start=THIRD, rate=-2.5, steps=("cut", "reversed")),
    )


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal field by field, arrays bit for bit; notes come back as plain strings."""
    if isinstance(a, str):
        return bool(a == b)
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    if dataclasses.is_dataclass(a):
        names = [field.name for field in dataclasses.fields(a) if field.name != "report"]
        return all(same(getattr(a, name), getattr(b, name)) for name in names)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


def rewritten(path: Path, change: Callable[[dict[str, bytes]], None], compression: int = 0) -> None:
    """Write a file again after a change of its members."""
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    change(members)
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def npy(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "clip.npz"
    write_native(full_clip(tmp_path), path)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(FileFormatError) as caught:
        read_native(path)
    assert str(caught.value).startswith(str(path))
    return str(caught.value)


def test_what_is_no_such_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    assert "there is no such file" in refusal(path)
    assert "cannot be read (Is a directory)" in refusal(tmp_path)
    path.write_bytes(b"")
    assert "is not a Motionloom file, or is damaged: File is not a zip file" in refusal(path)
    np.savez(path, rotations=np.zeros(3))
    assert "is not a Motionloom file: it has no header.json" in refusal(path)


def test_truncated_files_are_refused(stored: Path) -> None:
    whole = stored.read_bytes()
    for share in (0.1, 0.5, 0.99):
        stored.write_bytes(whole[: int(share * len(whole))])
        assert "is not a Motionloom file, or is damaged" in refusal(stored)


def test_a_refusal_does_not_quote_the_file(stored: Path) -> None:
    damaged = bytearray(stored.read_bytes())
    damaged[27] = 2  # the length of the first name, which then runs on into the file
    stored.write_bytes(damaged)
    assert len(refusal(stored)) < len(str(stored)) + 300


def test_a_flipped_bit_in_the_numbers_is_found(stored: Path) -> None:
    data = bytearray(stored.read_bytes())
    data[data.index(b"rotations.npy") + 400] ^= 1
    stored.write_bytes(data)
    assert "Bad CRC-32" in refusal(stored)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", "other", "is not a motionloom clip: its header.json states another format"),
        ("version", 2, "has format version 2, and this Motionloom reads up to 1: update Motionloom"),
        ("version", None, "the entry 'version' of header.json must be a number: the file is damaged"),
        ("kind", "dance", "the entry 'kind' of header.json must be one of clip, points"),
        ("frame_time", True, "the entry 'frame_time' of header.json must be a number"),
        ("frame_time", 10**400, "the entry 'frame_time' of header.json must be a number"),
        ("frame_time", -1, "holds no valid clip: frame_time must be a positive number"),
        ("names", ["a", "b", 3], "the entry 'names' of header.json must be a list of strings"),
        ("names", ["a", "b", "b"], "the entry 'names' of header.json must be a list of different names"),
        ("names", ["a"], "holds no valid clip: parents must have shape (1,)"),
        ("cyclic", 1, "the entry 'cyclic' of header.json must be true or false"),
        ("events", {}, "the entry 'events' of header.json must be a list"),
        ("events", [3], "the entry 'frame' of header.json must be a number"),
        ("events", [{"frame": 1, "label": 2}], "the entry 'label' of header.json must be a string"),
        ("tips", [{"joint": 9, "offset": [0, 0, 0]}], "a tip names joint 9"),
        ("tips", [{"joint": 0, "offset": [0, 0, 1e10]}], "'offset' of header.json must be three numbers up"),
        ("tips", [{"joint": 0, "offset": [0, 0]}], "the entry 'offset' of header.json must be three numbers"),
        ("provenance", {}, "the entry 'start' of header.json must be a number"),
        ("source", None, "the entry 'path' of header.json must be a string"),
    ],
)
def test_wrong_headers_are_refused(stored: Path, key: str, value: object, message: str) -> None:
    def change(members: dict[str, bytes]) -> None:
        members["header.json"] = json.dumps(json.loads(members["header.json"]) | {key: value}).encode()

    rewritten(stored, change)
    assert message in refusal(stored)


@pytest.mark.parametrize("text", [b"", b"{", b"[1]", b"\xff", b"[" * 100_000, b"3"])
def test_headers_that_are_no_json_objects_are_refused(stored: Path, text: bytes) -> None:
    rewritten(stored, lambda members: members.update({"header.json": text}))
    refusal(stored)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rotations", npy(np.zeros((5, 3, 4), np.float32)), "'rotations.npy' is not a plain array of <f8"),
        ("rotations", npy(np.zeros((5, 3, 4), "<i8")), "'rotations.npy' is not a plain array of <f8"),
        ("rotations", npy(np.zeros((3, 5), order="F")), "'rotations.npy' is not a plain array of <f8"),
        ("rotations", npy(np.array([object])), "'rotations.npy' is not a plain array of <f8"),
        ("parents", npy(np.full(3, np.nan)), "'parents.npy' is not a plain array of <i8"),
        (
            "rotations",
            npy(np.zeros(1)).replace(b"(1,)", b"(1" + b"1" * 50),
            "'rotations.npy' is not a plain array",
        ),
        ("rotations", b"\x93NUMPY", "'rotations.npy' is not a plain array of <f8"),
        ("rotations", npy(np.zeros((5, 3, 4)))[:-8], "does not have the size of its shape (5, 3, 4)"),
        ("rotations", npy(np.zeros((5, 3, 4))), "rotations must be unit quaternions"),
        ("offsets", npy(np.full((3, 3), 1e10)), "'offsets.npy' has a number beyond 1e+09"),
        ("offsets", npy(np.full((3, 3), np.nan)), "offsets must be finite"),
        ("source_axes", npy(np.zeros((3, 3))), "source_axes must have shape (J, 4), not (3, 3)"),
    ],
)
def test_wrong_arrays_are_refused(stored: Path, name: str, content: bytes, message: str) -> None:
    rewritten(stored, lambda members: members.update({f"{name}.npy": content}))
    assert message in refusal(stored)


def test_a_shape_larger_than_the_file_is_refused_before_it_is_made(stored: Path) -> None:
    def change(members: dict[str, bytes]) -> None:
        huge = b"'shape': (99999999999999, 3, 4), }"
        members["rotations.npy"] = members["rotations.npy"].replace(
            b"'shape': (5, 3, 4), }" + b" " * 13, huge
        )

    rewritten(stored, change)
    assert "does not have the size of its shape (99999999999999, 3, 4)" in refusal(stored)


def test_a_missing_array_is_refused(stored: Path) -> None:
    rewritten(stored, lambda members: members.__delitem__("offsets.npy"))
    assert "is damaged: it has no array 'offsets'" in refusal(stored)


def test_compressed_members_are_refused(stored: Path) -> None:
    rewritten(stored, lambda members: None, zipfile.ZIP_DEFLATED)
    assert "'header.json' is compressed: zip the members without compression" in refusal(stored)


def test_members_larger_than_the_file_are_refused(stored: Path) -> None:
    data = bytearray(stored.read_bytes())
    entry = data.rindex(b"PK\x01\x02")
    data[entry + 20 : entry + 28] = b"\0\0\0\x40" * 2  # both sizes: one gigabyte
    stored.write_bytes(data)
    assert "is damaged: it claims to hold more than its own size" in refusal(stored)


def test_an_existing_file_is_kept_unless_allowed(stored: Path) -> None:
    before = stored.read_bytes()
    with pytest.raises(FileExistsRefusal, match=r"clip\.npz already exists"):
        write_native(full_clip()[:2], stored)
    assert stored.read_bytes() == before
    write_native(full_clip()[:2], stored, overwrite=True)
    assert len(read_native(stored)) == 2


def test_every_field_comes_back_bit_for_bit(stored: Path) -> None:
    before, after = full_clip(stored.parent), read_native(stored)
    # A field that somebody adds must show up here, or this test would not notice its loss.
    assert not any(same(getattr(before.source, f.name), f.default) for f in dataclasses.fields(Source))
    # Saving puts the joints of the rig back on, so no file has an arrangement.
    kept = [f for f in dataclasses.fields(Clip) if f.name != "arrangement"]
    assert not any(same(getattr(before, f.name), f.default) for f in kept)
    assert isinstance(after, Clip)
    assert same(before, after)


def test_a_character_from_elsewhere_is_not_taken(tmp_path: Path) -> None:
    """Saving would copy the file that is named: whoever made the clip could choose any of the user's."""
    (tmp_path / "theirs").mkdir()
    write_native(full_clip(tmp_path), tmp_path / "theirs/clip.npz")
    source = read_native(tmp_path / "theirs/clip.npz").source
    assert source.character is None
    note = source.notes[-1]
    assert note == (
        "the mesh of hero.glb lies outside of this file's folder: name it to keep it, with template="
    )
    assert isinstance(note, Message)
    assert note.arguments == ("template",)


def test_arrays_come_back_read_only(stored: Path) -> None:
    after = read_native(stored)
    assert isinstance(after, Clip)
    assert not after.rotations.flags.writeable
    assert not after.skeleton.offsets.flags.writeable


def test_a_clip_of_defaults_comes_back(tmp_path: Path) -> None:
    one = Skeleton(("root",), np.array([-1]), np.zeros((1, 3)))
    dot = Clip(one, 0.1, np.empty((0, 3)), np.empty((0, 1, 4)))
    write_native(dot, tmp_path / "dot.npz")
    assert same(dot, read_native(tmp_path / "dot.npz"))


def test_points_come_back_with_their_gaps(tmp_path: Path) -> None:
    positions = np.random.default_rng(0).normal(size=(4, 2, 3))
    positions[1, 0] = np.nan
    clip = PointClip(("a", "b"), 1 / 29.97, positions, Source(path="x.trc", format="trc", unit="mm"))
    write_native(clip, tmp_path / "points.npz")
    assert same(clip, read_native(tmp_path / "points.npz"))


def test_equal_clips_make_equal_files(tmp_path: Path) -> None:
    for name in ("a.npz", "b.npz"):
        write_native(full_clip(), tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_numpy_opens_the_file_without_pickle(stored: Path) -> None:
    with np.load(stored, allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["rotations"], full_clip().rotations)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_damaged_files_are_read_or_refused_but_never_crash(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "clip.npz"
    write_native(full_clip(), path)
    damaged = bytearray(path.read_bytes())
    directory = damaged.index(b"PK\x01\x02")
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(damaged) - 1) | st.integers(directory, len(damaged) - 1))
        damaged[start : start + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    path.write_bytes(damaged)
    with suppress(FileFormatError):
        assert len(read_native(path)) == 5


def test_a_captured_clip_comes_back(mocap: Path, tmp_path: Path) -> None:
    clip = read_acclaim(mocap / "dialects/asf_amc/16_15.amc")
    write_native(clip, tmp_path / "walk.npz")
    assert same(clip, read_native(tmp_path / "walk.npz"))


def test_points_keep_their_constraints_events_and_cycle(tmp_path: Path) -> None:
    held = Constraint("a", "point", 1.5, 3.0, target=np.array([0.0, 0.1, 0.0]))
    event = Event(1.5, "strike", "a")
    clip = PointClip(("a",), 0.1, np.zeros((5, 1, 3)), constraints=(held,), events=(event,), cyclic=True)
    write_native(clip, tmp_path / "points.npz")
    again = read_native(tmp_path / "points.npz")
    assert (again.constraints, again.events, again.cyclic) == ((held,), (event,), True)
