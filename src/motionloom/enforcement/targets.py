"""Targets: which points of which limbs are held, and where.

A point stays at the mean of its captured positions, on the ground. Heel and toe of a foot are one rigid body
while both are planted: the plant that begins later is put at the foot's own length from the earlier one, in
the direction in which it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation.floor import MAX_PLANT_HEIGHT
from motionloom.annotation.ground import Ground
from motionloom.annotation.soles import ContactPoint, find_soles
from motionloom.arrays import BoolArray, FloatArray, IntArray, freeze, norm, quantile
from motionloom.enforcement.spread import min_of_neighbours
from motionloom.geometry import rotations as rot
from motionloom.ik.two_bone import Chain
from motionloom.motion import Clip, Constraint, Skeleton
from motionloom.motion.anatomy import Anatomy, find_anatomy
from motionloom.motion.mesh_soles import MeshSole, clip_soles

MAX_FOOT_SHIFT = 0.2
"""Metres that a planted foot or hand may be moved over the ground without a warning in the report. It is
moved to its target in any case; a longer shift means that the motion itself slides so far that the correction
is visible."""

MIN_STEP_DURATION = 0.1
"""Seconds that a step takes at least: plants of a point with a shorter gap in between share a target."""

LOW_FRACTION = 0.25
"""A point that is planted alone stands as low as in the lowest quarter of its frames."""

MAX_SLOPE = 1.0
"""Ground that rises by more than this per metre under one foot is an edge; a foot rests on its upper side."""

MAX_REST_HEIGHT = 0.25
"""Hands, knees, elbows and hips up to this far above the captured floor, metres, rest on it: hips lie
highest, with 0.1 to 0.2 m of body below them."""

MIN_LIFT = 0.02
"""A foot that rises by less between two contacts has not left the ground, metres: both are one stance."""

MAX_DRIFT = 0.04
"""Contacts of a foot that stands without lifting agree while they were captured this near to each other,
metres; a foot that creeps farther slides."""

MAX_CREEP = 0.02
"""A point that comes down again this near without having lifted is planted in one place, metres."""

MAX_POINTS = 2
"""Points of one limb that can be held at a time: two fix its position and orientation, except for roll."""

ON_TARGET = 0.0005
"""A point this close to its target, metres, is on it."""

QUIET = 2e-4
"""A point this near to where it was planted before, metres, stays: nearly straight knees make centimetres of
it. The travel of a loop, which its frames imply, changes by as much as it is planted."""

MAX_TIP_RISE = 0.16
"""The points of a foot on the tips of its toes are at most this high, metres."""

MAX_USUAL_RISE = 0.01
"""Most planted points come this near to their targets, metres."""

MAX_LEFT_DEPTH = 0.1
"""A free point of a planted clip that is this much lower than its targets, metres, comes up again."""

MIN_DISTANCE = 1e-6
"""Metres over the ground below which two planted points lie above each other, so that there is no direction
in which to move one away from the other."""


@dataclass(frozen=True, eq=False)
class Hold:
    """One constraint of a point: its index among the clip's constraints, and the whole frames it covers.

    ``given`` says that the target is one that the clip came with.
    """

    index: int
    frames: range
    point: FloatArray
    target: FloatArray | None
    given: bool = False


@dataclass(frozen=True, eq=False)
class HeldPoint:
    """A point of a limb and when it is held; its holds are in order of time."""

    joint: int
    kind: str
    holds: tuple[Hold, ...]

    def is_held(self, n_frames: int) -> BoolArray:
        """Return for every frame (T,) whether the point is held."""
        held = np.zeros(n_frames, dtype=np.bool_)
        for hold in self.holds:
            held[hold.frames] = True
        return held

    def targets(self, n_frames: int) -> FloatArray:
        """Return where the point is held (T, 3), metres; zero in other frames."""
        positions = np.zeros((n_frames, 3))
        for hold in self.holds:
            if hold.target is not None:
                positions[hold.frames] = hold.target
        return positions

    def positions(self, clip: Clip) -> FloatArray:
        """Return the world positions (T, 3) of the point, metres; between holds, that of the next one."""
        points = [hold.point for hold in self.holds]
        if len({point.tobytes() for point in points}) == 1:
            return clip.point_positions(self.joint, points[0])
        ends = [hold.frames.stop for hold in self.holds[:-1]]
        which = np.searchsorted(ends, np.arange(clip.n_frames), side="right")
        offsets = rot.rotate(clip.world_rotations()[:, self.joint], np.array(points)[which])
        return np.asarray(clip.world_positions()[:, self.joint] + offsets)


@dataclass(frozen=True, eq=False)
class HeldLimb:
    """A part of the body with its held points, the one nearest to the body first.

    Attributes
    ----------
    name
        "left leg", "right hand", "left knee", "seat" and so on.
    chain
        Hip, knee and ankle, or shoulder, elbow and wrist; three times the pelvis for the seat.
    is_leg
        Whether a foot is held, which stands on the ground and rolls off it.
    hinge
        (3,) the axis about which the middle joint straightens in the rest pose, in the frame of the first.
    points
        What is held.
    n_bones
        Bones between the body and what is held: 2 for feet and hands, 1 for knees and elbows, 0 for the seat.
    sole
        The sole of a foot whose mesh is known: it touches the ground while one of the points is held.
    """

    name: str
    chain: Chain
    is_leg: bool
    hinge: FloatArray
    points: tuple[HeldPoint, ...]
    n_bones: int = 2
    sole: MeshSole | None = None

    @property
    def end(self) -> int:
        """The joint that carries what is held: ankle, wrist, knee, elbow or pelvis."""
        return self.chain[self.n_bones]

    def target_levels(self, n_frames: int) -> FloatArray:
        """Return the height (T,) of its lowest target in every frame, metres; infinite where none is held."""
        heights = [
            np.where(point.is_held(n_frames), point.targets(n_frames)[:, 1], np.inf) for point in self.points
        ]
        return np.asarray(np.min(heights, axis=0))

    @property
    def tail(self) -> int:
        """The last joint of the chain."""
        return self.chain[2]


def find_limbs(
    clip: Clip, came_with: Sequence[Constraint] = ()
) -> tuple[tuple[HeldLimb, ...], tuple[str, ...]]:
    """Return the limbs that constraints hold, and notes on constraints that are ignored.

    ``came_with`` are the same constraints before targets were chosen.

    >>> from motionloom.synthesis import stand
    >>> limbs, notes = find_limbs(stand(duration=0.5).clip)
    >>> limbs, notes
    ((), ())
    """
    anatomy = find_anatomy(clip.skeleton)
    ends = _find_carriers(clip.skeleton, anatomy)
    holds: dict[int, dict[tuple[int, str], list[Hold]]] = {}
    notes: dict[str, None] = {}
    for index, constraint in enumerate(clip.constraints):
        name = _describe(constraint.kind, constraint.joint)
        joint = clip.skeleton.index(constraint.joint)
        if ends[joint] < 0:
            notes[f"{name} is ignored: only feet, hands, knees, elbows and the seat can be held"] = None
            continue
        frames = constraint.whole_frames(clip.n_frames)
        if not frames:
            # In a cyclic clip, a constraint just before the seam continues after it.
            if not clip.cyclic:
                notes[f"{name} from frame {constraint.start:g} covers no whole frame"] = None
            continue
        given = bool(came_with) and came_with[index].target is not None
        hold = Hold(index, frames, constraint.point, constraint.target, given)
        holds.setdefault(int(ends[joint]), {}).setdefault((joint, constraint.kind), []).append(hold)
    limbs, soles = [], clip_soles(clip)
    for name, chain, n_bones in _chains(anatomy):
        points = [HeldPoint(*key, tuple(own)) for key, own in holds.get(chain[n_bones], {}).items()]
        points.sort(key=lambda point: (point.joint, point.kind))
        for extra in points[MAX_POINTS:]:
            what = _describe(extra.kind, clip.skeleton.names[extra.joint])
            notes[f"{what} is ignored: {MAX_POINTS} points of the {name} are already held"] = None
        if points:
            hinge = _find_hinge(clip.skeleton, anatomy, name, chain)
            is_leg = name.endswith("leg")
            sole = soles.get(chain[2]) if is_leg else None
            limbs.append(HeldLimb(name, chain, is_leg, hinge, tuple(points[:MAX_POINTS]), n_bones, sole))
    return tuple(limbs), tuple(notes)


def add_free_feet(clip: Clip, limbs: Sequence[HeldLimb]) -> list[HeldLimb]:
    """Return the limbs with heel and toe of every leg, held or not: feet stand unplanted, too.

    >>> from motionloom.synthesis import stand
    >>> [limb.name for limb in add_free_feet(stand(duration=0.5, fps=30).clip, ())]
    ['left leg', 'right leg']
    """
    anatomy = find_anatomy(clip.skeleton)
    if not anatomy.legs or not clip.n_frames:
        return list(limbs)
    known = {limb.name: limb for limb in limbs}
    legs = _chains(anatomy)[: len(anatomy.legs)]
    free_points: dict[str, tuple[ContactPoint, ...]] = {}
    if any(name not in known or len(known[name].points) < MAX_POINTS for name, _, _ in legs):
        free_points = {f"{sole.side} leg": sole.points for sole in find_soles(clip, anatomy.legs)[1]}
    meshes = clip_soles(clip)
    complete = []
    for name, chain, _ in legs:
        limb = known.pop(name, None) or HeldLimb(
            name, chain, True, _find_hinge(clip.skeleton, anatomy, name, chain), (), sole=meshes.get(chain[2])
        )
        marked = {(point.joint, point.kind) for point in limb.points}
        free = [
            HeldPoint(point.joint, point.kind, (Hold(-1, range(0), point.point, None),))
            for point in free_points.get(name, ())
            if (point.joint, point.kind) not in marked
        ]
        # Where one point is held, the other one is of another joint if it can be.
        free.sort(key=lambda point: point.joint in {held.joint for held in limb.points})
        points = sorted(
            [*limb.points, *free[: MAX_POINTS - len(limb.points)]], key=lambda p: (p.joint, p.kind)
        )
        complete.append(replace(limb, points=tuple(points)))
    return [*complete, *known.values()]


def choose_targets(clip: Clip, ground: Ground) -> Clip:
    """Give every constraint of a limb a target; targets that are already given stay.

    >>> from motionloom.annotation import Floor, annotate
    >>> from motionloom.synthesis import walk
    >>> walked = choose_targets(annotate(walk(duration=1.0).clip), Ground(Floor(0.0)))
    >>> all(abs(plant.target[1]) < 1e-9 for plant in walked.constraints)
    True
    """
    constraints = list(clip.constraints)
    limbs = find_limbs(clip)[0]
    contacts = [_find_contacts_of_limb(clip, limb) for limb in limbs]
    _choose_heights(limbs, contacts, ground)
    for limb, own in zip(limbs, contacts, strict=True):
        _place_contacts(limb, own)
    _keep_forearm_lengths(limbs, contacts)
    for contact in (contact for own in contacts for lane in own for contact in lane):
        target = freeze(contact.position)
        for hold in contact.holds:
            constraints[hold.index] = replace(constraints[hold.index], target=target)
    return replace(clip, constraints=tuple(constraints))


def is_planted(clip: Clip, limbs: Sequence[HeldLimb]) -> bool:
    """Whether all that is held is on targets that the clip came with, and free feet do not sink below them.

    >>> from motionloom.synthesis import stand
    >>> motion = stand(duration=0.5, fps=30)
    >>> clip = replace(motion.clip, constraints=motion.plants)
    >>> is_planted(clip, find_limbs(clip, clip.constraints)[0])
    True
    """
    rises = []
    for point in (point for limb in limbs for point in limb.points):
        positions, held = point.positions(clip), point.is_held(clip.n_frames)
        targets = point.targets(clip.n_frames)
        off = (positions - targets)[held]
        if not all(hold.given for hold in point.holds) or norm(off[:, [0, 2]]).max(initial=0.0) > ON_TARGET:
            return False
        sinks = min_of_neighbours(targets[:, 1], held) - positions[:, 1]
        if -off[:, 1].min(initial=0.0) > ON_TARGET or sinks[~held].max(initial=0.0) > MAX_LEFT_DEPTH:
            return False
        rises += [float((positions - targets)[hold.frames, 1].min()) for hold in point.holds]
    # Points rise as feet roll, or stand on the tips of their toes, but most come down.
    return bool(rises) and max(rises) < MAX_TIP_RISE and float(np.median(rises)) < MAX_USUAL_RISE


@dataclass(eq=False)
class _Contact:
    """Successive holds of one point that share their target."""

    holds: list[Hold]
    frames: IntArray
    captured: FloatArray
    position: FloatArray
    given: bool

    @property
    def first(self) -> int:
        return self.holds[0].frames.start

    @property
    def stop(self) -> int:
        return self.holds[-1].frames.stop


def _choose_heights(
    limbs: Sequence[HeldLimb], contacts: Sequence[Sequence[Sequence[_Contact]]], ground: Ground
) -> None:
    """Put contacts of feet onto the ground; what else lies somewhere rises as the ground does."""
    for limb, lanes in zip(limbs, contacts, strict=True):
        for own in lanes:
            standing = _standing_height(own, ground) if limb.is_leg else 0.0
            for contact in (contact for contact in own if not contact.given):
                if limb.is_leg:
                    contact.position[1] = ground.target_height(contact.position, standing)
                else:
                    contact.position[1] += _rise_of_ground(contact.position, ground)


def _find_contacts_of_limb(clip: Clip, limb: HeldLimb) -> list[list[_Contact]]:
    return [_find_contacts(point, point.positions(clip), clip.frame_time) for point in limb.points]


def _place_contacts(limb: HeldLimb, contacts: Sequence[Sequence[_Contact]]) -> None:
    """Move the contacts of a limb's points over the ground so that they agree."""
    pairs = _overlapping_pairs(*contacts) if len(contacts) == 2 else []
    if limb.is_leg:
        _level_over_edges(pairs)
        for stance in _find_stances(contacts):
            _place_stance(stance)
    else:
        _keep_foot_length(pairs)


