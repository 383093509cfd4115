"""Hand a joint's weight to fewer clips where the rotations of the clips cancel each other.

The mean of K rotations is m / S with m = Σ w q and S = ‖m‖, over quaternions whose signs never change along
a clip. It turns at ω ≤ (Σ w ω_k + 2 ‖Σ ẇ q‖) / S: where S is small, it may turn much faster than any of the
clips. S is small where clips turn against each other by more than about 240°, as one whose arm goes once
around more than the other's. There, one clip takes all of the joint's weight for a while. As soon as the
others have none, their signs can be chosen anew without anyone seeing it, so that they come back on the near
side. Where S stays above :data:`MIN_LENGTH`, nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, norm
from motionloom.geometry.splines import smoothstep
from motionloom.messages import ClipName, Message
from motionloom.motion.motion import Motion, name_clips

MIN_LENGTH = 0.5
"""Length of a mean quaternion below which a joint's weight is handed over: the mean turns at most twice as
fast as the mean of the clips' speeds."""

EDGE_LENGTH = 0.6
"""Length from which weight can move to one clip without the mean getting shorter than :data:`MIN_LENGTH` on
the way: the shortest mean of q and m, ‖m‖ = 0.6 and q · m ≥ 0, has length 0.51."""

RAMP_DURATION = 0.25
"""Seconds over which a joint's weight is handed over, and handed back."""

WHOLE = 1.0 - 1e-12
"""A weight from here on is all of it."""

LONGER_RAMPS = (1, 2, 4)
"""Factors on :data:`RAMP_DURATION` that are tried in turn where the mean would get short on a ramp."""


@dataclass(frozen=True)
class HandOver:
    """A joint that follows one clip for a while because the clips' rotations are too far apart to average.

    Attributes
    ----------
    joint, clip
        Name of the joint, and number of the clip that it follows.
    start, end
        Seconds from which and up to which its weights differ from those of the blend.
    length
        Smallest length of the mean quaternion that the weights of the blend would have had, 0 to 1.

    >>> print(HandOver("LeftArm", 1, 0.5, 1.25, 0.04))
    LeftArm follows clip 1 from 0.50 to 1.25 s: the clips' rotations are too far apart to average
    """

    joint: str
    clip: int
    start: float
    end: float
    length: float

    def __str__(self) -> str:
        return str(self.describe(ClipName(self.clip)))

    def describe(self, name: ClipName) -> Message:
        """Say it with the name of the clip."""
        when = f" from {self.start:.2f} to {self.end:.2f} s"
        why = ": the clips' rotations are too far apart to average"
        return Message((f"{self.joint} follows ", name, when + why))


@dataclass(frozen=True, eq=False)
class JointPlan:
    """The weights of one joint: ``weights`` (T, K), ``signs`` (T, K) of its quaternions, and hand-overs.

    A sign changes only where its weight is zero. Hand-overs are first and last frame, clip, and the smallest
    length of the mean without them.
    """

    weights: FloatArray
    signs: FloatArray
    hand_overs: tuple[tuple[int, int, int, float], ...]


def plan_joint(
    rotations: FloatArray,
    weights: FloatArray,
    ramp: int,
    min_length: float = MIN_LENGTH,
    preferred: int | None = None,
) -> JointPlan:
    """Plan the weights with which the mean of one joint's rotations (T, K, 4) stays long.

    Signs of the quaternions must be continuous in time. ``weights`` (T, K) are those of the blend, ``ramp``
    is the number of frames over which they may change to all on one clip. A clip that has all of the weight
    keeps it. The weight goes to the clip that has most, or to the ``preferred`` one.

    >>> from motionloom.geometry import rotations as rot
    >>> still, around = rot.from_yaw(np.zeros(61)), rot.from_yaw(np.linspace(0.0, 2.0 * np.pi, 61))
    >>> plan = plan_joint(np.stack([still, around], axis=1), np.full((61, 2), 0.5), ramp=10)
    >>> [hand_over[:3] for hand_over in plan.hand_overs]
    [(26, 46, 0)]
    >>> plan.signs[[0, -1]].tolist()
    [[1.0, 1.0], [1.0, -1.0]]
    """
    planner = _Planner(rotations, weights, ramp, min_length, preferred)
    planner.run()
    return JointPlan(
        _keep_long(rotations * planner.signs[..., None], planner.weights(), min_length),
        planner.signs,
        tuple((event.first, event.last, event.lead, event.length) for event in planner.events),
    )


