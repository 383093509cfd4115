from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from motionloom.annotation import annotate
from motionloom.files import load
from motionloom.motion import Clip
from motionloom.registration import register
from motionloom.registration.verdict import NO_PLANTS, Evidence, MirrorMatch, Verdict, judge
from motionloom.synthesis import stand, turn_in_place, walk

FINE = Evidence(rivals=0.1, distortion=0.0, saturation=0.1, n_matches=4, n_odd=0)


@pytest.mark.parametrize(
    ("changes", "verdict", "reason"),
    [
        ({}, Verdict.GOOD, "only 10 % of other moments"),
        ({"rivals": 0.3}, Verdict.DOUBTFUL, "30 % of other moments"),
        ({"rivals": 0.5}, Verdict.DOUBTFUL, "50 % of other moments"),
        ({"relative_distance": 0.9}, Verdict.GOOD, "only 10 % of other moments"),
        ({"relative_distance": 1.5}, Verdict.GOOD, "only 10 % of other moments"),
        (
            {"relative_distance": 0.9, "rivals": 0.26},
            Verdict.DOUBTFUL,
            "corresponding moments differ 0.9 times",
        ),
        (
            {"relative_distance": 1.5, "rivals": 0.26},
            Verdict.DOUBTFUL,
            "corresponding moments differ 1.5 times",
        ),
        ({"relative_distance": 1.5, "rivals": 0.4}, Verdict.UNFIT, "corresponding moments differ 1.5 times"),
        ({"relative_distance": 4.5}, Verdict.UNFIT, "corresponding moments differ 4.5 times"),
        ({"relative_distance": 9, "loops": True}, Verdict.DOUBTFUL, "corresponding moments differ 9 times"),
        ({"relative_distance": 9, "loops": True, "rivals": 0.4}, Verdict.UNFIT, "corresponding moments"),
        ({"relative_distance": 5, "speed_similarity": 0.5}, Verdict.DOUBTFUL, "corresponding moments"),
        (
            {"relative_distance": 5, "speed_similarity": 0.5, "saturation": 0.7},
            Verdict.UNFIT,
            "corresponding moments differ 5 times",
        ),
        ({"relative_distance": 5, "speed_similarity": 0.5, "n_odd": 2}, Verdict.UNFIT, "corresponding"),
        ({"speed_similarity": 0.1}, Verdict.GOOD, "only 10 % of other moments"),
        (
            {"opposite": 0.9},
            Verdict.UNFIT,
            "bodies face opposite directions at 90 % of corresponding moments",
        ),
        ({"distortion": 0.4}, Verdict.DOUBTFUL, "on 40 % of the curve"),
        ({"distortion": 0.6}, Verdict.UNFIT, "on 60 % of the curve"),
        ({"distortion": 0.6, "loops": True}, Verdict.DOUBTFUL, "on 60 % of the curve"),
        ({"relative_distance": 9, "rivals": 0.5, "held": True}, Verdict.DOUBTFUL, "the clips hold similar"),
        ({"mirror": MirrorMatch(suspect=True)}, Verdict.DOUBTFUL, "at many moments the mirror image"),
        (
            {"mirror": MirrorMatch(True, True)},
            Verdict.UNFIT,
            "the mirror image of a clip corresponds as well",
        ),
        ({"saturation": 0.7}, Verdict.DOUBTFUL, "70 % of the time alignment"),
        ({"n_odd": 5}, Verdict.DOUBTFUL, "5 constraints are unmatched or split against 4 matches"),
    ],
)
def test_verdicts_rest_on_evidence(changes: dict[str, object], verdict: Verdict, reason: str) -> None:
    found, why = judge(replace(FINE, **changes))  # type: ignore[arg-type]
    assert found is verdict
    assert why.startswith(reason)


def _verdict(a: Clip, b: Clip) -> Verdict:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return register([a, b]).report.verdict


def _captured(mocap: Path, pattern: str) -> Clip:
    return annotate(load(next(mocap.glob(pattern))).resampled(30))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("locomotion/s16/walk_straight*", "actions/acrobatics/*cartwheel*"),
        ("actions/golf/*64_01*", "locomotion/s16/run_straight*"),
        ("actions/golf/*64_01*", "locomotion/s16/walk_straight*"),
    ],
)
def test_captured_strangers_are_not_to_be_blended(mocap: Path, one: str, other: str) -> None:
    assert _verdict(_captured(mocap, one), _captured(mocap, other)) is Verdict.UNFIT


@pytest.mark.parametrize("pattern", ["locomotion/s16/run_straight*", "actions/golf/*64_01*"])
def test_a_captured_clip_and_its_reverse_are_not_to_be_blended(mocap: Path, pattern: str) -> None:
    clip = load(next(mocap.glob(pattern))).resampled(30)
    assert _verdict(annotate(clip), annotate(clip.reversed())) is Verdict.UNFIT


def test_the_papers_example_is_accepted() -> None:
    """Standing and turning in place: hardly anything moves, so hardly anything differs."""
    clips = [annotate(make(fps=30).clip) for make in (stand, turn_in_place)]
    assert _verdict(clips[0], clips[1]) is not Verdict.UNFIT


def test_standing_does_not_go_with_walking() -> None:
    clips = [annotate(make(fps=30).clip) for make in (stand, walk)]
    assert _verdict(clips[0], clips[1]) is Verdict.UNFIT


def test_takes_of_one_captured_action_are_never_refused(mocap: Path) -> None:
    """Kicks, punches and reaches, high and low: doubtful at worst."""
    for pattern in ("kicks/kick_74*", "punches/punch_*", "reaches/*"):
        clips = [annotate(load(file).resampled(30)) for file in sorted((mocap / "actions").glob(pattern))]
        for n, clip in enumerate(clips[1:]):
            assert _verdict(clips[n], clip) is not Verdict.UNFIT


def test_a_verdict_says_that_there_are_no_plants() -> None:
    clips = [annotate(walk(speed=speed, duration=2.0, fps=30).clip) for speed in (1.2, 1.4)]
    assert NO_PLANTS not in register(clips).report.reason
    report = register([replace(clip, constraints=()) for clip in clips]).report
    assert report.reason.endswith(f"; {NO_PLANTS}")
    assert NO_PLANTS in str(report)