def _rise_of_ground(position: FloatArray, ground: Ground) -> float:
    """Return by how much what a hand, knee, elbow or seat rests on is higher than captured, metres.

    Everything goes along with a level floor; on a given surface, only what lies on the floor does.
    """
    captured = float(ground.heights_above_captured(position))
    if ground.surface is not None and captured > MAX_REST_HEIGHT:
        return 0.0
    return captured - float(ground.heights_above(position))


def _find_contacts(point: HeldPoint, positions: FloatArray, frame_time: float) -> list[_Contact]:
    """Group the holds of a point that share a target, each group at the mean of its positions (T, 3)."""
    groups: list[list[Hold]] = []
    for hold in point.holds:
        before = groups[-1][-1] if groups else None
        if (
            before is not None
            and before.target is None
            and hold.target is None
            and np.array_equal(before.point, hold.point)
            and (hold.frames.start - before.frames.stop + 1) * frame_time < MIN_STEP_DURATION
        ):
            groups[-1].append(hold)
        else:
            groups.append([hold])
    contacts = []
    for group in groups:
        frames = np.concatenate([np.arange(hold.frames.start, hold.frames.stop) for hold in group])
        target = group[0].target
        position = positions[frames].mean(axis=0) if target is None else np.array(target)
        contacts.append(_Contact(group, frames, positions, position, target is not None))
    return contacts


