from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.synthesis import walk
from motionloom.transitions import transition
from motionloom.transitions.unify_clips import compare_bones, unify_clips


def walking(size: float = 1.0, height: float = 0.0) -> Clip:
    """A walk of a body of some size on a floor at some height."""
    clip = annotate(walk(duration=3.0, fps=30).clip)
    skeleton = replace(clip.skeleton, offsets=size * clip.skeleton.offsets)
    constraints = tuple(replace(c, point=size * np.asarray(c.point)) for c in clip.constraints)
    return replace(
        clip,
        skeleton=skeleton,
        root_positions=size * clip.root_positions + [0.0, height, 0.0],
        constraints=constraints,
    )


def test_a_body_keeps_its_size() -> None:
    small, large = walking(), walking(1.12)
    unified, notes = unify_clips([small, large])
    for clip in unified:
        np.testing.assert_array_equal(clip.skeleton.offsets, small.skeleton.offsets)
    assert any("clip 1 has other proportions than clip 0 and was retargeted" in note for note in notes)
    joined = transition(small, large).clip
    np.testing.assert_allclose(compare_bones(small.skeleton, joined.skeleton), 1.0)
    assert joined.translations is None


def test_bodies_that_hardly_differ_stay_as_they_are() -> None:
    near = walking(1.004)
    unified, notes = unify_clips([walking(), near])
    assert notes == ()
    np.testing.assert_array_equal(unified[1].skeleton.offsets, near.skeleton.offsets)


@pytest.mark.parametrize(("height", "where"), [(0.5, "50 cm higher"), (-0.3, "30 cm lower")])
def test_floors_are_levelled(height: float, where: str) -> None:
    unified, notes = unify_clips([walking(), walking(height=height)])
    assert any(where in note for note in notes)
    lowest = [clip.world_positions()[..., 1].min() for clip in unified]
    assert lowest[0] == pytest.approx(lowest[1], abs=0.02)


def test_paths_are_refused() -> None:
    with pytest.raises(ParameterError, match="clip 1 is a path"):
        unify_clips([walking(), "walk.bvh"])  # type: ignore[list-item]
