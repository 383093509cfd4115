"""`transfer_motion`: the motion of one skeleton on another."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, Source, kinematics
from motionloom.motion.body import body_of_rig
from motionloom.motion.mesh_soles import clip_soles
from motionloom.motion.provenance import derive
from motionloom.motion.result import ClipLike, Result, check_clip, check_skeleton, unwrap
from motionloom.retargeting.body_kind import check_same_kind
from motionloom.retargeting.body_parts import LEG, SIDES
from motionloom.retargeting.contacts import sole_points, transfer_constraints, transfer_events
from motionloom.retargeting.feet import level_soles, match_foot_heights
from motionloom.retargeting.fingers import ignore_fingers
from motionloom.retargeting.joint_mapping import JointMapping, joint_mapping
from motionloom.retargeting.proportions import Proportions, carrying_joints, compare_proportions
from motionloom.retargeting.reference_pose import BodyPair, reference_poses, stands_at_rest


@dataclass(frozen=True, eq=False)
class TransferReport:
    """The report of :func:`transfer_motion`.

    Attributes
    ----------
    mapping
        Which joints correspond.
    scale
        Length of the target's legs divided by that of the source's; heights and travel were scaled by it.
    floor
        Height of the floor about which heights were scaled, metres.
    source_pose, target_pose
        The reference poses that were compared: "rest pose" or "standing frames".
    notes
        Sentences about what could not be transferred, and why.
    """

    mapping: JointMapping
    scale: float
    floor: float
    source_pose: str
    target_pose: str
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        mapping, floor = self.mapping, round(self.floor, 3) + 0.0  # never -0.0
        lines = [
            f"{len(mapping.pairs)} of {mapping.target.n_joints} target joints follow one of "
            f"{mapping.source.n_joints} source joints",
            f"leg length ratio {self.scale:.3f}: scales travel and heights above {floor:.3f} m",
            f"reference poses: {self.source_pose} of the source, {self.target_pose} of the target",
        ]
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def transfer_motion(
    clip: ClipLike, to: Skeleton | ClipLike, mapping: JointMapping | None = None
) -> Result[TransferReport]:
    """Transfer the motion of a clip to another skeleton.

    Limb bones point where the source's do and keep their twist, level feet stay level, spines keep their own
    curve. Bones keep the target's lengths. Heights above the floor and travel over the ground are scaled by
    the length of the legs, and the body starts where it did. Constraints and events get the target's joint
    names, and planted points of feet move to its soles.

    Feet come close to the floor, but not exactly onto it, because legs differ in shape.
    :func:`motionloom.retarget` also plants them.

    Parameters
    ----------
    clip
        The motion. Joints above the one that carries the body are ignored.
    to
        The skeleton to move, or a clip of it, which shows more: how joints are oriented when the body stands,
        where its rest pose does not, and how thick its soles are. The body of a clip (``clip.body``) gives a
        body, a whole clip a whole one.
    mapping
        Which joints correspond (default: found by :func:`joint_mapping`, and refused where a body stands on
        two legs and the other on four, or where they have no limb in common). Fingers whose data never
        changes or flips are left out, unless somebody gave their pairs.

    Returns
    -------
    Result
        The motion on the other skeleton, and a :class:`TransferReport`.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=0.5, fps=30).clip
    >>> bool(abs(transfer_motion(clip, clip.skeleton).clip.rotations - clip.rotations).max() < 1e-9)
    True
    """
    clip, to = check_clip("transfer_motion", clip), to if isinstance(to, Skeleton) else unwrap(to)
    whole = check_skeleton("transfer_motion", to)
    if mapping is not None:
        _check_mapping(mapping, clip.skeleton, whole)
    # What lies above the bodies on both rigs has no part in it.
    clip, holder = clip.body, body_of_rig(whole if isinstance(to, Skeleton) else to)
    target = holder.skeleton
    example = None if isinstance(to, Skeleton) else holder
    found = joint_mapping(clip.skeleton, target)
    if mapping is None:
        check_same_kind(clip, holder, found)
    mapping = found if mapping is None else _within(mapping, found)
    ignored: list[str] = []
    if target != clip.skeleton:
        mapping, ignored = ignore_fingers(clip, mapping)
    _check_mapping(mapping, clip.skeleton, target)

    # 1. Both bodies standing alike, and their proportions.
    bodies = BodyPair.compare(mapping, *reference_poses(clip, target, example))
    soles = clip_soles(holder)
    proportions = compare_proportions(clip, example, bodies, soles)
    bodies = level_soles(clip, bodies, soles) if soles else bodies
    # 2. Constraints and events.
    constraints, notes = transfer_constraints(clip, bodies, proportions)
    events = transfer_events(clip, bodies)
    # 3. Joint rotations, then the position of the body.
    rotations = freeze(transfer_rotations(clip, bodies))
    root_positions = freeze(transfer_root(clip, rotations, bodies, proportions))
    # 4. The height of the feet.
    poses = bodies.source.pose, bodies.target.pose
    notes = [*_notes(clip, bodies, example), *ignored, *notes]
    result = replace(
        clip,
        skeleton=target,
        root_positions=root_positions,
        rotations=rotations,
        translations=None,
        constraints=constraints,
        events=events,
        source=_target_source(clip, example),
        arrangement=holder.arrangement,
        provenance=derive(clip, "transferred"),
    )
    points = sole_points(clip, bodies, proportions)
    moved = match_foot_heights(result, clip, bodies.target, points, proportions)
    # On a body that was taken from its rig the motion stays a body: it is worked on together with others.
    report = TransferReport(mapping, proportions.scale, proportions.floor, *poses, notes=tuple(notes))
    return Result(moved if example is to and holder.arrangement is not None else moved.arranged(), report)


def transfer_rotations(clip: Clip, bodies: BodyPair) -> FloatArray:
    """Return local rotations (T, J, 4) of the target that reproduce the source's motion.

    In the world, each target joint rotates away from its reference pose as its partner does. Limb bones then
    point exactly where the source's do, even where joints without a partner bend in between. Joints without a
    partner keep their rest rotation.
    """
    target, partners = bodies.mapping.target, bodies.mapping.partners
    rotations, positions = clip.world_rotations(), clip.world_positions()
    world = np.empty((clip.n_frames, target.n_joints, 4))
    for joint, parent in enumerate(target.parents.tolist()):
        partner = partners.get(joint)
        if partner is None:
            above = rot.IDENTITY if parent < 0 else world[:, parent]
            world[:, joint] = rot.multiply(above, target.rest_rotations[joint])
            continue
        away = rot.multiply(rotations[:, partner], rot.inverse(bodies.source.rotations[partner]))
        standing = rot.multiply(bodies.difference[joint], bodies.target.rotations[joint])
        world[:, joint] = rot.multiply(away, standing)
        if joint in bodies.bones:
            bone = bodies.bones[joint]
            current = rot.rotate(rot.multiply(away, bodies.difference[joint]), bone.vector)
            wanted = positions[:, partners[bone.end]] - positions[:, partner]
            world[:, joint] = rot.multiply(rot.between(current, wanted), world[:, joint])
    return rot.normalize(kinematics.local_rotations(target.parents, world))


def transfer_root(
    clip: Clip, rotations: FloatArray, bodies: BodyPair, proportions: Proportions
) -> FloatArray:
    """Return root positions (T, 3) that put the centre of the target's hips where the source's is, scaled.

    A target whose root lies above its pelvis keeps that joint at its rest distance, so it travels along.
    """
    target, partners = bodies.mapping.target, bodies.mapping.partners
    at_origin, _ = kinematics.world_transforms(target, np.zeros((clip.n_frames, 3)), freeze(rotations))
    hips = carrying_joints(bodies.target.parts, partners)
    own = clip.world_positions()[:, [partners[joint] for joint in hips]].mean(axis=1)
    return np.asarray(proportions.apply(own) - at_origin[:, hips].mean(axis=1))


def _within(mapping: JointMapping, bodies: JointMapping) -> JointMapping:
    """Return the pairs of a mapping of whole rigs that lie in their bodies."""
    pairs = (p for p in mapping.pairs if p.source in bodies.source.names and p.target in bodies.target.names)
    return replace(bodies, pairs=tuple(pairs))


def _check_mapping(mapping: JointMapping, source: Skeleton, target: Skeleton) -> None:
    if not isinstance(mapping, JointMapping):
        raise ParameterError(
            f"must be a JointMapping, not a {type(mapping).__name__}",
            parameter="mapping",
            remedy="make one with joint_mapping(source, target).replaced({'source joint': 'target joint'})",
        )
    for what, have, want in (("source", mapping.source, source), ("target", mapping.target, target)):
        if have.names != want.names:
            raise ParameterError(
                f"the mapping is for another {what} skeleton",
                remedy="make one with joint_mapping for these two",
            )
    if not mapping.pairs:
        raise ParameterError(
            "no joints of the two skeletons correspond: "
            "map them with joint_mapping(source, target).replaced({'source joint': 'target joint'})"
        )


def _target_source(clip: Clip, example: Clip | None) -> Source:
    """Return how to write the result: like the target's own file, where there is one."""
    if example is None:
        # Channels and axes are lists with one entry per joint of the file.
        return replace(clip.source, channels=None, axes=None)
    own = clip.source
    return replace(example.source, path=own.path, notes=own.notes, animation=own.animation)


def _notes(clip: Clip, bodies: BodyPair, example: Clip | None) -> list[str]:
    notes, target = [], bodies.mapping.target
    if clip.translations is not None:
        notes.append("bones of the source change their length: bones of the target do not")
    if example is None and not stands_at_rest(target) and target.names != clip.skeleton.names:
        notes.append(
            "the target does not stand upright in its rest pose, so its joint orientations are unknown: "
            "pass a clip of the target instead of its skeleton"
        )
    own, other = ([pair.parts.limb(side, LEG) for side in SIDES] for pair in (bodies.source, bodies.target))
    if any(own) and not any(other):
        notes.append(
            "no legs (hip, knee and foot, one below the other) were found in the target: none moves, and how "
            "high the body is comes from the sizes of its other limbs"
        )
    return notes
