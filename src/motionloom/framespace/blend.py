"""A blend in a framespace, step by step."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.blending import BlendReport, BlendResult
from motionloom.blending.advance import MAX_FRAMES
from motionloom.blending.average import Average
from motionloom.blending.constrain import BlendedAnnotations
from motionloom.blending.result import assemble_clip
from motionloom.errors import ParameterError
from motionloom.framespace.annotations import MatchedAnnotations, blended_annotations, matched_annotations
from motionloom.framespace.basis_clips import FrameSources
from motionloom.framespace.interpolant import (
    Interpolant,
    InterpolantLike,
    Shape,
    as_interpolant,
    dimensions,
    weights_at,
)
from motionloom.framespace.poses import Track, posed, upper_shares
from motionloom.framespace.root import root_path
from motionloom.framespace.timing import Clock, frame_times
from motionloom.framespace.warp import TimedPart, among_cyclic
from motionloom.geometry import GroundTransform
from motionloom.validation import check_count, check_positive

SAME = 1e-9
"""By how much the number of cycles of a loop may miss a whole one, and the weights at its ends each other."""

COUNTS = 0.01
"""Weight from which on an acyclic clip is seen and so begins to play; a spline leaves zero long before."""

MOST_SAMPLES = 10_000_000
"""Samples of the interpolant in one blend; the longest one has half as many at the usual rate."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Request:
    """What a caller wants blended: see :meth:`~motionloom.framespace.framespace.Framespace.blend`."""

    interpolant: InterpolantLike
    upper: InterpolantLike | None
    cycles: float
    samples: int
    place: GroundTransform | None
    average: Average
    loop: bool


@dataclass(frozen=True, eq=False)
class Curve:
    """An interpolant within a framespace: points (S, D) and weights (S, K) at places x (S,)."""

    layout: Layout
    interpolant: Interpolant

    def points(self, x: FloatArray) -> FloatArray:
        """Coordinates (S, D), inside the space."""
        rows = self.interpolant(x)
        wanted = dimensions(self.layout.shape)
        if rows.shape[1] != wanted:
            names = "v" if wanted == 1 else "v and w"
            raise ParameterError(
                f"an interpolant in a {self.layout.shape} has {names} at each x, not {rows.shape[1]} numbers"
            )
        return np.clip(rows, 0.0, 1.0)

    def weights(self, x: FloatArray) -> FloatArray:
        """Weights (S, K)."""
        return self.layout.weights(self.points(x))


@dataclass(frozen=True, eq=False)
class Pace:
    """When a blend passes what: seconds (T,) and cycles (T,) of its frames, places x (S,) of the samples."""

    clock: Clock
    x: FloatArray
    seconds: FloatArray
    cycles: FloatArray


def blended(layout: Layout, request: Request) -> BlendResult:
    """Follow the interpolant: timing, warp, root, poses, annotations."""
    total = check_positive("cycles", request.cycles)
    check_count("samples", request.samples)
    _check_size(layout.sources, total, request.samples)
    curve = Curve(layout, as_interpolant(request.interpolant))
    above = _upper_curve(layout, request, curve)
    if request.loop:
        _check_loop([curve] if above is None else [curve, above], total, layout.sources)
    # 1. When: where along the interpolant every output frame lies.
    pace = _pace(layout, curve, request)
    # 2. What: the source frames of both halves, where they lead, and their mean.
    points = curve.points(pace.cycles / total)
    lower = _track(layout.sources, layout.lower, pace.cycles, layout.weights(points), pace.seconds)
    upper = None if above is None else _upper_track(layout, curve, above, pace, total)
    path = root_path(layout.sources, lower.frames, lower.weights, request.place)
    poses = posed(layout.sources, lower, upper, path, request.average)
    # 3. What the blend carries.
    found = _annotations(layout, lower, upper, total if request.loop else None)
    report = FramespaceReport(
        method="framespace",
        notes=(*_notes(curve, lower), *found.notes),
        frame_time=layout.frame_time,
        cycles=freeze(pace.cycles),
        points=freeze(points),
        upper_weights=None if upper is None else freeze(upper.weights),
        upper_frames=None if upper is None else freeze(layout.sources.within(upper.frames)[0]),
    )
    return BlendResult(
        clip=assemble_clip(layout.sources.clips[0], poses, found, report, cyclic=request.loop),
        u=freeze(lower.u),
        weights=freeze(lower.weights),
        frames=freeze(layout.sources.within(lower.frames)[0]),
        placements=freeze(path.placements),
    )


