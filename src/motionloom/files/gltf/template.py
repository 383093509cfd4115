"""Write a clip into a glTF file that already holds a character; mesh, skin and materials stay.

The animation that was there is removed, with the numbers that nothing else refers to.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files.gltf.builder import GltfBuilder
from motionloom.files.gltf.container import read_container, write_container
from motionloom.files.gltf.document import Entry, GltfDocument
from motionloom.files.gltf.nodes import decompose_matrix, find_joints, read_transform, read_tree
from motionloom.files.gltf.read import unit_of_rig
from motionloom.files.gltf.rig import Rig, read_rig
from motionloom.files.gltf.write import add_clip, animation_name, check_writable
from motionloom.files.normalize import normalize_clip, scale_clip
from motionloom.files.template import check_same_size, convert_axes, match_joints
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, Source

IMAGE_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}

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


def write_into_template(
    clip: Clip,
    path: str | PathLike[str],
    template: str | PathLike[str],
    *,
    animation: str | None = None,
    unit: float | None = None,
    goes_home: bool = False,
    overwrite: bool = False,
) -> None:
    """Write a character's file again with the clip as one of its animations.

    The clip's joints are found among the file's nodes by name. Bones keep the character's lengths; joints
    with other axes are converted where both have the same rest pose. An animation of the same name is
    replaced, everything else is kept.

    Parameters
    ----------
    clip
        At least one frame, in metres and Y up.
    path
        The file to make. It may be the template itself, which needs no ``overwrite`` unless it already has an
        animation of that name.
    template
        A ``.glb`` or ``.gltf`` file with the character.
    animation
        The animation's name; by default that of the clip's own file, else of this one.
    unit
        Metres per unit of the template; detected by default.
    goes_home
        Whether the template is the file that the clip was read from. Its animation is then the first of the
        new file, which is the one that is read by default, and the template is only replaced where allowed.
    overwrite
        Replace an existing file.
    """
    check_writable(clip, path)
    document = GltfDocument(read_container(Path(template)))
    rig, joints = _match_joints(document, clip.skeleton)
    clip = scale_clip(clip, 1.0 / (unit or _detect_unit(rig.skeleton)))
    check_same_size(clip.skeleton, rig.skeleton, joints, document.path)
    clip = convert_axes(clip, rig.skeleton, joints)
    clip, roots = _convert_to_parent(clip, rig, joints)

    name = animation_name(clip, path, animation)
    extends = not goes_home and Path(path).exists() and os.path.samefile(path, template)
    builder = start_builder(document)
    replaced = remove_animation(builder, document, name)
    if replaced and extends and not overwrite:
        raise MotionloomError(
            f"{path} already has an animation {name!r}", remedy="choose another name, or allow overwriting"
        )
    embed_images(builder, document)
    nodes = [rig.nodes[joint] for joint in joints]
    replace_matrices(builder, document, nodes)
    add_clip(builder, clip, name, nodes, roots)
    if goes_home:
        animations = builder.content["animations"]
        animations.insert(0, animations.pop())
    write_container(path, builder.content, builder.parts, overwrite or extends)


def _match_joints(document: GltfDocument, skeleton: Skeleton) -> tuple[Rig, list[int]]:
    """Return the character whose joints have the clip's names, and where in it the clip's joints are."""
    tree = read_tree(document)
    root = skeleton.names[0]
    if root not in tree.names:
        raise ParameterError(
            f"the template {document.path} has no node {root!r} for the clip's root",
            remedy="rename its joints, or retarget the clip to the character's skeleton first",
        )
    rig = read_rig(tree, find_joints(tree, set(), root, []), [])
    return rig, match_joints(skeleton, rig.skeleton, document.path)


def _detect_unit(skeleton: Skeleton) -> float:
    """Return the metres per unit that are detected when the character's file is loaded."""
    rest = Clip(
        skeleton,
        1.0,
        skeleton.offsets[:1],
        skeleton.rest_rotations[None],
        source=Source(unit=unit_of_rig(skeleton)),
    )
    return normalize_clip(rest, up="y", keep_rest_rows=True).source.metres_per_unit


