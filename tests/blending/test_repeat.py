from __future__ import annotations

import numpy as np
import pytest

from motionloom.blending import KeyedWeights, blend
from motionloom.errors import ParameterError
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import walk


@pytest.fixture(scope="module")
def curve() -> RegistrationCurve:
    """Two walks of a second that do not close to a cycle."""
    return register([walk(speed=speed, duration=1.0, fps=30).clip for speed in (1.0, 1.5)])


def test_a_repeat_without_an_end_is_refused(curve: RegistrationCurve) -> None:
    with pytest.raises(ParameterError, match="a blend that repeats needs a duration"):
        blend(curve, [1, 0], repeat=True)
    with pytest.raises(ParameterError, match="forward: omit repeat"):
        blend(curve, [1, 0], duration=2.0, backward=True, repeat=True)


def test_a_performance_keeps_its_length(curve: RegistrationCurve) -> None:
    weights = KeyedWeights({0: (1, 0), 5: (0, 1)})
    made = blend(curve, weights, repeat=True)
    assert made.clip.duration == pytest.approx(5.0, abs=1 / 30)
    assert len(made.report.seams) >= 4
    assert made.report.notes[0] == f"the clips were played {len(made.report.seams) + 1} times"
    np.testing.assert_allclose(made.weights[-1], [0.0, 1.0], atol=0.02)


def test_a_blend_that_fits_into_one_run_is_the_plain_one(curve: RegistrationCurve) -> None:
    once, plain = blend(curve, [1, 1], duration=0.5, repeat=True), blend(curve, [1, 1], duration=0.5)
    np.testing.assert_array_equal(once.clip.rotations, plain.clip.rotations)


def test_the_body_goes_on_from_where_it_is(curve: RegistrationCurve) -> None:
    made = blend(curve, [1, 0], duration=3.0, repeat=True)
    steps = np.linalg.norm(np.diff(made.clip.root_positions[:, [0, 2]], axis=0), axis=1)
    assert steps.max() < 0.1
    assert np.ptp(made.clip.root_positions[:, 2]) > 2.5
    moved = np.abs(np.diff(made.clip.world_positions(), axis=0)).max(axis=(1, 2))
    seams = np.array(made.report.seams, dtype=int)
    assert moved[seams - 1].max() <= moved.max()
    assert moved.max() < 0.25
