from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motionloom.blending import Controls, LiveBlend
from motionloom.project.edits import AddItem, SetRecipe
from motionloom.project.evaluator import Evaluator
from motionloom.project.recipes import BlendRecipe, MotionRecipe, RegistrationRecipe
from motionloom.studio.live import Steering, start_steering
from motionloom.studio.messages import LiveStart, LiveStep
from motionloom.studio.packs import unpack
from tests.studio.conftest import Page, Studio, small_document

DT = 1.0 / 60.0


def steps(steering: Steering, n: int, weights: tuple[float, ...]) -> list[tuple[dict[str, Any], Any]]:
    made = [steering.step(LiveStep(serial=k, dt=DT, weights=weights)) for k in range(n)]
    return [(header, arrays["positions"]) for header, arrays in map(unpack, made)]


@pytest.fixture
def live(studio: Studio) -> Steering:
    return start_steering(studio.evaluator, small_document(), LiveStart(item="c3", weights=(1.0, 0.0)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "error"),
    [
        ({"item": "c9", "weights": [1, 0]}, "the project has no clip 'c9'; it may have been removed"),
        ({"item": "c1", "weights": [1, 0]}, "walk is not a blend: select a blend to steer it"),
        ({"item": "c3", "weights": [1]}, "2 clips need 2 weights, not 1"),
        ({"item": "c3", "weights": [0, 0]}, "add up to 0: they are divided by their sum"),
        ({"item": "c3", "weights": [1, 0], "u": 1e9}, "start"),
    ],
)
def test_a_start_that_cannot_be_is_refused(studio: Studio, start: dict[str, Any], error: str) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.say(type="live_start", **start)
        refused = page.expect("refused")
        assert error in refused["error"]
        assert refused["steering"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "step",
    [
        {"dt": 0.1, "weights": [1]},
        {"dt": 0.1, "weights": [1, -1]},
        {"dt": 1e6, "weights": [1, 0]},
        {"dt": "soon", "weights": [1, 0]},
    ],
)
def test_a_step_that_cannot_be_is_refused_and_steering_goes_on(studio: Studio, step: dict[str, Any]) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.wait_for_all()
        page.say(type="live_start", item="c3", weights=[1, 0])
        page.expect("live_started")
        page.say(type="live_step", serial=1, **step)
        refused = page.expect("refused")
        assert refused["serial"] is None  # the serials of edits are others
        assert refused["steering"]
        page.say(type="live_step", serial=2, dt=0.1, weights=[1, 0])
        assert unpack(socket.receive_bytes())[0]["serial"] == 2


@pytest.mark.slow
def test_steering_that_is_stopped_before_it_starts_never_does(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.say(type="live_start", item="c3", weights=[1, 0])
        page.say(type="live_stop")
        page.say(type="live_step", serial=1, dt=0.1, weights=[1, 0])
        assert page.expect("refused")["error"] == "nothing is being steered: send live_start first"
        page.say(type="undo")
        assert not page.expect("refused")["steering"]
        page.wait_for_all()
        page.say(type="live_step", serial=2, dt=0.1, weights=[1, 0])
        assert page.expect("refused")["error"] == "nothing is being steered: send live_start first"


@pytest.mark.slow
def test_poses_are_those_of_the_library(studio: Studio) -> None:
    curve = studio.evaluator.curve(small_document(), "c3")
    truth = LiveBlend(curve, weights=[0.5, 0.5])
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.wait_for_all()
        page.say(type="live_start", item="c3", weights=[0.5, 0.5])
        ready = page.expect("live_started")
        assert ready["names"] == list(curve.clips[0].skeleton.names)
        assert ready["speeds"] == [clip.speed for clip in Controls(curve).clips]
        for n in range(20):
            weights = [n / 20, 1 - n / 20]
            page.say(type="live_step", serial=n, dt=DT, weights=weights)
            header, arrays = unpack(socket.receive_bytes())
            pose = truth.step(DT, weights)
            np.testing.assert_array_equal(arrays["positions"], pose.world_positions().astype(np.float32))
            assert (header["serial"], header["u"], header["finished"]) == (n, truth.u, False)
        page.say(type="live_stop")
        page.say(type="live_step", serial=99, dt=DT, weights=weights)
        assert page.expect("refused")["error"] == "nothing is being steered: send live_start first"


@pytest.mark.slow
def test_clips_with_two_ends_begin_again_where_the_body_is(live: Steering) -> None:
    curve = live.curve
    long_enough = 2 * int(max(clip.duration for clip in curve.clips) / DT)
    made = steps(live, long_enough, (1.0, 0.0))
    ends = [n for n, (header, _) in enumerate(made) if header["finished"]]
    assert ends, "the clips never came to their end"
    roots = np.array([positions[0, [0, 2]] for _, positions in made])
    jumps = np.linalg.norm(np.diff(roots, axis=0), axis=1)
    assert jumps.max() < 2.0 * np.median(jumps)
    times = [header["time"] for header, _ in made]
    np.testing.assert_allclose(np.diff(times), DT)
    assert made[ends[0] + 1][0]["u"] < made[ends[0]][0]["u"]


@pytest.mark.slow
def test_cycles_go_on_for_ever(studio: Studio) -> None:
    document = small_document()
    recipe = BlendRecipe(sources=("c1", "c2"), weights=(1, 0), registration=RegistrationRecipe(cut="loops"))
    looped = SetRecipe(item="c3", recipe=recipe).apply(document)
    steering = start_steering(studio.evaluator, looped, LiveStart(item="c3", weights=(0.5, 0.5)))
    assert not any(header["finished"] for header, _ in steps(steering, 200, (0.5, 0.5)))
    assert min(steering.describe().speeds) > 0.5


def test_other_motion_has_no_speed_for_the_pad(studio: Studio) -> None:
    document = small_document()
    for duration in (1.4, 1.8):
        options: dict[str, float | str] = {"fps": 30.0, "duration": duration}
        document = AddItem(name="kick", recipe=MotionRecipe(motion="kick_front", options=options)).apply(
            document
        )
    kicks = AddItem(name="kicks", recipe=BlendRecipe(sources=("c4", "c5"), weights=(1, 1))).apply(document)
    described = start_steering(
        Evaluator(studio.folder), kicks, LiveStart(item="c6", weights=(1, 1))
    ).describe()
    assert (described.speeds, described.turn_rates) == ((0.0, 0.0), (0.0, 0.0))


def test_parts_of_the_body_keep_their_weights(studio: Studio) -> None:
    recipe = BlendRecipe(sources=("c1", "c2"), weights=(1, 0), parts={"upper body": (0.0, 1.0)})
    layered = SetRecipe(item="c3", recipe=recipe).apply(small_document())
    start = LiveStart(item="c3", weights=(1.0, 0.0))
    plain = start_steering(studio.evaluator, small_document(), start)
    steering = start_steering(studio.evaluator, layered, start)
    names = plain.curve.clips[0].skeleton.names
    apart = np.abs(steps(steering, 5, (1, 0))[-1][1] - steps(plain, 5, (1, 0))[-1][1]).max(axis=1)
    assert apart[names.index("RightHand")] > 0.01
    assert apart[names.index("LeftFoot")] < 1e-6
