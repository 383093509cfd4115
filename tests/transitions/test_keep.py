"""How much of the clips plays: each example of 0.1 that lost motion is a test."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.quality import copy_error
from motionloom.synthesis import jog, kick, punch, sneak, walk
from motionloom.transitions import TransitionMethod, concatenate, transition
from motionloom.transitions.request import check_keep
from tests.conftest import NO_MOCAP, captured
from tests.transitions.motions import METHODS, jog_cycle, jogging, walk_cycle, walking

pytestmark = pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")


@cache
def take(name: str) -> Clip:
    """A captured take at 30 frames per second."""
    found = captured(f"{name}*.bvh")
    if not found:
        pytest.skip(NO_MOCAP)
    return annotate(load_clip(found[0]).resampled(30.0))


WALK = "locomotion/s16/walk_straight_"


@pytest.mark.parametrize(
    ("name", "was"), [("actions/acrobatics/cartwheel_", 0.04), ("actions/punches/punch_high1", 0.07)]
)
def test_an_action_that_leads_to_a_walk_is_kept(name: str, was: float) -> None:
    """0.1 left the cartwheel after 4 % of it, and the punch at once."""
    result = transition(take(name), take(WALK))
    assert result.report.kept[0] >= 0.75
    assert result.report.alone[0] > 0.45 > was


def test_a_clip_to_itself_plays_it_twice() -> None:
    """0.1 returned the clip."""
    clip = take(WALK)
    result = transition(clip, clip)
    assert result.clip.n_frames > 1.25 * clip.n_frames
    assert min(result.report.kept) >= 0.75


def test_an_action_between_walks_plays() -> None:
    """0.1 left five frames of the kick."""
    walking, kicking = take(WALK), take("actions/kicks/kick_74_03")
    result = concatenate([walking, kicking, walking])
    alone = int((result.weights[:, 1] == 1.0).sum())
    assert alone > 0.5 * kicking.n_frames
    assert result.report.alone[1] == pytest.approx(alone / kicking.n_frames, abs=0.02)
    assert min(result.report.kept) >= 0.75


def test_gaits_of_different_posture_are_not_narrowed_to_a_third_of_a_second() -> None:
    """0.1 made run to sneak in 0.33 s, because the postures differ. Their strikes correspond."""
    run, sneaking = (take(f"locomotion/s139_sneak/{name}_straight_") for name in ("run", "sneak"))
    first, last = transition(run, sneaking).report.seams
    assert (last - first) / 30.0 >= 0.5


@pytest.mark.parametrize("method", METHODS)
def test_the_second_clip_follows_late_in_the_first(method: TransitionMethod) -> None:
    result = transition(walking(), jogging(), method=method)
    assert min(result.report.kept) >= 0.75


# A fraction, and all


@pytest.mark.parametrize("keep", [0.8, 0.95])
def test_a_stated_fraction_plays(keep: float) -> None:
    result = transition(walking(), jogging(), keep=keep, half_width=0.4)
    assert min(result.report.kept) > keep - 0.02


def test_a_stated_fraction_counts_more_than_how_well_the_clips_fit() -> None:
    """A registration that skipped 16 % of the walk was preferred to a fade that kept what was asked for."""
    jog_clip, walk_clip = (annotate(make(duration=3.0, fps=30).clip) for make in (jog, walk))
    result = transition(jog_clip, walk_clip, keep=0.95)
    assert min(result.report.kept) > 0.94


def test_a_fraction_that_cannot_play_is_a_doubt_or_refused() -> None:
    """Of 16 frames, 0.00 s of motion were said to be missing."""
    result = transition(walking()[:14], walking(), keep=0.99)
    assert result.report.kept[0] < 0.95
    assert result.report.doubts[0].endswith("less of a clip plays than was asked for")
    with pytest.raises(ParameterError, match="keeps 99 % of both clips: keep less"):
        transition(walking()[:16], walking(), keep=0.99)


@pytest.mark.parametrize("method", ["registration", "linear"])
def test_all_of_both_clips_plays(method: TransitionMethod) -> None:
    a, b = walking(), jogging()
    result = transition(a, b, keep="all", method=method)
    first, last = map(int, result.report.seams)
    np.testing.assert_allclose(result.report.kept, 1.0, atol=1e-9)
    assert result.frames[last, 0] == pytest.approx(a.n_frames - 1)
    assert result.frames[first, 1] == pytest.approx(0.0)
    assert copy_error(result.clip, a, np.arange(first + 1.0)) < 1e-9
    assert copy_error(result.clip, b, result.frames[last:, 1], start=last) < 1e-9
    assert (np.diff(result.frames, axis=0) >= -1e-9).all()
    # Time passes at the clips' own rates where they play alone, and nearly so in between.
    assert 0.4 < np.diff(result.frames[first : last + 1], axis=0).max() < 2.5


@pytest.mark.parametrize("method", ["inertialize", "dead"])
def test_methods_that_switch_lose_one_frame_of_all(method: TransitionMethod) -> None:
    result = transition(walking(), jogging(), keep="all", method=method)
    assert min(result.report.kept) > 0.98


def test_all_of_three_clips_plays() -> None:
    result = concatenate([walking(), jogging(), walking()], keep="all")
    np.testing.assert_allclose(result.report.kept, 1.0, atol=1e-6)


def test_all_of_a_loop_between_two_clips_plays() -> None:
    """The step from its last frame back to its first is not missing: a loop that plays once has none."""
    result = concatenate([walking(), walk_cycle(), walking()], method="overlap", overlap=(0.3, 0.3))
    np.testing.assert_allclose(result.report.kept, 1.0, atol=1e-9)


def test_nothing_need_be_kept() -> None:
    """The best match wherever it is, as in 0.1: a clip meets itself at the same frame."""
    result = transition(walking(), walking(), keep=0)
    ((i, j),) = result.report.centres
    assert abs(i - j) < 1.5


def test_loops_repeat_and_are_kept() -> None:
    result = transition(walk_cycle(), jog_cycle(), loop=True)
    assert max(result.report.kept) <= 1.0
    assert min(result.report.kept) > 0.5


def test_the_report_says_what_is_kept_and_why_a_join_is_doubtful() -> None:
    result = transition(annotate(kick(fps=30).clip), annotate(punch(fps=30).clip))
    assert result.report.notes[-1].startswith("of clip 0, ")
    assert result.report.notes[-1].endswith(" %")
    assert len(result.report.doubts) == 1
    smooth = transition(walking(), jogging())
    assert smooth.report.doubts == ("",)
    assert smooth.report.fallbacks == ()


@pytest.mark.parametrize(("keep", "fraction"), [(None, None), ("all", 1.0), (0, 0.0), (0.9, 0.9)])
def test_what_may_be_kept(keep: float | None, fraction: float | None) -> None:
    assert check_keep(keep) == fraction


# Chains


def test_the_join_that_fails_is_named() -> None:
    short = walking()[:6]
    with pytest.raises(ParameterError, match=r"^from clip 1 to clip 2: a transition of .* does not fit"):
        concatenate([walking(), jogging(), short])
    with pytest.raises(
        ParameterError, match=r"^from clip 1 to clip 2: at names frame 900 of the second clip"
    ):
        concatenate([walking(), jogging(), walking()], at=[None, (60, 900)])
    with pytest.raises(ParameterError, match=r"^from clip 1 to clip 2: an overlap of 0\.8 s does not fit"):
        concatenate([walking(), jogging(), short], method="overlap", overlap=(0.8, 0.8))


def test_clips_of_several_bodies_follow_each_other() -> None:
    """0.1 compared arrays with None: three clips of two bodies were refused with a traceback."""
    result = concatenate([take(WALK), take("actions/kicks/kick_74_05"), take(WALK)], half_width=0.2)
    assert result.clip.translations is None
    assert result.clip.skeleton == take(WALK).skeleton
    assert len(result.report.seams) == 4


@pytest.mark.parametrize("options", [{}, {"method": "overlap", "overlap": (0.5, 0.5)}])
def test_feet_are_planted_on_request(options: dict[str, object]) -> None:
    clips = [walking(), annotate(sneak(duration=3.0, fps=30).clip), walking()]
    plain = concatenate(clips, **options)  # type: ignore[arg-type]
    planted = concatenate(clips, plant=True, **options)  # type: ignore[arg-type]
    assert planted.report.seams == plain.report.seams
    assert all(constraint.target is not None for constraint in planted.clip.constraints)
