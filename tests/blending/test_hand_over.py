from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.blending import BlendResult, KeyedWeights, LiveBlend, blend
from motionloom.blending.hand_over import (
    EDGE_LENGTH,
    MIN_LENGTH,
    RAMP_DURATION,
    JointPlan,
    plan_cyclic_joint,
    plan_joint,
)
from motionloom.blending.sources import prepare_sources
from motionloom.cycles import cyclify
from motionloom.errors import RegistrationWarning
from motionloom.geometry import rotations as rot
from motionloom.geometry.splines import smoothstep
from motionloom.kernels.hand_over import hand_over
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import walk

FPS, N_FRAMES, RAMP = 120, 360, 30
SLACK = 1.05
"""Factor on the speed that the weights and the clips' speeds allow, for the steps between frames."""


def random_joints(rng: np.random.Generator, n_joints: int) -> Iterator[FloatArray]:
    """Smooth random rotations (T, K, 4) of 2 to 4 clips, up to 14 rad/s fast, anywhere, signs continuous."""
    times, n_curves = np.arange(N_FRAMES)[:, None, None] / FPS, 4 * n_joints
    speeds = np.zeros((N_FRAMES, n_curves, 3))
    for _ in range(5):
        rates, phases = rng.uniform(1.0, 12.0, (n_curves, 1)), rng.uniform(0.0, 6.3, (n_curves, 1))
        speeds += rng.normal(size=(n_curves, 3)) / 5.0 * np.sin(rates * times + phases)
    steps = rot.from_rotation_vector(speeds * rng.uniform(1.0, 14.0, (n_curves, 1)) / FPS)
    found = [rot.normalize(rng.normal(size=(n_curves, 4)))]
    for step in steps[1:]:
        found.append(rot.normalize(rot.multiply(found[-1], step)))
    curves = rot.unroll(np.stack(found))
    for n in range(n_joints):
        own = curves[:, 4 * n : 4 * n + int(rng.integers(2, 5))]
        yield own * np.where(np.einsum("tkc,tc->k", own, own[:, 0]) < 0.0, -1.0, 1.0)[:, None]


def random_weights(rng: np.random.Generator, kind: str, n_clips: int) -> FloatArray:
    """Weights (T, K): constant, keyed between single clips, or keyed between mixtures."""
    if kind == "constant":
        return np.tile(rng.dirichlet(np.ones(n_clips)), (N_FRAMES, 1))
    keys = (
        np.eye(n_clips)[rng.integers(0, n_clips, 4)]
        if kind == "clips"
        else rng.dirichlet(np.ones(n_clips), 4)
    )
    at = np.linspace(0.0, 3.0 - 1e-9, N_FRAMES)
    fraction = smoothstep(at % 1.0)[:, None]
    return np.asarray(keys[at.astype(int)] * (1.0 - fraction) + keys[at.astype(int) + 1] * fraction)


def means(rotations: FloatArray, plan: JointPlan) -> tuple[FloatArray, FloatArray]:
    """Unit means (T, 4), and their lengths (T,) before they were normalized."""
    mean = np.einsum("tkc,tk->tc", rotations * plan.signs[..., None], plan.weights)
    lengths = np.linalg.norm(mean, axis=-1)
    return mean / lengths[:, None], lengths


def turns(rotations: FloatArray) -> FloatArray:
    """Angles (T - 1, ...) in radians between rotations (T, ..., 4) of successive frames."""
    chords = np.minimum(
        np.linalg.norm(np.diff(rotations, axis=0), axis=-1),
        np.linalg.norm(rotations[1:] + rotations[:-1], axis=-1),
    )
    return np.asarray(4.0 * np.arcsin(np.minimum(chords / 2.0, 1.0)))


def allowed(rotations: FloatArray, plan: JointPlan) -> FloatArray:
    """The angles (T - 1,) by which (Σ w ω + 2 ‖Σ ẇ q‖) / S lets the mean turn from frame to frame."""
    signed = rotations * plan.signs[..., None]
    both = (np.abs(plan.weights[1:]) + np.abs(plan.weights[:-1])) / 2.0
    change = np.einsum("tkc,tk->tc", (signed[1:] + signed[:-1]) / 2.0, np.diff(plan.weights, axis=0))
    lengths = means(rotations, plan)[1]
    own = np.sum(both * turns(rotations), axis=1) + 2.0 * np.linalg.norm(change, axis=-1)
    return np.asarray(own / np.minimum(lengths[1:], lengths[:-1]))


