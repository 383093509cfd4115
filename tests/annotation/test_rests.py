"""Rests of hands, knees, elbows and seat: what is one, what is not, and how well they meet labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.annotation import AnnotationSettings, annotate, annotate_and_report
from motionloom.annotation.labels import PLANT_KINDS, REST_KINDS
from motionloom.annotation.resting_parts import ALL_PARTS, RestReport, RestSurface, check_parts
from motionloom.annotation.rests import windowed_extents
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.motion import Clip, Constraint
from motionloom.synthesis import jog, kick, punch, reach_out, stand, walk
from motionloom.synthesis.synthetic_motion import SyntheticMotion
from tests.annotation.rest_labels import HELD_OUT, TAKES, Take, score_take

UP = np.array([0.0, 1.0, 0.0])
LEVEL = AnnotationSettings(floor=0.0)


@pytest.mark.parametrize("parts", ["fingers", ["feet", "nose"], 3, [None]])
def test_unknown_parts_are_refused(parts: object) -> None:
    with pytest.raises(ParameterError, match="parts must be names out of feet, hands, knees, elbows, seat"):
        check_parts(parts)
    with pytest.raises(ParameterError, match="parts must be names out of"):
        annotate(stand(duration=0.5, fps=30).clip, parts=parts)  # type: ignore[call-overload]


def test_parts_are_taken_from_the_settings_or_the_keyword() -> None:
    assert check_parts("all") == ALL_PARTS
    assert check_parts("hands") == ("hands",)
    assert AnnotationSettings().parts == ("feet",)
    clip = lying(0.2)
    only = AnnotationSettings(parts=("seat",), floor=0.0)
    assert {c.kind for c in annotate(clip, only).constraints} == {"seat"}
    assert {c.kind for c in annotate(clip, LEVEL, parts="seat").constraints} == {"seat"}


@pytest.mark.parametrize("make", [walk, jog, stand, kick, punch, reach_out])
def test_hands_in_the_air_do_not_rest(make: Callable[..., SyntheticMotion]) -> None:
    clip = make(duration=2.0, fps=30).clip
    found = annotate(clip, parts="all")
    assert {c.kind for c in found.constraints} <= set(PLANT_KINDS)
    assert found.constraints == annotate(clip).constraints


def lying(height: float, fps: float = 30.0) -> Clip:
    """Somebody who stands for a second and sinks until the hips are at ``height``, and stays."""
    clip = stand(duration=3.0, fps=fps).clip
    down = np.interp(np.arange(clip.n_frames) / fps, [1.0, 1.5], [0.0, 1.0])
    return replace(
        clip, root_positions=clip.root_positions - down[:, None] * (clip.root_positions[0, 1] - height) * UP
    )


def test_a_seat_on_the_floor_is_a_rest() -> None:
    found = annotate_and_report(lying(0.15), LEVEL, parts="seat")
    (seat,) = found.clip.constraints
    assert (seat.joint, seat.kind, seat.end) == ("Hips", "seat", 90.0)
    assert 40 < seat.start < 47
    assert str(found.report.rests[0]) == "seat (Hips): 1 rests, on the floor"


def test_own_rests_are_kept_and_found_again_on_request() -> None:
    own = Constraint("Hips", "seat", 50, 60)
    clip = replace(lying(0.15), constraints=(own,))
    kept = annotate_and_report(clip, LEVEL, parts="all")
    assert [c for c in kept.clip.constraints if c.kind == "seat"] == [own]
    assert "seat (Hips): the clip's own plants were kept" in str(kept.report)
    anew = annotate(clip, replace(LEVEL, replace=True), parts="all")
    (again,) = (c for c in anew.constraints if c.kind == "seat")
    assert again.end == 90.0


def test_surfaces_and_reports_in_words() -> None:
    assert str(RestSurface("level", 0.754, UP)) == "something level 0.75 m above the floor"
    assert str(RestSurface("wall", 1.4, UP)) == "a wall 1.40 m above the floor"
    report = RestReport("left", "LeftHand", "hand", 2, ("the floor", "the floor"), False)
    assert str(report) == "left hand (LeftHand): 2 rests, on the floor"


def test_two_frames_and_skeletons_without_arms_have_no_rests() -> None:
    assert annotate_and_report(stand(duration=1.0, fps=30).clip[:2], parts="all").report.rests != ()
    assert annotate_and_report(stand(duration=1.0, fps=30).clip[:1], parts="all").report.rests == ()


@pytest.mark.parametrize("take", TAKES, ids=lambda take: take.what)
def test_rests_meet_the_labels_of_five_takes(take: Take, mocap: Path) -> None:
    """Hands that rest for less than half a second on something that was pushed are missed."""
    scores = score_take(take, annotate(load_clip(mocap / take.file), parts="all"))
    found, right, labelled = scores["hand"]
    if take.what == "push":
        assert found == 0
        return
    assert right / found > 0.85
    assert right / labelled > 0.8


@pytest.mark.parametrize("take", HELD_OUT, ids=lambda take: take.what)
def test_rests_meet_labels_that_nothing_was_tuned_on(take: Take, mocap: Path) -> None:
    """Hands on a stool are missed while the body over them hardly moves and is in balance."""
    found, right, labelled = score_take(take, annotate(load_clip(mocap / take.file), parts="hands"))["hand"]
    if take.what == "lean":
        assert found == 0
        return
    assert right / found > 0.85
    assert right / labelled > 0.8


def test_extents_are_measured_in_every_window() -> None:
    track = np.random.default_rng(4).normal(size=(9, 3))
    slow = [
        2.0 * np.sqrt(((w - w.mean(axis=0)) ** 2).sum(axis=1).mean())
        for w in (track[n : n + 4] for n in range(6))
    ]
    np.testing.assert_allclose(windowed_extents(track, 4), slow, atol=1e-12)


@pytest.mark.filterwarnings("error")
def test_a_frame_every_two_seconds_shows_no_hand_that_holds_on() -> None:
    """Windows of no frames had no mean."""
    clip = annotate(stand(duration=8.0, fps=0.5).clip, LEVEL, parts="hands")
    assert not [c for c in clip.constraints if c.kind == "hand"]


def test_hands_that_hold_on_are_found_for_as_long_as_they_are_still() -> None:
    """Both hands stay in the air for 2 s while the body sinks and rises in the second one alone."""
    clip = stand(duration=2.0, fps=30).clip
    frames = np.arange(clip.n_frames)
    sway = np.where(frames >= 30, -0.08 * (1.0 - np.cos((frames - 30) * np.pi / 15.0)), 0.0)
    moved = replace(clip, root_positions=clip.root_positions + sway[:, None] * UP)
    hands = [
        Constraint(joint, "hand", 0, 60, target=clip.point_positions(joint, np.zeros(3))[0])
        for joint in ("LeftHand", "RightHand")
    ]
    still = replace(enforce(replace(moved, constraints=tuple(hands))).clip, constraints=())
    assert not [c for c in annotate(moved, LEVEL, parts="hands").constraints if c.kind == "hand"]
    found = [c for c in annotate(still, LEVEL, parts="hands").constraints if c.kind == "hand"]
    assert sorted(c.joint for c in found) == ["LeftHand", "RightHand"]
    assert all(c.start < 2.0 and c.end > 55.0 for c in found)


@pytest.mark.parametrize("name", ["16/16_15", "07/07_01", "35/35_01", "13/13_18", "49/49_01"])
def test_ordinary_gaits_and_jumps_have_no_rests(name: str, mocap: Path) -> None:
    path = mocap / "library" / f"{name}.bvh"
    if not path.exists():
        pytest.skip("the take is not in the library")
    found = annotate(load_clip(path), parts="all")
    assert not [c for c in found.constraints if c.kind in REST_KINDS]
