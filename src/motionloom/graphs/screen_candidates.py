"""`CrossFadeScreen`: how smooth the cross-fades at candidates are, of many at a time.

Most candidates that are no good are rough before their feet are planted. To see that, neither clips nor
annotations are needed: the frames of all cross-fades are made as arrays, and what comes before and after them
is frames of takes. They are those of :func:`motionloom.transitions.linear.make_linear_segment`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from motionloom.arrays import BoolArray, FloatArray, IntArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.graphs.find_candidates import Candidates
from motionloom.graphs.node import GraphNode
from motionloom.graphs.smoothness import UsualPeaks, find_ordinary_peaks, find_signals, rate_peaks
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.options.registration import DEFAULT_WINDOW
from motionloom.quality.derivatives import WINDOW, Signal
from motionloom.registration.point_cloud import point_clouds
from motionloom.transitions.segment import interpolate_rotations, interpolate_vectors, smooth_weights

Complexes = npt.NDArray[np.complex128]
"""Places and directions on the ground, z + ix: a yaw multiplies them."""

AT_ONCE = 4_000
"""Frames that are made at a time: few enough to stay in the processor's cache."""

FILTER = 0.1
"""Seconds that the filter of derivatives reaches beyond the frames that are measured, at most."""


class _Take:
    """A take as arrays: what cross-fades from it and to it need."""

    def __init__(self, clip: Clip, usual: UsualPeaks, points: Complexes) -> None:
        # (T, P) points that stand for the body, on the ground.
        self.clip, self.usual, self.points = clip, usual, points

    @cached_property
    def yaws(self) -> FloatArray:
        """(T,) where the body faces, radians, continuous."""
        return facing(self.clip)

    @cached_property
    def planted(self) -> BoolArray:
        """(T, J) whether joints are planted."""
        held = np.zeros((self.clip.n_frames, self.clip.skeleton.n_joints), dtype=np.bool_)
        for plant in self.clip.constraints:
            span = plant.whole_frames(self.clip.n_frames)
            held[span.start : span.stop, self.clip.skeleton.index(plant.joint)] = True
        return held


@dataclass(frozen=True, eq=False)
class _Side:
    """What the C cross-fades of a batch come from or lead to: takes, and the frames (C,) that meet."""

    takes: Sequence[_Take]
    frames: IntArray

    def gather(self, arrays: Sequence[npt.NDArray[np.generic]], first: int, last: int) -> FloatArray:
        """Return rows (M, C, ...) of an array (T, ...) per take, ``first`` to ``last`` off its frame.

        Beyond the ends of a take its first or last row stands.
        """
        rows = []
        for own, frame in zip(arrays, self.frames.tolist(), strict=True):
            start, stop = frame + first, frame + last + 1
            inside = start >= 0 and stop <= len(own)
            rows.append(own[start:stop] if inside else own[np.clip(np.arange(start, stop), 0, len(own) - 1)])
        return np.stack(rows, axis=1)


