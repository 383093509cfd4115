from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.repair.fault import Fault, summarize_faults
from motionloom.repair.find_faults import find_captured_joints, find_faults
from motionloom.synthesis import walk
from tests.figures import skeleton_of
from tests.repair.planting import flip, spike


@pytest.fixture(scope="module")
def clean() -> Clip:
    return walk(duration=2.0, fps=120).clip


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: find_faults("walk.bvh"), "find_faults takes a clip with a skeleton, not a str"),  # type: ignore[arg-type]
        (lambda: find_faults(walk().clip, kinds="flip"), "kinds must be a list of strings, not 'flip'"),  # type: ignore[arg-type]
        (
            lambda: find_faults(walk().clip, kinds=["flop"]),  # type: ignore[list-item]
            "must be one of 'spike', 'flip', 'swapped', 'twisted', 'frozen', 'jump', not 'flop'",
        ),
    ],
)
def test_wrong_arguments_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        call()
    assert message in str(caught.value)


def test_clean_motion_has_no_faults(clean: Clip) -> None:
    assert find_faults(clean) == ()
    assert find_faults(clean[::4]) == ()
    assert find_faults(clean[:5]) == ()
    assert find_faults(clean[:0]) == ()


@pytest.mark.parametrize("last", [60, 61, 62])
@pytest.mark.parametrize("fps", [60, 120, 240])
def test_a_flip_is_found_with_joint_and_frames(last: int, fps: float) -> None:
    clip = walk(duration=2.0, fps=fps).clip
    (fault,) = find_faults(flip(clip, "LeftForeArm", 60, last, 40.0))
    assert (fault.kind, fault.joint, fault.first, fault.last) == ("flip", "LeftForeArm", 60, last)
    assert fault.size == pytest.approx(np.radians(40.0), abs=0.05)
    assert str(fault).startswith("LeftForeArm flips by ")


def test_a_flip_at_low_rate_counts_where_motion_could_not_be_so_fast() -> None:
    clip = walk(duration=3.0, fps=30).clip
    (fault,) = find_faults(flip(clip, "LeftForeArm", 40, 40, 50.0))
    assert (fault.kind, fault.joint, fault.first, fault.last) == ("flip", "LeftForeArm", 40, 40)


def test_a_spike_of_the_root_is_found(clean: Clip) -> None:
    (fault,) = find_faults(spike(clean, 100, 101, [0.05, 0.0, 0.0]))
    assert (fault.kind, fault.joint, fault.first, fault.last) == ("spike", "Hips", 100, 101)
    assert fault.channel == "position"
    assert fault.size == pytest.approx(0.05, abs=0.005)


def test_a_small_rotation_that_throws_a_hand_off_is_a_spike_of_the_joint_that_rotates(clean: Clip) -> None:
    (fault,) = find_faults(flip(clean, "LeftArm", 80, 81, 12.0, [0, 0, 1]))
    assert (fault.kind, fault.joint, fault.channel) == ("spike", "LeftArm", "rotation")
    assert 0.05 < fault.size < 0.2


def test_rotations_that_children_cancel_count_only_when_they_are_large(clean: Clip) -> None:
    # The pelvis twitches, and spine and legs twitch back: nothing else moves.
    def twitch(degrees: float) -> Clip:
        rotations = np.array(clean.rotations)
        turn = rot.from_axis_angle([1, 0, 0], np.radians(degrees))
        rotations[70, 0] = rot.multiply(rotations[70, 0], turn)
        for child in clean.skeleton.children(0):
            rotations[70, child] = rot.multiply(rot.inverse(turn), rotations[70, child])
        return replace(clean, rotations=rotations)

    faults = find_faults(twitch(8.0))
    assert not [fault for fault in faults if fault.joint == "Hips"]
    assert "Hips" in {fault.joint for fault in find_faults(twitch(30.0))}


def test_opposite_signs_of_quaternions_are_no_fault(clean: Clip) -> None:
    rotations = np.array(clean.rotations)
    rotations[60:70, 3] *= -1.0
    rotations[90, 5] *= -1.0
    assert find_faults(replace(clean, rotations=rotations)) == ()


def test_wrong_first_and_last_frames_are_found(clean: Clip) -> None:
    (start,) = find_faults(flip(clean, "LeftArm", 0, 1, 90.0))
    assert (start.kind, start.first, start.last) == ("flip", 0, 1)
    last = clean.n_frames - 1
    (end,) = find_faults(spike(clean, last, last, [0.0, 0.5, 0.0]))
    assert (end.kind, end.first, end.last) == ("spike", last, last)


