"""Feet that carry weight: by force plates, by heels and toes, on skeletons and on markers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate_and_report, annotate_points_and_report
from motionloom.annotation.weight_bearing import (
    TrackedFoot,
    WeightReport,
    bear_weight,
    find_intervals,
    read_plates_under,
)
from motionloom.errors import ParameterError
from motionloom.motion import Event, ForcePlate, PointClip
from motionloom.motion.anatomy import Side
from motionloom.synthesis import jog, stand, walk
from tests.refusals import refused

FEET = ["LeftFoot", "LeftToeBase", "RightFoot", "RightToeBase"]
SIDES: tuple[Side, Side] = ("left", "right")


def markers(body: ml.Clip) -> PointClip:
    return PointClip(body.skeleton.names, body.frame_time, body.world_positions())


def plate(load: list[float]) -> ForcePlate:
    """A plate of 60 by 40 cm about the origin that carries so many newtons, at 100 samples per second."""
    force = np.zeros((len(load), 3))
    force[:, 1] = load
    corners = np.array([[0.3, 0, 0.2], [-0.3, 0, 0.2], [-0.3, 0, -0.2], [0.3, 0, -0.2]])
    return ForcePlate("plate", 0.01, force, np.zeros_like(force), corners)


def test_notions_that_nobody_knows() -> None:
    clip = stand(duration=0.5).clip
    with refused("contacts"):
        ml.annotate(clip, contacts="glued")  # type: ignore[call-overload]
    with refused("contacts"):
        ml.annotate(markers(clip), contacts="glued")  # type: ignore[call-overload]


def test_feet_without_names() -> None:
    names = tuple(f"M{n}" for n in range(22))
    clip = replace(markers(stand(duration=0.5).clip), names=names)
    with pytest.raises(ParameterError, match="no markers are called like heels and toes"):
        ml.annotate(clip, contacts="weight_bearing")
    with pytest.raises(ParameterError, match=r"names four points .* not 2"):
        ml.annotate(clip, points=names[:2], contacts="weight_bearing")
    with pytest.raises(ParameterError, match="the clip has no point 'nose'"):
        ml.annotate(clip, points=[*names[:3], "nose"], contacts="weight_bearing")


USUAL_NAMES = [
    ("LHEE", "LTOE", "RHEE", "RTOE"),
    ("left_heel", "left_foot_index", "right_heel", "right_foot_index"),
    ("L.Heel", "L.Toe", "R.Heel", "R.Toe"),
    ("Actor:heel_l", "Actor:toe_l", "Actor:heel_r", "Actor:toe_r"),
]


@pytest.mark.parametrize("names", USUAL_NAMES)
def test_heels_and_toes_by_their_usual_names(names: tuple[str, ...]) -> None:
    clip = PointClip((*names, "C7"), 0.01, np.zeros((50, 5, 3)))
    report = annotate_points_and_report(clip, contacts="weight_bearing").report
    assert [(contact.side, contact.joint) for contact in report.contacts] == [
        ("left", names[0]),
        ("right", names[2]),
    ]


def test_standing_feet_bear_weight_and_high_ones_do_not() -> None:
    still = np.zeros((200, 3))
    lifted = still.copy()
    lifted[50:150, 1] = 0.3 * np.sin(np.linspace(0.0, np.pi, 100))
    feet = [TrackedFoot(side, side, track, track) for side, track in zip(SIDES, (still, lifted), strict=True)]
    left, right = bear_weight(feet, 0.01)
    assert find_intervals(left, 0.01) == [(0.0, 199.0)]
    first, second = find_intervals(right, 0.01)
    assert 45.0 < first[1] < 60.0
    assert 140.0 < second[0] < 155.0


def test_short_contacts_and_gaps_are_noise() -> None:
    odds = np.array([1.0] * 20 + [-1.0] + [1.0] * 20 + [-1.0] * 20 + [1.0] * 2 + [-1.0] * 20)
    assert find_intervals(odds, 0.01) == [(0.0, 40.5)]


def test_plates_by_hand() -> None:
    """A foot in the middle of a plate is loaded above 20 N; one near the edge is not over it."""
    loads = plate([0.0, 19.0, 21.0, 700.0])
    centre = np.zeros((4, 3))
    over, loaded = read_plates_under(centre, [centre + np.array([1.0, 0, 0])], 0.01, [loads])
    assert (over.tolist(), loaded.tolist()) == ([True] * 4, [False, False, True, True])
    edge = centre + np.array([0.27, 0, 0])
    assert not read_plates_under(edge, [], 0.01, [loads])[0].any()
    # The load belongs to the other foot, which is nearer to it.
    near, nearer = centre + np.array([0.2, 0, 0]), centre + np.array([0.1, 0, 0])
    over, loaded = read_plates_under(near, [nearer], 0.01, [loads])
    assert over.all()
    assert not loaded.any()


def test_plates_are_the_truth() -> None:
    """A foot that stands still all the time, on a plate that is loaded for some of it."""
    heel, toe = np.zeros((100, 3)), np.tile([0.1, 0.0, 0.0], (100, 1))
    away = np.array([0.0, 0.0, 2.0])
    positions = np.stack([heel, toe, heel + away, toe + away], axis=1)
    load = [0.0] * 30 + [700.0] * 40 + [0.0] * 30
    clip = PointClip(("LHEE", "LTOE", "RHEE", "RTOE"), 0.01, positions, force_plates=(plate(load),))
    result = annotate_points_and_report(clip, contacts="weight_bearing")
    stepping, report = result.clip, result.report
    found = [(c.side, round(c.start, 6), round(c.end, 6), c.measured) for c in report.contacts]
    # Averaged over 0.03 s, changes stay where they are: halfway between two frames.
    assert found == [("right", 0.0, 99.0, False), ("left", 29.5, 69.5, True)]
    assert [(event.label, event.joint) for event in stepping.events] == [("strike", "LHEE"), ("lift", "LHEE")]
    assert report.labels("left").sum() == 40
    assert stepping.constraints == ()


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
@pytest.mark.parametrize(("make", "least"), [(walk, 0.94), (jog, 0.85)])
def test_gaits_on_skeletons(make: Callable[..., Any], least: float, fps: float) -> None:
    """Feet bear weight while heel or toes are planted, and for some frames around, while they roll."""
    motion = make(duration=4.0, fps=fps)
    result = annotate_and_report(motion.clip, contacts="weight_bearing")
    stepping, report = result.clip, result.report
    assert isinstance(report, WeightReport)
    assert stepping.constraints == motion.clip.constraints
    frames = np.arange(stepping.n_frames)
    for side in SIDES:
        truth = np.zeros(stepping.n_frames, dtype=np.bool_)
        for plant in motion.plants:
            if plant.joint.lower().startswith(side):
                truth |= (frames >= plant.start) & (frames <= plant.end)
        found = report.labels(side)
        assert 2.0 * (found & truth).sum() / (found.sum() + truth.sum()) > least
        strikes = [e for e in stepping.events if e.label == "strike" and e.joint.lower().startswith(side)]
        assert len(strikes) in range(2, 8)


def test_markers_give_what_skeletons_do() -> None:
    body = walk(duration=3.0, fps=60).clip
    on_points = annotate_points_and_report(markers(body), FEET, contacts="weight_bearing")
    on_skeleton = annotate_and_report(body, contacts="weight_bearing")
    for side in SIDES:
        same = on_points.report.labels(side) == on_skeleton.report.labels(side)
        assert same.mean() > 0.85


def test_own_events_are_replaced_and_others_stay() -> None:
    body = walk(duration=3.0, fps=60).clip
    own = (Event(1.0, "strike", "LeftFoot"), Event(2.0, "clap"))
    stepping = ml.annotate(replace(body, events=own), contacts="weight_bearing")
    assert own[0] not in stepping.events
    assert own[1] in stepping.events


def test_bodies_without_legs_and_single_frames() -> None:
    skeleton = ml.Skeleton(("a",), np.array([-1]), np.zeros((1, 3)))
    point = ml.Clip(skeleton, 0.1, np.zeros((9, 3)), np.tile([1.0, 0, 0, 0], (9, 1, 1)))
    assert annotate_and_report(point, contacts="weight_bearing").report.notes[0].startswith("no legs")
    short = annotate_and_report(walk(duration=1.0).clip[:1], contacts="weight_bearing")
    assert "has no speeds" in short.report.notes[0]


def test_captures_on_plates(mocap: Path) -> None:
    """Without looking at the plates, the model finds feet loaded that the plates find loaded."""
    hits = sizes = 0
    for path in sorted((mocap / "force_plates").glob("*.c3d"))[::4]:
        clip = ml.load(path, ml.PointClip)
        seen = annotate_points_and_report(clip, contacts="weight_bearing").report
        blind = annotate_points_and_report(replace(clip, force_plates=()), contacts="weight_bearing").report
        for contact in seen.contacts:
            if contact.measured:
                inside = slice(int(np.ceil(contact.start)), int(contact.end) + 1)
                hits += int(blind.labels(contact.side)[inside].sum())
                sizes += len(blind.labels(contact.side)[inside])
    assert sizes > 1000
    assert hits / sizes > 0.95
