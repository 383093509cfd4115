"""Plain data of warps: untrusted, with errors that name the entry."""

from __future__ import annotations

from typing import Any

import pytest

from motionloom.errors import ParameterError
from motionloom.warping.storing import FORMAT, warp_from_dict, warp_to_dict

GOOD: dict[str, Any] = {"format": FORMAT, "version": 1}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the warp must be an object with the fields format, version"),
        ({"format": "other", "version": 1}, 'must state "format": "motionloom warp" and "version": 1, not'),
        ({**GOOD, "version": 2}, "and 2"),
        ({**GOOD, "extra": 1}, "the warp has an unknown field 'extra'"),
        ({**GOOD, "keys": 3}, "keys must be a list, not int"),
        ({**GOOD, "keys": [], "layers": []}, "has both layers and keys"),
        ({**GOOD, "keys": [{"joint": "Head"}]}, r"keys\[0\] needs 'time', in seconds"),
        ({**GOOD, "keys": [{"time": 0, "turn": 1}]}, r"keys\[0\] has an unknown field 'turn'"),
        ({**GOOD, "keys": [{"time": True}]}, r"time of keys\[0\] must be a finite number, not True"),
        (
            {**GOOD, "keys": [{"time": 0, "move": [0, "x", 0]}]},
            r"move of keys\[0\] must be a finite number, not 'x'",
        ),
        (
            {**GOOD, "keys": [{"time": 0, "joint": 3, "move": [0, 0, 0]}]},
            r"keys\[0\]: the joint of a key must be a text",
        ),
        ({**GOOD, "layers": [{"tension": "no"}]}, r"tension of layers\[0\] must be a finite number"),
        ({**GOOD, "layers": [{"undone": 1}]}, r"undone of layers\[0\] must be true or false, not 1"),
        ({**GOOD, "layers": [{"keys": [{}]}]}, r"layers\[0\]\.keys\[0\] needs 'time'"),
        ({**GOOD, "times": [{"pairs": [1]}]}, r"times\[0\] needs 'pairs', a list of \[source, new\]"),
        (
            {**GOOD, "times": [{"pairs": [[1, None]]}]},
            r"pairs of times\[0\] must be a finite number, not None",
        ),
        ({**GOOD, "times": [{"pairs": [[1, 1]], "curve": "wavy"}]}, r"times\[0\]: curve must be one of"),
    ],
)
def test_bad_data_is_refused(data: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        warp_from_dict(data)


def test_keys_alone_are_one_layer() -> None:
    layers, times = warp_from_dict({**GOOD, "keys": [{"time": 1, "joint": "Head", "scale": 2}]})
    assert [key.scale for key in layers[0][0]] == [2.0]
    assert times == []


def test_nothing_makes_nothing() -> None:
    assert warp_from_dict(warp_to_dict([], [])) == ([], [])
