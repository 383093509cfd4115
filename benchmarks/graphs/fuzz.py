"""Damaged graph files: every one must be refused with a sentence or read as a graph that can be walked."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import motionloom as ml
from motionloom.errors import MotionloomError
from motionloom.files.native.archive import read_archive, write_archive
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.graph_file import FORMAT, VERSION
from motionloom.synthesis import walk


def fuzz_files(n_files: int, seed: int) -> None:
    """Damage a graph file again and again, and count what is read, refused, or fails otherwise."""
    rng = np.random.default_rng(seed)
    counts = {"read": 0, "refused": 0, "failed": 0}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.npz")
        MotionGraph([walk(duration=4.0, fps=30).clip]).save(path)
        whole = path.read_bytes()
        header, arrays = read_archive(path, FORMAT, VERSION)
        for n in range(n_files):
            if n % 2:
                path.write_bytes(_damage_bytes(bytearray(whole), rng))
            else:
                own = json.loads(json.dumps(header.values))
                write_archive(path, _damage_header(own, rng), _damage_arrays(dict(arrays), rng), True)
            try:
                ml.load(path, ml.MotionGraph).walk(3.0, plant=False)
                counts["read"] += 1
            except MotionloomError:
                counts["refused"] += 1
            except Exception as error:
                counts["failed"] += 1
                print(type(error).__name__, error)
    print(f"{n_files} damaged files: {counts}")


def _damage_bytes(data: bytearray, rng: np.random.Generator) -> bytes:
    """Change, remove or insert bytes; checksums of the zip find most of that."""
    for _ in range(int(rng.integers(1, 8))):
        at = int(rng.integers(len(data)))
        match int(rng.integers(3)):
            case 0:
                data[at] = int(rng.integers(256))
            case 1:
                del data[at : at + int(rng.integers(1, 64))]
            case _:
                data[at:at] = rng.bytes(int(rng.integers(1, 32)))
    return bytes(data)


def _damage_header(values: Any, rng: np.random.Generator) -> Any:
    """Replace a value somewhere in a header."""
    if rng.random() < 0.3:
        return values
    at = values
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return values
        key = keys[int(rng.integers(len(keys)))]
        if isinstance(at[key], dict | list) and at[key] and rng.random() < 0.85:
            at = at[key]
            continue
        at[key] = [None, -1, 1e12, "x", [], {}, True, 0.5][int(rng.integers(8))]
        return values


def _damage_arrays(arrays: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Change a number of an array, its shape, or leave it out."""
    if rng.random() < 0.3:
        return arrays
    name = sorted(arrays)[int(rng.integers(len(arrays)))]
    array = np.array(arrays[name])
    match int(rng.integers(4)):
        case 0:
            del arrays[name]
        case 1:
            arrays[name] = np.ascontiguousarray(array[: len(array) // 2])
        case _ if array.size:
            value = rng.choice([0.0, -1.0, 1e7, 3.0, np.nan])
            if array.dtype.kind == "f" or np.isfinite(value):
                array.ravel()[int(rng.integers(array.size))] = value
            arrays[name] = array
    return arrays
