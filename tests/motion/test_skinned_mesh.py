"""`SkinnedMesh`: linear blend skinning, worked by hand and against a slow loop over vertices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Skeleton
from motionloom.motion.skinned_mesh import Material, SkinnedMesh
from motionloom.synthesis import make_mannequin, walk

ARM = Skeleton(("shoulder", "elbow"), np.array([-1, 0]), np.array([[0.0, 0, 0], [1, 0, 0]]))
HALF = np.sqrt(0.5)


def binds_at_rest(skeleton: Skeleton) -> FloatArray:
    matrices = np.tile(np.eye(4), (skeleton.n_joints, 1, 1))
    matrices[:, :3, 3] = -skeleton.rest_positions()
    return matrices


def sleeve() -> SkinnedMesh:
    """Three vertices: at the shoulder, at the elbow half with each bone, and at the hand."""
    positions = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]])
    weights = np.array([[1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 1, 0, 0]])
    return SkinnedMesh(
        ARM,
        positions,
        np.tile([0.0, 1.0, 0.0], (3, 1)),
        np.array([[0, 1, 2]]),
        np.arange(2),
        binds_at_rest(ARM),
        np.tile([0, 1, 0, 0], (3, 1)),
        weights,
    )


def slow_vertices(mesh: SkinnedMesh, clip: Clip, frame: int) -> FloatArray:
    """The vertices of a frame, one after the other, by matrices made from the formula of quaternions."""
    matrices = []
    for bone, joint in enumerate(mesh.bones):
        w, x, y, z = clip.world_rotations()[frame, joint]
        turn = np.eye(4)
        turn[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        turn[:3, 3] = clip.world_positions()[frame, joint]
        matrices.append(turn @ mesh.inverse_binds[bone])
    return np.array(
        [
            sum(
                weight * (matrices[bone] @ [*vertex, 1.0])[:3]
                for bone, weight in zip(mesh.vertex_bones[n], mesh.weights[n], strict=True)
            )
            for n, vertex in enumerate(mesh.positions)
        ]
    )


def test_a_bent_elbow_takes_the_hand_along() -> None:
    bent = Clip(ARM, 0.1, np.zeros((1, 3)), np.array([[[1.0, 0, 0, 0], [HALF, 0, 0, HALF]]]))
    np.testing.assert_allclose(sleeve().vertices(bent)[0], [[0, 0, 0], [1, 0, 0], [1, 1, 0]], atol=1e-12)


def test_a_travelling_root_takes_all_along() -> None:
    moved = Clip(ARM, 0.1, np.array([[0.0, 0, 0], [3, 0, 1]]), np.tile([1.0, 0, 0, 0], (2, 2, 1)))
    expected = sleeve().positions + np.array([3, 0, 1])
    np.testing.assert_allclose(sleeve().vertices(moved, [1])[0], expected, atol=1e-12)


def test_all_vertices_are_where_a_slow_loop_puts_them() -> None:
    clip = walk(duration=0.4, fps=20).clip
    mesh = make_mannequin(clip)
    few = np.arange(0, mesh.n_vertices, 200)
    part = replace(
        mesh,
        positions=mesh.positions[few],
        normals=mesh.normals[few],
        vertex_bones=mesh.vertex_bones[few],
        weights=mesh.weights[few],
        triangles=np.zeros((0, 3), np.int64),
        triangle_materials=None,
    )
    for frame in (0, 5):
        expected = slow_vertices(part, clip, frame)
        np.testing.assert_allclose(part.vertices(clip, [frame])[0], expected, atol=1e-12)
        np.testing.assert_allclose(mesh.vertices(clip, [frame])[0, few], expected, atol=1e-12)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("triangles", [[0, 1, 3]], "triangles must hold indices from 0 to 2"),
        ("bones", [0, 2], "bones must hold indices from 0 to 1"),
        ("vertex_bones", [[2, 0, 0, 0]] * 3, "vertex_bones must hold indices from 0 to 1"),
        ("weights", np.full((3, 4), 0.5), "the weights of each vertex must sum to one"),
        ("normals", np.zeros((2, 3)), "normals"),
        ("triangle_materials", [1], "triangle_materials must hold indices from 0 to 0"),
    ],
)
def test_what_does_not_fit_is_refused(field: str, value: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        replace(sleeve(), **{field: np.asarray(value)})  # type: ignore[arg-type]


def test_a_mesh_without_vertices_is_refused() -> None:
    none, rows = np.zeros((0, 3)), np.zeros((0, 4))
    corners, bones = none.astype(np.int64), rows.astype(np.int64)
    with pytest.raises(ParameterError, match="a mesh needs vertices, and this one has none"):
        replace(
            sleeve(),
            positions=none,
            normals=none,
            triangles=corners,
            vertex_bones=bones,
            weights=rows,
            triangle_materials=None,
        )


@pytest.mark.parametrize("texture", [b"", b"BM, a bitmap"])
def test_a_texture_of_another_kind_is_refused(texture: bytes) -> None:
    with pytest.raises(ParameterError, match="texture must be the bytes of a PNG, JPEG or WebP file"):
        Material(texture=texture)


def test_a_clip_of_other_joints_is_refused() -> None:
    with pytest.raises(ParameterError, match="retarget it to the mesh's skeleton first"):
        sleeve().vertices(walk(duration=0.2, fps=20).clip)
