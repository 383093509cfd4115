from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate, strikes
from motionloom.arrays import FloatArray
from motionloom.cycles import match_strides
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.files.normalize import scale_clip
from motionloom.geometry import GroundTransform
from motionloom.registration import Cause, Verdict, register
from motionloom.synthesis import biped, jog, kick, sneak, stand, turn_in_place, turn_walk, walk
from tests.figures import smooth_clip
from tests.refusals import refused
from tests.registration.nine_clips import GAITS, nine_files


def walks(*speeds: float) -> list[ml.Clip]:
    return [annotate(walk(speed=speed, duration=3.0, fps=30).clip) for speed in speeds]


def warped(clip: ml.Clip, frames: FloatArray) -> ml.Clip:
    """The clip played at other moments: frame n shows the fractional frame ``frames[n]``."""
    poses = clip.at(frames)
    return replace(
        clip, root_positions=poses.root_positions, rotations=poses.rotations, constraints=(), events=()
    )


def test_bad_calls_are_refused() -> None:
    clip = smooth_clip(10)
    with pytest.raises(ParameterError, match="registering takes two clips or more, not 1"):
        register([clip])
    with pytest.raises(ParameterError, match="clip 1 has 1 frame: clips to register need two or more"):
        register([clip, clip[:1]])
    slow = walk(duration=2.0, fps=24).clip
    with pytest.raises(ParameterError, match="clip 0 has 1 frame at the 24 frames per second of the slowest"):
        register([walk(fps=30).clip[:2], slow])
    with pytest.raises(
        ParameterError, match="profile must be one of 'default', 'paper', 'thesis', not 'fast'"
    ):
        register([clip, clip], profile="fast")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'slope'"):
        register([clip, clip], slope=2)  # type: ignore[call-arg]
    with refused("reference", 5):
        register([clip, clip], reference=5)
    with refused("alignment", "fast"):
        register([clip, clip], alignment="fast")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="smoothing is the odd width of a median filter"):
        register([clip, clip], smoothing=2)


