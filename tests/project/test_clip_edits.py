from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import motionloom as ml
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.project.clip_edits import (
    apply_edit,
    apply_marks,
    edit_frames,
    edit_times,
    mark_edited_clip,
    marks_of,
)
from motionloom.project.document import ClipEdit, EventMark, Marks, PlantMark
from motionloom.synthesis import walk
from tests.repair.planting import flip


@pytest.fixture(scope="module")
def clip() -> Clip:
    return walk(duration=2.0, fps=30).clip


@pytest.mark.parametrize("trim", [(-1, 5), (5, 4), (0, 61)])
def test_frames_that_are_not_there_cannot_be_kept(clip: Clip, trim: tuple[int, int]) -> None:
    sentence = f"frames {trim[0]} to {trim[1]} cannot be kept: the clip has frames 0 to 60"
    with pytest.raises(ParameterError, match=sentence):
        apply_edit(clip, ClipEdit(trim=trim))


def test_marks_of_joints_that_are_not_there_are_refused(clip: Clip) -> None:
    with pytest.raises(ParameterError, match="the skeleton has no joint 'Tail'"):
        apply_marks(clip, Marks(plants=(PlantMark(joint="Tail", kind="heel", start=0, end=1),)))
    with pytest.raises(ParameterError, match="the skeleton has no joint 'Tail'"):
        apply_marks(clip, Marks(events=(EventMark(frame=0, label="wag", joint="Tail"),)))


def test_edits_happen_in_their_order(clip: Clip) -> None:
    made = apply_edit(clip, ClipEdit(trim=(10, 50), speed=2.0, reverse=True, mirror=True))
    expected = clip[10:51].sped_up(2.0).reversed().mirrored()
    assert np.array_equal(made.rotations, expected.rotations)
    assert np.array_equal(made.root_positions, expected.root_positions)
    assert apply_edit(clip, ClipEdit()) is clip


def test_marks_take_the_place_of_what_is_there_and_end_with_the_clip(clip: Clip) -> None:
    plants = (
        PlantMark(joint="LeftFoot", kind="heel", start=-3.0, end=12.5, point=(0.0, -0.1, 0.0)),
        PlantMark(joint="RightFoot", kind="heel", start=50.0, end=99.0, target=(1.0, 0.0, 2.0)),
        PlantMark(joint="RightFoot", kind="toe", start=70.0, end=99.0),
    )
    events = (EventMark(frame=5.0, label="clap"), EventMark(frame=61.0, label="late"))
    made = apply_marks(clip, Marks(plants=plants, events=events))
    assert [(held.joint, held.start, held.end) for held in made.constraints] == [
        ("LeftFoot", 0.0, 12.5),
        ("RightFoot", 50.0, 60.0),
    ]
    assert made.constraints[0].point.tolist() == [0.0, -0.1, 0.0]
    assert made.constraints[1].target is not None
    assert [event.label for event in made.events] == ["clap"]


EDITS = st.builds(
    ClipEdit,
    trim=st.none() | st.tuples(st.integers(0, 30), st.integers(30, 60)),
    speed=st.none() | st.floats(0.3, 4.0),
    reverse=st.booleans(),
)


@given(EDITS)
def test_frames_of_an_edited_clip_are_known(clip: Clip, edit: ClipEdit) -> None:
    made, frames = apply_edit(clip, edit), edit_frames(clip.n_frames, edit)
    assert len(frames) == made.n_frames
    step = np.linalg.norm(np.diff(clip.root_positions, axis=0), axis=1).max()
    apart = np.linalg.norm(clip.root_positions[frames] - made.root_positions, axis=1)
    assert apart.max() <= 0.51 * step


@pytest.mark.slow
@given(EDITS, st.floats(0.0, 60.0))
def test_moments_move_as_events_do(clip: Clip, edit: ClipEdit, moment: float) -> None:
    mark = Marks(events=(EventMark(frame=moment, label="seam"),))
    events = [event.frame for event in apply_edit(apply_marks(clip, mark), edit).events]
    assert np.allclose(edit_times([moment], clip.n_frames, edit), events)


