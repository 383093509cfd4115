"""Takes and segments of a library: what search, spaces and graphs pass on to each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from motionloom.errors import ParameterError
from motionloom.motion import Clip

SUBJECT = "subject:"
"""What the tag that names the performer of a take begins with."""


@dataclass(frozen=True)
class Take:
    """A motion in a library.

    Attributes
    ----------
    id
        Number of the take in its library; never given to another one.
    name
        The file's name without its suffix.
    files
        The files that hold it: copies are one take.
    n_frames, frame_time
        Frames, and seconds from one to the next.
    description, tags
        What was said about it when it was added.
    notes
        What was noted when its file was read.
    not_searchable
        Why it cannot be searched, or None.
    """

    id: int
    name: str
    files: tuple[str, ...]
    n_frames: int
    frame_time: float
    description: str = ""
    tags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    not_searchable: str | None = None
    read: Callable[[], Clip] = field(repr=False, compare=False, default=lambda: _nothing())

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return (self.n_frames - 1) * self.frame_time

    @property
    def fps(self) -> float:
        """Frames per second."""
        return 1.0 / self.frame_time

    @property
    def subject(self) -> str | None:
        """Who performs it, if that was said when it was added."""
        named = [tag.removeprefix(SUBJECT) for tag in self.tags if tag.startswith(SUBJECT)]
        return named[0] if named else None

    def clip(self) -> Clip:
        """Return the motion as it is stored, with its annotations."""
        return self.read()

    def segment(self, start: int = 0, end: int | None = None, *, mirrored: bool = False) -> Segment:
        """Return frames ``start`` to ``end`` of the take, the last not included."""
        return Segment(self, start, self.n_frames if end is None else end, mirrored)

    def has_word(self, word: str) -> bool:
        """Return whether a word is a tag, or occurs in the name or the description; case does not matter."""
        wanted = word.casefold()
        tags = [tag.casefold() for tag in self.tags]
        return wanted in tags or wanted in self.name.casefold() or wanted in self.description.casefold()


@dataclass(frozen=True)
class Segment:
    """Part of a take.

    Attributes
    ----------
    take
        The take.
    start, end
        Its frames, as stored; the last is not included.
    mirrored
        Whether left and right are swapped.
    """

    take: Take
    start: int
    end: int
    mirrored: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end <= self.take.n_frames:
            raise ParameterError(
                f"frames {self.start} to {self.end} are no part of {self.take.name}, which has "
                f"{self.take.n_frames} frames"
            )

    @property
    def duration(self) -> float:
        """Seconds from its first frame to its last."""
        return (self.end - self.start - 1) * self.take.frame_time

    def clip(self) -> Clip:
        """Return the motion of the segment, with its annotations."""
        part = self.take.clip()[self.start : self.end]
        return part.mirrored() if self.mirrored else part

    def __str__(self) -> str:
        first, last = self.start * self.take.frame_time, (self.end - 1) * self.take.frame_time
        return f"{self.take.name} {first:.2f}-{last:.2f} s{' mirrored' if self.mirrored else ''}"


def _nothing() -> Clip:
    raise ParameterError("this take belongs to no library, so its motion cannot be read")
