"""Characters in the studio: meshes as the page draws them, and the motion of clips on them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TypeVar, cast

import numpy as np

from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files import save
from motionloom.files.formats import formats_of, suffixes
from motionloom.files.load_skinned_mesh import load_character
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Result, Skeleton
from motionloom.motion.anatomy import facing
from motionloom.motion.skinned_mesh import SkinnedMesh
from motionloom.project.document import MANNEQUIN, CharacterFile, Document
from motionloom.project.export_settings import AS_IT_IS, ExportSettings
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes.retarget import MAP_FILE
from motionloom.retargeting.body_kind import check_same_kind, find_body_kind
from motionloom.retargeting.joint_map_file import save_joint_map
from motionloom.retargeting.joint_mapping import JointMapping, joint_mapping
from motionloom.retargeting.reference_pose import stands_at_rest
from motionloom.studio.exports import Note, write_clip
from motionloom.studio.packs import pack
from motionloom.studio.responses import (
    CharacterHeader,
    JointMapView,
    MappedPair,
    MappedSkeleton,
    MeshHeader,
    MeshMaterial,
    MeshPart,
)
from motionloom.synthesis.biped import biped
from motionloom.synthesis.mannequin import is_person, make_mannequin
from motionloom.viewer.clip_data import figure_height, floor_height
from motionloom.viewer.planted_points import find_planted_points, plant_spans
from motionloom.workflows.retarget import RetargetReport, retarget

MAX_KEPT = 8
"""Meshes and loaded characters that are kept in memory."""

SOURCE = "source"
"""What exports name the clip's own skeleton by."""

_Value = TypeVar("_Value")


def find_mannequin_key(clip: Clip) -> str | None:
    """Return what tells mannequins apart, for the body of a clip; None where it is no person.

    >>> from motionloom.synthesis import walk
    >>> len(find_mannequin_key(walk(duration=0.5, fps=30).clip))
    16
    """
    skeleton = clip.skeleton
    if not is_person(skeleton) or find_body_kind(clip) == "four-legged":
        return None
    digest = sha256("\n".join(skeleton.names).encode())
    for values in (skeleton.parents, skeleton.offsets, skeleton.rest_rotations):
        digest.update(np.ascontiguousarray(values).tobytes())
    return digest.hexdigest()[:16]


def pack_mesh(mesh: SkinnedMesh) -> bytes:
    """Pack a mesh: a :class:`MeshHeader` and its arrays; triangles are sorted by their material."""
    assert mesh.triangle_materials is not None
    order = np.argsort(mesh.triangle_materials, kind="stable")
    counts = np.bincount(mesh.triangle_materials, minlength=len(mesh.materials)).tolist()
    firsts = np.cumsum([0, *counts]).tolist()
    header = MeshHeader(
        bones=tuple(mesh.bones.tolist()),
        parts=tuple(
            MeshPart(first=3 * firsts[n], count=3 * counts[n], material=n)
            for n in range(len(mesh.materials))
            if counts[n]
        ),
        materials=tuple(
            MeshMaterial(
                name=material.name,
                colour=material.colour,
                textured=material.texture is not None,
                double_sided=material.double_sided,
                alpha_mode=material.alpha_mode,
                alpha_cutoff=material.alpha_cutoff,
            )
            for material in mesh.materials
        ),
        notes=mesh.notes,
    )
    arrays = {
        "positions": mesh.positions,
        "normals": mesh.normals,
        "triangles": mesh.triangles[order],
        "vertex_bones": mesh.vertex_bones,
        "weights": mesh.weights,
        "inverse_binds": mesh.inverse_binds.transpose(0, 2, 1).reshape(-1, 16),
    }
    if mesh.texture_coordinates is not None:
        arrays["texture_coordinates"] = mesh.texture_coordinates
    return pack(header, arrays)


class CharacterStore:
    """The characters of a project, loaded when they are first asked for; for several threads."""

    def __init__(self, folder: ProjectFolder) -> None:
        self._folder = folder
        self._kept: OrderedDict[object, object] = OrderedDict()
        self._lock = Lock()

    def mannequin(self, clip: Clip) -> SkinnedMesh:
        """Return the mannequin of the body of a clip."""
        return self._keep(("mannequin", find_mannequin_key(clip.body)), lambda: make_mannequin(clip.body))

    def mesh(self, character: CharacterFile) -> SkinnedMesh:
        """Return the mesh of a character."""
        return self._load(character)[1]

    def clip(self, character: CharacterFile) -> Clip:
        """Return the clip in a character's file, which shows how its joints are oriented."""
        return self._load(character)[0]

    def retarget(self, clip: Clip, character: CharacterFile) -> Result[RetargetReport]:
        """Return the motion of a clip on a character, feet on its own floor."""
        example = self.clip(character)
        mapping = map_joints(clip, example, character.joint_map)
        result = retarget(clip, example, mapping=mapping if character.joint_map else None)
        if result.report.transfer is not None:
            return result
        return replace(result, clip=replace(clip, source=example.source))

    def save_map(self, clip: Clip, character: CharacterFile) -> None:
        """Write the joint map of a clip's skeleton and a character into the project's map file."""
        mapping = map_joints(clip, self.clip(character), character.joint_map)
        save_joint_map(mapping, self._folder.resolve(MAP_FILE))

    def _load(self, character: CharacterFile) -> tuple[Clip, SkinnedMesh]:
        return self._keep(("file", character.path), lambda: _read(self._folder, character))

    def _keep(self, key: object, make: Callable[[], _Value]) -> _Value:
        with self._lock:
            if key not in self._kept:
                self._kept[key] = make()
            self._kept.move_to_end(key)
            while len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
            return cast(_Value, self._kept[key])