class CrossFadeScreen:
    """Measures cross-fades between takes before their feet are planted.

    >>> from motionloom.graphs.smoothness import measure_usual_peaks
    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=4.0, fps=30).clip
    >>> screen = CrossFadeScreen([GraphNode("walk", clip)], [measure_usual_peaks(clip)], half_width=0.25)
    >>> one = np.array([60])
    >>> same = Candidates(one * 0, one, one * 0, one, one * 0.0, one * 0.0)
    >>> bool(screen.measure(same)[0] <= 1.0)
    True
    """

    def __init__(self, nodes: Sequence[GraphNode], usual: Sequence[UsualPeaks], half_width: float) -> None:
        clouds = point_clouds([node.clip for node in nodes])
        self._takes = [
            _Take(node.clip, own, _on_ground(cloud.positions))
            for node, own, cloud in zip(nodes, usual, clouds, strict=True)
        ]
        self._frame_time = nodes[0].clip.frame_time
        self._half = max(1, round(half_width / self._frame_time))
        self._reach = self._half + int(np.ceil((WINDOW + FILTER) / self._frame_time))
        self._weights = clouds[0].weights
        self._ordinary: dict[tuple[int, int], FloatArray] = {}

    def find_ordinary(self, source: int, target: int) -> FloatArray:
        """Return the peaks (5,) that are usual in two takes together."""
        key = min(source, target), max(source, target)
        if key not in self._ordinary:
            self._ordinary[key] = find_ordinary_peaks(*(self._takes[n].usual for n in key))
        return self._ordinary[key]

    def measure(self, candidates: Candidates) -> FloatArray:
        """Return the seam (C,) of the cross-fade at each candidate; infinite where other feet are planted."""
        at_once = max(1, AT_ONCE // (2 * self._reach + 1))
        starts = range(0, len(candidates), at_once)
        parts = [self._measure(candidates.take(np.arange(len(candidates))[n : n + at_once])) for n in starts]
        return np.concatenate([np.zeros(0), *parts])

    def _measure(self, own: Candidates) -> FloatArray:
        a, b = (
            _Side([self._takes[n] for n in nodes.tolist()], frames)
            for nodes, frames in ((own.source, own.source_frame), (own.target, own.target_frame))
        )
        planted_a, planted_b = (side.gather([t.planted for t in side.takes], 0, 0)[0] for side in (a, b))
        shared = planted_a & planted_b
        other_feet = planted_a.any(axis=1) & planted_b.any(axis=1) & ~shared.any(axis=1)
        positions, yaws = self._make(a, b, *self._align(a, b, shared))
        signals = find_signals(positions, np.unwrap(yaws, axis=0), self._frame_time)
        lengths = np.array([take.clip.n_frames for take in b.takes])
        before = np.maximum(self._reach - a.frames, 0)
        after = np.maximum(b.frames + self._reach + 1 - lengths, 0)
        peaks = np.stack([self._find_peaks(signal, before, after) for signal in signals], axis=-1)
        pairs = zip(own.source.tolist(), own.target.tolist(), strict=True)
        seams = rate_peaks(peaks, np.array([self.find_ordinary(*pair) for pair in pairs]))
        return np.where(other_feet, np.inf, seams)

    def _align(self, a: _Side, b: _Side, shared: BoolArray) -> tuple[FloatArray, Complexes]:
        """Return yaws (C,) and offsets (C,) that place the targets: as ``align_centres`` does."""
        reach = round(DEFAULT_WINDOW / self._frame_time)
        of_a, of_b = (side.gather([t.points for t in side.takes], -reach, reach) for side in (a, b))
        centre_a, centre_b = ((own @ self._weights).mean(axis=0) for own in (of_a, of_b))
        overlap = np.einsum(
            "mcp,mcp,p->c", of_a - centre_a[:, None], (of_b - centre_b[:, None]).conj(), self._weights
        )
        yaws = np.angle(overlap)
        offsets = centre_a - np.exp(1j * yaws) * centre_b
        # What is planted in both is brought together.
        feet_a, feet_b = (
            _on_ground(side.gather([t.clip.world_positions() for t in side.takes], 0, 0)[0])
            for side in (a, b)
        )
        apart = feet_a - feet_b * np.exp(1j * yaws)[:, None] - offsets[:, None]
        return yaws, offsets + (apart * shared).sum(axis=1) / np.maximum(shared.sum(axis=1), 1)

    def _make(
        self, a: _Side, b: _Side, yaws: FloatArray, offsets: Complexes
    ) -> tuple[FloatArray, FloatArray]:
        """Return positions (T, C, J, 3) of all joints, and where bodies face (T, C), about the meetings."""
        half, reach = self._half, self._reach
        fraction = smooth_weights(half)[:, 1]
        turned_a, turned_b = (
            side.gather([t.clip.rotations for t in side.takes], -half, half) for side in (a, b)
        )
        roots_a, roots_b = (
            side.gather([t.clip.root_positions for t in side.takes], -half, half) for side in (a, b)
        )
        bones_a, bones_b = (
            side.gather([t.clip.local_positions() for t in side.takes], -half, half) for side in (a, b)
        )
        turned_b[:, :, 0] = rot.multiply(rot.from_yaw(yaws), turned_b[:, :, 0])
        n_frames, n_fades, n_joints, _ = turned_a.shape
        joints = n_frames, n_fades * n_joints, 4
        turned = interpolate_rotations(turned_a.reshape(joints), turned_b.reshape(joints), fraction)
        roots = interpolate_vectors(roots_a, _place(roots_b, yaws, offsets), fraction)
        clip = Clip(
            a.takes[0].clip.skeleton,
            self._frame_time,
            freeze(roots.reshape(-1, 3)),
            freeze(turned.reshape(-1, n_joints, 4)),
            freeze(interpolate_vectors(bones_a, bones_b, fraction).reshape(-1, n_joints, 3)),
        )
        head = a.gather([t.clip.world_positions() for t in a.takes], -reach, -half - 1)
        tail = b.gather([t.clip.world_positions() for t in b.takes], half + 1, reach)
        between = clip.world_positions().reshape(n_frames, n_fades, n_joints, 3)
        tail = _place(tail, yaws[:, None], offsets[:, None])
        facings = (
            a.gather([t.yaws for t in a.takes], -reach, -half - 1),
            facing(clip).reshape(n_frames, n_fades),
            b.gather([t.yaws for t in b.takes], half + 1, reach) + yaws,
        )
        return np.concatenate([head, between, tail]), np.concatenate(facings)

    def _find_peaks(self, signal: Signal, before: IntArray, after: IntArray) -> FloatArray:
        """Return the largest values (C,) about the meetings of a signal (N, C).

        ``before`` and ``after`` (C,) are frames that the takes do not have.
        """
        index = np.arange(len(signal.values))
        width = self._half + WINDOW / self._frame_time
        near = np.abs(index + signal.first - self._reach) <= width
        # A value is known where all the frames are known that it is computed from.
        known = (index[:, None] >= before) & (index[:, None] < len(index) - after)
        return np.asarray(np.where(near[:, None] & known, signal.values, 0.0).max(axis=0))


def _on_ground(positions: FloatArray) -> Complexes:
    return np.asarray(positions[..., 2] + 1j * positions[..., 0])


def _place(positions: FloatArray, yaws: FloatArray, offsets: Complexes) -> FloatArray:
    """Return positions (..., 3) rotated by yaws and moved by offsets (...) on the ground."""
    ground = _on_ground(positions) * np.exp(1j * yaws) + offsets
    return np.stack([ground.imag, positions[..., 1], ground.real], axis=-1)
