from __future__ import annotations

import json
from math import inf, nan

import pytest

from motionloom.errors import ParameterError
from motionloom.quality import Absent, Comparison, Figure, Group, Measures

TAKEN = Measures(
    (
        Group(
            "feet",
            (Figure("skate speed", 12.345, "cm/s", "sliding"), Figure("skate ratio", 0.0, "%", "share")),
        ),
        Group("seams", (Figure("seam jerk", inf, "", "ratio"), Figure("seam turn", nan, "1/m", "turn"))),
    ),
    (Absent("plants", "the clip has no constraints"),),
    ("ground: floor at 0.000 m",),
)
OTHER = Measures((Group("feet", (Figure("skate speed", 2.0, "cm/s", "…"), Figure("depth", 4.0, "cm", "…"))),))


def test_unknown_figures_are_named_with_those_there_are() -> None:
    with pytest.raises(
        ParameterError, match=r"no figure 'jerk': there are skate speed, .* Not taken: plants: the"
    ):
        TAKEN.value("jerk")


def test_the_table_is_aligned_and_has_units() -> None:
    assert str(TAKEN).splitlines() == [
        "feet",
        "  skate speed  12.3 cm/s  sliding",
        "  skate ratio     0 %     share",
        "seams",
        "  seam jerk     inf       ratio",
        "  seam turn    none 1/m   turn",
        "not measured: plants (the clip has no constraints)",
        "note: ground: floor at 0.000 m",
    ]
    assert str(Measures(())) == ""


def test_json_holds_finite_numbers_only() -> None:
    facts = json.loads(json.dumps(TAKEN.as_dict(), allow_nan=False))
    assert facts["groups"]["feet"]["skate speed"] == {"value": 12.345, "unit": "cm/s"}
    assert facts["groups"]["seams"]["seam jerk"]["value"] is None
    assert facts["absent"] == {"plants": "the clip has no constraints"}


def test_comparisons_show_both_and_the_difference() -> None:
    lines = str(Comparison(TAKEN, OTHER, ("old", "new"))).splitlines()
    assert lines[0].split() == ["old", "new", "difference"]
    assert lines[2].split() == ["skate", "speed", "12.3", "2", "-10.3", "cm/s"]
    assert lines[4].split() == ["depth", "none", "4", "none", "cm"]
    assert lines[-2:] == [
        "not compared: plants (old: the clip has no constraints)",
        "note: old: ground: floor at 0.000 m",
    ]
    facts = json.loads(json.dumps(Comparison(TAKEN, OTHER).as_dict(), allow_nan=False))
    assert facts["groups"]["feet"]["skate speed"] == {
        "values": [12.345, 2.0],
        "difference": pytest.approx(-10.345),
        "unit": "cm/s",
    }
    assert facts["groups"]["feet"]["depth"]["difference"] is None