def _standing_height(contacts: Sequence[_Contact], ground: Ground) -> float:
    """Return how far above the floor a point stands: zero for a point of the sole.

    A constraint of the joint itself does not say where the sole is; its lowest contacts do.
    """
    if any(hold.point.any() for contact in contacts for hold in contact.holds):
        return 0.0
    heights = np.array([ground.heights_above_captured(c.captured[c.frames].mean(axis=0)) for c in contacts])
    return max(float(np.median(heights[heights <= heights.min() + MAX_PLANT_HEIGHT])), 0.0)


def _overlapping_pairs(one: Sequence[_Contact], two: Sequence[_Contact]) -> list[tuple[_Contact, _Contact]]:
    """Pair contacts of two points that overlap in time, the earlier one first, in order of time."""
    pairs = []
    skip = 0
    for a in one:
        while skip < len(two) and two[skip].stop <= a.first:
            skip += 1
        for b in two[skip:]:
            if b.first >= a.stop:
                break
            pairs.append((a, b) if a.first <= b.first else (b, a))
    return sorted(pairs, key=lambda pair: pair[1].first)


def _level_over_edges(pairs: Sequence[tuple[_Contact, _Contact]]) -> None:
    """Put both ends of a foot on the upper side of an edge."""
    for a, b in pairs:
        rise = abs(float(a.position[1] - b.position[1]))
        run = float(np.hypot(*(a.position - b.position)[[0, 2]]))
        if rise > MAX_SLOPE * run:
            top = max(float(a.position[1]), float(b.position[1]))
            for contact in (a, b):
                if not contact.given:
                    contact.position[1] = top


