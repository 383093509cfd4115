from __future__ import annotations

import pytest

from motionloom.errors import ParameterError
from motionloom.synthesis import MOTIONS
from motionloom.synthesis.options import make_motion, options_of, usual_values


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("fly", {}, "there is no built-in motion 'fly': there are walk, walk_left"),
        ("walk", {"wings": 2.0}, "walk takes no wings: it takes speed, curvature, gait"),
        ("walk", {"duration": "long"}, "duration must be a number, not 'long'"),
        ("walk", {"duration": True}, "duration must be a number, not True"),
        ("reach", {"target": 1.0}, "target must be a string, not 1.0"),
        ("reach", {"target": "1,2"}, "a target is X,Y,Z in metres, such as 0.2,1.2,0.5, not '1,2'"),
        ("kick_front", {"side": 1.0}, "side must be a string, not 1.0"),
        ("walk", {"gait": 0.1}, "gait must be a string, not 0.1"),
    ],
)
def test_wrong_options_are_refused(name: str, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make_motion(name, options)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("name", MOTIONS)
def test_every_motion_is_made_at_a_rate_that_is_asked_for(name: str) -> None:
    assert {"duration", "fps"} <= set(options_of(name))
    assert make_motion(name, {"fps": 10, "duration": None}).clip.fps == 10


@pytest.mark.parametrize("name", MOTIONS)
def test_usual_values_make_the_usual_motion(name: str) -> None:
    usual = {option: 10.0 if option == "fps" else value for option, value in usual_values(name).items()}
    stated, unstated = make_motion(name, usual).clip, make_motion(name, {"fps": 10.0}).clip
    assert (stated.world_positions() == unstated.world_positions()).all()
