from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.blending.variations import variations
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.files import load_clip
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import kick
from tests.blending.curves import two_loops


@cache
def kicks() -> RegistrationCurve:
    return register([kick(style=style, fps=30).clip for style in ("front", "side", "high")])


def difference(a: Clip, b: Clip) -> float:
    """Mean distance of joints over both motions, each from its first root on, metres."""
    shown = [clip.at(np.linspace(0, clip.n_frames - 1, 40)).world_positions() for clip in (a, b)]
    first, second = (places - places[:1, :1] * [1, 0, 1] for places in shown)
    return float(np.linalg.norm(first - second, axis=-1).mean())


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"n": 0}, "n must be a whole number from 1 to 100000, not 0"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"seed": 1.5}, "seed must be a whole number of at least 0, not 1.5"),
        ({"spread": 0.0}, "spread must be a positive number of at most 1, not 0"),
        ({"spread": "wide"}, "spread must be a positive number of at most 1, not 'wide'"),
        ({"change_every": 0.0}, "change_every must be a positive number, not 0"),
        ({"change_every": 1e-9}, "change_every is 1e-09 s, less than a frame (0.03333 s)"),
        ({"change_every": 1.0, "duration": "2"}, "duration must be a number of at least 0, not '2'"),
        ({"curve": [1, 2]}, "variations takes a registration curve, not a list: register the clips first"),
    ],
)
def test_a_wrong_call_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError) as error:
        variations(**{"curve": kicks(), "n": 2, "seed": 1, **changes})
    assert sentence in str(error.value)


def test_changing_weights_of_cyclic_clips_need_a_length() -> None:
    with pytest.raises(ParameterError, match="repeat forever: give the length"):
        variations(two_loops(), 2, 1, change_every=1.0)
    (made,) = variations(two_loops(), 1, 1, change_every=1.0, duration=4.0)
    assert made.clip.n_frames == 241
    assert np.ptp(made.weights, axis=0).max() > 0.1


def test_a_seed_gives_the_same_again_and_more_of_them() -> None:
    few, many = variations(kicks(), 2, 7), variations(kicks(), 4, 7)
    for one, same in zip(few, many, strict=False):
        assert np.array_equal(one.clip.rotations, same.clip.rotations)
    other = variations(kicks(), 2, 8)
    assert not np.array_equal(few[0].weights[0], other[0].weights[0])


def test_weights_are_convex_and_as_far_from_the_middle_as_allowed() -> None:
    for spread in (1.0, 0.2):
        rows = np.array([made.weights[0] for made in variations(kicks(), 12, 1, spread=spread)])
        assert rows.min() >= (1.0 - spread) / 3.0
        assert np.allclose(rows.sum(axis=1), 1.0)
        assert np.abs(rows - 1.0 / 3.0).max() > 0.4 * spread


def test_they_begin_where_they_are_put() -> None:
    for made in variations(kicks(), 2, 3, place=GroundTransform(0.0, 5.0, -1.0)):
        assert made.clip.root_positions[0, [0, 2]].tolist() == pytest.approx([5.0, -1.0])


def test_weights_may_change_within_a_motion() -> None:
    steady, moving = variations(kicks(), 1, 1)[0], variations(kicks(), 1, 1, change_every=0.5)[0]
    assert not np.ptp(steady.weights, axis=0).any()
    assert np.ptp(moving.weights, axis=0).max() > 0.1


@pytest.mark.parametrize("count", [8])
def test_built_in_kicks_vary_between_their_sources(count: int) -> None:
    made = [result.clip for result in variations(kicks(), count, 1)]
    between = [difference(a, b) for a, b in combinations(made, 2)]
    sources = [difference(a, b) for a, b in combinations(kicks().clips, 2)]
    assert min(between) > 0.005
    assert max(between) < max(sources)


def test_captured_kicks_vary_between_their_sources(mocap: Path) -> None:
    files = sorted((mocap / "actions" / "kicks").glob("kick_74_*"))
    with pytest.warns(RegistrationWarning):
        curve = register([annotate(load_clip(file).resampled(30)) for file in files])
    made = [result.clip for result in variations(curve, 8, 1)]
    between = [difference(a, b) for a, b in combinations(made, 2)]
    sources = [difference(a, b) for a, b in combinations(curve.clips, 2)]
    assert min(between) > 0.01
    assert max(between) < max(sources)
    lengths = [clip.n_frames for clip in made]
    assert len(set(lengths)) > 1