def test_a_flip_that_stays_is_a_jump(clean: Clip) -> None:
    (fault,) = find_faults(flip(clean, "LeftFoot", 120, clean.n_frames - 1, 170.0))
    assert (fault.kind, fault.first, fault.last) == ("jump", 120, 120)


def test_a_bone_that_jumps_out_is_a_spike(clean: Clip) -> None:
    moved = np.array(np.broadcast_to(clean.skeleton.offsets, (clean.n_frames, *clean.skeleton.offsets.shape)))
    joint = clean.skeleton.index("LeftLeg")
    moved[50, joint] *= 1.3
    (fault,) = find_faults(replace(clean, translations=moved))
    assert (fault.kind, fault.joint, fault.channel, fault.first) == ("spike", "LeftLeg", "position", 50)


def test_a_frozen_joint_is_found_and_a_still_one_is_not(clean: Clip) -> None:
    joint = clean.skeleton.index("LeftUpLeg")
    rotations = np.array(clean.rotations)
    rotations[60:80, joint] = rotations[60, joint]
    (fault,) = find_faults(replace(clean, rotations=rotations))
    assert (fault.kind, fault.joint, fault.first, fault.last) == ("frozen", "LeftUpLeg", 61, 79)
    rotations = np.array(clean.rotations)
    rotations[:, joint] = rotations[0, joint]
    assert find_faults(replace(clean, rotations=rotations)) == ()
    # Knees rest at their limit, which is the rest rotation.
    rotations[30:60, joint] = clean.skeleton.rest_rotations[joint]
    rotations[80:90, joint] = clean.skeleton.rest_rotations[joint]
    assert not [f for f in find_faults(replace(clean, rotations=rotations)) if f.kind == "frozen"]


def test_swapped_limbs_are_found_whole(clean: Clip) -> None:
    rotations = np.array(clean.rotations)
    for name in ("UpLeg", "Leg", "Foot"):
        left, right = clean.skeleton.index(f"Left{name}"), clean.skeleton.index(f"Right{name}")
        rotations[60:75, [left, right]] = clean.rotations[60:75, [right, left]]
    faults = find_faults(replace(clean, rotations=rotations))
    assert {fault.kind for fault in faults} == {"swapped"}
    assert {(fault.first, fault.last) for fault in faults} == {(60, 74)}
    assert ("LeftUpLeg", "RightUpLeg") in {(fault.joint, fault.partner) for fault in faults}


def test_kinds_choose_what_is_looked_for(clean: Clip) -> None:
    both = spike(flip(clean, "LeftForeArm", 60, 60, 40.0), 120, 120, [0.0, 0.1, 0.0])
    assert [fault.kind for fault in find_faults(both)] == ["flip", "spike"]
    assert [fault.kind for fault in find_faults(both, kinds=["spike"])] == ["spike"]


def test_size_is_judged_by_the_size_of_the_body(clean: Clip) -> None:
    from motionloom.files.normalize import scale_clip

    mouse = scale_clip(clean, 0.05)
    (fault,) = find_faults(spike(mouse, 60, 60, [0.0, 0.01, 0.0]))
    assert fault.kind == "spike"


def test_fingers_count_only_on_hands_that_have_some() -> None:
    arm = ["LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"]
    names = ["Hips", "Spine", *arm, "LeftFingerBase", "LeftHandIndex1", "LThumb"]
    trunk: list[list[float]] = [[0, 1, 0], [0, 0.3, 0], [0, 0.2, 0]]
    offsets: list[list[float]] = [
        *trunk,
        [0.2, 0, 0],
        [0.3, 0, 0],
        [0.3, 0, 0],
        [0, 0, 0],
        [0.1, 0, 0],
        [0, 0, 0.1],
    ]
    skeleton = skeleton_of(tuple(names), [-1, 0, 1, 2, 3, 4, 5, 6, 5], offsets)
    captured = find_captured_joints(skeleton)
    assert [name for name, is_captured in zip(names, captured, strict=True) if not is_captured] == names[6:]


def test_a_summary_names_a_few_and_counts_the_rest() -> None:
    faults = [Fault(kind="flip", joint=f"J{n}", first=n, last=n, size=1.0 - n / 100) for n in range(9)]
    text = summarize_faults(faults)
    assert text.endswith("; and 6 more")
    assert text.startswith("J0 flips by 57° in frame 0; J1 flips")
    assert str(Fault(kind="jump", joint="Hips", first=4, last=4, size=2.0, channel="position")) == (
        "Hips jumps by 200 cm in frame 4"
    )


