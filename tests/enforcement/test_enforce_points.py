from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.cycles import cyclify
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.motion import Constraint, PointClip
from motionloom.synthesis import walk
from tests.figures import points_of
from tests.refusals import refused

TOES = ("LeftToeBase", "RightToeBase")


@pytest.fixture(scope="module")
def skating() -> PointClip:
    """A walk whose points drift sideways at 10 cm/s."""
    clip = annotate(points_of(walk(duration=3.0, fps=30).clip), points=TOES)
    drift = 0.1 * np.arange(clip.n_frames)[:, None, None] * clip.frame_time * [1.0, 0.0, 0.0]
    return replace(clip, positions=clip.positions + drift)


def slide(clip: PointClip) -> float:
    return max(
        float(
            np.ptp(
                clip.positions[list(c.whole_frames(clip.n_frames)), clip.names.index(c.joint)], axis=0
            ).max()
        )
        for c in clip.constraints
        if c.whole_frames(clip.n_frames)
    )


def test_what_cannot_be_enforced_is_refused(skating: PointClip) -> None:
    with pytest.raises(ParameterError, match="enforce: ground needs a skeleton, and the clip has points"):
        enforce(skating, ground=0.0)  # type: ignore[call-overload]
    with pytest.raises(ParameterError, match="follow is for clips of points"):
        enforce(annotate(walk(duration=1.0, fps=30).clip), follow=False)  # type: ignore[call-overload]
    with pytest.raises(ParameterError, match=r"find plants of its points first with motionloom\.annotate"):
        enforce(replace(skating, constraints=()))
    with refused("follow", "yes"):
        enforce(skating, follow="yes")  # type: ignore[call-overload]
    with refused("blend_duration"):
        enforce(skating, blend_duration=-1.0)


@pytest.mark.parametrize("follow", [True, False])
def test_held_points_do_not_slide(skating: PointClip, follow: bool) -> None:
    held = enforce(skating, follow=follow)
    assert slide(skating) > 0.02
    assert slide(held.clip) < 1e-12
    assert all(c.target is not None for c in held.clip.constraints)
    others = [n for n, name in enumerate(held.clip.names) if name not in TOES]
    assert np.array_equal(held.clip.positions[:, others], skating.positions[:, others]) is not follow
    # Nothing jumps: corrections ease out.
    steps = [np.linalg.norm(np.diff(c.positions, axis=0), axis=-1).max() for c in (skating, held.clip)]
    assert steps[1] < 1.3 * steps[0]
    np.testing.assert_allclose(enforce(held, follow=follow).clip.positions, held.clip.positions, atol=1e-12)


def test_a_given_target_is_met_and_gaps_stay() -> None:
    positions = np.zeros((20, 2, 3))
    positions[5, 1] = np.nan
    plant = Constraint("a", "point", 8, 12, target=np.array([0.0, 0.1, 0.0]))
    held = enforce(PointClip(("a", "b"), 0.1, positions, constraints=(plant,)), follow=False)
    assert held.clip.positions[8:13, 0, 1].tolist() == [0.1] * 5
    assert np.isnan(held.clip.positions[5, 1]).all()
    assert held.clip.positions[0, 0].tolist() == [0.0, 0.0, 0.0]


def test_a_cycle_is_held_over_its_seam(skating: PointClip) -> None:
    loop = cyclify(skating)
    held = enforce(loop)
    assert held.clip.cyclic
    assert str(held.report).startswith(f"{len(loop.clip.constraints)} plants held")
    assert slide(held.clip) < 1e-9
    assert slide(loop.clip) > 0.01


def test_given_targets_of_a_cycle_are_kept(skating: PointClip) -> None:
    loop = cyclify(skating, cycles=1)
    inside = next(c for c in loop.clip.constraints if c.start > 1.0 and c.end < loop.clip.n_frames - 2.0)
    at = loop.clip.positions[int(inside.start) + 1, loop.clip.names.index(inside.joint)] + [0.0, 0.0, 0.03]
    given = replace(
        loop.clip,
        constraints=tuple(replace(c, target=at) if c is inside else c for c in loop.clip.constraints),
    )
    held = enforce(given, blend_duration=3.0)
    (same,) = (c for c in held.clip.constraints if (c.joint, c.start) == (inside.joint, inside.start))
    assert same.target is not None
    np.testing.assert_allclose(same.target, at, atol=1e-9)
    frames = list(inside.whole_frames(loop.clip.n_frames))
    np.testing.assert_allclose(
        held.clip.positions[frames, loop.clip.names.index(inside.joint)],
        np.tile(at, (len(frames), 1)),
        atol=1e-9,
    )
