"""`make_mannequin`: a closed body around a skeleton, which moves with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import ParameterError
from motionloom.motion import Skeleton
from motionloom.synthesis import biped, make_mannequin, walk

MAX_DEPTH = 0.14
"""Metres from a joint to the nearest skin: half of a trunk."""


@pytest.fixture(scope="module")
def body() -> ml.SkinnedMesh:
    return make_mannequin(biped())


def test_the_body_is_closed_and_stands_on_the_floor(body: ml.SkinnedMesh) -> None:
    edges = np.sort(body.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    _, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts % 2 == 0).all()  # four where the surface touches itself, between the thighs
    assert body.positions[:, 1].min() == pytest.approx(0.0, abs=0.005)
    assert 1.7 < body.positions[:, 1].max() < 1.8
    np.testing.assert_allclose(np.linalg.norm(body.normals, axis=1), 1.0)
    a, b, c = (body.positions[body.triangles[:, n]] for n in range(3))
    facing = np.einsum("fi,fi->f", np.cross(b - a, c - a), body.normals[body.triangles].mean(axis=1))
    assert (facing > 0).mean() > 0.995


def test_left_and_right_are_mirror_images(body: ml.SkinnedMesh) -> None:
    left, right = (body.positions[sign * body.positions[:, 0] > 0] for sign in (1.0, -1.0))
    np.testing.assert_allclose(left.max(axis=0), [-right[:, 0].min(), *right.max(axis=0)[1:]], atol=0.01)


def test_skin_follows_its_own_side_and_its_neighbours_only(body: ml.SkinnedMesh) -> None:
    names = np.array(body.skeleton.names)
    carried = body.weights > 0.05
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        limbs = np.char.startswith(names, side)[body.vertex_bones] & carried
        assert (sign * body.positions[limbs.any(axis=1), 0] > -0.06).all()
    knees = np.array([names[row] for row in body.vertex_bones])
    shin = (knees == "LeftLeg") & carried
    along = knees[shin.any(axis=1)][carried[shin.any(axis=1)]]
    assert set(along.tolist()) <= {"LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"}


def test_the_rest_pose_of_the_built_in_body_is_its_t_pose(body: ml.SkinnedMesh) -> None:
    skeleton = biped()
    at_rest = ml.Clip(skeleton, 1.0, skeleton.offsets[:1], skeleton.rest_rotations[None])
    np.testing.assert_allclose(body.vertices(at_rest)[0], body.positions, atol=1e-9)


def test_captured_bodies_get_one_that_moves_with_them(mocap: Path) -> None:
    clip = ml.load(mocap / "locomotion" / "s16" / "walk_straight_16_15.bvh").body
    mesh = make_mannequin(clip)
    for frame in (0, clip.n_frames // 2):
        vertices = mesh.vertices(clip, [frame])[0]
        joints = clip.world_positions()[frame]
        apart = np.linalg.norm(joints[:, None] - vertices[None, ::5], axis=-1).min(axis=1)
        assert apart.max() < MAX_DEPTH
        assert abs(vertices[:, 1].min()) < 0.06


def test_a_small_body_is_the_same_in_small() -> None:
    whole = biped()
    half = make_mannequin(replace(whole, offsets=0.5 * whole.offsets))
    assert half.positions[:, 1].max() == pytest.approx(
        0.5 * make_mannequin(whole).positions[:, 1].max(), abs=0.02
    )


def test_a_body_of_a_clip_far_away_stands_at_the_origin_and_moves_there() -> None:
    clip = walk(duration=0.2, fps=20).clip
    far = replace(clip, root_positions=clip.root_positions + np.array([50.0, 0.0, 0.0]))
    assert make_mannequin(far).vertices(far, [0])[0, :, 0].mean() == pytest.approx(50.0, abs=0.5)


def test_what_is_no_person_is_refused() -> None:
    chain = Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), np.tile([0.0, 1.0, 0.0], (3, 1)))
    with pytest.raises(ParameterError, match=r"needs the skeleton of a person: no .* among its 3 joints"):
        make_mannequin(chain)
