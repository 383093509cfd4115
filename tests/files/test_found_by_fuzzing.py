"""Files that once broke a reader, found by fuzzing or by an attack: each made small, by code.

`make fuzz` looks for more. A case says which fault it showed; it must be read, or refused with a sentence.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import MotionloomError
from motionloom.files import load_points
from tests.figures import smooth_clip
from tests.files.bvh_texts import PLAIN
from tests.files.gltf_sketch import Sketch


def shared_zeros() -> bytes:
    """300 nodes that share an array without a buffer, which stood for 15 GB."""
    sketch = Sketch(nodes=[{"children": [n + 1]} for n in range(299)] + [{}])
    sketch.content["accessors"] = [
        {"componentType": 5126, "count": 1 << 20, "type": kind} for kind in ("SCALAR", "VEC3")
    ]
    channels = [{"sampler": 0, "target": {"node": node, "path": "scale"}} for node in range(300)]
    sketch.content["animations"] = [{"samplers": [{"input": 0, "output": 1}], "channels": channels}]
    return sketch.glb()


def compressed_zeros() -> bytes:
    """Body-model motion of zeros, which compresses a thousandfold."""
    content = io.BytesIO()
    poses = np.zeros((100_000, 156), np.float16)
    np.savez_compressed(content, poses=poses, trans=poses[:, :3], mocap_framerate=np.array(60.0))
    return content.getvalue()


def many_labels() -> bytes:
    """Labels of points that were looked up in a list, each in all of them."""
    head = "PathFileType\t4\t(X/Y/Z)\tx\nDataRate\tNumFrames\tUnits\n60\t1\tmm\nFrame#\tTime\t"
    return (head + "\t\t\t".join(f"p{n}" for n in range(20_000)) + "\n\n1\t0\n").encode()


def hostile_channels() -> bytes:
    """A header of ours whose channels are no channels."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("header.json", json.dumps({"format": "motionloom", "channels": [[[]], 7, "x" * 99]}))
    return content.getvalue()


def long_uri() -> bytes:
    """A buffer behind an address of 5,000 characters with half of a surrogate pair."""
    content = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": 4, "uri": "\ud800" * 5000}],
        "nodes": [{}],
    }
    return json.dumps(content).encode()


CASES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "glTF, shared zeros": ("case.glb", shared_zeros),
    "AMASS, compressed zeros": ("case.npz", compressed_zeros),
    "TRC, many labels": ("case.trc", many_labels),
    "Motionloom, hostile channels": ("case.npz", hostile_channels),
    "glTF, an odd address": ("case.gltf", long_uri),
    "BVH, a terminal escape in a name": ("case.bvh", lambda: PLAIN.replace("ROOT", "ROOT \x1b[2J").encode()),
    "BVH, a frame time of 10**400": ("case.bvh", lambda: PLAIN.replace("0.1", "1" + "0" * 400).encode()),
}


@pytest.mark.parametrize("name", CASES)
def test_a_file_that_once_broke_a_reader(tmp_path: Path, name: str) -> None:
    file_name, make = CASES[name]
    path = tmp_path / file_name
    path.write_bytes(make())
    read = load_points if path.suffix == ".trc" else ml.load
    try:
        read(path)
    except MotionloomError as error:
        sentence = str(error)
        assert "case" in sentence, "the refusal names the file"
        assert sentence.isprintable(), "nothing of the file reaches the terminal raw"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="only POSIX systems have named pipes")
@pytest.mark.parametrize(
    "suffix", [".bvh", ".amc", ".npz", ".glb", ".gltf", ".csv", ".usda", ".trc", ".c3d", ".fbx", ".json"]
)
def test_pipes_and_devices_are_refused_at_once(tmp_path: Path, suffix: str) -> None:
    """Reading a pipe waits for ever, reading /dev/zero takes all memory; links lead there from any name."""
    pipe, device = tmp_path / f"pipe{suffix}", tmp_path / f"device{suffix}"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    readers: dict[str, Callable[[Path], object]] = {
        ".json": ml.warping.Warp.load,
        ".trc": load_points,
        ".c3d": load_points,
    }
    for path in (pipe, device):
        with pytest.raises(MotionloomError, match="is a pipe or a device: copy what it gives into a file"):
            readers.get(suffix, ml.load)(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="only POSIX systems have named pipes")
def test_a_skeleton_that_is_a_pipe_is_refused(tmp_path: Path) -> None:
    ml.save(smooth_clip(3), tmp_path / "clip.amc")
    (tmp_path / "clip.asf").unlink()
    os.mkfifo(tmp_path / "clip.asf")
    with pytest.raises(MotionloomError, match="is a pipe or a device"):
        ml.load(tmp_path / "clip.amc")
