"""The clips of a registration curve as arrays for the kernels, made once and kept as long as the curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from motionloom import kernels
from motionloom.annotation.flights import Flight
from motionloom.arrays import BoolArray, FloatArray, IntArray, norm, read_only_view
from motionloom.blending.flights import MatchedFlight, match_flights, retime_flights
from motionloom.blending.hand_over import EDGE_LENGTH
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.geometry.rotations import Signs, hemisphere_signs
from motionloom.messages import Operation
from motionloom.motion import Clip, Motion, PointClip, Skeleton
from motionloom.motion.anatomy import body_positions, find_body_masses
from motionloom.motion.point_clip import fill_gaps
from motionloom.motion.skeleton_union import move_to_union, skeleton_union
from motionloom.motion.unroll import extend_cycle, travel
from motionloom.registration import RegistrationCurve

MIN_SIGN_SAMPLES = 64
"""Minimum number of samples along the curve at which rotations are compared to choose quaternion signs;
normally there is one for every sample of the time alignment."""

FAR_APART_MARGIN = 0.05
"""Added to the squared length from which joints count as far apart: samples miss what lies between them."""

PADDING = (1, 2)
"""Extra rows before the first and after the last frame of a clip, for the cubic between samples."""

NO_FLIGHTS, NO_CENTRES = read_only_view(np.empty((0, 4))), read_only_view(np.empty((0, 3)))
"""Flights and centres of mass of clips that do not fly, or are not to keep gravity."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class BlendSources:
    """The arrays that blending reads: a curve and its K clips.

    Attributes
    ----------
    curve
        The curve, with all clips on one skeleton that has the joints of all.
    warp_points, align_points
        (D, K) and (E, K, 3) control points of all pieces; for periodic curves, continued across the seam.
    travels
        (K, 3) yaw, x, z of one cycle of each clip; zero for clips that are not cyclic.
    root_rows, rotation_rows, bone_rows
        (R, 3), (R, 4 J) and, where bones move or differ, (R, 3 J): the frames of all clips, one clip
        after the other. Point clips have no rotations: their roots are the means of the points, and their
        bones are the points with gaps filled.
    firsts
        (K,) row of frame 0 of each clip.
    signs
        (2, K, J) of quaternions in even and in odd cycles. A quaternion and its negative are the same
        rotation. The rows of a clip are continuous in time; after a cycle in which a joint turned once around
        they continue with the opposite sign. (1, 0, J) where all clips close alike, the usual case.
    presence
        (J, K) which clips have which joints; None if all clips have all joints.
    far_apart
        (J,) joints whose rotations get so far apart that weights between 0 and 1 can make their mean short.
    flights
        (F, 4) flights of all clips for the rate laws that keep gravity: positions of take-off and landing,
        and lengths of the ramps before and after. Empty for the other laws.
    centre_rows
        (R, 3) centres of mass of the clips; no rows if there are no flights.
    matched_flights, unmatched_flights
        The same flights with their frames, and flights that only some clips have.
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
    far_apart: BoolArray
    flights: FloatArray = field(default_factory=lambda: NO_FLIGHTS)
    centre_rows: FloatArray = field(default_factory=lambda: NO_CENTRES)
    matched_flights: tuple[MatchedFlight, ...] = ()
    unmatched_flights: tuple[tuple[int, Flight], ...] = ()

    @property
    def skeleton(self) -> Skeleton:
        """The J joints of all clips."""
        return self.curve.clips[0].skeleton

    @cached_property
    def max_speeds(self) -> FloatArray:
        """The largest speed (J,) of each joint in any clip, seen from the body, m/s."""
        speeds = [
            norm(np.diff(body_positions(clip), axis=0)).max(axis=0, initial=0.0) / clip.frame_time
            for clip in self.curve.clips
        ]
        return np.asarray(np.max(speeds, axis=0))

    @property
    def periodic(self) -> bool:
        """Whether the curve repeats: its clips are cyclic."""
        return self.curve.timewarp.periods is not None

    @property
    def n_pieces(self) -> int:
        """Number of pieces of the timewarp curve, the unit of positions."""
        return len(self.warp_points) - 2

    def sample(self, rows: FloatArray, frames: FloatArray) -> FloatArray:
        """Sample one of the tables of rows (R, N) at fractional frames (T, K) of the clips: (T, K, N)."""
        samples = np.empty((*frames.shape, rows.shape[1]))
        kernels.average.sample_all(rows, self.firsts, read_only_view(frames), samples, 0, len(frames))
        return samples

    def sign_rows(self, cycles: FloatArray) -> IntArray:
        """Return the rows (T,) of ``signs`` in which frames find theirs, for the cycles (T,) they are in."""
        return np.mod(cycles, len(self.signs)).astype(np.int64)

    def position_of(self, u: float) -> float:
        """Return the position on the timewarp curve of a parameter ``u``."""
        return (u - self.curve.timewarp.start) / self.curve.timewarp.knot_spacing

    def positions_of(self, u: FloatArray) -> FloatArray:
        """Return the positions (T,) on the timewarp curve of parameters ``u`` (T,)."""
        return np.asarray((u - self.curve.timewarp.start) / self.curve.timewarp.knot_spacing)

    def parameters(self, positions: FloatArray) -> FloatArray:
        """Return the parameters ``u`` of positions on the timewarp curve."""
        return np.asarray(self.curve.timewarp.start + positions * self.curve.timewarp.knot_spacing)

    @property
    def alignment(self) -> tuple[FloatArray, int, FloatArray]:
        """Control points, reference and travels: the alignment curve as kernel arguments."""
        return self.align_points, self.curve.reference, self.travels


_cache: WeakKeyDictionary[RegistrationCurve, BlendSources] = WeakKeyDictionary()
_flying_cache: WeakKeyDictionary[RegistrationCurve, BlendSources] = WeakKeyDictionary()


def check_curve(what: str, curve: object) -> None:
    """Raise an error unless a curve is a registration curve; usually it is a list of clips or paths.

    >>> check_curve("blend", ["walk.bvh"])
    Traceback (most recent call last):
    motionloom.errors.ParameterError: blend takes a registration curve, not a list: register the clips first \
