"""Frame rates inconsistent with gravity: flights, what supports a body, and how many must agree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.files.frame_rate import USUAL_RATES, detect_wrong_rate, measure_free_falls
from motionloom.geometry import rotations as rot
from motionloom.synthesis import biped, jog, walk


def thrown(fps: float, flights: int = 2, gravity: float = 9.81) -> ml.Clip:
    """A stiff body that every two seconds stands, flies for half a second, and stands."""
    t = np.arange(int(2 * flights * fps)) / fps % 2.0 - 0.75
    height = np.where((t > 0) & (t < 0.5), 0.5 * gravity * t * (0.5 - t), 0.0)
    body = biped()
    roots = np.tile(body.offsets[0], (len(t), 1))
    roots[:, 1] += height
    return ml.Clip(body, 1 / fps, roots, np.tile(rot.IDENTITY, (len(t), body.n_joints, 1)))


def stated(clip: ml.Clip, fps: float) -> ml.Clip:
    return replace(clip, frame_time=1 / fps)


@pytest.mark.parametrize("fps", [30.0, 120.0])
def test_free_fall_is_measured(fps: float) -> None:
    assert measure_free_falls(thrown(fps)) == pytest.approx([9.81, 9.81], rel=0.02)
    assert detect_wrong_rate(thrown(fps)) is None


def test_two_flights_that_fall_too_fast_tell_the_rate() -> None:
    found = detect_wrong_rate(stated(thrown(60), 120))
    assert found is not None
    assert found.rate == 60.0
    assert found.falls == pytest.approx([9.81 * 4] * 2, rel=0.02)


def test_one_flight_tells_no_rate() -> None:
    once = thrown(60, flights=1)
    assert measure_free_falls(stated(once, 120)) == pytest.approx([9.81 * 4], rel=0.02)
    assert detect_wrong_rate(stated(once, 120)) is None
    assert detect_wrong_rate(stated(once, 30)) is None


def test_slow_flights_need_a_third() -> None:
    """The ground may support what looks like a slow flight; nothing pulls a body down."""
    assert detect_wrong_rate(stated(thrown(60, flights=2), 30)) is None
    found = detect_wrong_rate(stated(thrown(60, flights=3), 30))
    assert found is not None
    assert found.rate == 60.0


def test_flights_that_disagree_tell_no_rate() -> None:
    falls = [thrown(60, flights=1, gravity=g) for g in (20.0, 9.81, 5.0)]
    roots = np.concatenate([clip.root_positions for clip in falls])
    turns = np.concatenate([clip.rotations for clip in falls])
    mixed = replace(falls[0], root_positions=roots, rotations=turns)
    assert len(measure_free_falls(mixed)) == 3
    for fps in (20, 30, 120, 240):
        assert detect_wrong_rate(stated(mixed, fps)) is None


@pytest.mark.parametrize(("fps", "implied"), [(346.0, 346.0), (894.0, 894.0), (60.0, 10.0)])
def test_rates_that_nobody_uses_are_not_named(fps: float, implied: float) -> None:
    unusual = stated(thrown(implied, flights=4), fps / 3 if fps == implied else fps)
    assert detect_wrong_rate(unusual) is None
    assert all(abs(usual / implied - 1) > 0.1 for usual in USUAL_RATES)


def test_a_body_that_leans_over_a_planted_foot_does_not_fly() -> None:
    """A pole vault on a stiff leg: the hips follow an arc over a foot that stays, 5 cm above the floor."""
    t = np.linspace(-0.4, 0.4, 40)
    body = biped()
    foot = body.rest_positions()[body.index("LeftToeBase")]
    lean = rot.from_euler(t[:, None], "X")
    roots = foot + rot.rotate(lean, body.offsets[0] - foot) + [0.0, 0.05, 0.0]
    standing = np.tile(body.offsets[0], (60, 1))
    turns = np.tile(rot.IDENTITY, (160, body.n_joints, 1))
    turns[60:100, 0] = lean
    clip = ml.Clip(body, 1 / 60, np.concatenate([standing, roots, standing]), turns)
    assert measure_free_falls(clip) == []


def test_a_root_above_the_hips_does_not_hold_the_body_down() -> None:
    flying = thrown(60)
    own = flying.skeleton
    skeleton = ml.Skeleton(
        ("root", *own.names),
        np.concatenate([[-1], own.parents + 1]),
        np.concatenate([np.zeros((1, 3)), own.offsets]),
        np.concatenate([[rot.IDENTITY], own.rest_rotations]),
    )
    hips = np.tile(skeleton.offsets, (flying.n_frames, 1, 1))
    hips[:, 1] = flying.root_positions
    turns = np.tile(rot.IDENTITY, (flying.n_frames, skeleton.n_joints, 1))
    rig = ml.Clip(skeleton, 1 / 60, np.zeros((flying.n_frames, 3)), turns, translations=hips)
    assert measure_free_falls(rig) == pytest.approx([9.81, 9.81], rel=0.02)


def test_walking_is_no_flight_and_jogging_falls_as_it_should() -> None:
    assert measure_free_falls(walk(duration=3).clip) == []
    assert all(6.0 < fall < 14.0 for fall in measure_free_falls(jog(duration=3, fps=120).clip))


FALLS_TOO_FAST = {"run_left_139_12_r0157-0397.bvh", "run_right_139_12_r0517-0745.bvh", "kick_74_03.bvh"}
"""Takes that fall four times too fast."""

TWO_FLIGHTS_AGREE = {"run_right_139_12_r0517-0745.bvh"}


def rate_notes(clip: ml.Clip) -> list[str]:
    return [note for note in clip.source.notes if "free fall measures" in note]


@pytest.mark.slow
def test_captured_flights_fall_with_gravity_or_are_reported(mocap: Path) -> None:
    measured = {}
    described = [path for path in sorted(mocap.glob("**/*.bvh")) if mocap / "library" not in path.parents]
    for path in described:
        clip = ml.load(path)
        assert bool(rate_notes(clip)) == (path.name in TWO_FLIGHTS_AGREE), path.name
        measured[path.name] = measure_free_falls(clip)[:1]
    falls = [fall for name, found in measured.items() for fall in found if name not in FALLS_TOO_FAST]
    assert len(falls) >= 20
    assert 8.0 < np.median(falls) < 10.5
    assert min(falls) > 6.0
    assert max(falls) < 14.0


def test_the_note_says_what_was_measured_and_what_to_do(mocap: Path) -> None:
    clip = ml.load(mocap / "locomotion/s139_sneak/run_right_139_12_r0517-0745.bvh")
    assert rate_notes(clip) == [
        "free fall measures 39.5 to 44.4 m/s² in 2 flights at the stated 120 frames per second: "
        "the true rate is probably 60; state it with fps="
    ]


NO_FLIGHTS = ("138/138_01", "138/138_03", "138/138_04", "49/49_08")
"""Takes of the library at their true rate: marching with stiff legs, and cartwheels."""


@pytest.mark.parametrize("take", NO_FLIGHTS)
def test_marching_and_cartwheels_are_no_flights(mocap: Path, take: str) -> None:
    path = mocap / "library" / f"{take}.bvh"
    if not path.exists():
        pytest.skip("the corpus has no library")
    assert not rate_notes(ml.load(path))


def test_a_captured_backflip_alone_tells_no_rate(mocap: Path) -> None:
    path = mocap / "library/88/88_05.bvh"
    if not path.exists():
        pytest.skip("the corpus has no library")
    clip = ml.load(path)
    assert measure_free_falls(clip) == pytest.approx([41.3], rel=0.01)
    assert not rate_notes(clip)
