"""Plan a transition: where it is made and how wide it is, given the request and the motion there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count, islice

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry.ground_transform import compose_rows
from motionloom.messages import Argument
from motionloom.motion import Clip
from motionloom.motion.sampling import WHOLE_FRAME
from motionloom.motion.unroll import travel, unroll
from motionloom.registration.dtw import Cell
from motionloom.transitions.find_transition_points import find_transition_points
from motionloom.transitions.request import (
    MIN_HALF_WIDTH,
    FramePair,
    Room,
    TransitionRequest,
    room_for,
)

SPARE_ROOM, MORE_ROOM = 1.15, 1.5
"""How much more motion is required than the clips' mean rates need: rates differ between strides. And how
much where that was not enough."""

NARROWING = 0.85
"""Factor by which a default width is narrowed at a time if the clips are too short for it."""

MAX_CENTRES, CENTRES_PER_WIDTH = 12, 2
"""Centres that are tried, the best first: for a width that cannot be narrowed, and for one that can."""

LOSS_COST = 0.25
"""Metres of distance that count as much as a whole clip that does not play: a tenth of both clips is given up
for frames that are 5 cm closer."""

ENOUGH_LENGTH = 2.0
"""A cyclic clip this many times as long as what is taken of it has enough centres without repetition."""


class TooShortError(ParameterError):
    """Clips with too little motion for a transition of some ``seconds``.

    ``missing`` is the number of seconds that are missing; if none are, ``keep`` is the fraction of the clips
    that the caller wants to keep and no transition does. ``join`` names the clips if there are more than two.
    """

    def __init__(
        self,
        seconds: float,
        missing: float,
        keep: float | None = None,
        join: str = "",
    ) -> None:
        self.seconds = seconds
        self.missing = missing
        self.keep = keep
        self.join = join
        width, centre, repeat = Argument("half_width"), Argument("at"), Argument("loop", True)
        if keep is not None and missing <= 0.0:
            super().__init__(
                f"{join}no transition of {seconds:.2f} s keeps {100.0 * keep:.0f} % of both clips",
                remedy=("keep less with a smaller ", Argument("keep"), ", or use a smaller ", width),
            )
            return
        super().__init__(
            f"{join}a transition of {seconds:.2f} s does not fit: {max(missing, 0.01):.2f} s of motion are "
            "missing",
            remedy=(
                *("use a smaller ", width, ", choose another centre with ", centre),
                *(", or let cyclic clips repeat with ", repeat),
            ),
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

    @property
    def source_length(self) -> float:
        """Frames from the first to the last of the given clip; infinite if it repeats."""
        return self.shift + self.clip.n_frames - 1.0 if self.period is None else np.inf

    def source_frame(self, frame: float) -> float:
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


def unroll_clip(clip: Clip, *, before: float, after: float, frame: float | None, loop: bool) -> UnrolledClip:
    """Return a clip with enough frames before and after one of its frames, or any; cyclic ones may repeat.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> cycle = cyclify(walk().clip, cycles=1).clip
    >>> unroll_clip(cycle, before=70, after=10, frame=5, loop=True).clip.n_frames == 3 * cycle.n_frames
    True
    """
    cycles = _count_cycles(clip.n_frames, before, after, frame) if clip.cyclic and loop else 1
    if cycles == 1:
        return UnrolledClip(clip=replace(clip, cyclic=False) if clip.cyclic else clip)
    return UnrolledClip(
        clip=replace(unroll(clip, cycles), cyclic=False), period=clip.n_frames, cycle_travel=travel(clip)
    )


def _count_cycles(period: int, before: float, after: float, frame: float | None) -> int:
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
    request
        What was asked for.
    pinned
        Whether the centre is met exactly, as one that the caller states is.
    """

    a: UnrolledClip
    b: UnrolledClip
    centre: FramePair
    half: int
    request: TransitionRequest
    pinned: bool = False

    @property
    def ratio(self) -> float:
        """Length of a stride of b over that of a."""
        return self.request.ratio

    @property
    def whole_centre(self) -> Cell:
        """The whole frames closest to the centre."""
        return round(self.centre[0]), round(self.centre[1])


