"""Hitting a target: warp the clip that needs the smallest change so that a joint gets there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.annotation import annotate
from motionloom.annotation.labels import APEX
from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.body import on_body
from motionloom.motion.result import ClipLike, Result, check_clips
from motionloom.validation import check_number, check_string
from motionloom.warping.keys import EASE, Key
from motionloom.warping.warp import WarpReport, warp

MAX_EASE = 1.5
"""Longest fade of a reach, seconds; longer ones do not look calmer."""


@dataclass(frozen=True, repr=False)
class ReachReport:
    """The report of :func:`motionloom.reach`.

    Attributes
    ----------
    chosen
        The number of the clip that was taken.
    sizes
        For every clip the size of the warp that it needs: root of the sum of squared rotations, radians;
        infinite where the target is out of reach.
    moment
        Seconds of the result at which the joint is at the target.
    warp
        The report of the warp.
    """

    chosen: int
    sizes: tuple[float, ...]
    moment: float
    warp: WarpReport

    @property
    def distance(self) -> float:
        """Metres between joint and target at that moment."""
        return self.warp.outcomes[0].distance

    def __str__(self) -> str:
        sizes = ", ".join(f"{size:.2f}" for size in self.sizes)
        return (
            f"clip {self.chosen} of {len(self.sizes)} (sizes of warps, rad: {sizes}); at {self.moment:.3f} s "
            f"{self.distance * 1000:.2f} mm from the target\n{self.warp}"
        )

    def __repr__(self) -> str:
        return (
            f"ReachReport(clip {self.chosen} of {len(self.sizes)}; {self.distance * 1000:.2f} mm off at "
            f"{self.moment:.3f} s)"
        )


@on_body
def reach(
    clips: ClipLike | Sequence[ClipLike],
    joint: str,
    target: npt.ArrayLike,
    time: float | None = None,
    *,
    point: npt.ArrayLike | None = None,
    keep_plants: bool = False,
) -> Result[ReachReport]:
    """Make a joint hit a target in the world, with the clip that needs the smallest change.

    Every clip is tried at the moment at which its joint is farthest out (its apex) or, where it has none,
    closest to the target. One key puts the joint onto the target there. It fades over all the time that the
    clip has on both sides of the moment, so that speeds hardly change.

    Parameters
    ----------
    clips
        One clip, or several of the same kind of action.
    joint
        Name of the joint that hits: a hand, a foot.
    target
        (3,) world position, metres.
    time
        Seconds of the result at which to hit the target; None for when the clip does so.
    point
        (3,) point in the joint's own frame, metres, that hits: the tip of a racket. None for the joint.
    keep_plants
        As for :func:`motionloom.warp`.

    Returns
    -------
    Result
        The warped clip, and a :class:`ReachReport`.

    Raises
    ------
    ParameterError
        There is no clip, or no joint of that name.

    >>> from motionloom.synthesis import punch
    >>> clip = punch(duration=1.2).clip
    >>> hit = reach(clip, "RightHand", clip.world_positions()[36, clip.skeleton.index("RightHand")] + 0.05)
    >>> hit.report.distance < 1e-3
    True
    """
    listed = check_clips("reach", [clips] if isinstance(clips, Clip | Result) else clips)
    if not all(clip.n_frames for clip in listed):
        raise ParameterError("a clip without frames cannot hit a target", remedy="leave it out")
    check_string("joint", joint)
    position = check_array("target", target, (3,))
    if time is not None:
        time = check_number("time", time, min=0.0, unit="s")
    tries = [_try_reach(clip, joint, position, time, point, keep_plants) for clip in listed]
    sizes = tuple(size for _, size, _ in tries)
    chosen = int(np.argmin(sizes if np.isfinite(sizes).any() else [distance for _, _, distance in tries]))
    result = tries[chosen][0]
    report = result.report
    return Result(result.clip, ReachReport(chosen, sizes, report.outcomes[0].time, report))


def find_hit_time(clip: Clip, joint: str, target: FloatArray) -> float:
    """Return the seconds at which a joint is farthest out or, without an apex, closest to the target (3,).

    Of several apexes the one closest to the target counts.

    >>> from motionloom.synthesis import punch
    >>> round(find_hit_time(punch(duration=1.2).clip, "RightHand", np.zeros(3)), 1)
    0.5
    """
    index = clip.skeleton.index(joint)
    events = annotate(clip).events
    apexes = [round(event.frame) for event in events if event.label == APEX and event.joint == joint]
    frames = np.array(apexes or range(clip.n_frames), dtype=np.int64)
    distances = np.linalg.norm(clip.world_positions()[frames, index] - target, axis=-1)
    return float(frames[distances.argmin()] * clip.frame_time)


def _try_reach(
    clip: Clip,
    joint: str,
    target: FloatArray,
    time: float | None,
    point: npt.ArrayLike | None,
    keep_plants: bool,
) -> tuple[Result[WarpReport], float, float]:
    """Return a clip warped to hit, the size of the warp (infinite out of reach), and the distance left."""
    moment = find_hit_time(clip, joint, target)
    ease = float(np.clip(min(moment, clip.duration - moment), EASE, MAX_EASE))
    key = Key(moment, joint, reach=target, point=point, ease=ease)
    times = None if time is None else [(moment, time)]
    result = warp(clip, [key], times, keep_plants=keep_plants)
    report = result.report
    rotations = [np.asarray(key.rotate) for key in report.warp.keys if key.rotate is not None]
    size = float(np.sqrt(sum(float(vector @ vector) for vector in rotations)))
    return result, np.inf if report.unreached else size, report.outcomes[0].distance
