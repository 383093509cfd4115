"""Write a clip into a glTF file that already holds a character; mesh, skin and materials stay."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from os import PathLike
from pathlib import Path, PurePosixPath

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files.gltf.builder import GltfBuilder
from motionloom.files.gltf.container import read_container, resolve_uri, write_container
from motionloom.files.gltf.document import Document, Entry
from motionloom.files.gltf.extras import KEY
from motionloom.files.gltf.nodes import decompose_matrix, find_joints, read_transform, read_tree
from motionloom.files.gltf.read import unit_of_rig
from motionloom.files.gltf.rig import Rig, read_rig
from motionloom.files.gltf.write import add_clip, animation_name, check_writable
from motionloom.files.normalize import normalize_clip, scale_clip
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, Source
from motionloom.motion.kinematics import local_rotations

IMAGE_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}


MAX_AXES_ANGLE = 1e-4
"""Radians by which the axes of two joints at rest may differ and count as the same."""

MAX_POSE_ANGLE = np.radians(15.0)
"""Radians by which bones at rest may differ in direction for the motion to fit as it is."""

MAX_NAMES_SHOWN = 8
"""Joints that a message lists at most."""


def write_into_template(
    clip: Clip,
    path: str | PathLike[str],
    template: str | PathLike[str],
    *,
    animation: str | None = None,
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
    overwrite
        Replace an existing file.
    """
    check_writable(clip, path)
    document = Document(read_container(Path(template)))
    rig, joints = _match_joints(document, clip.skeleton)
    clip = _convert_units(clip, rig.skeleton)
    clip = _convert_axes(clip, rig.skeleton, joints)
    clip, roots = _convert_to_parent(clip, rig, joints)

    name = animation_name(clip, path, animation)
    extends = Path(path).exists() and os.path.samefile(path, template)
    builder = start_builder(document)
    if remove_animation(builder, document, name) and extends and not overwrite:
        raise MotionloomError(
            f"{path} already has an animation {name!r}: choose another name, or allow overwriting"
        )
    embed_images(builder, document)
    nodes = [rig.nodes[joint] for joint in joints]
    replace_matrices(builder, document, nodes)
    add_clip(builder, clip, name, nodes, roots)
    write_container(path, builder.content, builder.parts, overwrite or extends)


def _match_joints(document: Document, skeleton: Skeleton) -> tuple[Rig, list[int]]:
    """Return the character whose joints have the clip's names, and where in it the clip's joints are."""
    tree = read_tree(document)
    root = skeleton.names[0]
    if root not in tree.names:
        raise ParameterError(
            f"the template {document.path} has no node {root!r} for the clip's root: rename its joints, or "
            "retarget the clip to the character's skeleton first"
        )
    rig = read_rig(tree, find_joints(tree, set(), root, []), [])
    known = set(rig.skeleton.names)
    missing = [name for name in skeleton.names if name not in known]
    if missing:
        listed = ", ".join(map(repr, missing[:MAX_NAMES_SHOWN])) + (
            ", …" if len(missing) > MAX_NAMES_SHOWN else ""
        )
        raise ParameterError(
            f"the template {document.path} has no joints {listed}: "
            "retarget the clip to the character's skeleton first"
        )
    joints = [rig.skeleton.index(name) for name in skeleton.names]
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0 and rig.parents[joints[joint]] != joints[parent]:
            raise ParameterError(
                f"in the template {document.path} the parent of {skeleton.names[joint]!r} is not "
                f"{skeleton.names[parent]!r} as in the clip: retarget the clip to the character first"
            )
    return rig, joints


def _convert_units(clip: Clip, skeleton: Skeleton) -> Clip:
    """Return the clip with lengths in the unit that is detected for the character's file."""
    rest = Clip(
        skeleton,
        clip.frame_time,
        skeleton.offsets[:1],
        skeleton.rest_rotations[None],
        source=Source(unit=unit_of_rig(skeleton)),
    )
    size = normalize_clip(rest, up="y", keep_rest_rows=True).source.metres_per_unit
    return scale_clip(clip, 1.0 / size)