def _check_size(sources: FrameSources, cycles: float, samples: int) -> None:
    frames = cycles * float(sources.lengths[sources.cyclic].min())
    if frames > MAX_FRAMES:
        raise ParameterError(
            f"{cycles:g} cycles make {frames:.3g} frames or more: more than {MAX_FRAMES} are refused"
        )
    if cycles * samples > MOST_SAMPLES:
        raise ParameterError(
            f"{cycles:g} cycles of {samples} samples are more than {MOST_SAMPLES} samples: take fewer"
        )


def _notes(curve: Curve, track: Track) -> list[str]:
    notes = []
    if curve.interpolant.moved:
        notes.append("vertices outside the space were brought to its border")
    if (np.diff(track.u) < 0.0).any():
        notes.append("the weights change so fast that time runs back for a moment: use more cycles")
    return notes


def _upper_curve(layout: Layout, request: Request, curve: Curve) -> Curve | None:
    """The interpolant of a decoupled upper body: its own, or that of the lower one."""
    if layout.upper is None:
        if request.upper is not None:
            raise ParameterError(
                "upper needs a space whose halves are decoupled: Framespace(…, decoupled=True)"
            )
        return None
    return curve if request.upper is None else Curve(layout, as_interpolant(request.upper))


def _check_loop(curves: list[Curve], cycles: float, sources: FrameSources) -> None:
    if abs(cycles - round(cycles)) > SAME:
        raise ParameterError(f"a loop takes a whole number of cycles, not {cycles:g}")
    if not sources.cyclic.all():
        raise ParameterError("a space with an acyclic clip makes no loop: that clip is played once")
    for curve in curves:
        first, last = curve.points(np.array([0.0, 1.0]))
        if np.abs(first - last).max() > SAME:
            shown = " and ".join(", ".join(f"{value:g}" for value in row) for row in (first, last))
            raise ParameterError(f"the interpolant of a loop ends where it begins, not at {shown}")


def _pace(layout: Layout, curve: Curve, request: Request) -> Pace:
    """Equations 13 and 14, evaluated at the times of the output frames."""
    x = np.linspace(0.0, 1.0, max(1, round(request.cycles * request.samples)) + 1)
    clock = Clock(request.cycles / (len(x) - 1), layout.cycle_seconds(curve.weights(x)))
    seconds = frame_times(clock.seconds, layout.frame_time, request.loop)
    return Pace(clock, x, seconds, clock.cycles_at(seconds))


def _upper_track(layout: Layout, lower: Curve, upper: Curve, pace: Pace, total: float) -> Track:
    """The track of the upper body, which passes its cycles at its own frequency."""
    assert layout.upper is not None
    cycles = pace.cycles
    if upper is not lower:
        cycles = pace.clock.other_cycles(layout.cycle_seconds(upper.weights(pace.x)), cycles)
    weights = upper.weights(pace.cycles / total)
    return _track(layout.sources, layout.upper, cycles, weights, pace.seconds)


