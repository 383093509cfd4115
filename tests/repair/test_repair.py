from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.quality.seams import seam_smoothness
from motionloom.repair.fault import GLITCHES
from motionloom.repair.find_faults import find_faults, trust_part
from motionloom.repair.repair import mend_glitches, repair
from motionloom.synthesis import walk
from tests.refusals import refused
from tests.repair.planting import angles_between, flip, spike


@pytest.fixture(scope="module")
def clean() -> Clip:
    return walk(duration=2.0, fps=120).clip


def test_wrong_arguments_are_refused(clean: Clip) -> None:
    with pytest.raises(ParameterError, match="repair takes a clip with a skeleton, not a list"):
        repair([clean])  # type: ignore[arg-type]
    with refused("max_frames", 0):
        repair(clean, max_frames=0)
    with pytest.raises(ParameterError, match="cutoff must be below half of the frame rate, 60 Hz, not 80"):
        repair(clean, smooth=80.0)


def test_a_clean_clip_comes_back_as_it_is(clean: Clip) -> None:
    result = repair(clean)
    assert result.clip.rotations is clean.rotations
    assert result.clip.root_positions is clean.root_positions
    assert result.clip.provenance == clean.provenance
    assert str(result.report) == "nothing to mend"


def test_only_wrong_frames_of_wrong_joints_change(clean: Clip) -> None:
    broken = spike(flip(clean, "LeftForeArm", 60, 62, 100.0), 120, 121, [0.0, 0.2, 0.0])
    result = repair(broken)
    arm = clean.skeleton.index("LeftForeArm")
    changed = (result.clip.rotations != broken.rotations).any(axis=-1)
    assert set(zip(*np.nonzero(changed), strict=True)) == {(60, arm), (61, arm), (62, arm)}
    assert np.flatnonzero((result.clip.root_positions != broken.root_positions).any(axis=1)).tolist() == [
        120,
        121,
    ]
    assert angles_between(result.clip, clean).max() < 1.0
    assert np.abs(result.clip.world_positions() - clean.world_positions()).max() < 0.002
    assert [fault.joint for fault in result.report.mended] == ["LeftForeArm", "Hips"]
    assert result.report.n_frames == 5
    assert result.clip.provenance.steps == ("repaired",)


def test_annotations_and_source_stay(clean: Clip) -> None:
    annotated = ml.annotate(clean)
    result = repair(flip(annotated, "LeftForeArm", 60, 60, 100.0))
    assert (result.clip.constraints, result.clip.events) == (annotated.constraints, annotated.events)
    assert result.clip.source is annotated.source


def test_longer_faults_and_jumps_are_left_and_listed(clean: Clip) -> None:
    broken = flip(clean, "LeftForeArm", 60, 62, 100.0)
    result = repair(broken, max_frames=2)
    assert result.clip.rotations is broken.rotations
    assert [fault.joint for fault in result.report.left] == ["LeftForeArm"]
    assert "nothing to mend\n1 left: LeftForeArm flips" in str(result.report)
    jump = repair(flip(clean, "LeftFoot", 120, clean.n_frames - 1, 170.0))
    assert [fault.kind for fault in jump.report.left] == ["jump"]


def test_kinds_choose_what_is_mended(clean: Clip) -> None:
    broken = spike(flip(clean, "LeftForeArm", 60, 62, 100.0), 120, 121, [0.0, 0.2, 0.0])
    result = repair(broken, kinds=["spike"])
    assert result.clip.rotations.tobytes() == broken.rotations.tobytes()
    assert [fault.kind for fault in result.report.mended] == ["spike"]
    assert [fault.kind for fault in result.report.left] == ["flip"]


def test_first_frames_continue_the_motion_after_them(clean: Clip) -> None:
    result = repair(spike(clean, 0, 2, [0.0, 0.0, -2.0]))
    assert np.abs(result.clip.root_positions - clean.root_positions).max() < 0.01


@pytest.mark.parametrize("first", [1, 2, 4, 6])
def test_frames_between_a_glitch_and_the_end_of_the_clip_stay(clean: Clip, first: int) -> None:
    for start in (first, clean.n_frames - 2 - first):
        broken = spike(clean, start, start + 1, [0.0, 0.0, 0.4])
        result = repair(broken)
        changed = np.flatnonzero((result.clip.root_positions != broken.root_positions).any(axis=1))
        assert changed.tolist() == [start, start + 1]
        assert np.abs(result.clip.root_positions - clean.root_positions).max() < 0.005


def test_swapped_limbs_are_swapped_back_bit_for_bit(clean: Clip) -> None:
    rotations = np.array(clean.rotations)
    for name in ("UpLeg", "Leg", "Foot"):
        left, right = clean.skeleton.index(f"Left{name}"), clean.skeleton.index(f"Right{name}")
        rotations[60:75, [left, right]] = clean.rotations[60:75, [right, left]]
    result = repair(replace(clean, rotations=rotations))
    hips = [clean.skeleton.index(f"{side}UpLeg") for side in ("Left", "Right")]
    assert np.array_equal(result.clip.rotations[:, hips], clean.rotations[:, hips])
    assert angles_between(result.clip, clean).max() < 5.0


