"""Skeletons from positions: every layout, what twist shows, gaps, noise, and points that fit nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.fitting import LAYOUTS, fit_skeleton
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Event, PointClip, Skeleton
from motionloom.synthesis import jog

PARENTS = {"hip": None, "knee": "hip", "ankle": "knee"}


def body(layout: str, fps: float = 30.0) -> Clip:
    """A run on the skeleton of a layout."""
    return ml.retarget(jog(duration=2.0, fps=fps).clip, to=LAYOUTS[layout].skeleton).clip


def points_of(clip: Clip, layout: str) -> FloatArray:
    """The points of a layout on such a body."""
    found = LAYOUTS[layout]
    world, names = clip.world_positions(), clip.skeleton.names
    tracks = {name: world[:, joint] for joint, name in enumerate(names)}
    for name, points in found.attached.items():
        joint = names.index(name)
        for point, at in points.items():
            turned = rot.rotate(clip.world_rotations()[:, joint], np.array(at))
            tracks.setdefault(point, world[:, joint] + turned)
    for name, sources in found.sources.items():
        for source in sources:
            tracks.setdefault(source, world[:, names.index(name)])
    return np.stack([tracks.get(name, world[:, 0]) for name in found.points], axis=1)


def max_error(fitted: Clip, truth: Clip) -> float:
    order = [truth.skeleton.index(name) for name in fitted.skeleton.names]
    away = fitted.world_positions() - truth.world_positions()[:, order]
    return float(np.linalg.norm(away, axis=-1).max())


def bone_change(clip: Clip) -> float:
    world = clip.world_positions()
    bones = np.linalg.norm(world[:, 1:] - world[:, clip.skeleton.parents[1:]], axis=-1)
    return float(np.ptp(bones, axis=0).max())


WRONG: list[tuple[Any, dict[str, Any], str]] = [
    (np.zeros((5, 22, 3)), {}, "an array of positions needs fps=, its frames per second"),
    (np.zeros((5, 22)), {"fps": 30}, r"points must have shape \(T, N, 3\), not \(5, 22\)"),
    (np.zeros((5, 21, 3)), {"fps": 30}, r"21 points fit no layout, which have 22 \(smpl\), 24"),
    (
        np.zeros((5, 21, 3)),
        {"fps": 30, "layout": "smpl"},
        "the layout 'smpl' has 22 points, and 21 were given",
    ),
    (np.zeros((5, 22, 3)), {"fps": 30, "layout": "dog"}, "layout must be one of smpl, smpl24, human36m"),
    (np.zeros((0, 22, 3)), {"fps": 30}, "there are no points to fit a skeleton to"),
    (np.full((5, 22, 3), np.inf), {"fps": 30}, "points must be finite, or NaN in gaps"),
    (np.ones((5, 22, 3)), {"fps": 30, "up": "w"}, "up must be one of"),
    (
        np.ones((5, 22, 3)),
        {"fps": 30, "bandwidth": 15},
        "bandwidth must be below half of the frame rate, 15 Hz",
    ),
    ("points", {"fps": 30}, "points must be numbers"),
]


@pytest.mark.parametrize(("points", "options", "message"), WRONG)
def test_points_that_are_refused(points: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        fit_skeleton(points, **options)


WRONG_PARENTS: list[tuple[dict[str, str | None], str]] = [
    ({"hip": None, "knee": "hip", "ankle": None}, "must lead to one root, and lead to 2"),
    ({"hip": None, "knee": "ankle", "ankle": "knee"}, "run in a circle"),
    ({"hip": None, "knee": "thigh"}, "there is no point 'thigh': the points are hip, knee, ankle"),
]


@pytest.mark.parametrize(("parents", "message"), WRONG_PARENTS)
def test_parents_that_are_refused(parents: dict[str, str | None], message: str) -> None:
    points = PointClip(tuple(PARENTS), 0.1, np.zeros((3, 3, 3)))
    with pytest.raises(ParameterError, match=message):
        fit_skeleton(points, layout=parents)


def test_a_joint_that_is_never_seen() -> None:
    positions = points_of(body("smpl"), "smpl")
    positions[:, 7] = np.nan
    with pytest.raises(ParameterError, match="the joint 'left_ankle' is never seen"):
        fit_skeleton(positions, layout="smpl", fps=30)


def test_the_smallest_leg_by_hand() -> None:
    """A thigh of 40 cm that swings forward by a quarter turn with a shin of 30 cm hanging from it."""
    straight, bent = [[0, 1.0, 0], [0, 0.6, 0], [0, 0.3, 0]], [[0, 1.0, 0], [0, 1.0, 0.4], [0, 0.7, 0.4]]
    clip = fit_skeleton(PointClip(tuple(PARENTS), 0.1, np.array([straight, bent])), layout=PARENTS)
    assert clip.clip.skeleton.names == ("hip", "knee", "ankle")
    np.testing.assert_allclose(np.linalg.norm(clip.clip.skeleton.offsets[1:], axis=1), [0.4, 0.3])
    np.testing.assert_allclose(clip.clip.world_positions(), [straight, bent], atol=1e-12)
    forward = rot.rotate(clip.clip.world_rotations()[1, 0], clip.clip.skeleton.offsets[1])
    np.testing.assert_allclose(forward, [0, 0, 0.4], atol=1e-12)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_bodies_come_back(layout: str) -> None:
    truth = body(layout)
    clip = fit_skeleton(points_of(truth, layout), layout=layout, fps=30)
    assert max_error(clip.clip, truth) < 0.001
    assert bone_change(clip.clip) < 1e-9
    assert clip.report.layout == layout
    assert clip.report.max_error < 0.001
    # Limbs twist as they did, apart from a constant that depends on how the rest pose holds them.
    for side in ("left", "right"):
        for upper, lower in (("hip", "knee"), ("knee", "ankle"), ("shoulder", "elbow"), ("elbow", "wrist")):
            joint, child = (truth.skeleton.index(f"{side}_{name}") for name in (upper, lower))
            own = clip.clip.skeleton.index(f"{side}_{upper}")
            away = rot.multiply(
                rot.inverse(truth.world_rotations()[:, joint]), clip.clip.world_rotations()[:, own]
            )
            axis = truth.skeleton.offsets[child] / np.linalg.norm(truth.skeleton.offsets[child])
            angles = 2.0 * np.arctan2(away[:, 1:] @ axis, away[:, 0])
            apart = np.angle(np.exp(1j * (angles - np.angle(np.exp(1j * angles).mean()))))
            assert np.degrees(np.median(np.abs(apart))) < 5.0, f"{side} {upper}"


def test_layouts_are_found_by_names_and_numbers() -> None:
    truth = body("human36m")
    positions = points_of(truth, "human36m")
    by_number = fit_skeleton(positions, fps=30)
    names = tuple(name.replace("_", " ").title() for name in LAYOUTS["human36m"].points)
    shuffled = np.random.default_rng(0).permutation(17)
    by_name = fit_skeleton(PointClip(tuple(names[n] for n in shuffled), 1 / 30, positions[:, shuffled]))
    assert by_number.report.layout == by_name.report.layout == "human36m"
    np.testing.assert_allclose(by_name.clip.world_positions(), by_number.clip.world_positions(), atol=1e-12)
    with_more = PointClip((*names, "Ball"), 1 / 30, np.concatenate([positions, positions[:, :1]], axis=1))
    assert fit_skeleton(with_more, layout="H36M").clip.n_frames == truth.n_frames


def test_skeletons_and_parents_of_ones_own() -> None:
    truth = jog(duration=2.0, fps=30).clip
    names, parents = truth.skeleton.names, truth.skeleton.parents.tolist()
    points = PointClip(names, truth.frame_time, truth.world_positions())
    by_parents: dict[str, str | None] = {
        name: None if parent < 0 else names[parent] for name, parent in zip(names, parents, strict=True)
    }
    for layout in (truth.skeleton, by_parents):
        clip = fit_skeleton(points, layout=layout)
        assert max_error(clip.clip, truth) < 0.001
        assert bone_change(clip.clip) < 1e-9


def test_rest_rotations_of_a_skeleton_are_kept() -> None:
    truth = body("smpl")
    turned = np.tile(rot.from_euler([0.3, 0.2, 0.1], "XYZ"), (truth.skeleton.n_joints, 1))
    plain = truth.skeleton
    stands = Skeleton(plain.names, plain.parents, plain.offsets, turned)
    # The same pose at rest, held by joints whose own axes are turned.
    world = stands.rest_world_rotations()
    parents = np.maximum(plain.parents, 0)
    offsets = np.where(
        plain.parents[:, None] >= 0, rot.rotate(rot.inverse(world[parents]), plain.offsets), plain.offsets
    )
    clip = fit_skeleton(
        PointClip(plain.names, truth.frame_time, truth.world_positions()),
        layout=replace(stands, offsets=offsets),
    )
    assert max_error(clip.clip, truth) < 0.001


def test_gaps_are_filled() -> None:
    truth = body("smpl")
    positions = points_of(truth, "smpl")
    rng = np.random.default_rng(1)
    missing = rng.random(positions.shape[:2]) < 0.1
    positions[missing] = np.nan
    clip = fit_skeleton(positions, layout="smpl", fps=30)
    assert clip.report.n_filled == missing.sum()
    order = [truth.skeleton.index(name) for name in clip.clip.skeleton.names]
    away = np.linalg.norm(clip.clip.world_positions() - truth.world_positions()[:, order], axis=-1)
    assert np.median(away) < 0.002
    assert np.percentile(away, 95) < 0.03


def test_bandwidth_takes_noise_away() -> None:
    truth = body("smpl", fps=120.0)
    positions = points_of(truth, "smpl")
    positions = positions + np.random.default_rng(2).normal(scale=0.01, size=positions.shape)
    errors = {}
    for bandwidth in (None, 8.0):
        clip = fit_skeleton(positions, layout="smpl", fps=120, bandwidth=bandwidth)
        order = [truth.skeleton.index(name) for name in clip.clip.skeleton.names]
        errors[bandwidth] = np.linalg.norm(
            clip.clip.world_positions() - truth.world_positions()[:, order], axis=-1
        )
        assert bone_change(clip.clip) < 1e-9
    assert np.median(errors[8.0]) < 0.01
    assert np.median(errors[8.0]) < 0.6 * np.median(errors[None])


def test_cameras_that_count_downwards() -> None:
    truth = body("mediapipe")
    positions = points_of(truth, "mediapipe") * [1.0, -1.0, -1.0]
    assert max_error(fit_skeleton(positions, fps=30, up="-y").clip, truth) < 0.001
    with pytest.raises(ParameterError, match="fps= and up= are for arrays"):
        fit_skeleton(PointClip(("a",), 0.1, np.zeros((1, 1, 3))), up="-y")


def test_one_frame_and_points_on_top_of_each_other() -> None:
    truth = body("smpl")[:1]
    clip = fit_skeleton(points_of(truth, "smpl"), layout="smpl", fps=30, bandwidth=6.0)
    assert max_error(clip.clip, truth) < 0.001
    clip = fit_skeleton(np.zeros((3, 22, 3)), layout="smpl", fps=30)
    assert np.isfinite(clip.clip.rotations).all()


def test_events_stay_and_the_result_goes_everywhere(tmp_path: Path) -> None:
    truth = body("smpl")
    names = tuple(truth.skeleton.names)
    points = PointClip(names, truth.frame_time, truth.world_positions(), events=(Event(3.0, "strike"),))
    clip = fit_skeleton(points)
    assert clip.clip.events == points.events
    assert clip.clip.provenance.steps == ("fitted",)
    for suffix in (".bvh", ".glb", ".npz"):
        assert ml.load(ml.save(clip, tmp_path / f"a{suffix}")).n_frames == clip.clip.n_frames
    assert len(ml.annotate(clip).constraints) > 4


def test_captured_takes(mocap: Path) -> None:
    """The rotations of captures, thrown away and found again."""
    for name in ("locomotion/s16/walk_straight_16_15.bvh", "actions/cartwheel/cartwheel_49_06.bvh"):
        path = mocap / name
        if not path.exists():
            path = next(iter(sorted(mocap.glob("actions/*/*.bvh"))))
        truth = ml.retarget(ml.load(path)[:400], to=LAYOUTS["smpl"].skeleton)
        clip = fit_skeleton(truth.clip.world_positions(), layout=truth.clip.skeleton, fps=truth.clip.fps)
        assert max_error(clip.clip, truth.clip) < 0.003
        assert bone_change(clip.clip) < 1e-9
