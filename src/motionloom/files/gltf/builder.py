"""Build a glTF file: arrays become pieces of one buffer, with views and accessors on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.files.gltf.container import Part, align_to_four
from motionloom.files.gltf.document import COMPONENTS

GENERATOR = "motionloom"
"""The program that files name as their maker."""

STICKS = "sticks"
"""Name of the node with the stick figure, which is no character."""

VERTICES, INDICES = 34962, 34963
"""What a view is used for, as graphics cards must know."""

_CODES = {np.dtype(name): code for code, name in COMPONENTS.items()}
_KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class GltfBuilder:
    """A glTF file under construction, empty or started from another file.

    Attributes
    ----------
    content
        The JSON object, without its buffers.
    parts
        The pieces of the one buffer.
    """

    def __init__(self, content: dict[str, Any], buffer: bytes = b"") -> None:
        self.content = content
        self.parts: list[Part] = []
        self._size = 0
        self.replace_buffer(buffer)

    def add(self, kind: str, entry: dict[str, Any]) -> int:
        """Append an entry to a list and return its index."""
        listed: list[Any] = self.content.setdefault(kind, [])
        listed.append(entry)
        return len(listed) - 1

    def add_view(self, array: npt.NDArray[Any], target: int | None = None) -> int:
        """Put an array into the buffer and return the index of the view on it."""
        part = align_to_four(array)
        entry = {"buffer": 0, "byteOffset": self._size, "byteLength": array.nbytes}
        self.parts.append(part)
        self._size += len(part) if isinstance(part, bytes) else part.nbytes
        return self.add("bufferViews", entry | ({} if target is None else {"target": target}))

    def add_accessor(
        self, array: npt.NDArray[Any], view: int, first_byte: int = 0, bounds: bool = False
    ) -> int:
        """Describe an array (N,) or (N, width) that lies in a view, and return the accessor's index.

        ``bounds`` adds its smallest and largest elements, which files must state for times and vertices.
        """
        elements = array.reshape(len(array), -1)
        entry: dict[str, Any] = {
            "bufferView": view,
            "componentType": _CODES[array.dtype],
            "count": len(array),
            "type": _KINDS[elements.shape[1]],
        }
        if first_byte:
            entry["byteOffset"] = first_byte
        if bounds:
            entry |= {"min": elements.min(axis=0).tolist(), "max": elements.max(axis=0).tolist()}
        return self.add("accessors", entry)

    def add_array(self, array: npt.NDArray[Any], target: int | None = None, bounds: bool = False) -> int:
        """Put an array into a view of its own and return its accessor's index."""
        return self.add_accessor(array, self.add_view(array, target), bounds=bounds)

    def replace_buffer(self, buffer: bytes) -> None:
        """Replace the pieces of the buffer by one; views must already fit it."""
        self.parts = [align_to_four(np.frombuffer(buffer, np.uint8))] if buffer else []
        self._size = len(buffer) + -len(buffer) % 4
