from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.cycles import cyclify, match_strides
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.synthesis import jog, walk
from motionloom.workflows import Cut, prepared, registered


@pytest.fixture(scope="module")
def gaits() -> list[Clip]:
    return [walk(duration=4.0, fps=30).clip, jog(duration=3.0, fps=30, phase=0.3).clip]


def test_wrong_choices_are_refused(gaits: list[Clip]) -> None:
    with pytest.raises(ParameterError, match="cut must be one of auto, strides, loops, whole, not 'half'"):
        registered(gaits, cut="half")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="register has no setting 'slope'"):
        registered(gaits, slope=2)
    with pytest.raises(ParameterError, match=r"a window of 5 s is longer than the clips, which last 4\.00 s"):
        registered(gaits, cut="whole", window=5.0)
    with pytest.raises(ParameterError, match="are frames of two clips, and 3 are to correspond"):
        registered([*gaits, gaits[0]], cut="whole", pins=[(1, 1, 1)])
    with pytest.raises(ParameterError, match="a pin has one frame for each of the 2 clips, not 3"):
        registered(gaits, cut="whole", pins=[(1, 1, 1)])
    with pytest.raises(ParameterError, match="a pin names frame 91 of clip 1, of which frames 0 to 90 are"):
        registered(gaits, cut="whole", pins=[(1, 91)])
    with pytest.raises(ParameterError, match="the start names frame 0 of clip 0, of which frames"):
        registered(gaits, start=(0, 20))


def taken(gaits: list[Clip], cut: Cut) -> list[Clip]:
    """What is registered, step by step."""
    ready = [annotate(clip) for clip in gaits]
    if cut == "loops":
        return [cyclify(clip, n_cycles=1) for clip in ready]
    return ready if cut == "whole" else match_strides(ready)


@pytest.mark.parametrize("cut", ["auto", "strides", "loops", "whole"])
@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_clips_are_cut_as_asked(gaits: list[Clip], cut: Cut) -> None:
    curve, cuts = registered(gaits, cut=cut, slope_limit=2)
    expected = ml.register(taken(gaits, cut), slope_limit=2)
    assert np.array_equal(curve.timewarp.control_points, expected.timewarp.control_points)
    assert np.array_equal(curve.alignment.control_points, expected.alignment.control_points)
    assert len(cuts) == (2 if cut in ("auto", "strides") else 0)


def test_prepared_is_the_usual_way(gaits: list[Clip]) -> None:
    one, cuts = prepared(gaits)
    other, again = registered(gaits)
    assert np.array_equal(one.timewarp.control_points, other.timewarp.control_points)
    assert cuts == again


def test_cycles_are_taken_as_they_are(gaits: list[Clip]) -> None:
    cycle = cyclify(gaits[0], n_cycles=1)
    curve, _ = registered([cycle, gaits[1]], cut="loops")
    assert np.array_equal(curve.clips[0].rotations, cycle.rotations)
    assert all(clip.cyclic for clip in curve.clips)


@pytest.mark.parametrize("cut", ["auto", "loops", "whole"])
def test_pins_count_in_the_clips_as_they_are_given(gaits: list[Clip], cut: Cut) -> None:
    parts = [clip.report for clip in taken(gaits, cut)]
    pin = [50, 30] if cut == "whole" else [round(0.7 * part.start + 0.3 * part.end) for part in parts]
    curve, _ = registered(gaits, cut=cut, pins=[pin])
    (used,) = curve.settings.pins
    knee = gaits[0].skeleton.index("LeftLeg")
    for clip, frame, given, wanted in zip(curve.clips, used, gaits, pin, strict=True):
        assert abs(float(clip.rotations[frame, knee] @ given.rotations[wanted, knee])) > 0.999


def test_pins_are_brought_to_the_slowest_rate(gaits: list[Clip]) -> None:
    fast = walk(duration=4.0, fps=60).clip
    curve, _ = registered([fast, gaits[1]], cut="whole", pins=[(100, 40)])
    assert curve.settings.pins == ((50, 40),)


def test_clips_correspond_from_a_start_on(gaits: list[Clip]) -> None:
    _, cuts = registered(gaits)
    start = [cut.start + 5 for cut in cuts]
    curve, again = registered(gaits, start=start)
    assert again == cuts
    assert curve.settings.start == (5, 5)
    assert np.allclose(curve.spans[0], 5.0)


def test_where_somebody_cut_clips_before_does_not_count(gaits: list[Clip]) -> None:
    ready = match_strides([annotate(clip) for clip in gaits])
    ready = [replace(clip, cyclic=False) for clip in ready]
    curve, cuts = registered(ready, cut="whole", pins=[(20, 15)])
    assert (cuts, curve.settings.pins) == ((), ((20, 15),))
