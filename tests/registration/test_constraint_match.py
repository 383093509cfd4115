"""Matching of the constraints of clips: roles, common time, what is reported."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import pytest

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion.annotations import Constraint
from motionloom.registration.constraint_match import (
    ConstraintMatch,
    ConstraintMatches,
    UnmatchedReason,
    match_constraints,
)
from motionloom.synthesis import SyntheticMotion, jog, kick, stand, turn_in_place, walk


def same_time(clip: int, frames: FloatArray) -> FloatArray:
    return frames


def left(start: float, end: float) -> Constraint:
    return Constraint("LeftFoot", "heel", start, end)


def right(start: float, end: float) -> Constraint:
    return Constraint("RightFoot", "heel", start, end)


def of_role(found: ConstraintMatches, joint: str, kind: str) -> list[ConstraintMatch]:
    return [match for match in found.matches if (match.joint, match.kind) == (joint, kind)]


# Bad input


def test_constraints_of_one_role_that_overlap_are_refused() -> None:
    wanted = "two 'heel' constraints of joint 'LeftFoot' overlap: frames 0 to 5 and 3 to 9"
    with pytest.raises(ParameterError, match=wanted):
        match_constraints([[left(0, 5), left(3, 9)]], same_time)


def test_a_time_that_is_not_a_number_is_refused() -> None:
    wanted = re.escape("to_u of the frames of clip 0 must be finite: entry (1,) is nan")
    with pytest.raises(ParameterError, match=wanted):
        match_constraints([[left(0, 5)]], lambda clip, frames: np.where(frames > 2, np.nan, frames))


def test_a_time_that_runs_backwards_is_refused() -> None:
    with pytest.raises(ParameterError, match="to_u of clip 1 decreases between frames 2 and 5"):
        match_constraints([[left(0, 5)], [left(2, 5)]], lambda clip, frames: (1 - 2 * clip) * frames)


def test_a_time_of_the_wrong_shape_is_refused() -> None:
    wanted = re.escape("to_u of the frames of clip 0 must have shape (2,), not (1,)")
    with pytest.raises(ParameterError, match=wanted):
        match_constraints([[left(0, 5)]], lambda clip, frames: frames[:1])


def test_a_cycle_that_overlaps_itself_is_refused_by_name() -> None:
    wanted = "'heel' constraints of joint 'LeftFoot', in u: intervals 1 and 0 of clip 0 overlap: 90 to 110"
    with pytest.raises(ParameterError, match=wanted):
        match_constraints([[left(5, 20), left(90, 110)]], same_time, period=100.0)


@pytest.mark.parametrize(
    ("spans", "split", "wanted"),
    [
        ([[0, 1]], (False, False), "must have shape (2, 2), not (1, 2)"),
        ([[0, 1], [0, 1]], (False,), "has 2 sources but 1 split flags"),
        ([[0, 1], [3, 2]], (False, False), "runs from 3 to 2 in clip 1: its start must come before its end"),
    ],
)
def test_a_match_that_cannot_be_is_refused(
    spans: npt.ArrayLike, split: tuple[bool, ...], wanted: str
) -> None:
    with pytest.raises(ParameterError, match=re.escape(wanted)):
        ConstraintMatch("LeftFoot", "heel", np.asarray(spans, dtype=float), (0, 0), split)


# Hand-worked cases


def test_clips_meet_in_common_time() -> None:
    slow, fast = [left(0, 20), left(40, 60)], [left(0, 6), left(20, 30)]
    found = match_constraints([slow, fast], lambda clip, frames: frames / (20, 10)[clip])
    assert [match.spans.tolist() for match in found.matches] == [
        [[0.0, 1.0], [0.0, 0.6]],
        [[2.0, 3.0], [2.0, 3.0]],
    ]
    assert [match.sources for match in found.matches] == [(0, 0), (1, 1)]
    assert found.unmatched == ()
    assert found.splits == ()


def test_standing_on_one_leg_and_on_both_drops_the_other_leg() -> None:
    found = match_constraints([[left(0, 30)], [left(0, 30), right(0, 30)]], same_time)
    assert [(match.joint, match.sources) for match in found.matches] == [("LeftFoot", (0, 0))]
    (lost,) = found.unmatched
    assert (lost.clip, lost.constraint, lost.joint, lost.kind) == (1, 1, "RightFoot", "heel")
    assert lost.reason is UnmatchedReason.ABSENT
    assert lost.reason.value.startswith("another clip has no constraint of this joint and kind")


def test_kinds_of_one_joint_are_matched_apart() -> None:
    toe = Constraint("LeftFoot", "toe", 0, 10)
    found = match_constraints([[left(0, 10)], [toe]], same_time)
    assert found.matches == ()
    assert {lost.reason for lost in found.unmatched} == {UnmatchedReason.ABSENT}


def test_sources_count_in_the_clip_s_own_list() -> None:
    found = match_constraints([[right(0, 5), left(10, 15)], [left(11, 16), right(1, 4)]], same_time)
    assert {match.joint: match.sources for match in found.matches} == {
        "LeftFoot": (1, 0),
        "RightFoot": (0, 1),
    }


def test_a_split_is_reported_with_its_gap() -> None:
    found = match_constraints([[right(0, 1), left(0, 10)], [left(1, 4), left(6, 9)]], same_time)
    (split,) = found.splits
    assert (split.clip, split.constraint, split.joint, split.kind) == (0, 1, "LeftFoot", "heel")
    assert split.gap == (3.75, 6.25)
    assert [match.split for match in found.matches] == [(True, False), (True, False)]


def test_constraints_outside_the_registered_part_are_reported() -> None:
    clips = [[left(0, 4), left(12, 18), left(25, 30)], [left(13, 17)]]
    found = match_constraints(clips, lambda clip, frames: np.clip(frames, 10, 20))
    assert [match.sources for match in found.matches] == [(1, 0)]
    assert [(lost.clip, lost.constraint, lost.reason.name) for lost in found.unmatched] == [
        (0, 0, "OUTSIDE"),
        (0, 2, "OUTSIDE"),
    ]


def test_no_clips_and_no_constraints_give_no_matches() -> None:
    assert match_constraints([], same_time) == ConstraintMatches()
    assert match_constraints([[], []], same_time) == ConstraintMatches()


def test_cyclic_clips_match_across_the_seam() -> None:
    found = match_constraints([[left(90, 110)], [left(2, 20)]], same_time, period=100.0)
    assert [match.spans.tolist() for match in found.matches] == [[[90, 110], [102, 120]]]


def test_matches_compare_by_value() -> None:
    one, other = (match_constraints([[left(0, 5)]], same_time).matches[0] for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != match_constraints([[left(0, 6)]], same_time).matches[0]
    assert not one.spans.flags.writeable


# Built-in motions, whose plants are known


def test_a_stand_takes_the_steps_of_a_turn_in_place() -> None:
    still, turning = stand(duration=2.0), turn_in_place(duration=2.0)
    found = match_constraints([still.plants, turning.plants], same_time)
    assert len(found.matches) == len(turning.plants)
    assert found.unmatched == ()
    for match in found.matches:
        np.testing.assert_allclose(match.spans[0], match.spans[1])


def test_a_kick_lifts_the_foot_of_a_stand() -> None:
    found = match_constraints([stand(duration=2.0).plants, kick(duration=2.0).plants], same_time)
    assert [match.split[0] for match in of_role(found, "RightFoot", "heel")] == [True, True]
    assert [match.split[0] for match in of_role(found, "LeftFoot", "heel")] == [False]


def in_phase(motions: list[SyntheticMotion], clip: int, frames: FloatArray) -> FloatArray:
    """Gait cycles at frames of a motion; they run evenly, so that they go on beyond its end."""
    phase = motions[clip].phase
    return np.asarray(phase[0] + frames * (phase[-1] - phase[0]) / (len(phase) - 1))


def test_a_walk_and_a_jog_match_step_by_step() -> None:
    motions = [walk(duration=4.0), jog(duration=4.0)]
    found = match_constraints([m.plants for m in motions], lambda k, frames: in_phase(motions, k, frames))
    starts = np.array([match.spans[:, 0] for match in found.matches])
    assert np.ptp(starts, axis=1).max() < 0.05  # of a gait cycle
    assert found.splits == ()
    lost = {(lost.clip, lost.constraint) for lost in found.unmatched}
    assert lost == {(0, 1)} | {(1, n) for n in range(16, 23)}  # a toe from before, steps after the walk's end


def test_one_cycle_of_a_walk_and_of_a_jog_match_round_the_circle() -> None:
    motions = [walk(duration=4.0, phase=0.3), jog(duration=4.0, phase=0.8)]
    cycles = [
        [c for c in m.plants if 1.0 <= in_phase(motions, k, np.array([c.start]))[0] < 2.0]
        for k, m in enumerate(motions)
    ]
    found = match_constraints(cycles, lambda k, frames: in_phase(motions, k, frames), period=1.0)
    assert [(match.joint, match.kind) for match in found.matches] == [
        ("LeftFoot", "heel"),
        ("LeftToeBase", "toe"),
        ("RightFoot", "heel"),
        ("RightToeBase", "toe"),
    ]
    assert found.unmatched == ()
    assert found.splits == ()
