"""A jump: both feet leave the floor together, the body falls as gravity has it, and lands where it was."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.motion.anatomy.thresholds import GRAVITY
from motionloom.synthesis import jump


@pytest.mark.parametrize("height", [0.05, 0.35, 0.5])
def test_the_pelvis_flies_as_gravity_has_it_to_the_height_asked_for(height: float) -> None:
    motion = jump(height=height, fps=120)
    toes = [plant for plant in motion.plants if plant.kind == "toe"]
    heels = [plant for plant in motion.plants if plant.kind == "heel"]
    off, land = toes[0].end, heels[-1].start
    assert {plant.end for plant in toes[:2]} == {off}
    assert {plant.start for plant in heels[-2:]} == {land}
    heights = motion.clip.root_positions[:, 1]
    flight = heights[int(np.ceil(off)) + 3 : int(land) - 3]
    np.testing.assert_allclose(np.diff(flight, 2) * 120**2, -GRAVITY, rtol=0.05)
    assert flight.max() - np.interp(off, np.arange(len(heights)), heights) == pytest.approx(height, abs=0.005)


def test_it_begins_and_ends_standing_in_the_same_pose() -> None:
    clip = jump(fps=30, duration=3.0).clip
    np.testing.assert_allclose(clip.world_positions()[0], clip.world_positions()[-1], atol=1e-9)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"height": 2.0}, "height must be from 0.05 to 0.5 m for a jump, not 2"),
        ({"duration": 1.0}, "a jump of 0.35 m takes 1.99 s: ask for a longer duration than 1 s"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, float], sentence: str) -> None:
    with pytest.raises(ParameterError) as caught:
        jump(**options)
    assert str(caught.value) == sentence
