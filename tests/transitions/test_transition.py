from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.annotation import annotate
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, Constraint, PointClip
from motionloom.quality import copy_error, plant_measures, seam_smoothness
from motionloom.synthesis import kick, punch, stand, walk
from motionloom.transitions import TransitionMethod, concatenate, transition
from tests.figures import skeleton_of, smooth_clip
from tests.transitions.motions import (
    METHODS,
    captured_takes,
    jog_cycle,
    jogging,
    sole_clip_errors,
    walk_cycle,
    walking,
)

# Bad input


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (
            {"method": "cut"},
            "method must be one of 'registration', 'linear', 'inertialize', 'dead'",
        ),
        ({"half_width": 0.0}, "half_width must be seconds, at least one frame"),
        ({"half_width": np.nan}, "half_width must be seconds"),
        ({"half_width": "0.5"}, "half_width must be seconds, .* not '0.5'"),
        ({"half_width": [0.5, 0.5]}, "half_width must be seconds"),
        ({"half_width": 1e7}, "half_width must be at most 600 seconds, not 10000000.0"),
        ({"correspondences": 7}, "correspondences must be a list of pairs of seconds, not 7"),
        ({"at": "ab"}, "at must be two frames"),
        ({"at": (10, 500)}, "at names frame 500 of the second clip, which has frames 0 to 120"),
        ({"at": (-1, 5)}, "at names frame -1 of the first clip"),
        ({"at": 7}, "at must be two frames, one of the first and one of the second clip, not 7"),
        ({"at": (10, np.nan)}, "at must be two frames"),
        ({"at": (1, 2, 3)}, "at must be two frames"),
        ({"keep": "most"}, 'keep must be "all" or the fraction of each clip that plays, from 0 to 1'),
        ({"keep": 90}, "keep must be .* from 0 to 1, not 90"),
        ({"keep": 0.9, "at": (60, 50)}, "keep is for frames that are chosen automatically"),
        ({"keep": "all", "method": "overlap", "overlap": (1.0, 1.0)}, "always plays all of the clips"),
        ({"alignment": "global"}, "alignment must be one of 'auto', 'windowed'"),
        ({"alignment": "windowed", "method": "linear"}, 'alignment belongs to method "registration"'),
    ],
)
def test_what_cannot_be_done_is_refused(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message.replace("(", r"\(")):
        transition(walking(), jogging(), **choices)


def test_markers_have_no_skeleton() -> None:
    dots = PointClip(("dot",), 1 / 30, np.zeros((5, 1, 3)))
    with pytest.raises(ParameterError, match=r"clip 1 is a PointClip, but .* clips that all have a skeleton"):
        transition(walking(), dots)  # type: ignore[call-overload]


def test_files_are_loaded_first() -> None:
    with pytest.raises(ParameterError, match=r"clip 0 is a path, 'walk\.bvh': load it first"):
        transition("walk.bvh", walking())  # type: ignore[call-overload]


def test_other_bodies_are_refused() -> None:
    with pytest.raises(ParameterError, match="skeletons"):
        transition(walking(), smooth_clip())


@pytest.mark.parametrize("method", METHODS)
def test_too_little_motion_says_how_much_is_missing(method: TransitionMethod) -> None:
    with pytest.raises(ParameterError, match=r"a transition of 8.00 s does not fit: \d.\d\d s of motion"):
        transition(walking(), jogging(), half_width=4.0, method=method)


def test_the_missing_seconds_are_those_that_are_missing() -> None:
    """61 frames hold a plain fade of 60; half a second to either side more takes 30 frames more."""
    clip = annotate(walk(duration=2.0, fps=30).clip)
    assert transition(clip, clip, half_width=1.0, method="linear").clip.n_frames == 61
    with pytest.raises(ParameterError, match=r"3.00 s does not fit: 1.00 s of motion"):
        transition(clip, clip, half_width=1.5, method="linear")


# Smallest cases