@pytest.mark.parametrize(
    ("clips", "message"),
    [
        ("a.bvh", "clips must be a list of loaded clips, not 'a.bvh': use motionloom.load first"),
        (["a.bvh", "b.bvh"], "clip 0 is the file name 'a.bvh': load it first with motionloom.load"),
        (
            [smooth_clip(5), Path("b.bvh")],
            "clip 1 is the file name 'b.bvh': load it first with motionloom.load",
        ),
        (smooth_clip(5), "clips must be a list of two clips or more, not a single clip"),
        ([smooth_clip(5), 7], "clip 1 must be a Clip or a PointClip, not int"),
        (None, "clips must be a list of clips, not None"),
    ],
)
def test_what_is_no_list_of_clips_is_refused_in_a_sentence(clips: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        register(clips)


def test_none_takes_the_profiles_value_and_joints_can_be_asked_for() -> None:
    clips = walks(1.1, 1.5)
    assert register(clips, profile="thesis", slope_limit=3, window=None).settings.window == 1 / 30
    assert register(clips, profile="paper", points="joints").settings.points is None


def test_other_skeletons_are_refused_with_what_differs() -> None:
    other = replace(smooth_clip(10), skeleton=replace(smooth_clip(10).skeleton, names=("a", *"bcdef")))
    with pytest.raises(
        ParameterError, match=r"clips 0 and 1 have different skeletons: .* is in one of them only"
    ):
        register([smooth_clip(10), other])


def test_lengths_that_do_not_fit_are_explained() -> None:
    clip = walk(duration=2, fps=30).clip
    with pytest.raises(ParameterError, match="slope limit of at least"):
        register([clip, clip[:12]], start=(0, 0), end=(60, 11))


def test_a_clip_with_itself_is_the_identity() -> None:
    (clip,) = walks(1.3)
    curve = register([clip, clip])
    u = np.linspace(*curve.domain, 50)
    frames = curve.timewarp(u)
    assert frames[:, 0] == pytest.approx(frames[:, 1], abs=1e-9)
    assert frames[[0, -1], 0] == pytest.approx([0, clip.n_frames - 1], abs=1e-9)
    assert curve.alignment(u)[:, 1] == pytest.approx(np.zeros((50, 3)), abs=1e-9)
    assert curve.report.verdict is Verdict.GOOD
    assert curve.report.mean_distance == pytest.approx(0.0, abs=1e-6)
    assert len(curve.matches) == len(clip.constraints)
    assert curve.report.unmatched == ()


@pytest.mark.parametrize("strength", [0.3, 0.6])
def test_a_known_warp_is_recovered(strength: float) -> None:
    """Half a frame on average and two at most, for rates between a half and twice the clip's own."""
    clip = walk(speed=1.3, duration=4, fps=30).clip
    last = clip.n_frames - 1
    t = np.arange(last + 1.0)
    frames = t + strength * last / (4 * np.pi) * np.sin(2 * np.pi * t / last * 2)
    curve = register([clip, warped(clip, np.clip(frames, 0, last))])
    u = np.linspace(*curve.domain, 300)
    source, other = curve.timewarp(u).T
    truth = np.interp(other, t, frames)
    errors = np.abs(source - truth)
    assert errors.mean() < 0.5
    assert errors.max() < 2.0


def test_swapping_the_clips_swaps_the_curve() -> None:
    a, b = walks(1.1, 1.6)
    one, two = register([a, b]), register([b, a])
    assert one.domain == two.domain
    u = np.linspace(*one.domain, 60)
    assert one.timewarp(u) == pytest.approx(two.timewarp(u)[:, ::-1], abs=1e-6)
    assert one.clips[one.reference].n_frames == two.clips[two.reference].n_frames


def test_moving_clips_on_the_ground_changes_nothing_but_the_alignment() -> None:
    a, b = walks(1.1, 1.6)
    there = GroundTransform(2.0, 30.0, -50.0)
    still, moved = register([a, b], reference=0), register([a, b.placed(there)], reference=0)
    u = np.linspace(*still.domain, 60)
    assert moved.timewarp(u) == pytest.approx(still.timewarp(u), abs=1e-6)
    for one in u[::10]:
        same = moved.alignment.transform(one, 1) @ there
        assert (same.x, same.z) == pytest.approx(
            (still.alignment.transform(one, 1).x, still.alignment.transform(one, 1).z), abs=1e-6
        )
    assert len(moved.matches) == len(still.matches)
    for one_match, other in zip(moved.matches, still.matches, strict=True):
        assert one_match.spans == pytest.approx(other.spans, abs=1e-6)


@pytest.mark.slow
def test_the_order_of_clips_changes_nothing() -> None:
    clips = walks(1.0, 1.3, 1.6)
    first = register(clips)
    for order in itertools.permutations(range(3)):
        other = register([clips[k] for k in order])
        assert order[other.reference] == first.reference
        u = np.linspace(*first.domain, 40)
        assert other.timewarp(u) == pytest.approx(first.timewarp(u)[:, list(order)], abs=1e-6)
        assert len(other.matches) == len(first.matches)


def test_rates_are_brought_together_and_said() -> None:
    a, b = walk(duration=2, fps=60).clip, walk(duration=2, fps=30).clip
    curve = register([a, b])
    assert [clip.fps for clip in curve.clips] == [30.0, 30.0]
    assert curve.report.notes[0] == "clip 0 was resampled from 60 to 30 frames per second"


def test_cycles_among_other_clips_are_noted() -> None:
    one, two = walks(1.2, 1.3)
    notes = register([one, replace(two, cyclic=True)]).report.notes
    assert notes == ("some of the clips are cyclic and some are not: all were registered from end to end",)


@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_a_much_shorter_clip_is_stretched_and_said() -> None:
    slow = sneak(speed=0.4, duration=6, fps=30, phase=0.0)
    fast = jog(speed=3.5, duration=1.5, fps=30, phase=0.0)
    cut = match_strides([annotate(slow.clip), annotate(fast.clip)], strides=1)
    assert cut[0].clip.n_frames > 2 * cut[1].clip.n_frames
    curve = register(cut)
    assert "stretched to one length before time alignment" in curve.report.notes[0]
    assert curve.timewarp(curve.domain[1]) == pytest.approx([clip.clip.n_frames - 1 for clip in cut])


def test_clips_that_do_not_belong_together_warn() -> None:
    clips = [annotate(walk(duration=2, fps=30).clip), annotate(kick(style="high", fps=30).clip)]
    with pytest.warns(RegistrationWarning, match="doubtful match|no match"):
        curve = register(clips)
    assert curve.report.verdict is not Verdict.GOOD


@pytest.mark.parametrize("profile", ["paper", "thesis"])
def test_the_papers_own_settings_work(profile: str) -> None:
    clips = walks(1.1, 1.5)
    curve = register(clips, profile=profile)  # type: ignore[arg-type]
    u = np.linspace(*curve.domain, 200)
    assert (curve.timewarp.derivative(u) > 0).all()
    assert curve.settings.points == 40


@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_free_ends_stay_inside_the_clips() -> None:
    a, b = walks(1.2, 1.6)
    curve = register([a, b], start="free", end="free")
    for k, clip in enumerate(curve.clips):
        first, last = curve.spans[:, k]
        assert first >= 0.0
        assert last <= clip.n_frames - 1


def test_walks_that_start_on_different_feet_are_doubted() -> None:
    clips = [annotate(walk(duration=3, fps=30, phase=phase).clip) for phase in (0.0, 0.5)]
    with pytest.warns(RegistrationWarning, match="doubtful match"):
        assert register(clips).report.cause is Cause.UNEVEN


def test_a_still_clip_with_itself_is_the_identity() -> None:
    clip = stand(duration=2, fps=30).clip
    still = replace(
        clip,
        rotations=clip.rotations[:1].repeat(60, axis=0),
        root_positions=clip.root_positions[:1].repeat(60, axis=0),
    )
    frames = register([still, still]).timewarp(np.linspace(0, 59, 30))
    assert frames[:, 0] == pytest.approx(frames[:, 1], abs=1e-9)


def test_bodies_that_differ_are_noted_or_refused() -> None:
    clip = walk(duration=2, fps=30).clip
    larger = scale_clip(clip, 1.2)
    assert "the body of clip 1 is 1.20 times as large" in register([clip, larger]).report.notes[0]
    with pytest.raises(ParameterError, match=r"the body of clip 1 is 100 times as large as that of clip 0"):
        register([clip, scale_clip(clip, 100.0)])
    parents = np.array(clip.skeleton.parents)
    parents[-1] = 0
    moved = replace(clip, skeleton=replace(clip.skeleton, parents=parents))
    mapped = "clip 1 has another skeleton than clip 0 and was retargeted to it: 21 of 22 joints follow"
    assert register([clip, moved]).report.notes[0] == mapped


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"window": -1}, "window must be from 0 to 2 seconds, not -1"),
        ({"slope_limit": "3"}, "slope_limit must be a whole number of at least 1, not '3'"),
        ({"points": 1.5}, "points must be a whole number from 1 to 100000, not 1.5"),
        ({"pins": 3}, "pins must be a list with one frame per clip each, .* not 3"),
        ({"pins": [(1.5, 2)]}, r"pins takes one whole frame per clip, such as .*, not \(1.5, 2\)"),
        ({"pins": (30, 25)}, "pins takes one whole frame per clip, such as .*, not 30"),
        ({"events": "strike"}, r"events must be a list of labels, not 'strike': write \['strike'\]"),
        ({"joint_weights": 3}, "joint_weights must map joint names to numbers, not 3"),
        ({"fit": "exactly"}, "fit must be one of 'exact', 'nudge', 'appendix', not 'exactly'"),
        ({"start": "banana"}, "start must be 'auto', 'corners', 'free' or one frame per clip"),
        ({"reference": True}, "reference must be a whole number of at least 0, not True"),
    ],
)
def test_bad_settings_are_named(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        register(walks(1.2, 1.3), **changes)  # type: ignore[arg-type]


def test_points_register_like_joints() -> None:
    clips = walks(1.2, 1.5)
    points = [ml.PointClip(clip.skeleton.names, clip.frame_time, clip.world_positions()) for clip in clips]
    curve = register(points)
    assert curve.matches == ()
    joints = register(clips, events=())
    frames = np.linspace(5, 80, 20)
    here = curve.timewarp(curve.timewarp.inverse(0, frames))[:, 1]
    there = joints.timewarp(joints.timewarp.inverse(0, frames))[:, 1]
    assert np.abs(here - there).max() < 2.0
    with pytest.raises(
        ParameterError, match="clips with a skeleton and clips of points cannot be registered"
    ):
        register([clips[0], points[1]])  # type: ignore[arg-type]


def test_pins_are_passed() -> None:
    a, b = walks(1.2, 1.4)
    curve = register([a, b], pins=[(40, 38)], events=())
    assert float(curve.timewarp(curve.timewarp.inverse(0, 40.0))[1]) == pytest.approx(38.0, abs=1.5)


@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_events_hold_the_curve_only_from_end_to_end() -> None:
    """Where the caller says what corresponds, events that disagree do not pull the curve away."""
    a, b = walks(1.2, 1.4)
    late = replace(a, events=tuple(replace(event, frame=event.frame + 6.0) for event in a.events))
    frames = np.linspace(10, 70, 30)
    for places in ({"pins": [(40, 38)]}, {"start": (2, 2), "end": (80, 76)}):
        true, misled = (register([clip, b], **places) for clip in (a, late))
        maps = [curve.timewarp(curve.timewarp.inverse(0, frames))[:, 1] for curve in (true, misled)]
        assert maps[0] == pytest.approx(maps[1], abs=1e-9)
    held = register([late, b])
    assert np.abs(held.timewarp(held.timewarp.inverse(0, frames))[:, 1] - maps[0]).max() > 3.0


def test_stand_and_turn_in_place_align_without_a_spike() -> None:
    """The yaw follows the turn, and no step of it is larger than the turn's own fastest."""
    turning = turn_in_place(turn=np.pi / 2, duration=2.0, fps=30).clip
    still = stand(duration=2.0, fps=30).clip
    with pytest.warns(RegistrationWarning):
        curve = register([annotate(still), annotate(turning)], reference=0)
    yaws = curve.alignment(np.linspace(*curve.domain, 200))[:, 1, 0]
    assert yaws[-1] - yaws[0] == pytest.approx(-np.pi / 2, abs=0.1)
    assert np.abs(np.diff(yaws)).max() < 0.06


@pytest.mark.parametrize("turn", [np.pi / 2, np.pi])
def test_straight_and_sharply_turning_walks_align_without_a_spike(turn: float) -> None:
    straight, turned = walk(duration=5, fps=30).clip, turn_walk(turn=turn, duration=5, fps=30).clip
    clips = match_strides([annotate(straight), annotate(turned)])
    curve = register(clips, reference=0)
    u = np.linspace(*curve.domain, 400)
    yaws = curve.alignment(u)[:, 1, 0]
    assert abs(yaws[-1] - yaws[0]) == pytest.approx(turn, abs=0.25)
    assert np.abs(np.diff(yaws)).max() < 0.08
    # The turned walk, put on the straight one, follows it: the frames that correspond lie on each other.
    gaps = [
        np.linalg.norm(
            curve.alignment.transform(one, 1).apply(clips[1].clip.at(frames[1]).root_positions)
            - clips[0].clip.at(frames[0]).root_positions
        )
        for one, frames in zip(u[::40], curve.timewarp(u[::40]), strict=True)
    ]
    assert max(gaps) < 0.12


@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_curves_join_through_a_shared_clip() -> None:
    slow, middle, fast = walks(1.0, 1.3, 1.6)
    joined = register([slow, middle]).then(register([middle, fast]))
    direct = register([slow, middle, fast])
    assert joined.n_clips == 3
    frames = np.linspace(5, 80, 20)
    here = joined.timewarp(joined.timewarp.inverse(0, frames))[:, 2]
    there = direct.timewarp(direct.timewarp.inverse(0, frames))[:, 2]
    assert np.abs(here - there).max() < 3.0
    with pytest.raises(ParameterError, match="through the one clip they share: these share 0"):
        register([slow, middle]).then(register([fast, fast.mirrored()]))


def test_long_clips_go_window_by_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("motionloom.registration.pair_alignment.MAX_GRID", 1000)
    curve = register(walks(1.2, 1.5))
    assert "aligned window by window" in curve.report.notes[0]
    assert (curve.timewarp.derivative(np.linspace(*curve.domain, 100)) > 0).all()


def test_progress_counts_pairs() -> None:
    seen: list[tuple[int, int]] = []
    register(walks(1.0, 1.2, 1.4), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_a_skeleton_shared_by_synthesis_is_the_biped() -> None:
    assert all(clip.skeleton == biped() for clip in register(walks(1.1, 1.2)).clips)


@pytest.mark.parametrize("name", GAITS)
@pytest.mark.parametrize("fps", [30, 120])
@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_nine_captured_clips_correspond_strike_by_strike(mocap: Path, name: str, fps: int) -> None:
    """Strike i after the common start is strike i in every clip, within two frames at 30 Hz for 95 %."""
    files = nine_files(mocap, name)
    clips = match_strides([annotate(ml.load(path).resampled(fps)) for path in files])
    curve = register(clips)
    errors = []
    for a, b in itertools.permutations(range(9), 2):
        here, there = strikes(clips[a].clip), strikes(clips[b].clip)
        assert [strike.side for strike in here] == [strike.side for strike in there]
        mapped = curve.timewarp(curve.timewarp.inverse(a, [strike.frame for strike in here]))[:, b]
        errors += np.abs(mapped - [strike.frame for strike in there]).tolist()
    assert len(errors) >= 144
    assert np.mean(np.array(errors) * 30 / fps <= 2.0) >= 0.95


def matched(clips: Sequence[ml.Clip]) -> list[ml.Clip] | None:
    """The clips cut to the same strides, or None where they cannot be.

    One jog brakes with a hop, one run has two strikes only, and some are cut too short for each other.
    """
    try:
        return [own.clip for own in match_strides(clips)]
    except ParameterError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["s16", "turns", "s139_sneak", "speeds", "triples"])
@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_every_captured_pair_gives_an_increasing_curve(mocap: Path, folder: str) -> None:
    """All pairs of a folder after match_strides: strictly increasing, within the rates, exact inverse."""
    clips = [
        annotate(ml.load(path).resampled(30))
        for path in sorted((mocap / "locomotion" / folder).glob("*.bvh"))
    ]
    pairs = [cut for pair in itertools.combinations(clips, 2) if (cut := matched(pair)) is not None]
    assert len(pairs) >= len(clips) - 2
    for pair in pairs:
        curve = register(pair)
        u = np.linspace(*curve.domain, 500)
        rates = curve.timewarp.derivative(u)
        assert (rates > 0).all()
        ratio = rates[:, 0] / rates[:, 1]
        assert min(ratio.min(), (1 / ratio).min()) > 1 / 6 - 1e-6
        for k in (0, 1):
            first, last = curve.spans[:, k].tolist()
            frames = np.linspace(first, last, 100)
            again = curve.timewarp(curve.timewarp.inverse(k, frames))[:, k]
            assert np.abs(again - frames).max() < 1e-9
