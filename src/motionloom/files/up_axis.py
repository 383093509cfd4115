"""The up axis of a file: what its format states, its rest pose, and what gravity does to the motion.

Each piece of evidence votes for one axis of the file, or for none:

- the file states it (USD, FBX), or its format prescribes it (glTF, AMASS);
- the rest pose stands along it;
- the body stands, or sits upright, along it in most frames;
- the lowest joint along it rests while the body moves, as feet do that carry the weight;
- the floor is at zero along it, and along no other.

A rest pose alone does not tell: skeletons are drawn along Y and move along Z, or lie at rest. Where votes
disagree, or there is none, a note says so.

Once the axis is known, the same poses can be expressed in other frames, or in frames that rest unrotated.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Tip
from motionloom.motion.anatomy import Anatomy, body_height, find_anatomy
from motionloom.motion.anatomy.thresholds import ACROSS, ALONG
from motionloom.motion.kinematics import local_rotations, world_positions_at
from motionloom.motion.provenance import UpAxis

AXES: tuple[UpAxis, ...] = ("x", "y", "z")

N_SAMPLED_FRAMES = 100
"""About how many frames, spread over the clip, are looked at to tell its axes and its floor."""

MIN_UPRIGHT = 0.75
"""Cosine of the angle between a direction and an axis above which it points along that axis."""

MIN_AGREEMENT = 0.7
"""Fraction of the frames in which the body must be upright along the same axis."""

STEP = 1.0 / 15.0
"""Seconds over which joints rest or move: longer than noise, shorter than a stance."""

MIN_BODY_SPEED = 0.15
"""Body heights per second that joints move on average in a frame that tells which of them rest."""

MAX_RESTING_SPEED = 0.15
"""Speed of a joint that rests, as a fraction of the mean speed of all joints."""

MIN_MOVING_FRAMES = 5
"""Sampled frames in which the body must move to tell what carries it."""

MIN_SUPPORTED, MAX_RATIO = 0.5, 0.7
"""Fraction of the moving frames in which the lowest joint along the up axis rests, and how much of that the
other axes may reach. Of 275 captures, 62 % pass along the up axis, and none along another."""

MAX_FLOOR = 0.04
"""Body heights that a floor at zero may be off: markers sit on the foot, and calibration errs."""

WEIGHTS = {"stated": 2.25, "prescribed": 2.25, "rest": 1.0, "upright": 1.5, "resting": 2.0, "floor": 0.75}
"""What a vote counts. What the file states is overruled only where it is all but impossible: by an upright
body together with its rest pose, or with joints that rest."""

MAX_AGAINST = 0.27
"""Fraction of all votes that may speak for other axes before a note says so: a rest pose that lies, against
an upright body on resting feet."""

USUAL: dict[UpAxis, float] = {"y": 0.2, "z": 0.1, "x": 0.0}
"""Decides between axes with equal votes."""


@dataclass(frozen=True)
class UpAxisVotes:
    """The up axis that the evidence favours.

    Attributes
    ----------
    axis
        The axis of the file.
    votes
        Evidence → the axis it speaks for; evidence that tells nothing is left out.
    upside_down
        Whether the body stands on its head along the axis in most frames.
    has_motion
        Whether there are frames that could have told the axis.
    """

    axis: UpAxis
    votes: dict[str, UpAxis]
    upside_down: bool = False
    has_motion: bool = True

    @property
    def is_sure(self) -> bool:
        """Whether there is evidence, little against it, and not from the rest pose of a moving body alone.

        A body that is upright along another axis lies, as people rarely do, or the axis is wrong.
        """
        if self._is_rest_alone or self.upside_down or self.votes.get("upright", self.axis) != self.axis:
            return False
        weights = {name: WEIGHTS[name] for name in self.votes}
        against = sum(weight for name, weight in weights.items() if self.votes[name] != self.axis)
        return bool(weights) and against <= MAX_AGAINST * sum(weights.values())

    @property
    def _is_rest_alone(self) -> bool:
        return self.has_motion and self.votes.keys() == {"rest"}

    def describe(self) -> str:
        """Return the votes in words."""
        words = {
            "stated": "the file states {}",
            "prescribed": "the format prescribes {}",
            "rest": "the rest pose stands along {}",
            "upright": "the body is upright along {}",
            "resting": "it rests on the floor along {}",
            "floor": "the floor is at zero along {}",
        }
        said = [words[name].format(axis.upper()) for name, axis in self.votes.items()]
        return ", ".join([*said, "the motion shows none"] if self._is_rest_alone else said)


def find_up_axis(
    clip: Clip,
    stated: UpAxis | None = None,
    *,
    prescribed: UpAxis | None = None,
    use_rest: bool = True,
) -> UpAxisVotes:
    """Find the up axis of a clip that has the axes and the unit of its file.

    Parameters
    ----------
    clip
        The motion as written.
    stated
        The axis that the file states.
    prescribed
        The axis of all files of its format.
    use_rest
        Whether the rest pose has the axes of the file; that of a body model has not.

    >>> from motionloom.synthesis import walk
    >>> find_up_axis(walk(duration=1.0, fps=30).clip).votes
    {'rest': 'y', 'upright': 'y', 'resting': 'y', 'floor': 'y'}
    """
    anatomy = find_anatomy(clip.skeleton)
    votes: dict[str, UpAxis | None] = {"stated": stated, "prescribed": prescribed}
    upside_down_along: UpAxis | None = None
    if anatomy.legs:
        votes["rest"] = _clear_axis(anatomy.up) if use_rest else None
        size = body_height(clip.skeleton) or 1.0
        if clip.n_frames:
            positions, step = _sample_pairs(clip)
            upright = _upright_axis(anatomy, positions)
            votes["upright"] = _clear_axis(upright)
            upside_down_along = None if upright is None else _clear_axis(-upright)
            if step:
                votes["resting"] = _resting_axis(positions, step * clip.frame_time, size)
            votes["floor"] = _floor_axis(positions, size)
    given = {name: axis for name, axis in votes.items() if axis is not None}
    totals = dict(USUAL)
    for name, axis in given.items():
        totals[axis] += WEIGHTS[name]
    best = max(AXES, key=lambda axis: totals[axis])
    return UpAxisVotes(best, given, upside_down_along == best, bool(clip.n_frames))


def _upright_axis(anatomy: Anatomy, positions: FloatArray) -> FloatArray | None:
    """Return the axis, (3,) with its sign, along which a body stands or sits in most positions (T, J, 3).

    From the feet to the head; on all fours from hands and feet to hips and shoulders; where that is along no
    axis, as for someone seated, from the hips to the shoulders or the head.
    """

    def mean_of(joints: list[int]) -> FloatArray:
        return np.asarray(positions[:, joints].mean(axis=1))

    feet, hips = mean_of([leg.ankle for leg in anatomy.legs]), mean_of([leg.hip for leg in anatomy.legs])
    shoulders = [arm.shoulder for arm in anatomy.arms]
    head = hips if anatomy.head is None else positions[:, anatomy.head]
    top = mean_of(shoulders) if shoulders else head
    directions = [head - feet, top - hips]
    if shoulders:
        hands = mean_of([arm.wrist for arm in anatomy.arms])
        legs, arms, trunk = _units(feet - hips), _units(hands - top), _units(top - hips)
        on_four = (np.sum(legs * arms, -1) > ALONG) & (np.abs(np.sum(legs * trunk, -1)) < ACROSS)
        if 2 * on_four.sum() > len(on_four):
            directions = [hips + top - feet - hands]
    return next((axis for axis in map(_common_axis, directions) if axis is not None), None)


def _sample_pairs(clip: Clip) -> tuple[FloatArray, int]:
    """Return positions (2 N, J, 3) of frames spread over a clip and of those a moment later, and the moment.

    The moment is in frames; 0 where the clip is too short for pairs.
    """
    step = max(1, round(STEP / clip.frame_time))
    if clip.n_frames <= step:
        return world_positions_at(clip, _spread_frames(clip)), 0
    first = np.arange(0, clip.n_frames - step, max(1, 2 * (clip.n_frames - step) // N_SAMPLED_FRAMES))
    frames = np.concatenate([first, first + step])
    return world_positions_at(clip, frames), step


def _resting_axis(positions: FloatArray, seconds: float, size: float) -> UpAxis | None:
    """Return the only axis along which the lowest joint usually rests while the body moves.

    Positions (2 N, J, 3) are those of N frames and of the same N frames some seconds later.
    """
    before, after = np.split(positions, 2)
    movement = np.linalg.norm(after - before, axis=-1)
    mean = movement.mean(axis=1)
    moving = mean > MIN_BODY_SPEED * size * seconds
    if moving.sum() < MIN_MOVING_FRAMES:
        return None
    rows = np.flatnonzero(moving)
    supported = [
        np.mean(movement[rows, before[rows, :, axis].argmin(axis=1)] < MAX_RESTING_SPEED * mean[rows])
        for axis in range(3)
    ]
    best, second = np.argsort(supported)[::-1][:2]
    clear = supported[best] > MIN_SUPPORTED and supported[second] < MAX_RATIO * supported[best]
    return AXES[int(best)] if clear else None


def _floor_axis(positions: FloatArray, size: float) -> UpAxis | None:
    """Return the only axis along which the lowest joint of positions (T, J, 3) is usually at zero."""
    lowest = np.percentile(positions.min(axis=1), 25, axis=0) / size
    near = np.flatnonzero(np.abs(lowest) < MAX_FLOOR)
    return AXES[int(near[0])] if len(near) == 1 else None


def _clear_axis(direction: FloatArray | None) -> UpAxis | None:
    if direction is None or direction.max() < MIN_UPRIGHT:
        return None
    return AXES[int(direction.argmax())]


def _common_axis(vectors: FloatArray) -> FloatArray | None:
    """Return the axis, (3,) with its sign, along which most of the vectors (T, 3) point, or None."""
    units = _units(vectors)
    for sign in (1.0, -1.0):
        along = np.mean(sign * units > MIN_UPRIGHT, axis=0) >= MIN_AGREEMENT
        if along.any():
            return np.asarray(sign * np.eye(3)[int(along.argmax())])
    return None


def _units(vectors: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0))


def _spread_frames(clip: Clip) -> IntArray:
    return np.arange(0, clip.n_frames, max(1, clip.n_frames // N_SAMPLED_FRAMES))


def sample_frames(clip: Clip) -> Clip:
    """Return about a hundred frames, spread over the clip."""
    frames = _spread_frames(clip)
    # Not clip[frames], which would hash the whole clip to say where these frames come from.
    return replace(
        clip,
        root_positions=clip.root_positions[frames],
        rotations=clip.rotations[frames],
        translations=None if clip.translations is None else clip.translations[frames],
        constraints=(),
        events=(),
    )


def unrotate_rest(clip: Clip) -> Clip:
    """Return the same poses with joints that rest unrotated, for formats that have no rest rotations.

    Such files show the rest pose where all rotations are zero.

    >>> from motionloom.motion import Skeleton
    >>> quarter = [0.5**0.5, 0, 0, 0.5**0.5]
    >>> leg = Skeleton(["hip", "knee"], [-1, 0], [[0, 1, 0], [1, 0, 0]], [quarter, [1, 0, 0, 0]])
    >>> clip = unrotate_rest(Clip(leg, 0.1, [[0, 1, 0]], [[quarter, [1, 0, 0, 0]]]))
    >>> (clip.skeleton.offsets[1].round(9) + 0.0).tolist(), clip.rotations[0, 0].round(9).tolist()
    ([0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0])
    """
    skeleton = clip.skeleton
    if (skeleton.rest_rotations == rot.IDENTITY).all():
        return clip
    axes, still = skeleton.rest_world_rotations(), np.tile(rot.IDENTITY, (skeleton.n_joints, 1))
    offsets = np.array(skeleton.offsets)
    offsets[1:] = rot.rotate(axes[skeleton.parents[1:]], offsets[1:])
    tips = tuple(Tip(tip.joint, rot.rotate(axes[tip.joint], tip.offset)) for tip in skeleton.tips)
    unrotated = replace(skeleton, offsets=freeze(offsets), rest_rotations=freeze(still), tips=tips)
    return replace(replace_axes(clip, still), skeleton=unrotated)


def replace_axes(clip: Clip, axes: FloatArray) -> Clip:
    """Return the same poses with other joint frames; offsets and rest rotations of the skeleton are kept.

    Parameters
    ----------
    clip
        The motion of J joints.
    axes
        (J, 4) world rotations of the wanted joint frames in the rest pose.
    """
    change = rot.multiply(rot.inverse(clip.skeleton.rest_world_rotations()), axes)
    parents = clip.skeleton.parents
    rotations = local_rotations(parents, rot.multiply(clip.world_rotations(), change))
    moved = clip.translations
    if moved is not None:
        moved = np.concatenate(
            [moved[:, :1], rot.rotate(rot.inverse(change[parents[1:]]), moved[:, 1:])], axis=1
        )
    return replace(
        clip,
        rotations=freeze(rotations),
        translations=None if moved is None else freeze(moved),
        constraints=tuple(
            replace(each, point=rot.rotate(rot.inverse(change[clip.skeleton.index(each.joint)]), each.point))
            for each in clip.constraints
        ),
    )
