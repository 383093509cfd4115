"""Where a transition is made and how wide it is, from what the caller states and the motion there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from operator import index

from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.registration.dtw import Cell
from motionloom.transitions.cycles import Used
from motionloom.transitions.transition_points import best_cells
from motionloom.transitions.width import NARROWEST, Room, TransitionMethod, room_for

SPARE = 1.15
"""How much more motion than the clips' mean rates ask for is looked for: rates differ between strides."""

SHRINK = 0.85
"""By how much a width that was not asked for is narrowed at a time where the clips are too short for it."""


MOST_PLACES = 12
"""Places that are tried for one width, the best first, before it is refused."""


class TooShortError(ParameterError):
    """Clips with too little motion for a transition of some ``seconds``.

    ``missing`` says how many seconds more it takes. ``words`` are what width, centre and repeating clips are
    called where they are asked for.
    """

    def __init__(
        self, seconds: float, missing: float, words: Sequence[str] = ("half_width", "at", "loop=True")
    ) -> None:
        self.seconds = seconds
        self.missing = missing
        width, centre, repeat = words
        super().__init__(
            f"a transition of {seconds:.2f} s does not fit: {missing:.2f} s of motion are missing; "
            f"ask for a smaller {width}, choose another centre ({centre}), or let cyclic clips repeat "
            f"({repeat})"
        )


@dataclass(frozen=True, eq=False)
class Plan:
    """A transition before it is made.

    Attributes
    ----------
    a, b
        The clips as they are used.
    centre
        The frames of both that meet in the middle.
    half
        Frames to either side of the centre.
    ratio
        Length of a stride of b over that of a.
    """

    a: Used
    b: Used
    centre: Cell
    half: int
    ratio: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Wish:
    """What is asked of a transition.

    Attributes
    ----------
    method
        How it is made.
    half
        Frames to either side of the centre.
    fixed
        Whether the caller asked for this width; it is narrowed where needed otherwise.
    at
        Frames of both given clips that meet, or None to find them.
    ratio
        Length of a stride of the second clip over that of the first.
    keep
        Frames of the second clip that are left after it.
    """

    method: TransitionMethod
    half: float
    fixed: bool
    at: Cell | None
    ratio: float
    keep: float = 0.0

    def room(self, half: float, spare: float = 1.0) -> Room:
        """The motion that the transition takes with a half-width in frames."""
        room = room_for(spare * half, self.ratio, self.method)
        return Room(room.before, (room.after[0], room.after[1] + self.keep))


def _narrowing(half: float, narrowest: float) -> list[float]:
    """Half-widths in frames to try, from the one wished for to the narrowest."""
    halves = []
    while half >= narrowest:
        halves.append(half)
        half *= SHRINK
    return halves or [narrowest]


def plans(a: Used, b: Used, wish: Wish) -> Iterator[Plan]:
    """Where the transition may be made and how wide it is, the best first.

    A width that was asked for, or that cannot be narrowed, leaves a choice of places; others are narrowed
    where they are best.
    """
    frame_time = a.clip.frame_time
    halves = [wish.half] if wish.fixed else _narrowing(wish.half, NARROWEST / frame_time)
    for half, spare in [*((half, SPARE) for half in halves), (halves[-1], 1.0)]:
        most = MOST_PLACES if wish.fixed or is_narrowest(half, frame_time) else 1
        centres = list(islice(_centres(a, b, wish, wish.room(half, spare)), most))
        if centres:
            yield from (Plan(a, b, centre, max(1, round(half)), wish.ratio) for centre in centres)
            return
    half = halves[-1]
    room = wish.room(half)
    if wish.at is not None and wish.fixed and wish.method == "registration":
        # Whether it is enough depends on how the clips correspond there, which is seen when it is made.
        i, j = _used(a, b, wish.at, room)
        if 0 < i < a.clip.n_frames - 1 and 0 < j < b.clip.n_frames - 1:
            yield Plan(a, b, (i, j), max(1, round(half)), wish.ratio)
            return
    raise TooShortError(2.0 * half * frame_time, _missing(a, b, wish, room))


def is_narrowest(half: float, frame_time: float) -> bool:
    """Whether a half-width in frames, narrowed once more, would be no blend."""
    return SHRINK * round(half) * frame_time < NARROWEST


def checked_cell(at: Sequence[int], a: Clip, b: Clip) -> Cell:
    """The stated centre as whole frames of both clips, or an error."""
    try:
        i, j = (index(frame) for frame in at)
    except (TypeError, ValueError):
        raise ParameterError(
            f"at must be two whole frames, of the first and of the second clip, not {at!r}"
        ) from None
    for frame, clip, which in ((i, a, "first"), (j, b, "second")):
        if not 0 <= frame < clip.n_frames:
            raise ParameterError(
                f"at names frame {frame} of the {which} clip, which has frames 0 to {clip.n_frames - 1}"
            )
    return i, j


def _centres(a: Used, b: Used, wish: Wish, room: Room) -> Iterable[Cell]:
    """The stated or the best frames to meet at that leave enough motion."""
    rows, columns = room.spans(a.clip, b.clip)
    if wish.at is not None:
        i, j = _used(a, b, wish.at, room)
        return [(i, j)] if i in rows and j in columns else []
    return best_cells(a.clip, b.clip, rows, columns) if rows and columns else []


def _used(a: Used, b: Used, at: Cell, room: Room) -> Cell:
    """The stated frames in the clips as they are used: in the first repetition with enough motion before."""
    i, j = (
        _repetition(frame, used, before) for frame, used, before in zip(at, (a, b), room.before, strict=True)
    )
    return i, j


def _repetition(frame: int, used: Used, before: float) -> int:
    first = frame - used.shift
    if used.period is None:
        return first
    return next(place for n in count() if (place := first + n * used.period) >= before)


def _missing(a: Used, b: Used, wish: Wish, room: Room) -> float:
    return room.missing(a.clip, b.clip, None if wish.at is None else _used(a, b, wish.at, room))
