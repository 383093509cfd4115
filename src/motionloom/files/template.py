"""Templates: which file's character gets the motion of a clip, and the motion on the character's skeleton.

A file that holds a character has a mesh, skinned to a skeleton, or several animations of it. By default a
clip goes home: `save` keeps the character of the file that the clip was read from, as long as the clip still
has its skeleton.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.files.formats import Format, formats_of
from motionloom.files.load_skinned_mesh import load_character
from motionloom.files.options import WriteOptions
from motionloom.files.up_axis import replace_axes
from motionloom.geometry import rotations as rot
from motionloom.messages import Argument, Message
from motionloom.motion import Clip, Skeleton

MAX_AXES_ANGLE = 1e-4
"""Radians by which the axes of two joints at rest may differ and count as the same."""

MAX_POSE_ANGLE = np.radians(15.0)
"""Radians by which bones at rest may differ in direction for the motion to fit as it is."""

MAX_OFFSET = 2e-3
"""How far an offset may be from the character's, as a fraction of the skeleton's size: 4 mm on an adult.
A skin does not show it, and files of one character differ by less."""

MAX_REST_ANGLE = 1e-3
"""Radians by which a joint of the character may be turned at rest: single precision, and room for more."""

MAX_SIZE_RATIO = 1.1
"""By how much the bones of clip and character may differ in their total length. Positions of the root are not
scaled, so the feet of an adult would be 9 cm off the floor."""

MAX_NAMES_SHOWN = 8
"""Joints that a message lists at most."""


def find_template(clip: Clip, options: WriteOptions, format: Format) -> Path | None:
    """Return the file whose character gets the motion, or None for a bare skeleton.

    A template of another format is refused, and so is another unit or axis than the template's. Templates
    whose mesh can be read and written anew do not come here: :func:`use_mesh_of_template` is for them.
    """
    template = options.template
    if template == "source":
        character = clip.source.character
        lost = character is None or _explain_lost_character(clip, format, options) is not None
        return None if character is None or lost else Path(character.path)
    if template is not None and template.suffix.lower() not in format.suffixes:
        known = " or ".join(format.suffixes)
        raise ParameterError(f"the template of a {format.name} file is a {known} file, not {template}")
    if template is not None and (options.unit is not None or options.up is not None):
        given = "unit" if options.unit is not None else "up"
        raise ParameterError(
            ("does not apply together with ", Argument("template"), ": the template decides it"),
            parameter=given,
        )
    return template


def use_mesh_of_template(clip: Clip, format: Format, options: WriteOptions) -> tuple[Clip, WriteOptions]:
    """Return clip and options with the mesh of a template of another format, for it to be written anew.

    They stay as they are where there is no such template.
    """
    template = options.template
    if not isinstance(template, Path) or options.mesh is not None or not _can_carry_mesh(template, format):
        return clip, options
    character, mesh = load_character(template)
    fitted = replace(fit_to_character(clip, character, template), source=clip.source)
    return fitted, replace(options, template=None, mesh=mesh)


def _can_carry_mesh(home: Path, format: Format) -> bool:
    """Tell whether a mesh can be read from a file of another format, and written to one of this format."""
    suffix = home.suffix.lower()
    readable = any(each.read_character is not None for each in formats_of(suffix))
    return suffix not in format.suffixes and readable and "mesh" in format.write_options


def explain_lost_mesh(clip: Clip, format: Format, options: WriteOptions) -> str | None:
    """Return why a file of a format is written without the mesh that the clip's source has.

    None where the mesh is kept or not wanted, where there is none, or where the format has no meshes.

    >>> from motionloom.files.gltf import FORMAT
    >>> from motionloom.synthesis import stand
    >>> explain_lost_mesh(stand(duration=0.1).clip, FORMAT, WriteOptions()) is None
    True
    """
    character = clip.source.character
    if character is None or not character.has_mesh:
        return None
    return _explain_lost_character(clip, format, options)


def _explain_lost_character(clip: Clip, format: Format, options: WriteOptions) -> str | None:
    """Return why a clip does not go home; the sentence is on its mesh. None where it does, or never would."""
    character = clip.source.character
    wanted = options.template == "source" and options.mesh is None
    if character is None or not wanted or "template" not in format.write_options:
        return None
    home, name = Path(character.path), Path(character.path).name
    if home.suffix.lower() not in format.suffixes:
        own = home.suffix.lower()
        hint = f"that needs a {own} file to be written"
        if _can_carry_mesh(home, format):
            hint = "name that file as the template to write it too"
        return f"the mesh of {name} was not kept, only the skeleton: {hint}"
    if options.unit is not None or options.up is not None:
        unit, up = Argument("unit"), Argument("up")
        lost = f"the mesh of {name} was not kept, only the skeleton: "
        return Message((lost, unit, " and ", up, " do not apply to it"))
    if not home.is_file():
        return Message(
            f"the mesh of {home} was not kept, only the skeleton, because that file is gone",
            remedy=("name the file with ", Argument("template")),
        )
    difference = find_difference(clip.skeleton, character.skeleton)
    if difference is not None:
        return Message(
            f"the mesh of {name} was not kept, only the skeleton, because {difference}",
            remedy=(
                "retarget the clip to the character first, or name another one with ",
                Argument("template"),
            ),
        )
    return None


def find_difference(ours: Skeleton, theirs: Skeleton) -> str | None:
    """Return how a clip's skeleton differs from its character's; it may have fewer joints."""
    known = {name: joint for joint, name in enumerate(theirs.names)}
    foreign = next((name for name in ours.names if name not in known), None)
    if foreign is not None:
        return f"the clip has a joint {foreign!r} that it does not have"
    joints = [known[name] for name in ours.names]
    size = float(np.ptp(theirs.rest_positions(), axis=0).max())
    shift = np.abs(ours.offsets - theirs.offsets[joints]).max(axis=-1)
    turn = _angles(ours.rest_rotations, theirs.rest_rotations[joints])
    for joint, parent in enumerate(ours.parents.tolist()):
        name = ours.names[joint]
        if parent >= 0 and theirs.parents[joints[joint]] != joints[parent]:
            return f"the clip has another joint above {name!r}"
        if parent >= 0 and shift[joint] > MAX_OFFSET * size:
            return f"the bone to {name!r} has another length or direction in the clip"
        if turn[joint] > MAX_REST_ANGLE:
            return f"the joint {name!r} rests otherwise in the clip"
    return None


def fit_to_character(clip: Clip, character: Clip, path: Path) -> Clip:
    """Return the motion on a character's skeleton, which keeps its bone lengths and its axes.

    Joints that the clip does not have stay at rest.

    Parameters
    ----------
    clip
        The motion, in metres and Y up; its joints have the names of the character's.
    character
        Any clip of the character, as it was loaded from the template.
    path
        The template, for messages.
    """
    skeleton = character.skeleton
    joints = match_joints(clip.skeleton, skeleton, path)
    check_same_size(clip.skeleton, skeleton, joints, path)
    clip = convert_axes(clip, skeleton, joints)
    rotations = np.tile(skeleton.rest_rotations, (clip.n_frames, 1, 1))
    rotations[:, joints] = clip.rotations
    moved = clip.translations
    if moved is not None or joints[0] != 0:
        positions = np.tile(skeleton.offsets, (clip.n_frames, 1, 1))
        if moved is not None:
            positions[:, joints[1:]] = moved[:, 1:]
        moved = positions
    roots = clip.root_positions
    if moved is not None and joints[0] != 0:
        # The character has joints above the clip's root: they rest, and the root moves below them.
        above = int(skeleton.parents[joints[0]])
        back = rot.inverse(skeleton.rest_world_rotations()[above])
        rotations[:, joints[0]] = rot.multiply(back, clip.rotations[:, 0])
        moved[:, joints[0]] = rot.rotate(back, roots - skeleton.rest_positions()[above])
        roots = np.tile(skeleton.offsets[0], (clip.n_frames, 1))
    return replace(
        clip,
        skeleton=skeleton,
        root_positions=freeze(roots),
        rotations=freeze(rotations),
        translations=None if moved is None else freeze(moved),
        source=character.source,
    )


def match_joints(ours: Skeleton, theirs: Skeleton, path: Path) -> list[int]:
    """Return where in the character's skeleton the clip's joints are, found by their names."""
    known = {name: joint for joint, name in enumerate(theirs.names)}
    missing = [name for name in ours.names if name not in known]
    if missing:
        more = ", …" if len(missing) > MAX_NAMES_SHOWN else ""
        raise ParameterError(
            f"the template {path} has no joints {', '.join(map(repr, missing[:MAX_NAMES_SHOWN]))}{more}",
            remedy="retarget the clip to the character's skeleton first",
        )
    joints = [known[name] for name in ours.names]
    for joint, parent in enumerate(ours.parents.tolist()):
        if parent >= 0 and theirs.parents[joints[joint]] != joints[parent]:
            raise ParameterError(
                f"in the template {path} the parent of {ours.names[joint]!r} is not "
                f"{ours.names[parent]!r} as in the clip",
                remedy="retarget the clip to the character first",
            )
    return joints


def convert_axes(clip: Clip, skeleton: Skeleton, joints: list[int]) -> Clip:
    """Return the clip with joint frames that rest as those of the character; the poses stay."""
    wanted = skeleton.rest_rotations[joints]
    if (_angles(wanted, clip.skeleton.rest_rotations) < MAX_AXES_ANGLE).all():
        return clip
    _check_same_pose(clip.skeleton, skeleton, joints)
    return replace_axes(clip, skeleton.rest_world_rotations()[joints])


def check_same_size(ours: Skeleton, theirs: Skeleton, joints: list[int], path: Path) -> None:
    """Refuse a clip whose bones are far longer or shorter than the character's, in the same unit."""
    own = float(np.linalg.norm(ours.offsets[1:], axis=1).sum())
    other = float(np.linalg.norm(theirs.offsets[joints[1:]], axis=1).sum())
    if max(own, other) > MAX_SIZE_RATIO * min(own, other):
        raise ParameterError(
            f"the body of the clip is {own / max(other, 1e-9):.3g} times as large as that of the template "
            f"{path}",
            remedy=(
                "retarget the clip to the character first, or load it in its true unit with ",
                Argument("unit"),
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


def _angles(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the angles (J,) between rotations (J, 4), in radians."""
    return np.asarray(2.0 * np.arccos(np.minimum(np.abs(np.einsum("ji,ji->j", a, b)), 1.0)))
