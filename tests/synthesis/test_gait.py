from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.synthesis import GaitStyle
from motionloom.synthesis.gait import JOG, SNEAK, WALK, Gait

every_gait = pytest.mark.parametrize("gait", [WALK, JOG, SNEAK], ids=lambda gait: gait.name)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("arm_swing", 3.0, "style arm_swing must be from 0 to 2 times the gait's own, not 3"),
        ("bounce", -1.0, "style bounce must be from 0 to 2 times the gait's own, not -1"),
        ("lift", 0.5, "style lift must be from 1 to 1.6 times the gait's own, not 0.5"),
        ("lean", 2.0, "style lean must be from -0.4 to 0.8 rad, not 2"),
        ("width", 1.0, "style width must be from -0.05 to 0.3 m, not 1"),
    ],
)
def test_styles_out_of_range(name: str, value: float, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        GaitStyle(**{name: value})
    assert str(caught.value) == message


def test_steps_of_a_usual_walk() -> None:
    assert WALK.step(1.4) == 0.72
    assert WALK.cycle(1.4) == pytest.approx(1.44 / 1.4)
    assert WALK.duty(1.4) == 0.62


@every_gait
@given(share=st.floats(0.0, 1.0))
def test_speed_is_step_length_times_cadence(gait: Gait, share: float) -> None:
    speed = gait.min_speed + share * (gait.max_speed - gait.min_speed)
    assert gait.step(speed) * 2.0 / gait.cycle(speed) == pytest.approx(speed)
    # Walks and sneaks always have a foot on the floor; a jog never has both.
    assert (gait.duty(speed) < 0.5) == gait.ballistic


@every_gait
def test_faster_means_longer_and_quicker_steps(gait: Gait) -> None:
    assert gait.step(gait.min_speed) < gait.step(gait.default_speed) < gait.step(gait.max_speed)
    assert gait.cycle(gait.min_speed) > gait.cycle(gait.default_speed) > gait.cycle(gait.max_speed)
    assert gait.duty(gait.min_speed) >= gait.duty(gait.default_speed) >= gait.duty(gait.max_speed)
