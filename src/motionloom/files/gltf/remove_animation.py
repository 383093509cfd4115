"""Remove an animation from a glTF file, with the numbers that nothing else refers to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from motionloom.files.gltf.builder import GltfBuilder
from motionloom.files.gltf.document import Entry, GltfDocument

INDEX_FREE_EXTENSIONS = (
    "EXT_texture_",
    "KHR_lights_",
    "KHR_materials_",
    "KHR_mesh_quantization",
    "KHR_texture_",
    "VRM",
)
"""How the names of extensions begin that refer to no accessors and no views. Numbers stay in files that use
others: they could be referred to from places that are not known here."""

_ALIGNMENT = 4
"""Bytes that every number of a buffer is aligned to at most."""


def remove_animation(builder: GltfBuilder, document: GltfDocument, name: str) -> bool:
    """Remove the first animation of this name; tell whether there was one.

    Only for a file to which nothing has been added yet.
    """
    animations = document.entries("animations")
    removed = next((each for each in animations if each.text("name", "") == name), None)
    if removed is None:
        return False
    others = [each for each in animations if each is not removed]
    builder.content["animations"] = [each.values for each in others]
    if not others:
        del builder.content["animations"]
    extensions = builder.content.get("extensionsUsed", [])
    known = isinstance(extensions, list) and all(
        str(each).startswith(INDEX_FREE_EXTENSIONS) for each in extensions
    )
    if known:
        try:
            needed = {holder[key] for holder, key in _references(builder.content)}
            _drop_accessors(builder, _accessors_of(removed) - needed)
        except (AttributeError, KeyError, TypeError, ValueError):
            document.refuse("accessors", "are not referred to as the format says")
    return True


def _accessors_of(animation: Entry) -> set[int]:
    return {
        each.index(key, "accessors") for each in animation.objects("samplers") for key in ("input", "output")
    }


def _references(content: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the objects of meshes, skins and animations that refer to an accessor, and under which key."""
    for mesh in content.get("meshes", []):
        for primitive in mesh.get("primitives", []):
            for group in (primitive.get("attributes", {}), *primitive.get("targets", [])):
                yield from ((group, key) for key in group)
            if "indices" in primitive:
                yield primitive, "indices"
    for skin in content.get("skins", []):
        if "inverseBindMatrices" in skin:
            yield skin, "inverseBindMatrices"
    for animation in content.get("animations", []):
        for sampler in animation.get("samplers", []):
            yield from ((sampler, key) for key in ("input", "output"))


def _drop_accessors(builder: GltfBuilder, freed: set[int]) -> None:
    """Drop accessors, the views that only they need, and the bytes that only those views show."""
    content = builder.content
    accessors: list[Any] = content.get("accessors", [])
    kept = [n for n in range(len(accessors)) if n not in freed]
    needed = set(_views_of(accessors[n] for n in kept)) | set(_views_of(content.get("images", [])))
    idle = set(_views_of(accessors[n] for n in freed)) - needed
    views: list[Any] = content.get("bufferViews", [])
    kept_views = [n for n in range(len(views)) if n not in idle]
    new_view = {n: index for index, n in enumerate(kept_views)}
    for holder in _view_holders([*(accessors[n] for n in kept), *content.get("images", [])]):
        holder["bufferView"] = new_view[holder["bufferView"]]
    new_accessor = {n: index for index, n in enumerate(kept)}
    for holder, key in _references(content):
        holder[key] = new_accessor[holder[key]]
    content["accessors"] = [accessors[n] for n in kept]
    content["bufferViews"] = [views[n] for n in kept_views]
    for kind in ("accessors", "bufferViews"):
        if not content[kind]:
            del content[kind]
    builder.replace_buffer(_close_gaps(b"".join(map(bytes, builder.parts)), content.get("bufferViews", [])))


def _view_holders(entries: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Yield the objects of accessors and images that refer to a view."""
    for entry in entries:
        sparse = entry.get("sparse") if isinstance(entry.get("sparse"), dict) else {}
        for holder in (entry, sparse.get("indices"), sparse.get("values")):
            if isinstance(holder, dict) and "bufferView" in holder:
                yield holder


def _views_of(entries: Iterable[Any]) -> Iterator[int]:
    for holder in _view_holders(entries):
        yield holder["bufferView"]


def _close_gaps(buffer: bytes, views: list[Any]) -> bytes:
    """Return the buffer without the bytes that no view shows; views are shifted accordingly."""
    kept = bytearray()
    end = shift = 0  # kept so far: bytes before ``end``; a byte moves by ``shift``
    for view in sorted(views, key=lambda view: int(view.get("byteOffset", 0))):
        first = int(view.get("byteOffset", 0))
        last = first + int(view["byteLength"])
        if first > end:
            end = first - first % _ALIGNMENT
            kept += bytes(-len(kept) % _ALIGNMENT)
            shift = len(kept) - end
        kept += buffer[end:last]
        end = max(end, last)
        view["byteOffset"] = first + shift
    return bytes(kept)
