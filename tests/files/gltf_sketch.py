"""Small glTF files made by hand, and a slow evaluation of any such file, for comparison."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray

CODES = {"<i1": 5120, "<u1": 5121, "<i2": 5122, "<u2": 5123, "<u4": 5125, "<f4": 5126}
KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Sketch:
    """A file in the making: JSON to change at will, and a buffer that arrays are appended to."""

    def __init__(self, **content: Any) -> None:
        self.content: dict[str, Any] = {
            "asset": {"version": "2.0"},
            "accessors": [],
            "bufferViews": [],
            **content,
        }
        self.data = bytearray()

    def array(self, values: npt.ArrayLike, dtype: str = "<f4", **entry: Any) -> int:
        """Append an array and return its accessor's index."""
        array = np.asarray(values, dtype=dtype)
        elements = array.reshape(len(array), -1)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes}
        self.data += array.tobytes() + bytes(-array.nbytes % 4)
        self.content["bufferViews"].append(view)
        accessor = {
            "bufferView": len(self.content["bufferViews"]) - 1,
            "componentType": CODES[dtype],
            "count": len(array),
            "type": KINDS[elements.shape[1]],
            **entry,
        }
        self.content["accessors"].append(accessor)
        return len(self.content["accessors"]) - 1

    def animate(self, *keys: tuple[int, str, npt.ArrayLike, npt.ArrayLike], **entry: Any) -> None:
        """Append an animation of (node, path, times, values); ``interpolation`` is that of all."""
        step = entry.pop("interpolation", "LINEAR")
        samplers = [
            {"input": self.array(times), "output": self.array(values), "interpolation": step}
            for _, _, times, values in keys
        ]
        channels = [
            {"sampler": n, "target": {"node": node, "path": path}}
            for n, (node, path, _, _) in enumerate(keys)
        ]
        self.content.setdefault("animations", []).append(
            {"samplers": samplers, "channels": channels, **entry}
        )

    def glb(self) -> bytes:
        """The file's bytes."""
        content = {"buffers": [{"byteLength": len(self.data)}], **self.content}
        text = json.dumps(content).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        chunks += struct.pack("<II", len(self.data), 0x004E4942) + bytes(self.data)
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def save(self, path: Path) -> Path:
        """Write the file and return its path."""
        path.write_bytes(self.glb())
        return path


def leg(**root: Any) -> Sketch:
    """A hip and a knee half a metre below it, skinned; further entries of the hip's node may be given."""
    return Sketch(
        nodes=[
            {"name": "hip", "children": [1], "translation": [0, 1, 0], **root},
            {"name": "knee", "translation": [0, -0.5, 0]},
        ],
        skins=[{"joints": [0, 1]}],
    )


def parts_of(path: Path) -> tuple[dict[str, Any], bytes]:
    """The JSON and the buffer of a GLB file, taken apart by hand."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def slow_positions(path: Path, names: tuple[str, ...], animation: int, time: float) -> FloatArray:
    """World positions (J, 3) of named nodes at a time, by matrices, node by node; linear keys only."""
    content, data = parts_of(path)
    world = _slow_world(content, data, animation, time)
    listed = [node.get("name") for node in content["nodes"]]
    return np.array([world(listed.index(name))[:3, 3] for name in names])


def slow_skin(path: Path, animation: int | None = None, time: float = 0.0) -> FloatArray:
    """The vertices (V, 3) of all skinned meshes of a GLB file at rest or at a time, by the format's rule."""
    content, data = parts_of(path)
    world = _slow_world(content, data, animation, time)
    found = []
    for node in content["nodes"]:
        if "skin" not in node:
            continue
        skin = content["skins"][node["skin"]]
        binds = _numbers(content, data, skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        matrices = np.array([world(joint) @ bind for joint, bind in zip(skin["joints"], binds, strict=True)])
        for primitive in content["meshes"][node["mesh"]]["primitives"]:
            keys = ("POSITION", "JOINTS_0", "WEIGHTS_0")
            places, joints, weights = (_numbers(content, data, primitive["attributes"][key]) for key in keys)
            weights = weights / weights.sum(axis=1, keepdims=True)
            whole = np.concatenate([places, np.ones((len(places), 1))], axis=1)
            found.append(np.einsum("vk,vkij,vj->vi", weights, matrices[joints.astype(int)], whole)[:, :3])
    return np.concatenate(found)


def _slow_world(
    content: dict[str, Any], data: bytes, animation: int | None, time: float
) -> Callable[[int], FloatArray]:
    """A function that gives the matrix (4, 4) of a node in the world."""
    nodes = content["nodes"]
    parents = {child: n for n, node in enumerate(nodes) for child in node.get("children", [])}
    moved: dict[int, dict[str, FloatArray]] = {}
    for channel in [] if animation is None else content["animations"][animation]["channels"]:
        sampler = content["animations"][animation]["samplers"][channel["sampler"]]
        times, values = (_numbers(content, data, sampler[key]) for key in ("input", "output"))
        target = channel["target"]
        moved.setdefault(target["node"], {})[target["path"]] = _between(times[:, 0], values, time)

    def world(node: int) -> FloatArray:
        own = _matrix(nodes[node] | moved.get(node, {}))
        return world(parents[node]) @ own if node in parents else own

    return world


def _numbers(content: dict[str, Any], data: bytes, index: int) -> FloatArray:
    accessor = content["accessors"][index]
    view = content["bufferViews"][accessor["bufferView"]]
    kind = next(name for name, code in CODES.items() if code == accessor["componentType"])
    width = next(n for n, name in KINDS.items() if name == accessor["type"])
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    flat = np.frombuffer(data, kind, accessor["count"] * width, start)
    return flat.reshape(-1, width).astype(np.float64)


def _between(times: FloatArray, values: FloatArray, time: float) -> FloatArray:
    after = int(np.clip(np.searchsorted(times, time), 1, len(times) - 1))
    share = np.clip((time - times[after - 1]) / (times[after] - times[after - 1]), 0.0, 1.0)
    a, b = values[after - 1], values[after]
    if len(a) == 3:
        return np.asarray(a + share * (b - a))
    b = b if a @ b >= 0 else -b
    angle = np.arccos(min(a @ b, 1.0))
    if angle < 1e-6:
        return np.asarray(a + share * (b - a))
    return np.asarray((np.sin((1 - share) * angle) * a + np.sin(share * angle) * b) / np.sin(angle))


def _matrix(node: dict[str, Any]) -> FloatArray:
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    x, y, z, w = np.array(node.get("rotation", [0, 0, 0, 1])) / np.linalg.norm(
        node.get("rotation", [0, 0, 0, 1])
    )
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = turn * np.array(node.get("scale", [1, 1, 1]))
    matrix[:3, 3] = node.get("translation", [0, 0, 0])
    return matrix
