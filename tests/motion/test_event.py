from __future__ import annotations

import pytest

from motionloom.errors import ParameterError
from motionloom.motion import Event


def test_bad_events_are_refused() -> None:
    with pytest.raises(ParameterError, match="the frame of event 'strike' must be a finite number, not nan"):
        Event(float("nan"), "strike")
    with pytest.raises(ParameterError, match="the event at frame 3 has no label"):
        Event(3, "")
    with pytest.raises(ParameterError, match="the frame of event 'x' must be a finite number, not '3'"):
        Event("3", "x")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="the label of an event must be a string, not 5"):
        Event(3, 5)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="the joint of event 'x' must be a string, not None"):
        Event(3, "x", None)  # type: ignore[arg-type]


def test_retimed_scales_and_shifts() -> None:
    assert Event(2, "strike").retimed(0.5, 1.0).frame == 2.0
