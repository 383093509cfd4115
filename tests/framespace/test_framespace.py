from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.annotation import strikes
from motionloom.annotation.events import swing_angles
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.framespace import Framespace, FramespaceReport, PolylineInterpolant
from motionloom.framespace.poses import upper_fractions
from motionloom.framespace.warp import WarpKind
from motionloom.geometry import GroundTransform
from motionloom.motion.anatomy import body_positions, facing
from motionloom.motion.unroll import travel, unroll
from motionloom.quality import copy_error, plant_measures, seam_smoothness
from tests.framespace.detail import detail_left
from tests.framespace.spaces import (
    S_CURVE,
    captured_loop,
    feet_apart,
    halves,
    jogging,
    punching,
    rectangle,
    sneaking,
    walk_to_run,
    walking,
    waving,
)
from tests.refusals import refused

COPY = 1e-6
"""Metres by which a copy may miss."""


def error_of_copy(space: Framespace, k: int, cycles: int = 3) -> float:
    """How far the blend at a basis clip is from that clip, cycle after cycle."""
    clip = space.clips[k]
    point = {"box": [(0.0, k % 2, k // 2)]}.get(space.shape, k / (len(space.clips) - 1))
    result = space.blend(point, cycles=cycles)
    assert result.clip.n_frames == cycles * clip.n_frames + 1
    first = round(space.warp.origins[k] * clip.n_frames)
    return copy_error(result.clip, unroll(clip, cycles + 2), first + np.arange(result.clip.n_frames))


def test_one_clip_is_no_space() -> None:
    with pytest.raises(ParameterError, match="a framespace takes two clips or more, not 1"):
        Framespace([walking()])
    for clips in (None, walking()):
        with pytest.raises(ParameterError, match="Framespace takes a list of clips with skeletons, not"):
            Framespace(clips)  # type: ignore[arg-type]


def test_blends_without_end_are_refused() -> None:
    message = r"1e\+09 cycles make .* frames or more: at most 1000000 are allowed"
    with pytest.raises(ParameterError, match=message):
        rectangle().blend(0.5, cycles=1e9)
    with pytest.raises(ParameterError, match="more than 10000000 samples: take fewer"):
        rectangle().blend(0.5, cycles=2, samples=10**9)


def test_states_are_given_for_every_clip() -> None:
    with pytest.raises(ParameterError, match="states must be a list with the states of each clip"):
        Framespace([walking(), jogging()], states=3)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="states are given for 1 clips, but there are 2"):
        Framespace([walking(), jogging()], states=[[(0.0, "L.et")]])


def test_given_states_need_a_cycle() -> None:
    with pytest.raises(
        ParameterError, match="states are given for clip 1, which is no cycle: close it first"
    ):
        Framespace([walking(), punching()], states=[None, [(0.0, "L.et")]])


def test_an_upper_curve_needs_halves() -> None:
    with pytest.raises(ParameterError, match="upper needs a space whose halves are decoupled"):
        rectangle().blend(0.5, upper=0.5)


@pytest.mark.parametrize("cycles", [0, -1, float("nan")])
def test_cycles_are_positive(cycles: float) -> None:
    with refused("cycles"):
        rectangle().blend(0.5, cycles=cycles)


def test_a_rectangle_has_one_weight_coordinate() -> None:
    with pytest.raises(ParameterError, match="an interpolant in a rectangle has v at each x, not 2 numbers"):
        rectangle().blend([(0, 0.5, 0.5)])


def test_a_loop_closes() -> None:
    with pytest.raises(
        ParameterError, match="the interpolant of a loop must end where it begins, not at 0 and 1"
    ):
        rectangle().blend([(0, 0), (1, 1)], loop=True)
    with pytest.raises(ParameterError, match=r"a loop takes a whole number of cycles, not 1.5"):
        rectangle().blend(0.5, cycles=1.5, loop=True)
    with pytest.raises(ParameterError, match="a space with an acyclic clip makes no loop"):
        Framespace([walking(), punching()], acyclic=1).blend(0.0, loop=True)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["smooth", "linear"])
def test_basis_clips_are_copied(kind: WarpKind) -> None:
    space = Framespace([walking(), jogging()], warp=kind)
    assert max(error_of_copy(space, k) for k in range(2)) < COPY


def test_decoupled_halves_meet_at_basis_clips() -> None:
    assert max(error_of_copy(halves(), k) for k in range(2)) < COPY


@pytest.mark.slow
def test_corners_of_a_box_are_copied() -> None:
    space = Framespace([walking(), jogging(), sneaking(), walking().mirrored()])
    assert space.shape == "box"
    assert max(error_of_copy(space, k) for k in range(4)) < COPY


def test_clips_along_a_line_are_copied() -> None:
    space = Framespace([jogging(), walking(), sneaking()])
    assert space.shape == "line"
    assert max(error_of_copy(space, k) for k in range(3)) < COPY


def test_the_result_explains_itself() -> None:
    result = rectangle().blend(S_CURVE, cycles=4)
    assert result.report.method == "framespace"
    assert result.weights[0].tolist() == [1.0, 0.0]
    assert np.allclose(result.weights.sum(axis=1), 1.0)
    assert (np.diff(result.u) > 0.0).all()
    assert result.u[-1] == pytest.approx(4.0, abs=0.03)
    assert (result.frames >= 0.0).all()
    assert (result.frames < [clip.n_frames for clip in rectangle().clips]).all()


def test_a_loop_goes_on_smoothly_and_leads_where_the_clips_do_on_average() -> None:
    loop = rectangle().blend(0.5, cycles=1, loop=True).clip
    three = unroll(loop, 3)
    measured = seam_smoothness(three, [loop.n_frames, 2 * loop.n_frames], [unroll(walking(), 4)])
    assert measured.jerk < 3.0
    turns = [travel(clip).yaw for clip in (walking(), jogging())]
    assert travel(loop).yaw == pytest.approx(np.mean(turns), abs=1e-3)


def test_place_decides_where_it_begins() -> None:
    clip = rectangle().blend(0.0, place=GroundTransform(1.0, 2.0, 3.0)).clip
    assert clip.root_positions[0, [0, 2]].tolist() == pytest.approx([2.0, 3.0])
    assert facing(clip).mean() == pytest.approx(1.0, abs=0.3)


def test_vertices_outside_are_noted() -> None:
    assert rectangle().blend([(0, -1), (1, 2)]).report.notes == (
        "vertices outside the space were moved to its border",
    )


def test_time_that_runs_back_is_noted() -> None:
    states = [[(0.0, "a"), (0.8, "b")], [(0.0, "a"), (0.2, "b")]]
    space = Framespace([walking(), jogging()], states=states)
    result = space.blend(PolylineInterpolant([(0.45, 1), (0.55, 0)]), cycles=1)
    assert any("time runs back" in note for note in result.report.notes)


def test_given_states_decide() -> None:
    states = [[(0.25, "a")], [(0.5, "a")]]
    space = Framespace([walking(), jogging()], states=states)
    assert space.correspondence.matched[0].phases == (0.25, 0.5)
    assert space.warp.origins == pytest.approx([0.25, 0.5], abs=0.51 / jogging().n_frames)


def test_inputs_stay_as_they_are() -> None:
    before = [(np.array(clip.rotations), clip.constraints, clip.events) for clip in (walking(), jogging())]
    Framespace([walking(), jogging()]).blend(S_CURVE, cycles=3)
    for clip, (turns, constraints, events) in zip((walking(), jogging()), before, strict=True):
        assert np.array_equal(clip.rotations, turns)
        assert (clip.constraints, clip.events) == (constraints, events)


def test_a_gesture_plays_once_on_a_walk() -> None:
    space = Framespace([walking(), punching()], acyclic=1, decoupled=True)
    arms = [(0.0, 0.0), (0.2, 0.0), (0.3, 1.0), (0.7, 1.0), (0.8, 0.0), (1.0, 0.0)]
    result = space.blend(0.0, upper=PolylineInterpolant(arms), cycles=5)
    report = result.report
    assert isinstance(report, FramespaceReport)
    assert report.upper_frames is not None
    punched = report.upper_frames[:, 1]
    assert punched[0] == 0.0
    assert (np.diff(punched) >= 0.0).all()
    assert punched.max() == punching().n_frames - 1
    assert report.cycle_durations == pytest.approx([space.periods[0]] * 5)
    hand = result.clip.skeleton.index("RightHand")
    reach = np.linalg.norm(body_positions(result.clip)[:, hand], axis=-1)
    usual = np.linalg.norm(body_positions(walking())[:, hand], axis=-1)
    assert reach.max() > usual.max() + 0.1


@pytest.mark.slow
def test_arms_that_go_the_other_way_round_need_decoupling() -> None:
    """Two walks whose arms are half a cycle apart: coupled, their swings cancel; decoupled, they meet."""
    clip = walking()
    arms = upper_fractions(clip.skeleton) == 1.0
    turns = np.array(clip.rotations)
    turns[:, arms] = np.roll(turns[:, arms], clip.n_frames // 2, axis=0)
    legs = {"LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"}
    other = replace(
        clip,
        rotations=turns,
        events=tuple(event for event in clip.events if event.joint in legs),
    )

    def swing(space: Framespace) -> float:
        made = space.blend(0.5, loop=True).clip
        shoulder, elbow = (made.skeleton.index(name) for name in ("LeftArm", "LeftForeArm"))
        return float(np.ptp(swing_angles(made, shoulder, elbow)))

    coupled, decoupled = Framespace([clip, other]), Framespace([clip, other], decoupled=True)
    assert any("L.S ext" in note and "order" in note for note in coupled.notes)
    assert swing(coupled) < 0.3 * swing(decoupled)
    usual = Framespace([clip, clip])
    assert swing(decoupled) == pytest.approx(swing(usual), rel=0.05)
    assert max(error_of_copy(decoupled, k) for k in range(2)) < COPY


def test_bodies_of_different_size_blend() -> None:
    clip = jogging()
    taller = replace(
        clip,
        skeleton=replace(clip.skeleton, offsets=clip.skeleton.offsets * 1.1),
        root_positions=clip.root_positions * 1.1,
    )
    space = Framespace([walking(), taller])
    assert any("1.10 times as large" in note for note in space.notes)
    assert max(error_of_copy(space, k) for k in range(2)) < COPY


def test_states_of_both_halves_can_be_taken_out() -> None:
    space = halves()
    assert space.upper_correspondence is not None
    arms, legs = space.upper_correspondence.matched[1].labels[0], space.correspondence.matched[1].labels[0]
    fewer = space.without(arms).without(legs)
    assert fewer.upper_correspondence is not None
    assert all(arms not in state.labels for state in fewer.upper_correspondence.matched)
    assert all(legs not in state.labels for state in fewer.correspondence.matched)
    assert max(error_of_copy(fewer, k) for k in range(2)) < COPY
    assert any(legs in state.labels for state in space.correspondence.matched)


def test_dropping_a_state_changes_little(mocap: Path) -> None:
    """Poses half-way, frame by frame of the cycle; the strikes are what the others lean on."""
    space = walk_to_run(mocap)
    usual = body_positions(space.blend(0.5, loop=True).clip)
    for state in space.correspondence.matched[1:]:
        other = body_positions(space.without(state.labels[0]).blend(0.5, loop=True).clip)
        change = np.linalg.norm(other - usual, axis=-1)
        assert np.sqrt((change**2).mean()) < 0.02


def test_detail_that_key_states_lose_is_kept(mocap: Path) -> None:
    kept = [detail_left(walk_to_run(mocap), v) for v in (0.0, 0.5, 1.0)]
    assert kept[0][0] == pytest.approx(1.0)
    assert kept[2][0] == pytest.approx(1.0)
    assert kept[1][0] > 0.65
    assert max(keyed for _, keyed in kept) < 0.35


def test_walk_to_run_keeps_to_what_capture_looks_like(mocap: Path) -> None:
    space = walk_to_run(mocap)
    result = space.blend(S_CURVE, cycles=8)
    clip, sources = result.clip, [unroll(own, 4) for own in space.clips]
    measured = seam_smoothness(clip, np.linspace(8, clip.n_frames - 9, 60), sources)
    assert measured.acceleration <= 1.2
    assert measured.jerk <= 1.2
    left = [hit.frame for hit in strikes(clip) if hit.side == "left"]
    assert len(left) == 8
    assert (np.diff(left, 2) < 0.0).all()
    assert feet_apart(clip) > min(feet_apart(own) for own in sources) - 0.005
    assert max(error_of_copy(space, k) for k in range(2)) < COPY


def test_feet_can_be_enforced(mocap: Path) -> None:
    clip = walk_to_run(mocap).blend(S_CURVE, cycles=4).clip
    before, after = plant_measures(clip), plant_measures(enforce(clip).clip)
    assert before.travel.max() > 0.02
    assert after.travel.max() < 1e-3


def test_captures_of_any_length_do(mocap: Path) -> None:
    """Cut and closed by the space itself, at their own rates."""
    folder = mocap / "locomotion" / "s16"
    names = ("walk_straight_16_15", "jog_straight_16_35")
    space = Framespace([load_clip(folder / f"{name}.bvh").resampled(30) for name in names])
    assert space.periods.round(1).tolist() == [1.2, 0.8]
    assert len(space.correspondence.matched) >= 4
    assert captured_loop(mocap, names[0]).n_frames / 60 == pytest.approx(space.periods[0], abs=0.05)


def test_game_loops_mix_in_place_and_with_travel(mocap: Path) -> None:
    names = ("Walking_A", "Walking_B", "Walking_C", "Running_A")
    clips = [
        load_clip(mocap / "game/kaykit_MovementBasic.glb", animation=f"Rig_Medium|{name}") for name in names
    ]
    space = Framespace(clips)
    for n in range(4):
        assert space.notes[n].startswith(f"kaykit_MovementBasic (clip {n}) walks in place: its travel of")
    still = space.blend([(0, 0.4, 0.6), (1, 0.4, 0.6)], loop=True, in_place=True).clip
    moving = space.blend([(0, 0.4, 0.6), (1, 0.4, 0.6)], loop=True).clip
    assert np.allclose(travel(still).row(), 0.0, atol=1e-6)
    assert travel(moving).z > 1.0
    faster = space.blend([(0, 0.0, 0.0), (1, 1.0, 1.0)], cycles=6, in_place=True).clip
    away = faster.root_positions[:, [0, 2]] - faster.root_positions[0, [0, 2]]
    assert np.linalg.norm(away, axis=1).max() < 0.5


def test_clips_without_plants_are_named() -> None:
    """Somebody who waves on a merry-go-round: the feet go along."""
    wave = waving(60, 0.5)
    angles = 2.0 * np.pi * np.arange(60) / 60
    circle = np.stack([np.cos(angles), np.zeros(60), np.sin(angles)], axis=-1)
    ride = replace(wave, root_positions=wave.root_positions + circle, constraints=(), events=())
    assert "no foot plants were found in clip 1" in Framespace([wave, ride]).notes