def plan_cyclic_joint(
    rotations: FloatArray,
    weights: FloatArray,
    closures: FloatArray,
    ramp: int,
    min_length: float = MIN_LENGTH,
    preferred: int | None = None,
) -> JointPlan:
    """Plan the weights of a joint of one cycle that repeats, with rotations (T, K, 4) and weights (T, K).

    ``closures`` (K,) are the signs by which the quaternions differ one cycle later. Where they differ between
    clips, one of them turns the joint once around in a cycle and another does not: the signs of such clips
    have to be chosen anew once a cycle, best where the mean is shortest.
    """
    n_frames, n_clips = weights.shape
    powers = np.repeat(np.arange(3), n_frames)[:, None]
    unrolled = np.tile(rotations, (3, 1, 1)) * (closures**powers)[..., None]
    rows = np.tile(weights, (3, 1))
    lowest = float(_lengths(rotations, weights).min())
    own = np.abs(weights).max(axis=0) > 0.0
    mixed = len(set(closures[own].tolist())) > 1
    plan = plan_joint(
        unrolled, rows, ramp, max(min_length, lowest + 1e-9) if mixed else min_length, preferred
    )
    central, following = slice(n_frames, 2 * n_frames), n_frames * 2
    here, there = plan.weights[n_frames], plan.weights[following]
    signs = (plan.signs * closures**powers)[[n_frames, following]]
    relative = signs * signs[:, [int(here.argmax())]]
    if np.abs(here - there).max() < 1e-9 and (relative[0] == relative[1])[here != 0.0].all():
        shown = tuple(
            (max(first - n_frames, 0), min(last - n_frames, n_frames - 1), lead, length)
            for first, last, lead, length in plan.hand_overs
            if last >= central.start and first < central.stop
        )
        return JointPlan(plan.weights[central], plan.signs[central] * (closures**powers)[central], shown)
    lead = int(weights.mean(axis=0).argmax())
    alone = np.zeros((n_frames, n_clips))
    alone[:, lead] = 1.0
    return JointPlan(alone, np.ones((n_frames, n_clips)), ((0, n_frames - 1, lead, lowest),))


@dataclass
class _Event:
    """A hand-over: all weight is on ``lead`` in the frames ``start`` to ``stop``, with ramps around."""

    first: int
    start: int
    stop: int
    last: int
    lead: int
    length: float


