from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.blending import KeyedWeights, TransitionWeights, blend
from motionloom.blending.linear import LinearSettings
from motionloom.cycles import match_strides
from motionloom.errors import BlendWarning, ParameterError
from motionloom.files import load_clip
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, PointClip, Skeleton, Source
from motionloom.motion.anatomy import facing
from motionloom.options.blending import Root, Rotations
from motionloom.quality.paths import path_measures
from motionloom.quality.reference_error import copy_error
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import walk
from tests.blending.curves import apart, reordered, two_loops, two_walks
from tests.refusals import refused


@cache
def opposite_arcs() -> RegistrationCurve:
    """Two walks of eight seconds that part until they face away from each other, 417° apart at the end."""
    return register([walk(speed=1.3, curvature=bend, duration=8, fps=30).clip for bend in (0.35, -0.35)])


def turning(angles: FloatArray, channels: tuple[str, ...] = ()) -> Clip:
    """A bone on a root that stays put and turns about the vertical."""
    skeleton = Skeleton(("root", "end"), np.array([-1, 0]), np.array([[0, 1.0, 0], [0, 0, 1.0]]))
    turns = np.tile(rot.IDENTITY, (len(angles), 2, 1))
    turns[:, 1] = rot.from_axis_angle([1, 0, 0], angles)
    source = Source(channels=(channels, channels)) if channels else Source()
    return Clip(skeleton, 0.1, np.tile([0.0, 1.0, 0.0], (len(angles), 1)), turns, source=source)


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(ParameterError, match="rotations of linear blending must be one of 'quaternion'"):
        LinearSettings(rotations="matrix")  # type: ignore[arg-type]
    with refused("method", "cubic"):
        blend(two_walks(), [1, 1], method="cubic")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="omit start and backward"):
        blend(two_walks(), [1, 1], method="linear", start=3.0)
    with refused("duration", -1):
        blend(two_walks(), [1, 1], method="linear", duration=-1)
    markers = [PointClip(("a", "b"), 0.1, np.random.default_rng(1).normal(size=(9, 2, 3)))] * 2
    with pytest.raises(ParameterError, match="it needs clips with a skeleton"):
        blend(register(markers), [1, 1], method="linear")


def test_a_length_that_cannot_be_had_is_said() -> None:
    made = blend(two_loops(), [1, 1], method="linear", duration=5.0)
    (note,) = [note for note in made.report.notes if "lasts" in note]
    assert note.startswith("linear blending ends with one cycle of the shortest clip")
    assert f"lasts {made.clip.duration:.2f} s, not 5 s" in note
    assert not [note for note in blend(two_loops(), [1, 1], method="linear").report.notes if "lasts" in note]


def test_halves_are_for_two_clips() -> None:
    clips = [walk(speed=speed, duration=2, fps=30).clip for speed in (1.0, 1.3, 1.6)]
    halves = LinearSettings(constraints="halves")
    with pytest.raises(ParameterError, match="by halves are for two clips, not 3: use 'heaviest'"):
        blend(register(clips), [1, 1, 1], method="linear", linear=halves)


def test_jumping_weights_are_warned_of_as_ever() -> None:
    with pytest.warns(BlendWarning, match="the weights change by"):
        blend(two_walks(), [[1, 0], [0, 1]], method="linear")


@pytest.mark.parametrize("rotations", get_args(Rotations))
def test_a_quarter_of_the_way_about_one_axis(rotations: Rotations) -> None:
    """About one and the same axis all means but that of quaternions are means of the angle."""
    still, bent = turning(np.zeros(5)), turning(np.full(5, 1.0))
    result = blend(
        register([still, bent]), [3, 1], method="linear", linear=LinearSettings(rotations=rotations)
    )
    found = rot.to_rotation_vector(result.clip.rotations[2, 1])
    exact = 0.25 if rotations != "quaternion" else 2 * np.arctan2(np.sin(0.5), 3 + np.cos(0.5))
    assert found == pytest.approx([exact, 0, 0], abs=1e-9)


