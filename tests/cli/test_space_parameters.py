from __future__ import annotations

import pytest

from motionloom.cli.space_parameters import parse_parameter
from motionloom.errors import ParameterError
from motionloom.spaces import parameters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("foot=position RightFoot", parameters.position("RightFoot")),
        ("f=position left ankle at lift 2 axes xz", parameters.position("left ankle", "lift 2", axes="xz")),
        ("h=height RightFoot at 0.5 s", parameters.height("RightFoot", 0.5)),
        ("d=direction LeftHand at 50 %", parameters.direction("LeftHand", "50 %")),
        ("v=speed", parameters.speed()),
        ("v=speed RightHand at apex", parameters.speed("RightHand", "apex")),
        ("t=turn", parameters.turn()),
        ("t=turn rate", parameters.turn_rate()),
        ("t=duration", parameters.duration()),
        ("e=end place", parameters.end_place()),
        ("s=step place", parameters.step_place(1)),
        ("s=step length 3", parameters.step_length(3)),
        ("c=clearance LeftFoot ahead 1.2 over 0.3", parameters.clearance("LeftFoot", 1.2, 0.3)),
    ],
)  # fmt: skip
def test_every_kind(text: str, expected: object) -> None:
    assert parse_parameter(text) == (text.partition("=")[0], expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("position RightFoot", "needs NAME=KIND, such as 'foot=position"),
        ("foot=", "of no known kind: the kinds are position"),
        ("foot=jump", "of no known kind"),
        ("foot=position", "position needs a joint"),
        ("foot=position RightFoot at", "nothing follows 'at'"),
        ("foot=position RightFoot at apex at end", "has 'at' twice"),
        ("foot=height RightFoot axes xy", "height has no option 'axes'; it takes at"),
        ("t=turn LeftFoot", "turn is measured of the body; leave out 'LeftFoot'"),
        ("t=turn at apex", "turn has no option 'at'; it takes none"),
        ("v=speed at apex", "speed has no option 'at'; it takes none"),
        ("s=step length two", "takes the number of a step, not 'two'"),
        ("s=step length ²", "takes the number of a step, not '²'"),
        ("c=clearance LeftFoot", "clearance needs a place, such as ahead"),
        ("c=clearance LeftFoot ahead far", "'far' is not a number"),
    ],
)
def test_what_makes_no_parameter(text: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        parse_parameter(text)
