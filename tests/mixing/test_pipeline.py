from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.blending import KeyedWeights
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.files import load
from motionloom.mixing import MixReport, UnfitError, mix, prepared
from motionloom.motion import Clip
from motionloom.motion.kinematics import points_of
from motionloom.synthesis import jog, kick, reach, walk
from tests.registration.nine_clips import nine_files


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(ParameterError, match="registering takes two clips or more, not 0"):
        mix([], [])
    with pytest.raises(ParameterError, match="there are 3 weights"):
        mix([walk(fps=30).clip, jog(fps=30).clip], [1, 1, 1])


def test_clips_that_do_not_belong_together_are_refused_unless_allowed() -> None:
    strangers = [walk(duration=2.0, fps=30).clip, reach(fps=30).clip]
    with pytest.raises(UnfitError, match=r"do not blend these clips: .* or allow it all the same") as caught:
        mix(strangers, [0.5, 0.5])
    assert caught.value.report.verdict.name == "UNFIT"
    made = mix(strangers, [0.5, 0.5], even_if_unfit=True)
    assert made.clip.n_frames > 10


def test_locomotion_is_cut_to_the_same_strides() -> None:
    clips = [walk(duration=3.0, fps=30).clip, jog(duration=3.0, phase=0.4, fps=30).clip]
    report = mix(clips, [0.5, 0.5]).report
    assert isinstance(report, MixReport)
    assert {cut.n_strides for cut in report.cuts} == {2}
    assert "strides from the" in str(report)
    assert report.enforcement is not None
    assert str(report.enforcement) in str(report)


def test_actions_and_cycles_stay_whole() -> None:
    kicks = [kick(duration=seconds, fps=30).clip for seconds in (1.4, 1.8)]
    assert prepared(kicks)[1] == ()
    loops = [cyclify(annotate(clip), n_cycles=1) for clip in (walk(fps=30).clip, jog(fps=30).clip)]
    made = mix(loops, KeyedWeights({0: (1, 0), 3: (0, 1)}))
    assert made.clip.n_frames == 91


def _slide(clip: Clip) -> float:
    """The largest way, in the ground plane, of a constrained point from where it was when it was planted."""
    worst = 0.0
    for held in clip.constraints:
        joint = clip.skeleton.index(held.joint)
        ways = points_of(clip.world_positions(), clip.world_rotations(), [joint], [held.point])[:, 0, [0, 2]]
        planted = ways[int(np.ceil(held.start)) : int(np.floor(held.end)) + 1]
        if len(planted):
            worst = max(worst, float(np.linalg.norm(planted - planted[0], axis=1).max()))
    return worst


def test_planted_feet_hold() -> None:
    ways = [(1.0, 0.0), (1.6, 0.3)]
    clips = [walk(speed=speed, curvature=turn, duration=3.0, fps=30).clip for speed, turn in ways]
    assert _slide(mix(clips, [0.4, 0.6]).clip) < 1e-3


def test_captured_walk_and_jog_mix(mocap: Path) -> None:
    walking, jogging = (load(nine_files(mocap, "s16")[n]).resampled(30) for n in (0, 3))
    made = mix([walking, jogging], [0.5, 0.5])
    assert made.report.cuts[0].n_strides >= 1  # type: ignore[attr-defined]
    assert _slide(made.clip) < 1e-3
