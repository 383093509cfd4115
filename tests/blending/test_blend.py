from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.blending import BlendResult, ConstantWeights, KeyedWeights, blend
from motionloom.blending.blend import collect_blend_warnings
from motionloom.blending.linear import LinearSettings
from motionloom.errors import BlendWarning, ParameterError, UnknownJointError
from motionloom.geometry import GroundTransform
from motionloom.kernels.threads import single_threaded
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.motion.unroll import extend_cycle
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import walk
from motionloom.workflows import prepare
from tests.blending.curves import apart, nine_loops, nine_strides, reordered, two_loops, two_walks


def test_wrong_calls_are_refused() -> None:
    curve = two_walks()
    with pytest.raises(ParameterError, match="2 clips need 2 weights, not 3"):
        blend(curve, [1, 0, 0])
    with pytest.raises(ParameterError, match="add up to 0"):
        blend(curve, [1, -1])
    with pytest.raises(UnknownJointError, match="no joint 'Tail'"):
        blend(curve, [1, 0], joint_weights={"Tail": (0, 1)})
    with pytest.raises(ParameterError, match="weights of joint 'Hips'"):
        blend(curve, [1, 0], joint_weights={"Hips": (0, 1, 0)})
    with pytest.raises(ParameterError, match="add up to 0"):
        blend(curve, [1, 0], joint_weights={"Hips": (1, -1)})


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            {"curve": [1, 2]},
            "blend takes a registration curve, not a list: register the clips first with motionloom",
        ),
        ({"curve": "a.npz"}, "blend takes a registration curve, not a str: register the clips first"),
        ({"place": (0, 0, 0)}, "place must be a GroundTransform(yaw, x, z), not (0, 0, 0)"),
        (
            {"joint_weights": ["Head"]},
            "joint_weights must be a dict of joint name -> K weights, not ['Head']",
        ),
        ({"duration": "1"}, "duration must be a number of at least 0, not '1'"),
        ({"start": "x"}, "start must be a finite number, not 'x'"),
        ({"linear": LinearSettings()}, "linear= holds the settings of linear blending: add method='linear'"),
        ({"linear": {"root": 1}, "method": "linear"}, "linear must be LinearSettings(…), not {'root': 1}"),
        ({"duration": "1", "method": "linear"}, "duration must be a number of at least 0, not '1'"),
    ],
)
def test_things_of_another_kind_are_refused(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError) as error:
        blend(**{"curve": two_walks(), "weights": [1, 0], **given})
    assert sentence in str(error.value)


def test_weights_that_jump_or_leave_the_range_by_far_are_warned_of() -> None:
    curve = two_walks()
    with pytest.warns(BlendWarning, match=r"change by 30 per second at 0\.50 s"):
        blend(curve, KeyedWeights({0.5: (1, 0), 0.52: (0, 1)}))
    with pytest.warns(BlendWarning, match=r"leave the range 0 to 1 by 1 at 0\.00 s"):
        blend(curve, [2, -1])


def _check_explained(result: BlendResult, curve: RegistrationCurve) -> None:
    n_frames = result.clip.n_frames
    assert result.u.shape == (n_frames,)
    assert result.frames.shape == result.weights.shape == (n_frames, curve.n_clips)
    assert result.placements.shape == (n_frames, curve.n_clips, 3)
    np.testing.assert_allclose(result.weights.sum(axis=1), 1.0)
    assert np.diff(result.u).min() > 0.0


def test_weight_one_is_a_copy_in_its_own_place() -> None:
    curve = two_walks()
    for k, clip in enumerate(curve.clips):
        for backward in (False, True):
            made = blend(curve, np.eye(2)[k], backward=backward)
            assert made.clip.n_frames == clip.n_frames
            assert apart(made.clip, clip) < 1e-9
            _check_explained(made, curve)


def test_a_cycle_is_copied_as_a_cycle() -> None:
    curve = two_loops()
    for k, clip in enumerate(curve.clips):
        made = blend(curve, np.eye(2)[k]).clip
        assert made.cyclic
        assert made.n_frames == clip.n_frames


