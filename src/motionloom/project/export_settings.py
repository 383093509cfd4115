"""What an export changes about a clip on its way into a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.provenance import UpAxis
from motionloom.project.folder import DRAWN


@dataclass(frozen=True, kw_only=True)
class ExportSettings:
    """The part of a clip, and the conventions, that a file is written with; None leaves them as they are.

    Attributes
    ----------
    frames
        The first and the last frame to write.
    fps
        Frames per second of the file; of a movie, its own.
    unit, up
        Length unit and vertical axis, as in :func:`motionloom.save`.
    """

    frames: tuple[int, int] | None = None
    fps: float | None = None
    unit: str | None = None
    up: UpAxis | None = None

    def apply(self, clip: Clip, suffix: str) -> Clip:
        """Return the part of a clip at the frame rate of a file with this suffix.

        >>> from motionloom.synthesis import stand
        >>> clip = stand(duration=1.0, fps=30).clip
        >>> ExportSettings(frames=(0, 20), fps=15).apply(clip, ".bvh").n_frames
        11
        """
        if self.frames is not None:
            first, last = self.frames
            if not 0 <= first <= last < clip.n_frames:
                raise ParameterError(
                    f"frames {first} to {last} cannot be exported: the clip has frames 0 to "
                    f"{clip.n_frames - 1}"
                )
            clip = clip[first : last + 1]
        if self.fps is not None and suffix not in DRAWN:
            clip = clip.resampled(self.fps)
        return clip

    def save_options(self, suffix: str) -> dict[str, Any]:
        """Return the arguments of :func:`motionloom.save`, or of an image :func:`motionloom.render`.

        >>> ExportSettings(fps=15, unit="cm").save_options(".bvh")
        {'unit': 'cm'}
        """
        if suffix in DRAWN:
            return {} if self.fps is None else {"fps": self.fps}
        return {name: value for name in ("unit", "up") if (value := getattr(self, name)) is not None}


AS_IT_IS = ExportSettings()
"""An export of the whole clip with the conventions that it has."""
