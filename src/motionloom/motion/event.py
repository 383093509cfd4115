"""Labelled instants of a clip, such as a foot strike."""

from __future__ import annotations

from dataclasses import dataclass, replace

from motionloom.errors import ParameterError
from motionloom.validation import check_number, check_string


@dataclass(frozen=True)
class Event:
    """A labelled instant; several may share one.

    Attributes
    ----------
    frame
        When, as a frame index; fractions are allowed.
    label
        What happens ("strike", "lift", …).
    joint
        The joint it happens to, or "" for the whole body.

    >>> Event(12.5, "strike", "LeftFoot").label
    'strike'
    """

    frame: float
    label: str
    joint: str = ""

    def __post_init__(self) -> None:
        check_string("the label of an event", self.label)
        check_string(f"the joint of event {self.label!r}", self.joint)
        if not self.label:
            raise ParameterError(f"the event at frame {self.frame} has no label")
        object.__setattr__(self, "frame", check_number(f"the frame of event {self.label!r}", self.frame))

    def retimed(self, scale: float, shift: float) -> Event:
        """Return the event at frame ``scale * frame + shift``."""
        return replace(self, frame=scale * self.frame + shift)
