"""A file that another program made, taken over whole so that an animation can be added to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

import numpy as np

from motionloom.errors import FileFormatError
from motionloom.files.gltf.building import Building
from motionloom.files.gltf.container import resolved
from motionloom.files.gltf.document import Document, Entry
from motionloom.files.gltf.extras import KEY
from motionloom.files.gltf.nodes import placement

PICTURES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}


def begun_building(document: Document) -> Building:
    """A file in the making that holds all of a document, its buffers one behind the other."""
    _check_lists(document)
    buffer = _one_buffer(document)
    return Building({key: value for key, value in document.content.items() if key != "buffers"}, buffer)


def _check_lists(document: Document) -> None:
    """Refuse a file whose lists cannot be added to, or whose views and accessors are not sound."""
    for kind in ("accessors", "bufferViews", "animations", "nodes"):
        listed = document.content[kind] if document.count(kind) else []
        if not all(isinstance(each, dict) for each in listed):
            document.refuse(kind, "must be a list of objects")
    for view in document.entries("bufferViews"):
        view.index("buffer", "buffers")
        view.whole("byteOffset", 0)
        view.whole("byteLength")
    for accessor in document.entries("accessors"):
        if "bufferView" in accessor.values:
            accessor.index("bufferView", "bufferViews")


def embed_pictures(building: Building, document: Document) -> None:
    """Take pictures that lie beside a file into it, so that it can stand elsewhere."""
    for image in document.entries("images"):
        uri = image.text("uri", "")
        if not uri or uri.startswith("data:"):
            continue
        kind = PICTURES.get(PurePosixPath(uri).suffix.lower())
        if kind is None:
            raise FileFormatError(document.path, f"{image.where} is no picture of a known kind: {uri[:60]!r}")
        data = np.frombuffer(resolved(document.path, uri, image.where), np.uint8)
        del image.values["uri"]
        image.values.update(bufferView=building.add_view(data), mimeType=kind)


def _one_buffer(document: Document) -> bytes:
    """The buffers of a file one behind the other, its views counted from there."""
    count = document.count("buffers")
    if count <= 1:
        return document.buffer(0) if count else b""
    starts, pieces, size = [], [], 0
    for index in range(count):
        data = document.buffer(index)
        starts.append(size)
        pieces.append(data + bytes(-len(data) % 4))
        size += len(pieces[-1])
    for view in document.entries("bufferViews"):
        if "extensions" in view.values:
            raise FileFormatError(
                document.path, f"{view.where} is compressed and the file has several buffers: save it as .glb"
            )
        start = starts[view.index("buffer", "buffers")]
        view.values.update(buffer=0, byteOffset=start + view.whole("byteOffset", 0))
    return b"".join(pieces)


def free_animation(building: Building, document: Document, name: str) -> bool:
    """Take an animation of this name out of a file, if there is one; its numbers too, where they come last.

    Only numbers that were written here are taken out, and none in the middle of the file: that would change
    what other parts refer to.
    """
    animations = document.entries("animations")
    found = [entry for entry in animations if entry.values.get("name") == name]
    if not found:
        return False
    others = [entry for entry in animations if entry is not found[0]]
    building.content["animations"] = [entry.values for entry in others]
    if not others:
        del building.content["animations"]
    if KEY in found[0].object("extras").values:
        taken = {index for entry in document.entries("meshes") for index in _numbers_in(entry.values)}
        taken.update(index for entry in others for index in _accessors_of(entry))
        building.drop_last(_accessors_of(found[0]) - taken)
    return True


def _accessors_of(animation: Entry) -> set[int]:
    samplers = animation.objects("samplers")
    return {each.index(key, "accessors") for each in samplers for key in ("input", "output")}


def _numbers_in(value: object) -> Iterator[int]:
    """All whole numbers anywhere in a part of the JSON: whatever it may refer to."""
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, int):
            yield each
        elif isinstance(each, dict | list):
            pending.extend(each.values() if isinstance(each, dict) else each)


def placed_by_parts(building: Building, document: Document, nodes: Iterable[int]) -> None:
    """Give nodes that are placed by a matrix translation, rotation and scale instead: only those can move."""
    for node in nodes:
        entry = building.content["nodes"][node]
        if "matrix" in entry:
            place = placement(document, node)
            del entry["matrix"]
            entry["translation"] = place.translation.tolist()
            entry["rotation"] = place.rotation[[1, 2, 3, 0]].tolist()
            entry["scale"] = place.scale.tolist()
