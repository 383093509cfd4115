from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.blending import blend
from motionloom.errors import ParameterError
from motionloom.motion import PointClip
from motionloom.registration import register
from motionloom.synthesis import jog, walk
from motionloom.transitions import transition
from tests.figures import points_of


@pytest.fixture(scope="module")
def gaits() -> tuple[PointClip, PointClip]:
    return tuple(annotate(points_of(make(duration=3.0, fps=30).clip)) for make in (walk, jog))  # type: ignore[return-value]


def test_other_points_and_other_clips_are_refused(gaits: tuple[PointClip, PointClip]) -> None:
    other = PointClip(("a",), gaits[0].frame_time, np.zeros((90, 1, 3)))
    with pytest.raises(ParameterError, match="must have the same points in the same order: 'Hips' is in one"):
        transition(gaits[0], other)
    with pytest.raises(ParameterError, match="clip 0 is a PointClip, but transitions"):
        transition(gaits[0], walk(duration=1.0).clip)  # type: ignore[call-overload]


@pytest.mark.parametrize("method", ["registration", "linear", "inertialize"])
def test_points_go_over_without_a_jump(gaits: tuple[PointClip, PointClip], method: str) -> None:
    joined = transition(*gaits, method=method)  # type: ignore[call-overload]
    steps = [np.linalg.norm(np.diff(c.positions, axis=0), axis=-1).max() for c in (*gaits, joined.clip)]
    assert steps[2] < 1.3 * max(steps[:2])
    assert joined.clip.names == gaits[0].names
    assert joined.clip.constraints
    np.testing.assert_allclose(joined.clip.positions[0], gaits[0].positions[0], atol=1e-9)


def test_points_meet_at_a_stated_centre_between_frames(gaits: tuple[PointClip, PointClip]) -> None:
    report = transition(*gaits, at=(50.5, 30.25), half_width=0.4).report
    np.testing.assert_allclose(report.centres, [(50.5, 30.25)])


def test_blends_of_annotated_points_have_constraints(gaits: tuple[PointClip, PointClip]) -> None:
    curve = register([gaits[0], gaits[0].sped_up(1.1)])
    made = blend(curve, [0.5, 0.5]).clip
    assert len(curve.matches) > 2
    assert {c.kind for c in made.constraints} == {"point"}
