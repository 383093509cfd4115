"""Events on beats and at given moments."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.synthesis import stand, walk
from motionloom.warping import retime_events, retime_to_beat
from motionloom.warping.retime_events import event_times
from tests.refusals import refused


def walked() -> Clip:
    return annotate(walk(duration=4.0).clip)


def test_events_must_be_there() -> None:
    with pytest.raises(ParameterError, match="the clip has no 'strike' events: annotate it first"):
        event_times(stand(duration=0.5).clip, "strike")
    with pytest.raises(ParameterError, match=r"the clip has no 'stamp' events of LeftFoot: it has .*strike"):
        event_times(walked(), "stamp", "LeftFoot")
    with pytest.raises(ParameterError, match="there are 99 times, but the clip has 7 'strike' events"):
        retime_events(walked(), list(range(99)), "strike")
    with refused("beats_per_minute", 0):
        retime_to_beat(walked(), 0)


@pytest.mark.slow
def test_events_happen_when_they_are_told_to() -> None:
    wanted = [0.4, 1.3, 1.8]
    result = retime_events(walked(), wanted, "strike")
    np.testing.assert_allclose(event_times(result.clip, "strike")[:3], wanted, atol=1e-6)
    # After the last of them time runs on as it did.
    np.testing.assert_allclose(
        np.diff(event_times(result.clip, "strike")[2:]),
        np.diff(event_times(walked(), "strike")[2:]),
        atol=1e-6,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("tempo", "offset"), [(100, 0.0), (120, 0.2), (60, 0.0), (130, 0.9)])
def test_steps_fall_on_beats(tempo: float, offset: float) -> None:
    result = retime_to_beat(walked(), tempo, offset=offset)
    beats = (np.array(event_times(result.clip, "strike")) - offset) * tempo / 60.0
    np.testing.assert_allclose(beats, np.round(beats), atol=1e-6)
    assert (np.diff(np.round(beats)) >= 1).all()


@pytest.mark.slow
def test_only_the_named_foot_is_on_the_beat() -> None:
    result = retime_to_beat(walked(), 60, joint="LeftFoot")
    beats = np.array(event_times(result.clip, "strike", "LeftFoot"))
    np.testing.assert_allclose(beats, np.round(beats), atol=1e-6)
    assert np.abs(np.array(event_times(result.clip, "strike", "RightFoot")) % 1.0 - 0.5).max() < 0.3
