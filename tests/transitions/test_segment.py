from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Constraint, Event
from motionloom.transitions.segment import crop_annotations, interpolate_rotations, merge_annotations
from tests.figures import smooth_clip


def heel(start: float, end: float, **more: object) -> Constraint:
    return Constraint("foot", "heel", start, end, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parts", "spans"),
    [
        ([(0, 5), (5, 9)], [(0, 9)]),
        ([(0, 6), (4, 9)], [(0, 9)]),
        ([(0, 9), (4, 6)], [(0, 9)]),
        ([(0, 4), (5, 9)], [(0, 4), (5, 9)]),
        ([(0, 4), (5, 5.0001)], [(0, 4)]),
    ],
)
def test_parts_that_touch_or_overlap_are_one(parts: list[tuple[float, float]], spans: list[object]) -> None:
    merged, _ = merge_annotations([((heel(*part),), ()) for part in parts])
    assert [(c.start, c.end) for c in merged] == spans


def test_other_joints_and_kinds_stay_apart() -> None:
    other = [Constraint("foot", "toe", 5, 9), Constraint("hand", "heel", 5, 9)]
    merged, _ = merge_annotations([((heel(0, 5),), ()), (tuple(other), ())])
    assert len(merged) == 3


def test_one_plant_has_the_target_that_either_part_has() -> None:
    merged, _ = merge_annotations([((heel(0, 5),), ()), ((heel(5, 9, target=np.ones(3)),), ())])
    assert merged[0].target is not None
    assert merged[0].target.tolist() == [1.0, 1.0, 1.0]


def test_an_event_on_a_seam_is_one() -> None:
    seen = [Event(5.0, "strike", "foot"), Event(5.0, "lift", "foot")]
    _, events = merge_annotations([((), tuple(seen)), ((), (seen[0], Event(7.0, "strike", "foot")))])
    assert [(e.frame, e.label) for e in events] == [(5.0, "lift"), (5.0, "strike"), (7.0, "strike")]


def test_a_part_is_shifted_cut_and_moved() -> None:
    transform = GroundTransform(0.0, 1.0, 2.0)
    constraints, events = crop_annotations(
        ([heel(0, 20, target=np.zeros(3)), heel(30, 40)], [Event(3.0, "early"), Event(12.0, "inside")]),
        10.0,
        15.0,
        shift=1.0,
        transform=transform,
    )
    assert [(c.start, c.end) for c in constraints] == [(10.0, 15.0)]
    assert constraints[0].target is not None
    assert constraints[0].target.tolist() == [1.0, 0.0, 2.0]
    assert [(e.frame, e.label) for e in events] == [(13.0, "inside")]


def test_the_way_that_is_shorter_while_both_count_is_kept() -> None:
    """From 140° to 210° the other way round becomes shorter, but only where the first hardly counts."""
    angles = np.radians(np.linspace(140.0, 210.0, 9))
    fraction = np.linspace(0.0, 1.0, 9)
    still = np.tile(rot.IDENTITY, (9, 1, 1))
    turned = interpolate_rotations(still, rot.from_yaw(angles)[:, None], fraction)
    np.testing.assert_allclose(np.unwrap(rot.yaw_of(turned[:, 0])), fraction * angles, atol=1e-12)


@given(sign=st.sampled_from([-1.0, 1.0]), seed=st.integers(0, 20))
def test_it_goes_the_short_way_where_that_does_not_change(sign: float, seed: int) -> None:
    of_a = smooth_clip(12, seed=seed).rotations
    of_b = rot.multiply(rot.from_rotation_vector([0.3, 0.2, -0.4]), of_a)
    fraction = np.linspace(0.0, 1.0, 12)
    turned = interpolate_rotations(of_a, sign * of_b, fraction)
    slerped = rot.slerp(of_a, of_b, fraction[:, None])
    np.testing.assert_allclose(np.abs((turned * slerped).sum(axis=-1)), 1.0)
    np.testing.assert_array_equal(turned[0], of_a[0])
