"""Annotations as plain data."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.annotation import annotate, annotations_from_dict, annotations_to_dict
from motionloom.errors import ParameterError
from motionloom.motion import Constraint, Event
from motionloom.synthesis import walk

CLIP = annotate(walk(duration=1.0).clip)
BARE = replace(CLIP, constraints=(), events=())


def edited(**changes: object) -> dict[str, Any]:
    return {**annotations_to_dict(CLIP), **changes}


def plant(**changes: object) -> dict[str, Any]:
    first = {"joint": "LeftFoot", "kind": "heel", "start": 3, "end": 9}
    second = {"joint": "LeftFoot", "kind": "heel", "start": 20, "end": 30, **changes}
    return edited(constraints=[first, second])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the annotations must be an object with the fields format, version"),
        (
            edited(format="x"),
            r'must state "format": "motionloom annotations" and "version": 1, not \'x\' and 1',
        ),
        (edited(version=2), "and 2"),
        (edited(version=True), "not 'motionloom annotations' and True"),
        (edited(author="me"), "the annotations has an unknown field 'author'"),
        (
            edited(fps=30),
            "made at 30 frames per second, but the clip has 60: load them onto the original clip",
        ),
        (edited(fps="60"), "the annotations needs 'fps', a finite number, not '60'"),
        (edited(n_frames=100), "belong to a clip of 100 frames, but this one has 61"),
        (edited(constraints={}), "constraints must be a list, not dict"),
        (edited(events=[3]), r"events\[0\] must be an object with the fields frame, label, joint"),
        (edited(events=[{"frame": 1}]), r"events\[0\] needs 'label', a string that is not empty, not None"),
        (
            edited(events=[{"frame": 1, "label": "x", "joint": "Tail"}]),
            r"events\[0\]: the skeleton has no joint",
        ),
        (
            edited(events=[{"frame": 61, "label": "x"}]),
            r"events\[0\] has frame 61, but the clip has frames 0 to 60",
        ),
        (
            plant(joint="LeftFot"),
            r"constraints\[1\]: the skeleton has no joint 'LeftFot': did you mean 'LeftFoot'",
        ),
        (plant(strat=3), r"constraints\[1\] has an unknown field 'strat'"),
        (plant(start=True), r"constraints\[1\] needs 'start', a finite number, not True"),
        (plant(start=float("nan")), r"constraints\[1\] needs 'start', a finite number, not nan"),
        (plant(end=10**400), r"constraints\[1\] needs 'end', a finite number"),
        (plant(end=99), r"constraints\[1\] has end 99, but the clip has frames 0 to 60"),
        (
            plant(start=30, end=20),
            r"constraints\[1\]: constraint 'heel' of joint 'LeftFoot' runs from frame 30 to 20",
        ),
        (
            plant(point=[1, 2]),
            r"constraints\[1\] needs 'point' as three numbers \[x, y, z\] in metres, not \[1, 2\]",
        ),
        (plant(point="abc"), r"constraints\[1\] needs 'point' as three numbers"),
        (plant(target=[0, "y", 0]), r"constraints\[1\] needs 'target' as three numbers"),
        (
            plant(point=[0, float("inf"), 0]),
            r"constraints\[1\] needs 'point' as three numbers",
        ),
        (plant(start=5), "two 'heel' constraints of joint 'LeftFoot' overlap"),
    ],
)
def test_refuses_wrong_data_and_names_the_entry(data: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        annotations_from_dict(data, BARE)


def test_what_is_left_out_has_its_default() -> None:
    clip = annotations_from_dict(plant() | {"events": [{"frame": 4, "label": "cheer"}]}, BARE)
    assert clip.constraints == (Constraint("LeftFoot", "heel", 3, 9), Constraint("LeftFoot", "heel", 20, 30))
    assert clip.events == (Event(4.0, "cheer"),)


def test_what_does_not_say_how_long_the_clip_is_is_cut_to_it() -> None:
    data = plant(start=50, end=99) | {"events": [{"frame": frame, "label": "cheer"} for frame in (60, 61)]}
    del data["fps"], data["n_frames"]
    clip = annotations_from_dict(data, BARE)
    assert [(held.start, held.end) for held in clip.constraints] == [(3.0, 9.0), (50.0, 60.0)]
    assert [event.frame for event in clip.events] == [60.0]


def test_annotations_survive_json_exactly() -> None:
    wanted = replace(
        CLIP,
        constraints=(*CLIP.constraints, Constraint("Head", "hold", 1, 2, target=np.array([1.0, 2.0, 3.0]))),
    )
    text = json.dumps(annotations_to_dict(wanted), allow_nan=False)
    read = annotations_from_dict(json.loads(text), BARE)
    assert read.constraints == wanted.constraints
    assert sorted(read.events, key=str) == sorted(wanted.events, key=str)
    assert json.dumps(annotations_to_dict(read)) == text


def test_a_cycle_may_be_annotated_up_to_the_frame_after_its_last() -> None:
    """Constraints across the seam end there, and events lie between the last frame and the first."""
    loop = replace(
        BARE,
        cyclic=True,
        constraints=(Constraint("LeftFoot", "heel", 50, 61), Constraint("LeftFoot", "heel", 0, 3)),
        events=(Event(60.5, "strike", "LeftFoot"),),
    )
    data = json.loads(json.dumps(annotations_to_dict(loop)))
    read = annotations_from_dict(data, replace(BARE, cyclic=True))
    assert (read.constraints, read.events) == (loop.constraints, loop.events)
    with pytest.raises(ParameterError, match=r"has end 61, but the clip has frames 0 to 60"):
        annotations_from_dict(data, BARE)
    data["constraints"][1]["end"] = 61.5
    with pytest.raises(ParameterError, match=r"has end 61\.5, but the clip has frames 0 to 61"):
        annotations_from_dict(data, replace(BARE, cyclic=True))


def test_the_order_of_annotations_does_not_change_the_text() -> None:
    mixed = replace(CLIP, constraints=CLIP.constraints[::-1], events=CLIP.events[::-1])
    assert annotations_to_dict(mixed) == annotations_to_dict(CLIP)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.slow
@given(st.sampled_from(["constraints", "events", "fps", "n_frames"]), JSON)
def test_any_json_is_read_or_refused_with_a_sentence(field: str, value: object) -> None:
    with suppress(ParameterError):
        annotations_from_dict(edited(**{field: value}), BARE)


@given(st.sampled_from(["joint", "kind", "start", "end", "point", "target"]), JSON)
def test_any_field_of_a_constraint_is_read_or_refused_with_a_sentence(field: str, value: object) -> None:
    with suppress(ParameterError):
        annotations_from_dict(plant(**{field: value}), BARE)