@pytest.mark.parametrize("method", [method for method in METHODS if method != "dead"])
def test_a_clip_goes_over_into_itself(method: TransitionMethod) -> None:
    """At equal frames nothing changes, wherever the second copy lies; only dead blending guesses the rest."""
    clip = walking()
    copy = clip.placed(GroundTransform(1.0, 2.0, 3.0))
    made = transition(clip, copy, at=(60, 60), half_width=0.4, method=method)
    assert made.clip.n_frames == clip.n_frames
    assert np.abs(made.clip.world_positions() - clip.world_positions()).max() < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_head_and_tail_are_the_clips_own_frames(method: TransitionMethod) -> None:
    a, b = walking(), jogging()
    made = transition(a, b, half_width=0.5, method=method)
    first, last = map(int, made.report.seams)
    assert last - first == 30
    np.testing.assert_array_equal(made.clip.root_positions[:first], a.root_positions[:first])
    np.testing.assert_array_equal(made.clip.rotations[:first], a.rotations[:first])
    assert made.frames[:first, 0].tolist() == list(range(first))
    assert copy_error(made.clip, a, np.arange(first + 1.0)) < 1e-9
    assert copy_error(made.clip, b, made.frames[last:, 1], start=last) < 1e-9
    assert made.frames[-1, 1] == b.n_frames - 1
    errors = sole_clip_errors(made, [a, b])
    assert len(errors) >= first + made.clip.n_frames - last
    assert errors.max() < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_every_frame_is_accounted_for(method: TransitionMethod) -> None:
    made = transition(walking(), jogging(), method=method)
    first, last = map(int, made.report.seams)
    assert made.report.method == method
    assert (made.weights[: first + 1] == [1.0, 0.0]).all()
    assert (made.weights[last:] == [0.0, 1.0]).all()
    np.testing.assert_allclose(made.weights.sum(axis=1), 1.0)
    assert (np.diff(made.weights[:, 1]) >= 0.0).all()
    assert (np.diff(made.u) > 0.0).all()
    assert (np.diff(made.frames, axis=0) >= 0.0).all()


def test_the_stated_frames_meet_in_the_middle() -> None:
    made = transition(walking(), jogging(), at=(61, 50), half_width=0.4)
    middle = round(np.mean(made.report.seams))
    assert made.weights[middle].tolist() == [0.5, 0.5]
    assert np.abs(made.frames[middle] - (61, 50)).max() < 1e-9
    assert made.report.centres == ((61, 50),)


def test_between_whole_frames_head_and_tail_are_sampled() -> None:
    a, b = walking(), jogging()
    made = transition(a, b, half_width=0.5, snap=False)
    first, last = map(int, made.report.seams)
    share = made.frames[0, 0] % 1.0
    assert 0.01 < share < 0.99
    np.testing.assert_allclose(np.diff(made.frames[: first + 1, 0]), 1.0)
    np.testing.assert_allclose(np.diff(made.frames[last:, 1]), 1.0)
    near = a.at(made.frames[:first, 0]).root_positions
    assert np.abs(made.clip.root_positions[:first] - near).max() < 2e-3


# Edge cases


def test_without_a_gait_it_takes_half_a_second_or_what_a_smooth_one_needs() -> None:
    a, b = (annotate(make(fps=60).clip) for make in (kick, punch))
    first, last = transition(a, b).report.seams
    assert 30 <= last - first <= 75
    standing = annotate(stand(duration=2.0, fps=60).clip)
    first, last = transition(standing, standing).report.seams
    assert last - first == 30


def test_two_gaits_take_a_stride_to_either_side() -> None:
    first, last = transition(walking(), jogging()).report.seams
    assert 1.5 < (last - first) / 30 < 2.0  # a stride, and no more than half of either clip


def test_a_width_that_nobody_asked_for_is_narrowed() -> None:
    made = transition(walk_cycle(), jog_cycle())
    assert any("too short for a transition of 1.7" in note for note in made.report.notes)
    first, last = made.report.seams
    assert 0.3 <= (last - first) / 30 < 1.0


@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
@pytest.mark.parametrize("fps", [3, 8, 15, 17])
def test_narrowing_ends_at_low_frame_rates(fps: int) -> None:
    a, b = (annotate(make(fps=fps).clip) for make in (walk, kick))
    first, last = transition(a, b).report.seams
    assert 2 <= last - first <= max(4, round(1.3 * fps))


