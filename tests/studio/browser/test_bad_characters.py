"""Characters that are too much, or none at all: a sentence in the page, and the project unharmed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from benchmarks.large_characters import MEGABYTE, save_character
from motionloom.motion import Clip, Skeleton
from motionloom.motion.skinned_mesh import Material, SkinnedMesh
from motionloom.synthesis import make_mannequin, walk
from tests.files.gltf_sketch import Sketch
from tests.studio.browser.library_checks import undo_afterwards
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

REFUSED = "status of 422"
"""What Chromium logs about a file that the server refuses; no page can prevent it."""


def person() -> Clip:
    """A body of one frame."""
    return walk(duration=0.1, fps=30).clip[:1]


def with_hair(clip: Clip, n_bones: int) -> Clip:
    """The same body with so many joints, the new ones on its head."""
    body = clip.skeleton
    more = n_bones - body.n_joints
    skeleton = Skeleton(
        names=(*body.names, *(f"hair_{n}" for n in range(more))),
        parents=np.concatenate([body.parents, np.full(more, body.index("Head"))]),
        offsets=np.concatenate([body.offsets, np.tile([0.0, 0.1, 0.0], (more, 1))]),
    )
    rotations = np.concatenate([clip.rotations, np.tile([1.0, 0, 0, 0], (clip.n_frames, more, 1))], axis=1)
    return Clip(skeleton, clip.frame_time, clip.root_positions, rotations)


def snake() -> tuple[Clip, SkinnedMesh]:
    """A body without limbs, and a mesh of one triangle per joint."""
    skeleton = Skeleton(
        names=tuple(f"part_{n}" for n in range(6)),
        parents=np.arange(-1, 5),
        offsets=np.tile([0.0, 0.0, 0.3], (6, 1)),
    )
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (1, 6, 1))
    clip = Clip(skeleton, 1 / 30, np.zeros((1, 3)), rotations)
    corners = np.array([[0.0, 0.1, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, 0.1]])
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (18, 1))
    mesh = SkinnedMesh(
        skeleton=skeleton,
        positions=np.tile(corners, (6, 1)),
        normals=np.tile([0.0, 1.0, 0.0], (18, 1)),
        triangles=np.arange(18).reshape(6, 3),
        bones=np.arange(6),
        inverse_binds=np.tile(np.eye(4), (6, 1, 1)),
        vertex_bones=np.outer(np.repeat(np.arange(6), 3), np.array([1, 0, 0, 0])),
        weights=weights,
    )
    return clip, mesh


def drop_character(studio: RunningStudio, path: Path) -> None:
    """Drop a character, and wait until the selected clip is drawn on it."""
    before = len(studio.page.evaluate("window.studio.document.characters"))
    studio.drop([path])
    studio.wait("n => window.studio.document.characters.length > n", before)
    studio.page.evaluate("window.viewport.settings.set('shape', 'capsules')")
    item = studio.page.evaluate("window.studio.selected.id")
    studio.wait("id => window.viewport.figures.of(id).look.startsWith('character')", item)


def test_two_hundred_bones_are_shown(gaits: RunningStudio, tmp_path: Path) -> None:
    clip = with_hair(person(), 200)
    mesh = make_mannequin(person())
    hair = np.arange(person().skeleton.n_joints, 200)
    mesh = replace(
        mesh,
        skeleton=clip.skeleton,
        bones=np.concatenate([mesh.bones, hair]),
        inverse_binds=np.concatenate([mesh.inverse_binds, np.tile(np.eye(4), (len(hair), 1, 1))]),
    )
    with undo_afterwards(gaits):
        gaits.select(gaits.item("walk")["id"])
        drop_character(gaits, ml.save(clip, tmp_path / "hairy.glb", mesh=mesh))
        item = gaits.item("walk")["id"]
        assert len(gaits.joints(item)) == 200
        gaits.page.evaluate("window.viewport.settings.set('shape', 'sticks')")
        gaits.do({"type": "choose_figure", "figure": "mannequin"})


def test_a_broken_texture_leaves_the_plain_colour(gaits: RunningStudio, tmp_path: Path) -> None:
    mesh = make_mannequin(person())
    broken = replace(
        mesh,
        materials=(Material(texture=b"\x89PNG\r\n\x1a\n, but nothing follows"),) * len(mesh.materials),
        texture_coordinates=mesh.positions[:, :2],
    )
    with undo_afterwards(gaits):
        gaits.select(gaits.item("walk")["id"])
        drop_character(gaits, ml.save(person(), tmp_path / "torn.glb", mesh=broken))
        said = gaits.page.locator(".toasts").inner_text()
        assert "texture of torn cannot be decoded: its plain colour is shown" in said
        gaits.page.evaluate("window.viewport.settings.set('shape', 'sticks')")
        gaits.do({"type": "choose_figure", "figure": "mannequin"})


def test_a_character_is_removed_from_the_project(gaits: RunningStudio, tmp_path: Path) -> None:
    with undo_afterwards(gaits):
        gaits.select(gaits.item("walk")["id"])
        drop_character(gaits, ml.save(person(), tmp_path / "wrong.glb", mesh=make_mannequin(person())))
        gaits.wait_for_edit(gaits.page.get_by_role("button", name="Remove the character wrong").click)
        document = gaits.page.evaluate("window.studio.document")
        assert "wrong" not in [character["name"] for character in document["characters"]]
        assert document["figure"] == "mannequin"
        gaits.page.evaluate("window.viewport.settings.set('shape', 'sticks')")


def test_fifty_megabytes_are_shown(gaits: RunningStudio, tmp_path: Path) -> None:
    huge = save_character(person(), make_mannequin(person()), tmp_path / "huge.glb", 50 * MEGABYTE)
    assert huge.stat().st_size > 50 * MEGABYTE
    with undo_afterwards(gaits):
        walk = gaits.item("walk")["id"]
        gaits.select(walk)
        drop_character(gaits, huge)
        assert len(gaits.joints(walk)) == person().skeleton.n_joints
        gaits.page.evaluate("window.viewport.settings.set('shape', 'sticks')")
        gaits.do({"type": "choose_figure", "figure": "mannequin"})


@pytest.mark.parametrize("kind", ["no skin", "no person"])
def test_what_is_no_character_is_refused(gaits: RunningStudio, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "thing.glb"
    if kind == "no person":
        body, mesh = snake()
        ml.save(body, path, mesh=mesh)
        expected = "no limbs of a person were found"
    else:
        table = Sketch(scene=0, scenes=[{"nodes": [0]}], nodes=[{"mesh": 0}])
        corners = table.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
        table.content["meshes"] = [{"primitives": [{"attributes": {"POSITION": corners}}]}]
        table.save(path)
        expected = "it has no skin and no animation"
    before = gaits.page.evaluate("window.studio.state.revision")
    gaits.drop([path])
    dialog = gaits.page.get_by_role("dialog", name="One file could not be added")
    dialog.wait_for()
    assert expected in dialog.inner_text()
    gaits.page.keyboard.press("Escape")
    assert gaits.page.evaluate("window.studio.state.revision") == before
    gaits.errors[:] = [each for each in gaits.errors if REFUSED not in each]