def _convert_to_parent(clip: Clip, rig: Rig, joints: list[int]) -> tuple[Clip, FloatArray]:
    """Return the clip with values relative to the parents of nodes, and root positions (T, 3) likewise."""
    above = rig.above
    base = decompose_matrix(above)
    if not base.scale.all():
        raise ParameterError("the template scales its skeleton to zero: it cannot be animated")
    roots = np.asarray(np.linalg.solve(above[:3, :3], (clip.root_positions - above[:3, 3]).T).T, np.float64)
    rotations = np.array(clip.rotations)
    rotations[:, 0] = rot.multiply(rot.inverse(base.rotation), rotations[:, 0])
    moved = clip.translations
    if moved is not None:
        moved = freeze(moved / _inherit_scales(rig, float(base.scale[0]))[joints][:, None])
    return replace(clip, rotations=freeze(rotations), translations=moved), roots


def _inherit_scales(rig: Rig, base: float) -> FloatArray:
    """Return the scale (J,) that applies to each joint's position; the root's is not used."""
    own = rig.rest.scales[0].mean(axis=1)
    inherited = np.full(len(own), base)
    for joint, parent in enumerate(rig.parents.tolist()):
        if parent >= 0:
            inherited[joint] = inherited[parent] * own[parent]
    return inherited


def start_builder(document: GltfDocument) -> GltfBuilder:
    """Return a builder that holds all of a document, its buffers joined."""
    _check_lists(document)
    buffer = _one_buffer(document)
    return GltfBuilder({key: value for key, value in document.content.items() if key != "buffers"}, buffer)


def _check_lists(document: GltfDocument) -> None:
    """Refuse a file whose lists cannot be extended, or whose views and accessors are invalid."""
    for kind in ("accessors", "bufferViews", "animations", "nodes"):
        listed = document.content[kind] if document.count(kind) else []
        if not all(isinstance(each, dict) for each in listed):
            document.refuse(kind, "must be a list of objects")
    for view in document.entries("bufferViews"):
        view.index("buffer", "buffers")
        view.integer("byteOffset", 0)
        view.integer("byteLength")
    for accessor in document.entries("accessors"):
        if "bufferView" in accessor.values:
            accessor.index("bufferView", "bufferViews")


def embed_images(builder: GltfBuilder, document: GltfDocument) -> None:
    """Embed images that lie beside a file, each once, so that it can be moved."""
    views: dict[str, int] = {}
    for image in document.entries("images"):
        uri = image.text("uri", "")
        if not uri or uri.startswith("data:"):
            continue
        kind = IMAGE_TYPES.get(PurePosixPath(uri).suffix.lower())
        if kind is None:
            raise FileFormatError(
                document.path, f"{image.where} is not an image of a known type: {uri[:60]!r}"
            )
        if uri not in views:
            views[uri] = builder.add_view(np.frombuffer(document.read_uri(uri, image.where), np.uint8))
        del image.values["uri"]
        image.values.update(bufferView=views[uri], mimeType=kind)


def _one_buffer(document: GltfDocument) -> bytes:
    """Return the buffers of a file joined, its views shifted accordingly."""
    count = document.count("buffers")
    if count <= 1:
        return bytes(document.buffer(0)) if count else b""
    starts, pieces, size = [], list[bytes | memoryview](), 0
    for index in range(count):
        data = document.buffer(index)
        document.budget.claim(len(data), "its buffers joined")
        starts.append(size)
        pieces += [data, bytes(-len(data) % 4)]
        size += len(data) + len(pieces[-1])
    for view in document.entries("bufferViews"):
        if "extensions" in view.values:
            raise FileFormatError(
                document.path,
                f"{view.where} is compressed and the file has several buffers",
                remedy="save it as .glb",
            )
        start = starts[view.index("buffer", "buffers")]
        view.values.update(buffer=0, byteOffset=start + view.integer("byteOffset", 0))
    return b"".join(pieces)


def replace_matrices(builder: GltfBuilder, document: GltfDocument, nodes: Iterable[int]) -> None:
    """Replace the matrices of nodes by translation, rotation and scale: only those can be animated."""
    for node in nodes:
        entry = builder.content["nodes"][node]
        if "matrix" in entry:
            transform = read_transform(document, node)
            del entry["matrix"]
            entry["translation"] = transform.translation.tolist()
            entry["rotation"] = transform.rotation[[1, 2, 3, 0]].tolist()
            entry["scale"] = transform.scale.tolist()


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