def test_frame_rates_may_differ() -> None:
    fast = annotate(walk(duration=4.0, fps=60).clip)
    made = transition(fast, jogging())
    assert made.clip.fps == 30
    assert "clip 0 was resampled from 60 to 30 frames per second" in made.report.notes


def test_the_frames_that_meet_are_those_of_the_clips_as_given() -> None:
    slow, fast = (annotate(walk(duration=4.0, fps=fps).clip) for fps in (30, 60))
    made = transition(fast, slow, at=(120, 66), half_width=0.4, method="linear")
    same = transition(slow, slow, at=(60, 66), half_width=0.4, method="linear")
    assert made.report.seams == same.report.seams
    np.testing.assert_allclose(made.frames, same.frames, atol=1e-9)
    assert transition(fast, slow, at=(240, 66), method="dead").clip.n_frames > 240 // 2  # its last frame


def test_bones_may_differ() -> None:
    a, b = smooth_clip(60), smooth_clip(60, moving=True)
    for method in METHODS:
        made = transition(a, b, half_width=0.1, method=method, keep=0)
        last = int(made.report.seams[1])
        assert made.clip.translations is not None
        np.testing.assert_allclose(made.clip.translations[0, 1:], a.skeleton.offsets[1:])
        assert sole_clip_errors(made, [a, b]).max() < 1e-9
        assert copy_error(made.clip, b, made.frames[last:, 1], start=last) < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_the_result_is_not_what_is_in_a_file(method: TransitionMethod) -> None:
    a, b = (
        replace(clip, source=replace(clip.source, path="one.bvh", unit="cm", notes=("repaired",)))
        for clip in (smooth_clip(60), smooth_clip(60))
    )
    results = (
        transition(a, b, half_width=0.1, method=method, keep=0),
        concatenate([a, b, a], half_width=0.05, keep=0),
    )
    for made in results:
        assert (made.clip.source.path, made.clip.source.notes) == ("", ())
        assert made.clip.source.unit == "cm"


def test_cyclic_and_other_clips_join_without_a_word_on_registering() -> None:
    made = transition(walk_cycle(), jogging(), loop=True)
    assert not any("cyclic" in note for note in made.report.notes)


def test_joints_that_one_clip_lacks_stay_at_rest_in_it() -> None:
    a = smooth_clip(60, seed=0)
    fewer = skeleton_of(
        a.skeleton.names[:5], a.skeleton.parents[:5].tolist(), a.skeleton.offsets[:5], a.skeleton.tips[:1]
    )
    b = Clip(fewer, a.frame_time, a.root_positions, a.rotations[:, :5])
    made = transition(a, b, half_width=0.1, method="linear")
    assert made.clip.skeleton.names == a.skeleton.names
    assert made.clip.rotations[-1, 5].tolist() == [1.0, 0.0, 0.0, 0.0]


def test_plants_that_cross_a_seam_are_one() -> None:
    a, b = walking(), jogging()
    made = transition(a, b, half_width=0.5)
    seams = made.report.seams
    assert any(c.start < seam - 1 and c.end > seam + 1 for seam in seams for c in made.clip.constraints)
    lanes = {(c.joint, c.kind) for c in made.clip.constraints}
    for lane in lanes:
        own = [c for c in made.clip.constraints if (c.joint, c.kind) == lane]
        assert all(after.start - before.end > 1.0 for before, after in pairwise(own))


def test_targets_of_the_tail_move_with_it() -> None:
    a, b = walking(), jogging()
    target = np.array([5.0, 0.0, -3.0])
    kept = Constraint("LeftHand", "grip", b.n_frames - 10, b.n_frames - 1, target=target)
    made = transition(a, replace(b, constraints=(*b.constraints, kept)), half_width=0.5)
    (found,) = (c for c in made.clip.constraints if c.kind == "grip")
    assert found.target is not None
    way = GroundTransform(*made.placements[-1, 1].tolist())
    np.testing.assert_allclose(found.target, way.apply(target))


