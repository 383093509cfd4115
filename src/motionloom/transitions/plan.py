"""Plan a transition: where it is made and how wide it is, given the request and the motion there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry.ground_transform import compose_rows
from motionloom.motion import Clip
from motionloom.motion.sampling import WHOLE_FRAME
from motionloom.motion.unroll import travel, unroll
from motionloom.registration.distance import distance
from motionloom.registration.dtw import Cell
from motionloom.transitions.request import MIN_HALF_WIDTH, Room, TransitionRequest

SPARE_ROOM = 1.15
"""How much more motion is required than the clips' mean rates need: rates differ between strides."""

NARROWING = 0.85
"""Factor by which a default width is narrowed at a time if the clips are too short for it."""

MAX_CENTRES = 12
"""Centres that are tried for one width, the best first, before it is refused."""

ENOUGH_LENGTH = 2.0
"""A cyclic clip this many times as long as what is taken of it has enough centres without repetition."""

MAX_GRID_CELLS = 4_000_000
"""Cells of a distance grid that is computed whole; longer clips are compared in larger steps first."""

MIN_SEPARATION = 0.1
"""Seconds between two transition points, in both clips."""

SAME_DISTANCE = 1e-6
"""Relative difference below which two distances are equal, as in clips that repeat."""


class TooShortError(ParameterError):
    """Clips with too little motion for a transition of some ``seconds``.

    ``missing`` is the number of seconds that are missing. ``words`` name the width, the centre and the
    repetition of clips as the caller knows them.
    """

    def __init__(
        self, seconds: float, missing: float, words: Sequence[str] = ("half_width", "at", "loop=True")
    ) -> None:
        self.seconds = seconds
        self.missing = missing
        width, centre, repeat = words
        super().__init__(
            f"a transition of {seconds:.2f} s does not fit: {missing:.2f} s of motion are missing; "
            f"use a smaller {width}, choose another centre ({centre}), or let cyclic clips repeat ({repeat})"
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class UnrolledClip:
    """A clip, cyclic ones repeated, and how its frames are found again in the clip that was given.

    Attributes
    ----------
    clip
        The unrolled clip; not cyclic.
    period
        Frames of one cycle of the given clip, or None if it is not repeated.
    cycle_travel
        Ground transform of one cycle.
    shift
        Frame of the given clip, counted on from cycle to cycle, at which the unrolled one begins.
    transform
        Where the given clip was placed.
    """

    clip: Clip
    period: int | None = None
    cycle_travel: GroundTransform = field(default_factory=GroundTransform)
    shift: int = 0
    transform: GroundTransform = field(default_factory=GroundTransform)

    def source_frame(self, frame: int) -> int:
        """Return the frame of the given clip that is a frame of the unrolled one."""
        return frame + self.shift if self.period is None else (frame + self.shift) % self.period

    def continue_from(self, first: int, transform: GroundTransform) -> UnrolledClip:
        """Return the same clip from frame ``first`` on, placed by ``transform``."""
        return replace(
            self,
            clip=self.clip[first:].placed(transform),
            shift=self.shift + first,
            transform=transform @ self.transform,
        )

    def to_source(self, frames: FloatArray, placements: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Convert frames (N,) and placements (N, 3) of the unrolled clip to those of the given one."""
        own = frames + self.shift
        # Rounding must not move the first frame of a cycle to the end of the one before.
        cycles = np.zeros(len(own)) if self.period is None else np.floor((own + WHOLE_FRAME) / self.period)
        rows = placements.copy()
        for cycle in np.unique(cycles).tolist():
            transform = self.transform
            for _ in range(int(cycle)):
                transform = transform @ self.cycle_travel
            at = cycles == cycle
            rows[at] = compose_rows(rows[at], transform.row())
        return own - cycles * (self.period or 0), rows


def unroll_clip(clip: Clip, *, before: float, after: float, frame: int | None, loop: bool) -> UnrolledClip:
    """Return a clip with enough frames before and after one of its frames, or any; cyclic ones may repeat.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> cycle = cyclify(walk().clip, cycles=1)
    >>> unroll_clip(cycle, before=70, after=10, frame=5, loop=True).clip.n_frames == 3 * cycle.n_frames
    True
    """
    cycles = _count_cycles(clip.n_frames, before, after, frame) if clip.cyclic and loop else 1
    if cycles == 1:
        return UnrolledClip(clip=replace(clip, cyclic=False) if clip.cyclic else clip)
    return UnrolledClip(
        clip=replace(unroll(clip, cycles), cyclic=False), period=clip.n_frames, cycle_travel=travel(clip)
    )


def _count_cycles(period: int, before: float, after: float, frame: int | None) -> int:
    if frame is None:
        enough = period >= ENOUGH_LENGTH * (before + after)
        return 1 if enough else 1 + int(np.ceil((before + after) / period))
    earlier = int(np.ceil(max(0.0, before - frame) / period))
    later = int(np.ceil(max(0.0, frame + after - (period - 1)) / period))
    return earlier + 1 + later


@dataclass(frozen=True, eq=False)
class Plan:
    """A transition before it is made.

    Attributes
    ----------
    a, b
        The unrolled clips.
    centre
        The frames of both that meet.
    half
        Frames to either side of the centre.
    ratio
        Length of a stride of b over that of a.
    """

    a: UnrolledClip
    b: UnrolledClip
    centre: Cell
    half: int
    ratio: float


def plan_transition(a: UnrolledClip, b: UnrolledClip, request: TransitionRequest) -> Iterator[Plan]:
    """Yield plans of the requested transition, the best first.

    A width that was asked for, or that cannot be narrowed, leaves a choice of centres; other widths are
    narrowed at their best centre.
    """
    frame_time = a.clip.frame_time
    halves = [request.half] if request.fixed else _narrow(request.half, MIN_HALF_WIDTH / frame_time)
    for half, spare in [*((half, SPARE_ROOM) for half in halves), (halves[-1], 1.0)]:
        n_centres = MAX_CENTRES if request.fixed or is_narrowest(half, frame_time) else 1
        centres = list(islice(_find_centres(a, b, request, request.room(half, spare)), n_centres))
        if centres:
            yield from (Plan(a, b, centre, max(1, round(half)), request.ratio) for centre in centres)
            return
    half = halves[-1]
    room = request.room(half)
    if request.at is not None and request.fixed and request.method == "registration":
        # Whether there is enough motion depends on how the clips correspond, which the registration finds.
        i, j = _locate_centre(a, b, request.at, room)
        if 0 < i < a.clip.n_frames - 1 and 0 < j < b.clip.n_frames - 1:
            yield Plan(a, b, (i, j), max(1, round(half)), request.ratio)
            return
    centre = None if request.at is None else _locate_centre(a, b, request.at, room)
    raise TooShortError(2.0 * half * frame_time, room.missing(a.clip, b.clip, centre))


def narrow_half(half: int) -> float:
    """Return the next narrower half-width in frames: at least one frame less, so that narrowing ends.

    >>> narrow_half(20), narrow_half(3)
    (17.0, 2.0)
    """
    return min(NARROWING * half, half - 1.0)


def is_narrowest(half: float, frame_time: float) -> bool:
    """Return whether a half-width in frames cannot be narrowed any more."""
    return narrow_half(round(half)) * frame_time < MIN_HALF_WIDTH


def _narrow(half: float, min_half: float) -> list[float]:
    """Return half-widths in frames to try, from the requested one to the narrowest."""
    halves = []
    while half >= min_half:
        halves.append(half)
        half *= NARROWING
    return halves or [min_half]


def _find_centres(a: UnrolledClip, b: UnrolledClip, request: TransitionRequest, room: Room) -> Iterable[Cell]:
    """Return the requested centre, or the best ones, that leave enough motion."""
    rows, columns = room.spans(a.clip, b.clip)
    if request.at is not None:
        i, j = _locate_centre(a, b, request.at, room)
        return [(i, j)] if i in rows and j in columns else []
    return find_transition_points(a.clip, b.clip, rows, columns) if rows and columns else []


def _locate_centre(a: UnrolledClip, b: UnrolledClip, at: Cell, room: Room) -> Cell:
    """Locate the requested frames in the unrolled clips: in the first cycle with enough motion before."""
    i, j = (
        _locate_frame(frame, clip, before)
        for frame, clip, before in zip(at, (a, b), room.before, strict=True)
    )
    return i, j


def _locate_frame(frame: int, unrolled: UnrolledClip, before: float) -> int:
    first = frame - unrolled.shift
    if unrolled.period is None:
        return first
    return next(at for n in count() if (at := first + n * unrolled.period) >= before)


def find_transition_points(a: Clip, b: Clip, rows: range, columns: range) -> Iterator[Cell]:
    """Yield pairs of frames, of some frames of both clips, at which to make a transition, the best first.

    First come the local minima of the distance grid, then other cells, by distance, each apart from those
    before. Among equal distances, the pair that keeps most of both clips comes first: late in the first clip,
    early in the second.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0, fps=30).clip
    >>> i, j = next(find_transition_points(clip, clip, range(60, 80), range(60)))
    >>> round((i - j) / 30, 1)
    1.0
    """
    separation = MIN_SEPARATION / a.frame_time
    step = int(np.ceil(np.sqrt(a.n_frames * b.n_frames / MAX_GRID_CELLS)))
    if step == 1:
        yield from _find_minima(distance(a, b).values, rows, columns, separation)
        return
    # Coarse to fine: minima of a grid in larger steps, each refined among the frames around it.
    down, across = (range(-(-own.start // step), (own.stop - 1) // step + 1) for own in (rows, columns))
    for found in _find_minima(distance(a[::step], b[::step]).values, down, across, separation / step):
        near = [
            range(max(own.start, (n - 1) * step), min(own.stop, (n + 1) * step + 1))
            for n, own in zip(found, (rows, columns), strict=True)
        ]
        grid = distance(a[near[0].start : near[0].stop], b[near[1].start : near[1].stop]).values
        i, j = next(_find_minima(grid, range(len(near[0])), range(len(near[1])), separation))
        yield near[0][i], near[1][j]


def _find_minima(grid: FloatArray, rows: range, columns: range, separation: float) -> Iterator[Cell]:
    """Yield the local minima (i, j) of a grid within some rows and columns, then other cells."""
    block = slice(rows.start, rows.stop), slice(columns.start, columns.stop)
    remaining, minima = grid[block].copy(), _local_minima(grid)[block]
    reach = max(1, round(separation))
    while np.isfinite(remaining).any():
        values = np.where(minima, remaining, np.inf)
        if not np.isfinite(values).any():
            values = remaining
        # Distances are squares: the rounding error of a perfect fit does not count as a difference.
        equal = np.argwhere(values <= values.min() * (1.0 + SAME_DISTANCE) + SAME_DISTANCE**2)
        i, j = max(equal.tolist(), key=lambda cell: (cell[0] - cell[1], cell[0]))
        yield rows[i], columns[j]
        remaining[max(i - reach, 0) : i + reach + 1, max(j - reach, 0) : j + reach + 1] = np.inf


def _local_minima(grid: FloatArray) -> BoolArray:
    """Return which cells (T0, T1) are no larger than any of their eight neighbours."""
    padded = np.pad(grid, 1, constant_values=np.inf)
    height, width = grid.shape
    is_minimum = np.ones(grid.shape, dtype=bool)
    for down in range(3):
        for across in range(3):
            is_minimum &= grid <= padded[down : down + height, across : across + width]
    return is_minimum
