from __future__ import annotations

from pathlib import Path

import pytest

from motionloom.files import load
from motionloom.motion import Clip
from motionloom.registration import Cause, RegistrationCurve, Verdict, register
from motionloom.registration.mirror_match import MirrorMatch, compare_with_mirror_images
from motionloom.synthesis import kick, stand, walk
from motionloom.workflows import ensure_annotated

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
    takes = [ensure_annotated(load(mocap / f"library/127/127_{n}.bvh")) for n in (27, 28)]
    report = register(takes).report
    assert report.verdict is Verdict.DOUBTFUL
    assert report.cause is Cause.SIDES
