from __future__ import annotations

import numpy as np
import pytest

from motionloom.cycles import CycleReport, cyclify
from motionloom.cycles.repeating import frame_in_cycle, repeating
from motionloom.errors import ParameterError
from motionloom.synthesis import kick, stand, walk


def test_frames_that_do_not_repeat_are_refused() -> None:
    cycle = repeating(walk(duration=4.0, fps=30).clip)
    found = cycle.report
    assert isinstance(found, CycleReport)
    with pytest.raises(ParameterError) as caught:
        frame_in_cycle(found.start - 1, cycle)
    asked = f"the clips are to meet at frame {found.start - 1} of one"
    assert str(caught.value) == f"{asked}, of which frames {found.start} to {found.end:.0f} repeat"
    with pytest.raises(ParameterError, match=r"^so it is, of which frames"):
        frame_in_cycle(9999, cycle, "so it is")


def test_gaits_are_closed_and_cycles_stay() -> None:
    clip = walk(duration=4.0, fps=30).clip
    cycle = repeating(clip)
    assert np.array_equal(cycle.rotations, cyclify(clip).rotations)
    assert repeating(cycle) is cycle


def test_what_does_not_repeat_stays_as_it_is() -> None:
    for clip in (kick(fps=30).clip, stand(duration=0.1, fps=30).clip):
        assert repeating(clip) is clip


def test_frames_are_those_of_the_same_poses() -> None:
    clip = walk(duration=4.0, fps=30).clip
    cycle = repeating(clip)
    assert isinstance(cycle.report, CycleReport)
    middle = round((cycle.report.start + cycle.report.end) / 2)
    frame = frame_in_cycle(middle, cycle)
    knees = [
        motion.rotations[n, motion.skeleton.index("LeftLeg")]
        for motion, n in ((clip, middle), (cycle, frame))
    ]
    assert abs(float(knees[0] @ knees[1])) > 0.999
    assert frame_in_cycle(int(cycle.report.end), cycle) in (0, cycle.n_frames - 1)
    assert frame_in_cycle(7, clip) == 7
