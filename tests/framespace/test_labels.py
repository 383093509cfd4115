from __future__ import annotations

import pytest

from motionloom.errors import ParameterError
from motionloom.framespace import labels


@pytest.mark.parametrize("label", ["", "  ", 3])
def test_a_label_is_text(label: str) -> None:
    with pytest.raises(ParameterError, match=r"the label of a state must be a string like 'L.et'"):
        labels.clean_label(label)


@pytest.mark.parametrize(
    ("label", "half"),
    [
        ("L.et", "lower"),
        ("R.HI flex", "lower"),
        ("L.S msw", "upper"),
        ("R.E ext", "upper"),
        ("clap", "lower"),
    ],
)
def test_joints_tell_the_half(label: str, half: str) -> None:
    assert labels.half_of(label) == half


def test_a_label_without_an_event_is_no_joint() -> None:
    assert labels.half_of("S") == "lower"


def test_equivalences_keep_the_side() -> None:
    assert labels.replace_equivalent("L.H gnd", labels.EQUIVALENT) == "L.et"
    assert labels.replace_equivalent("L.mt", labels.EQUIVALENT) == "L.mt"
    assert labels.replace_equivalent("clap", {"clap": "L.et"}) == "L.et"


def test_contacts_count_most_and_arms_least() -> None:
    order = [labels.weight_of(label) for label in ("L.H gnd", "L.et", "R.mt", "R.HI flex", "L.S ext")]
    assert order == [4.0, 4.0, 3.0, 2.0, 1.0]