def test_cyclic_clips_go_on_for_as_long_as_asked() -> None:
    curve = two_loops()
    result = blend(curve, KeyedWeights({0: (1, 0), 5: (0, 1), 10: (1, 0)}))
    assert result.clip.n_frames == 601
    assert not result.clip.cyclic
    _check_explained(result, curve)
    speeds = np.linalg.norm(np.diff(result.clip.root_positions[:, [0, 2]], axis=0), axis=1) * 60
    # From a walk at 1.2 m/s to a jog at 2.4 m/s and back; where the cycle begins again nothing is to be seen.
    assert speeds.min() > 1.0
    assert speeds.max() < 2.7
    first, last = curve.domain
    seams = np.flatnonzero(np.diff(np.floor((result.u - first) / (last - first))))
    changes = np.abs(np.diff(speeds))
    at_seams = [changes[max(seam - 1, 0) : seam + 2].max() for seam in seams]
    assert len(seams) > 8
    assert max(at_seams) <= np.delete(changes, np.concatenate([seams - 1, seams, seams + 1]).clip(0)).max()


def test_going_forth_and_back_from_a_point_meets_the_whole_blend() -> None:
    curve = two_walks()
    whole = blend(curve, [0.5, 0.5])
    middle = whole.clip.n_frames // 2
    start = float(whole.u[middle])
    forth = blend(curve, [0.5, 0.5], start=start)
    back = blend(curve, [0.5, 0.5], start=start, backward=True)
    np.testing.assert_allclose(forth.u, whole.u[middle:], atol=1e-3)
    np.testing.assert_allclose(back.u[-middle:], whole.u[1 : middle + 1], atol=1e-2)
    np.testing.assert_allclose(forth.clip.root_positions[0], back.clip.root_positions[-1], atol=1e-9)


def test_layers_take_joints_from_other_clips() -> None:
    curve = two_walks()
    arm = curve.clips[0].skeleton.names.index("LeftArm")
    plain, layered = blend(curve, [1, 0]), blend(curve, [1, 0], joint_weights={"LeftArm": (0, 1)})
    same = [j for j in range(curve.clips[0].skeleton.n_joints) if j != arm]
    np.testing.assert_allclose(layered.clip.rotations[:, same], plain.clip.rotations[:, same], atol=1e-12)
    expected = curve.clips[1].at(layered.frames[:, 1]).rotations[:, arm]
    inner = np.abs(np.einsum("tc,tc->t", layered.clip.rotations[:, arm], expected))
    assert inner.min() > 1 - 1e-4


def test_bodies_of_other_sizes_are_averaged() -> None:
    curve = two_walks()
    larger = replace(curve.clips[1].skeleton, offsets=curve.clips[1].skeleton.offsets * 1.2)
    mixed = replace(curve, clips=(curve.clips[0], replace(curve.clips[1], skeleton=larger)))
    made = blend(mixed, [0.5, 0.5]).clip
    assert made.translations is None
    np.testing.assert_allclose(made.skeleton.offsets, curve.clips[0].skeleton.offsets * 1.1, atol=1e-12)
    copy = blend(mixed, [0, 1]).clip
    assert apart(copy, mixed.clips[1]) < 1e-9
    moving = blend(mixed, KeyedWeights({0: (1, 0), 1: (0, 1)})).clip
    assert moving.translations is not None
    np.testing.assert_allclose(moving.translations[-1, 1:], larger.offsets[1:], atol=1e-12)


def test_a_blend_can_be_registered_and_blended_again() -> None:
    curve = two_walks()
    half = blend(curve, [0.5, 0.5]).clip
    again = register([half, curve.clips[1]])
    made = blend(again, [0.5, 0.5])
    low, high = sorted((half.n_frames, curve.clips[1].n_frames))
    assert low - 1 <= made.clip.n_frames <= high + 1
    assert len(made.clip.constraints) > 0


@pytest.mark.slow
@pytest.mark.parametrize("make", [two_walks, two_loops])
@given(st.floats(-0.3, 1.3))
@settings(max_examples=15)
def test_the_order_of_the_clips_does_not_matter(make: Callable[[], RegistrationCurve], share: float) -> None:
    curve = make()
    turned = reordered(curve, [1, 0])
    one, other = blend(curve, [1 - share, share]).clip, blend(turned, [share, 1 - share]).clip
    assert apart(one, other) < 1e-9
    assert len(one.constraints) == len(other.constraints)
    for a, b in zip(one.constraints, other.constraints, strict=True):
        assert abs(a.start - b.start) + abs(a.end - b.end) < 1e-9


@pytest.mark.slow
def test_threads_do_not_change_a_bit() -> None:
    long = register([walk(speed=s, duration=30.0, fps=60).clip for s in (1.1, 1.5)])
    many = blend(long, [0.5, 0.5]).clip
    with single_threaded():
        single = blend(long, [0.5, 0.5]).clip
    assert many.rotations.tobytes() == single.rotations.tobytes()
    assert many.root_positions.tobytes() == single.root_positions.tobytes()


