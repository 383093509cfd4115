"""A blend in a framespace, step by step: timing, warp, root, poses, annotations."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.blending import BlendReport, BlendResult
from motionloom.blending.advance import MAX_FRAMES
from motionloom.blending.constrain import BlendedAnnotations
from motionloom.blending.hand_over import note_hand_overs
from motionloom.blending.result import assemble_clip
from motionloom.errors import ParameterError
from motionloom.framespace.annotations import MatchedAnnotations, blend_annotations, match_annotations
from motionloom.framespace.basis_clips import BasisFrames
from motionloom.framespace.interpolant import (
    Interpolant,
    InterpolantLike,
    Shape,
    as_interpolant,
    count_coordinates,
    weights_at,
)
from motionloom.framespace.poses import Track, blend_poses, upper_fractions
from motionloom.framespace.root import blend_root
from motionloom.framespace.warp import PartTiming, cyclic_weights
from motionloom.geometry import GroundTransform, splines
from motionloom.messages import Argument
from motionloom.options.blending import Average
from motionloom.validation import check_count, check_positive

LOOP_TOLERANCE = 1e-9
"""By how much the number of cycles of a loop may miss a whole one, and the weights at its ends each other."""

VISIBLE_WEIGHT = 0.01
"""Weight at which an acyclic clip becomes visible and begins to play; a spline leaves zero long before."""

MAX_SAMPLES = 10_000_000
"""Samples of the interpolant in one blend; the longest one has half as many at the default rate."""

ROUNDING = 1e-9
"""Cycles by which the last frame may miss the whole cycle that it ends."""

WHOLE_FRAME = 1e-6
"""Frames by which a duration may miss a whole number and count as one."""


@dataclass(frozen=True, eq=False)
class Basis:
    """The basis clips of a framespace and how they correspond.

    Attributes
    ----------
    shape
        The shape of the space.
    frames
        The frames of its K clips.
    lower, upper
        How the cyclic ones correspond: in the lower body, and in the upper one where it is decoupled. Without
        an upper part, the lower one stands for the whole body.
    """

    shape: Shape
    frames: BasisFrames
    lower: PartTiming
    upper: PartTiming | None

    @property
    def frame_time(self) -> float:
        """Seconds per frame, the same for all clips."""
        return self.frames.clips[0].frame_time

    def periods_at(self, weights: FloatArray) -> FloatArray:
        """Return seconds per cycle (S,) for weights (S, K): the mean of the cyclic clips' periods."""
        periods = self.frames.lengths[self.frames.cyclic] * self.frame_time
        return cyclic_weights(weights, self.frames.cyclic) @ periods

    @cached_property
    def annotations(self) -> tuple[MatchedAnnotations, MatchedAnnotations | None]:
        """Matched annotations of the lower or whole body, and of a decoupled upper one, else None."""
        if self.upper is None:
            return self._match(self.lower, None), None
        skeleton = self.frames.clips[0].skeleton
        fractions = zip(skeleton.names, upper_fractions(skeleton), strict=True)
        above = {name for name, fraction in fractions if fraction}
        return self._match(self.lower, set(skeleton.names) - above), self._match(self.upper, above)

    def _match(self, part: PartTiming, joints: Collection[str] | None) -> MatchedAnnotations:
        both = zip(self.frames.clips, self.frames.cyclic, strict=True)
        return match_annotations([clip for clip, cyclic in both if cyclic], part.warp, joints)


