from __future__ import annotations

import json
from math import inf, nan

import pytest

from motionloom.errors import ParameterError
from motionloom.quality import Measurement, MeasurementGroup, Measures, UnmeasuredGroup

TAKEN = Measures(
    (
        MeasurementGroup(
            "feet",
            (
                Measurement("skate speed", 12.345, "cm/s", "sliding"),
                Measurement("skate ratio", 0.0, "%", "share"),
            ),
        ),
        MeasurementGroup(
            "seams",
            (Measurement("seam jerk", inf, "", "ratio"), Measurement("seam turn", nan, "1/m", "turn")),
        ),
    ),
    (UnmeasuredGroup("plants", "the clip has no constraints"),),
    ("ground: floor at 0.000 m",),
)


def test_unknown_figures_are_named_with_those_there_are() -> None:
    with pytest.raises(
        ParameterError, match=r"no measurement 'jerk': there are skate speed, .* Not measured: plants: the"
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
    assert facts["unmeasured"] == {"plants": "the clip has no constraints"}
