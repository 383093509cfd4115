"""What :func:`~motionloom.cycles.looping.cyclify` has to say about a cycle."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.cycles.loop_search import Unit
from motionloom.geometry import GroundTransform


@dataclass(frozen=True, kw_only=True)
class CycleReport:
    """The report of a cyclic clip.

    Attributes
    ----------
    unit, n_cycles
        What repeats, "stride" or "repetition", and how many of them the clip holds.
    start, end
        The first frame and the fractional frame that follows the last one, counted in the source.
    seconds
        How long the cycle takes in the source; a whole number of frames in the clip.
    coverage
        Share of the source's duration that the cycle takes.
    seam, seam_limit
        Root mean square distance of the body's points between both ends before closing; the limit, metres.
    change
        Farthest that closing moved a joint, metres.
    acceleration
        Largest acceleration of a joint at the seam after closing, divided by the 95th percentile of the same
        over the clip; about 1 or less where the seam does not show.
    plant_step, captured_plant_step
        Farthest that a planted point moves from the last frame to the first, and the 95th percentile of its
        steps from frame to frame in the source, metres; zero when no plant crosses the seam.
    travel
        Where one cycle leads.

    >>> from motionloom.cycles.looping import cyclify
    >>> from motionloom.synthesis import walk
    >>> print(cyclify(walk(duration=2.0).clip).report)
    1 stride in 1.03 s, frames 32 to 93.7 of the source (51 %)
    seam 0.0 cm (limit 5.0 cm), closing moved joints by up to 0.01 cm
    """

    unit: Unit
    n_cycles: int
    start: int
    end: float
    seconds: float
    coverage: float
    seam: float
    seam_limit: float
    change: float
    acceleration: float
    plant_step: float
    captured_plant_step: float
    travel: GroundTransform

    @property
    def passed(self) -> bool:
        """Whether the seam keeps to the limit."""
        return self.seam <= self.seam_limit

    def __str__(self) -> str:
        plural = "s" if self.n_cycles > 1 else ""
        lines = [
            f"{self.n_cycles} {self.unit}{plural} in {self.seconds:.2f} s, "
            f"frames {self.start} to {self.end:.1f} of the source ({self.coverage * 100:.0f} %)",
            f"seam {self.seam * 100:.1f} cm (limit {self.seam_limit * 100:.1f} cm), "
            f"closing moved joints by up to {self.change * 100:.2f} cm",
        ]
        if not self.passed:
            lines.append("note: no cycle keeps to the seam limit; this is the best one")
        return "\n".join(lines)
