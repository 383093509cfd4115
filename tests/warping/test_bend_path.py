"""Bent paths: dragged where the handles are, with bodies and feet that follow."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.synthesis import stand, walk
from motionloom.warping import bend_path
from tests.enforcement.measuring import largest_slide


def walked() -> Clip:
    return annotate(walk(duration=4.0).clip)


@pytest.mark.slow
def test_handles_are_needed_and_lie_on_the_ground() -> None:
    with pytest.raises(ParameterError, match="handles must name at least one moment"):
        bend_path(walked(), {})
    with pytest.raises(ParameterError, match=r"the handle at 1 s must have shape \(2,\), not \(3,\)"):
        bend_path(walked(), {1.0: (0, 0, 0)})
    with pytest.raises(ParameterError, match=r"handles must be a dict of seconds and drags \(x, z\), not"):
        bend_path(walked(), [(1.0, (0, 0))])  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="the time of a handle must be a finite number, not 'soon'"):
        bend_path(walked(), {"soon": (0, 0)})  # type: ignore[dict-item]
    with pytest.raises(
        ParameterError, match=r"ease, in seconds, or None .* must be a positive number, not 0"
    ):
        bend_path(walked(), {1.0: (0, 0)}, ease=0)
    for time in (-0.5, 7.0):
        with pytest.raises(
            ParameterError, match=f"a handle is at {time:g} s, but the clip runs from 0 to 4 s"
        ):
            bend_path(walked(), {1.0: (0, 0), time: (1, 0)})


def test_no_drag_is_no_change() -> None:
    clip = walked()
    same = bend_path(clip, {1.0: (0, 0)}, keep_plants=False)
    np.testing.assert_allclose(same.clip.root_positions, clip.root_positions, atol=1e-12)
    np.testing.assert_allclose(same.clip.rotations, clip.rotations, atol=1e-12)


def test_the_path_goes_through_its_handles_and_the_body_along_it() -> None:
    clip = walked()
    bent = bend_path(clip, {0.0: (0, 0), 2.0: (0.8, 0), 4.0: (0, 0)}, keep_plants=False)
    moved = bent.clip.root_positions - clip.root_positions
    assert moved[120, 0] == pytest.approx(0.8, abs=0.03)
    np.testing.assert_allclose(moved[[0, -1]], 0.0, atol=0.03)
    turned = facing(bent.clip) - facing(clip)
    assert turned[60] > 0.3
    assert turned[180] < -0.3
    assert abs(turned[120]) < 0.05


def test_feet_do_not_slide_along_the_new_path() -> None:
    bent = bend_path(walked(), {0.0: (0, 0), 2.0: (0.5, 0), 4.0: (0, 0)})
    assert largest_slide(bent.clip) < 1e-3


def test_a_body_that_stands_is_moved_but_not_turned() -> None:
    clip = stand(duration=2.0).clip
    bent = bend_path(clip, {0.0: (0, 0), 2.0: (0.5, 0)}, keep_plants=False)
    assert np.abs(facing(bent.clip) - facing(clip)).max() < 0.2
