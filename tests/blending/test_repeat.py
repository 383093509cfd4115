from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.blending import KeyedWeights, blend
from motionloom.errors import ParameterError
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import jog, walk
from tests.refusals import refused


@pytest.fixture(scope="module")
def curve() -> RegistrationCurve:
    """Two walks of a second that do not close to a cycle."""
    return register([walk(speed=speed, duration=1.0, fps=30).clip for speed in (1.0, 1.5)])


def test_a_repeat_without_an_end_is_refused(curve: RegistrationCurve) -> None:
    with pytest.raises(ParameterError, match="a blend that repeats needs a duration"):
        blend(curve, [1, 0], repeat=True)
    with pytest.raises(ParameterError, match="forward: omit repeat"):
        blend(curve, [1, 0], duration=2.0, backward=True, repeat=True)


def test_a_performance_keeps_its_length(curve: RegistrationCurve) -> None:
    weights = KeyedWeights({0: (1, 0), 5: (0, 1)})
    made = blend(curve, weights, repeat=True)
    assert made.clip.duration == pytest.approx(5.0, abs=1 / 30)
    assert len(made.report.seams) >= 4
    assert made.report.notes[0] == f"the clips were played {len(made.report.seams) + 1} times"
    np.testing.assert_allclose(made.weights[-1], [0.0, 1.0], atol=0.02)


def test_a_blend_that_fits_into_one_run_is_the_plain_one(curve: RegistrationCurve) -> None:
    once, plain = blend(curve, [1, 1], duration=0.5, repeat=True), blend(curve, [1, 1], duration=0.5)
    np.testing.assert_array_equal(once.clip.rotations, plain.clip.rotations)


def test_the_body_goes_on_from_where_it_is(curve: RegistrationCurve) -> None:
    made = blend(curve, [1, 0], duration=3.0, repeat=True)
    steps = np.linalg.norm(np.diff(made.clip.root_positions[:, [0, 2]], axis=0), axis=1)
    assert steps.max() < 0.1
    assert np.ptp(made.clip.root_positions[:, 2]) > 2.5
    moved = np.abs(np.diff(made.clip.world_positions(), axis=0)).max(axis=(1, 2))
    seams = np.array(made.report.seams, dtype=int)
    assert moved.max() < 0.25
    # No frame stands still between two runs, neither the body nor its limbs.
    assert steps[seams - 1].min() > 0.5 * np.median(steps)
    assert moved[seams - 1].min() > 0.5 * np.median(moved)


@pytest.mark.parametrize("frames", [29, 30, 45, 58])
def test_a_performance_has_as_many_frames_as_any_blend_of_its_duration(
    curve: RegistrationCurve, frames: int
) -> None:
    """A run of 29 frames follows another one, however few frames of it are left."""
    made, once = blend(curve, [1, 1], duration=frames / 30, repeat=True), blend(curve, [1, 1])
    assert made.clip.n_frames == frames + 1
    moved, usual = (np.abs(np.diff(each.clip.world_positions(), axis=0)).max() for each in (made, once))
    assert moved < 1.1 * usual


def test_only_the_first_run_begins_at_the_start(curve: RegistrationCurve) -> None:
    made = blend(curve, [1, 1], start=0.9 * curve.domain[1], duration=2.0, repeat=True)
    first, *others = made.report.seams
    assert first < 6
    assert np.diff([first, *others]).min() > 20


def test_too_many_runs_are_refused(curve: RegistrationCurve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("motionloom.blending.repeat.MAX_RUNS", 3)
    with pytest.raises(ParameterError, match="the clips end after 3 repeats"):
        blend(curve, [1, 1], duration=60.0, repeat=True)
    with refused("duration", "long"):
        blend(curve, [1, 1], duration="long", repeat=True)  # type: ignore[arg-type]


def test_flights_are_those_of_all_runs() -> None:
    """Feet that are planted later must not be pulled to the ground in flight."""
    jogs = register([annotate(jog(speed=speed, duration=1.5).clip) for speed in (2.5, 3.0)])
    once, twice = blend(jogs, [1, 1]), blend(jogs, [1, 1], duration=2.5, repeat=True)
    n_frames = once.clip.n_frames
    assert once.report.flights
    starts = [flight.start for flight in twice.report.flights]
    assert starts[: len(once.report.flights)] == [flight.start for flight in once.report.flights]
    assert starts[len(once.report.flights)] == pytest.approx(once.report.flights[0].start + n_frames)
