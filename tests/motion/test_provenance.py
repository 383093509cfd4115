"""Provenance says which frames of which motion a clip shows, whatever was done to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.cycles import cyclify, extend_cycle, match_strides, unroll
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, PointClip, Provenance
from motionloom.motion.provenance import derive
from motionloom.synthesis import walk


@pytest.fixture(scope="module")
def walked() -> Clip:
    return annotate(walk(duration=4.0, fps=60).clip)


def points(n_frames: int = 20) -> PointClip:
    return PointClip(("a",), 1 / 60, np.arange(n_frames * 3.0).reshape(n_frames, 1, 3))


def test_a_clip_is_its_own_source(walked: Clip) -> None:
    assert walked.provenance == Provenance()
    assert Provenance(start=10.0, rate=2.0).frames([0.0, 1.5]).tolist() == [10.0, 13.0]
    assert Provenance(start=10.0, rate=2.0).clip_frames([10.0, 13.0]).tolist() == [0.0, 1.5]


def test_slices_know_where_they_start(walked: Clip) -> None:
    strides = match_strides([walked])[0]
    assert strides.clip.provenance.start == strides.report.start
    part = strides.clip[20:]
    assert part.provenance.start == strides.report.start + 20
    assert part.provenance.source == walked.content_hash(annotations=False)
    assert part.provenance.steps == ("cut",)


@pytest.mark.parametrize("fps", [60, 30, 90])
def test_strides_lie_where_the_body_is_the_same(walked: Clip, fps: float) -> None:
    strides = match_strides([walked])[0].clip.resampled(fps)
    frames = np.array([0.0, 6.0, 20.0])
    expected = walked.at(strides.provenance.frames(frames))
    np.testing.assert_allclose(strides.at(frames).root_positions, expected.root_positions, atol=2e-3)


def test_a_cycle_is_stretched_to_whole_frames(walked: Clip) -> None:
    cycle = cyclify(walked, cycles=1)
    assert cycle.clip.provenance.start == cycle.report.start
    assert cycle.clip.provenance.frames(cycle.clip.n_frames) == pytest.approx(cycle.report.end)
    slower = cycle.clip.resampled(50)
    assert slower.provenance.frames(slower.n_frames) == pytest.approx(cycle.report.end)


@pytest.mark.parametrize("motion", [walk(duration=1.0, fps=60).clip, points(61)])
def test_edits_keep_frames_true(motion: Clip | PointClip) -> None:
    """Whatever was done, a frame shows what the source shows at the frame that provenance names."""
    edited = motion[4:50:2].sped_up(1.5).reversed().resampled(12).placed(GroundTransform(x=1.0))[1:]
    assert edited.provenance.steps == ("cut", "sped up", "reversed", "resampled", "placed", "cut")
    frames = edited.provenance.frames(np.arange(edited.n_frames))
    if isinstance(motion, Clip):
        assert isinstance(edited, Clip)
        found, expected = edited.root_positions, motion.at(frames).root_positions
    else:
        assert isinstance(edited, PointClip)
        found, expected = edited.positions, motion.at(frames)
    np.testing.assert_allclose(found - [1.0, 0.0, 0.0], expected, atol=2e-3)


def test_equal_rates_keep_frames() -> None:
    """Rates that count as equal change the frame time and no frame."""
    clip = replace(walk(duration=1.0, fps=60).clip, frame_time=0.016666)
    assert clip.resampled(60).provenance.rate == 1.0
    assert clip.resampled(60).resampled(30).provenance.rate == pytest.approx(2.0)


def test_steps_that_follow_themselves_are_listed_once_unless_they_undo_each_other(walked: Clip) -> None:
    assert walked[5:][5:].provenance.steps == ("cut",)
    assert walked[5:][5:].provenance.start == 10
    assert walked.mirrored().mirrored().provenance.steps == ("mirrored", "mirrored")


def test_annotations_do_not_change_the_source(walked: Clip) -> None:
    bare = replace(walked, constraints=(), events=())
    assert bare[3:].provenance.source == walked[3:].provenance.source
    assert bare.content_hash() != walked.content_hash()


def test_clips_relative_to_each_other(walked: Clip) -> None:
    given = walked[10:].resampled(30)
    part = given[7:].provenance.relative_to(given.provenance)
    assert (part.start, part.rate) == pytest.approx((7.0, 1.0))
    assert part.steps == ("cut",)


def test_several_cycles_are_a_new_motion(walked: Clip) -> None:
    cycle = cyclify(walked, cycles=1)
    assert unroll(cycle.clip, 2).provenance == Provenance()
    assert extend_cycle(cycle.clip, 100).provenance.source == unroll(cycle.clip, 2).content_hash(
        annotations=False
    )


def test_derive_counts_in_the_source(walked: Clip) -> None:
    assert derive(walked[10:].reversed(), "cut", start=2.0).start == walked.n_frames - 3


def test_wrong_values_are_refused() -> None:
    with pytest.raises(ParameterError, match="the start of a provenance must be a finite number, not nan"):
        Provenance(start=float("nan"))
    with pytest.raises(ParameterError, match="the source of a provenance must be a string, not 3"):
        Provenance(source=3)  # type: ignore[arg-type]
