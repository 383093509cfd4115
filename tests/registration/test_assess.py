from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.errors import RegistrationWarning
from motionloom.files import load_clip
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.registration import Cause, RegistrationCurve, Verdict, register
from motionloom.registration.assess import compare_with_mirror_images, measure_far_apart
from motionloom.registration.verdict import Evidence, Judgement, MirrorMatch, judge
from motionloom.synthesis import kick, stand, walk
from motionloom.workflows import ensure_annotated


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


pytestmark = pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")


def match(curve: RegistrationCurve) -> MirrorMatch:
    return compare_with_mirror_images(curve.clips, curve.timewarp, curve.reference)


@pytest.fixture(scope="module")
def kicked() -> Clip:
    return ensure_annotated(kick(fps=30).clip)


def test_the_same_side_is_no_mirror_image(kicked: Clip) -> None:
    assert match(register([kicked, ensure_annotated(kick(duration=1.8, fps=30).clip)])) == MirrorMatch()


def test_a_kick_with_the_other_foot_is_told(kicked: Clip) -> None:
    curve = register([kicked, kicked.mirrored()])
    assert match(curve) == MirrorMatch(suspect=True, even=True)
    assert curve.report.verdict is Verdict.UNFIT
    assert curve.report.cause is Cause.MIRRORED


def test_somebody_who_stands_has_no_side() -> None:
    standing = stand(duration=1.0, fps=30).clip
    assert not match(register([standing, standing.mirrored()])).even


def test_loops_are_not_compared() -> None:
    steps = walk(duration=2.0, fps=30).clip
    assert match(register([steps, steps])) == MirrorMatch()


@pytest.mark.slow
def test_captured_jumps_off_opposite_feet_are_doubtful(mocap: Path) -> None:
    takes = [ensure_annotated(load_clip(mocap / f"library/127/127_{n}.bvh")) for n in (27, 28)]
    report = register(takes).report
    assert report.verdict is Verdict.DOUBTFUL
    assert report.cause is Cause.SIDES