def _convert_axes(clip: Clip, skeleton: Skeleton, joints: list[int]) -> Clip:
    """Return the clip with joint frames that rest as those of the character."""
    wanted = skeleton.rest_rotations[joints]
    cosine = np.abs(np.einsum("ji,ji->j", wanted, clip.skeleton.rest_rotations))
    if (2.0 * np.arccos(np.minimum(cosine, 1.0)) < MAX_AXES_ANGLE).all():
        return clip
    _check_same_pose(clip.skeleton, skeleton, joints)
    change = rot.multiply(
        rot.inverse(clip.skeleton.rest_world_rotations()), skeleton.rest_world_rotations()[joints]
    )
    parents = clip.skeleton.parents
    rotations = local_rotations(parents, rot.multiply(clip.world_rotations(), change))
    moved = clip.translations
    if moved is not None:
        moved = np.concatenate(
            [moved[:, :1], rot.rotate(rot.inverse(change[parents[1:]]), moved[:, 1:])], axis=1
        )
    return replace(
        clip,
        rotations=freeze(rotations),
        translations=None if moved is None else freeze(moved),
        constraints=tuple(
            replace(each, point=rot.rotate(rot.inverse(change[clip.skeleton.index(each.joint)]), each.point))
            for each in clip.constraints
        ),
    )


def _check_same_pose(ours: Skeleton, theirs: Skeleton, joints: list[int]) -> None:
    parents = ours.parents[1:]
    own = _directions(ours.rest_positions()[1:] - ours.rest_positions()[parents])
    positions = theirs.rest_positions()[joints]
    other = _directions(positions[1:] - positions[parents])
    # A bone without length has no direction.
    apart = np.where(own.any(axis=1) & other.any(axis=1), np.einsum("ji,ji->j", own, other), 1.0)
    if (apart < np.cos(MAX_POSE_ANGLE)).any():
        worst = int(apart.argmin()) + 1
        raise ParameterError(
            f"clip and template have different rest poses: the bone to {ours.names[worst]!r} is off by "
            f"{np.degrees(np.arccos(max(apart.min(), -1.0))):.0f}°; "
            "retarget the clip to the character first"
        )


def _directions(vectors: FloatArray) -> FloatArray:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0.0, length, np.inf))


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


def start_builder(document: Document) -> GltfBuilder:
    """Return a builder that holds all of a document, its buffers joined."""
    _check_lists(document)
    buffer = _one_buffer(document)
    return GltfBuilder({key: value for key, value in document.content.items() if key != "buffers"}, buffer)


def _check_lists(document: Document) -> None:
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


def embed_images(builder: GltfBuilder, document: Document) -> None:
    """Embed images that lie beside a file, so that it can be moved."""
    for image in document.entries("images"):
        uri = image.text("uri", "")
        if not uri or uri.startswith("data:"):
            continue
        kind = IMAGE_TYPES.get(PurePosixPath(uri).suffix.lower())
        if kind is None:
            raise FileFormatError(
                document.path, f"{image.where} is not an image of a known type: {uri[:60]!r}"
            )
        data = np.frombuffer(resolve_uri(document.path, uri, image.where), np.uint8)
        del image.values["uri"]
        image.values.update(bufferView=builder.add_view(data), mimeType=kind)


def _one_buffer(document: Document) -> bytes:
    """Return the buffers of a file joined, its views shifted accordingly."""
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
        view.values.update(buffer=0, byteOffset=start + view.integer("byteOffset", 0))
    return b"".join(pieces)


def remove_animation(builder: GltfBuilder, document: Document, name: str) -> bool:
    """Remove an animation of this name from a file and tell whether there was one.

    Its numbers are removed too where this package wrote them and they come last; others would shift what
    other parts of the file refer to.
    """
    animations = document.entries("animations")
    found = [entry for entry in animations if entry.values.get("name") == name]
    if not found:
        return False
    others = [entry for entry in animations if entry is not found[0]]
    builder.content["animations"] = [entry.values for entry in others]
    if not others:
        del builder.content["animations"]
    if KEY in found[0].object("extras").values:
        taken = {index for entry in document.entries("meshes") for index in _numbers_in(entry.values)}
        taken.update(index for entry in others for index in _accessors_of(entry))
        builder.drop_last(_accessors_of(found[0]) - taken)
    return True


def _accessors_of(animation: Entry) -> set[int]:
    samplers = animation.objects("samplers")
    return {each.index(key, "accessors") for each in samplers for key in ("input", "output")}


def _numbers_in(value: object) -> Iterator[int]:
    """Return all integers anywhere in a part of the JSON: whatever it may refer to."""
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, int):
            yield each
        elif isinstance(each, dict | list):
            pending.extend(each.values() if isinstance(each, dict) else each)


def replace_matrices(builder: GltfBuilder, document: Document, nodes: Iterable[int]) -> None:
    """Replace the matrices of nodes by translation, rotation and scale: only those can be animated."""
    for node in nodes:
        entry = builder.content["nodes"][node]
        if "matrix" in entry:
            transform = read_transform(document, node)
            del entry["matrix"]
            entry["translation"] = transform.translation.tolist()
            entry["rotation"] = transform.rotation[[1, 2, 3, 0]].tolist()
            entry["scale"] = transform.scale.tolist()