def check_continuity(rotations: FloatArray, weights: FloatArray, plan: JointPlan) -> None:
    mean, lengths = means(rotations, plan)
    assert lengths.min() > MIN_LENGTH - 1e-9
    assert (turns(mean) <= SLACK * allowed(rotations, plan) + 1e-9).all()
    flips = plan.signs[1:] != plan.signs[:-1]
    assert not (flips & (np.minimum(*np.abs([plan.weights[1:], plan.weights[:-1]])) > 1e-9)).any()
    np.testing.assert_allclose(plan.weights.sum(axis=1), 1.0, atol=1e-12)


def test_rotations_that_never_cancel_keep_their_weights() -> None:
    turning = np.stack([rot.from_yaw(np.zeros(40)), rot.from_yaw(np.linspace(0.0, 3.0, 40))], axis=1)
    plan = plan_joint(turning, np.full((40, 2), 0.5), RAMP)
    assert plan.hand_overs == ()
    np.testing.assert_array_equal(plan.weights, 0.5)
    np.testing.assert_array_equal(plan.signs, 1.0)


def test_a_joint_that_goes_once_around_comes_back_on_the_near_side() -> None:
    n_frames = 200
    turning = np.stack(
        [rot.from_yaw(np.zeros(n_frames)), rot.from_yaw(np.linspace(0.0, 2.0 * np.pi, n_frames))], axis=1
    )
    weights = np.full((n_frames, 2), 0.5)
    plan = plan_joint(turning, weights, RAMP)
    check_continuity(turning, weights, plan)
    ((first, last, clip, _),) = plan.hand_overs
    assert (clip, last - first) == (0, 2 * RAMP)
    np.testing.assert_array_equal(plan.weights[[0, -1]], 0.5)
    mean, _ = means(turning, plan)
    assert turns(np.stack([mean[-1], turning[-1, 0]])).max() < 1e-6, "equal rotations have an equal mean"


def test_a_clip_with_all_weight_keeps_it() -> None:
    turning = np.stack([rot.from_yaw(np.zeros(90)), rot.from_yaw(np.linspace(0.0, 2.0 * np.pi, 90))], axis=1)
    fraction = smoothstep(np.linspace(0.0, 1.0, 90))[:, None]
    weights = np.concatenate([1.0 - fraction, fraction], axis=1)
    plan = plan_joint(turning, weights, RAMP)
    np.testing.assert_array_equal(plan.weights[[0, -1]], weights[[0, -1]])
    check_continuity(turning, weights, plan)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["constant", "clips", "mixtures"])
def test_random_curves_turn_no_faster_than_their_clips_and_weights(kind: str) -> None:
    rng = np.random.default_rng(7)
    n_handed = 0
    for rotations in random_joints(rng, 1000):
        weights = random_weights(rng, kind, rotations.shape[1])
        plan = plan_joint(rotations, weights, RAMP)
        check_continuity(rotations, weights, plan)
        whole = weights.max(axis=1) == 1.0
        np.testing.assert_allclose(plan.weights[whole], weights[whole], atol=1e-12)
        n_handed += bool(plan.hand_overs)
    assert n_handed > 5


@pytest.mark.slow
def test_random_live_weights_turn_joints_no_faster_than_allowed() -> None:
    rng = np.random.default_rng(8)
    n_handed = 0
    for n, rotations in enumerate(random_joints(rng, 1000)):
        weights = random_weights(rng, ("constant", "clips", "mixtures")[n % 3], rotations.shape[1])
        plan = run_live(rotations, weights)
        check_continuity(rotations, weights, plan)
        n_handed += not np.array_equal(plan.weights, weights)
    assert n_handed > 10


def run_live(rotations: FloatArray, weights: FloatArray) -> JointPlan:
    """The weights and signs of a joint that only ever knows the present."""
    state, signs, out = np.zeros(4), np.ones(weights.shape[1]), np.empty(weights.shape[1])
    found, scratch = [], np.empty((3, 4))
    for own, row in zip(rotations, weights, strict=True):
        hand_over(own, row, 1.0 / RAMP, MIN_LENGTH, EDGE_LENGTH, state, signs, scratch, out)
        found.append((out * signs, signs.copy()))
    return JointPlan(np.array([w for w, _ in found]), np.array([s for _, s in found]), ())


def test_a_cycle_whose_signs_do_not_close_has_no_seam() -> None:
    n_frames = 120
    phase = np.arange(n_frames) / n_frames
    turning = np.stack([rot.from_yaw(np.zeros(n_frames)), rot.from_yaw(2.0 * np.pi * phase)], axis=1)
    for share in (0.5, 0.8, 0.95):
        weights = np.tile([share, 1.0 - share], (n_frames, 1))
        plan = plan_cyclic_joint(turning, weights, np.array([1.0, -1.0]), RAMP)
        mean, lengths = means(turning, plan)
        assert lengths.min() > MIN_LENGTH - 1e-9
        assert plan.hand_overs
        around = turns(np.concatenate([mean, mean[:1]]))
        assert around.max() < 0.35, "the ramp takes a quarter of a second, a jump would take one frame"


