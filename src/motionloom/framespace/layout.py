"""What a framespace hands to a blend: its clips in rows, and how they correspond."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from motionloom.arrays import FloatArray
from motionloom.framespace.annotations import MatchedAnnotations, matched_annotations
from motionloom.framespace.basis import Shape, weights_at
from motionloom.framespace.halves import TimedPart, among_cyclic
from motionloom.framespace.posing import upper_shares
from motionloom.framespace.sources import FrameSources


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
