"""The clips of a registration curve, laid out for the kernels once and kept as long as the curve lives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, IntArray, read_only
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, PointClip, Skeleton
from motionloom.motion.gaps import filled
from motionloom.motion.union import on_united, united
from motionloom.motion.unrolling import extended, travel
from motionloom.registration import RegistrationCurve

N_COMPARED = 64
"""Moments of the curve at which the clips' rotations are compared to choose their signs."""

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
        (R, 3), (R, 4 J) and, where bones move or differ, (R, 3 J): all clips' frames one after the other. A
        rotation and its negative are the same turn; signs are chosen such that clips agree. Clips of points
        have no rotations: their roots are the points' means and their bones the points, gaps filled.
    firsts
        (K,) row of frame 0 of each clip.
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
        roots, turns, bones = _points(clips)
    else:
        roots = [clip.root_positions for clip in clips]
        turns, bones = _agreeing(clips, leads, curve, presence), _bones(clips)
    return BlendSources(
        curve=curve,
        warp_points=read_only(warp.all_points),
        align_points=read_only(align_points),
        travels=read_only(np.array([(way.yaw, way.x, way.z) for way in travels])),
        root_rows=_rows(roots),
        rotation_rows=_rows(turns),
        bone_rows=None if bones is None else _rows(bones),
        firsts=read_only(np.concatenate([[0], np.cumsum(lengths)[:-1]]) + PADDING[0] + leads),
        presence=presence,
    )


def _on_one_skeleton(curve: RegistrationCurve) -> tuple[RegistrationCurve, BoolArray | None]:
    """The curve over clips that all have all joints, and which clips (J, K) had them before."""
    if len({_names(clip) for clip in curve.clips}) == 1:
        return curve, None
    body = united([clip.skeleton for clip in curve.clips])
    clips = tuple(on_united(clip, body, k) for k, clip in enumerate(curve.clips))
    return replace(curve, clips=clips), body.presence


def _names(clip: Clip | PointClip) -> tuple[str, ...]:
    return clip.names if isinstance(clip, PointClip) else clip.skeleton.names


def _points(clips: Sequence[Any]) -> tuple[list[FloatArray], list[FloatArray], list[FloatArray]]:
    """Means (T, 3) of the points that are ever seen, no rotations, and points (T, P, 3) without gaps."""
    seen = [~np.isnan(clip.positions).all(axis=(0, 2)) for clip in clips]
    points = [filled(clip.positions) for clip in clips]
    means = [own[:, kept].mean(axis=1) for own, kept in zip(points, seen, strict=True)]
    return means, [np.empty((clip.n_frames, 0, 4)) for clip in clips], points


def _covering(clip: Clip, last: float) -> Clip:
    """A cyclic clip from one cycle before its first frame to where the curve reads it last; else the clip."""
    if not clip.cyclic:
        return clip
    return extended(clip, clip.n_frames + int(np.ceil(last)) + 2).placed(travel(clip).inverse())


def _bones(clips: list[Clip]) -> list[FloatArray] | None:
    """Local joint positions (T, J, 3) of all clips where bones move or differ between clips, else None."""
    first = clips[0].skeleton.offsets[1:]
    same = all(np.array_equal(clip.skeleton.offsets[1:], first) for clip in clips)
    if same and all(clip.translations is None for clip in clips):
        return None
    return [
        np.broadcast_to(clip.skeleton.offsets, (clip.n_frames, *clip.skeleton.offsets.shape))
        if clip.translations is None
        else clip.translations
        for clip in clips
    ]


def _rows(parts: list[FloatArray]) -> FloatArray:
    """Values (T, ...) of all clips in one table of rows, each clip going on straight at its ends."""
    before, after = PADDING
    padded: list[Any] = []
    for part in parts:
        flat = part.reshape(len(part), part[0].size)
        first_step, last_step = flat[1] - flat[0], flat[-1] - flat[-2]
        padded += [flat[:1] - first_step * n for n in range(before, 0, -1)]
        padded.append(flat)
        padded += [flat[-1:] + last_step * n for n in range(1, after + 1)]
    return read_only(np.concatenate(padded))


def _agreeing(
    clips: list[Clip], leads: list[int], curve: RegistrationCurve, presence: BoolArray | None
) -> list[FloatArray]:
    """The clips' rotations with signs that run on smoothly in time and agree between clips.

    A sign is chosen once per clip and joint, by where the clips are most alike over the whole curve: not by
    one clip that comes first, and not anew at each frame, where it could flip in the middle of a motion.
    """
    smooth = [rot.unrolled(clip.rotations) for clip in clips]
    u = np.linspace(*curve.domain, N_COMPARED)
    rows = np.rint(curve.timewarp(u) + leads).astype(int)
    seen = np.stack([turns[own] for turns, own in zip(smooth, rows.T, strict=True)])
    seen[:, :, 0] = rot.multiply(rot.from_yaw(curve.alignment(u)[..., 0].T), seen[:, :, 0])
    if presence is not None:
        # What a clip lacks has no say.
        seen *= presence.T[:, None, :, None]
    # Signs s maximise the sum of s_k s_l <q_k, q_l>: the leading eigenvector of each joint's matrix has them.
    likeness = np.einsum("knjc,lnjc->jkl", seen, seen)
    leading = np.linalg.eigh(likeness)[1][..., -1]
    signs = np.where(leading < 0.0, -1.0, 1.0)
    return [turns * signs[:, k, None] for k, turns in enumerate(smooth)]