def plan_transition(a: UnrolledClip, b: UnrolledClip, request: TransitionRequest) -> Iterator[Plan]:
    """Yield plans of the requested transition, the best first.

    A width that was asked for, or that cannot be narrowed, leaves a choice of centres; other widths are
    narrowed at their best centres.
    """
    frame_time = a.clip.frame_time
    halves = [request.half] if request.fixed else _narrow(request.half, MIN_HALF_WIDTH / frame_time)
    pinned = request.at is not None
    spares = (SPARE_ROOM, MORE_ROOM) if request.method == "registration" else (1.0,)
    for half in halves:
        narrowest = request.fixed or is_narrowest(half, frame_time)
        n_centres = MAX_CENTRES if narrowest else CENTRES_PER_WIDTH
        centres: list[FramePair] = []
        for extra in (*spares, 1.0) if narrowest else spares:
            found = _find_centres(a, b, request, request.room(half), request.room(half, extra))
            for centre in islice(found, n_centres):
                if centre not in centres:
                    centres.append(centre)
                    yield Plan(a, b, centre, max(1, round(half)), request, pinned)
            if centres and (request.at is not None or request.keep == 1.0):
                return
        if centres:
            return
    half = halves[-1]
    room = request.room(half)
    if request.at is not None and request.method == "registration":
        # Whether there is enough motion depends on how the clips correspond, which the registration finds;
        # if there is not, a cross-fade may still fit.
        i, j = _locate_centre(a, b, request.at, room)
        fade = room_for(max(1, round(half)), request.ratio, "linear")
        inside = 0 < i < a.clip.n_frames - 1 and 0 < j < b.clip.n_frames - 1
        if inside and (request.fixed or fade.missing(a.clip, b.clip, (i, j)) <= 0.0):
            yield Plan(a, b, (i, j), max(1, round(half)), request, pinned)
            return
    at = None if request.at is None else _locate_centre(a, b, request.at, room)
    raise TooShortError(2.0 * half * frame_time, room.missing(a.clip, b.clip, at), request.keep)


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


def _find_centres(
    a: UnrolledClip, b: UnrolledClip, request: TransitionRequest, room: Room, spare: Room
) -> Iterable[FramePair]:
    """Return the requested centre, or the best ones, that leave enough motion and keep enough of the clips.

    ``spare`` is the motion that must be there, ``room`` what the transition is expected to take of it.
    """
    if request.at is not None:
        centre = _locate_centre(a, b, request.at, room)
        return [centre] if spare.missing(a.clip, b.clip, centre) <= 0.0 else []
    rows, columns = spare.spans(a.clip, b.clip)
    # The last frame of a, and the first of b, that may play.
    latest, earliest = a.clip.n_frames - 1 - room.after[0], room.before[1]
    if request.keep == 1.0:
        cell = (round(latest), round(earliest))
        return [cell] if room.missing(a.clip, b.clip, cell) <= a.clip.frame_time else []
    lost_of_a, lost_of_b = request.max_losses
    kept_rows, kept_columns = rows, columns
    if a.period is None:
        kept_rows = range(max(rows.start, int(np.ceil(latest - lost_of_a * a.source_length))), rows.stop)
    if b.period is None:
        end = int(np.floor(earliest + lost_of_b * b.source_length)) + 1
        kept_columns = range(columns.start, min(columns.stop, end))
    if kept_rows and kept_columns:
        rows, columns = kept_rows, kept_columns
    elif request.keep is not None:
        return []
    if not (rows and columns):
        return []

    def cost_of_loss(i: FloatArray, j: FloatArray) -> FloatArray:
        lost = np.maximum(latest - i, 0.0) / a.source_length + np.maximum(j - earliest, 0.0) / b.source_length
        return np.asarray(LOSS_COST * lost)

    free = request.keep == 0.0 or (a.period is not None and b.period is not None)
    return find_transition_points(a.clip, b.clip, rows, columns, None if free else cost_of_loss)


def _locate_centre(a: UnrolledClip, b: UnrolledClip, at: FramePair, room: Room) -> FramePair:
    """Locate the requested frames in the unrolled clips: in the first cycle with enough motion before."""
    i, j = (
        _locate_frame(frame, clip, before)
        for frame, clip, before in zip(at, (a, b), room.before, strict=True)
    )
    return i, j


def _locate_frame(frame: float, unrolled: UnrolledClip, before: float) -> float:
    first = frame - unrolled.shift
    if unrolled.period is None:
        return first
    return next(at for n in count() if (at := first + n * unrolled.period) >= before)