def _keep_foot_length(pairs: Sequence[tuple[_Contact, _Contact]]) -> None:
    """Move contacts along the ground to the foot's length from those that are already in position."""
    final = {id(contact) for pair in pairs for contact in pair if contact.given}
    for a, b in pairs:
        fixed, free = (b, a) if id(b) in final and id(a) not in final else (a, b)
        if id(free) not in final:
            free.position = _at_foot_length(fixed, free)
        final |= {id(a), id(b)}


def _find_stances(contacts: Sequence[Sequence[_Contact]]) -> list[list[_Contact]]:
    """Return the contacts of a foot, grouped into the times in which it stands without lifting."""
    standing = [_standing_track(own) for own in contacts]
    heights = [own[0].captured[:, 1] - level for own, level in zip(contacts, standing, strict=True)]
    lifts = np.min(heights, axis=0)
    ordered = sorted((contact for own in contacts for contact in own), key=lambda contact: contact.first)
    stances: list[list[_Contact]] = []
    stop = 0
    for contact in ordered:
        lifted = stances and lifts[stop : contact.first].max(initial=0.0) > MIN_LIFT
        if not stances or lifted:
            stances.append([])
        stances[-1].append(contact)
        stop = max(stop, contact.stop)
    return stances


def _standing_track(contacts: Sequence[_Contact]) -> FloatArray:
    """Return the captured height (T,) at which a point stands, changing evenly between its contacts."""
    frames = np.concatenate([contact.frames for contact in contacts])
    heights = [np.full(len(c.frames), quantile(c.captured[c.frames, 1], 0.5)) for c in contacts]
    return np.asarray(np.interp(np.arange(len(contacts[0].captured)), frames, np.concatenate(heights)))


