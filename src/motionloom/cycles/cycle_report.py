"""How well a cycle closes: the report of :func:`~motionloom.cyclify`, and what it measures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.cycles.loop_search import Unit
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, Constraint
from motionloom.motion.steady_travel import find_steady_travel
from motionloom.motion.unroll import travel, unroll

USUAL = 95.0
"""Percentile that counts as the highest usual value; what lies above is noise."""


@dataclass(frozen=True, kw_only=True)
class CycleReport:
    """The report of a cyclic clip.

    Attributes
    ----------
    unit, cycles
        What repeats, "stride" or "repetition", and how many of them the clip holds.
    start, end
        The first frame and the fractional frame that follows the last one, counted in the given clip.
    duration
        Seconds that the cycle takes in the given clip; a whole number of frames in the result.
    coverage
        Fraction of the given clip's duration that the cycle takes.
    seam, seam_limit
        Root mean square distance of the body's points between both ends before closing, and its limit;
        metres.
    change
        The farthest that closing moved a joint, metres.
    acceleration
        Highest acceleration of a joint at the seam after closing, relative to the 95th percentile over the
        clip; the seam does not show where this is about 1 or less.
    plant_step, captured_plant_step
        How far a planted point moves from the last frame to the first at most, and the 95th percentile of
        its steps from frame to frame in the given clip; metres, zero when no plant crosses the seam.
    travel
        Placement of the next cycle relative to this one.
    speed, turn
        Of the cycle over the ground: m/s and rad/s.
    clip_speed, clip_turn
        The same of the whole clip, which the cycle stands for.
    was_cyclic
        Whether the clip was a cycle already, which came back unchanged: nothing was searched or closed, and
        ``seam`` and ``change`` are 0.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> print(cyclify(walk(duration=2.0).clip).report)
    1 stride in 1.03 s, frames 32 to 93.7 of the clip (51 %)
    seam 0.0 cm (limit 5.0 cm), closing moved joints by up to 0.01 cm
    speed 1.39 m/s (the clip 1.40), turn 0°/s (the clip 0)
    """

    unit: Unit
    cycles: int
    start: int
    end: float
    duration: float
    coverage: float
    seam: float
    seam_limit: float
    change: float
    acceleration: float
    plant_step: float
    captured_plant_step: float
    travel: GroundTransform
    speed: float = 0.0
    turn: float = 0.0
    clip_speed: float = 0.0
    clip_turn: float = 0.0
    was_cyclic: bool = False

    @property
    def passed(self) -> bool:
        """Whether the seam keeps to the limit."""
        return self.seam <= self.seam_limit

    def __str__(self) -> str:
        if self.was_cyclic:
            return "the clip is a cycle already: nothing was changed"
        plural = "s" if self.cycles > 1 else ""
        lines = [
            f"{self.cycles} {self.unit}{plural} in {self.duration:.2f} s, "
            f"frames {self.start} to {self.end:.1f} of the clip ({self.coverage * 100:.0f} %)",
            f"seam {self.seam * 100:.1f} cm (limit {self.seam_limit * 100:.1f} cm), "
            f"closing moved joints by up to {self.change * 100:.2f} cm",
        ]
        if self.unit == "stride":
            lines.append(
                f"speed {self.speed:.2f} m/s (the clip {self.clip_speed:.2f}), "
                f"turn {round(np.degrees(self.turn))}°/s (the clip {round(np.degrees(self.clip_turn))})"
            )
        if not self.passed:
            lines.append("note: no cycle keeps to the seam limit; this one comes closest")
        return "\n".join(lines)


def measure_cycle(cycle: Clip) -> tuple[float, float]:
    """Return the speed of a cycle over the ground, m/s, and its turn rate, rad/s.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> speed, turn = measure_cycle(cyclify(walk(speed=1.2, curvature=0.25, duration=4.0).clip).clip)
    >>> round(speed, 1), round(turn, 1)
    (1.2, 0.3)
    """
    steady = find_steady_travel(cycle)
    return float(np.linalg.norm(steady.velocities(cycle.root_positions[:1, [0, 2]]))), steady.turn


def max_change(cycle: Clip, captured: Clip) -> float:
    """Return how far a joint lies from where it was captured at most, metres.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> max_change(clip, clip)
    0.0
    """
    moved = cycle.world_positions() - captured.world_positions()
    return float(np.linalg.norm(moved, axis=-1).max())


def seam_acceleration(cycle: Clip) -> float:
    """Return the highest acceleration of a joint at the seam, relative to the 95th percentile over all
    frames.

    A frame counts with its most accelerated joint. The frames at the seam are the last and the first.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> seam_acceleration(cyclify(walk(duration=2.0).clip).clip) < 1.1
    True
    """
    positions = unroll(cycle, 2).world_positions()
    bends = np.linalg.norm(positions[2:] - 2.0 * positions[1:-1] + positions[:-2], axis=-1).max(axis=1)
    n_frames = cycle.n_frames
    usual = float(np.percentile(bends[:n_frames], USUAL))
    # Entry k is the acceleration at frame k + 1.
    return float(bends[n_frames - 2 : n_frames].max()) / usual if usual > 0.0 else 0.0


def plant_steps(cycle: Clip, captured: Clip) -> tuple[float, float]:
    """Return the longest step over the seam of a point planted there, and its usual step as captured, metres.

    >>> from motionloom.synthesis import walk
    >>> from dataclasses import replace
    >>> clip = replace(walk(duration=1.0).clip, cyclic=True)
    >>> plant_steps(clip, clip)
    (0.0, 0.0)
    """
    across = [c for c in _touching_end(cycle) if _continues(cycle, c)]
    if not across:
        return 0.0, 0.0
    after = cycle[:1].placed(travel(cycle))
    steps = [
        np.linalg.norm(after.point_positions(c.joint, c.point) - cycle[-1:].point_positions(c.joint, c.point))
        for c in across
    ]
    kinds = {(c.joint, c.kind) for c in across}
    planted = [
        np.linalg.norm(np.diff(_point_path(captured, c), axis=0), axis=-1)
        for c in captured.constraints
        if (c.joint, c.kind) in kinds
    ]
    usual = np.percentile(np.concatenate(planted), USUAL) if planted else 0.0
    return float(max(steps)), float(usual)


def _touching_end(cycle: Clip) -> list[Constraint]:
    return [c for c in cycle.constraints if c.end == cycle.n_frames and c.start < cycle.n_frames - 1]


def _continues(cycle: Clip, constraint: Constraint) -> bool:
    """Tell whether a constraint that touches the end continues at the start."""
    return any(
        c.start == 0.0 and (c.joint, c.kind) == (constraint.joint, constraint.kind) for c in cycle.constraints
    )


def _point_path(clip: Clip, constraint: Constraint) -> FloatArray:
    """Return the world positions (N, 3) of a constrained point in the whole frames of its interval."""
    held = constraint.whole_frames(clip.n_frames)
    return clip.point_positions(constraint.joint, constraint.point, slice(held.start, held.stop))