with motionloom.register
    """
    if not isinstance(curve, RegistrationCurve):
        raise ParameterError(
            f"{what} takes a registration curve, not a {type(curve).__name__}",
            remedy=("register the clips first with ", Operation("motionloom.register")),
        )


def prepare_sources(curve: RegistrationCurve, *, keep_gravity: bool = False) -> BlendSources:
    """Return the sources of a curve; made on first use, then cached.

    To keep gravity, flights that all clips have pass at equal phase (:func:`retime_flights`).
    """
    cache = _flying_cache if keep_gravity else _cache
    sources = cache.get(curve)
    if sources is None:
        # Sources that held the curve itself would keep the key of the cache, and so themselves, alive.
        make = _make_flying_sources if keep_gravity else _make_sources
        sources = cache[curve] = make(replace(curve))
    return sources


def _make_flying_sources(curve: RegistrationCurve) -> BlendSources:
    """Return sources in which the flights of all clips pass at equal phase, with their centres of mass."""
    found = match_flights(curve)
    retimed, flights = retime_flights(curve, found.matched)
    if not flights:
        return replace(_make_sources(curve), unmatched_flights=found.unmatched)
    return _add_flights(_make_sources(retimed), flights, found.unmatched)


def _add_flights(
    sources: BlendSources, flights: Sequence[MatchedFlight], unmatched: tuple[tuple[int, Flight], ...]
) -> BlendSources:
    curve = sources.curve
    clips = [_extend_cycle(clip, last) for clip, last in zip(curve.clips, curve.spans[1], strict=True)]
    bodies = [find_body_masses(clip.skeleton) for clip in clips]
    centres = [
        body.centre(clip.world_positions(), clip.world_rotations())
        for clip, body in zip(clips, bodies, strict=True)
        if body is not None
    ]
    spacing = curve.timewarp.knot_spacing
    rows = [
        (sources.position_of(f.start), sources.position_of(f.end), f.ramps[0] / spacing, f.ramps[1] / spacing)
        for f in flights
    ]
    return replace(
        sources,
        flights=read_only_view(np.array(rows)),
        centre_rows=_rows(centres),
        matched_flights=tuple(flights),
        unmatched_flights=unmatched,
    )


def _make_sources(curve: RegistrationCurve) -> BlendSources:
    curve, presence = _unite_skeletons(curve)
    warp, alignment = curve.timewarp, curve.alignment
    clips = [_extend_cycle(clip, last) for clip, last in zip(curve.clips, curve.spans[1], strict=True)]
    lengths = np.array([clip.n_frames + sum(PADDING) for clip in clips])
    leads = [clip.n_frames if clip.cyclic else 0 for clip in curve.clips]
    travels = alignment.travels or (GroundTransform(),) * curve.n_clips
    align_points = alignment.control_points
    if alignment.travels is not None:
        align_points = np.concatenate([align_points, align_points[:2]])
    motions: Sequence[Motion] = clips
    markers = [clip for clip in motions if isinstance(clip, PointClip)]
    bones: list[FloatArray] | None
    if markers:
        roots, rotations, bones = _point_rows(markers)
        signs, far_apart = np.empty((1, 0, 0), dtype=np.int8), np.empty(0, dtype=np.bool_)
    else:
        roots = [clip.root_positions for clip in clips]
        rotations, bones = [rot.unroll(clip.rotations) for clip in clips], _bones(clips)
        rotations, signs, far_apart = _align_signs(rotations, leads, curve)
    return BlendSources(
        curve=curve,
        warp_points=read_only_view(warp.all_points),
        align_points=read_only_view(align_points),
        travels=read_only_view(np.array([travel.row() for travel in travels])),
        root_rows=_rows(roots),
        rotation_rows=_rows(rotations),
        bone_rows=None if bones is None else _rows(bones),
        firsts=read_only_view(np.concatenate([[0], np.cumsum(lengths)[:-1]]) + PADDING[0] + leads),
        signs=read_only_view(signs),
        presence=presence,
        far_apart=far_apart,
    )


def _unite_skeletons(curve: RegistrationCurve) -> tuple[RegistrationCurve, BoolArray | None]:
    """Return the curve with all joints on all clips, and which clips (J, K) had them before."""
    names = {clip.names if isinstance(clip, PointClip) else clip.skeleton.names for clip in curve.clips}
    if len(names) == 1:
        return curve, None
    body = skeleton_union([clip.skeleton for clip in curve.clips])
    clips = tuple(move_to_union(clip, body, k) for k, clip in enumerate(curve.clips))
    return replace(curve, clips=clips), body.presence


def _point_rows(clips: Sequence[PointClip]) -> tuple[list[FloatArray], list[FloatArray], list[FloatArray]]:
    """Return means (T, 3) of the points ever visible, empty rotations, and points (T, P, 3) without gaps."""
    seen = [~np.isnan(clip.positions).all(axis=(0, 2)) for clip in clips]
    points = [fill_gaps(clip.positions) for clip in clips]
    means = [own[:, kept].mean(axis=1) for own, kept in zip(points, seen, strict=True)]
    return means, [np.empty((clip.n_frames, 0, 4)) for clip in clips], points


def _extend_cycle(clip: Clip, last: float) -> Clip:
    """Extend a cyclic clip by the cycle before its first frame and up to the last frame of the curve."""
    if not clip.cyclic:
        return clip
    return extend_cycle(clip, clip.n_frames + int(np.ceil(last)) + 2).placed(travel(clip).inverse())


def _bones(clips: list[Clip]) -> list[FloatArray] | None:
    """Return local joint positions (T, J, 3) of all clips if bones move or differ, else None."""
    first = clips[0].skeleton.offsets[1:]
    same = all(np.array_equal(clip.skeleton.offsets[1:], first) for clip in clips)
    if same and all(clip.translations is None for clip in clips):
        return None
    return [clip.local_positions() for clip in clips]


def _rows(parts: list[FloatArray]) -> FloatArray:
    """Stack values (T, ...) of all clips into one table, with rows extrapolated at both ends of each clip."""
    before, after = PADDING
    padded: list[FloatArray] = []
    for part in parts:
        flat = part.reshape(len(part), part[0].size)
        first_step, last_step = flat[1] - flat[0], flat[-1] - flat[-2]
        padded += [flat[:1] - first_step * n for n in range(before, 0, -1)]
        padded.append(flat)
        padded += [flat[-1:] + last_step * n for n in range(1, after + 1)]
    return read_only_view(np.concatenate(padded))


def _align_signs(
    rotations: list[FloatArray], leads: list[int], curve: RegistrationCurve
) -> tuple[list[FloatArray], Signs, BoolArray]:
    """Choose one sign per clip and joint for the whole curve.

    Returns signed rotations, the signs of even and odd cycles, and which joints get far apart.

    A clip's quaternions are continuous in time. The sign that brings most of them into the hemisphere of the
    reference is applied to all: signs that changed along the curve, or with the weights, would make a blend
    jump. Where a clip is on the far side for a while, :mod:`motionloom.blending.hand_over` deals with it.
    """
    u = np.linspace(*curve.domain, max(MIN_SIGN_SAMPLES, int(np.ceil(np.ptp(curve.domain))) + 1))
    rows = np.rint(curve.timewarp(u) + leads).astype(int)
    yaws = rot.from_yaw(curve.alignment(u)[..., 0])
    samples = []
    for k, own in enumerate(rotations):
        at = own[rows[:, k]]
        at[:, 0] = rot.multiply(yaws[:, k], at[:, 0])
        samples.append(at)
    periodic = curve.timewarp.periods is not None
    sides = np.stack([hemisphere_signs(samples[curve.reference], own, periodic) for own in samples], axis=1)
    signs = np.where(sides.sum(axis=0, dtype=np.int64) < 0, -1.0, 1.0)
    signed = [own * signs[k, :, None] for k, own in enumerate(rotations)]
    closing = _closing_signs(np.stack(samples), curve.reference) if periodic else np.ones_like(signs)
    far_apart = _get_far_apart(np.stack(samples, axis=1) * signs[..., None]) | (closing < 0.0).any(axis=0)
    if (closing == 1.0).all():
        return signed, np.empty((1, 0, signs.shape[1]), dtype=np.int8), far_apart
    return signed, np.stack([np.ones_like(closing), closing]).astype(np.int8), far_apart


def _get_far_apart(samples: FloatArray) -> BoolArray:
    """Return which joints (J,) of quaternions (M, K, J, 4) can have a mean shorter than the edge length.

    With pairwise products of at least c, convex weights give ‖m‖² ≥ Σ w² + c (1 - Σ w²), least for w = 1/K.
    """
    n_clips = samples.shape[1]
    products = np.einsum("mkjc,mljc->jklm", samples, samples).min(axis=(1, 2, 3), initial=1.0)
    equal = 1.0 / n_clips
    return np.asarray(equal + (1.0 - equal) * products < EDGE_LENGTH**2 + FAR_APART_MARGIN)


def _closing_signs(samples: FloatArray, reference: int) -> FloatArray:
    """Return the signs (K, J) by which quaternions (K, M, J, 4) differ after a cycle, against the reference.

    A joint that turns once around in a cycle comes back with the opposite sign. Roots also turn by the travel
    of the cycle, all by the same, so what is compared is the rotation from the first sample to the last.
    """
    turned = rot.multiply(samples[:, -1], rot.inverse(samples[:, 0]))
    inner = np.einsum("kjc,jc->kj", turned, turned[reference])
    return np.where(inner < 0.0, -1.0, 1.0)
