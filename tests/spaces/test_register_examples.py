"""A space is made from clips, from what a search finds, or from a registration curve."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.registration import register
from motionloom.spaces import parameters
from motionloom.spaces.register_examples import register_examples
from motionloom.spaces.space import MotionSpace
from motionloom.synthesis import jog, kick, turn_in_place

FOOT = {"foot": parameters.height("RightFoot")}


@dataclass(frozen=True)
class Found:
    """Stands for a hit: a clip with a name."""

    name: str
    motion: Clip

    def clip(self) -> Clip:
        return self.motion

    def __str__(self) -> str:
        return self.name


@pytest.fixture(scope="module")
def kicks() -> list[Clip]:
    return [kick(style="front", fps=30).clip, kick(style="high", duration=1.8, fps=30).clip]


def scale(clip: Clip, factor: float) -> Clip:
    """The same motion of a larger body."""
    skeleton = clip.skeleton
    larger = replace(skeleton, offsets=skeleton.offsets * factor)
    return replace(clip, skeleton=larger, root_positions=clip.root_positions * factor)


def test_one_hit_is_too_few(kicks: list[Clip]) -> None:
    with pytest.raises(ParameterError, match="two clips or more"):
        MotionSpace([Found("front", kicks[0])], FOOT)


def test_hits_that_show_something_else_are_left_out_and_named(kicks: list[Clip]) -> None:
    other = turn_in_place(turn=2.0, fps=30).clip
    hits = [Found("front", kicks[0]), Found("a turn", other), Found("high", kicks[1])]
    space = MotionSpace(hits, FOOT)
    assert space.curve.n_clips == 2
    assert any("does not show the motion of the first: a turn" in note for note in space.notes)
    assert space.blend({"foot": 1.1}).report.measured[0] == pytest.approx(1.1, abs=5e-3)
    with pytest.raises(
        ParameterError, match=r"none of the other 1 hits shows the motion of the first, front"
    ):
        MotionSpace([hits[0], hits[1]], FOOT)


def test_hits_that_begin_elsewhere_are_left_out(kicks: list[Clip]) -> None:
    heights = kicks[1].world_positions()[:, kicks[1].skeleton.index("RightFoot"), 1]
    late = kicks[1][int(heights.argmax()) :]
    hits = [Found("front", kicks[0]), Found("high", kicks[1]), Found("from its apex on", late)]
    notes = register_examples(hits, FOOT).report.notes
    assert [note for note in notes if note.endswith("the first: from its apex on")]
    assert not [note for note in notes if note.endswith("the first: high")]


def test_hits_are_put_on_the_skeleton_of_the_first(kicks: list[Clip]) -> None:
    hits = [Found("front", kicks[0]), Found("a tall one", scale(kicks[1], 1.15))]
    curve = register_examples(hits, FOOT)
    lengths = [np.linalg.norm(clip.skeleton.offsets[1:], axis=1) for clip in curve.clips]
    np.testing.assert_allclose(lengths[0], lengths[1], atol=1e-6)
    own = [parameters.height("RightFoot").measure(clip)[0] for clip in curve.clips]
    tall = parameters.height("RightFoot").measure(scale(kicks[1], 1.15))[0]
    assert own[0] < own[1] < tall


def test_a_registration_curve_is_taken_as_it_is(kicks: list[Clip]) -> None:
    curve = register(kicks)
    assert MotionSpace(curve, FOOT).curve is curve


def test_clips_and_hits_give_the_same(kicks: list[Clip]) -> None:
    by_clips = MotionSpace(kicks, FOOT)
    by_hits = MotionSpace([Found(str(n), clip) for n, clip in enumerate(kicks)], FOOT)
    np.testing.assert_array_equal(by_clips.examples, by_hits.examples)
    np.testing.assert_array_equal(by_clips.weights([1.0]), by_hits.weights([1.0]))


def test_gaits_and_kicks_make_no_space(kicks: list[Clip]) -> None:
    with pytest.raises(ParameterError, match="shows the motion of the first"):
        MotionSpace([Found("kick", kicks[0]), Found("jog", jog(duration=3.0, fps=30).clip)], FOOT)