MIRRORED_EDITS = st.builds(
    ClipEdit,
    trim=st.none() | st.tuples(st.integers(0, 20), st.integers(40, 60)),
    speed=st.none() | st.floats(0.5, 2.0),
    reverse=st.booleans(),
    mirror=st.booleans(),
)


@pytest.mark.slow
@given(MIRRORED_EDITS, MIRRORED_EDITS)
def test_marks_of_another_edit_follow_the_motion(clip: Clip, old: ClipEdit, new: ClipEdit) -> None:
    plant = PlantMark(
        joint="LeftFoot", kind="heel", start=22, end=30.5, point=(0.01, -0.1, 0), target=(1, 0, 2)
    )
    marked = apply_marks(
        clip, Marks(plants=(plant,), events=(EventMark(frame=35, label="lift", joint="LeftToeBase"),))
    )
    marks = replace(marks_of(apply_edit(marked, old)), edit=old)
    expected = apply_edit(marked, new)
    made = mark_edited_clip(apply_edit(clip, new), marks, new, clip.n_frames)
    for one, two in zip(made.constraints, expected.constraints, strict=True):
        assert one.joint == two.joint
        assert np.allclose([one.start, one.end], [two.start, two.end])
        assert np.allclose(one.point, two.point)
        assert one.target is not None
        assert two.target is not None
        assert np.allclose(one.target, two.target)
    for event, other in zip(made.events, expected.events, strict=True):
        assert (event.label, event.joint) == (other.label, other.joint)
        assert event.frame == pytest.approx(other.frame)


def test_marks_of_a_cycle_wrap_around_when_it_is_reversed() -> None:
    cycle = ml.cyclify(walk(duration=3.0, fps=30).clip)
    n = cycle.clip.n_frames
    plant = PlantMark(joint="LeftFoot", kind="heel", start=n - 4.0, end=float(n))
    marks = Marks(plants=(plant,), edit=ClipEdit())
    made = mark_edited_clip(cycle.clip.reversed(), marks, ClipEdit(reverse=True), n)
    expected = apply_marks(cycle.clip, replace(marks, edit=None)).reversed()
    assert made.constraints == expected.constraints
    assert len(made.constraints) == 2


def test_marks_of_another_edit_are_not_taken_for_those_of_the_clip(clip: Clip) -> None:
    with pytest.raises(ParameterError, match="count frames of another edit"):
        apply_marks(clip, Marks(edit=ClipEdit(speed=2.0)))


def test_faults_are_mended_and_motion_smoothed_before_anything_else() -> None:
    clip = walk(duration=2.0, fps=60).clip
    broken = flip(clip, "LeftForeArm", 60, 61, 90.0)
    made = apply_edit(broken, ClipEdit(repair=True, smooth=10.0, trim=(20, 100)))
    expected = ml.smooth(ml.repair(broken), cutoff=10.0).clip[20:101]
    assert made.content_hash() == expected.content_hash()
    assert ml.find_faults(made) == ()
    assert edit_frames(10, ClipEdit(repair=True, smooth=5.0)).tolist() == list(range(10))


def test_travel_is_taken_out_and_recovered() -> None:
    clip = walk(speed=1.2, duration=4.0, fps=30).clip
    still = apply_edit(clip, ClipEdit(travel="remove"))
    assert np.ptp(still.root_positions[:, 2]) < 0.2
    moving = apply_edit(still, ClipEdit(travel="recover"))
    assert moving.root_positions[-1, 2] - moving.root_positions[0, 2] == pytest.approx(4.8, rel=0.03)
    with pytest.raises(ParameterError, match="no gait in place: it travels already"):
        apply_edit(clip, ClipEdit(travel="recover"))
