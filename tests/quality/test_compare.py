from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from motionloom import annotate
from motionloom.errors import ParameterError
from motionloom.quality import Measurement, MeasurementGroup, Measures
from motionloom.quality.compare import Comparison, compare
from motionloom.synthesis import walk
from tests.quality.test_results import TAKEN

OTHER = Measures(
    (
        MeasurementGroup(
            "feet", (Measurement("skate speed", 2.0, "cm/s", "…"), Measurement("depth", 4.0, "cm", "…"))
        ),
    )
)


def test_comparisons_show_both_and_the_difference() -> None:
    lines = str(Comparison((TAKEN, OTHER), ("old", "new"))).splitlines()
    assert lines[0].split() == ["old", "new", "difference"]
    assert lines[2].split() == ["skate", "speed", "12.3", "2", "-10.3", "cm/s"]
    assert lines[4].split() == ["depth", "none", "4", "none", "cm"]
    assert lines[-2:] == [
        "not compared: plants (old: the clip has no constraints)",
        "note: old: ground: floor at 0.000 m",
    ]
    facts = json.loads(json.dumps(Comparison((TAKEN, OTHER), ("first", "second")).as_dict(), allow_nan=False))
    assert facts["groups"]["feet"]["skate speed"] == {
        "values": [12.345, 2.0],
        "difference": pytest.approx(-10.345),
        "unit": "cm/s",
    }
    assert facts["groups"]["feet"]["depth"]["difference"] is None


def test_two_clips_are_measured_alike() -> None:
    slow, fast = (annotate(walk(speed=speed, duration=2.0, fps=30).clip) for speed in (1.0, 1.5))
    both = compare(slow, fast, sources=[slow], ground=0.0, names=("slow", "fast"))
    assert both.first.value("mean pose distance") == 0.0
    assert both.second.value("mean pose distance") > 0.5
    assert repr(both) == "<Comparison: slow and fast>"
    assert both.second.notes == ("ground: floor at 0.000 m",)


def test_several_clips_have_a_column_each() -> None:
    clip = walk(duration=1.0, fps=30).clip
    three = compare(clip, clip, clip)
    assert str(three).splitlines()[0].split() == ["first", "second", "clip", "3"]
    facts: Any = three.as_dict()
    assert facts["groups"]["path"]["path length"]["difference"] == [0.0, 0.0]
    with pytest.raises(ParameterError, match="names must be one for each of the 3 clips"):
        compare(clip, clip, clip, names=["a", "b"])


def test_what_one_sees_of_an_edit_is_said_and_other_motions_are_no_edits() -> None:
    clip = walk(duration=2.0, fps=30).clip
    sunk = replace(clip, root_positions=clip.root_positions - np.array([0.0, 0.02, 0.0]))
    faster = walk(speed=2.0, duration=2.0, fps=30).clip
    both = compare(clip, sunk, faster, clip, names=("walk", "sunk", "faster", "same"))
    said = "against the clip before: "
    assert f"sunk: {said}hips 2.0 cm lower on average" in both.notes()
    assert f"same: {said}nothing that one sees" in both.notes()
    assert {note.split(":")[0] for note in both.notes() if said in note} == {"sunk", "same"}
    table: Any = both.as_dict()
    shift = table["groups"]["changes"]["hip shift"]["values"]
    assert shift == [None, pytest.approx(-2.0), None, 0.0]
    other: Any = compare(clip, faster).as_dict()
    assert "changes" not in other["groups"]