def test_one_clip_alone_is_a_cycle_as_it_is() -> None:
    turning = np.stack([rot.from_yaw(np.zeros(60)), rot.from_yaw(np.linspace(0.0, 6.2, 60))], axis=1)
    weights = np.tile([0.0, 1.0], (60, 1))
    plan = plan_cyclic_joint(turning, weights, np.array([1.0, -1.0]), RAMP)
    np.testing.assert_array_equal(plan.weights, weights)


def swung(turn: float = 2.0 * np.pi) -> RegistrationCurve:
    """The same walk twice, once with an arm that swings all the way round in its middle."""
    plain = walk(duration=3.0, fps=60).clip
    clips = [plain, _swing(plain, np.clip((np.arange(181) - 60) / 60, 0.0, 1.0) * turn)]
    return _register(clips, around=turn > 4.0)


def _register(clips: list[Clip], around: bool) -> RegistrationCurve:
    """A registration whose verdict names the arm where it goes around."""
    if not around:
        return register(clips, events=())
    with pytest.warns(RegistrationWarning, match="a joint turns around in one clip and not in the other"):
        return register(clips, events=())


def _swing(clip: Clip, angles: FloatArray) -> Clip:
    arm, rotations = clip.skeleton.index("LeftArm"), np.array(clip.rotations)
    rotations[:, arm] = rot.multiply(
        rot.from_rotation_vector(angles[:, None] * [1.0, 0.0, 0.0]), rotations[:, arm]
    )
    return replace(clip, rotations=rotations)


def arm_speed(result: BlendResult | Clip) -> float:
    """The fastest turn of the arm, degrees per second."""
    clip = result if isinstance(result, Clip) else result.clip
    own = clip.rotations[:, clip.skeleton.index("LeftArm")]
    return float(np.degrees(turns(np.concatenate([own, own[:1]]) if clip.cyclic else own).max()) * clip.fps)


@pytest.mark.parametrize("weights", [[0.5, 0.5], [0.6, 0.4], [0.3, 0.7]])
def test_a_blend_reports_the_joint_and_the_time(weights: list[float]) -> None:
    result = blend(swung(), weights)
    (found,) = result.report.hand_overs
    assert (found.joint, found.clip) == ("LeftArm", int(np.argmax(weights)))
    assert found.length < MIN_LENGTH
    assert 0.9 < found.start < found.end < 2.4
    assert found.end - found.start >= 2.0 * RAMP_DURATION - 1e-9
    assert str(found) in result.report.notes
    assert arm_speed(result) < 2200.0
    assert result.joint_weights is not None
    np.testing.assert_allclose(result.joint_weights[0, 0], weights)


@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_a_blend_of_what_is_close_says_nothing() -> None:
    result = blend(swung(2.5), [0.5, 0.5])
    assert result.report.hand_overs == ()
    assert result.joint_weights is None


def test_keyed_weights_choose_signs_where_one_clip_has_all_weight() -> None:
    """After the swing both arms are equal, whichever sign they came back with."""
    curve = swung()
    result = blend(curve, KeyedWeights({0.0: (1, 0), 2.2: (1, 0), 2.8: (0, 1)}))
    assert result.report.hand_overs == ()
    assert arm_speed(result) < 1.1 * arm_speed(curve.clips[0])


def test_cyclic_arms_that_go_round_have_no_seam() -> None:
    plain = cyclify(walk(duration=4.0, fps=60).clip, cycles=1)
    turning = _swing(plain.clip, 2.0 * np.pi * np.arange(plain.clip.n_frames) / plain.clip.n_frames)
    curve = _register([plain.clip, turning], around=True)
    assert prepare_sources(curve).signs.shape[0] == 2
    own = arm_speed(turning)
    for weights in ([0.5, 0.5], [0.9, 0.1]):
        once = blend(curve, weights)
        assert once.clip.cyclic
        assert arm_speed(once) < 5.0 * own
        assert arm_speed(blend(curve, weights, duration=3.0 * plain.clip.duration)) < 5.0 * own
        live = LiveBlend(curve, weights=weights)
        arm = plain.clip.skeleton.index("LeftArm")
        poses = [live.step(1 / 60, weights).rotations[arm].copy() for _ in range(3 * plain.clip.n_frames)]
        assert np.degrees(turns(np.array(poses)).max()) * 60.0 < 5.0 * own