def test_euler_angles_are_those_of_the_file_and_run_on() -> None:
    """A turn of 1.5 half turns: its angle runs on past half a turn, and half of it is 0.75."""
    channels = ("Yrotation", "Zrotation", "Xrotation")
    far = turning(np.linspace(0.0, 1.5 * np.pi, 40), channels)
    near = turning(np.zeros(40), channels)
    curve = register([near, far], reference=0)
    result = blend(curve, [1, 1], method="linear", linear=LinearSettings(rotations="euler"))
    last = result.clip.rotations[-1, 1]
    assert np.abs(last @ rot.from_axis_angle([1, 0, 0], 0.75 * np.pi)) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("weights", [(1, 0), (0, 1)])
@pytest.mark.parametrize("rotations", get_args(Rotations))
@pytest.mark.parametrize("root", get_args(Root))
def test_weight_one_is_a_copy(root: Root, rotations: Rotations, weights: tuple[int, int]) -> None:
    curve = two_walks()
    result = blend(curve, weights, method="linear", linear=LinearSettings(root=root, rotations=rotations))
    k = weights.index(1)
    assert copy_error(result.clip, curve.clips[k], result.frames[:, k]) < 1e-6
    assert result.frames[:, k] == pytest.approx(np.arange(result.clip.n_frames))


def test_clips_play_in_plain_time_until_the_shortest_ends() -> None:
    clips = [walk(speed=1.0, duration=3, fps=30).clip, walk(speed=1.0, duration=2.5, fps=30).clip]
    curve = register(clips, slope_limit=3)
    result = blend(curve, [1, 1], method="linear")
    assert result.clip.n_frames == 76
    assert result.report.method == "linear"
    assert result.report.notes == ("clip 0 is longer than the shortest clip: its last 0.50 s are cut off",)
    assert (np.diff(result.frames, axis=0) == 1.0).all()
    assert (np.diff(result.u) > 0).all()
    short = blend(curve, [1, 1], method="linear", duration=1.0)
    assert (short.clip.n_frames, short.report.notes) == (31, ())
    assert apart(short.clip, result.clip[:31]) < 1e-12


def test_cyclic_clips_play_one_cycle() -> None:
    curve = two_loops()
    result = blend(curve, [1, 1], method="linear")
    shortest = min(clip.n_frames for clip in curve.clips)
    assert (result.clip.n_frames, result.clip.cyclic) == (shortest + 1, False)
    lengths = [clip.n_frames for clip in curve.clips]
    assert ((result.frames >= 0) & (result.frames < lengths)).all()
    for k in range(2):
        alone = blend(curve, np.eye(2)[k], method="linear")
        inside = alone.frames[:, k] < lengths[k] - 1
        there = [GroundTransform(*row) for row in alone.placements[inside, k]]
        poses = curve.clips[k].at(alone.frames[inside, k])
        found = [way.apply(root) for way, root in zip(there, poses.root_positions, strict=True)]
        assert alone.clip.root_positions[inside] == pytest.approx(np.array(found), abs=2e-3)


def test_place_says_where_the_first_frame_is() -> None:
    there = GroundTransform(0.5, 3.0, -2.0)
    result = blend(two_walks(), [1, 1], method="linear", place=there).clip
    assert result.root_positions[0, [0, 2]] == pytest.approx([3.0, -2.0], abs=1e-9)
    assert float(facing(result[:1])[0]) == pytest.approx(0.5, abs=0.02)


def test_mean_velocities_do_not_jump_between_the_clips_places() -> None:
    """After the clips have parted, a change of weights moves mean positions sideways but not mean steps."""
    curve, change = opposite_arcs(), KeyedWeights({5.0: (1, 0), 6.0: (0, 1)})
    by_place, by_step = (
        blend(curve, change, method="linear", linear=LinearSettings(root=root)).clip
        for root in get_args(Root)
    )
    fastest = [
        np.linalg.norm(np.diff(clip.root_positions, axis=0), axis=1).max() * clip.fps
        for clip in (by_place, by_step)
    ]
    assert fastest[0] > 8.0
    assert fastest[1] < 2.0


def test_constraints_are_copied_from_the_heaviest_clip() -> None:
    curve = two_walks()
    change = TransitionWeights(0.8, 0.3)
    result = blend(curve, change, method="linear")
    switch = int(np.flatnonzero(result.weights[:, 1] > result.weights[:, 0])[0]) - 0.5
    first, second = (clip.constraints for clip in curve.clips)
    expected = [(c.joint, c.kind, c.start, min(c.end, switch)) for c in first if c.start < switch]
    last = result.clip.n_frames - 1
    expected += [(c.joint, c.kind, max(c.start, switch), min(c.end, last)) for c in second if switch < c.end]
    found = [(c.joint, c.kind, c.start, c.end) for c in result.clip.constraints]
    for one, other in zip(sorted(found), sorted(expected), strict=True):
        assert one[:2] == other[:2]
        assert one[2:] == pytest.approx(other[2:], abs=1e-9)


