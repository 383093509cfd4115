"""The clips of a registration curve, laid out for the kernels once and kept as long as the curve lives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast
from weakref import WeakKeyDictionary

import numpy as np

from motionloom import kernels
from motionloom.arrays import BoolArray, FloatArray, IntArray, read_only_view
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.geometry.rotations import Signs, hemisphere_signs
from motionloom.motion import Clip, PointClip, Skeleton
from motionloom.motion.point_clip import fill_gaps
from motionloom.motion.skeleton_union import move_to_union, skeleton_union
from motionloom.motion.unroll import extend_cycle, travel
from motionloom.registration import RegistrationCurve

LEAST_COMPARED = 64
"""Moments of the curve, at least, at which rotations are compared to choose their signs; there is one for
every sample of the time alignment."""

PADDING = (1, 2)
"""Rows before the first and after the last frame that the cubic between samples reaches for."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BlendSources:
    """What blending reads of a curve and its clips.

    Attributes
    ----------
    curve
        The curve, its clips on one skeleton that has the joints of all.
    warp_points, align_points
        (D, K) and (E, K, 3) control points of all pieces, those of periodic curves continued round the seam.
    travels
        (K, 3) yaw, x, z of one cycle of each clip; zero for clips with two ends.
    root_rows, rotation_rows, bone_rows
        (R, 3), (R, 4 J) and, where bones move or differ, (R, 3 J): all clips' frames one after the other.
        Clips of points have no rotations: their roots are the points' means and their bones the points, gaps
        filled.
    firsts
        (K,) row of frame 0 of each clip.
    signs
        (M, K, J) along the curve: a rotation and its negative are the same turn, and these bring those of all
        clips to one side. (1, 0, J) where the rows already agree all along, as they mostly do.
    presence
        (J, K) which clips have which joints; None where all have all.
    """

    curve: RegistrationCurve
    warp_points: FloatArray
    align_points: FloatArray
    travels: FloatArray
    root_rows: FloatArray
    rotation_rows: FloatArray
    bone_rows: FloatArray | None
    firsts: IntArray
    signs: Signs
    presence: BoolArray | None = None

    @property
    def skeleton(self) -> Skeleton:
        """The J joints of all clips."""
        return self.curve.clips[0].skeleton

    @property
    def periodic(self) -> bool:
        """Whether the curve goes round for ever."""
        return self.curve.timewarp.periods is not None

    @property
    def n_pieces(self) -> int:
        """Number of pieces of the timewarp curve; positions count them."""
        return len(self.warp_points) - 2

    def sampled(self, rows: FloatArray, frames: FloatArray) -> FloatArray:
        """Rows (T, K, N) of the clips at fractional frames (T, K), of one of the tables of rows (R, N)."""
        found = np.empty((*frames.shape, rows.shape[1]))
        kernels.average.sample_all(rows, self.firsts, read_only_view(frames), found, 0, len(frames))
        return found

    def sign_rows(self, positions: FloatArray) -> IntArray:
        """The rows of ``signs`` (T,) for positions on the timewarp curve, within one cycle."""
        return np.rint(positions / self.n_pieces * (len(self.signs) - 1)).astype(np.int64)

    def position_of(self, u: float) -> float:
        """The position on the timewarp curve of a parameter ``u``."""
        return (u - self.curve.timewarp.start) / self.curve.timewarp.knot_spacing

    def parameters(self, positions: FloatArray) -> FloatArray:
        """The parameters ``u`` of positions on the timewarp curve."""
        return np.asarray(self.curve.timewarp.start + positions * self.curve.timewarp.knot_spacing)

    @property
    def alignment(self) -> tuple[FloatArray, int, FloatArray]:
        """Control points, reference and travels: how the kernels take an alignment curve."""
        return self.align_points, self.curve.reference, self.travels


_known: WeakKeyDictionary[RegistrationCurve, BlendSources] = WeakKeyDictionary()


def sources_of(curve: RegistrationCurve) -> BlendSources:
    """The sources of a curve; laid out on first use."""
    found = _known.get(curve)
    if found is None:
        # Sources that hold the curve itself would keep it, and so themselves, for ever.
        found = _known[curve] = _laid_out(replace(curve))
    return found


