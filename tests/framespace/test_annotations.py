from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import labels
from motionloom.framespace import Framespace, StateWarp
from motionloom.framespace.annotations import _separate, blend_annotations, match_annotations
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.unroll import extend_cycle
from tests.framespace.spaces import S_CURVE, halves, jogging, rectangle, walking, waving


def carrying(clip: Clip, constraints: tuple[Constraint, ...], events: tuple[Event, ...] = ()) -> Clip:
    return replace(clip, constraints=constraints, events=events)


def spans(constraints: tuple[Constraint, ...]) -> list[float]:
    return [frame for held in constraints for frame in (held.start, held.end)]


def test_constraints_and_events_by_hand() -> None:
    """Clips of 60 and 30 frames; cycle u leads evenly through both."""
    one = carrying(
        walking()[:60], (Constraint("LeftFoot", "heel", 12, 30),), (Event(15, "strike", "LeftFoot"),)
    )
    other = carrying(
        jogging()[:30], (Constraint("LeftFoot", "heel", 9, 12),), (Event(3, "strike", "LeftFoot"),)
    )
    clips = [replace(one, cyclic=True), replace(other, cyclic=True)]
    found = match_annotations(clips, StateWarp(np.zeros((1, 2)), "linear"))
    (match,) = found.matches
    assert np.allclose(match.spans, [[0.2, 0.5], [0.3, 0.4]])
    u = np.linspace(0.0, 2.0, 201)
    made = blend_annotations(found, u, np.full((201, 2), 0.5))
    assert spans(made.constraints) == pytest.approx([25, 45, 125, 145])
    assert [event.frame for event in made.events] == pytest.approx([17.5, 117.5])


def test_what_is_under_way_is_cut_at_the_ends() -> None:
    clip = replace(carrying(walking()[:60], (Constraint("LeftFoot", "heel", 12, 30),)), cyclic=True)
    found = match_annotations([clip, clip], StateWarp(np.zeros((1, 2)), "linear"))
    made = blend_annotations(found, np.linspace(0.3, 1.4, 111), np.full((111, 2), 0.5))
    assert spans(made.constraints) == pytest.approx([0, 20, 90, 110])


def test_weight_one_has_the_annotations_of_the_clip() -> None:
    space = rectangle()
    result = space.blend(0.0, cycles=2)
    first = round(space.warp.origins[0] * walking().n_frames)
    part = extend_cycle(walking(), first + result.clip.n_frames)[first:]
    expected = [event.frame for event in part.events if event.label == labels.STRIKE]
    assert len(expected) == 4
    assert [e.frame for e in result.clip.events if e.label == labels.STRIKE] == pytest.approx(expected)
    assert [(c.joint, c.kind) for c in result.clip.constraints] == [
        (c.joint, c.kind) for c in part.constraints
    ]
    assert spans(result.clip.constraints) == pytest.approx(spans(part.constraints), abs=1e-6)


def test_plants_change_smoothly_with_the_weight() -> None:
    lengths = []
    for v in np.linspace(0.0, 1.0, 21):
        held = [c for c in rectangle().blend(float(v), cycles=2).clip.constraints if c.start > 1.0]
        lengths.append(held[0].end - held[0].start)
    assert np.abs(np.diff(lengths)).max() < 0.15 * np.ptp(lengths)


def test_a_loop_cuts_plants_at_its_seam() -> None:
    clip = rectangle().blend(0.5, loop=True).clip
    assert clip.cyclic
    ends = {c.joint for c in clip.constraints if c.end == clip.n_frames}
    assert ends == {c.joint for c in clip.constraints if c.start == 0.0}


def test_halves_have_the_annotations_of_their_joints() -> None:
    whole, parted = (space.blend(S_CURVE, cycles=4).clip for space in (rectangle(), halves()))

    def strikes(clip: Clip) -> list[float]:
        return [event.frame for event in clip.events if event.label == labels.STRIKE]

    assert strikes(parted) == pytest.approx(strikes(whole), abs=1.5)
    assert {event.joint for event in parted.events} >= {"LeftArm", "LeftFoot"}


def test_feet_that_stand_all_through_stand_all_through() -> None:
    space = Framespace([waving(60, 0.6), waving(40, 0.3)])
    clip = space.blend([(0, 0), (1, 1)], cycles=5).clip
    assert {(held.joint, held.kind, held.start, held.end) for held in clip.constraints} == {
        (f"{side}{joint}", kind, 0.0, float(clip.n_frames - 1))
        for side in ("Left", "Right")
        for joint, kind in (("Foot", "heel"), ("ToeBase", "toe"))
    }


def test_plants_without_a_counterpart_are_said() -> None:
    bare = replace(jogging(), constraints=tuple(c for c in jogging().constraints if c.kind == "heel"))
    notes = Framespace([walking(), bare]).blend(0.5).report.notes
    assert "a toe constraint of LeftToeBase in clip 0 is left out: another clip has no constraint" in notes[0]


def test_overlapping_plants_are_trimmed_and_touching_ones_joined() -> None:
    notes: list[str] = []
    lane = [Constraint("LeftFoot", "heel", *ends) for ends in ((0, 10), (10, 20), (15, 30))]
    assert spans(tuple(_separate(lane, notes))) == [0, 15, 15, 30]
    assert notes == ["heel constraints of LeftFoot overlap under these weights: trimmed"]


def test_clips_without_annotations_blend() -> None:
    bare = [carrying(clip, (), (Event(0.0, "start"),)) for clip in (walking(), jogging())]
    space = Framespace(bare, states=[[(0.0, "start")]] * 2)
    assert space.blend(0.5).clip.constraints == ()
