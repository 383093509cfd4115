"""Motion spaces: what was asked for is what comes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.quality.feet import plant_measures
from motionloom.spaces import parameters
from motionloom.spaces.accuracy import measure_accuracy
from motionloom.spaces.measures import Parameter
from motionloom.spaces.report import SpaceReport
from motionloom.spaces.simplex_mesh import triangulate
from motionloom.spaces.space import MotionSpace, correct_weights, update_inverse
from motionloom.synthesis import reach_out, turn_in_place, walk
from motionloom.workflows import prepare_and_register

HAND = parameters.position("RightHand", axes="xy")


def report_of(space: MotionSpace, request: object, **options: bool) -> SpaceReport:
    report = space.blend(request, **options).report  # type: ignore[arg-type]
    assert isinstance(report, SpaceReport)
    return report


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ({}, "parameters must be a dict of name -> parameter"),
        ({"tail": parameters.position("Tail")}, "'tail' cannot be measured in clip 0: .*no joint 'Tail'"),
        ({"z": parameters.position("RightHand", axes="z")}, "the clips differ by only .* m in 'z'"),
        ({"nothing": lambda clip: np.nan}, "'nothing' cannot be measured in clip 0"),
        (
            {
                "hand": parameters.position("RightHand", axes="y"),
                "twice": parameters.height("RightHand", "apex"),
            },
            "2 parameters need at least 3 clips that differ in them, but there are 2",
        ),
    ],
)
def test_spaces_that_cannot_be_made(reaches: list[Clip], measures: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        MotionSpace(reaches, measures)  # type: ignore[arg-type]


def test_too_few_clips(reaches: list[Clip]) -> None:
    with pytest.raises(ParameterError, match="2 parameters need at least 3 clips"):
        MotionSpace(reaches[:2], {"hand": parameters.position("RightHand", axes="y"), "time": _length})


def test_parameters_on_a_line() -> None:
    places = ((-0.3, 0.9), (-0.15, 1.05), (0.0, 1.2))
    clips = [reach_out(target=(x, y, 0.4), fps=30, duration=1.5).clip for x, y in places]
    with pytest.raises(ParameterError, match="lie on a line, so that they cannot be chosen one by one"):
        MotionSpace(clips, {"hand": HAND})


def test_a_parameter_that_one_clip_lacks(reaches: list[Clip]) -> None:
    walking = walk(duration=1.5, fps=30).clip
    with pytest.raises(ParameterError, match="'step' cannot be measured in clip 1: the clip has 0 steps"):
        MotionSpace([walking, reaches[0]], {"step": parameters.step_length(1)})


def _length(clip: Clip) -> float:
    return float(clip.world_positions()[:, 0, 0].sum() + clip.world_positions()[..., 1].sum())


@pytest.mark.parametrize(
    ("request_given", "message"),
    [
        ({"foot": 1.0}, "the space has no parameter 'foot': it has hand"),
        ({}, "the request lacks 'hand'"),
        ({"hand": (0.1, 0.2, 0.3)}, "the request for 'hand'"),
        ({"hand": (np.nan, 1.0)}, "the request for 'hand'"),
        ((0.1,), r"a request for hand\.x, hand\.y"),
        ((-0.1, 1e100), r"must lie within ±1e\+09"),
    ],
)
def test_requests_that_make_no_sense(reach_space: MotionSpace, request_given: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        reach_space.weights(request_given)  # type: ignore[arg-type]


def test_what_is_no_list_of_clips(reaches: list[Clip]) -> None:
    for clips, message in (
        ([], "there are no clips"),
        (reaches[:1], "needs two clips or more that differ, not 1"),
        (reaches[0], "give a list of clips"),
        (None, "give a list of clips"),
        (["a.bvh", "b.bvh"], "clip 0 is a str, not a clip"),
        ([ml.PointClip(("hand",), 1 / 30, np.zeros((5, 1, 3)))], "clip 0 has points and no skeleton"),
    ):
        with pytest.raises(ParameterError, match=message):
            MotionSpace(clips, {"hand": HAND})  # type: ignore[arg-type]


def test_two_parameters_of_one_joint(reaches: list[Clip]) -> None:
    sideways, height = parameters.position("RightHand", axes="x"), parameters.height("RightHand", "apex")
    space = MotionSpace(reaches, {"x": sideways, "y": height}, accuracy=0.05, extrapolation=0.0)
    # Moved and turned, so that the axes of the request are not those of the world.
    result = space.blend({"x": -0.12, "y": 1.15}, place=GroundTransform(0.6, 3.0, -1.0))
    np.testing.assert_allclose(HAND.measure(result.clip), [-0.12, 1.15], atol=1e-3)


def test_blends_that_cannot_be_measured_are_left_out(reaches: list[Clip]) -> None:
    def measure(clip: Clip) -> float:
        highest = float(clip.world_positions()[:, clip.skeleton.index("RightHand"), 1].max())
        return highest if 0.88 < highest < 1.31 else np.nan

    space = MotionSpace(reaches[:2], {"highest": measure}, accuracy=0.05)
    assert space.sampled.n_refused == 2
    assert space.range[:, 0] == pytest.approx([0.9, 1.3], abs=0.01)


def test_at_a_clip_that_clip_has_all_the_weight(reach_space: MotionSpace) -> None:
    assert reach_space.names == ("hand.x", "hand.y")
    for own, example in zip(np.eye(4), reach_space.examples, strict=True):
        np.testing.assert_allclose(reach_space.weights(example), own, atol=1e-6)
    np.testing.assert_allclose(reach_space.examples[:, 1], [0.9, 1.3, 0.9, 1.3], atol=5e-3)


def test_requests_inside_are_met(reach_space: MotionSpace) -> None:
    found = measure_accuracy(reach_space, 12, seed=1)
    assert found.interpolated.max() < 0.02
    assert found.corrected.max() < 0.005
    assert "12 random requests" in str(found)


def test_the_result_measures_what_was_asked_for(reach_space: MotionSpace) -> None:
    place = GroundTransform(0.6, 3.0, -1.0)
    result = reach_space.blend({"hand": (-0.12, 1.15)}, place=place)
    report = result.report
    assert isinstance(report, SpaceReport)
    np.testing.assert_allclose(report.measured, [-0.12, 1.15], atol=1e-3)
    # The parameter itself, of the clip alone, says the same.
    np.testing.assert_allclose(HAND.measure(result.clip), [-0.12, 1.15], atol=2e-3)
    np.testing.assert_allclose(result.clip.root_positions[0, [0, 2]], [3.0, -1.0], atol=0.05)
    assert report.outside == 0.0
    assert "hand.x -0.120 (asked for -0.120)" in str(report)


def test_what_is_asked_for_in_the_world_cannot_be_placed(reaches: list[Clip]) -> None:
    world = parameters.position("RightHand", axes="y", frame="world")
    space = MotionSpace(reaches[:2], {"hand": world}, accuracy=0.05, extrapolation=0.0)
    for make in (space.blend, space.live):
        with pytest.raises(ParameterError, match="place would move 'hand' away from where it is asked for"):
            make([1.1], place=GroundTransform(0.0, 5.0, 5.0))


def test_outside_the_nearest_is_made_and_told(reach_space: MotionSpace) -> None:
    report = report_of(reach_space, {"hand": (-0.15, 5.0)})
    assert report.outside > 5.0
    assert report.nearest[1] < 1.5
    np.testing.assert_allclose(report.measured, report.nearest, atol=2e-3)
    assert "outside the space" in str(report)


def test_without_inverse_kinematics_and_planting(reach_space: MotionSpace) -> None:
    report = report_of(reach_space, (-0.2, 1.0), ik=False, plant=False)
    np.testing.assert_array_equal(report.measured, report.blended)
    np.testing.assert_allclose(report.blended, [-0.2, 1.0], atol=2e-3)


def test_weights_change_smoothly(reach_space: MotionSpace) -> None:
    low, high = reach_space.examples[0], reach_space.examples[3]
    line = np.linspace(low, high, 30)
    weights = np.array([reach_space.weights(request) for request in line])
    steps = np.abs(np.diff(weights, axis=0)).max(axis=1)
    assert steps.max() < 4.0 * np.median(steps)
    # Corrections move a request by a few percent, and so do its steps.
    step = float(np.linalg.norm((line[1] - line[0]) / np.ptp(reach_space.examples, axis=0)))
    assert steps.max() < 1.2 * reach_space.sampled.mesh.max_slope * step


def test_copies_get_no_weight(reaches: list[Clip]) -> None:
    space = MotionSpace([*reaches, reaches[0]], {"hand": HAND}, extrapolation=0.0)
    assert space.left_out == (4,)
    assert any("clip 4" in note for note in space.notes)
    assert space.weights((-0.1, 1.0))[4] == 0.0


def test_a_parameter_of_ones_own_and_a_curve(reaches: list[Clip]) -> None:
    _, curve = prepare_and_register(reaches[:2], cut="whole")

    def highest(clip: Clip) -> float:
        return float(clip.world_positions()[:, clip.skeleton.index("RightHand"), 1].max())

    space = ml.MotionSpace(curve, {"highest": highest}, accuracy=0.02)
    result = space.blend({"highest": 1.1}, plant=False)
    assert highest(result.clip) == pytest.approx(1.1, abs=0.01)
    assert space.curve is curve


def test_turns_and_gaits() -> None:
    turns = MotionSpace(
        [turn_in_place(turn=angle, fps=30).clip for angle in (0.5, 1.5)], {"turn": parameters.turn()}
    )
    assert report_of(turns, {"turn": 1.2}).measured[0] == pytest.approx(1.2, abs=0.02)
    loops = [
        ml.cyclify(walk(speed=speed, curvature=bend, duration=4.0, fps=30).clip, cycles=1)
        for speed, bend in ((0.9, 0.0), (1.5, 0.3), (1.5, -0.3))
    ]
    gaits = MotionSpace(loops, {"speed": parameters.speed(), "turn": parameters.turn_rate()})
    wanted = np.array([1.3, 0.1])
    np.testing.assert_allclose(gaits.blends.measure(gaits.weights(wanted)), wanted, atol=2e-3)
    assert gaits.blend(wanted).clip.cyclic


@pytest.mark.parametrize("parameter", [parameters.step_place(1), parameters.step_length(1)])
def test_a_planted_step_is_where_it_was_asked_for(parameter: Parameter) -> None:
    walks = [
        ml.annotate(walk(speed=speed, curvature=bend, duration=3.0, fps=30).clip)
        for speed, bend in ((0.9, 0.0), (1.5, 0.3), (1.5, -0.3))
    ]
    space = MotionSpace(ml.match_strides(walks, strides=1), {"step": parameter}, accuracy=0.05)
    goal = 0.3 * space.examples[0] + 0.4 * space.examples[1] + 0.3 * space.examples[2]
    result = space.blend(goal)
    np.testing.assert_allclose(parameter.measure(result.clip), goal, atol=4e-4)
    assert plant_measures(result.clip).travel.max() < 1e-4


def test_blends_that_do_not_lie_between_the_clips(reaches: list[Clip]) -> None:
    def wave(clip: Clip) -> float:
        return float(np.sin(12.0 * clip.world_positions()[:, clip.skeleton.index("RightHand"), 1].max()))

    with pytest.raises(ParameterError, match="blends of these clips do not lie between them"):
        MotionSpace(reaches[:2], {"wave": wave})


@pytest.mark.corpus
def test_captured_reaches(mocap: Path) -> None:
    clips = [ml.load(path) for path in sorted((mocap / "actions" / "reaches").glob("*.bvh"))]
    hand = parameters.position("LeftHand", axes="xy")
    space = MotionSpace([clip.resampled(30) for clip in clips], {"hand": hand}, accuracy=0.03)
    found = measure_accuracy(space, 15)
    assert np.median(found.corrected) < 0.01
    assert np.percentile(found.corrected, 95) < 0.03
    result = space.blend({"hand": (0.1, 0.8)})
    np.testing.assert_allclose(hand.measure(result.clip), [0.1, 0.8], atol=1e-3)


CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def bent(weights: FloatArray) -> FloatArray:
    """Parameters that are off by up to a tenth, as on a mesh that was sampled coarsely."""
    x, y = weights @ CORNERS
    return np.array([x + 0.4 * y * (1.0 - y), y - 0.3 * x * (1.0 - x)])


def test_requests_are_met_where_the_mesh_is_coarse() -> None:
    mesh = triangulate(CORNERS, np.eye(4))
    for goal in np.random.default_rng(0).uniform(0.2, 0.8, (40, 2)):
        np.testing.assert_allclose(bent(correct_weights(mesh, bent, goal)), goal, atol=1e-6)


def test_out_of_reach_the_nearest_that_was_found_is_returned() -> None:
    line = triangulate(np.array([[0.0], [1.0]]), np.eye(2))
    weights = correct_weights(line, lambda given: 0.5 * given[1:], np.array([0.9]))
    np.testing.assert_allclose(weights, [0.0, 1.0], atol=1e-12)


def test_an_inverse_fits_the_last_step() -> None:
    step, change = np.array([0.3, -0.1]), np.array([0.2, 0.1])
    np.testing.assert_allclose(update_inverse(np.eye(2), step, change) @ change, step)
    np.testing.assert_array_equal(update_inverse(np.eye(2), step, np.zeros(2)), np.eye(2))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_weights_stay_within_those_of_the_mesh(share: float) -> None:
    mesh = triangulate(CORNERS, np.eye(4))
    weights = correct_weights(mesh, bent, np.array([share, 1.0 - share]))
    assert weights.min() >= 0.0
    assert weights.sum() == pytest.approx(1.0)