def _track(
    sources: FrameSources, part: TimedPart, cycles: FloatArray, weights: FloatArray, seconds: FloatArray
) -> Track:
    """Equations 7 to 10: the source frames at these cycles (T,), for weights (T, K)."""
    among = among_cyclic(weights, sources.cyclic)
    times = cycles + among @ part.lags
    u, phases = part.warp.moments(times, among)
    frames = np.empty_like(weights)
    frames[:, sources.cyclic] = phases * sources.lengths[sources.cyclic]
    for k in np.flatnonzero(~sources.cyclic).tolist():
        played = (seconds - _beginning(seconds, weights[:, k])) / sources.clips[k].frame_time
        frames[:, k] = np.clip(played, 0.0, sources.lengths[k] - 1.0)
    return Track(times, u, weights, frames)


def _beginning(seconds: FloatArray, weights: FloatArray) -> float:
    """The time at which weights (T,) begin to count."""
    counting = np.flatnonzero(weights > COUNTS)
    return float(seconds[counting[0]]) if counting.size else float(seconds[-1])


def _annotations(layout: Layout, lower: Track, upper: Track | None, loop: float | None) -> BlendedAnnotations:
    """Constraints and events of both halves; ``loop`` is the number of cycles that close."""
    made = []
    for found, track in zip(layout.annotations, (lower, upper), strict=True):
        if found is None or track is None:
            continue
        times, weights = track.times, among_cyclic(track.weights, layout.sources.cyclic)
        if loop is not None:
            # The row that closes a loop is no frame, but annotations look that far.
            times, weights = np.append(times, times[0] + loop), np.concatenate([weights, weights[:1]])
        made.append(blended_annotations(found, times, weights))
    return BlendedAnnotations(
        tuple(held for own in made for held in own.constraints),
        tuple(event for own in made for event in own.events),
        tuple(note for own in made for note in own.notes),
    )


@dataclass(frozen=True, eq=False)
class Layout:
    """The inside of a framespace.

    Attributes
    ----------
    shape
        Its shape.
    sources
        Its K clips.
    lower, upper
        How the cyclic ones correspond: in the lower body, and in the upper one where it is decoupled. Without
        an upper part, the lower one stands for the whole body.
    """

    shape: Shape
    sources: FrameSources
    lower: TimedPart
    upper: TimedPart | None

    @property
    def n_clips(self) -> int:
        """The number of clips K."""
        return len(self.sources.clips)

    @property
    def frame_time(self) -> float:
        """Seconds per frame, the same for all clips."""
        return self.sources.clips[0].frame_time

    def weights(self, points: FloatArray) -> FloatArray:
        """Weights (S, K) at points (S, D)."""
        return weights_at(points, self.shape, self.n_clips)

    def cycle_seconds(self, weights: FloatArray) -> FloatArray:
        """Seconds per cycle (S,) for weights (S, K): the mean of the cyclic clips' periods."""
        periods = self.sources.lengths[self.sources.cyclic] * self.frame_time
        return among_cyclic(weights, self.sources.cyclic) @ periods

    @cached_property
    def annotations(self) -> tuple[MatchedAnnotations, MatchedAnnotations | None]:
        """What the cyclic clips share: for the lower or whole body, and for a decoupled upper one."""
        if self.upper is None:
            return self._matched(self.lower, None), None
        skeleton = self.sources.clips[0].skeleton
        above = {name for name, share in zip(skeleton.names, upper_shares(skeleton), strict=True) if share}
        return self._matched(self.lower, set(skeleton.names) - above), self._matched(self.upper, above)

    def _matched(self, part: TimedPart, joints: Collection[str] | None) -> MatchedAnnotations:
        clips = [
            clip for clip, repeats in zip(self.sources.clips, self.sources.cyclic, strict=True) if repeats
        ]
        return matched_annotations(clips, part.warp, joints)


ROUNDING = 1e-9
"""Cycles by which the last frame may miss a whole one that it stands for."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FramespaceReport(BlendReport):
    """The report of a clip that a framespace made.

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
    def cycle_seconds(self) -> FloatArray:
        """Seconds that each whole cycle takes, in order."""
        return np.asarray(np.diff(self.cycle_frames) * self.frame_time)
