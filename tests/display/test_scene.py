from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.display.scene import MAX_SAMPLES, build_scene, find_plants, floor_paths
from motionloom.display.style import SINGLE_FIGURE
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import PointClip
from tests.display.walkers import planted, walk


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(ParameterError, match="there is no clip to draw"):
        build_scene([])
    with pytest.raises(
        ParameterError, match="clip 0 is a PointClip: only clips with a skeleton can be drawn"
    ):
        build_scene(PointClip(("marker",), 0.1, np.zeros((1, 1, 3))))  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="clip 1 has no frames"):
        build_scene([walk(), walk()[0:0]])


def test_heading_of_a_walk_is_its_way_and_of_a_stander_its_face() -> None:
    turned = GroundTransform(0.7, 3.0, -2.0)
    ahead = [np.sin(0.7), np.cos(0.7)]
    going, staying = build_scene(walk().placed(turned)), build_scene(walk(speed=0.0).placed(turned))
    assert going.travels
    np.testing.assert_allclose(going.heading, ahead, atol=1e-6)
    assert not staying.travels
    np.testing.assert_allclose(staying.heading, ahead, atol=1e-6)


def test_walking_backwards_heads_where_it_goes() -> None:
    np.testing.assert_allclose(build_scene(walk().reversed()).heading, [0.0, -1.0], atol=1e-6)


def test_ground_is_at_zero_unless_the_motion_is_elsewhere() -> None:
    clip = walk()
    raised = replace(clip, root_positions=clip.root_positions + np.array([0.0, 50.0, 0.0]))
    assert build_scene(clip).floor == 0.0
    assert build_scene(raised).floor == pytest.approx(50.0, abs=0.1)


def test_traces_lie_on_the_ground_below_the_feet() -> None:
    scene = build_scene(walk())
    actor = scene.actors[0]
    _, left, right = floor_paths(scene, actor, actor.samples(0.0, 60.0))
    toes = actor.clip.world_positions()[:, list(actor.body.feet)]
    np.testing.assert_allclose(left.points[:, [0, 2]], toes[:, 0][:, [0, 2]], atol=1e-9)
    assert (left.points[:, 1] == scene.floor).all()
    assert (left.colour, right.colour) == (SINGLE_FIGURE.left, SINGLE_FIGURE.right)
    assert left.strength[left.strength.argmax()] > 2.0 * left.strength.min(), "strong where the foot is down"


def test_dashes_lie_still_while_the_trace_moves_on() -> None:
    scene = build_scene(walk())
    actor = scene.actors[0]
    early = floor_paths(scene, actor, actor.samples(0.0, 40.0))[0]
    late = floor_paths(scene, actor, actor.samples(20.0, 60.0))[0]
    np.testing.assert_array_equal(early.strength[20:], late.strength[:21])
    assert set(early.strength) == {0.0, early.strength.max()}


def test_plants_are_where_the_joint_or_the_target_is() -> None:
    clip = planted(walk(speed=0.0))
    targeted = replace(clip.constraints[1], target=np.array([7.0, 0.3, 8.0]))
    scene = build_scene(replace(clip, constraints=(clip.constraints[0], targeted)))
    left, right = find_plants(scene, scene.actors[0])
    toe = clip.world_positions()[[2, 20], clip.skeleton.index("LeftToeBase")].mean(axis=0)
    np.testing.assert_allclose(left.position, [toe[0], 0.0, toe[2]], atol=1e-9)
    np.testing.assert_allclose(right.position, [7.0, 0.0, 8.0])
    assert (left.colour, right.colour) == (SINGLE_FIGURE.left, SINGLE_FIGURE.right)


def test_long_clips_are_thinned() -> None:
    clip = walk(seconds=60.0)
    assert len(build_scene(clip).actors[0].overview) == MAX_SAMPLES
