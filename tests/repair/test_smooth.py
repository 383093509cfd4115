from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.repair.smooth import smooth
from motionloom.synthesis import walk
from tests.figures import skeleton_of
from tests.refusals import refused
from tests.repair.planting import angles_between


def swinging(hertz: float, fps: float = 120.0, seconds: float = 4.0) -> Clip:
    """A point that moves by 0.1 m, and rotates by 0.1 rad, to and fro."""
    wave = 0.1 * np.sin(2.0 * np.pi * hertz * np.arange(round(seconds * fps)) / fps)
    roots = np.stack([wave, np.ones_like(wave), np.zeros_like(wave)], axis=1)
    return Clip(skeleton_of(("root",), [-1], [[0, 0, 0]]), 1.0 / fps, roots, rot.from_yaw(wave)[:, None])


def test_wrong_arguments_are_refused() -> None:
    with refused("cutoff"):
        smooth(swinging(1.0), cutoff=-1.0)
    with pytest.raises(ParameterError, match="cutoff must be below half of the frame rate, 60 Hz, not 60"):
        smooth(swinging(1.0), cutoff=60.0)
    with pytest.raises(ParameterError, match="smooth takes a clip with a skeleton"):
        smooth("walk.bvh")  # type: ignore[arg-type]


@pytest.mark.parametrize(("hertz", "left"), [(0.5, 1.0), (6.0, 0.5), (30.0, 0.0)])
def test_the_cutoff_halves_the_amplitude_and_nothing_is_delayed(hertz: float, left: float) -> None:
    clip = swinging(hertz)
    result = smooth(clip, cutoff=6.0)
    middle = slice(120, -120)
    for values, smoothed in (
        (clip.root_positions[middle, 0], result.clip.root_positions[middle, 0]),
        (rot.yaw_of(clip.rotations)[middle, 0], rot.yaw_of(result.clip.rotations)[middle, 0]),
    ):
        # The projection is the gain only where there is no delay.
        assert float(values @ smoothed / (values @ values)) == pytest.approx(left, abs=0.02)
        assert float(np.abs(smoothed - left * values).max()) < 0.004


def test_signs_do_not_matter_and_rotations_stay_rotations() -> None:
    clip = walk(duration=2.0).clip
    rotations = np.array(clip.rotations)
    rotations[::2] *= -1.0
    result = smooth(replace(clip, rotations=rotations), cutoff=8.0)
    assert angles_between(result.clip, smooth(clip, cutoff=8.0).clip).max() < 1e-4
    assert np.abs(np.linalg.norm(result.clip.rotations, axis=-1) - 1.0).max() < 1e-12
    assert result.clip.provenance.steps == ("smoothed",)


def test_cyclic_clips_stay_cyclic_and_smooth_over_the_seam() -> None:
    loop = cyclify(walk(fps=60).clip, cycles=1)
    result = smooth(loop, cutoff=8.0)
    assert result.clip.cyclic
    ends, inside = result.clip.rotations[[-1, 0], 1:], result.clip.rotations[:, 1:]
    step = np.abs(rot.nearer(ends[1], ends[0]) - ends[0]).max()
    assert step < 1.5 * np.abs(np.diff(rot.unroll(inside), axis=0)).max()
    assert np.abs(result.clip.root_positions - loop.clip.root_positions).max() < 0.02


def test_short_clips_pass() -> None:
    assert smooth(swinging(1.0)[:1]).clip.n_frames == 1
    assert smooth(swinging(1.0)[:3]).clip.n_frames == 3
