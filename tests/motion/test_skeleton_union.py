from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Skeleton, Tip
from motionloom.motion.skeleton_union import common_joints, keep_common_joints, move_to_union, skeleton_union


def skeleton(*bones: tuple[str, str], tips: tuple[str, ...] = ()) -> Skeleton:
    """Joints and what they hang on, each one metre above it."""
    names = tuple(name for name, _ in bones)
    parents = np.array([names.index(parent) if parent else -1 for _, parent in bones])
    ends = tuple(Tip(names.index(name), np.array([0.0, 0.1, 0.0])) for name in tips)
    return Skeleton(names, parents, np.tile([0.0, 1.0, 0.0], (len(names), 1)), tips=ends)


ARM = skeleton(("root", ""), ("arm", "root"), ("hand", "arm"), tips=("hand",))
FINGERED = skeleton(
    ("root", ""), ("sword", "root"), ("arm", "root"), ("hand", "arm"), ("finger", "hand"), tips=("finger",)
)


def moving(body: Skeleton, seed: int) -> Clip:
    made = np.random.default_rng(seed)
    turns = rot.normalize(made.normal(size=(4, body.n_joints, 4)))
    return Clip(
        body, 0.1, made.normal(size=(4, 3)), turns, constraints=(Constraint(body.names[-1], "hold", 0, 2),)
    )


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (skeleton(("hips", ""), ("arm", "hips"), ("hand", "arm")), "different roots: hips, root"),
        (skeleton(("root", ""), ("leg", "root"), ("toe", "leg")), "share 1 joints of the 3"),
        (skeleton(("root", ""), ("arm", "root"), ("hand", "root")), "'hand' hangs on 'arm' and on 'root'"),
        (
            skeleton(("root", ""), ("arm", "root"), ("elbow", "arm"), ("hand", "elbow")),
            "'hand' hangs on 'elbow', which not all skeletons have",
        ),
    ],
)
def test_other_bodies_are_refused(other: Skeleton, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        skeleton_union([ARM, other])
    with pytest.raises(ParameterError, match=message):
        keep_common_joints([moving(ARM, 1), moving(other, 2)])


def test_extras_of_one_name_hang_on_one_joint() -> None:
    other = skeleton(("root", ""), ("arm", "root"), ("sword", "arm"), ("hand", "arm"))
    with pytest.raises(ParameterError, match="joint 'sword' hangs on 'root' and on 'arm'"):
        skeleton_union([FINGERED, other])


def test_a_union_has_the_joints_of_all() -> None:
    body = skeleton_union([ARM, FINGERED])
    assert body.skeleton.names == ("root", "arm", "hand", "sword", "finger")
    assert body.skeleton.parents.tolist() == [-1, 0, 1, 0, 2]
    assert [body.skeleton.names[tip.joint] for tip in body.skeleton.tips] == ["finger"]
    assert body.presence.tolist() == [[True, True]] * 3 + [[False, True]] * 2
    assert common_joints([FINGERED, ARM]) == ("root", "arm", "hand")


def test_a_clip_moves_the_same_on_the_union() -> None:
    body = skeleton_union([ARM, FINGERED])
    for k, clip in enumerate((moving(ARM, 1), moving(FINGERED, 2))):
        found = move_to_union(clip, body, k)
        assert found.skeleton.names == body.skeleton.names
        assert found.world_positions()[:, body.rows[k]] == pytest.approx(clip.world_positions())
        assert found.constraints == clip.constraints
    assert move_to_union(moving(FINGERED, 2), skeleton_union([FINGERED, ARM]), 0).skeleton is FINGERED


def test_clips_on_what_is_common_move_the_same() -> None:
    clips = [moving(ARM, 1), moving(FINGERED, 2)]
    for clip, found in zip(clips, keep_common_joints(clips), strict=True):
        rows = [clip.skeleton.index(name) for name in found.skeleton.names]
        assert found.skeleton.names == ("root", "arm", "hand")
        assert found.skeleton.tips == ()
        assert found.world_positions() == pytest.approx(clip.world_positions()[:, rows])
        assert {c.joint for c in found.constraints} <= {"hand"}


def test_tips_that_one_clip_lacks_are_left_out() -> None:
    blunt = skeleton(("root", ""), ("arm", "root"), ("hand", "arm"))
    assert [clip.skeleton.tips for clip in keep_common_joints([moving(ARM, 1), moving(blunt, 2)])] == [(), ()]