@dataclass(frozen=True, kw_only=True, eq=False)
class FramespaceReport(BlendReport):
    """The report of :meth:`motionloom.Framespace.blend`.

    Attributes
    ----------
    frame_time
        Seconds per output frame.
    cycles
        (T,) cycles passed at each output frame.
    points
        (T, D) coordinates of the interpolant there: v, and in a box w.
    upper_weights, upper_frames
        (T, K) weights and source frames, within one cycle, of a decoupled upper body; else None.
    """

    frame_time: float
    cycles: FloatArray
    points: FloatArray
    upper_weights: FloatArray | None = None
    upper_frames: FloatArray | None = None

    @property
    def cycle_frames(self) -> FloatArray:
        """The fractional frames at which cycles begin and end.

        >>> cycles, points = np.linspace(0, 2, 5), np.zeros((5, 1))
        >>> FramespaceReport(method="framespace", frame_time=0.5, cycles=cycles, points=points).cycle_frames
        array([0., 2., 4.])
        """
        whole = np.arange(int(np.floor(self.cycles[-1] + ROUNDING)) + 1)
        return np.asarray(np.interp(whole, self.cycles, np.arange(len(self.cycles))))

    @property
    def cycle_durations(self) -> FloatArray:
        """Seconds that each whole cycle takes, in order."""
        return np.asarray(np.diff(self.cycle_frames) * self.frame_time)

    def __repr__(self) -> str:
        n_notes = len(self.notes)
        notes = f"; {n_notes} note{'' if n_notes == 1 else 's'}" if n_notes else ""
        return f"FramespaceReport({len(self.cycles)} frames, {self.cycles[-1]:.2f} cycles{notes})"


@dataclass(frozen=True, eq=False)
class _Curve:
    """An interpolant within a framespace."""

    basis: Basis
    interpolant: Interpolant

    def points(self, x: FloatArray) -> FloatArray:
        """Return coordinates (S, D), inside the space, at x (S,)."""
        rows = self.interpolant(x)
        wanted = count_coordinates(self.basis.shape)
        if rows.shape[1] != wanted:
            names = "v" if wanted == 1 else "v and w"
            raise ParameterError(
                f"an interpolant in a {self.basis.shape} has {names} at each x, not {rows.shape[1]} numbers"
            )
        return np.clip(rows, 0.0, 1.0)

    def weights(self, x: FloatArray) -> FloatArray:
        """Return weights (S, K) at x (S,)."""
        return weights_at(self.points(x), self.basis.shape, len(self.basis.frames.clips))


@dataclass(frozen=True, eq=False)
class _Timing:
    """Seconds (T,) and cycles (T,) of the output frames, and x (S,) of the samples of the interpolant."""

    clock: CycleClock
    x: FloatArray
    times: FloatArray
    cycles: FloatArray


def blend_along(
    basis: Basis,
    interpolant: InterpolantLike,
    *,
    cycles: float,
    samples: int,
    upper: InterpolantLike | None,
    place: GroundTransform | None,
    average: Average,
    loop: bool,
) -> BlendResult[FramespaceReport]:
    """Blend along an interpolant; :meth:`motionloom.Framespace.blend` describes the parameters."""
    total = check_positive("cycles", cycles)
    check_count("samples", samples)
    _check_size(basis.frames, total, samples)
    curve = _Curve(basis, as_interpolant(interpolant))
    upper_curve = _make_upper_curve(basis, curve, upper)
    if loop:
        _check_loop([curve] if upper_curve is None else [curve, upper_curve], total, basis.frames)
    # 1. Where along the interpolant every output frame lies (equations 13 and 14).
    timing = _plan_timing(basis, curve, total, samples, loop)
    # 2. Which source frames both halves of the body show (equations 7 to 10).
    points = curve.points(timing.cycles / total)
    weights = weights_at(points, basis.shape, len(basis.frames.clips))
    lower_track = _make_track(basis.frames, basis.lower, timing.cycles, weights, timing.times)
    upper_track = None if upper_curve is None else _make_upper_track(basis, curve, upper_curve, timing, total)
    # 3. The path of the root, and the mean of the poses (equations 11 and 12).
    path = blend_root(basis.frames, lower_track.frames, lower_track.weights, place)
    averaged = blend_poses(basis.frames, lower_track, upper_track, path, average, loop)
    # 4. Constraints and events.
    annotations = _blend_annotations(basis, lower_track, upper_track, total if loop else None)
    report = FramespaceReport(
        method="framespace",
        notes=(
            *_find_notes(curve, lower_track),
            *annotations.notes,
            *note_hand_overs(averaged.hand_overs, basis.frames.clips),
        ),
        hand_overs=averaged.hand_overs,
        frame_time=basis.frame_time,
        cycles=freeze(timing.cycles),
        points=freeze(points),
        upper_weights=None if upper_track is None else freeze(upper_track.weights),
        upper_frames=None if upper_track is None else freeze(basis.frames.wrap(upper_track.frames)[0]),
    )
    return BlendResult(
        clip=assemble_clip(basis.frames.clips[0], averaged.poses, annotations, cyclic=loop),
        report=report,
        u=freeze(lower_track.u),
        weights=freeze(lower_track.weights),
        frames=freeze(basis.frames.wrap(lower_track.frames)[0]),
        placements=freeze(path.placements),
    )