def test_opposite_arcs_blend_to_a_straight_walk() -> None:
    left, right = (walk(speed=1.3, curvature=c, duration=8.0, fps=60).clip for c in (0.5, -0.5))
    made = blend(register([left, right]), ConstantWeights(np.array([0.5, 0.5]))).clip
    lengths = [
        np.linalg.norm(np.diff(clip.root_positions[:, [0, 2]], axis=0), axis=1).sum()
        for clip in (left, right, made)
    ]
    assert abs(lengths[2] / np.mean(lengths[:2]) - 1.0) < 0.01
    heading = facing(made)
    assert np.degrees(np.abs(heading - heading[0]).max()) < 12.0  # the hips' own sway is ±8°
    ends = made.root_positions[[0, -1]][:, [0, 2]]
    assert np.linalg.norm(ends[1] - ends[0]) > 0.99 * lengths[2]


@pytest.mark.parametrize("make", [nine_strides, nine_loops])
def test_registering_captured_clips_in_another_order_changes_less_than_a_millimetre(
    mocap: Path, make: Callable[[Path, str], RegistrationCurve]
) -> None:
    curve = make(mocap, "s16")
    turned = register(curve.clips[::-1])
    for weights in (np.ones(9), np.arange(1.0, 10.0)):
        one, other = blend(curve, weights).clip, blend(turned, weights[::-1]).clip
        assert one.n_frames == other.n_frames
        assert apart(one, other) < 1e-3


@pytest.mark.parametrize("name", ["s16", "s139_sneak"])
def test_captured_strides_are_copied(mocap: Path, name: str) -> None:
    curve = nine_strides(mocap, name)
    for k, clip in enumerate(curve.clips):
        made = blend(curve, np.eye(9)[k]).clip
        assert made.n_frames == clip.n_frames
        assert apart(made, clip) < 1e-6


@pytest.mark.parametrize("name", ["s16", "s139_sneak"])
def test_captured_cycles_are_copied(mocap: Path, name: str) -> None:
    """From a whole frame on, three cycles in a row are the clip's own, moved on the ground."""
    curve = nine_loops(mocap, name)
    for k, clip in enumerate(curve.clips):
        first = float(np.ceil(curve.spans[0, k]))
        start = float(curve.timewarp.inverse(k, first))
        made = blend(curve, np.eye(9)[k], start=start, duration=3 * clip.n_frames / clip.fps).clip
        own = extend_cycle(clip, 5 * clip.n_frames)[int(first) % clip.n_frames :][: made.n_frames]
        assert apart(_at_origin(made), _at_origin(own)) < 1e-6


def _at_origin(clip: Clip) -> Clip:
    x, _, z = clip.root_positions[0]
    return clip.placed(GroundTransform(0.0, -x, -z)).placed(GroundTransform(-facing(clip)[0]))


def test_other_warnings_are_not_taken_for_those_of_blending() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        with collect_blend_warnings() as said:
            warnings.warn("something else", UserWarning, stacklevel=1)
    assert said == []


def test_what_fails_says_nothing() -> None:
    with pytest.raises(ZeroDivisionError), collect_blend_warnings():
        raise ZeroDivisionError


def test_a_jump_of_weights_is_said_every_time() -> None:
    clip = walk(duration=3.0, fps=30).clip
    curve = prepare([clip, clip]).register()
    for _ in range(2):
        with collect_blend_warnings() as said:
            blend(curve, KeyedWeights({0.5: (1, 0), 0.51: (0, 1)}))
        assert len(said) == 1
        assert "above 6 a blend looks like a jump" in said[0]


@pytest.mark.parametrize("method", ["registration", "linear"])
def test_weights_beyond_the_end_of_the_clips_are_said(method: Literal["registration", "linear"]) -> None:
    """Recorded control of ten seconds over clips of two: the result says what was not used."""
    curve = register([walk(speed=speed, duration=2.0, fps=30).clip for speed in (1.2, 1.4)])
    weights = KeyedWeights({0.0: (1, 0), 10.0: (0, 1)})
    (note,) = (note for note in blend(curve, weights, method=method).report.notes if "not used" in note)
    assert note.startswith("weights are given up to 10.00 s, but the clips end after 2.0")
    for duration in (1.0, 2.0):
        made = blend(curve, weights, method=method, duration=duration)
        assert not any("not used" in note for note in made.report.notes)
