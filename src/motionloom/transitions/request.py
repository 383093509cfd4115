"""What a caller asks of a transition: method, width and centre, and how much motion that takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.annotation.strides import is_locomotion, strides
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.unroll import unroll
from motionloom.options.registration import Alignment
from motionloom.options.transitions import Keep, TransitionMethod
from motionloom.validation import check_number

FramePair = tuple[float, float]
"""A frame of each clip, with fractions."""

DEFAULT_KEEP = 0.75
"""Fraction of each clip that plays unless the caller asks for another: what is left holds a few frames at
which most clips match well."""

DEFAULT_HALF_WIDTH = 0.25
"""Seconds to either side of the centre if the clips show no gait: half a second in all."""

MIN_HALF_WIDTH, MAX_DEFAULT_HALF_WIDTH = 0.15, 1.0
"""Seconds to either side of the centre that are chosen at least, since less does not look like a blend, and
at most (Kovar's thesis: transitions of one to two seconds in all)."""

MAX_HALF_WIDTH = 600.0
"""Seconds to either side of the centre that callers may request: cycles repeat forever, memory does not."""

MAX_FRACTION, MAX_PASS_THROUGH = 0.5, 0.25
"""Fractions of a clip that a transition of default width blends: of a clip with one transition, and at either
end of a clip with two. The rest plays alone."""

WIDEST_FRACTION = 1.5
"""Factor on the first of these up to which a transition is widened if it is too abrupt otherwise."""

MIN_SPEED_RATIO = 1 / 3
"""Slowest stride of a gait that goes on throughout a clip, over its fastest. Captured gaits, turns and starts
included, have 0.4 and more; a cartwheel with a run-up has 0.25, a kick after two steps 0.01."""

STRIDE_CYCLES = 3
"""Cycles of a cyclic clip in which its strides are measured."""

OWN_HALF_WEIGHT = 13 / 16
"""Mean weight of a clip over its own half of the transition, with the smooth ease."""


@dataclass(frozen=True)
class Room:
    """Frames that a transition takes of each clip, before and after the centre, in the order a, b."""

    before: tuple[float, float]
    after: tuple[float, float]

    def spans(self, a: Clip, b: Clip) -> tuple[range, range]:
        """Return the frames of both clips that have enough of their clip on either side."""
        first, second = (
            range(int(np.ceil(before)), max(int(np.floor(clip.n_frames - 1 - after)) + 1, 0))
            for clip, before, after in zip((a, b), self.before, self.after, strict=True)
        )
        return first, second

    def missing(self, a: Clip, b: Clip, centre: FramePair | None = None) -> float:
        """Return the seconds of motion that are missing about a centre, or anywhere; 0 if there is enough."""
        missing = [0.0]
        for n, clip in enumerate((a, b)):
            last = clip.n_frames - 1
            if centre is None:
                missing.append((self.before[n] + self.after[n] - last) * clip.frame_time)
            else:
                missing.append((self.before[n] - centre[n]) * clip.frame_time)
                missing.append((self.after[n] - (last - centre[n])) * clip.frame_time)
        return max(missing)


@dataclass(frozen=True, eq=False, kw_only=True)
class TransitionRequest:
    """What is asked of a transition between two clips.

    Attributes
    ----------
    method
        How it is made.
    half
        Frames to either side of the centre.
    wanted
        The same before it was limited to part of the clips.
    fixed
        Whether the caller asked for this width; otherwise it may be narrowed.
    at
        Frames of both given clips that meet, or None to find them.
    ratio
        Length of a stride of the second clip over that of the first.
    keep
        Fraction of each clip that must play, or None for the default, which gives way if clips are too short.
    reserve
        Frames of the second clip that must be left after the transition.
    alignment
        How the time alignment is found, as in :func:`motionloom.register`.
    widest
        Frames to either side of the centre up to which a default width may be widened.
    between
        Whether the clips have another transition at their other end.
    """

    method: TransitionMethod
    half: float
    wanted: float
    fixed: bool
    at: FramePair | None
    ratio: float
    keep: float | None = None
    reserve: float = 0.0
    alignment: Alignment = "auto"
    widest: float = 0.0
    between: tuple[bool, bool] = (False, False)

    @property
    def max_losses(self) -> tuple[float, float]:
        """Fractions of the clips that need not play: half at either end of a clip between two others."""
        lost = 1.0 - (DEFAULT_KEEP if self.keep is None else self.keep)
        first, second = (0.5 * lost if inner else lost for inner in self.between)
        return first, second

    def room(self, half: float, spare: float = 1.0) -> Room:
        """Return the motion that the transition takes with a half-width in frames."""
        room = room_for(spare * half, self.ratio, self.method)
        return Room(room.before, (room.after[0], room.after[1] + self.reserve))


def make_request(
    a: Clip,
    b: Clip,
    at: FramePair | None,
    half_width: float | None,
    method: TransitionMethod,
    *,
    keep: float | None = None,
    fractions: tuple[float, float] = (MAX_FRACTION, MAX_FRACTION),
    alignment: Alignment = "auto",
) -> TransitionRequest:
    """Return the request of a caller, with the default width if none is given.

    ``fractions`` of each clip are blended at most by default; infinite for clips that repeat.
    """
    ratio = stride_ratio(a, b)
    between = (fractions[0] <= MAX_PASS_THROUGH, fractions[1] <= MAX_PASS_THROUGH)
    if half_width is not None:
        half = wanted = widest = check_half_width(half_width, a.frame_time) / a.frame_time
    else:
        # What a width takes of each clip: see room_for.
        limits = [
            fraction * (clip.n_frames - 1) / (1.0 + rate)
            for fraction, clip, rate in zip(fractions, (a, b), (1.0 / ratio, ratio), strict=True)
        ]
        wanted = default_half_width(a, b) / a.frame_time
        half = max(min(wanted, *limits), MIN_HALF_WIDTH / a.frame_time)
        # A clip between two others is taken of at both ends: what it does there must still play.
        wider = half if any(between) else WIDEST_FRACTION * min(limits)
        widest = max(half, min(MAX_DEFAULT_HALF_WIDTH / a.frame_time, wider))
    return TransitionRequest(
        method=method,
        half=half,
        wanted=wanted,
        fixed=half_width is not None,
        at=at,
        ratio=ratio,
        keep=keep,
        alignment=alignment,
        widest=widest,
        between=between,
    )


def room_for(half: float, ratio: float, method: TransitionMethod) -> Room:
    """Return the motion that a transition of ``half`` frames to either side takes.

    ``ratio`` is the time that the second clip takes for what the first does in one unit of time: while the
    first has all the weight, the second advances by ``ratio`` of its frames per frame.
    """
    if method == "linear":
        return Room((half, half), (half, half))
    if method in ("inertialize", "dead"):
        # Velocities at the switch are differences with the frame before it.
        return Room((1.0, 1.0), (0.0, 2.0 * half))
    own, other = OWN_HALF_WEIGHT, 1.0 - OWN_HALF_WEIGHT
    return Room(
        (half * (own + other / ratio), half * (own * ratio + other)),
        (half * (other + own / ratio), half * (other * ratio + own)),
    )


def default_half_width(a: Clip, b: Clip) -> float:
    """Return seconds to either side of the centre: a mean stride of both clips, or 0.25 without two gaits.

    A clip that stands, or does something else, for a while does not count as a gait.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> slow = annotate(walk(duration=4.0).clip)
    >>> 0.9 < default_half_width(slow, slow) <= 1.0
    True
    """
    durations = [stride_duration(clip) for clip in (a, b)]
    known = [duration for duration in durations if duration is not None]
    if len(known) < 2 or not all(_goes_throughout(c, d) for c, d in zip((a, b), known, strict=True)):
        return DEFAULT_HALF_WIDTH
    return float(np.clip(np.mean(known), MIN_HALF_WIDTH, MAX_DEFAULT_HALF_WIDTH))


def _goes_throughout(clip: Clip, stride: float) -> bool:
    """Return whether a clip with strides of this duration, in seconds, travels throughout."""
    step = round(stride / clip.frame_time)
    if clip.cyclic or step >= clip.n_frames:
        return True
    roots = clip.root_positions[:, [0, 2]]
    distances = np.linalg.norm(roots[step:] - roots[:-step], axis=-1)
    return bool(distances.min() >= MIN_SPEED_RATIO * distances.max())


def stride_ratio(a: Clip, b: Clip) -> float:
    """Return the stride duration of the second clip over that of the first; 1 without two gaits."""
    one, other = stride_duration(a), stride_duration(b)
    return 1.0 if one is None or other is None else other / one


def stride_duration(clip: Clip) -> float | None:
    """Return the mean duration of a stride in seconds, or None for a clip without a gait."""
    if clip.cyclic:
        # One cycle has no whole stride from strike to strike of the same foot.
        clip = unroll(clip, STRIDE_CYCLES)
    if not is_locomotion(clip):
        return None
    return float(np.mean([end - start for _, start, end in strides(clip)])) * clip.frame_time


def check_half_width(half_width: float, frame_time: float) -> float:
    """Return the half-width in seconds, which must be at least one frame."""
    try:
        seconds = check_number("half_width", half_width)
    except ParameterError:
        seconds = 0.0
    if seconds < frame_time:
        raise ParameterError(
            f"must be seconds, at least one frame ({frame_time:.4g}), not {half_width!r}",
            parameter="half_width",
            value=half_width,
        )
    if seconds > MAX_HALF_WIDTH:
        raise ParameterError(
            f"must be at most {MAX_HALF_WIDTH:.0f} seconds, not {half_width!r}",
            parameter="half_width",
            value=half_width,
        )
    return seconds


def check_keep(keep: Keep | None) -> float | None:
    """Return the fraction of each clip that must play, or None for the default.

    >>> check_keep("all"), check_keep(0.9)
    (1.0, 0.9)
    """
    if keep is None or (isinstance(keep, str) and keep == "all"):
        return None if keep is None else 1.0
    try:
        return check_number("keep", keep, min=0.0, max=1.0)
    except ParameterError:
        raise ParameterError(
            f'keep must be "all" or the fraction of each clip that plays, from 0 to 1, not {keep!r}'
        ) from None


def check_centre(at: Sequence[float], a: Clip, b: Clip) -> FramePair:
    """Return the frames of both clips at which they should meet, which must lie inside them."""
    try:
        first, second = at
        i, j = check_number("at", first), check_number("at", second)
    except (TypeError, ValueError):
        raise ParameterError(
            f"must be two frames, one of the first and one of the second clip, not {at!r}",
            parameter="at",
            value=at,
        ) from None
    for frame, clip, which in ((i, a, "first"), (j, b, "second")):
        # A cyclic clip goes on from its last frame to its first.
        if not 0 <= frame <= clip.n_frames - 1 and not (clip.cyclic and 0 < frame < clip.n_frames):
            raise ParameterError(
                f"names frame {frame:g} of the {which} clip, which has frames 0 to {clip.n_frames - 1}",
                parameter="at",
            )
    return i, j