def _check_size(frames: BasisFrames, cycles: float, samples: int) -> None:
    n_frames = cycles * float(frames.lengths[frames.cyclic].min())
    if n_frames > MAX_FRAMES:
        raise ParameterError(
            f"{cycles:g} cycles make {n_frames:.3g} frames or more: at most {MAX_FRAMES} are allowed"
        )
    if samples > MAX_SAMPLES or cycles * samples > MAX_SAMPLES:
        raise ParameterError(
            f"{cycles:g} cycles of {samples} samples are more than {MAX_SAMPLES} samples", remedy="take fewer"
        )


def _find_notes(curve: _Curve, track: Track) -> list[str]:
    notes = []
    if curve.interpolant.is_clipped:
        notes.append("vertices outside the space were moved to its border")
    if (np.diff(track.u) < 0.0).any():
        notes.append("the weights change so fast that time runs back for a moment: use more cycles")
    return notes


def _make_upper_curve(basis: Basis, lower: _Curve, upper: InterpolantLike | None) -> _Curve | None:
    """Return the interpolant of a decoupled upper body: its own, or that of the lower one."""
    if basis.upper is None:
        if upper is not None:
            raise ParameterError(
                (
                    "needs a space whose halves are decoupled: Framespace(…, ",
                    Argument("decoupled", True),
                    ")",
                ),
                parameter="upper",
            )
        return None
    return lower if upper is None else _Curve(basis, as_interpolant(upper))


def _check_loop(curves: list[_Curve], cycles: float, frames: BasisFrames) -> None:
    if abs(cycles - round(cycles)) > LOOP_TOLERANCE:
        raise ParameterError(f"a loop takes a whole number of cycles, not {cycles:g}")
    if not frames.cyclic.all():
        raise ParameterError("a space with an acyclic clip makes no loop: that clip is played once")
    for curve in curves:
        first, last = curve.points(np.array([0.0, 1.0]))
        if np.abs(first - last).max() > LOOP_TOLERANCE:
            shown = " and ".join(", ".join(f"{value:g}" for value in row) for row in (first, last))
            raise ParameterError(f"the interpolant of a loop must end where it begins, not at {shown}")


def _plan_timing(basis: Basis, curve: _Curve, cycles: float, samples: int, loop: bool) -> _Timing:
    """Evaluate equations 13 and 14 at the times of the output frames."""
    x = np.linspace(0.0, 1.0, max(1, round(cycles * samples)) + 1)
    clock = CycleClock(cycles / (len(x) - 1), basis.periods_at(curve.weights(x)))
    times = frame_times(clock.duration, basis.frame_time, loop)
    return _Timing(clock, x, times, clock.cycles_at(times))


def _make_upper_track(basis: Basis, lower: _Curve, upper: _Curve, timing: _Timing, total: float) -> Track:
    """Return the track of the upper body, which passes its cycles at its own frequency."""
    assert basis.upper is not None
    cycles = timing.cycles
    if upper is not lower:
        cycles = timing.clock.cycles_at_rates(basis.periods_at(upper.weights(timing.x)), cycles)
    weights = upper.weights(timing.cycles / total)
    return _make_track(basis.frames, basis.upper, cycles, weights, timing.times)