def _laid_out(curve: RegistrationCurve) -> BlendSources:
    curve, presence = _on_one_skeleton(curve)
    warp, alignment = curve.timewarp, curve.alignment
    clips = [_covering(clip, last) for clip, last in zip(curve.clips, curve.spans[1], strict=True)]
    lengths = np.array([clip.n_frames + sum(PADDING) for clip in clips])
    leads = [clip.n_frames if clip.cyclic else 0 for clip in curve.clips]
    travels = alignment.travels or (GroundTransform(),) * curve.n_clips
    align_points = alignment.control_points
    if alignment.travels is not None:
        align_points = np.concatenate([align_points, align_points[:2]])
    if isinstance(clips[0], PointClip):
        roots, turns, bones = _points(cast(list[PointClip], clips))
        signs = np.empty((1, 0, 0), dtype=np.int8)
    else:
        roots = [clip.root_positions for clip in clips]
        turns, bones = [rot.unroll(clip.rotations) for clip in clips], _bones(clips)
        turns, signs = _signed(turns, _sign_table(turns, leads, curve))
    return BlendSources(
        curve=curve,
        warp_points=read_only_view(warp.all_points),
        align_points=read_only_view(align_points),
        travels=read_only_view(np.array([way.row() for way in travels])),
        root_rows=_rows(roots),
        rotation_rows=_rows(turns),
        bone_rows=None if bones is None else _rows(bones),
        firsts=read_only_view(np.concatenate([[0], np.cumsum(lengths)[:-1]]) + PADDING[0] + leads),
        signs=read_only_view(signs),
        presence=presence,
    )


def _on_one_skeleton(curve: RegistrationCurve) -> tuple[RegistrationCurve, BoolArray | None]:
    """The curve over clips that all have all joints, and which clips (J, K) had them before."""
    if len({_names(clip) for clip in curve.clips}) == 1:
        return curve, None
    body = skeleton_union([clip.skeleton for clip in curve.clips])
    clips = tuple(move_to_union(clip, body, k) for k, clip in enumerate(curve.clips))
    return replace(curve, clips=clips), body.presence


def _names(clip: Clip | PointClip) -> tuple[str, ...]:
    return clip.names if isinstance(clip, PointClip) else clip.skeleton.names


def _points(clips: Sequence[PointClip]) -> tuple[list[FloatArray], list[FloatArray], list[FloatArray]]:
    """Means (T, 3) of the points that are ever seen, no rotations, and points (T, P, 3) without gaps."""
    seen = [~np.isnan(clip.positions).all(axis=(0, 2)) for clip in clips]
    points = [fill_gaps(clip.positions) for clip in clips]
    means = [own[:, kept].mean(axis=1) for own, kept in zip(points, seen, strict=True)]
    return means, [np.empty((clip.n_frames, 0, 4)) for clip in clips], points


def _covering(clip: Clip, last: float) -> Clip:
    """A cyclic clip from one cycle before its first frame to where the curve reads it last; else the clip."""
    if not clip.cyclic:
        return clip
    return extend_cycle(clip, clip.n_frames + int(np.ceil(last)) + 2).placed(travel(clip).inverse())


def _bones(clips: list[Clip]) -> list[FloatArray] | None:
    """Local joint positions (T, J, 3) of all clips where bones move or differ between clips, else None."""
    first = clips[0].skeleton.offsets[1:]
    same = all(np.array_equal(clip.skeleton.offsets[1:], first) for clip in clips)
    if same and all(clip.translations is None for clip in clips):
        return None
    return [clip.local_positions() for clip in clips]


def _rows(parts: list[FloatArray]) -> FloatArray:
    """Values (T, ...) of all clips in one table of rows, each clip going on straight at its ends."""
    before, after = PADDING
    padded: list[FloatArray] = []
    for part in parts:
        flat = part.reshape(len(part), part[0].size)
        first_step, last_step = flat[1] - flat[0], flat[-1] - flat[-2]
        padded += [flat[:1] - first_step * n for n in range(before, 0, -1)]
        padded.append(flat)
        padded += [flat[-1:] + last_step * n for n in range(1, after + 1)]
    return read_only_view(np.concatenate(padded))


def _signed(turns: list[FloatArray], signs: Signs) -> tuple[list[FloatArray], Signs]:
    """Rotations with the sign that each clip and joint mostly has, and what is left of the signs."""
    usual = np.where(signs.sum(axis=0, dtype=np.int64) < 0, -1, 1).astype(np.int8)
    left = signs * usual
    if (left == 1).all():
        left = left[:1, :0]
    return [own * usual[k, :, None] for k, own in enumerate(turns)], left


def _sign_table(turns: list[FloatArray], leads: list[int], curve: RegistrationCurve) -> Signs:
    """Signs (M, K, J) along the curve that bring all clips' rotations to the side of the reference's.

    They are chosen along the curve, by the clips alone: a sign that followed the weights would flip with
    them, and one for the whole curve would leave a clip on the wrong side for good once a joint has made a
    turn, or a glitch of capture looks like one.
    """
    u = np.linspace(*curve.domain, max(LEAST_COMPARED, int(np.ceil(np.ptp(curve.domain))) + 1))
    rows = np.rint(curve.timewarp(u) + leads).astype(int)
    yaws = rot.from_yaw(curve.alignment(u)[..., 0])
    seen = []
    for k, own in enumerate(turns):
        at = own[rows[:, k]]
        at[:, 0] = rot.multiply(yaws[:, k], at[:, 0])
        seen.append(at)
    periodic = curve.timewarp.periods is not None
    return np.stack([hemisphere_signs(seen[curve.reference], own, periodic) for own in seen], axis=1)