def test_frozen_joints_move_on(clean: Clip) -> None:
    joint = clean.skeleton.index("LeftUpLeg")
    rotations = np.array(clean.rotations)
    rotations[60:70, joint] = rotations[60, joint]
    broken = replace(clean, rotations=rotations)
    result = repair(broken)
    assert angles_between(broken, clean).max() > 5.0
    assert angles_between(result.clip, clean).max() < 1.0


def test_repairing_twice_changes_nothing_more(clean: Clip) -> None:
    once = repair(flip(clean, "LeftForeArm", 60, 62, 100.0))
    twice = repair(once)
    assert twice.clip.rotations is once.clip.rotations


def test_captured_glitches_are_mended(mocap: Path) -> None:
    clip = ml.load(mocap / "locomotion/turns/walk_left90_16_17.bvh")
    result = repair(clip)
    assert 474 in {fault.first for fault in result.report.mended}
    assert angles_between(clip[474:475], result.clip[474:475])[0, 0] > 20.0
    assert angles_between(result.clip[:-1], result.clip[1:])[470:480, 0].max() < 8.0
    assert repair(result).report.mended == ()


def test_registration_is_not_fooled_by_a_glitch() -> None:
    slow, fast = (walk(speed=speed, duration=2.0, fps=60).clip for speed in (1.2, 1.6))
    broken = spike(flip(fast, "Hips", 60, 61, 120.0), 0, 1, [-2.0, 0.0, 1.0])
    clean, fooled = ml.register([slow, fast]), ml.register([slow, broken])
    u = np.linspace(*clean.domain, 50)
    assert np.abs(fooled.timewarp(u) - clean.timewarp(u)).max() < 0.1
    assert np.abs(fooled.alignment(u) - clean.alignment(u)).max() < 0.01
    assert fooled.report.max_distance == pytest.approx(clean.report.max_distance, rel=0.05)
    assert fooled.clips[1].rotations.tobytes() == broken.rotations.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["leg", "foot", "root", "hips"])
def test_captured_walks_get_the_verdict_of_the_mended_clip(mocap: Path, kind: str) -> None:
    walk, brisk = (
        repair(ml.load(mocap / f"locomotion/s16/{name}.bvh"))
        for name in ("walk_straight_16_15", "brisk_left_16_23")
    )
    broken = {
        "leg": flip(brisk.clip, "LeftUpLeg", 100, 101, 60.0),
        "foot": flip(brisk.clip, "LeftFoot", 150, 152, 50.0),
        "root": spike(brisk.clip, 80, 81, [0.0, 0.3, 0.0]),
        "hips": flip(brisk.clip, "Hips", 200, 200, 120.0),
    }[kind]
    expected, found = (
        ml.register([ml.annotate(walk), ml.annotate(clip)]).report for clip in (repair(broken), broken)
    )
    assert found.verdict is expected.verdict
    assert (found.n_matches, found.unmatched) == (expected.n_matches, expected.unmatched)
    assert found.rivals == pytest.approx(expected.rivals, abs=0.01)
    assert found.mean_distance == pytest.approx(expected.mean_distance, rel=0.01)
    assert found.max_distance == pytest.approx(expected.max_distance, rel=0.01)
    assert ml.cyclify(broken).clip.n_frames == ml.cyclify(repair(broken)).clip.n_frames


def test_seam_measures_are_not_fooled_by_a_glitch(clean: Clip) -> None:
    seam = 120
    popping = flip(clean, "LeftArm", seam, seam, 60.0)
    source = flip(clean, "LeftForeArm", 60, 61, 100.0)
    # A glitch in a source does not make a pop at a seam usual, nor does one elsewhere count as the seam's.
    expected = seam_smoothness(popping, [seam], [clean])
    assert expected.jerk > 2.0
    assert seam_smoothness(popping, [seam], [source]).jerk == pytest.approx(expected.jerk, rel=0.05)
    near = flip(clean, "LeftForeArm", seam + 20, seam + 20, 100.0)
    assert seam_smoothness(near, [seam], [clean]).jerk <= 1.05


def test_what_has_no_glitch_is_not_copied(clean: Clip) -> None:
    assert mend_glitches(clean) is clean
    frozen = flip(clean, "LeftArm", 0, clean.n_frames - 1, 90.0)
    assert mend_glitches(frozen) is frozen
    points = ml.PointClip(("toe",), 0.1, np.zeros((9, 1, 3)))
    assert mend_glitches(points) is points


def test_a_part_of_a_clip_without_glitches_is_not_searched_again(clean: Clip) -> None:
    part = clean[10:40]
    trust_part(part, clean)
    twisted = replace(part, rotations=flip(part, "LeftForeArm", 15, 15, 100.0).rotations)
    assert find_faults(part, kinds=GLITCHES) == ()
    assert pickle.loads(pickle.dumps(part)).n_frames == part.n_frames
    assert mend_glitches(twisted) is not twisted  # other motion is looked at
    wrong = flip(clean, "LeftForeArm", 20, 20, 100.0)
    part = wrong[10:40]
    trust_part(part, wrong)
    assert mend_glitches(part) is not part