def _make_track(
    frames: BasisFrames, part: PartTiming, cycles: FloatArray, weights: FloatArray, times: FloatArray
) -> Track:
    """Find the source frames at cycles (T,) and times (T,), seconds, for weights (T, K)."""
    among_cyclic = cyclic_weights(weights, frames.cyclic)
    cycle_times = cycles + among_cyclic @ part.lags
    u, phases = part.warp.moments(cycle_times, among_cyclic)
    sources = np.empty_like(weights)
    sources[:, frames.cyclic] = phases * frames.lengths[frames.cyclic]
    for k in np.flatnonzero(~frames.cyclic).tolist():
        # An acyclic clip begins to play when it becomes visible.
        visible = np.flatnonzero(weights[:, k] > VISIBLE_WEIGHT)
        start = float(times[visible[0]]) if visible.size else float(times[-1])
        played = (times - start) / frames.clips[k].frame_time
        sources[:, k] = np.clip(played, 0.0, frames.lengths[k] - 1.0)
    return Track(cycle_times, u, weights, sources)


def _blend_annotations(
    basis: Basis, lower: Track, upper: Track | None, loop: float | None
) -> BlendedAnnotations:
    """Blend constraints and events of both halves; ``loop`` is the number of cycles that close."""
    parts = []
    for found, track in zip(basis.annotations, (lower, upper), strict=True):
        if found is None or track is None:
            continue
        times, weights = track.times, cyclic_weights(track.weights, basis.frames.cyclic)
        if loop is not None:
            # The row that closes a loop is no frame, but annotations extend to it.
            times, weights = np.append(times, times[0] + loop), np.concatenate([weights, weights[:1]])
        parts.append(blend_annotations(found, times, weights))
    return BlendedAnnotations(
        tuple(constraint for part in parts for constraint in part.constraints),
        tuple(event for part in parts for event in part.events),
        tuple(note for part in parts for note in part.notes),
    )


@dataclass(frozen=True, eq=False)
class CycleClock:
    """The times at which a blend passes its cycles: equations 13 and 14.

    From one sample of the interpolant to the next, time advances by the weighted mean of the clips' own
    steps, so a cycle takes the weighted mean of their periods. Between samples that rate is linear.

    Attributes
    ----------
    step
        Cycles from one sample to the next.
    rates
        (S + 1,) seconds per cycle at the samples.

    >>> clock = CycleClock(0.25, np.array([2.0, 2.0, 2.0]))
    >>> clock.duration, clock.cycles_at(np.array([0.0, 0.5, 1.0])).tolist()
    (1.0, [0.0, 0.25, 0.5])
    """

    step: float
    rates: FloatArray

    @property
    def duration(self) -> float:
        """Duration of the blend, seconds."""
        return float((self.rates[0] + self.rates[-1]) / 2.0 + self.rates[1:-1].sum()) * self.step

    def cycles_at(self, times: FloatArray) -> FloatArray:
        """Return the cycles (T,) passed at times (T,), seconds."""
        return splines.inverse(_integrate(self.rates * self.step), times) * self.step

    def cycles_at_rates(self, rates: FloatArray, cycles: FloatArray) -> FloatArray:
        """Return the cycles (T,) of a part with its own ``rates`` (S + 1,) after ``cycles`` (T,) of these."""
        control = _integrate(self.rates / rates * self.step)
        return np.asarray(splines.evaluate(control[:, None], cycles / self.step)[:, 0])


def frame_times(duration: float, frame_time: float, loop: bool) -> FloatArray:
    """Return the times (T,) of the output frames, seconds.

    A loop takes a whole number of frames, without the one that closes it; for that its frames lie a little
    closer together or farther apart than ``frame_time``.

    >>> frame_times(1.02, 0.1, False).round(3).tolist()[-2:]
    [0.9, 1.0]
    >>> frame_times(1.02, 0.1, True).round(3).tolist()[-2:]
    [0.816, 0.918]
    """
    length = duration / frame_time
    if loop:
        n_frames = max(1, round(length))
        return np.arange(n_frames, dtype=np.float64) * (duration / n_frames)
    return np.arange(int(np.floor(length + WHOLE_FRAME)) + 1, dtype=np.float64) * frame_time


def _integrate(slopes: FloatArray) -> FloatArray:
    """Return control points (S + 2,) of the quadratic B-spline from 0 with slopes (S + 1,) at its knots."""
    return np.asarray(np.concatenate([[0.0], np.cumsum(slopes)]) - slopes[0] / 2.0)
