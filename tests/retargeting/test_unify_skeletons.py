from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.files.normalize import scale_clip
from motionloom.geometry import rotations as rot
from motionloom.retargeting import unify_skeletons
from motionloom.retargeting.unify_skeletons import is_same_body
from motionloom.synthesis import walk
from tests.figures import smooth_clip
from tests.retargeting.rigs import HANGING, renamed, rerigged

CLIP = walk(duration=1.0, fps=30).clip
NAMES = tuple(f"b{n}" for n in range(CLIP.skeleton.n_joints))


def test_bodies_of_impossible_sizes_are_refused() -> None:
    giant = renamed(scale_clip(CLIP, 100.0), NAMES)
    with pytest.raises(
        ParameterError, match="the body of clip 1 is 100 times as large as that of clip 0: load"
    ):
        unify_skeletons([CLIP, giant])


def test_clips_of_one_rig_stay() -> None:
    larger = scale_clip(CLIP, 1.2)
    clips, notes = unify_skeletons([CLIP, larger])
    assert clips == [CLIP, larger]
    assert notes == []


def test_another_rig_is_carried_over_and_noted() -> None:
    clips, notes = unify_skeletons([CLIP, CLIP, renamed(CLIP, NAMES)])
    assert notes == [
        "clip 2 has another skeleton than clip 0 and was retargeted to it: 22 of 22 joints follow"
    ]
    assert clips[2].skeleton == CLIP.skeleton
    assert clips[2].world_positions() == pytest.approx(CLIP.world_positions(), abs=1e-9)


def test_one_rig_with_another_rest_pose_is_another_rig() -> None:
    hanging = rerigged(CLIP, HANGING)
    assert not is_same_body(CLIP.skeleton, hanging.skeleton)
    clips, _ = unify_skeletons([hanging, CLIP])
    assert clips[1].rotations == pytest.approx(hanging.rotations, abs=1e-9)
    turned = replace(CLIP.skeleton, rest_rotations=np.tile(rot.from_yaw(0.1), (22, 1)))
    assert not is_same_body(CLIP.skeleton, turned)


def test_skeletons_without_common_limbs_stay_for_others_to_refuse() -> None:
    strange = smooth_clip(5)
    assert unify_skeletons([CLIP, strange]) == ([CLIP, strange], [])