def _read(folder: ProjectFolder, character: CharacterFile) -> tuple[Clip, SkinnedMesh]:
    """Read a character's file; errors call it by its name in the project."""
    place = folder.resolve(character.path)
    try:
        return load_character(place)
    except FileFormatError as error:
        raise FileFormatError(character.name, error.cause, error.line) from None
    except MotionloomError as error:
        raise MotionloomError(error.message.replacing(str(place), character.name)) from None


def check_character(path: Path) -> SkinnedMesh:
    """Return the mesh of a file, or say why it cannot be a character: no skin, or no person."""
    body, mesh = load_character(path)
    person = biped()
    reference = Clip(person, 1.0, person.offsets[:1], person.rest_rotations[None])
    try:
        check_same_kind(reference, body, joint_mapping(reference, body))
    except ParameterError:
        raise FileFormatError(
            path,
            "is no character that people's motion fits: no limbs of a person were found among its joints",
        ) from None
    return mesh


def map_joints(clip: Clip, example: Clip, corrections: Mapping[str, str | None]) -> JointMapping:
    """Return which joints of a clip drive which joints of a character, with somebody's corrections.

    Corrections name the source joint for a target joint, or None to leave it at rest. Those that name joints
    which the two do not have belong to other clips.
    """
    source, target = clip.skeleton, example.skeleton
    found = joint_mapping(source, target)
    given = {
        joint: driver
        for joint, driver in corrections.items()
        if joint in target.names and (driver is None or driver in source.names)
    }
    return found.redriven(given)


def pack_character_motion(result: Result[RetargetReport], character: CharacterFile) -> bytes:
    """Pack the motion of a clip on a character: a :class:`CharacterHeader` and world transforms of joints."""
    clip, transfer = result.clip, result.report.transfer
    held = find_planted_points(clip)
    pairs = () if transfer is None else transfer.mapping.pairs
    drivers = {pair.target: pair.source for pair in pairs} or {name: name for name in clip.skeleton.names}
    header = CharacterHeader(
        character=character.id,
        root=clip.skeleton.index(clip.body.skeleton.names[0]),
        drivers=tuple(drivers.get(name) for name in clip.skeleton.names),
        names=clip.skeleton.names,
        parents=tuple(clip.skeleton.parents.tolist()),
        n_frames=clip.n_frames,
        fps=clip.fps,
        cyclic=clip.cyclic,
        plants=plant_spans(clip, held, clip),
        events=(),
        floor=floor_height(clip),
        height=figure_height(clip),
    )
    arrays = {"positions": clip.world_positions(), "rotations": clip.world_rotations()}
    if held.columns:
        arrays["points"] = held.track(clip)
    return pack(header, arrays)


def view_joint_map(clip: Clip, example: Clip, corrections: Mapping[str, str | None]) -> JointMapView:
    """Return both skeletons as figures, and which of their joints correspond."""
    mapping = map_joints(clip, example, corrections)
    given = {pair.target for pair in mapping.pairs if pair.found_by == "given"}
    return JointMapView(
        source=_view(clip.skeleton, clip),
        target=_view(example.skeleton, example),
        pairs=tuple(
            MappedPair(source=pair.source, target=pair.target, part=pair.part, given=pair.target in given)
            for pair in mapping.pairs
        ),
    )


def _view(skeleton: Skeleton, clip: Clip) -> MappedSkeleton:
    """Return the joints of a body as seen from the front: at rest, or in its first frame if it lies there."""
    standing = Clip(skeleton, 1.0, skeleton.offsets[:1], skeleton.rest_rotations[None])
    if not stands_at_rest(skeleton) and clip.n_frames:
        standing = clip[:1]
    positions = rot.rotate(rot.from_yaw(-facing(standing)[0]), standing.world_positions()[0])
    return MappedSkeleton(
        names=skeleton.names,
        parents=tuple(skeleton.parents.tolist()),
        positions=tuple((float(x), float(y), float(z)) for x, y, z in positions),
    )


def export_figure(
    clip: Clip,
    figure: str,
    document: Document,
    store: CharacterStore,
    path: Path,
    settings: ExportSettings = AS_IT_IS,
    note: Note | None = None,
) -> list[str]:
    """Write a clip on a figure, and return what of it the file does not keep.

    Parameters
    ----------
    clip
        The motion.
    figure
        "source" for the clip's own skeleton, "mannequin" for a body around it, or the id of a character.
    document
        The document with the characters.
    store
        The characters.
    path
        The file to write.
    settings
        Frames, frame rate, unit and vertical axis of the file.
    note
        Called between the steps; raises an error where the export was stopped.
    """
    suffix = path.suffix.lower()
    if figure == SOURCE:
        return write_clip(clip, path, settings, note)
    takes_mesh = suffix in suffixes(lambda format: "mesh" in format.write_options)
    if figure == MANNEQUIN:
        if not takes_mesh:
            return write_clip(clip, path, settings, note)
        mesh = store.mannequin(clip)
        if note is not None:
            note(0, 0)
        part, options = settings.apply(clip, suffix), settings.save_options(suffix)
        save(part, path, mesh=mesh, template=None, **options)
        return []
    character = document.character(figure)
    part = store.retarget(settings.apply(clip, suffix), character).clip
    conventions = replace(settings, frames=None, fps=None)
    same = any(Path(character.path).suffix.lower() in format.suffixes for format in formats_of(suffix))
    if same or not takes_mesh:  # then its own file is the template, or the format has no meshes
        return write_clip(part, path, conventions, note)
    if note is not None:
        note(0, 0)
    save(part, path, mesh=store.mesh(character), template=None, **conventions.save_options(suffix))
    return []
