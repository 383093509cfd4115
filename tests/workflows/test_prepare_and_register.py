from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.registration import Verdict
from motionloom.synthesis import kick, punch, stand, turn_in_place, walk
from motionloom.workflows import MixReport, mix, prepare, prepare_and_register
from motionloom.workflows.prepare import PartCut
from tests.refusals import refused


@pytest.fixture(scope="module")
def kicks() -> list[Clip]:
    """A kick, and another one between seconds of standing about, seven times as long."""
    short, long = (kick(duration=seconds, fps=30).clip for seconds in (1.4, 1.8))
    still = stand(duration=4.5, fps=30).clip
    return [short, append(still, long, still)]


def append(*clips: Clip) -> Clip:
    """One clip after the other, with hard cuts."""
    return replace(
        clips[0],
        root_positions=np.concatenate([clip.root_positions for clip in clips]),
        rotations=np.concatenate([clip.rotations for clip in clips]),
    )


def test_a_clip_seven_times_as_long_is_cut_to_the_part_it_shares(kicks: list[Clip]) -> None:
    assert kicks[1].duration > 7 * kicks[0].duration
    prepared, curve = prepare_and_register(kicks)
    assert prepared.cut == "parts"
    assert curve.report.verdict is Verdict.GOOD
    cut = prepared.cuts[1]
    assert isinstance(cut, PartCut)
    assert 3.8 < cut.start_seconds < 5.2
    assert 5.2 < cut.end_seconds < 7.0
    assert cut.seconds_before == pytest.approx(cut.start_seconds)
    assert cut.start_seconds + cut.seconds_after < kicks[1].duration
    assert f"clip 1: {cut}" in prepared.notes
    assert str(cut).startswith(f"the part from {cut.start_seconds:.2f} to {cut.end_seconds:.2f} s; dropped")


def test_parts_can_be_asked_for(kicks: list[Clip]) -> None:
    prepared = prepare(kicks, cut="parts")
    assert prepared.cut == "parts"
    assert len(prepared.part_cuts) == 2
    assert prepared.stride_cuts == ()
    for clip, cut, given in zip(prepared.clips, prepared.part_cuts, kicks, strict=True):
        assert np.array_equal(clip.rotations, given.rotations[cut.start : cut.end + 1])


def test_frames_of_pins_count_in_the_whole_takes(kicks: list[Clip]) -> None:
    prepared = prepare(kicks, cut="parts")
    one, other = prepared.part_cuts
    curve = prepared.register(pins=[(one.start + 15, other.start + 15)])
    assert curve.settings.pins == ((15, 15),)
    with pytest.raises(ParameterError, match="a pin names frame 0 of clip 1, but only frames"):
        prepared.register(pins=[(one.start, 0)])


def test_mix_says_which_part_it_took(kicks: list[Clip]) -> None:
    result = mix(kicks, [0.5, 0.5])
    assert isinstance(result.report, MixReport)
    assert [type(cut) for cut in result.report.cuts] == [PartCut, PartCut]
    assert 1.0 < result.clip.duration < 2.5
    assert "the part from" in str(result.report)


def test_whole_clips_that_fit_stay_whole() -> None:
    prepared, curve = prepare_and_register([kick(duration=seconds, fps=30).clip for seconds in (1.4, 1.8)])
    assert (prepared.cut, prepared.cuts) == ("whole", (None, None))
    assert curve.report.verdict is Verdict.GOOD


def test_whole_means_whole(kicks: list[Clip]) -> None:
    with pytest.raises(ParameterError, match="clip 0 advances 42 frames while clip 1 advances 326"):
        prepare_and_register(kicks, cut="whole")


def test_given_frames_keep_clips_whole() -> None:
    clips = [annotate(kick(duration=1.4, fps=30).clip), annotate(walk(duration=2.0, fps=30).clip)]
    prepared, _ = prepare_and_register(clips, pins=[(20, 30)])
    assert prepared.cut == "whole"


def test_takes_with_nothing_in_common() -> None:
    unlike = [punch(fps=30).clip, turn_in_place(fps=30).clip]
    with pytest.raises(
        ParameterError, match="the clips have no part in common that lasts a second and moves"
    ):
        prepare_and_register(unlike, cut="parts")
    prepared, _ = prepare_and_register(unlike)
    assert prepared.cut == "whole"


def test_unknown_options_are_refused(kicks: list[Clip]) -> None:
    with refused("cut"):
        prepare_and_register(kicks, cut="some")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'slop_limit'"):
        prepare_and_register(kicks, slop_limit=3)  # type: ignore[call-arg]


def test_glitches_are_mended_and_noted() -> None:
    clip = kick(duration=1.4, fps=30).clip
    rotations = np.array(clip.rotations)
    knee = clip.skeleton.index("LeftLeg")
    rotations[20, knee] = [0.0, 1.0, 0.0, 0.0]
    prepared = prepare([replace(clip, rotations=rotations), clip])
    assert "glitches of clip 0 were mended" in prepared.notes
    assert not any("clip 1 were mended" in note for note in prepared.notes)
    assert abs(float(prepared.clips[0].rotations[20, knee] @ clip.rotations[20, knee])) > 0.99
    assert np.array_equal(prepared.clips[0].rotations[:15], clip.rotations[:15])
