"""`retarget`: the motion of one skeleton on another."""

from __future__ import annotations

from dataclasses import replace

from motionloom.arrays import freeze
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Skeleton, Source
from motionloom.motion.clip import check_clip, check_skeleton
from motionloom.retargeting.contacts import carried_constraints, carried_events
from motionloom.retargeting.grounding import grounded
from motionloom.retargeting.mapping import JointMapping, joint_mapping
from motionloom.retargeting.reference import Reference, references, stands_at_rest
from motionloom.retargeting.report import RetargetReport
from motionloom.retargeting.soles import sole_points
from motionloom.retargeting.stature import Stature, leg_length, stature_at_rest, stature_of
from motionloom.retargeting.transfer import (
    Bodies,
    Placing,
    carried_roots,
    carried_rotations,
    size_ratio,
    start_of,
)


def retarget(clip: Clip, to: Skeleton | Clip, mapping: JointMapping | None = None) -> Clip:
    """The motion of a clip on another skeleton.

    The difference of the rest poses is taken out in the world: bones of limbs point where the source's do and
    keep their twist, feet that were level are level, spines keep their own curve. Bones keep the target's
    lengths. Heights above the floor and travel over the ground are scaled by the length of the legs, and the
    body starts where it did. Constraints and events get the target's joint names, planted points of feet its
    soles.

    Feet come near to the floor, not exactly onto it: legs are not shaped alike.
    :func:`motionloom.map_skeleton` also puts them there.

    Parameters
    ----------
    clip
        The motion. A root joint above its pelvis that stands still is left behind.
    to
        The skeleton to move, or a clip of it, which tells more: how joints are turned when the body stands,
        where the rest pose does not, and how thick its soles are.
    mapping
        Which joints correspond; found by :func:`joint_mapping` by default.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=0.5, fps=30).clip
    >>> bool(abs(retarget(clip, clip.skeleton).rotations - clip.rotations).max() < 1e-9)
    True
    """
    check_clip("retarget", clip)
    target = check_skeleton("retarget", to)
    example = None if isinstance(to, Skeleton) else to
    mapping = joint_mapping(clip.skeleton, target) if mapping is None else mapping
    _check(mapping, clip.skeleton, target)

    # 1. The two bodies standing alike, and how large they are.
    bodies = Bodies.compared(mapping, *references(clip, target, example))
    stature, clearances = _statures(clip, example, bodies)
    scale = _scale(bodies, clearances)
    placing = Placing(scale, stature.floor, *start_of(clip, bodies))
    # 2. What the clip carries.
    constraints, notes = carried_constraints(clip, bodies, placing, clearances)
    notes = [*_notes(clip, target, example), *notes]
    poses = bodies.source.pose, bodies.target.pose
    # 3. The motion: rotations, then where the body is, then the height of its feet.
    turns = freeze(carried_rotations(clip, bodies))
    made = replace(
        clip,
        skeleton=target,
        root_positions=freeze(carried_roots(clip, turns, bodies, placing)),
        rotations=turns,
        translations=None,
        constraints=constraints,
        events=carried_events(clip, bodies),
        source=_source(clip, example),
        report=RetargetReport(mapping, scale, stature.floor, *poses, notes=tuple(notes)),
    )
    return grounded(made, clip, bodies.target, sole_points(clip, bodies, scale, clearances), placing)


def _check(mapping: JointMapping, source: Skeleton, target: Skeleton) -> None:
    if not isinstance(mapping, JointMapping):
        raise ParameterError(
            f"mapping must be a JointMapping, not a {type(mapping).__name__}: "
            "make it with joint_mapping(source, target).replaced({'source joint': 'target joint'})"
        )
    for what, have, want in (("source", mapping.source, source), ("target", mapping.target, target)):
        if have.names != want.names:
            raise ParameterError(
                f"the mapping is for another {what} skeleton: make it with joint_mapping for these two"
            )
    if not mapping.pairs:
        raise ParameterError(
            "nothing tells which joints of the two skeletons correspond: "
            "say so with joint_mapping(source, target).replaced({'source joint': 'target joint'})"
        )


def _statures(clip: Clip, example: Clip | None, bodies: Bodies) -> tuple[Stature, tuple[float, float]]:
    """How the source stands, and how far the soles of both lie below the lowest joint of their feet."""
    own = stature_of(clip, bodies.source)
    clearance = own.clearance or 0.0
    other = _clearance(clip.skeleton, example, bodies)
    # Where nothing tells how thick the target's soles are, they are as thick as the source's, for its size.
    return own, (clearance, clearance * _scale(bodies, (0.0, 0.0)) if other is None else other)


def _clearance(source: Skeleton, example: Clip | None, bodies: Bodies) -> float | None:
    if example is not None:
        return stature_of(example, bodies.target).clearance
    # A motion tells it better than a rest pose, also for another body of the same rig.
    return None if source.names == bodies.target.skeleton.names else stature_at_rest(bodies.target).clearance


def _scale(bodies: Bodies, clearances: tuple[float, float]) -> float:
    lengths = [leg_length(body, clearance) for body, clearance in zip(_both(bodies), clearances, strict=True)]
    if lengths[0] is None or lengths[1] is None:
        return size_ratio(bodies)
    return lengths[1] / lengths[0]


def _both(bodies: Bodies) -> tuple[Reference, Reference]:
    return bodies.source, bodies.target


def _source(clip: Clip, example: Clip | None) -> Source:
    """How to write the result: as the target's own file, where there is one."""
    if example is None:
        # Channels and axes are lists with one entry per joint of the file.
        return replace(clip.source, channels=None, axes=None)
    return replace(example.source, path=clip.source.path, notes=clip.source.notes)


def _notes(clip: Clip, target: Skeleton, example: Clip | None) -> list[str]:
    notes = []
    if clip.translations is not None:
        notes.append("the bones of the source change their length: those of the target do not")
    if example is None and not stands_at_rest(target) and target.names != clip.skeleton.names:
        notes.append(
            "the target does not stand in its rest pose, which says nothing then: "
            "give a clip of it instead of its skeleton"
        )
    return notes
