"""What annotation has to say about a clip."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.annotation.floor import Floor
from motionloom.annotation.settings import AnnotationSettings
from motionloom.motion.anatomy import Side


@dataclass(frozen=True)
class PlantReport:
    """The plants of one point of a foot.

    Attributes
    ----------
    side, joint, kind
        Which point it is.
    depth
        How far the point lies below the joint while the foot stands, metres.
    measured
        False where the foot never stands in the clip, and its sole was assumed.
    speed, height
        Thresholds at which the point is caught, m/s and metres above the floor.
    n_found
        How many plants the detector found.
    kept
        Whether the clip already had plants of this joint and kind, which were kept instead.
    """

    side: Side
    joint: str
    kind: str
    depth: float
    measured: bool
    speed: float
    height: float
    n_found: int
    kept: bool

    def __str__(self) -> str:
        if self.kept:
            return f"{self.side} {self.kind} ({self.joint}): the clip's own plants were kept"
        return (
            f"{self.side} {self.kind} ({self.joint}, {self.depth * 100:.1f} cm above the sole): "
            f"{self.n_found} plants, slower than {self.speed:.2f} m/s "
            f"and lower than {self.height * 100:.1f} cm"
        )


@dataclass(frozen=True)
class AnnotationReport:
    """The report of :func:`motionloom.annotation.annotate`.

    Attributes
    ----------
    settings
        What was asked for.
    floor
        The floor that was given or found; None without legs.
    plants
        One entry per heel and toe.
    n_events
        How many events were added.
    notes
        Sentences about what could not be done, and why.

    >>> print(AnnotationReport(AnnotationSettings(), None, (), 0, ("the skeleton has no legs",)))
    0 events
    note: the skeleton has no legs
    """

    settings: AnnotationSettings
    floor: Floor | None
    plants: tuple[PlantReport, ...]
    n_events: int
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        floor = [] if self.floor is None else [str(self.floor)]
        lines = [*map(str, self.plants), f"{self.n_events} events", *(f"note: {note}" for note in self.notes)]
        return "\n".join([*floor, *lines])