class _Planner:
    """Walks along one joint in time, and hands its weight over wherever the mean would get short."""

    def __init__(
        self,
        rotations: FloatArray,
        weights: FloatArray,
        ramp: int,
        min_length: float,
        preferred: int | None,
    ) -> None:
        self.preferred = preferred
        self.rotations, self.requested = rotations, weights
        self.ramp = max(ramp, 1)
        self.min_length = min_length
        self.edge_length = min_length + EDGE_LENGTH - MIN_LENGTH
        self.signs = np.ones(weights.shape)
        self.alone = np.where(weights.max(axis=1) >= WHOLE, weights.argmax(axis=1), -1)
        self.events: list[_Event] = []

    @property
    def n_frames(self) -> int:
        return len(self.requested)

    def run(self) -> None:
        for _ in range(2 * self.n_frames):
            begin = self.events[-1].last if self.events else 0
            lengths = _lengths(self.rotations * self.signs[..., None], self.requested)
            low = _first(lengths < self.min_length, begin)
            if low == self.n_frames or begin >= self.n_frames - 1:
                return
            if not self._choose_signs(begin, low):
                self._hand_over(begin, low, lengths)

    def weights(self) -> FloatArray:
        """Return the weights (T, K) with all hand-overs."""
        weights = np.array(self.requested)
        for event in self.events:
            frames = np.arange(event.first, event.last + 1)
            before = (frames - event.first) / max(event.start - event.first, 1)
            after = (event.last - frames) / max(event.last - event.stop, 1)
            pull = np.where(frames < event.start, before, np.where(frames > event.stop, after, 1.0))
            weights[frames] = _pull(weights[frames], event.lead, smoothstep(pull))
        return weights

    def _free_frame(self, begin: int, low: int) -> int | None:
        """Return the last frame up to ``low`` where signs are free: one clip has all weight, or it is 0."""
        alone = begin + np.flatnonzero(self.alone[begin : low + 1] >= 0)
        if len(alone):
            return int(alone[-1])
        return None if begin else 0

    def _choose_signs(self, begin: int, low: int) -> bool:
        """Choose the signs from a free frame on if the mean then stays long beyond ``low``."""
        free = self._free_frame(begin, low)
        if free is None:
            return False
        best, reached = None, low
        for frame in (free, (free + low) // 2, low):
            signs = self._near_signs(frame, int(np.abs(self.requested[frame]).argmax()))
            # The clip that everything is on keeps its sign.
            signs *= signs[self.alone[free]] * self.signs[free, self.alone[free]]
            lengths = _lengths(self.rotations[free:] * signs[:, None], self.requested[free:])
            end = free + _first(lengths < self.min_length, 0)
            if end > reached:
                best, reached = signs, end
        if best is not None:
            self.signs[free:] = best
        return best is not None

    def _near_signs(self, frame: int, lead: int) -> FloatArray:
        """Return the signs (K,) by which all clips are on the near side of one at a frame."""
        here = self.rotations[frame]
        side = here @ (here[lead] * self.signs[frame, lead])
        return np.where(side < 0.0, -1.0, 1.0)

    def _hand_over(self, begin: int, low: int, lengths: FloatArray) -> None:
        """Add a hand-over before the frame ``low``, and choose the signs from its end on."""
        above = begin + np.flatnonzero(lengths[begin:low] >= self.edge_length)
        start = int(above[-1]) + 1 if len(above) else begin
        free = self._free_frame(begin, low)
        first, lead = self._ramp_down(begin if free is None else free, start)
        if first is None and free is None:
            # No room for another hand-over: the last one lasts on.
            event = self.events.pop()
            first, start, lead = event.first, event.start, event.lead
            resume = max(event.stop + 1, low - self.ramp)
        else:
            if first is None:
                assert free is not None
                first = start = free
                lead = int(self.alone[free]) if self.alone[free] >= 0 else lead
            resume = start
        stop, last = self._ramp_up(resume, lead)
        length = float(lengths[low : max(low, last) + 1].min())
        self.events.append(_Event(first, start, stop, last, lead, length))

    def _ramp_down(self, earliest: int, start: int) -> tuple[int | None, int]:
        """Return the first frame of a ramp that ends at ``start``, None if there is no room, and the clip."""
        signed = self.rotations * self.signs[..., None]
        found: tuple[int | None, int] = (None, int(self.requested[start].argmax()))
        best = -1.0
        for factor in LONGER_RAMPS:
            first = start - factor * self.ramp
            if first < earliest:
                break
            frames = slice(first, start + 1)
            pull = smoothstep(np.linspace(0.0, 1.0, start + 1 - first))
            leads = np.argsort(-self.requested[start], kind="stable").tolist()
            for lead in sorted(leads, key=lambda each: each != self.preferred):
                lowest = _lengths(signed[frames], _pull(self.requested[frames], lead, pull)).min()
                if lowest > best + 1e-9:
                    found, best = (first, lead), float(lowest)
                if best >= self.min_length:
                    return found
        return found

    def _ramp_up(self, start: int, lead: int) -> tuple[int, int]:
        """Return the last frame with all weight on the lead and the first with the blend's own again.

        Signs from there on are set such that the mean stays long while weights return.
        """
        end = self.n_frames - 1
        others = start + np.flatnonzero((self.alone[start:] >= 0) & (self.alone[start:] != lead))
        limit = int(others[0]) if len(others) else end
        ramp = min(self.ramp, max(limit - start, 1))
        best, stop = -1.0, start
        signs = self.signs[start]
        for frame in range(start, limit - ramp + 1):
            if self.alone[frame] == lead:
                self.signs[frame:] = self._near_signs(frame, lead)
                return frame, frame
            own = self._near_signs(frame + ramp // 2, lead)
            frames = slice(frame, frame + ramp + 1)
            pull = smoothstep(np.linspace(1.0, 0.0, ramp + 1))
            signed = self.rotations[frames] * own[:, None]
            lowest = float(_lengths(signed, _pull(self.requested[frames], lead, pull)).min())
            if lowest > best:
                best, stop, signs = lowest, frame, own
            if best >= self.min_length:
                break
        if best < self.min_length and not len(others):
            # The weight never returns.
            return end, end
        self.signs[stop:] = signs
        return stop, min(stop + ramp, end)


def note_hand_overs(hand_overs: Sequence[HandOver], clips: Sequence[Motion]) -> tuple[str, ...]:
    """Return a sentence for each joint that is handed over between the clips.

    >>> from motionloom.synthesis import walk
    >>> two = [HandOver("LThumb", 0, start, start + 0.5, 0.3) for start in (0.2, 1.4)]
    >>> note_hand_overs(two, [walk(duration=2.0).clip])[0][-16:]
    ' and 1 more time'
    """
    notes, names = [], name_clips(clips)
    for joint in dict.fromkeys(one.joint for one in hand_overs):
        own = [one for one in hand_overs if one.joint == joint]
        more = f"; and {len(own) - 1} more time{'s' if len(own) > 2 else ''}" if len(own) > 1 else ""
        notes.append(Message((own[0].describe(names[own[0].clip]), more)))
    return tuple(notes)


def _pull(weights: FloatArray, lead: int, pull: FloatArray) -> FloatArray:
    """Return weights (T, K) moved by fractions ``pull`` (T,) to all on one clip."""
    moved = (1.0 - pull)[:, None] * weights
    moved[:, lead] += pull
    return moved


def _lengths(rotations: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the lengths (T,) of mean quaternions of rotations (T, K, 4)."""
    return norm(np.einsum("tkc,tk->tc", rotations, weights))


def _first(found: BoolArray, start: int) -> int:
    """Return the first index from ``start`` on that is true, or the number of all."""
    at = np.flatnonzero(found[start:])
    return start + int(at[0]) if len(at) else len(found)


def _keep_long(rotations: FloatArray, weights: FloatArray, min_length: float) -> FloatArray:
    """Move weights (T, K) to the clip nearest to the mean where it is still short, as far as needed."""
    means = np.einsum("tkc,tk->tc", rotations, weights)
    short = np.flatnonzero(norm(means) < min_length)
    if not len(short):
        return weights
    result = np.array(weights)
    for t in short.tolist():
        mean = means[t]
        lead = int((rotations[t] @ mean).argmax())
        # |(1 - h) m + h q|² = min_length² has one root in (0, 1): the left side is convex and 1 at h = 1.
        step = rotations[t, lead] - mean
        a, b, c = float(step @ step), float(mean @ step), float(mean @ mean) - min_length**2
        h = (-b + np.sqrt(max(b * b - a * c, 0.0))) / a
        result[t] = _pull(weights[t][None], lead, np.array([min(h, 1.0)]))[0]
    return result
