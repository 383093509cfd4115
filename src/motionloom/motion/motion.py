"""What clips with a skeleton and clips of points have in common."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from motionloom.messages import ClipName

if TYPE_CHECKING:
    from typing import Self

    from motionloom.geometry.ground_transform import GroundTransform
    from motionloom.motion.annotations import Constraint, Event
    from motionloom.motion.provenance import Provenance, Source


def name_clips(clips: Sequence[Motion]) -> tuple[ClipName, ...]:
    """Return what messages call clips: the names of their files, with their numbers where two share one.

    >>> from motionloom.synthesis import walk
    >>> clips = [walk(duration=1.0).clip] * 2
    >>> [str(name) for name in name_clips(clips)]
    ['clip 0', 'clip 1']
    """
    stems = [Path(clip.source.path).stem for clip in clips]
    return tuple(
        ClipName(n, f"{stem} (clip {n})" if stem and stems.count(stem) > 1 else stem)
        for n, stem in enumerate(stems)
    )


class Motion(Protocol):
    """A :class:`~motionloom.Clip` or a :class:`~motionloom.PointClip`: frames at equal steps of time.

    Stages that work on both (registration, blending) take motions; the attributes are those of the classes.
    """

    @property
    def frame_time(self) -> float:
        """Seconds from one frame to the next."""
        ...

    @property
    def fps(self) -> float:
        """Frames per second."""
        ...

    @property
    def n_frames(self) -> int:
        """The number of frames T."""
        ...

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        ...

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Intervals in which points stay in place."""
        ...

    @property
    def events(self) -> tuple[Event, ...]:
        """Labelled instants."""
        ...

    @property
    def cyclic(self) -> bool:
        """Whether the last frame leads on to the first."""
        ...

    @property
    def source(self) -> Source:
        """The file that the motion was read from, and how to write it back."""
        ...

    @property
    def provenance(self) -> Provenance:
        """Which frames of which motion these are."""
        ...

    def __len__(self) -> int: ...

    def resampled(self, fps: float) -> Self:
        """Return the same motion at another frame rate."""
        ...

    def sped_up(self, factor: float) -> Self:
        """Return the same motion played ``factor`` times as fast."""
        ...

    def reversed(self) -> Self:
        """Return the same motion backwards in time."""
        ...

    def placed(self, transform: GroundTransform) -> Self:
        """Return the same motion elsewhere on the ground."""
        ...

    def content_hash(self, *, annotations: bool = True) -> str:
        """Return a hash of the motion, with or without its annotations."""
        ...
