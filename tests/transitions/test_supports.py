from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.motion.kinematics import world_points
from motionloom.registration import RegistrationCurve
from motionloom.transitions.supports import aligned_by_supports
from tests.blending.curves import two_walks


def gaps(curve: RegistrationCurve) -> list[float]:
    """How far apart on the ground the clips are, in metres, at every match half-way through its hold."""
    found = []
    for match in curve.matches:
        start, end = match.spans[:, 0].max(), match.spans[:, 1].min()
        if start >= end:
            continue
        u = (start + end) / 2.0
        frames = np.rint(curve.timewarp(u)).astype(int)
        places = []
        for k, clip in enumerate(curve.clips):
            held = clip.constraints[match.sources[k]]
            part = clip[int(frames[k]) : int(frames[k]) + 1]
            point = world_points(
                part.world_positions(),
                part.world_rotations(),
                [clip.skeleton.index(held.joint)],
                [held.point],
            )
            places.append(curve.alignment.transform(float(u), k).apply(point[0, 0]))
        found.append(float(np.linalg.norm((places[0] - places[1])[[0, 2]])))
    return found


def test_nothing_that_stands_leaves_the_curve_as_it_is() -> None:
    curve = replace(two_walks(), matches=())
    assert aligned_by_supports(curve) is curve


def test_what_stands_is_put_on_each_other() -> None:
    before, after = gaps(two_walks()), gaps(aligned_by_supports(two_walks()))
    assert len(before) >= 4
    assert np.mean(before) > 0.05
    # What is left is what the feet themselves move while they stand.
    assert np.mean(after) < 0.02


def test_turns_stay_as_they_are() -> None:
    curve = two_walks()
    u = np.linspace(*curve.domain, 50)
    yaws = (made.alignment(u)[..., 0] for made in (curve, aligned_by_supports(curve)))
    one, other = yaws
    np.testing.assert_allclose(one, other, atol=1e-3)