def _place_stance(stance: Sequence[_Contact]) -> None:
    """Move the contacts of one standing foot over the ground so that they agree.

    Each lies where the captured foot puts it from the ones before, so the foot can roll from heel to toe
    without sliding; together they are as near to where they were captured as possible. A foot that creeps
    along is not drawn back: it starts anew.
    """
    placed: list[_Contact] = []
    offsets: list[FloatArray] = []
    for contact in stance:
        captured = np.array(contact.position)
        if placed and not contact.given:
            anchor, offset = _find_anchor(contact, placed)
            contact.position[[0, 2]] = (anchor.position + offset)[[0, 2]]
            if anchor.captured is not contact.captured:
                contact.position = _at_foot_length(anchor, contact)
            apart = [captured - contact.position - other for other in offsets]
            alone = contact.first >= max(other.stop for other in placed)
            if alone and max(float(np.hypot(gap[0], gap[2])) for gap in apart) > MAX_DRIFT:
                contact.position = captured
                _centre_contacts(placed, offsets)
                placed, offsets = [], []
        placed.append(contact)
        offsets.append(captured - contact.position)
    _centre_contacts(placed, offsets)


def _centre_contacts(placed: Sequence[_Contact], offsets: Sequence[FloatArray]) -> None:
    """Move contacts together over the ground to where they were captured on average; given ones stay."""
    if any(contact.given for contact in placed):
        return
    shift = np.average(offsets, axis=0, weights=[len(contact.frames) for contact in placed])
    for contact in placed:
        contact.position = contact.position + shift * [1.0, 0.0, 1.0]


