"""Find faults of capture: joints that spike, flip, jump, freeze, are swapped or twisted for some frames."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import asin, radians

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, freeze, norm
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import find_anatomy, tree
from motionloom.motion.deferred import find_once, state_answer
from motionloom.motion.result import ClipLike, check_clip
from motionloom.repair.bridge import fill_gap
from motionloom.repair.fault import GLITCHES, KINDS, Fault, FaultKind
from motionloom.repair.find_frozen import find_frozen
from motionloom.repair.find_glitches import (
    Excursion,
    find_excursions,
    rotation_roughness,
    vector_roughness,
)
from motionloom.repair.find_jumps import find_jumps
from motionloom.repair.find_swaps import find_swaps
from motionloom.repair.find_twists import find_twists, untwist
from motionloom.validation import check_choice, check_names

MIN_FLIP = radians(18.0)
"""Smallest rotation away from the path that counts as a flip. Captured joints of people are off by up to 12°
in single frames (markers of the pelvis), toes by 17°, without anybody seeing it."""

MIN_SPIKE = 0.04
"""Smallest distance from the path that counts as a spike, metres, for a body of :data:`TYPICAL_SIZE`."""

TYPICAL_SIZE, MAX_SIZE_RATIO = 1.7, 2.0
"""Largest extent of a person's rest pose, metres. Bodies more than so many times larger or smaller have their
spikes measured by their own size."""

MIN_FRAMES = 8
"""Frames below which a clip is too short to show what belongs to its motion."""

MAX_ANGULAR_ACCELERATION, MAX_LIGHT_ANGULAR_ACCELERATION = radians(30_000.0), radians(120_000.0)
"""Largest angular accelerations of fast motion, rad/s²: of limbs and trunk, and of the light ends of limbs.
Within two frames at 30 frames per second they take a joint 8° and 33° out and back; at 120, 1° and 2°."""

LIGHT_REACH = 0.3
"""Joints are light where nothing on them reaches farther, metres: hands, feet, toes, and a head."""

MAX_ACCELERATION, MAX_ROOT_ACCELERATION = 150.0, 40.0
"""Largest accelerations of fast motion, m/s²: of feet that strike the ground, and of a root that lands."""

MAX_DURATION, MIN_MAX_FRAMES = 0.05, 3
"""Longest spike or flip looked for: seconds, but no fewer than three frames. Markers that hide for longer
come back without an edge, and movements of 0.1 s exist."""

MIN_LEVER_FRACTION = 0.5
"""How much of a spike of a point a joint above must explain to be the cause, as a fraction of what the one
that explains most does."""

MIN_FINGERS, MIN_FINGER_JOINTS = 2, 2
"""Fingers, and joints of each, that a hand must have to count as captured. Skeletons with one finger or a
thumb fill it with numbers that nobody captured (CMU's turn by half a turn from frame to frame)."""


@dataclass(frozen=True, eq=False)
class _Signals:
    """What faults are looked for in."""

    clip: Clip
    products: FloatArray  # (T - 1, J) inner products of neighbouring rotations
    roughness: FloatArray  # (T, J) of rotations
    captured: BoolArray  # (J,) joints that faults of are reported
    light: BoolArray  # (J,) ends of limbs
    scale: float
    max_frames: int

    @property
    def square_time(self) -> float:
        """The square of the frame time: accelerations times it are second differences."""
        return float(self.clip.frame_time**2)


def find_faults(clip: ClipLike, *, kinds: Iterable[FaultKind] = KINDS) -> tuple[Fault, ...]:
    """Return the faults of capture in a clip, in the order of their frames.

    Local rotations, the root's path, bones that move, and the world positions of joints are looked at. A flip
    or a spike leaves the path and comes back within 0.05 s (three frames at low rates), with sharp edges;
    fast motion has none (:mod:`motionloom.repair.find_glitches`). Flips count from 18° on, spikes from 4 cm
    on; at low frame rates, from what fast motion could be on. Angles of a file that flip without changing the
    rotation are no fault. Finger joints of hands with fewer than two fingers of two joints are not looked at:
    nobody captured them. A joint that never moves is not frozen.

    Parameters
    ----------
    clip
        Captured motion, at any frame rate.
    kinds
        What to look for: "spike", "flip", "swapped", "twisted", "frozen", "jump".

    Returns
    -------
    tuple of Fault
        The faults, in order of time: kind, joint, first and last frame, size.

    Raises
    ------
    ParameterError
        There is no such kind of fault.

    >>> from dataclasses import replace
    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> root = clip.root_positions.copy()
    >>> root[30] += [0.0, 0.1, 0.0]
    >>> [str(fault) for fault in find_faults(replace(clip, root_positions=root))]
    ['Hips spikes by 10 cm in frame 30']
    """
    return find_once(check_clip("find_faults", clip), _find_faults, check_kinds(kinds))


def trust_part(part: Clip, whole: Clip) -> None:
    """Take a part of a clip, or a copy with other annotations, to have no glitches where the clip has none.

    Nobody looks for them again. The whole clip shows better what is usual in its motion: beside the ends of a
    part, quick movements may look like glitches.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> part = clip[10:50]
    >>> trust_part(part, clip)
    >>> find_faults(part, kinds=GLITCHES)
    ()
    """
    if not find_faults(whole, kinds=GLITCHES):
        none: tuple[Fault, ...] = ()
        state_answer(part, none, _find_faults, GLITCHES)


def _find_faults(clip: Clip, wanted: tuple[FaultKind, ...]) -> tuple[Fault, ...]:
    if clip.n_frames < MIN_FRAMES:
        return ()
    products, roughness, still = rotation_roughness(clip.rotations)
    signals = _Signals(
        clip,
        products,
        roughness,
        *_describe_body(clip.skeleton),
        max(MIN_MAX_FRAMES, round(MAX_DURATION * clip.fps)),
    )
    twists = find_twists(clip, products, signals.captured) if "twisted" in wanted else []
    if twists:
        # What a twist turns is no fault of its own.
        others = find_faults(untwist(clip, twists), kinds=[kind for kind in wanted if kind != "twisted"])
        return _in_order(clip, [*twists, *others])
    swaps = find_swaps(clip, products, signals.captured) if "swapped" in wanted else []
    faults = [*swaps]
    faults += _without(_find_flips(signals), swaps)
    faults += _find_spikes(signals)
    jumps = find_jumps(clip, products, signals.captured, signals.max_frames, signals.scale)
    faults += _without(jumps, faults)
    faults += _without(_find_point_spikes(signals, faults), swaps)
    if "frozen" in wanted:
        faults += find_frozen(clip, products, still, signals.captured)
    return _in_order(clip, [fault for fault in faults if fault.kind in wanted])


def _in_order(clip: Clip, faults: list[Fault]) -> tuple[Fault, ...]:
    return tuple(sorted(faults, key=lambda fault: (fault.first, clip.skeleton.index(fault.joint))))


def check_kinds(kinds: Iterable[FaultKind]) -> tuple[FaultKind, ...]:
    """Return the kinds of faults; a wrong one is named."""
    return tuple(check_choice("a kind of fault", kind, KINDS) for kind in check_names("kinds", kinds))


def find_captured_joints(skeleton: Skeleton) -> BoolArray:
    """Return which joints (J,) to look at: all but fingers of hands that have hardly any.

    >>> from motionloom.synthesis import stand
    >>> find_captured_joints(stand(duration=0.1).clip.skeleton).all()
    np.True_
    """
    captured = np.ones(skeleton.n_joints, dtype=np.bool_)
    for arm in find_anatomy(skeleton).arms:
        fingers = [tree.subtree(skeleton, child) for child in skeleton.children(arm.wrist)]
        # A palm between wrist and fingers counts for none of them.
        chains = [chain for finger in fingers for chain in _chain_lengths(skeleton, finger)]
        if sum(length >= MIN_FINGER_JOINTS for length in chains) < MIN_FINGERS:
            captured[[joint for finger in fingers for joint in finger]] = False
    return captured


@lru_cache(maxsize=64)
def _describe_body(skeleton: Skeleton) -> tuple[BoolArray, BoolArray, float]:
    """Return which joints (J,) were captured, which (J,) are light, and the size relative to a person's."""
    scale = _scale_of(skeleton)
    light = find_reaches(skeleton) < LIGHT_REACH * scale
    return freeze(find_captured_joints(skeleton)), freeze(light), scale


def _chain_lengths(skeleton: Skeleton, joints: list[int]) -> list[int]:
    """Return the lengths of the unbranched chains that end in the leaves of a subtree."""
    lengths = []
    for leaf in joints:
        if skeleton.children(leaf):
            continue
        length, joint = 1, leaf
        while (joint := int(skeleton.parents[joint])) in joints and len(skeleton.children(joint)) == 1:
            length += 1
        lengths.append(length)
    return lengths


def find_reaches(skeleton: Skeleton) -> FloatArray:
    """Return how far (J,) bones and tips on each joint reach when they are stretched out."""
    reaches = np.zeros(skeleton.n_joints)
    for tip in skeleton.tips:
        reaches[tip.joint] = max(reaches[tip.joint], float(norm(tip.offset)))
    lengths = norm(skeleton.offsets)
    for joint in range(skeleton.n_joints - 1, 0, -1):
        parent = skeleton.parents[joint]
        reaches[parent] = max(reaches[parent], lengths[joint] + reaches[joint])
    return reaches


def _scale_of(skeleton: Skeleton) -> float:
    """Return the size of the body relative to a person's; 1 for a single point."""
    ratio = float(np.ptp(skeleton.rest_positions(), axis=0).max()) / TYPICAL_SIZE
    return 1.0 if ratio == 0.0 or 1.0 / MAX_SIZE_RATIO <= ratio <= MAX_SIZE_RATIO else ratio


def _find_flips(signals: _Signals) -> list[Fault]:
    # Rotations by an angle are quaternions 2 sin(angle / 4) apart.
    level = np.where(signals.captured, 2.0 * np.sin(MIN_FLIP / 4.0), np.inf)
    rotations, names = signals.clip.rotations, signals.clip.skeleton.names
    accelerations = np.where(signals.light, MAX_LIGHT_ANGULAR_ACCELERATION, MAX_ANGULAR_ACCELERATION)
    bend = accelerations / 2.0 * signals.square_time
    found = find_excursions(
        rotations, signals.roughness, level, signals.max_frames, max_bends=bend, rotations=True
    )
    return [
        Fault(
            kind="flip",
            joint=names[each.series],
            first=each.first,
            last=each.last,
            size=4.0 * asin(min(each.size / 2.0, 1.0)),
        )
        for each in found
    ]


def _find_spikes(signals: _Signals) -> list[Fault]:
    """Return spikes of the root and of bones that move."""
    clip = signals.clip
    values = clip.root_positions[:, None]
    if clip.translations is not None:
        values = np.concatenate([values, clip.translations[:, 1:]], axis=1)
    levels = np.full(values.shape[1], MIN_SPIKE * signals.scale)
    bends = np.full(len(levels), MAX_ACCELERATION * signals.scale * signals.square_time)
    bends[0] = MAX_ROOT_ACCELERATION * signals.scale * signals.square_time
    found = find_excursions(values, vector_roughness(values), levels, signals.max_frames, max_bends=bends)
    return [
        Fault(
            kind="spike",
            joint=clip.skeleton.names[each.series],
            first=each.first,
            last=each.last,
            size=each.size,
            channel="position",
        )
        for each in found
        if signals.captured[each.series]
    ]


def _find_point_spikes(signals: _Signals, faults: list[Fault]) -> list[Fault]:
    """Return spikes of joints in the world that smaller rotations of joints above cause."""
    skeleton, clip = signals.clip.skeleton, signals.clip
    positions = clip.world_positions()
    levels = np.where(signals.captured, MIN_SPIKE * signals.scale, np.inf)
    bends = np.full(len(levels), MAX_ACCELERATION * signals.scale * signals.square_time)
    roughness = vector_roughness(positions)
    found = find_excursions(positions, roughness, levels, signals.max_frames, max_bends=bends)
    causes: list[Fault] = []
    for spike in sorted(found, key=lambda spike: spike.series):
        above = tree.ancestors(skeleton, spike.series)
        known = {skeleton.names[joint] for joint in above}
        if any(
            f.joint in known and _overlaps(f, spike.first - 1, spike.last + 1) for f in [*faults, *causes]
        ):
            continue
        causes += _causes(clip, spike, above[1:])
    return causes


def _causes(clip: Clip, spike: Excursion, above: list[int]) -> list[Fault]:
    """Return the faults of the joints above whose rotations explain the spike of a point."""
    positions = clip.world_positions()[spike.first : spike.last + 1]
    levers = []
    for joint in above:
        own = clip.rotations[spike.first : spike.last + 1, joint]
        bridged = fill_gap(clip.rotations[:, joint], spike.first, spike.last, rotations=True)
        angles = 2.0 * np.arccos(np.minimum(np.abs(np.einsum("ti,ti->t", own, bridged)), 1.0))
        levers.append(float((angles * norm(positions[:, spike.series] - positions[:, joint])).max()))
    top = max(levers, default=0.0)
    if top < MIN_LEVER_FRACTION * spike.size:
        return []
    return [
        Fault(
            kind="spike",
            joint=clip.skeleton.names[joint],
            first=spike.first,
            last=spike.last,
            size=spike.size,
        )
        for joint, lever in zip(above, levers, strict=True)
        if lever >= MIN_LEVER_FRACTION * top
    ]


def _without(faults: list[Fault], known: list[Fault]) -> list[Fault]:
    """Return the faults that neither are part of known ones of the same joint nor lie next to them.

    The edges of a spike near an end of the clip are jumps; the frames beyond them are right.
    """
    return [
        fault
        for fault in faults
        if not any(
            fault.joint in (other.joint, other.partner)
            and fault.channel == other.channel
            and _overlaps(other, fault.first - 1, fault.last + 1)
            for other in known
        )
    ]


def _overlaps(fault: Fault, first: int, last: int) -> bool:
    return fault.first <= last and first <= fault.last
