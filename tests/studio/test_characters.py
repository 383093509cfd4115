"""Characters in the studio: what page and files get is what the library computes."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zipfile import ZipFile

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.errors import MotionloomError
from motionloom.files.gltf import skin
from motionloom.motion.skinned_mesh import Material
from motionloom.project.edits import AddCharacter, ChooseFigure, MapJoints, RemoveCharacter, RemoveItem
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes.retarget import MAP_FILE
from motionloom.retargeting.joint_map_file import load_joint_map
from motionloom.studio.characters import find_mannequin_key
from motionloom.studio.packs import unpack
from motionloom.studio.uploads import check_content
from motionloom.synthesis import make_mannequin, stand, walk
from tests.figures import smooth_clip
from tests.files.test_gltf_skin import tube
from tests.files.test_usd_skin import skin_by_usd
from tests.studio.conftest import Studio, small_document


@pytest.fixture(scope="module")
def person_glb(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A small person with a skin and no motion."""
    path = tmp_path_factory.mktemp("person") / "person.glb"
    clip = stand(duration=0.1, fps=30).clip[:1]
    return ml.save(clip, path, mesh=make_mannequin(clip)).read_bytes()


def skinned(header: dict[str, Any], mesh: dict[str, FloatArray], motion: dict[str, FloatArray]) -> FloatArray:
    """Vertices of the first frame from what the page gets, by matrices."""
    bones: list[int] = header["bones"]
    matrices = []
    for bone, joint in enumerate(bones):
        w, x, y, z = motion["rotations"][0, joint]
        matrix = np.eye(4)
        matrix[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        matrix[:3, 3] = motion["positions"][0, joint]
        matrices.append(matrix @ mesh["inverse_binds"][bone].reshape(4, 4).T)
    places = np.c_[mesh["positions"], np.ones(len(mesh["positions"]))]
    chosen = np.array(matrices)[mesh["vertex_bones"].astype(int)]
    return np.asarray(np.einsum("vk,vkij,vj->vi", mesh["weights"], chosen, places)[:, :3])


def test_only_people_have_mannequins() -> None:
    assert find_mannequin_key(walk(duration=0.2, fps=30).clip) == find_mannequin_key(stand(duration=0.2).clip)
    assert find_mannequin_key(smooth_clip()) is None


def test_the_mannequin_of_a_clip_is_the_librarys(studio: Studio) -> None:
    header, mesh = unpack(studio.get("/api/mannequins/c1").content)
    clip = studio.evaluator.evaluate(small_document(), "c1").clip
    motion = {"positions": clip.world_positions(), "rotations": clip.world_rotations()}
    expected = make_mannequin(clip).vertices(clip, [0])[0]
    assert np.abs(skinned(header, mesh, motion) - expected).max() < 1e-4  # type: ignore[arg-type]
    assert header["parts"] == [{"first": 0, "count": mesh["triangles"].size, "material": 0}]


def test_a_character_is_added_shown_mapped_and_exported(
    studio: Studio, person_glb: bytes, tmp_path: Path
) -> None:
    uploaded = studio.post("/api/files?name=person.glb", person_glb).json()
    assert (uploaded["has_motion"], uploaded["has_character"]) == (False, True)
    session = studio.session
    session._history.do(AddCharacter(name="person", path=uploaded["path"]))
    assert session.document.figure == "k1"
    header, mesh = unpack(studio.get("/api/characters/k1/mesh").content)
    motion_header, motion = unpack(studio.get("/api/characters/k1/clips/c1").content)
    clip = studio.evaluator.evaluate(session.document, "c1").clip
    person = studio.folder.resolve(uploaded["path"])
    expected = ml.load_skinned_mesh(person).vertices(ml.retarget(clip, ml.load(person)).clip, [0])[0]
    assert np.abs(skinned(header, mesh, motion) - expected).max() < 1e-4  # type: ignore[arg-type]
    assert len(motion_header["drivers"]) == len(motion_header["names"])
    assert motion_header["plants"]
    key = studio.evaluator.key(session.document, "c1")
    assert studio.get(f"/api/characters/k1/clips/c1?key={key}").status_code == 200
    other = studio.evaluator.key(session.document, "c2")  # as if the clip had changed since the page asked
    assert studio.get(f"/api/characters/k1/clips/c1?key={other}").status_code == 204

    def driver_in_file(joint: str, expected: str) -> bool:
        """Whether a joint comes to have a driver in the map file, which is written in the background."""
        end = time.monotonic() + 60.0
        while time.monotonic() < end:
            path = studio.folder.path / MAP_FILE
            saved = load_joint_map(path, clip, ml.load(person)) if path.exists() else None
            if saved and {pair.target: pair.source for pair in saved.pairs}[joint] == expected:
                return True
            time.sleep(0.01)
        return False

    view = studio.get("/api/characters/k1/maps/c1").json()
    assert {"source": "LeftHand", "target": "LeftHand", "part": "left hand", "given": False} in view["pairs"]
    assert not (studio.folder.path / MAP_FILE).exists()
    assert studio.client.portal is not None
    studio.client.portal.call(
        session.do, MapJoints(character="k1", joint_map={"LeftHand": "RightHand", "Head": None}, item="c1")
    )
    pairs = {pair["target"]: pair for pair in studio.get("/api/characters/k1/maps/c1").json()["pairs"]}
    assert pairs["LeftHand"]["source"] == "RightHand"
    assert pairs["LeftHand"]["given"]
    assert "Head" not in pairs
    assert driver_in_file("LeftHand", "RightHand")
    studio.client.portal.call(session.undo)
    assert driver_in_file("LeftHand", "LeftHand"), "the file follows when the edit is taken back"

    answer = studio.post("/api/exports/c1?format=glb&figure=k1")
    (tmp_path / "on.glb").write_bytes(answer.content)
    again = ml.load_skinned_mesh(tmp_path / "on.glb").vertices(ml.load(tmp_path / "on.glb"), [0])[0]
    assert np.abs(again - expected).max() < 1e-4
    body = studio.post("/api/exports/c1?format=glb&figure=mannequin")
    (tmp_path / "body.glb").write_bytes(body.content)
    assert ml.load_skinned_mesh(tmp_path / "body.glb").n_vertices > 1000
    bvh = studio.post("/api/exports/c1?format=bvh&figure=k1")
    assert bvh.status_code == 200
    smaller = studio.post("/api/exports/c1?format=bvh&figure=k1&unit=m&fps=15")
    sizes = []
    for name, content in (("as it is", bvh.content), ("in metres", smaller.content)):
        (tmp_path / f"{name}.bvh").write_bytes(content)
        clip = ml.load(tmp_path / f"{name}.bvh", unit="m")
        sizes.append(float(np.abs(clip.skeleton.offsets).max()))
    assert clip.fps == pytest.approx(15.0)
    assert sizes[1] == pytest.approx(sizes[0] / 100.0, rel=1e-3)


def test_characters_are_exported_as_usd_with_their_mesh(studio: Studio, mocap: Path, tmp_path: Path) -> None:
    """Textures lie beside the stage, so that both come in an archive."""
    pytest.importorskip("pxr", reason="usd-core is not installed")
    manny = ml.save(ml.load(mocap / "game" / "character" / "manny_med_mod.gltf"), tmp_path / "manny.glb")
    uploaded = studio.post("/api/files?name=manny.glb", manny.read_bytes()).json()
    studio.session._history.do(AddCharacter(name="manny", path=uploaded["path"]))
    answer = studio.post("/api/exports/c1?format=usdc&figure=k1&unit=m&up=z")
    assert json.loads(answer.headers["X-Motionloom-Notes"]) == []
    with ZipFile(BytesIO(answer.content)) as archive:
        stage, texture = sorted(archive.namelist(), key=lambda name: name.endswith(".png"))
        archive.extractall(tmp_path / "unpacked")
    assert texture == f"{Path(stage).stem}_texture0.png"
    clip = studio.evaluator.evaluate(studio.session.document, "c1").clip
    expected = ml.load_skinned_mesh(manny).vertices(ml.retarget(clip, ml.load(manny)).clip, [0])
    assert np.abs(skin_by_usd(tmp_path / "unpacked" / stage, [0]) - expected).max() < 1e-5

    body = tmp_path / "body.usdc"
    body.write_bytes(studio.post("/api/exports/c1?format=usdc&figure=mannequin&unit=m&up=z").content)
    assert np.abs(skin_by_usd(body, [0]) - make_mannequin(clip).vertices(clip, [0])).max() < 1e-5
    assert (ml.load(body).source.unit, ml.load(body).source.up) == ("m", "z")


def test_what_is_missing_is_named(studio: Studio) -> None:
    for path in ("characters/k9/mesh", "characters/k9/clips/c1", "characters/k9/maps/c1"):
        answer = studio.get(f"/api/{path}")
        assert answer.status_code == 400
        assert answer.json()["error"] == "the project has no character 'k9'; it may have been removed"
    assert studio.post("/api/exports/c1?format=glb&figure=k9").status_code == 400


def test_bad_characters_are_refused_in_a_sentence_and_leave_the_project_alone(
    studio: Studio, tmp_path: Path
) -> None:
    before = studio.session.document
    static = tube()
    static.content.pop("skins")
    static.content["nodes"][2].pop("skin")
    broken = tube()
    broken.content["skins"][0]["joints"] = [0]
    cases = {
        "static.glb": (static.glb(), "holds no motion: it has no skin"),
        "tube.glb": (tube().glb(), "is no character that people's motion fits"),
        "broken.glb": (broken.glb(), "names a joint that is none of the 1 of its skin"),
    }
    for name, (content, message) in cases.items():
        answer = studio.post(f"/api/files?name={quote(name)}", content)
        assert answer.status_code == 422
        assert message in answer.json()["error"]
        assert str(tmp_path) not in answer.json()["error"]
    assert studio.session.document is before
    assert not (studio.folder.path / "clips").exists()


def test_fifty_megabytes_are_taken_and_too_many_vertices_are_refused(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = stand(duration=0.1, fps=30).clip[:1]
    mesh = make_mannequin(body)
    texture = b"\x89PNG\r\n\x1a\n" + bytes(50 << 20)
    dressed = replace(
        mesh,
        materials=(Material("cloth", texture=texture),),
        texture_coordinates=np.zeros((mesh.n_vertices, 2)),
    )
    content = ml.save(body, tmp_path / "large.glb", mesh=dressed).read_bytes()
    assert len(content) > 50_000_000
    assert studio.post("/api/files?name=large.glb", content).json()["has_character"]
    before = studio.session.document
    monkeypatch.setattr(skin, "MAX_VERTICES", 100)
    answer = studio.post("/api/files?name=dense.glb", content)
    assert answer.status_code == 422
    assert "and a character may have 100: reduce it in a 3D program" in answer.json()["error"]
    assert studio.session.document is before


def test_a_moving_file_whose_mesh_is_no_person_is_added_as_motion(tmp_path: Path) -> None:
    sketch = tube()
    sketch.animate((1, "rotation", [0.0, 1.0], np.array([[0.0, 0, 0, 1], [0, 0.6, 0, 0.8]])))
    found = check_content(ProjectFolder(tmp_path / "project"), "tube.glb", sketch.glb())
    assert (found.has_motion, found.has_character) == (True, False)
    assert found.notes[0].endswith("only its motion was added")


def test_edits_of_characters_are_undone_one_by_one() -> None:
    document = AddCharacter(name="hero", path="clips/hero.glb").apply(small_document())
    document = AddCharacter(name="hero", path="clips/other.glb").apply(document)
    assert [(each.id, each.name) for each in document.characters] == [("k1", "hero"), ("k2", "hero 2")]
    again = AddCharacter(name="hero", path="clips/hero.glb").apply(document)
    assert (again.figure, len(again.characters)) == ("k1", 2)
    assert ChooseFigure(figure="k1").label(document) == "show clips as hero"
    assert ChooseFigure(figure="sticks").apply(document).figure == "sticks"
    assert RemoveCharacter(character="k2").apply(document).figure == "mannequin"
    with pytest.raises(MotionloomError, match="the project has no character 'k7'"):
        ChooseFigure(figure="k7").apply(document)


def test_documents_with_characters_are_saved_and_loaded(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    document = AddCharacter(name="hero", path="clips/hero.glb").apply(small_document())
    document = MapJoints(character="k1", joint_map={"hand.l": None}).apply(document)
    folder.save(document)
    assert folder.load() == document


def test_looking_at_a_joint_map_writes_nothing(studio: Studio, person_glb: bytes) -> None:
    uploaded = studio.post("/api/files?name=person.glb", person_glb).json()
    studio.session._history.do(AddCharacter(name="person", path=uploaded["path"]))
    studio.session._history.do(MapJoints(character="k1", joint_map={"Head": None}))
    assert studio.get("/api/characters/k1/maps/c1").status_code == 200
    assert not (studio.folder.path / MAP_FILE).exists()


def test_pages_that_are_behind_get_an_empty_answer(studio: Studio, person_glb: bytes) -> None:
    """A clip or character may be removed while a request about it is on its way."""
    uploaded = studio.post("/api/files?name=person.glb", person_glb).json()
    portal, session = studio.client.portal, studio.session
    assert portal is not None
    portal.call(session.do, AddCharacter(name="person", path=uploaded["path"]))
    portal.call(session.do, RemoveItem(item="c3"))
    portal.call(session.do, RemoveCharacter(character="k1"))
    for path in ("characters/k1/mesh", "characters/k1/clips/c1", "quality/c3", "mannequins/c3"):
        answer = studio.get(f"/api/{path}")
        assert (answer.status_code, answer.content) == (204, b""), path
    assert studio.post("/api/exports/c3?format=bvh").status_code == 400
