"""Hitting a target: the clip that needs the smallest warp, keyed so that a hand is there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from motionloom.annotation import annotate
from motionloom.annotation.labels import APEX
from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.clip import check_clip
from motionloom.validation import check_number, check_string
from motionloom.warping.keys import EASE, Key
from motionloom.warping.warp import WarpReport, warp

MOST_EASE = 1.5
"""Seconds over which a reach fades at most; longer is not calmer."""


@dataclass(frozen=True)
class ReachReport:
    """The report of :func:`motionloom.reach`.

    Attributes
    ----------
    chosen
        The number of the clip that was taken.
    sizes
        For every clip the size of the warp that it needs: root of the sum of squared turns, radians; infinite
        where the target is out of reach.
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
        """Metres between joint and target at the moment of the hit."""
        return self.warp.outcomes[0].distance

    def __str__(self) -> str:
        sizes = ", ".join(f"{size:.2f}" for size in self.sizes)
        return (
            f"clip {self.chosen} of {len(self.sizes)} (sizes of warps, rad: {sizes}); at {self.moment:.3f} s "
            f"{self.distance * 1000:.2f} mm from the target\n{self.warp}"
        )


def reach(
    clips: Clip | Sequence[Clip],
    joint: str,
    target: npt.ArrayLike,
    time: float | None = None,
    *,
    point: npt.ArrayLike | None = None,
    keep_plants: bool = False,
) -> Clip:
    """Make a joint hit a target in the world, with the clip that has to be changed least for it.

    Every clip is tried at the moment at which its joint is farthest out (its apex), or, where it has none,
    nearest to the target. One key puts the joint onto the target there. It fades over as long a time as the
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
        Seconds of the result at which the target is hit; None for when the clip does so.
    point
        (3,) point of the joint in its own frame, metres, that hits: the tip of a racket.
    keep_plants
        As for :func:`motionloom.warp`.

    Returns
    -------
    Clip
        The warped clip with, in ``report``, a :class:`ReachReport`.

    >>> from motionloom.synthesis import punch
    >>> clip = punch(duration=1.2).clip
    >>> hit = reach(clip, "RightHand", clip.world_positions()[36, clip.skeleton.index("RightHand")] + 0.05)
    >>> hit.report.distance < 1e-3
    True
    """
    listed = clips if isinstance(clips, Iterable) else [clips]
    tried = [check_clip("reach", clip) for clip in listed]
    if not tried:
        raise ParameterError("clips must hold at least one clip")
    if not all(clip.n_frames for clip in tried):
        raise ParameterError("a clip without frames hits nothing: leave it out")
    check_string("joint", joint)
    place = check_array("target", target, (3,))
    wanted = None if time is None else check_number("time", time)
    if wanted is not None and wanted < 0.0:
        raise ParameterError(f"time counts from the start of the result and must not be {wanted:g} s")
    tries = [_tried(clip, joint, place, wanted, point, keep_plants) for clip in tried]
    sizes = tuple(size for _, size, _ in tries)
    chosen = int(np.argmin(sizes if np.isfinite(sizes).any() else [left for _, _, left in tries]))
    result = tries[chosen][0]
    report = result.report
    assert isinstance(report, WarpReport)
    return replace(result, report=ReachReport(chosen, sizes, report.outcomes[0].time, report))


def hitting_time(clip: Clip, joint: str, target: FloatArray) -> float:
    """The seconds at which a joint is farthest out, or nearest to the target (3,) where it has no apex.

    Of several apexes the one nearest to the target counts.

    >>> from motionloom.synthesis import punch
    >>> round(hitting_time(punch(duration=1.2).clip, "RightHand", np.zeros(3)), 1)
    0.5
    """
    index = clip.skeleton.index(joint)
    events = annotate(clip).events
    apexes = [round(event.frame) for event in events if event.label == APEX and event.joint == joint]
    frames = np.array(apexes or range(clip.n_frames), dtype=np.int64)
    away = np.linalg.norm(clip.world_positions()[frames, index] - target, axis=-1)
    return float(frames[away.argmin()] * clip.frame_time)


def _tried(
    clip: Clip,
    joint: str,
    target: FloatArray,
    time: float | None,
    point: npt.ArrayLike | None,
    keep_plants: bool,
) -> tuple[Clip, float, float]:
    """A clip warped to hit, the size of the warp (infinite out of reach), and the distance left."""
    moment = hitting_time(clip, joint, target)
    ease = float(np.clip(min(moment, clip.duration - moment), EASE, MOST_EASE))
    key = Key(moment, joint, reach=target, point=point, ease=ease)
    times = None if time is None else [(moment, time)]
    result = warp(clip, [key], times, keep_plants=keep_plants)
    report = result.report
    assert isinstance(report, WarpReport)
    turns = [np.asarray(made.rotate) for made in report.warp.keys if made.rotate is not None]
    size = float(np.sqrt(sum(float(turn @ turn) for turn in turns)))
    return result, np.inf if report.unreached else size, report.outcomes[0].distance
