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
from motionloom.files.gltf.builder import Building
from motionloom.files.gltf.container import read_container, resolved, write_container
from motionloom.files.gltf.document import Document, Entry
from motionloom.files.gltf.extras import KEY
from motionloom.files.gltf.nodes import find_joints, placement, read_tree, taken_apart
from motionloom.files.gltf.read import stated_unit
from motionloom.files.gltf.rig import Figure, read_figure
from motionloom.files.gltf.write import add_clip, animation_name, check_writable
from motionloom.files.normalize import normalize_clip, scale_clip
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, Source
from motionloom.motion.kinematics import local_rotations

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


SAME_AXES = 1e-4
"""Radians by which the axes of two joints at rest may differ and count as the same."""

SAME_POSE = np.radians(15.0)
"""How far bones at rest may point apart so that one figure's motion can be given to the other as it is."""

SHOWN_NAMES = 8
"""Joints that a message lists before it breaks off."""


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
    whose axes stand otherwise are converted where both figures rest in the same pose. An animation of the
    same name is replaced, everything else is kept.

    Parameters
    ----------
    clip
        At least one frame, in metres and Y up.
    path
        The file to make. It may be the template itself, which needs no ``overwrite`` unless an animation of
        that name is in it already.
    template
        A ``.glb`` or ``.gltf`` file with the character.
    animation
        The animation's name; by default that of the clip's own file, else of this one.
    overwrite
        Whether a file that is already there may be replaced.
    """
    check_writable(clip, path)
    document = Document(read_container(Path(template)))
    figure, joints = _matched(document, clip.skeleton)
    clip = _in_units_of(clip, figure.skeleton)
    clip = _in_axes_of(clip, figure.skeleton, joints)
    clip, roots = _in_parent(clip, figure, joints)

    name = animation_name(clip, path, animation)
    extends = Path(path).exists() and os.path.samefile(path, template)
    building = begun_building(document)
    if free_animation(building, document, name) and extends and not overwrite:
        raise MotionloomError(
            f"{path} already has an animation {name!r}: give another name (animation=), or allow replacing it"
        )
    embed_pictures(building, document)
    nodes = [figure.nodes[joint] for joint in joints]
    placed_by_parts(building, document, nodes)
    add_clip(building, clip, name, nodes, roots)
    write_container(path, building.content, building.parts, overwrite or extends)


def _matched(document: Document, skeleton: Skeleton) -> tuple[Figure, list[int]]:
    """The character whose joints have the clip's names, and which of its joints the clip's are."""
    tree = read_tree(document)
    root = skeleton.names[0]
    if root not in tree.names:
        raise ParameterError(
            f"the template {document.path} has no node {root!r} for the clip's root: rename its joints, or "
            "retarget the clip to the character's skeleton first"
        )
    figure = read_figure(tree, find_joints(tree, set(), root, []), [])
    known = set(figure.skeleton.names)
    missing = [name for name in skeleton.names if name not in known]
    if missing:
        listed = ", ".join(map(repr, missing[:SHOWN_NAMES])) + (", …" if len(missing) > SHOWN_NAMES else "")
        raise ParameterError(
            f"the template {document.path} has no joints {listed}: "
            "retarget the clip to the character's skeleton first"
        )
    joints = [figure.skeleton.index(name) for name in skeleton.names]
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0 and figure.parents[joints[joint]] != joints[parent]:
            raise ParameterError(
                f"in the template {document.path} the joint {skeleton.names[joint]!r} does not hang on "
                f"{skeleton.names[parent]!r} as in the clip: retarget the clip to the character first"
            )
    return figure, joints


def _in_units_of(clip: Clip, skeleton: Skeleton) -> Clip:
    """The clip with lengths in the unit that reading finds for the character's file."""
    rest = Clip(
        skeleton,
        clip.frame_time,
        skeleton.offsets[:1],
        skeleton.rest_rotations[None],
        source=Source(unit=stated_unit(skeleton)),
    )
    size = normalize_clip(rest, up="y", keep_rest_rows=True).source.metres_per_unit
    return scale_clip(clip, 1.0 / size)


def _in_axes_of(clip: Clip, skeleton: Skeleton, joints: list[int]) -> Clip:
    """The clip with each joint turned as the character's joint of the same name stands at rest."""
    wanted = skeleton.rest_rotations[joints]
    cosine = np.abs(np.einsum("ji,ji->j", wanted, clip.skeleton.rest_rotations))
    if (2.0 * np.arccos(np.minimum(cosine, 1.0)) < SAME_AXES).all():
        return clip
    _check_same_pose(clip.skeleton, skeleton, joints)
    change = rot.multiply(
        rot.inverse(clip.skeleton.rest_world_rotations()), skeleton.rest_world_rotations()[joints]
    )
    parents = clip.skeleton.parents
    turns = local_rotations(parents, rot.multiply(clip.world_rotations(), change))
    moved = clip.translations
    if moved is not None:
        moved = np.concatenate(
            [moved[:, :1], rot.rotate(rot.inverse(change[parents[1:]]), moved[:, 1:])], axis=1
        )
    return replace(
        clip,
        rotations=freeze(turns),
        translations=None if moved is None else freeze(moved),
        constraints=tuple(
            replace(each, point=rot.rotate(rot.inverse(change[clip.skeleton.index(each.joint)]), each.point))
            for each in clip.constraints
        ),
    )


def _check_same_pose(ours: Skeleton, theirs: Skeleton, joints: list[int]) -> None:
    parents = ours.parents[1:]
    own = _directions(ours.rest_positions()[1:] - ours.rest_positions()[parents])
    places = theirs.rest_positions()[joints]
    other = _directions(places[1:] - places[parents])
    # A bone without a length points nowhere.
    apart = np.where(own.any(axis=1) & other.any(axis=1), np.einsum("ji,ji->j", own, other), 1.0)
    if (apart < np.cos(SAME_POSE)).any():
        worst = int(apart.argmin()) + 1
        raise ParameterError(
            f"the clip and the template rest in different poses: the bone to {ours.names[worst]!r} points "
            f"{np.degrees(np.arccos(max(apart.min(), -1.0))):.0f}° apart; "
            "retarget the clip to the character first"
        )


def _directions(vectors: FloatArray) -> FloatArray:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0.0, length, np.inf))


def _in_parent(clip: Clip, figure: Figure, joints: list[int]) -> tuple[Clip, FloatArray]:
    """The clip with places as its nodes have them in their parents, and those (T, 3) of its root."""
    above = figure.above
    base = taken_apart(above)
    if not base.scale.all():
        raise ParameterError("the template scales its figure to nothing: it cannot carry motion")
    roots = np.asarray(np.linalg.solve(above[:3, :3], (clip.root_positions - above[:3, 3]).T).T, np.float64)
    turns = np.array(clip.rotations)
    turns[:, 0] = rot.multiply(rot.inverse(base.rotation), turns[:, 0])
    moved = clip.translations
    if moved is not None:
        moved = freeze(moved / _inherited_scales(figure, float(base.scale[0]))[joints][:, None])
    return replace(clip, rotations=freeze(turns), translations=moved), roots


def _inherited_scales(figure: Figure, base: float) -> FloatArray:
    """The scale (J,) that each joint's place is subject to; the root's is not used."""
    own = figure.rest.scales[0].mean(axis=1)
    inherited = np.full(len(own), base)
    for joint, parent in enumerate(figure.parents.tolist()):
        if parent >= 0:
            inherited[joint] = inherited[parent] * own[parent]
    return inherited
