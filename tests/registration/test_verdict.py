from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from motionloom.annotation import annotate
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.registration import register
from motionloom.registration.verdict import NO_PLANTS, REMEDIES, Cause, Evidence, MirrorMatch, Verdict, judge
from motionloom.synthesis import jog, stand, turn_in_place, walk

FINE = Evidence(rivals=0.1, distortion=0.0, saturation=0.1, n_matches=4, n_odd=0)


@pytest.mark.parametrize(
    ("changes", "verdict", "cause", "figure"),
    [
        ({}, Verdict.GOOD, Cause.ALIKE, "10 % of other moments"),
        ({"rivals": 0.3}, Verdict.DOUBTFUL, Cause.AMBIGUOUS, "30 % of other moments"),
        ({"rivals": 0.5}, Verdict.DOUBTFUL, Cause.AMBIGUOUS, "50 % of other moments"),
        ({"relative_distance": 0.9}, Verdict.GOOD, Cause.ALIKE, "10 % of other moments"),
        ({"relative_distance": 1.5}, Verdict.GOOD, Cause.ALIKE, "10 % of other moments"),
        ({"relative_distance": 0.9, "rivals": 0.26}, Verdict.DOUBTFUL, Cause.UNLIKE, "differ 0.9 times"),
        ({"relative_distance": 1.5, "rivals": 0.26}, Verdict.DOUBTFUL, Cause.UNLIKE, "differ 1.5 times"),
        ({"relative_distance": 1.5, "rivals": 0.4}, Verdict.UNFIT, Cause.DIFFERENT, "differ 1.5 times"),
        ({"relative_distance": 4.5}, Verdict.UNFIT, Cause.DIFFERENT, "differ 4.5 times"),
        ({"relative_distance": 9, "loops": True}, Verdict.DOUBTFUL, Cause.UNLIKE, "differ 9 times"),
        (
            {"relative_distance": 9, "loops": True, "rivals": 0.4},
            Verdict.UNFIT,
            Cause.DIFFERENT,
            "differ 9 times",
        ),
        ({"relative_distance": 5, "speed_similarity": 0.5}, Verdict.DOUBTFUL, Cause.UNLIKE, "differ 5 times"),
        (
            {"relative_distance": 5, "speed_similarity": 0.5, "saturation": 0.7},
            Verdict.UNFIT,
            Cause.DIFFERENT,
            "differ 5 times",
        ),
        (
            {"relative_distance": 5, "speed_similarity": 0.5, "n_odd": 2},
            Verdict.UNFIT,
            Cause.DIFFERENT,
            "differ 5 times",
        ),
        ({"speed_similarity": 0.1}, Verdict.GOOD, Cause.ALIKE, "10 % of other moments"),
        ({"opposite": 0.9}, Verdict.UNFIT, Cause.OPPOSITE, "at 90 % of corresponding moments"),
        ({"distortion": 0.4}, Verdict.DOUBTFUL, Cause.UNEVEN, "on 40 % of the curve"),
        ({"distortion": 0.6}, Verdict.UNFIT, Cause.EXTRA, "on 60 % of the curve"),
        ({"distortion": 0.6, "loops": True}, Verdict.DOUBTFUL, Cause.UNEVEN, "on 60 % of the curve"),
        (
            {"relative_distance": 9, "rivals": 0.5, "held": True},
            Verdict.DOUBTFUL,
            Cause.HELD,
            "differ 9 times",
        ),
        ({"mirror": MirrorMatch(suspect=True)}, Verdict.DOUBTFUL, Cause.SIDES, "at many moments the mirror"),
        ({"mirror": MirrorMatch(True, True)}, Verdict.UNFIT, Cause.MIRRORED, "corresponds as well"),
        ({"saturation": 0.7}, Verdict.DOUBTFUL, Cause.STRAINED, "70 % of the time alignment"),
        (
            {"n_odd": 5},
            Verdict.DOUBTFUL,
            Cause.PLANTS,
            "5 constraints are unmatched or split against 4 matches",
        ),
    ],
)
def test_verdicts_rest_on_evidence(
    changes: dict[str, object], verdict: Verdict, cause: Cause, figure: str
) -> None:
    found = judge(replace(FINE, **changes))  # type: ignore[arg-type]
    assert (found.verdict, found.cause) == (verdict, cause)
    assert figure in found.figure


def test_every_cause_but_a_good_match_has_a_remedy() -> None:
    assert set(REMEDIES) == set(Cause) - {Cause.ALIKE}


def test_a_report_says_level_reason_and_remedy_and_keeps_the_figure_aside() -> None:
    report = register([walk(duration=2.5).clip, jog(duration=2.5).clip]).report
    assert report.verdict is Verdict.GOOD
    assert str(report) == f"good match: {Cause.ALIKE.value}"
    assert "%" in report.figure
    doubtful = replace(report, verdict=Verdict.DOUBTFUL, cause=Cause.AMBIGUOUS)
    assert doubtful.remedy.arguments == ("pins",)
    assert str(doubtful) == f"doubtful match: {Cause.AMBIGUOUS.value}; {doubtful.remedy}"


def test_a_report_of_0_1_gives_its_reason_in_figures() -> None:
    report = register([walk(duration=2.5).clip, jog(duration=2.5).clip]).report
    old = replace(report, cause=None, verdict=Verdict.DOUBTFUL, figure="30 % of other moments")
    assert old.reason == "30 % of other moments"
    assert old.remedy


def _verdict(a: Clip, b: Clip) -> Verdict:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return register([a, b]).report.verdict


def _captured(mocap: Path, pattern: str) -> Clip:
    return annotate(load_clip(next(mocap.glob(pattern))).resampled(30))


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
    clip = load_clip(next(mocap.glob(pattern))).resampled(30)
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
        clips = [
            annotate(load_clip(file).resampled(30)) for file in sorted((mocap / "actions").glob(pattern))
        ]
        for n, clip in enumerate(clips[1:]):
            assert _verdict(clips[n], clip) is not Verdict.UNFIT


def test_a_verdict_says_that_there_are_no_plants() -> None:
    clips = [annotate(walk(speed=speed, duration=2.0, fps=30).clip) for speed in (1.2, 1.4)]
    assert NO_PLANTS not in register(clips).report.notes
    report = register([replace(clip, constraints=()) for clip in clips]).report
    assert NO_PLANTS in report.notes
