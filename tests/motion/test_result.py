"""`motion/result.py`: what stages return, and the one place that takes its clip."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import typing
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import ParameterError
from motionloom.motion.result import check_clip, check_clips, check_skeleton, unwrap
from motionloom.synthesis import jog, walk

WALK = walk(duration=2.0, fps=30).clip


@pytest.fixture(scope="module")
def result() -> ml.Result[str]:
    return ml.Result(WALK, "a walk")


def test_a_missing_attribute_names_the_clip(result: ml.Result[str]) -> None:
    with pytest.raises(
        AttributeError, match=r"a Result has no 'n_frames', but its clip has: use \.clip\.n_frames"
    ):
        _ = result.n_frames  # type: ignore[attr-defined]
    with pytest.raises(
        AttributeError, match=r"has no 'frames': its motion is \.clip, what is said of it \.report"
    ):
        _ = result.frames  # type: ignore[attr-defined]
    blended = ml.blend(ml.register([WALK, WALK]), [1, 1])
    with pytest.raises(AttributeError, match=r"a BlendResult has no 'mirrored', but its clip has"):
        _ = blended.mirrored  # type: ignore[attr-defined]


def test_nothing_else_is_forwarded(result: ml.Result[str]) -> None:
    with pytest.raises(TypeError, match="no len"):
        len(result)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not subscriptable"):
        _ = result[2:]  # type: ignore[index]


def test_a_result_cannot_be_changed_and_is_itself_only(result: ml.Result[str]) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.report = "another"  # type: ignore[misc]
    assert result == result
    assert result != ml.Result(WALK, "a walk")
    assert hash(result) == hash(result)


def test_results_are_copied_and_pickled_with_their_clips(result: ml.Result[str]) -> None:
    assert copy.copy(result).clip is WALK
    back = pickle.loads(pickle.dumps(result))
    assert back.report == "a walk"
    assert np.array_equal(back.clip.rotations, WALK.rotations)
    assert back.clip.content_hash() == WALK.content_hash()


def test_unwrapping_takes_the_clip_of_a_result_and_nothing_else_apart(result: ml.Result[str]) -> None:
    assert unwrap(result) is WALK
    assert unwrap(WALK) is WALK
    assert unwrap("walk.bvh") == "walk.bvh"
    assert check_clip("warp", result) is WALK
    assert check_clips("mix", [result, WALK]) == (WALK, WALK)
    assert check_skeleton("retarget", result) is WALK.skeleton
    with pytest.raises(ParameterError, match="mix takes a list of clips with skeletons, not a Result"):
        check_clips("mix", result)


def test_results_are_taken_wherever_clips_are(tmp_path: Path) -> None:
    slow, fast = (
        ml.Result(ml.annotate(WALK), None),
        ml.Result(ml.annotate(jog(duration=2.0, fps=30).clip), None),
    )
    file = ml.save(slow, tmp_path / "walk.npz")
    assert ml.load(file).n_frames == WALK.n_frames
    cuts = ml.match_strides([slow, fast])
    curve = ml.register([*cuts])
    half = ml.blend(curve, [0.5, 0.5])
    planted = ml.enforce(half, like=None)
    assert ml.measure(planted, [slow, fast], before=half).value("mean speed") > 0.0
    assert ml.compare(half, planted, names=("half", "planted")).names == ("half", "planted")
    assert ml.transition(slow, fast).report.seams
    assert ml.concatenate([slow, fast]).report.seams
    assert ml.distance(slow, fast).shape == (61, 61)
    assert ml.find_faults(slow) == ()
    assert ml.retarget(slow, fast).report.transfer is None
    assert ml.joint_mapping(slow, fast).unmapped_targets == ()
    assert ml.view([slow, planted], tmp_path / "page.html").exists()
    assert ml.render(planted, tmp_path / "strip.png", width=200, height=100).exists()
    assert ml.put_in_place(ml.smooth(ml.repair(slow), cutoff=10.0)).report.distance > 1.0


def test_reports_of_stages_that_had_none() -> None:
    still = ml.put_in_place(walk(speed=1.2, duration=2.0, fps=30).clip)
    assert still.report.travel is not None
    assert still.report.distance == pytest.approx(2.4, abs=0.1)
    assert ml.put_in_place(WALK, smoothing=0.5).report.travel is None
    smooth = ml.smooth(WALK, cutoff=5.0)
    moved = np.linalg.norm(smooth.clip.root_positions - WALK.root_positions, axis=1).max()
    assert smooth.report.max_change == pytest.approx(moved)
    assert (smooth.report.cutoff, smooth.report.max_rotation > 0.01) == (5.0, True)


def test_a_clip_has_no_report() -> None:
    assert not hasattr(WALK, "report")
    assert not hasattr(ml.enforce(ml.annotate(WALK)).clip, "report")


def test_the_type_of_a_report_is_enough_to_name_a_result() -> None:
    assert typing.get_args(ml.Result[str]) == (str, ml.Clip)
    assert typing.get_args(ml.Result[str, ml.PointClip]) == (str, ml.PointClip)
