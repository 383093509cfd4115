"""FBX characters in the studio: read and written through Blender, and refused in a sentence without it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import motionloom as ml
from motionloom.project.edits import AddCharacter
from motionloom.studio.exports import is_installed
from motionloom.studio.packs import unpack
from motionloom.synthesis import make_mannequin, stand
from tests.files.test_fbx import needs_blender
from tests.studio.conftest import Studio
from tests.studio.test_characters import skinned

MILLIMETRE = 1e-3


def test_without_blender_the_page_is_told_the_way_out(studio: Studio, no_blender: Path) -> None:
    before = studio.session.document
    answer = studio.post("/api/files?name=hero.fbx", b"; FBX 7.4.0 project file")
    assert answer.status_code == 422
    assert "Blender, which was not found: run 'motionloom install-fbx'" in answer.json()["error"]
    assert studio.session.document is before
    assert not is_installed("fbx")


@needs_blender
def test_an_fbx_character_is_added_shown_and_exported(studio: Studio, tmp_path: Path) -> None:
    assert is_installed("fbx")
    body = stand(duration=0.1, fps=30).clip[:1]
    path = ml.save(body, tmp_path / "person.fbx", mesh=make_mannequin(body))
    uploaded = studio.post("/api/files?name=person.fbx", path.read_bytes()).json()
    assert (uploaded["has_motion"], uploaded["has_character"]) == (False, True)
    studio.session._history.do(AddCharacter(name="person", path=uploaded["path"]))
    header, mesh = unpack(studio.get("/api/characters/k1/mesh").content)
    _, motion = unpack(studio.get("/api/characters/k1/clips/c1").content)
    shown = skinned(header, mesh, motion)  # type: ignore[arg-type]

    clip = studio.evaluator.evaluate(studio.session.document, "c1").clip
    person = ml.load_skinned_mesh(path)
    expected = person.vertices(ml.retarget(clip, ml.load(path)).clip, [0])[0]
    assert np.abs(shown - expected).max() < MILLIMETRE

    for format in ("fbx", "glb"):
        written = tmp_path / f"on.{format}"
        written.write_bytes(studio.post(f"/api/exports/c1?format={format}&figure=k1").content)
        again = ml.load_skinned_mesh(written).vertices(ml.load(written), [0])[0]
        assert np.abs(again.min(axis=0) - expected.min(axis=0)).max() < MILLIMETRE
        assert np.abs(again.max(axis=0) - expected.max(axis=0)).max() < MILLIMETRE
