"""Write a clip as an AMC motion and the ASF skeleton that belongs to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.atomic_write import atomic_output
from motionloom.errors import ParameterError
from motionloom.files.acclaim.skeleton import (
    CMU_LENGTH_FACTOR,
    CMU_UNIT,
    FRAME_TIME_SENTENCE,
    LEADING_SENTENCE,
    ROOT,
    SKELETON_SENTENCE,
    UNIT_SENTENCE,
    Bone,
    rotation_order,
)
from motionloom.files.text import check_size, content_mark
from motionloom.files.up_axis import unrotate_rest
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, Source

_UP: FloatArray = np.array([0.0, 1.0, 0.0])
"""The direction that is written for a bone without length."""


_NUMBER = "%.10g"
"""Ten digits: a billionth of a metre over a hall, and angles to a hundred-millionth of a degree."""


_FRAMES_AT_ONCE = 1000
"""Frames whose values are Python numbers at one time: those take four times the memory of arrays."""

MAX_STILL_ANGLE = 1e-7
"""Radians; a joint that rotates less about an axis does not need it. Quaternions are exact to about 1e-8."""

MAX_STILL_FRACTION = 1e-9
"""Fraction of the skeleton's size; a joint that moves less against its parent is at rest."""

_ROTATIONS = ("RX", "RY", "RZ")
_TRANSLATIONS = ("TX", "TY", "TZ")


def write_acclaim(clip: Clip, amc_path: str | PathLike[str], overwrite: bool = False) -> None:
    """Write a clip to an AMC file and its skeleton to an ASF file of the same name beside it.

    The clip is written in the unit and axes that it is in, and its motion is always kept. What had to be
    written differently (joint names, degrees of freedom, added bones) is listed in the documentation section
    of the ASF file, one sentence each.

    Parameters
    ----------
    clip
        At least one frame. A clip that was read from an AMC file keeps its axes and degrees of freedom.
    amc_path
        The motion file to make; the skeleton gets the same name with the ending ".asf".
    overwrite
        Replace existing files.

    >>> import tempfile
    >>> from motionloom.motion import Skeleton
    >>> dot = Clip(Skeleton(["Hips"], [-1], [[0, 0, 0]]), 0.01, [[0, 1, 0]], [[[1, 0, 0, 0]]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_acclaim(dot, Path(folder, "dot.amc"))
    ...     Path(folder, "dot.amc").read_text().splitlines()[6:8]
    ['1', 'root 0 1 0 0 0 0']
    """
    amc_path = Path(amc_path)
    asf_path = amc_path.with_suffix(".asf")
    if asf_path == amc_path:
        raise ParameterError(
            f"{amc_path} is the name of a skeleton file", remedy="name the motion instead, as in X.amc"
        )
    if len(clip) == 0:
        raise ParameterError("an AMC file needs at least one frame: the clip has none")
    clip = unrotate_rest(clip)
    position = clip.skeleton.offsets[0] if clip.source.format == "amc" else np.zeros(3)
    channels, extended = make_channels(clip, position)
    names = make_legal_names(clip.skeleton.names)
    bones = lay_out(clip.skeleton, channels, names)
    notes = _notes(clip, names, bones, extended)
    for values in (position, *(bone.vector for bone in bones), *(own.values for own in channels)):
        check_size(amc_path, float(np.abs(values).max(initial=0.0)))
    asf = _asf_text(bones, position, clip.source, notes).encode("utf-8", "replace")
    # The inner file is put in place first: where saving breaks off then, the mark in the motion tells that it
    # does not stand on its own bones. An older motion may have no mark.
    with atomic_output(asf_path, overwrite) as skeleton, atomic_output(amc_path, overwrite) as motion:
        skeleton.write_bytes(asf)
        with motion.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.writelines(_amc_parts(names, channels, clip, content_mark(asf)))


def make_legal_names(names: Sequence[str]) -> list[str]:
    """Return one word for each joint: the first is the root, and no two differ only in case.

    >>> make_legal_names(["Hips", "Left Arm", "left_arm", "12"])
    ['root', 'Left_Arm', 'left_arm_2', 'joint_12']
    """
    taken = {ROOT, "begin", "end"}
    return [ROOT, *(_make_unused_name(name, taken) for name in names[1:])]


def lay_out(skeleton: Skeleton, channels: Sequence[JointChannels], names: Sequence[str]) -> list[Bone]:
    """Return the bones, parents first. A joint's bone starts there, and all its children start at its end.

    Where children and tips of a joint are in different positions, its bone has no length, and bones without
    freedom lead to each of them; the root never has length.
    """
    taken = {name.lower() for name in names} | {"begin", "end"}
    bones: list[Bone] = []
    ends: dict[tuple[int, tuple[float, ...]], int] = {}
    for joint, own in enumerate(channels):
        parent = int(skeleton.parents[joint])
        above = ends[parent, _position(skeleton.offsets[joint])] if joint else -1
        bone = len(bones)
        positions = _positions_below(skeleton, joint)
        shared = next(iter(positions)) if joint and len(positions) == 1 else (0.0, 0.0, 0.0)
        bones.append(_bone(names[joint], above, shared, own.axes, own.freedoms))
        ends[joint, shared] = bone
        for position, below in positions.items():
            if (joint, position) not in ends:
                ends[joint, position] = len(bones)
                name = _make_unused_name(f"{names[joint if below is None else below]}_base", taken)
                bones.append(_bone(name, bone, position, rot.IDENTITY, ()))
    return bones


