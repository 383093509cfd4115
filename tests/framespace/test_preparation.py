from __future__ import annotations

import numpy as np
import pytest

from motionloom.cycles import CycleReport, cyclify
from motionloom.errors import ParameterError
from motionloom.framespace.preparation import checked_acyclic, prepared
from motionloom.motion import PointClip
from motionloom.synthesis import jog, walk
from tests.framespace.spaces import jogging, punching, walking


@pytest.mark.parametrize("acyclic", [2, -1, True, 0.5, [0, 1]])
def test_the_acyclic_clip_is_named_by_its_number(acyclic: int) -> None:
    with pytest.raises(ParameterError, match="acyclic is the number of one clip, 0 to 1"):
        checked_acyclic(acyclic, 2)


def test_points_have_no_states() -> None:
    points = PointClip(("heel",), 30.0, np.zeros((40, 1, 3)))
    with pytest.raises(
        ParameterError, match="clip 1 is a PointClip: a framespace takes clips with a skeleton"
    ):
        prepared([walking(), points])  # type: ignore[list-item]


def test_captures_are_cut_to_one_stride() -> None:
    clips, notes = prepared([walk(duration=4.0, fps=30).clip, jog(duration=4.0, fps=30).clip])
    assert all(clip.cyclic for clip in clips)
    assert [clip.report.n_cycles for clip in clips] == [1, 1]
    assert isinstance(clips[0].report, CycleReport)
    assert notes[0].startswith("clip 0 was cut to one stride of 1.03 s, frames")


def test_cycles_stay_as_they_are() -> None:
    clips, notes = prepared([walking(), jogging()])
    assert clips == (walking(), jogging())
    assert notes == ()


def test_the_slowest_rate_is_taken() -> None:
    clips, notes = prepared([walking(), jog(duration=4.0, fps=30).clip])
    assert [clip.fps for clip in clips] == [30.0, 30.0]
    assert notes[0] == "clip 0 was resampled from 60 to 30 frames per second"


def test_what_does_not_repeat_is_refused_and_may_be_kept_as_it_is() -> None:
    with pytest.raises(ParameterError, match=r"clip 1 cannot be made a cycle: .* acyclic= to play it once"):
        prepared([walking(), punching()])
    clips, notes = prepared([walking(), punching()], acyclic=(1,))
    assert not clips[1].cyclic
    assert notes == ()


def test_different_numbers_of_strides_are_said() -> None:
    two = cyclify(walk(duration=5.0, fps=60).clip, n_cycles=2)
    _, notes = prepared([walking(), two])
    assert notes == ("the cycles have different numbers of strikes (2, 4): give cycles of one stride each",)
