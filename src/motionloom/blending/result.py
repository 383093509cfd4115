"""What blending returns: the motion, and enough to explain every frame of it."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.arrays import FloatArray, check_array
from motionloom.motion import Clip


@dataclass(frozen=True, kw_only=True)
class BlendReport:
    """What blending has to say about the clip it made.

    Attributes
    ----------
    method
        How the clip was made.
    notes
        What was trimmed, dropped or rounded, in sentences.
    seams
        Frames at which untouched source motion ends or begins again; empty for a blend without such parts.
    """

    method: str
    notes: tuple[str, ...] = ()
    seams: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class BlendResult:
    """A blend of K clips, with what went into each of its T frames.

    Attributes
    ----------
    clip
        The blended motion.
    u
        (T,) parameter of the registration curve; of cyclic clips it runs on from cycle to cycle.
    weights
        (T, K) weights of the clips, with sum 1.
    frames
        (T, K) source frame of each clip; of cyclic clips, within their one cycle.
    placements
        (T, K, 3) yaw, x and z that put each source frame where it goes into the result.
    """

    clip: Clip
    u: FloatArray
    weights: FloatArray
    frames: FloatArray
    placements: FloatArray

    def __post_init__(self) -> None:
        n_frames = self.clip.n_frames
        put = object.__setattr__
        put(self, "u", check_array("u", self.u, (n_frames,)))
        put(self, "weights", check_array("weights", self.weights, (n_frames, "K")))
        n_clips = self.weights.shape[1]
        put(self, "frames", check_array("frames", self.frames, (n_frames, n_clips)))
        put(self, "placements", check_array("placements", self.placements, (n_frames, n_clips, 3)))

    @property
    def report(self) -> BlendReport:
        """What blending has to say."""
        report = self.clip.report
        assert isinstance(report, BlendReport)
        return report

    def __repr__(self) -> str:
        n_clips = self.weights.shape[1]
        return f"BlendResult({self.clip.n_frames} frames at {self.clip.fps:.6g} fps from {n_clips} clips)"