def test_strikes_alternate_through_the_transition() -> None:
    made = transition(walking(), jogging(), half_width=0.5)
    strikes = [event for event in made.clip.events if event.label == "strike"]
    joints = [event.joint for event in strikes]
    assert len(strikes) >= 5
    assert all(one != other for one, other in pairwise(joints))


# Cyclic clips


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_cycles_repeat_where_they_are_too_short(method: TransitionMethod) -> None:
    a, b = walk_cycle(), jog_cycle()
    made = transition(a, b, half_width=1.0, method=method, loop=True)
    assert made.frames.max(axis=0)[0] < a.n_frames
    assert made.frames.max(axis=0)[1] < b.n_frames
    assert sole_clip_errors(made, [a, b]).max() < 1e-9
    assert not made.clip.cyclic


def test_a_stated_frame_is_found_in_a_later_cycle() -> None:
    a, b = walk_cycle(), jog_cycle()
    made = transition(a, b, at=(3, 2), half_width=0.6, loop=True)
    middle = round(np.mean(made.report.seams))
    assert np.abs(made.frames[middle] - (3, 2)).max() < 1e-9


# Invariants


@pytest.mark.slow
@settings(max_examples=8)
@given(
    yaw=st.floats(-3.0, 3.0),
    x=st.floats(-20.0, 20.0),
    method=st.sampled_from(METHODS),
)
def test_where_the_second_clip_lies_does_not_matter(yaw: float, x: float, method: TransitionMethod) -> None:
    made = transition(walking(), jogging(), at=(61, 50), half_width=0.4, method=method)
    other = jogging().placed(GroundTransform(yaw, x, -x))
    again = transition(walking(), other, at=(61, 50), half_width=0.4, method=method)
    assert np.abs(again.clip.world_positions() - made.clip.world_positions()).max() < 1e-6


@pytest.mark.slow
@settings(max_examples=6)
@given(yaw=st.floats(-3.0, 3.0), x=st.floats(-20.0, 20.0), method=st.sampled_from(METHODS))
def test_moving_the_first_clip_moves_the_result(yaw: float, x: float, method: TransitionMethod) -> None:
    way = GroundTransform(yaw, x, 2.0)
    made = transition(walking(), jogging(), at=(61, 50), half_width=0.4, method=method)
    again = transition(walking().placed(way), jogging(), at=(61, 50), half_width=0.4, method=method)
    assert np.abs(again.clip.world_positions() - made.clip.placed(way).world_positions()).max() < 1e-6


def test_motion_far_from_the_transition_does_not_matter() -> None:
    a, b = walking(8.0), jogging(8.0)
    whole = transition(a, b, at=(137, 110), half_width=0.4)
    cut = transition(a[60:200], b[40:200], at=(77, 70), half_width=0.4)
    first, last = map(int, whole.report.seams)
    start, end = map(int, cut.report.seams)
    np.testing.assert_allclose(
        cut.clip.rotations[start : end + 1], whole.clip.rotations[first : last + 1], atol=1e-9
    )


# Captured clips


@pytest.mark.slow
@pytest.mark.parametrize("names", [("walk_straight", "run_straight"), ("jog_straight", "walk_straight")])
def test_captured_gaits_join_smoothly_and_slide_least(names: tuple[str, str]) -> None:
    takes = captured_takes(*(f"locomotion/s16/{name}_" for name in names))
    a, b = (cyclify(take, cycles=1) for take in takes)
    slides = {}
    for method in METHODS:
        made = transition(a, b, half_width=1.0, method=method, loop=True)
        first, last = made.report.seams
        found = plant_measures(made.clip)
        inside = [c.end > first and c.start < last for c in found.constraints]
        slides[method] = float(found.travel[inside].mean())
        if method == "registration":
            seams = seam_smoothness(made.clip, [first, last], takes)
            assert max(seams.acceleration, seams.jerk) < 1.2
    assert slides["registration"] < 0.06
    assert min(slides, key=lambda method: slides[method]) == "registration"