def _find_anchor(contact: _Contact, placed: Sequence[_Contact]) -> tuple[_Contact, FloatArray]:
    """Return the contact that one is placed by, and the captured offset (3,) from it."""
    same = [other for other in placed if other.captured is contact.captured]
    if same:
        last = max(same, key=lambda other: other.stop)
        moved = contact.captured[contact.first] - last.captured[last.stop - 1]
        if np.hypot(moved[0], moved[2]) < MAX_CREEP:
            return last, np.zeros(3)
    anchor = max(
        placed, key=lambda other: (min(other.stop, contact.stop), other.captured is not contact.captured)
    )
    first, stop = sorted((contact.first, anchor.stop - 1))
    frames = np.intersect1d(anchor.frames, contact.frames)
    if not len(frames):
        frames = np.arange(first, stop + 1)
    if anchor.captured is contact.captured:
        return anchor, contact.captured[contact.first] - anchor.captured[anchor.stop - 1]
    return anchor, (contact.captured[frames] - anchor.captured[frames]).mean(axis=0)


def _keep_forearm_lengths(
    limbs: Sequence[HeldLimb], contacts: Sequence[Sequence[Sequence[_Contact]]]
) -> None:
    """Move wrists that lie on something over the ground to a forearm's length from elbows that lie there too.

    A hand that rests on its heel or fingers can turn about them instead.
    """
    for elbow, on_elbow in zip(limbs, contacts, strict=True):
        for arm, on_hand in zip(limbs, contacts, strict=True):
            if elbow.n_bones != 1 or arm.n_bones != 2 or arm.is_leg or elbow.chain != arm.chain:
                continue
            elbow_contacts, hand_contacts = ([c for lane in own for c in lane] for own in (on_elbow, on_hand))
            for a, b in _overlapping_pairs(elbow_contacts, hand_contacts):
                fixed, free = (a, b) if any(a is each for each in elbow_contacts) else (b, a)
                if not free.given and not any(hold.point.any() for hold in free.holds):
                    free.position = _at_foot_length(fixed, free)


def _at_foot_length(fixed: _Contact, free: _Contact) -> FloatArray:
    """Return the position of ``free``, moved horizontally to the captured distance of both points."""
    common = np.intersect1d(fixed.frames, free.frames)
    if not len(common):
        return free.position
    length = float(norm(free.captured[common] - fixed.captured[common]).mean())
    offset = free.position - fixed.position
    level = float(np.hypot(offset[0], offset[2]))
    if level < MIN_DISTANCE or abs(offset[1]) >= length:
        return free.position
    scale = float(np.sqrt(length**2 - offset[1] ** 2)) / level
    return fixed.position + offset * [scale, 1.0, scale]


def _chains(anatomy: Anatomy) -> list[tuple[str, Chain, int]]:
    """Return name, chain and number of bones of everything that can be held."""
    found: list[tuple[str, Chain, int]] = [(f"{leg.side} leg", leg.chain, 2) for leg in anatomy.legs]
    found += [(f"{arm.side} arm", arm.chain, 2) for arm in anatomy.arms]
    found += [(f"{leg.side} knee", leg.chain, 1) for leg in anatomy.legs]
    found += [(f"{arm.side} elbow", arm.chain, 1) for arm in anatomy.arms]
    pelvis = anatomy.pelvis
    return [*found, ("seat", (pelvis, pelvis, pelvis), 0)] if anatomy.legs else found


def _find_hinge(skeleton: Skeleton, anatomy: Anatomy, name: str, chain: Chain) -> FloatArray:
    """Return the axis (3,) about which a limb straightens at rest, in the frame of its first joint."""
    # Knees straighten about the body's right, elbows of hanging arms about its left.
    sideways = -anatomy.left if name.endswith("leg") else anatomy.left
    return rot.rotate(rot.inverse(skeleton.rest_world_rotations()[chain[0]]), sideways)


def _find_carriers(skeleton: Skeleton, anatomy: Anatomy) -> IntArray:
    """Return for every joint (J,) the joint that is moved to hold it, or -1.

    It is the ankle or wrist at or above it; knees, elbows and the pelvis carry themselves alone.
    """
    chains = _chains(anatomy)
    ends = {chain[2] for _, chain, n_bones in chains if n_bones == 2}
    found = np.full(skeleton.n_joints, -1, dtype=np.int64)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        found[joint] = joint if joint in ends else -1 if parent < 0 else found[parent]
    for _, chain, n_bones in chains:
        found[chain[n_bones]] = chain[n_bones]
    return found


def _describe(kind: str, joint: str) -> str:
    return f"constraint {kind!r} of joint {joint!r}"