def _position(offset: Iterable[float]) -> tuple[float, ...]:
    return tuple(float(value) for value in offset)


def _positions_below(skeleton: Skeleton, joint: int) -> dict[tuple[float, ...], int | None]:
    """Return the different positions of a joint's children and tips, with the first child, None for a tip."""
    positions: dict[tuple[float, ...], int | None] = {}
    for child in skeleton.children(joint):
        positions.setdefault(_position(skeleton.offsets[child]), child)
    for tip in skeleton.tips:
        if tip.joint == joint:
            positions.setdefault(_position(tip.offset), None)
    return positions


def _bone(
    name: str, parent: int, vector: tuple[float, ...], axes: FloatArray, freedoms: tuple[str, ...]
) -> Bone:
    length = float(np.linalg.norm(vector))
    return Bone(name, parent, np.array(vector) / length if length else _UP, length, axes, freedoms)


def _make_unused_name(name: str, taken: set[str]) -> str:
    """Return the name as one word that is not taken yet; it is added to ``taken``."""
    word = re.sub(r"[\s#:,()]+", "_", name) or "joint"
    if word.isdecimal():  # a number alone on its line would be a frame number
        word = f"joint_{word}"
    unused, count = word, 1
    while unused.lower() in taken:
        count += 1
        unused = f"{word}_{count}"
    taken.add(unused.lower())
    return unused


def _notes(
    clip: Clip, names: Sequence[str], bones: Sequence[Bone], extended: Sequence[str]
) -> tuple[str, ...]:
    pairs = zip(clip.skeleton.names, names, strict=True)
    notes = [f"joint {old!r} is written as {new}" for old, new in pairs if old != new]
    if extended:
        notes.append(f"joints that need more degrees of freedom than their file gave: {', '.join(extended)}")
    added = [bone.name for bone in bones if bone.name not in set(names)]
    if added:
        notes.append(f"{' '.join(LEADING_SENTENCE)} {', '.join(added)}")
    return tuple(notes)


def _asf_text(bones: Sequence[Bone], position: FloatArray, source: Source, notes: Iterable[str]) -> str:
    cmu = np.isclose(source.metres_per_unit, CMU_UNIT[1])
    stated = (
        [f"{' '.join(UNIT_SENTENCE)} {float(source.metres_per_unit)!r} metres, called {source.unit}"]
        if source.unit
        else []
    )
    root = bones[0]
    lines = [
        ":version 1.10",
        ":name motionloom",
        ":units",
        "  mass 1.0",
        f"  length {CMU_LENGTH_FACTOR if cmu else 1.0}",
        "  angle deg",
        ":documentation",
        *(f"  {' '.join(note.split())}" for note in (*stated, *notes)),
        ":root",
        f"  order {' '.join(root.freedoms)}",
        "  axis XYZ",
        f"  position {_format_numbers(position)}",
        f"  orientation {_format_numbers(_axis_angles(root))}",
        ":bonedata",
        *(line for number, bone in enumerate(bones[1:], start=1) for line in _bone_lines(number, bone)),
        ":hierarchy",
        "  begin",
        *_hierarchy_lines(bones),
        "  end",
    ]
    return "\n".join(lines) + "\n"


def _bone_lines(number: int, bone: Bone) -> list[str]:
    freedom = [f"    dof {' '.join(bone.freedoms).lower()}"] if bone.freedoms else []
    return [
        "  begin",
        f"    id {number}",
        f"    name {bone.name}",
        f"    direction {_format_numbers(bone.direction)}",
        f"    length {_format_numbers([bone.length])}",
        f"    axis {_format_numbers(_axis_angles(bone))} XYZ",
        *freedom,
        "  end",
    ]


def _hierarchy_lines(bones: Sequence[Bone]) -> list[str]:
    children: dict[int, list[str]] = {}
    for bone in bones[1:]:
        children.setdefault(bone.parent, []).append(bone.name)
    return [f"    {bones[parent].name} {' '.join(names)}" for parent, names in sorted(children.items())]


def _axis_angles(bone: Bone) -> FloatArray:
    """Return the bone's axes as degrees about X, Y and Z, applied in this order."""
    return np.degrees(rot.to_euler(bone.axes, "ZYX"))[::-1]


def _format_numbers(values: Iterable[float]) -> str:
    return " ".join(_NUMBER % (value + 0.0) for value in values)  # + 0.0 turns -0 into 0