def test_joints_that_jitter_have_no_single_wrong_frames(clean: Clip) -> None:
    rng = np.random.default_rng(3)
    toe = clean.skeleton.index("LeftToeBase")
    rotations = np.array(clean.rotations)
    shakes = rot.from_axis_angle([1.0, 0.0, 0.0], np.radians(rng.normal(scale=9.0, size=clean.n_frames)))
    rotations[:, toe] = rot.multiply(rotations[:, toe], shakes)
    jittering = replace(clean, rotations=rotations)
    assert find_faults(jittering, kinds=["flip", "spike"]) == ()
    # A flip that stands out from the jitter is found all the same.
    found = find_faults(flip(jittering, "LeftToeBase", 100, 101, 150.0), kinds=["flip"])
    assert [(fault.joint, fault.first, fault.last) for fault in found] == [("LeftToeBase", 100, 101)]


@pytest.mark.parametrize(
    ("step", "degrees", "is_found"), [(1, 25.0, True), (4, 25.0, False), (4, 45.0, True)]
)
def test_flips_that_a_hand_could_make_are_left_at_low_rates(
    clean: Clip, step: int, degrees: float, is_found: bool
) -> None:
    # 120,000 degrees per square second take a hand 33 degrees out and back within two thirtieths of a second.
    slow = clean[::step]
    assert bool(find_faults(flip(slow, "LeftHand", 20, 20, degrees))) == is_found


@pytest.mark.parametrize("step", [1, 2, 4])
def test_thumbs_that_nobody_captured_raise_no_alarm(mocap: Path, step: int) -> None:
    clip = ml.load(mocap / "locomotion/s16/walk_straight_16_15.bvh")[2::step]
    thumb = clip.skeleton.index("LThumb")
    rotations = np.array(clip.rotations)
    rotations[20:22, thumb] = rot.from_axis_angle([1.0, 0.0, 0.0], np.pi / 2)
    turned = replace(clip, rotations=rotations)
    assert not {fault.joint for fault in find_faults(turned)} & {"LThumb", "RThumb", "LeftFingerBase"}
    assert find_faults(turned) == find_faults(clip)


def test_loading_notes_faults_in_one_line(tmp_path: Path, clean: Clip) -> None:
    path = ml.save(flip(clean, "LeftForeArm", 60, 61, 40.0), tmp_path / "glitch.bvh")
    (note,) = [note for note in ml.load(path).source.notes if "faults of capture" in note]
    assert "LeftForeArm flips by 40° in frames 60-61" in note
    assert "motionloom.repair" in note


def test_faults_are_looked_for_once_when_somebody_asks(
    tmp_path: Path, clean: Clip, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ml.save(flip(clean, "LeftForeArm", 60, 61, 40.0), tmp_path / "glitch.bvh")
    searches: list[Clip] = []

    def find_jumps(clip: Clip, *rest: Any) -> Any:
        searches.append(clip)
        return original(clip, *rest)

    module = importlib.import_module("motionloom.repair.find_faults")
    original = module.find_jumps
    monkeypatch.setattr(module, "find_jumps", find_jumps)
    clip = ml.load(path)
    named = replace(clip, source=replace(clip.source, path="other.bvh"), constraints=())
    assert searches == []
    assert list(named.source.notes) == list(clip.source.notes)
    assert len(searches) == 1
    assert [fault.joint for fault in find_faults(clip)] == ["LeftForeArm"]
    assert len(searches) == 1
    # A file of our own keeps the notes, so they are found to be written.
    again = ml.load(ml.save(ml.load(path), tmp_path / "glitch.npz"))
    assert again.source.notes == tuple(clip.source.notes)
    assert len(searches) == 2


def test_real_faults_are_found_and_real_motion_is_not(mocap: Path) -> None:
    def faults_of(name: str) -> set[tuple[str, str, int]]:
        return {(f.kind, f.joint, f.first) for f in find_faults(ml.load(mocap / name))}

    # A pelvis that twitches for one frame, with what hangs on it; an arm that starts 94° off.
    assert ("flip", "Hips", 474) in faults_of("locomotion/turns/walk_left90_16_17.bvh")
    assert ("flip", "LeftArm", 0) in faults_of("locomotion/s16/walk_straight_16_15.bvh")
    assert ("flip", "LowerBack", 254) in faults_of("actions/jumps/jump_long_83_50.bvh")
    # Punches, a cartwheel and a pitch are fast, and their thumbs were not captured.
    assert faults_of("actions/punches/punch_high1_02_05_r0091-0265.bvh") == set()
    assert faults_of("actions/throws/baseball_pitch_124_01.bvh") == set()
    assert not {joint for _, joint, _ in faults_of("actions/acrobatics/cartwheel_49_06.bvh")} - {
        "LeftToeBase"
    }
