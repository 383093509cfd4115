"""Moments by name: what the words mean, and what is said when a clip does not have them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Event
from motionloom.synthesis import kick, walk
from motionloom.warping.moments import Moment, find_times, parse_moment, parse_percent


@cache
def clip() -> Clip:
    """Ten seconds per metre: events at hand-picked frames of a walk at 10 frames per second."""
    plain = walk(duration=4.0, fps=10).clip
    events = [(5, "RightFoot"), (10, "LeftFoot"), (15, "RightFoot"), (20, "LeftFoot"), (25, "RightFoot")]
    strikes = [Event(frame, "strike", joint) for frame, joint in events]
    return replace(plain, events=(*strikes, Event(12, "apex", "RightHand"), Event(30, "clap", "LeftHand")))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("start", Moment("fraction", 0.0)),
        ("end", Moment("fraction", 1.0)),
        ("25 %", Moment("fraction", 0.25)),
        ("25% of the clip", Moment("fraction", 0.25)),
        ("left strike 2", Moment("event", label="strike", owner="left", number=2)),
        ("every right mid swing", Moment("event", label="mid swing", owner="right", every=True)),
        ("left knee flexion last", Moment("event", label="flexion", owner="left knee", number=-1)),
        ("RightHand apex", Moment("event", label="apex", owner="RightHand")),
        ("left hand clap 3", Moment("event", label="hand clap", owner="left", number=3)),
        ("phase 0.25", Moment("phase", 0.25)),
        ("phase 0.5 of cycle 3", Moment("phase", 0.5, number=3)),
        ("crossing 2", Moment("crossing", number=2)),
        ("left strike + 0.1 s", Moment("event", label="strike", owner="left", shift=0.1)),
        ("left  strike -0.25s", Moment("event", label="strike", owner="left", shift=-0.25)),
    ],
)
def test_words_name_a_moment(text: str, moment: Moment) -> None:
    assert parse_moment(text) == moment


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no moment: write seconds, or 'left strike 2'"),
        ("left", "'left' is no moment"),
        ("0.5", "is no moment"),
        ("120 %", "must be from 0 to 100, not 120"),
        ("1.2.3 %", "is no fraction of a clip: write a percentage such as '25 %'"),
        ("phase 1.5", "the phase in 'phase 1.5' must be from 0 to 1, not 1.5"),
        ("left strike 0", "'left strike 0' counts from 1"),
        ("every 50 %", "asks for every one of a moment that is only one: leave out 'every'"),
        ("every left strike 2", "asks for every one of a moment that is only one"),
    ],
)
def test_other_words_are_refused(text: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        parse_moment(text)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("start", [0.0]),
        ("50 %", [2.0]),
        ("left strike 2", [2.0]),
        ("left strike last", [2.0]),
        ("strike 3", [1.5]),
        ("every right strike", [0.5, 1.5, 2.5]),
        ("LeftFoot strike", [1.0]),
        ("left ankle strike", [1.0]),
        ("apex", [1.2]),
        ("right apex", [1.2]),
        ("left clap", [3.0]),
        ("left strike 2 - 0.3 s", [1.7]),
        ("every right strike + 2 s", [2.5, 3.5]),
        ("phase 0.25", [1.25]),
        ("phase 0.25 of cycle 2", [2.25]),
        ("phase 0.75 of cycle 0", [0.75]),
        ("every phase 0.25", [0.25, 1.25, 2.25, 3.25]),
    ],
)
def test_moments_are_found_at_their_seconds(text: str, times: list[float]) -> None:
    np.testing.assert_allclose(find_times(clip(), text), times, atol=1e-9)


def test_crossings_are_those_of_the_obstacle() -> None:
    assert find_times(clip(), "crossing 2", (1.0, 1.4)) == [1.4]
    with pytest.raises(ParameterError, match="'crossing 3' cannot be found: its obstacle has 2"):
        find_times(clip(), "crossing 3", (1.0, 1.4))
    with pytest.raises(ParameterError, match="'crossing 1' cannot be found: the warp has no obstacle"):
        find_times(clip(), "crossing 1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "left strike 3",
            r"no 'left strike 3': it has 2 'left strike' events, at 1\.00, 2\.00 s; name one of",
        ),
        ("left apex", "no 'left apex' events, which 'left apex' asks for: its events are apex, clap, strike"),
        ("jump", "no 'jump' events"),
        ("right strike last + 3 s", r"is at 5\.50 s, outside the clip, which runs from 0 to 4 s"),
        ("phase 0.1 of cycle 9", r"goes from phase 0\.00 of cycle 0 to phase 0\.00 of cycle 4"),
    ],
)
def test_what_the_clip_lacks_is_named(text: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        find_times(clip(), text)


def test_phases_need_a_gait() -> None:
    with pytest.raises(
        ParameterError, match=r"needs a gait, but the clip shows no gait: .*; use an event, or a"
    ):
        find_times(kick(duration=1.5).clip, "phase 0.5")


def test_events_are_detected_where_a_clip_has_none() -> None:
    plain = walk(duration=2.0, fps=60).clip
    assert not plain.events
    assert find_times(plain, "left strike") == find_times(annotate(plain), "left strike")


def test_percentages() -> None:
    assert parse_percent("7.5%") == pytest.approx(0.075)
    with pytest.raises(ParameterError, match="'soon' is no fraction of a clip"):
        parse_percent("soon")
