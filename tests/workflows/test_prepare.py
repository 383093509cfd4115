from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.cycles import cyclify, match_strides
from motionloom.cycles.cycle_report import CycleReport
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.repair import Fault, FaultKind
from motionloom.synthesis import jog, kick, walk
from motionloom.workflows import Cut, Prepared, mix, prepare
from tests.refusals import refused


@pytest.fixture(scope="module")
def gaits() -> list[Clip]:
    return [walk(duration=4.0, fps=30).clip, jog(duration=3.0, fps=30, phase=0.3).clip]


@pytest.mark.slow
def test_wrong_choices_are_refused(gaits: list[Clip]) -> None:
    with refused("cut"):
        prepare(gaits, cut="half")  # type: ignore[arg-type]
    whole = prepare(gaits, cut="whole")
    with refused("window", 5):
        whole.register(window=5.0)
    with pytest.raises(ParameterError, match="a pin needs one frame per clip, not 2 frames"):
        prepare([*gaits, gaits[0]], cut="whole").register(pins=[(1, 1)])
    with pytest.raises(ParameterError, match="a pin needs one frame per clip, not 3 frames"):
        whole.register(pins=[(1, 1, 1)])
    with pytest.raises(ParameterError, match="a pin names frame 91 of clip 1, but only frames 0 to 90 of it"):
        whole.register(pins=[(1, 91)])
    with pytest.raises(ParameterError, match="start names frame 0 of clip 0, but only frames"):
        prepare(gaits).register(start=(0, 20))
    with pytest.raises(ParameterError, match="end names frame 999 of clip 0, but only frames"):
        prepare(gaits).register(end=(999, 20))


@pytest.mark.parametrize("function", [Prepared.register, ml.mix])
def test_unknown_options_are_refused(function: Any, gaits: list[Clip]) -> None:
    given = (gaits, [0.5, 0.5]) if function is ml.mix else (prepare(gaits, cut="whole"),)
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'slop_limit'"):
        function(*given, slop_limit=3)


def cut_by_hand(gaits: list[Clip], cut: Cut) -> list[Clip]:
    """What is registered, step by step."""
    annotated = [annotate(clip) for clip in gaits]
    if cut == "loops":
        return [cyclify(clip, cycles=1).clip for clip in annotated]
    return annotated if cut == "whole" else [own.clip for own in match_strides(annotated)]


@pytest.mark.slow
@pytest.mark.parametrize("cut", ["auto", "strides", "loops", "whole"])
@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_clips_are_cut_as_asked(gaits: list[Clip], cut: Cut) -> None:
    prepared = prepare(gaits, cut=cut)
    curve = prepared.register(slope_limit=2)
    expected = ml.register(cut_by_hand(gaits, cut), slope_limit=2)
    assert np.array_equal(curve.timewarp.control_points, expected.timewarp.control_points)
    assert np.array_equal(curve.alignment.control_points, expected.alignment.control_points)
    assert prepared.cut == ("strides" if cut == "auto" else cut)
    assert len(prepared.cuts) == 2
    assert len(prepared.stride_cuts) == (2 if prepared.cut == "strides" else 0)


def test_auto_takes_actions_whole() -> None:
    prepared = prepare([kick(duration=seconds, fps=30).clip for seconds in (1.4, 1.8)])
    assert (prepared.cut, prepared.cuts) == ("whole", (None, None))


@pytest.mark.slow
def test_it_says_what_it_did(gaits: list[Clip]) -> None:
    strides = prepare([annotate(gaits[0]), gaits[1]])
    assert strides.notes[0] == "foot plants were detected in clip 1"
    assert strides.notes[1:] == tuple(f"clip {n}: {cut}" for n, cut in enumerate(strides.cuts))
    assert repr(strides) == "Prepared(2 clips, cut='strides')"
    assert str(strides).splitlines() == ["2 clips, cut: strides", *strides.notes]
    loops = prepare([annotate(clip) for clip in gaits], cut="loops")
    assert [note.partition(",")[0] for note in loops.notes] == [f"clip {n}: closed to a loop" for n in (0, 1)]
    assert all(isinstance(cut, CycleReport) for cut in loops.cuts)
    assert prepare([annotate(clip) for clip in gaits], cut="whole").notes == ()


def test_cycles_are_taken_as_they_are(gaits: list[Clip]) -> None:
    cycle = cyclify(gaits[0], cycles=1)
    prepared = prepare([cycle, gaits[1]], cut="loops")
    assert prepared.cuts[0] is None
    curve = prepared.register()
    assert np.array_equal(curve.clips[0].rotations, cycle.clip.rotations)
    assert all(clip.cyclic for clip in curve.clips)


@pytest.mark.slow
@pytest.mark.parametrize("cut", ["auto", "loops", "whole"])
def test_pins_count_in_the_clips_as_they_are_given(gaits: list[Clip], cut: Cut) -> None:
    parts = [cut_report for cut_report in prepare(gaits, cut=cut).cuts if cut_report is not None]
    pin = [50, 30] if cut == "whole" else [round(0.7 * part.start + 0.3 * part.end) for part in parts]
    curve = prepare(gaits, cut=cut).register(pins=[pin])
    (cell,) = curve.settings.pins
    knee = gaits[0].skeleton.index("LeftLeg")
    for clip, frame, given, pinned in zip(curve.clips, cell, gaits, pin, strict=True):
        assert abs(float(clip.rotations[frame, knee] @ given.rotations[pinned, knee])) > 0.999


def test_pins_are_brought_to_the_lowest_rate(gaits: list[Clip]) -> None:
    fast = walk(duration=4.0, fps=60).clip
    curve = prepare([fast, gaits[1]], cut="whole").register(pins=[(100, 40)])
    assert curve.settings.pins == ((50, 40),)


def test_clips_correspond_from_start_to_end(gaits: list[Clip]) -> None:
    prepared = prepare(gaits)
    start = [cut.start + 5 for cut in prepared.stride_cuts]
    end = [cut.end - 4 for cut in prepared.stride_cuts]
    curve = prepared.register(start=start, end=end)
    assert curve.settings.start == (5, 5)
    assert np.allclose(curve.spans[0], 5.0)
    assert np.allclose(curve.spans[1], [clip.n_frames - 5.0 for clip in prepared.clips])


def test_ends_may_be_free(gaits: list[Clip]) -> None:
    longer = [gaits[0], gaits[0][10:]]
    curve = prepare(longer, cut="whole").register(start="free", end="free")
    assert (curve.settings.start, curve.settings.end) == ("free", "free")


def test_where_somebody_cut_clips_before_does_not_count(gaits: list[Clip]) -> None:
    strides = [replace(clip.clip, cyclic=False) for clip in match_strides([annotate(clip) for clip in gaits])]
    prepared = prepare(strides, cut="whole")
    assert prepared.cuts == (None, None)
    assert prepared.register(pins=[(20, 15)]).settings.pins == ((20, 15),)


def test_faults_are_looked_for_once_per_clip(gaits: list[Clip], monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []

    def count(clip: Clip, kinds: tuple[FaultKind, ...]) -> tuple[Fault, ...]:
        searched.append(clip.n_frames)
        found: tuple[Fault, ...] = search(clip, kinds)
        return found

    # The package has a function of the same name.
    file = import_module("motionloom.repair.find_faults")
    search = file._find_faults
    monkeypatch.setattr(file, "_find_faults", count)
    mix([replace(clip) for clip in gaits], [0.5, 0.5])
    assert searched == [clip.n_frames for clip in gaits]
