from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate, strikes
from motionloom.annotation.labels import STRIKE
from motionloom.cycles.match_strides import match_strides
from motionloom.errors import ParameterError
from motionloom.motion import Event
from motionloom.synthesis import jog, kick, sneak, walk
from tests.refusals import refused


def test_bad_calls_are_refused() -> None:
    walked = annotate(walk(duration=4).clip)
    with pytest.raises(ParameterError, match="match_strides takes at least one clip"):
        match_strides([])
    with refused("strides", 0):
        match_strides([walked], strides=0)
    with refused("strides", 1.5):
        match_strides([walked], strides=1.5)  # type: ignore[arg-type]
    with pytest.raises(
        ParameterError, match="9 strides are asked for, but from one phase on all clips have only 3"
    ):
        match_strides([walked], strides=9)


def test_clips_without_a_gait_are_named() -> None:
    walked = annotate(walk(duration=4).clip)
    bare = walk(duration=4).clip
    file = replace(bare, source=replace(bare.source, path="takes/walk_07.bvh"))
    with pytest.raises(
        ParameterError,
        match=r"no gait was found in clip 1 \(walk_07\): it has 0 strikes and needs 3: annotate",
    ):
        match_strides([walked, file])
    with pytest.raises(ParameterError, match="no gait was found in clip 1"):
        match_strides([walked, annotate(kick().clip)])


def test_whoever_stands_before_walking_is_cut_to_the_walk() -> None:
    walked = annotate(walk(duration=4, fps=30).clip)
    n_still = 90
    stood = replace(
        walked,
        root_positions=np.concatenate(
            [np.repeat(walked.root_positions[:1], n_still, axis=0), walked.root_positions]
        ),
        rotations=np.concatenate([np.repeat(walked.rotations[:1], n_still, axis=0), walked.rotations]),
        constraints=(),
        events=tuple(event.retimed(1.0, n_still) for event in walked.events),
    )
    # Of one stride, those in which nothing moves would be as even as any.
    cut = match_strides([stood], strides=1)[0].report
    assert cut.start >= n_still - 1


def test_the_reason_is_given_where_an_annotated_clip_shows_no_gait() -> None:
    clip = walk(duration=4).clip
    hopping = replace(clip, events=tuple(Event(frame, STRIKE, "LeftFoot") for frame in (10, 40, 70)))
    nameless = replace(hopping, source=replace(clip.source, path=""))
    with pytest.raises(
        ParameterError,
        match=r"in clip 0: the left foot strikes twice in a row, at frames 10\.0 and 40\.0; drop",
    ):
        match_strides([nameless])


def test_clips_may_come_from_a_generator() -> None:
    walked = annotate(walk(duration=4).clip)
    assert len(match_strides(clip for clip in (walked, walked))) == 2


def test_one_stride_by_hand() -> None:
    """A walk that begins half a cycle late is cut where its phase comes round to the same strike again."""
    motion = walk(speed=1.4, duration=4.0, fps=60, phase=0.5)
    (kept,) = match_strides([annotate(motion.clip)], strides=2)
    cut = kept.report
    cycles = motion.phase[cut.end] - motion.phase[cut.start]
    assert cycles == pytest.approx(2.0, abs=0.02)
    assert kept.clip.n_frames == cut.end - cut.start + 1
    assert cut.seconds_before == pytest.approx(cut.start / 60)


@pytest.mark.slow
@pytest.mark.parametrize("phase", [0.0, 0.2, 0.45, 0.5, 0.8])
def test_different_first_feet_end_on_one_phase(phase: float) -> None:
    motions = [
        walk(duration=5, fps=60),
        jog(duration=4, fps=60, phase=phase),
        sneak(duration=8, fps=60, phase=0.3),
    ]
    kept = match_strides([annotate(motion.clip) for motion in motions])
    starts = [motion.phase[clip.report.start] % 1.0 for motion, clip in zip(motions, kept, strict=True)]
    apart = np.abs(np.exp(2j * np.pi * np.array(starts)) - np.exp(2j * np.pi * starts[0]))
    assert apart.max() / (2 * np.pi) < 0.03
    assert len({clip.report.strides for clip in kept}) == 1
    assert len({tuple(strike.side for strike in strikes(clip.clip)) for clip in kept}) == 1


def test_events_at_the_cuts_are_kept() -> None:
    (kept,) = match_strides([annotate(walk(duration=4, fps=30).clip)])
    assert kept.report.event in ("left strike", "right strike")
    frames = [strike.frame for strike in strikes(kept.clip)]
    assert frames[0] == 0.0
    assert frames[-1] == kept.clip.n_frames - 1


def test_the_most_even_strides_are_kept(mocap: Path) -> None:
    """A sneak that pauses once keeps the stride without the pause."""
    clip = annotate(ml.load(next((mocap / "locomotion/s139_sneak").glob("sneak_straight*"))).resampled(30))
    (kept,) = match_strides([clip], strides=1)
    assert kept.clip.duration < 1.5


def test_nine_clips_share_a_stride(mocap: Path) -> None:
    """No strike is shared by the nine short clips of subject 16; another phase of the gait is."""
    names = [f"{gait}_{way}_*" for gait in ("walk", "jog", "run") for way in ("straight", "left", "right")]
    clips = [annotate(ml.load(next((mocap / "locomotion/s16").glob(name))).resampled(30)) for name in names]
    kept = match_strides(clips)
    assert {clip.report.strides for clip in kept} == {1}
    assert {clip.report.event for clip in kept} == {kept[0].report.event}
    assert all(clip.clip.n_frames >= 16 for clip in kept)


@pytest.mark.parametrize("take", ["143/143_01", "104/104_55", "39/39_14"])
def test_no_strike_is_invented_in_mid_swing(mocap: Path, take: str) -> None:
    """Beyond the last strike the phase goes on evenly; where the foot still swings there, nothing strikes."""
    captured = annotate(ml.load(mocap / f"library/{take}.bvh"))
    (kept,) = match_strides([captured])
    start = kept.report.start
    known = [strike.frame - start for strike in strikes(captured)]
    speeds = np.linalg.norm(np.gradient(kept.clip.world_positions(), axis=0), axis=-1) / kept.clip.frame_time
    for event in (event for event in kept.clip.events if event.label == "strike"):
        ankle = speeds[min(round(event.frame), kept.clip.n_frames - 1), kept.clip.skeleton.index(event.joint)]
        near = min(abs(frame - event.frame) for frame in known) * kept.clip.frame_time
        assert near < 0.1 or ankle < 1.0