def test_constraints_by_halves_switch_in_the_middle() -> None:
    curve = two_walks()
    result = blend(curve, [1, 9], method="linear", linear=LinearSettings(constraints="halves"))
    middle = (result.clip.n_frames - 1) / 2
    early = [c for c in result.clip.constraints if c.end <= middle]
    assert len(early) + sum(c.start >= middle for c in result.clip.constraints) == len(
        result.clip.constraints
    )
    starts = {c.start for c in curve.clips[0].constraints}
    assert all(c.start in starts for c in early)


def test_targets_move_with_their_clip() -> None:
    curve = two_walks()
    fixed = tuple(replace(c, target=np.array([1.0, 0.0, 2.0])) for c in curve.clips[0].constraints)
    curve = replace(curve, clips=(replace(curve.clips[0], constraints=fixed), curve.clips[1]))
    result = blend(curve, [1, 0], method="linear", place=GroundTransform(1.0, 5.0, 5.0))
    way = GroundTransform(*result.placements[0, 0])
    assert all(
        c.target is not None and np.allclose(c.target, way.apply([1, 0, 2])) for c in result.clip.constraints
    )


@pytest.mark.parametrize("rotations", ["quaternion", "log"])
def test_the_order_of_the_clips_does_not_matter(rotations: Rotations) -> None:
    curve, settings = opposite_arcs(), LinearSettings(rotations=rotations)
    one = blend(curve, [0.4, 0.6], method="linear", linear=settings).clip
    other = blend(reordered(curve, [1, 0]), [0.6, 0.4], method="linear", linear=settings).clip
    assert apart(one, other) < 1e-9


def test_opposite_arcs_collapse_where_ours_go_straight() -> None:
    """Measured: sources 10.319 and 10.323 m, ours 10.315 m, linear 7.040 m, out and back again."""
    curve = opposite_arcs()
    mean = np.mean([path_measures(clip).length for clip in curve.clips])
    ours = path_measures(blend(curve, [1, 1]).clip)
    plain = path_measures(blend(curve, [1, 1], method="linear").clip)
    assert ours.length == pytest.approx(mean, rel=0.01)
    assert ours.distance == pytest.approx(mean, rel=0.01)
    assert np.degrees(abs(ours.heading_change)) < 2.0
    assert plain.length < 0.75 * mean
    assert plain.distance < 0.2 * mean
    # The body turns around from one frame to the next, once the clips face away from each other.
    assert np.degrees(plain.max_heading_step) > 150.0
    assert np.degrees(ours.max_heading_step) < 1.0


def test_captured_walks_to_the_left_and_to_the_right(mocap: Path) -> None:
    """Measured: headings +39.3° and −50.2°, ours −5.5°; 3.27 and 3.42 m, ours 3.34 m, linear 2.80 m."""
    files = ("walk_left_16_11", "walk_right_16_13")
    clips = [annotate(load_clip(mocap / f"locomotion/s16/{name}.bvh")) for name in files]
    curve = register(match_strides(clips))
    spans = [
        clip[round(first) : round(last) + 1]
        for clip, first, last in zip(curve.clips, *curve.spans, strict=True)
    ]
    sources = [path_measures(clip) for clip in spans]
    ours = path_measures(blend(curve, [1, 1]).clip)
    plain = path_measures(blend(curve, [1, 1], method="linear").clip)
    turn = np.mean([source.heading_change for source in sources])
    length = np.mean([source.length for source in sources])
    assert np.degrees(ours.heading_change) == pytest.approx(np.degrees(turn), abs=5.0)
    assert ours.length == pytest.approx(length, rel=0.03)
    assert plain.length < 0.87 * length


@pytest.mark.parametrize("option", ["rate_law", "average", "integrator"])
def test_unknown_choices_are_refused_here_too(option: str) -> None:
    with pytest.raises(ParameterError, match=f"{option} must be one of .*, not 'zzz'"):
        blend(two_walks(), [0.5, 0.5], method="linear", **{option: "zzz"})  # type: ignore[arg-type]
