"""`LiveSteps`: in a motion that is played live, feet come down where a request wants them, and stay there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import final

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.live_blend import LiveBlend
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.ik.moved_limb import (
    MovedLimb,
    find_max_speed,
    keep_bent,
    keep_within,
    make_limb,
    max_length,
    solve_limbs,
)
from motionloom.motion import Pose, Skeleton
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.kinematics import world_transforms
from motionloom.spaces.match_steps import MatchedPlant, MatchedStep, match_steps
from motionloom.spaces.measures import sample_at
from motionloom.spaces.space import MotionSpace

MAX_SPEED_RATIO = 1.5
"""Speed of a foot that is moved to its place, over the largest in the clips, at most."""

RELEASE = 0.3
"""Seconds in which a foot that does not come down again goes back to where the blend has it: a swing."""

MIN_FOLLOW = 0.1
"""Seconds that the body takes at least to follow its feet, if a request changes late."""

MAX_PULL_SPEED = 1.5
"""Metres per second at which the body is pulled, at most."""

MAX_PULL = 0.1
"""Metres by which the body is pulled towards feet that its legs do not reach, as in a long step."""

GROUND = np.array([1.0, 0.0, 1.0])
"""Feet are moved over the ground; the blend says how high they are."""


@dataclass(eq=False)
class _WalkingLeg:
    """A leg with its steps in order of time, and how it is moved at present."""

    limb: MovedLimb
    steps: list[MatchedStep]
    tracks: list[FloatArray]
    """Positions (T, 3) of the ankle in each clip."""
    max_speed: float
    moved: FloatArray = field(default_factory=lambda: np.zeros(3))
    """How far (3,) the ankle is from where the blend has it, metres."""
    velocity: FloatArray = field(default_factory=lambda: np.zeros(3))
    """How fast that changes, (3,), m/s."""
    wanted: FloatArray = field(default_factory=lambda: np.zeros(3))
    """How far (3,) it is to be moved now."""
    goal: FloatArray = field(default_factory=lambda: np.zeros(3))
    """How far (3,) it is to be moved when its foot comes down, or stands."""
    left: float = RELEASE
    """Seconds until then."""
    end: FloatArray | None = None
    """Where the ankle was, (3,)."""
    coming: MatchedStep | None = None
    """The step that its foot is on its way to; None while it stands."""
    plant: MatchedPlant | None = None
    """The point on which its foot stands; its place is that of the limb."""


@final
class LiveSteps:
    """The feet of a motion whose steps are asked for by place.

    While a foot swings, inverse kinematics closes what it would miss its place by, evenly until it comes
    down. While it stands, its planted points stay. The body follows to the middle between the feet, and the
    motion goes on from there.

    Attributes
    ----------
    missed
        Name of a step place -> by how much its step was off when the foot came down, metres.
    """

    def __init__(self, legs: list[_WalkingLeg], start: GroundTransform) -> None:
        self._legs, self._start = legs, start
        self._body, self._body_velocity, self._pull = np.zeros(3), np.zeros(3), np.zeros(3)
        # How far steps that were asked for came down from where the blend has them: the motion goes on there.
        self._offset = np.zeros(3)
        self.missed: dict[str, float] = {}

    def move(self, pose: Pose, live: LiveBlend, request: FloatArray, *, dt: float, rate: float) -> Pose:
        """Return a pose of a live blend with its feet where they belong.

        ``dt`` is in seconds; ``rate`` is how far a second leads on the curve.
        """
        bones = pose.translations
        found, rotations = world_transforms(
            pose.skeleton,
            pose.root_positions[None],
            pose.rotations[None],
            None if bones is None else bones[None],
        )
        positions = found[0]
        for leg in self._legs:
            stays = self._find_stand(leg, live, positions, rotations[0])
            if stays is None:
                self._aim(leg, live, positions[leg.limb.chain[2]], request, rate)
            leg.wanted = self._find_swing(leg, positions[leg.limb.chain[2]], dt) if stays is None else stays
        self._follow(dt)
        change = self._find_pull(positions) - self._pull
        self._pull = self._pull + keep_within(np.zeros(3), change, MAX_PULL_SPEED * dt)
        body = self._body + self._pull
        for leg in self._legs:
            chain = positions[list(leg.limb.chain)] + body
            leg.limb.shift = self._slow_down(leg, chain[2], keep_bent(leg.wanted - body, *chain), dt)
            self._finish(leg, chain[2], body, dt)
        moving = [leg.limb for leg in self._legs if leg.limb.shift.any()]
        if not moving:
            return pose
        local_rotations = np.array(pose.rotations)
        local_rotations[[list(limb.chain) for limb in moving]] = solve_limbs(
            moving, positions + body, rotations[0]
        )
        return replace(pose, root_positions=pose.root_positions + body, rotations=local_rotations)

    def _find_stand(
        self, leg: _WalkingLeg, live: LiveBlend, positions: FloatArray, rotations: FloatArray
    ) -> FloatArray | None:
        """Return how far (3,) from where the blend has it a foot stands; None while it swings."""
        weights = live.weights
        step = next((each for each in leg.steps if _holds_at(each.spans, weights, live.u)), None)
        if step is None:
            leg.limb.stand = leg.plant = None
            return None
        if leg.coming is not None and leg.coming.name is not None:
            self._offset = leg.moved
        leg.coming = None
        plant = next((each for each in step.plants if _holds_at(each.spans, weights, live.u)), None)
        if plant is None:
            leg.limb.stand = leg.plant = None
            return leg.moved
        point = positions[plant.joint] + rot.rotate(rotations[plant.joint], plant.point)
        if leg.limb.stand is None or leg.plant is not plant:
            leg.plant, leg.limb.stand = plant, point + leg.moved
        leg.goal, leg.left = (leg.limb.stand - point) * GROUND, RELEASE
        return leg.goal

    def _aim(
        self, leg: _WalkingLeg, live: LiveBlend, ankle: FloatArray, request: FloatArray, rate: float
    ) -> None:
        """Find where a foot that swings is to come down, and when."""
        strikes = [(float(live.weights @ each.spans[:, 0] - live.u) / rate, each) for each in leg.steps]
        leg.left, leg.coming = next((each for each in strikes if each[0] > 0.0), (RELEASE, None))
        leg.goal = self._offset
        if leg.coming is not None and leg.coming.name is not None:
            leg.goal = self._find_missing(leg, leg.coming, live, ankle, request)

    def _find_swing(self, leg: _WalkingLeg, ankle: FloatArray, dt: float) -> FloatArray:
        """Return how far (3,) a foot that swings is moved, on its way to its goal."""
        if leg.end is None:
            return leg.moved
        change = _approach(leg.moved, leg.velocity, leg.goal, max(leg.left, dt), dt) - leg.moved
        return leg.moved + keep_within(
            ankle + leg.moved - leg.end, change, MAX_SPEED_RATIO * leg.max_speed * dt
        )

    def _follow(self, dt: float) -> None:
        """Move the body to the middle between its feet, with the foot that comes down next."""
        goal = np.mean([leg.goal for leg in self._legs], axis=0)
        left = max(min(leg.left for leg in self._legs), MIN_FOLLOW, dt)
        before = self._body
        self._body = _approach(before, self._body_velocity, goal, left, dt)
        if dt > 0.0:
            self._body_velocity = (self._body - before) / dt

    def _find_pull(self, positions: FloatArray) -> FloatArray:
        """Return how far (3,) the body is pulled towards feet that its legs do not reach."""
        pull = np.zeros(3)
        for leg in self._legs:
            hip, knee, ankle = positions[list(leg.limb.chain)] + self._body + pull
            offset = ankle + leg.wanted - self._body - pull - hip
            length = float(np.linalg.norm(offset))
            beyond = length - max_length(hip, knee, ankle)
            if beyond > 0.0:
                pull = pull + offset * (beyond / length)
        return keep_within(np.zeros(3), pull, MAX_PULL)

    def _slow_down(self, leg: _WalkingLeg, ankle: FloatArray, shift: FloatArray, dt: float) -> FloatArray:
        """Return a shift (3,) of an ankle with which it is not faster than it may be."""
        if leg.end is None or dt == 0.0:
            return shift
        step = keep_within(np.zeros(3), ankle + shift - leg.end, MAX_SPEED_RATIO * leg.max_speed * dt)
        return np.asarray(leg.end + step - ankle)

    def _finish(self, leg: _WalkingLeg, ankle: FloatArray, body: FloatArray, dt: float) -> None:
        """Keep where a leg came to, with its ankle (3,) before its limb was moved."""
        before, leg.moved = leg.moved, (leg.limb.shift + body) * GROUND
        if dt > 0.0:
            leg.velocity = (leg.moved - before) / dt
        leg.end = ankle + leg.limb.shift
        if leg.coming is not None and leg.coming.name is not None:
            self.missed[leg.coming.name] = float(np.linalg.norm(leg.goal - leg.moved))

    def _find_missing(
        self, leg: _WalkingLeg, step: MatchedStep, live: LiveBlend, ankle: FloatArray, request: FloatArray
    ) -> FloatArray:
        """Return the offset (3,) over the ground from where a foot would come down to where it is wanted."""
        if step.name is None:
            return np.zeros(3)
        offsets = np.array(
            [
                centre - sample_at(track, frame)
                for centre, track, frame in zip(step.centres, leg.tracks, live.frames.tolist(), strict=True)
            ]
        )
        place = ankle + live.weights @ rot.rotate(rot.from_yaw(live.placements[:, 0]), offsets)
        local = self._start.inverse().apply(place)
        local[[0, 2]] = request[step.numbers]
        return np.asarray((self._start.apply(local) - place) * GROUND)


def find_live_steps(space: MotionSpace, skeleton: Skeleton, start: GroundTransform) -> LiveSteps | None:
    """Return the feet of a motion that starts somewhere; None without a step that is asked for by place."""
    steps = match_steps(space, skeleton)
    if not any(step.name for own in steps.values() for step in own):
        return None
    anatomy = find_anatomy(skeleton)
    return LiveSteps(
        [
            _WalkingLeg(
                make_limb(space.curve.clips[space.curve.reference], leg, skeleton, anatomy.left),
                steps[leg.side],
                [clip.world_positions()[:, leg.ankle] for clip in space.curve.clips],
                max(find_max_speed(clip, leg.ankle) for clip in space.curve.clips),
            )
            for leg in anatomy.legs
        ],
        start,
    )


def _holds_at(spans: FloatArray, weights: FloatArray, u: float) -> bool:
    """Whether a blend with weights (K,) of spans (K, 2) of the curve has a parameter ``u`` in its span."""
    first, last = weights @ spans
    return bool(first <= u <= last)


def _approach(now: FloatArray, velocity: FloatArray, goal: FloatArray, left: float, dt: float) -> FloatArray:
    """Return the place (3,) ``dt`` seconds on, on the cubic that comes to rest at a goal (3,) after ``left``.

    >>> _approach(np.zeros(3), np.zeros(3), np.array([1.0, 0.0, 0.0]), 2.0, 1.0).tolist()
    [0.5, 0.0, 0.0]
    """
    if left <= 0.0:
        return now
    t = min(dt / left, 1.0)
    return np.asarray(goal + (1.0 - t) ** 2 * ((1.0 + 2.0 * t) * (now - goal) + t * left * velocity))
