"""Force plates and analog channels: what they measure, and how they keep step with the motion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry.ground_transform import GroundTransform
from motionloom.motion import Analog, ForcePlate, PointClip
from tests.refusals import refused

CORNERS = np.array([[0.4, 0.0, 0.6], [0.0, 0.0, 0.6], [0.0, 0.0, 0.0], [0.4, 0.0, 0.0]])


def plate(n_samples: int = 20, **changes: Any) -> ForcePlate:
    """A plate whose load rises by ten newtons from sample to sample, five samples per frame."""
    force = np.zeros((n_samples, 3))
    force[:, 1] = 100.0 + 10.0 * np.arange(n_samples)
    facts = {"force": force, "moment": np.zeros((n_samples, 3)), "corners": CORNERS} | changes
    return ForcePlate("plate", 0.02, **facts)


def clip(**changes: Any) -> PointClip:
    """Four frames at ten per second, with a plate and a channel that counts."""
    counting = Analog(("count",), 0.02, np.arange(20.0)[:, None], ("",))
    positions = np.arange(12.0).reshape(4, 1, 3)
    residuals = np.arange(4.0)[:, None]
    facts: dict[str, Any] = {"residuals": residuals, "force_plates": (plate(),), "analog": counting} | changes
    return PointClip(("a",), 0.1, positions, **facts)


WRONG = [
    (
        {"force": np.zeros((20, 2))},
        r"the force of force plate 'plate' must have shape \(N, 3\), not \(20, 2\)",
    ),
    ({"moment": np.zeros((3, 3))}, "has 20 forces and 3 moments"),
    ({"corners": np.full((4, 3), np.inf)}, "must be finite"),
    ({"force": "heavy"}, "must be numbers of shape"),
    ({"start": np.nan}, "the start of a force plate must be a finite number"),
]


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_plates_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        plate(**changes)


def test_channels_that_cannot_be() -> None:
    with pytest.raises(ParameterError, match=r"must have shape \(N, 2\), not \(3, 1\)"):
        Analog(("a", "b"), 0.1, np.zeros((3, 1)))
    with pytest.raises(ParameterError, match="1 channels need as many units, not 2"):
        Analog(("a",), 0.1, np.zeros((3, 1)), ("V", "N"))
    with refused("residuals"):
        clip(residuals=np.zeros((2, 1)))


def test_where_a_force_acts() -> None:
    """70 kg that stand 10 cm to the right and 20 cm behind the middle, and twist."""
    force, arm = np.array([[5.0, 700.0, 3.0]]), np.array([0.1, 0.0, -0.2])
    moment = np.cross(arm, force) + np.array([0.0, 9.0, 0.0])
    found = plate(force=force, moment=moment)
    np.testing.assert_allclose(found.centre_of_pressure, [[0.3, 0.0, 0.1]])
    assert found.load[0] == pytest.approx(700.0)
    unloaded = plate(force=force / 100.0, moment=moment / 100.0)
    assert np.isnan(unloaded.centre_of_pressure).all()


def test_inclined_plates_push_along_their_normal() -> None:
    tilted = CORNERS @ np.array([[0.8, 0.6, 0.0], [-0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])
    normal = plate(corners=tilted).normal
    np.testing.assert_allclose(normal, [-0.6, 0.8, 0.0])
    np.testing.assert_allclose(plate(corners=tilted[::-1]).normal, normal)
    assert plate(corners=np.zeros((4, 3))).normal.tolist() == [0.0, 1.0, 0.0]


def test_cuts_take_their_samples_with_them() -> None:
    cut = clip()[1:3]
    assert cut.residuals is not None
    assert cut.analog is not None
    assert cut.residuals[:, 0].tolist() == [1.0, 2.0]
    assert cut.analog.values[:, 0].tolist() == list(range(5, 15))
    assert cut.force_plates[0].load.tolist() == [100.0 + 10.0 * n for n in range(5, 15)]
    assert cut.force_plates[0].start == pytest.approx(0.0)


def test_rates_leave_measurements_where_they_were_in_time() -> None:
    times = np.array([0.0, 0.1, 0.2])
    for changed, factor in ((clip().resampled(20.0), 1.0), (clip()[::2], 1.0), (clip().sped_up(2.0), 2.0)):
        (found,) = changed.force_plates
        np.testing.assert_allclose(found.loads(times / factor), plate().loads(times))


def test_backwards_in_time() -> None:
    backwards = clip().reversed()
    (found,) = backwards.force_plates
    # Frame 3 comes first, and what was measured after it does not belong to any frame.
    np.testing.assert_allclose(found.loads([0.0, 0.1, 0.3]), plate().loads([0.3, 0.2, 0.0]))
    assert backwards.residuals is not None
    assert backwards.residuals[:, 0].tolist() == [3.0, 2.0, 1.0, 0.0]


@pytest.mark.parametrize("corners", [CORNERS, None])
def test_placing_moves_forces_with_the_floor(corners: Any) -> None:
    force = np.array([[5.0, 700.0, 3.0]])
    still = plate(force=force, moment=np.cross([0.1, 0.0, -0.2], force), corners=corners)
    transform = GroundTransform(yaw=0.7, x=2.0, z=-1.0)
    moved = clip(force_plates=(still,)).placed(transform).force_plates[0]
    np.testing.assert_allclose(moved.centre_of_pressure, transform.apply(still.centre_of_pressure))
    np.testing.assert_allclose(moved.load, still.load)


def test_edits_of_points_alone_keep_them() -> None:
    changed = replace(clip(), constraints=())
    assert changed.force_plates == clip(force_plates=changed.force_plates).force_plates
    assert "1 force plates" in repr(changed)
