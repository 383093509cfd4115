"""Clips of markers: named points without a skeleton."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray, as_read_only, freeze
from motionloom.errors import ParameterError
from motionloom.geometry.ground_transform import GroundTransform
from motionloom.motion import sampling
from motionloom.motion.annotations import Constraint, Event, check_constraints, retime_annotations
from motionloom.motion.measurements import Analog, ForcePlate, retime_analog, retime_plates
from motionloom.motion.provenance import OWN_SOURCE, Provenance, Source, derive, hash_content
from motionloom.validation import check_frame_time, check_names, check_positive


@dataclass(frozen=True, eq=False)
class PointClip(sampling.SampledMotion):
    """Named points sampled at equal steps of time; gaps in the capture are NaN.

    Attributes
    ----------
    names
        P unique point names.
    frame_time
        Seconds from one frame to the next.
    positions
        (T, P, 3) world positions, metres, Y up; NaN where a point was not seen.
    source
        The file that the clip was read from.
    provenance
        Which frames of which motion these are, and what was done to them.
    constraints
        Intervals in which points stay in place, by point name, from :func:`motionloom.annotate`.
    events
        Labelled instants.
    cyclic
        Whether the last frame leads on to the first.
    residuals
        (T, P) how far the rays of the cameras missed each point, metres, or None where that is unknown.
    force_plates
        What the plates in the floor measured; cuts, changes of rate and placements keep them in step.
    analog
        What else was measured, or None; kept in step as well.

    >>> clip = PointClip(["a"], 0.5, [[[0, 0, 0]], [[0, 2, 0]]])
    >>> clip.at(0.5).tolist(), clip.duration
    ([[0.0, 1.0, 0.0]], 0.5)
    """

    names: tuple[str, ...]
    frame_time: float
    positions: FloatArray
    source: Source = field(default_factory=Source)
    provenance: Provenance = OWN_SOURCE

    constraints: tuple[Constraint, ...] = ()
    events: tuple[Event, ...] = ()
    cyclic: bool = False
    residuals: FloatArray | None = field(default=None, repr=False)
    force_plates: tuple[ForcePlate, ...] = ()
    analog: Analog | None = None

    def __post_init__(self) -> None:
        names = check_names("point names", self.names)
        try:
            positions = as_read_only(self.positions)
        except (TypeError, ValueError, OverflowError) as error:
            raise ParameterError(
                f"must be numbers of shape (T, {len(names)}, 3): {error}", parameter="positions"
            ) from None
        if positions.ndim != 3 or positions.shape[1:] != (len(names), 3):
            raise ParameterError(
                f"must have shape (T, {len(names)}, 3), not {positions.shape}",
                parameter="positions",
            )
        if np.isinf(positions).any():
            raise ParameterError(
                "must be finite, or NaN where a point was not seen: one is infinite", parameter="positions"
            )
        put = object.__setattr__
        put(self, "names", names)
        put(self, "frame_time", check_frame_time(self.frame_time))
        put(self, "positions", positions)
        put(self, "constraints", check_constraints(self.constraints, names))
        put(self, "events", tuple(self.events))
        put(self, "force_plates", tuple(self.force_plates))
        if self.residuals is not None:
            residuals = as_read_only(self.residuals)
            if residuals.shape != positions.shape[:2]:
                raise ParameterError(
                    f"must have shape {positions.shape[:2]}, not {residuals.shape}",
                    parameter="residuals",
                )
            put(self, "residuals", residuals)

    @property
    def n_frames(self) -> int:
        """The number of frames T."""
        return len(self.positions)

    def __repr__(self) -> str:
        counts = [f"{len(self.names)} points"]
        if self.constraints:
            counts.append(f"{len(self.constraints)} constraints")
        if self.force_plates:
            counts.append(f"{len(self.force_plates)} force plates")
        return f"PointClip({self.n_frames} frames at {self.fps:.6g} fps, {', '.join(counts)})"

    @overload
    def __getitem__(self, frames: int) -> FloatArray: ...
    @overload
    def __getitem__(self, frames: slice) -> PointClip: ...
    def __getitem__(self, frames: int | slice) -> FloatArray | PointClip:
        """A slice of frames as a clip; or the positions (P, 3) of one frame."""
        if not isinstance(frames, slice):
            return self.at(range(self.n_frames)[frames])
        first, step = sampling.check_slice(frames, self.n_frames)
        return self._edit("cut", self.positions[frames], self.frame_time * step, start=first, rate=step)

    def at(self, frames: npt.ArrayLike) -> FloatArray:
        """Return positions (..., P, 3) at fractional frames (...), interpolated linearly; NaN beside gaps."""
        wanted = sampling.check_frames(frames, self.n_frames)
        return np.asarray(freeze(sampling.sample_vectors(self.positions, wanted)))

    def resampled(self, fps: float) -> PointClip:
        """Return the motion at another frame rate."""
        frames = sampling.frames_at_rate(self.n_frames, self.frame_time, fps)
        frame_time = sampling.frame_time_of(fps)
        if np.array_equal(frames, np.arange(self.n_frames)):
            return self._edit("resampled", self.positions, frame_time)
        return self._edit("resampled", self.at(frames), frame_time, rate=frame_time / self.frame_time)

    def sped_up(self, factor: float) -> PointClip:
        """Return the motion played ``factor`` times as fast, at the same frame rate."""
        factor = check_positive("a speed factor", factor)
        if factor == 1.0 or self.n_frames < 2:
            return self
        frames = sampling.frames_by_step(self.n_frames, factor)
        return self._edit("sped up", self.at(frames), self.frame_time, rate=factor)

    def show(self) -> None:
        """Show the points: below the cell of a notebook, elsewhere as a page in the browser."""
        import motionloom

        motionloom.show(self)

    def reversed(self) -> PointClip:
        """Return the motion played backwards."""
        last = max(self.n_frames - 1, 0)
        return self._edit("reversed", self.positions[::-1], self.frame_time, start=last, rate=-1.0)

    def placed(self, transform: GroundTransform) -> PointClip:
        """Return the motion moved over the ground."""
        moved = self._edit("placed", freeze(transform.apply(self.positions)), self.frame_time)
        held = (
            c if c.target is None else replace(c, target=transform.apply(c.target)) for c in self.constraints
        )
        plates = tuple(plate.placed(transform) for plate in self.force_plates)
        return replace(moved, constraints=tuple(held), force_plates=plates)

    def content_hash(self, *, annotations: bool = True) -> str:
        """Return a hash of names, frame time and positions, with or without the annotations."""
        if not annotations or not (self.constraints or self.events or self.cyclic):
            return self._content_hash
        held = [(c.joint, c.kind, c.start, c.end, c.point.tolist(), str(c.target)) for c in self.constraints]
        marks = [(event.frame, event.label, event.joint) for event in self.events]
        return hash_content((self._content_hash, str(held), str(marks), self.cyclic), [])

    @cached_property
    def _content_hash(self) -> str:
        return hash_content((self.names, self.frame_time), [self.positions])

    def _edit(
        self, step: str, positions: FloatArray, frame_time: float, *, start: float = 0.0, rate: float = 1.0
    ) -> PointClip:
        provenance = derive(self, step, start=start, rate=rate)
        last = max(len(positions) - 1, 0)
        constraints, events = retime_annotations(
            self.constraints, self.events, 1.0 / rate, -start / rate, float(last)
        )
        same = positions is self.positions or step == "placed"
        residuals = self.residuals
        if residuals is not None and not same:
            frames = np.clip(start + rate * np.arange(len(positions)), 0, max(self.n_frames - 1, 0))
            residuals = freeze(sampling.sample_vectors(residuals[..., None], frames)[..., 0])
        # A second of the clip before is so many seconds now, and its first frame lay so much later.
        scale, shift = frame_time / (rate * self.frame_time), -start / rate * frame_time
        duration = len(positions) * frame_time
        return replace(
            self,
            frame_time=frame_time,
            positions=positions,
            provenance=provenance,
            constraints=self.constraints if same else constraints,
            events=self.events if same else events,
            cyclic=self.cyclic and same,
            residuals=residuals,
            force_plates=retime_plates(self.force_plates, scale, shift, duration),
            analog=retime_analog(self.analog, scale, shift, duration),
        )


def fill_gaps(positions: FloatArray) -> FloatArray:
    """Return positions (T, P, 3) with gaps (NaN) interpolated linearly in time and held at the ends.

    A point that is never seen lies at the origin.

    >>> fill_gaps(np.array([[[0.0, 0, 0]], [[np.nan] * 3], [[4.0, 2, 0]]]))[1, 0].tolist()
    [2.0, 1.0, 0.0]
    """
    result = np.array(positions)
    seen = ~np.isnan(positions[..., 0])
    frames = np.arange(len(positions))
    for point in np.flatnonzero(~seen.all(axis=0)):
        known = seen[:, point]
        for axis in range(3):
            values = positions[known, point, axis]
            result[:, point, axis] = np.interp(frames, frames[known], values) if values.size else 0.0
    return result


def max_gap_lengths(clip: PointClip) -> IntArray:
    """Return for each point (P,) the length of its longest gap in frames.

    >>> max_gap_lengths(PointClip(["a"], 0.1, [[[0, 0, 0]], [[np.nan] * 3], [[np.nan] * 3]])).tolist()
    [2]
    """
    lengths = running = np.zeros(len(clip.names), dtype=np.int64)
    for unseen in np.isnan(clip.positions[..., 0]):
        running = np.where(unseen, running + 1, 0)
        lengths = np.maximum(lengths, running)
    return lengths
