"""Broken glTF files by the thousand: read or refused with our own error, quickly and in little memory."""

from __future__ import annotations

import json
import random
import struct
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motionloom as ml
from motionloom.errors import MotionloomError
from tests.conftest import MOCAP
from tests.figures import smooth_clip
from tests.files.gltf_sketch import Sketch, leg
from tests.files.mutation import mutated

MEGABYTE = 1 << 20
LONGEST_SECONDS = 10.0
"""What no file may take even on a busy machine: longer is a hang."""
FILES = MOCAP / "dialects" / "fbx_gltf"
ODD: list[Any] = [
    -1,
    0,
    1,
    7,
    10**12,
    2**63,
    1.5,
    -1e30,
    1e300,
    "x",
    "",
    None,
    True,
    [],
    {},
    [[]],
    [0, 0, 0],
    "NaN",
]


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of well-formed files of every kind; those of others only where the corpus is."""
    folder = tmp_path_factory.mktemp("originals")
    ml.save(smooth_clip(40, moving=True), folder / "ours.glb")
    ml.save(smooth_clip(10), folder / "text.gltf")
    sketch = leg()
    sketch.animate((0, "translation", [0, 1, 2], [[0, 1, 0]] * 9), interpolation="CUBICSPLINE")
    sketch.save(folder / "sketch.glb")
    for path in FILES.glob("*.glb"):
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def original(folder: Path, name: str) -> bytes:
    path = folder / name
    return (path if path.exists() else folder / "ours.glb").read_bytes()


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "warm.glb").write_bytes(leg().glb())
    ml.load(folder / "warm.glb")
    return folder


def refused(path: Path) -> str:
    """The sentence with which a file is refused, or nothing."""
    try:
        ml.load(path)
    except MotionloomError as error:
        return str(error)
    return ""


def check(path: Path, content: bytes) -> None:
    """Load a file; anything but success or an error of ours, in time and memory, fails the test."""
    path.write_bytes(content)
    started = time.monotonic()
    refusal = refused(path)
    assert time.monotonic() - started < LONGEST_SECONDS
    assert not refusal or path.stem in refusal, "a refusal names the file"
    tracemalloc.start()
    assert refused(path) == refusal
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30 * len(content) + 50 * MEGABYTE


NAMES = ["ours.glb", "text.gltf", "sketch.glb", "Fox.glb", "RiggedFigure.glb"]


@pytest.mark.slow
@settings(max_examples=200)
@given(seed=st.integers(0, 2**32), name=st.sampled_from(NAMES))
def test_damaged_bytes(originals: Path, scratch: Path, seed: int, name: str) -> None:
    check(scratch / "broken.glb", mutated(original(originals, name), seed))


@settings(max_examples=100)
@given(share=st.floats(0, 1), name=st.sampled_from(NAMES))
def test_files_cut_short(originals: Path, scratch: Path, share: float, name: str) -> None:
    content = original(originals, name)
    path = scratch / "broken.glb"
    path.write_bytes(content[: int(share * (len(content) - 1))])
    assert refused(path)


def changed(value: Any, rng: random.Random) -> Any:
    """The JSON with one number, text, list or object somewhere in it exchanged, lost or repeated."""
    places: list[tuple[Any, Any]] = []
    pending = [value]
    while pending:
        each = pending.pop()
        keys = list(each) if isinstance(each, dict) else list(range(len(each)))
        places += [(each, key) for key in keys]
        pending += [each[key] for key in keys if isinstance(each[key], dict | list)]
    for _ in range(rng.randint(1, 3)):
        holder, key = rng.choice(places)
        kind = rng.randrange(4)
        if isinstance(holder, list) and kind == 0 and key < len(holder):
            holder.insert(key, holder[key])
        elif kind == 1 and key in (holder if isinstance(holder, dict) else range(len(holder))):
            del holder[key]
        elif isinstance(holder, dict) or key < len(holder):
            holder[key] = rng.choice(ODD)
    return value


@pytest.mark.slow
@settings(max_examples=200)
@given(seed=st.integers(0, 2**32), name=st.sampled_from(NAMES))
def test_valid_json_with_wrong_entries(originals: Path, scratch: Path, seed: int, name: str) -> None:
    """Wrong counts, indices, kinds and types in JSON that parses."""
    rng = random.Random(seed)
    content = original(originals, name)
    if name == "text.gltf":
        check(scratch / "broken.gltf", json.dumps(changed(json.loads(content), rng)).encode())
        return
    (length,) = struct.unpack_from("<I", content, 12)
    text = json.dumps(changed(json.loads(content[20 : 20 + length]), rng)).encode()
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + content[20 + length :]
    check(scratch / "broken.glb", struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def huge_times() -> Sketch:
    sketch = leg()
    sketch.animate((0, "translation", [0, 9e8], [[0, 1, 0]] * 2))
    return sketch


def deep() -> Sketch:
    nodes: list[dict[str, Any]] = [{"children": [n + 1]} for n in range(20_000)]
    return Sketch(nodes=[*nodes, {}], skins=[{"joints": [0, 20_000]}])


def broad() -> Sketch:
    return Sketch(
        nodes=[{"children": list(range(1, 20_000))}, *({} for _ in range(20_000))],
        skins=[{"joints": list(range(20_000))}] * 5,
    )


def bushy() -> Sketch:
    """A deep chain with many leaves at its end, every leaf moved."""
    nodes: list[dict[str, Any]] = [{"children": [n + 1]} for n in range(1900)]
    leaves = list(range(1901, 20_000))
    sketch = Sketch(nodes=[*nodes, {"children": leaves}, *({} for _ in leaves)])
    sketch.animate(*((node, "translation", [0, 1], [[0, 0, 0]] * 2) for node in range(50)))
    return sketch


def many_frames() -> Sketch:
    """A long list of times that a whole crowd of joints would be spread over."""
    nodes = [{"children": list(range(1, 2000))}, *({} for _ in range(1999))]
    sketch = Sketch(nodes=nodes, skins=[{"joints": list(range(2000))}])
    sketch.animate((0, "scale", [n / 60 for n in range(20_000)], [[1, 1, 1]] * 20_000))
    return sketch


@pytest.mark.slow
@pytest.mark.parametrize("make", [huge_times, deep, broad, bushy, many_frames])
def test_files_made_to_exhaust(scratch: Path, make: Any) -> None:
    check(scratch / "huge.glb", make().glb())


@pytest.mark.slow
@settings(max_examples=100)
@given(seed=st.integers(0, 2**32))
def test_broken_templates(originals: Path, scratch: Path, seed: int) -> None:
    template = scratch / "template.glb"
    content = original(originals, "ours.glb")
    (length,) = struct.unpack_from("<I", content, 12)
    text = json.dumps(changed(json.loads(content[20 : 20 + length]), random.Random(seed))).encode()
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + content[20 + length :]
    template.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    for name in ("new", "ours", "out"):
        try:
            ml.save(smooth_clip(3), scratch / "out.glb", template=template, animation=name, overwrite=True)
        except MotionloomError:
            continue
        assert len(ml.load(scratch / "out.glb", animation=name)) == 3
