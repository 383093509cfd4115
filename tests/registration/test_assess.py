from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import RegistrationWarning
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.registration import Verdict, register
from motionloom.registration.assess import measure_far_apart
from motionloom.registration.verdict import Cause, Evidence, Judgement, judge
from motionloom.synthesis import walk


def swing(clip: Clip, joint: str, turn: float) -> Clip:
    """A clip whose joint turns by ``turn`` radians in its second half, more than before."""
    index, rotations = clip.skeleton.index(joint), np.array(clip.rotations)
    angles = np.clip(np.arange(clip.n_frames) / clip.n_frames * 4.0 - 2.0, 0.0, 1.0) * turn
    turned = rot.from_rotation_vector(angles[:, None] * [1.0, 0.0, 0.0])
    rotations[:, index] = rot.multiply(turned, rotations[:, index])
    return replace(clip, rotations=rotations)


@pytest.mark.parametrize(("turn", "fraction"), [(0.0, 0.0), (3.5, 0.0), (2.0 * np.pi, 0.33)])
@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_a_joint_that_goes_around_is_far_apart_for_the_rest(turn: float, fraction: float) -> None:
    plain = walk(duration=2.0, fps=30).clip
    curve = register([plain, swing(plain, "LeftArm", turn)], events=())
    found, joint = measure_far_apart(curve.clips, curve.timewarp, curve.alignment)
    assert found == pytest.approx(fraction, abs=0.05)
    assert joint == "LeftArm" or not fraction


def test_toes_do_not_count() -> None:
    plain = walk(duration=2.0, fps=30).clip
    curve = register([plain, swing(plain, "LeftToeBase", 2.0 * np.pi)], events=())
    assert measure_far_apart(curve.clips, curve.timewarp, curve.alignment)[0] == 0.0


def test_the_verdict_hears_of_it() -> None:
    evidence = Evidence(rivals=0.1, distortion=0.0, saturation=0.0, n_matches=4, n_odd=0)
    assert judge(evidence).verdict is Verdict.GOOD
    far = replace(evidence, far_apart=0.36, far_joint="LeftArm")
    assert judge(far) == Judgement(
        Verdict.DOUBTFUL,
        Cause.TURNED,
        "LeftArm turns around in one clip and not in another, so it follows one of them on 36 % of the curve",
    )
    plain = walk(duration=2.0, fps=30).clip
    with pytest.warns(RegistrationWarning, match="a joint turns around"):
        register([plain, swing(plain, "LeftArm", 2.0 * np.pi)], events=())
