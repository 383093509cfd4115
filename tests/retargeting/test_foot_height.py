from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Skeleton
from motionloom.motion.kinematics import world_points
from motionloom.retargeting import transfer_motion
from motionloom.retargeting.foot_height import HIGH, LOW
from motionloom.synthesis import kick, walk
from motionloom.synthesis.biped import biped
from tests.retargeting.rigs import angles


def with_long_shins() -> Skeleton:
    """The built-in body with 4 cm of its thighs given to its shins."""
    offsets = np.array(biped().offsets)
    for side in ("Left", "Right"):
        offsets[biped().index(f"{side}Leg")] += [0, 0.04, 0]
        offsets[biped().index(f"{side}Foot")] -= [0, 0.04, 0]
    return replace(biped(), offsets=offsets)


def lowest(clip: Clip, side: str) -> FloatArray:
    """Height (T,) of the lowest planted point of a foot, in all frames."""
    own = {(c.joint, tuple(c.point.tolist())) for c in clip.constraints if side in c.joint}
    joints, points = [clip.skeleton.index(name) for name, _ in own], [point for _, point in own]
    places = world_points(clip.world_positions(), clip.world_rotations(), joints, points)
    return np.asarray(places[..., 1].min(axis=1))


@pytest.mark.parametrize("annotated", [True, False])
def test_soles_are_as_high_as_the_source_s(annotated: bool) -> None:
    clip = walk(duration=2.0, fps=30).clip
    clip = annotate(clip) if annotated else clip
    made = transfer_motion(clip, with_long_shins())
    marked = clip if annotated else annotate(clip)
    seen = replace(made.clip, constraints=marked.constraints)
    for side in ("Left", "Right"):
        low = lowest(marked, side) < LOW
        assert low.sum() > 30
        assert lowest(seen, side)[low] == pytest.approx(lowest(marked, side)[low], abs=0.002)


def test_feet_keep_how_they_are_turned() -> None:
    clip = annotate(walk(duration=2.0, fps=30).clip)
    made = transfer_motion(clip, with_long_shins())
    for name in ("LeftFoot", "RightToeBase"):
        joint = biped().index(name)
        likeness = np.einsum(
            "ti,ti->t", made.clip.world_rotations()[:, joint], clip.world_rotations()[:, joint]
        )
        assert np.abs(likeness).min() > 1 - 1e-9


def test_the_body_rises_rather_than_the_knees_bend() -> None:
    """Soles 3 cm thicker: the whole body stands higher, and the knees bend as before."""
    clip = annotate(walk(duration=2.0, fps=30).clip)
    raised = replace(clip, root_positions=clip.root_positions + np.array([0, 0.03, 0]), constraints=())
    made = transfer_motion(
        clip, replace(raised, skeleton=replace(biped(), names=tuple(f"b{n}" for n in range(22))))
    )
    rises = made.clip.root_positions[:, 1] - clip.root_positions[:, 1]
    assert rises == pytest.approx(np.full(clip.n_frames, 0.03), abs=0.004)
    knee = biped().index("LeftLeg")
    assert np.abs(made.clip.rotations[:, knee] - clip.rotations[:, knee]).max() < 0.03


def test_feet_high_in_the_air_are_left_alone() -> None:
    clip = annotate(kick(fps=30).clip)
    made = transfer_motion(clip, with_long_shins())
    chain = [biped().index(name) for name in ("RightUpLeg", "RightLeg", "RightFoot")]
    high = lowest(clip, "Right") > HIGH + 0.05
    assert high.any()
    for a, b in pairwise(chain):
        ways = [c.world_positions()[high, b] - c.world_positions()[high, a] for c in (clip, made.clip)]
        assert angles(*ways).max() < 1e-6