def _amc_parts(
    names: Sequence[str], channels: Sequence[JointChannels], clip: Clip, skeleton_mark: str
) -> Iterator[str]:
    """Yield the header, and the text of each frame."""
    yield (
        f"# written by motionloom\n# {' '.join(FRAME_TIME_SENTENCE)} {clip.frame_time!r}\n"
        f"# {' '.join(SKELETON_SENTENCE)} {skeleton_mark}\n"
        f":FULLY-SPECIFIED\n:SAMPLES-PER-SECOND {float(clip.fps)!r}\n:DEGREES\n"
    )
    written = [(name, own) for name, own in zip(names, channels, strict=True) if own.freedoms]
    frame = "%d\n" + "".join(
        name.replace("%", "%%") + f" {_NUMBER}" * len(own.freedoms) + "\n" for name, own in written
    )
    for first in range(0, len(clip), _FRAMES_AT_ONCE):
        part = slice(first, first + _FRAMES_AT_ONCE)
        values = np.concatenate([own.values[part] for _, own in written], axis=1) + 0.0
        for number, row in enumerate(values.tolist(), start=first + 1):
            yield frame % (number, *row)


@dataclass(frozen=True, eq=False)
class JointChannels:
    """What is written for one joint.

    Attributes
    ----------
    freedoms
        Channel names in file order; the first rotation listed is the first applied.
    values
        (T, N) a column for each; degrees, and file units.
    axes
        (4,) rotation of the axes that the values refer to.
    """

    freedoms: tuple[str, ...]
    values: FloatArray
    axes: FloatArray


def make_channels(clip: Clip, root_rest: FloatArray) -> tuple[list[JointChannels], list[str]]:
    """Return the channels of each joint, and the names of those that need more than their file gave them.

    Joints keep the axes and degrees of freedom of the ASF file they came from; others rotate about X, then
    Y, then Z. A joint gains those that its motion needs. ``root_rest`` (3,) is where the ASF puts the root.
    """
    wanted, axes = _source_channels(clip)
    rotations = rot.multiply(rot.multiply(rot.inverse(axes), clip.rotations), axes)
    still = MAX_STILL_FRACTION * float(np.abs(clip.skeleton.offsets).sum())
    channels, extended = [], []
    for joint, freedoms in enumerate(wanted):
        translations = _translations(clip, joint, axes[joint], root_rest)
        columns = _columns(freedoms, rotations[:, joint], translations)
        needed = _find_freedoms(freedoms, columns, still)
        if set(needed) != set(freedoms):
            extended.append(clip.skeleton.names[joint])
        values = np.stack([columns[name] for name in needed], axis=-1) if needed else np.empty((len(clip), 0))
        channels.append(JointChannels(needed, values, axes[joint]))
    return channels, extended


def _source_channels(clip: Clip) -> tuple[list[tuple[str, ...]], FloatArray]:
    """Return the wanted degrees of freedom and the axes (J, 4) of each joint."""
    source, n_joints = clip.source, clip.skeleton.n_joints
    if source.format == "amc" and source.channels is not None and source.axes is not None:
        channels = [tuple(name for name in names if name != "L") for names in source.channels]
        if len(channels) == len(source.axes) == n_joints:
            return channels, source.axes
    plain: list[tuple[str, ...]] = [_TRANSLATIONS + _ROTATIONS] + [_ROTATIONS] * (n_joints - 1)
    return plain, np.tile(rot.IDENTITY, (n_joints, 1))


def _translations(clip: Clip, joint: int, axes: FloatArray, root_rest: FloatArray) -> FloatArray:
    """Return how far (T, 3) a joint is from rest, along its own axes; along the world's for the root."""
    if joint == 0:
        return np.asarray(clip.root_positions - root_rest)
    if clip.translations is None:
        return np.zeros((len(clip), 3))
    away = clip.translations[:, joint] - clip.skeleton.offsets[joint]
    return rot.rotate(rot.inverse(axes), away)


def _columns(
    freedoms: tuple[str, ...], rotations: FloatArray, translations: FloatArray
) -> dict[str, FloatArray]:
    """Return the values (T,) of three translations and three rotations, in the order of application."""
    order = rot.complete_order(rotation_order(freedoms))
    angles = np.degrees(rot.to_euler(rotations, order[::-1]))
    columns = {"T" + axis: translations[:, n] for n, axis in enumerate("XYZ")}
    return columns | {"R" + axis: angles[:, 2 - n] for n, axis in enumerate(order)}


def _find_freedoms(
    freedoms: tuple[str, ...], columns: dict[str, FloatArray], still: float
) -> tuple[str, ...]:
    """Return the wanted degrees of freedom and, where the motion needs more, all of that kind."""
    translations = tuple(name for name in _TRANSLATIONS if name not in freedoms)
    if any(np.abs(columns[name]).max(initial=0.0) > still for name in translations):
        freedoms = translations + freedoms
    rotations = tuple(name for name in columns if name[0] == "R")
    extra = (name for name in rotations if name not in freedoms)
    if any(np.abs(columns[name]).max(initial=0.0) > np.degrees(MAX_STILL_ANGLE) for name in extra):
        freedoms = tuple(name for name in freedoms if name[0] == "T") + rotations
    return freedoms
