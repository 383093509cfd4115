"""`GraphReport`: what a motion graph keeps of its takes, and how well it is connected."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class GraphReport:
    """Report on how a motion graph was made.

    Attributes
    ----------
    threshold
        Largest distance in metres of frames that meet in a transition.
    duration
        Seconds of all takes.
    frames, frames_kept
        Frames of all takes, and those from which motion goes on for ever.
    core_fraction
        Fraction of the frames that are kept, of those farther than one transition from the ends of their
        takes.
    candidates, tried
        Pairs of frames at which transitions may meet, and transitions that were made.
    edges, cut_edges
        Transitions that are kept, and good ones that lead out of what is kept.
    rejections
        How many transitions were not good enough, by reason.
    median_time, max_time
        Seconds from any moment of the core to any other, measured from a sample of them.
    tags
        For each label, the fraction of its frames that is kept.
    islands
        Names of takes that are connected with each other and with no others; the first is the core. Takes
        without any transition are islands of their own.
    lost
        What was cut off and why, in sentences.
    notes
        What was done to the takes, in sentences.
    """

    threshold: float
    duration: float
    frames: int
    frames_kept: int
    core_fraction: float
    candidates: int
    tried: int
    edges: int
    cut_edges: int = 0
    rejections: tuple[tuple[str, int], ...] = ()
    median_time: float = 0.0
    max_time: float = 0.0
    tags: tuple[tuple[str, float], ...] = ()
    islands: tuple[tuple[str, ...], ...] = ()
    lost: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def edges_per_minute(self) -> float:
        """Transitions per minute of take."""
        return 60.0 * self.edges / self.duration if self.duration else 0.0

    def __str__(self) -> str:
        lines = [
            f"{self.edges} transitions in {self.duration:.0f} s of takes, {self.edges_per_minute:.0f} per "
            f"minute, between poses at most {100.0 * self.threshold:.1f} cm apart",
            f"{self.frames_kept} of {self.frames} frames are kept; {100.0 * self.core_fraction:.0f} % of "
            "those farther than one transition from the end of a take",
            f"from any moment to any other in {self.median_time:.1f} s (median), at most "
            f"{self.max_time:.1f} s",
        ]
        if self.rejections:
            reasons = ", ".join(f"{count} {reason}" for reason, count in self.rejections)
            lines.append(f"{self.tried} transitions were tried; not good enough: {reasons}")
        lines += [f"{tag}: {100.0 * kept:.0f} % kept" for tag, kept in self.tags]
        return "\n".join([*lines, *self.lost])
