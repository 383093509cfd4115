"""Read an AMC motion with its ASF skeleton as a clip."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import FileFormatError
from motionloom.files.acclaim.amc import AcclaimMotion, read_amc
from motionloom.files.acclaim.asf import read_asf
from motionloom.files.acclaim.skeleton import AcclaimSkeleton
from motionloom.files.notes import Note, override
from motionloom.files.text import content_mark, read_text
from motionloom.geometry import rotations as rot
from motionloom.jobs.budget import Budget
from motionloom.messages import Argument
from motionloom.motion import Clip, Skeleton, Source, Tip

USUAL_RATE = 120.0
"""Frames per second of most AMC files, which do not state their rate."""

Values = dict[tuple[int, str], FloatArray]
"""The values (T,) of each bone index and degree of freedom, angles in radians."""


def read_acclaim(
    amc_path: str | PathLike[str],
    asf_path: str | PathLike[str] | None = None,
    frame_time: float | None = None,
    max_memory: int | None = None,
) -> Clip:
    """Read a motion as it is written: in the file's own length unit and axes.

    Parameters
    ----------
    amc_path
        The motion.
    asf_path
        Its skeleton. By default the ASF beside it with the same name, then with the name up to the last
        underscore ("16.asf" for "16_15.amc"), then the only ASF of the folder.
    frame_time
        Seconds per frame. By default what the file states, else 1/120, with a note.
    max_memory
        Bytes that reading may take, in place of the usual budget.

    Joints sit at the starts of bones; rotations are those of the joint, so the rest pose has none. Joint j
    rotates by C · R · C⁻¹, where R are its angles, the first degree of freedom applied first, and C its axes.

    >>> import tempfile
    >>> bone = ["begin", "name leg", "direction 0 -1 0", "length 2", "dof rx", "end"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     skeleton, motion = Path(folder, "one.asf"), Path(folder, "one_1.amc")
    ...     _ = skeleton.write_text(chr(10).join([":bonedata", *bone, ":hierarchy", "root leg"]))
    ...     _ = motion.write_text(chr(10).join(["1", "root 0 3 0 0 0 0", "leg 90"]))
    ...     clip = read_acclaim(motion)
    >>> clip.skeleton.names, clip.tip_positions().round(9).tolist()
    (('root', 'leg'), [[[0.0, 3.0, -2.0]]])
    """
    amc_path = Path(amc_path)
    chosen = asf_path is not None
    asf_path = find_skeleton(amc_path) if asf_path is None else Path(asf_path)
    budget = Budget(amc_path, max_memory)
    budget.include(asf_path)
    skeleton = read_asf(asf_path)
    motion = read_amc(amc_path, skeleton)
    if (
        motion.skeleton_mark
        and not chosen
        and motion.skeleton_mark != content_mark(read_text(asf_path).content)
    ):
        raise FileFormatError(
            amc_path,
            f"was not written with the skeleton that {asf_path.name} holds now (one of the two was replaced, "
            "or saving broke off between them)",
            remedy=("save the motion again, or name a skeleton with ", Argument("skeleton")),
        )
    n_frames = len(motion.values)
    budget.claim_samples(n_frames, len(skeleton.bones))
    values = _values_by_freedom(skeleton, motion)
    clip = Clip(
        skeleton.joints(),
        frame_time or motion.frame_time or 1.0 / USUAL_RATE,
        freeze(skeleton.position + _translation(values, 0, n_frames)),
        _joint_rotations(skeleton, values, n_frames),
        _translations(skeleton, values, n_frames),
        source=_source(amc_path, skeleton, motion, frame_time),
    )
    return _drop_leading(clip, skeleton) if skeleton.leading else clip


def find_skeleton(amc_path: Path) -> Path:
    """Return the ASF file that belongs to an AMC file: of its own name, of its subject's, or the only one."""
    try:
        found = sorted(path for path in amc_path.parent.iterdir() if path.suffix.lower() == ".asf")
    except OSError as error:
        raise FileFormatError(amc_path, f"its folder cannot be read: {error.strerror or error}") from None
    stem = amc_path.stem
    by_name = {path.stem.lower(): path for path in found}
    for name in (stem, stem.rpartition("_")[0]):
        if name.lower() in by_name:
            return by_name[name.lower()]
    if len(found) == 1:
        return found[0]
    wanted = " or ".join(dict.fromkeys(f"{name}.asf" for name in (stem, stem.rpartition("_")[0]) if name))
    raise FileFormatError(
        amc_path,
        f"its skeleton was not found: the folder has no {wanted}, and {len(found)} ASF files instead of one",
        remedy=("name it with ", Argument("skeleton")),
    )


def _values_by_freedom(skeleton: AcclaimSkeleton, motion: AcclaimMotion) -> Values:
    names = [(n, freedom) for n, bone in enumerate(skeleton.bones) for freedom in bone.freedoms]
    scale = np.pi / 180.0 if (motion.angle or skeleton.angle) == "deg" else 1.0
    columns = motion.values.T
    return {
        key: column * scale if key[1][0] == "R" else column
        for key, column in zip(names, columns, strict=True)
    }


def _joint_rotations(skeleton: AcclaimSkeleton, values: Values, n_frames: int) -> FloatArray:
    """Return local rotations (T, J, 4), computed at once for all bones that rotate about the same axes."""
    groups: dict[str, list[int]] = {}
    for n, bone in enumerate(skeleton.bones):
        groups.setdefault(bone.rotation_order, []).append(n)
    rotations = np.tile(rot.IDENTITY, (n_frames, len(skeleton.bones), 1))
    for order, bones in groups.items():
        if order:
            angles = np.array([[values[n, "R" + axis] for axis in reversed(order)] for n in bones])
            rotations[:, bones] = rot.from_euler(angles.transpose(2, 0, 1), order[::-1])
    axes = np.array([bone.axes for bone in skeleton.bones])
    in_parent = rot.multiply(rot.multiply(axes, rotations), rot.inverse(axes))
    return freeze(rot.normalize(in_parent))


def _translation(values: Values, bone: int, n_frames: int) -> FloatArray:
    """Return how far (T, 3) a bone moves along its own axes."""
    still = np.zeros(n_frames)
    return np.stack([values.get((bone, "T" + axis), still) for axis in "XYZ"], axis=-1)


def _translations(skeleton: AcclaimSkeleton, values: Values, n_frames: int) -> FloatArray | None:
    """Return local joint positions (T, J, 3) where bones move or change their length, else None."""
    moving = {n for n, freedom in values if freedom[0] == "T" and n > 0}
    stretching = {n for n, freedom in values if freedom == "L"}
    if not moving and not stretching:
        return None
    positions = np.tile(skeleton.joints().offsets, (n_frames, 1, 1))
    for n in moving:
        positions[:, n] += rot.rotate(skeleton.bones[n].axes, _translation(values, n, n_frames))
    for n, parent in enumerate(skeleton.parents):
        if parent in stretching:
            positions[:, n] += values[parent, "L"][:, None] * skeleton.bones[parent].direction
    return freeze(positions)


def _drop_leading(clip: Clip, bones: AcclaimSkeleton) -> Clip:
    """Drop bones that are not joints: they start at a joint and do not rotate, so offsets stay."""
    skeleton, kept = clip.skeleton, bones.kept
    joint_of = {bone: joint for joint, bone in enumerate(kept)}
    for bone in sorted(bones.leading):
        joint_of[bone] = joint_of[int(skeleton.parents[bone])]
    joints = Skeleton(
        tuple(skeleton.names[bone] for bone in kept),
        np.array([-1, *(joint_of[int(parent)] for parent in skeleton.parents[kept[1:]])]),
        freeze(skeleton.offsets[kept]),
        tips=tuple(Tip(joint_of[tip.joint], tip.offset) for tip in skeleton.tips),
    )
    moved = clip.translations
    return replace(
        clip,
        skeleton=joints,
        rotations=freeze(clip.rotations[:, kept]),
        translations=None if moved is None else freeze(moved[:, kept]),
    )


def _source(
    amc_path: Path, skeleton: AcclaimSkeleton, motion: AcclaimMotion, frame_time: float | None
) -> Source:
    unit, metres = skeleton.unit
    notes = [*skeleton.notes, *motion.notes]
    if not unit:
        notes.append(f"the skeleton states a length factor of {skeleton.length_factor:g} but no unit")
    if frame_time is None and motion.frame_time is None:
        text = f"the file states no frame rate: {USUAL_RATE:g} assumed"
        notes.append(Note("frame_rate", text, remedy=override("fps")))
    if any("L" in bone.freedoms for bone in skeleton.bones):
        notes.append("values for the length of a bone were added to its length; free ends do not follow them")
    return Source(
        path=str(amc_path),
        format="amc",
        unit=unit,
        metres_per_unit=metres,
        channels=tuple(skeleton.bones[n].freedoms for n in skeleton.kept),
        axes=freeze(np.array([skeleton.bones[n].axes for n in skeleton.kept])),
        notes=tuple(notes),
    )
