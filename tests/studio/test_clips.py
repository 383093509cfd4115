from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionloom.enforcement.release import measure_slide
from motionloom.files import save
from motionloom.motion.steady_travel import put_in_place
from motionloom.project.document import ClipEdit, Item
from motionloom.project.edits import AddItem
from motionloom.project.evaluator import EvaluatedClip, Evaluator, finish
from motionloom.project.folder import ProjectFolder
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import FileRecipe, LoopRecipe, RecipeResult
from motionloom.quality.feet import plant_measures
from motionloom.studio.clips import pack_clip
from motionloom.studio.packs import PackCache, unpack
from motionloom.synthesis import walk
from motionloom.viewer.planted_points import find_planted_points
from tests.figures import smooth_clip
from tests.repair.planting import flip
from tests.studio.conftest import Page, Studio, small_document


@pytest.mark.slow
@pytest.mark.parametrize("key", ["none", "..%2f..%2fproject.json", "x" * 5000, "%00"])
def test_a_key_that_nothing_has_is_an_error(studio: Studio, key: str) -> None:
    answer = studio.get(f"/api/clips/{key}")
    assert 400 <= answer.status_code < 500
    assert isinstance(answer.json()["error"], str)


@pytest.mark.slow
def test_what_is_fetched_is_what_the_library_makes(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.wait_for_all()
    assert page.failed == {}
    for item, key in page.made.items():
        answer = studio.get(f"/api/clips/{key}")
        assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
        _, arrays = unpack(answer.content)
        truth = studio.evaluator.evaluate(small_document(), item).clip.world_positions()
        np.testing.assert_array_equal(arrays["positions"], truth.astype(np.float32))


def test_faults_are_looked_for_after_the_clip_is_shown(studio: Studio) -> None:
    glitch = flip(walk(duration=2.0, fps=60).clip, "LeftForeArm", 60, 61, 40.0)
    save(glitch, studio.folder.path / "glitch.bvh")
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.do(type="add", name="glitch", recipe={"type": "file", "path": "glitch.bvh"})
        page.expect("finished", item="c4")
        header, _ = unpack(studio.get(f"/api/clips/{page.made['c4']}").content)
        notes = studio.get("/api/notes/c4").json()
    assert (header["notes"], header["has_more_notes"]) == ([], True)
    assert len(notes) == 1
    assert notes[0].startswith("faults of capture: LeftForeArm flips by 40°")
    assert notes[0].endswith("mend what can be mended with Clean up")


def test_motion_that_is_made_here_has_all_its_notes_at_once(studio: Studio) -> None:
    header, _ = unpack(pack_clip(studio.evaluator.evaluate(small_document(), "c1")))
    assert header["has_more_notes"] is False


@pytest.mark.slow
def test_a_pack_that_was_thrown_away_is_made_again(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.wait_for_all()
    first = studio.get(f"/api/clips/{page.made['c1']}").content
    monkeypatch.setattr(studio.session._maker, "packs", PackCache())
    assert studio.get(f"/api/clips/{page.made['c1']}").content == first


@pytest.mark.slow
def test_a_motion_that_is_gone_says_so(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.wait_for_all()
        old = page.made["c3"]
        recipe = page.state["document"]["items"][2]["recipe"]
        page.do(type="set_recipe", item="c3", recipe={**recipe, "weights": [0.2, 0.8]})
        page.expect("finished", item="c3")
    assert studio.get(f"/api/clips/{old}").status_code == 200, "a page may be a moment behind"
    monkeypatch.setattr(studio.session._maker, "packs", PackCache())
    answer = studio.get(f"/api/clips/{old}")
    assert answer.status_code == 204
    assert answer.content == b"", "a page that is behind did nothing wrong"


@pytest.fixture(scope="module")
def blend() -> EvaluatedClip:
    return Evaluator(ProjectFolder(Path("nowhere"))).evaluate(small_document(), "c3")


def test_a_figure_without_legs_has_a_height_and_no_plants() -> None:
    item = Item(id="c1", name="thing", recipe=FileRecipe(path="thing.bvh"))
    header, arrays = unpack(
        pack_clip(finish(item, RecipeResult(clip=smooth_clip()), "key", "made/thing.npz"))
    )
    assert header["plants"] == []
    assert header["height"] == pytest.approx(1.0)  # from the lowest joint to the highest
    assert set(arrays) == {"positions", "rotations"}
    assert header["mannequin"] is None


def test_the_edit_and_the_length_before_it_are_told() -> None:
    recipe = FileRecipe(path="thing.bvh")
    item = Item(id="c1", name="thing", recipe=recipe, edit=ClipEdit(trim=(2, 5), speed=2.0))
    header, _ = unpack(pack_clip(finish(item, RecipeResult(clip=smooth_clip(8)), "key", "made/thing.npz")))
    assert (header["n_frames"], header["whole_frames"]) == (2, 8)
    assert header["edit"] == to_plain(item.edit)


def test_a_blend_has_all_arrays(blend: EvaluatedClip) -> None:
    header, arrays = unpack(pack_clip(blend))
    clip, result = blend.clip, blend.blend
    assert result is not None
    assert blend.before is not None
    np.testing.assert_array_equal(arrays["positions"], clip.world_positions().astype(np.float32))
    np.testing.assert_array_equal(arrays["before"], blend.before.world_positions().astype(np.float32))
    np.testing.assert_array_equal(arrays["u"], result.u.astype(np.float32))
    np.testing.assert_array_equal(arrays["weights"], result.weights.astype(np.float32))
    assert (header["n_frames"], header["names"]) == (clip.n_frames, list(clip.skeleton.names))
    assert blend.curve is not None
    report = blend.curve.report
    assert header["verdict"] == {
        "fit": report.verdict.name.lower(),
        "level": report.verdict.value,
        "reason": report.reason,
        "remedy": "",
        "figure": report.figure,
    }


def test_source_frames_count_in_the_sources_as_they_are_shown(blend: EvaluatedClip) -> None:
    """The blend begins at a strike of its sources, which need not be their first frame."""
    assert blend.blend is not None
    assert blend.curve is not None
    _, arrays = unpack(pack_clip(blend))
    starts = [clip.provenance.start for clip in blend.curve.clips]
    assert max(starts) > 0
    np.testing.assert_allclose(arrays["frames"], blend.blend.frames + starts, atol=1e-4)


def test_slides_are_those_that_quality_measures(blend: EvaluatedClip) -> None:
    measured = plant_measures(blend.clip)
    slides = [measure_slide(blend.clip, constraint) for constraint in measured.constraints]
    np.testing.assert_array_equal(slides, measured.travel)


def test_every_plant_names_the_column_of_its_point(blend: EvaluatedClip) -> None:
    header, arrays = unpack(pack_clip(blend))
    assert arrays["points"].shape[1] <= len(header["plants"])
    for plant, constraint in zip(header["plants"], blend.clip.constraints, strict=True):
        places = blend.clip.point_positions(constraint.joint, constraint.point)
        np.testing.assert_allclose(arrays["points"][:, plant["column"]], places, atol=2e-3)


def test_planted_points_of_a_gait_in_place_rest_in_the_ground_below_it() -> None:
    item = Item(id="c1", name="walk", recipe=FileRecipe(path="walk.bvh"))
    result = RecipeResult(clip=put_in_place(walk(speed=1.2, duration=4.0, fps=30).clip).clip)
    header, arrays = unpack(pack_clip(finish(item, result, "key", "made/walk.npz")))
    plant = max(header["plants"], key=lambda plant: plant["end"] - plant["start"])
    frames = slice(int(np.ceil(plant["start"])), int(plant["end"]) + 1)
    in_place, on_ground = (
        np.ptp(arrays[name][frames, plant["column"]][:, [0, 2]], axis=0).max()
        for name in ("points", "ground_points")
    )
    assert in_place > 0.3
    assert on_ground < 0.02


def test_a_loop_tells_the_frames_it_was_closed_from() -> None:
    document = AddItem(name="loop", recipe=LoopRecipe(source="c1")).apply(small_document())
    loop = Evaluator(ProjectFolder(Path("nowhere"))).evaluate(document, document.items[-1].id)
    _, arrays = unpack(pack_clip(loop))
    assert arrays["frames"].shape == (loop.clip.n_frames, 1)
    assert arrays["frames"][0, 0] == loop.clip.provenance.start


def test_a_long_take_has_a_handful_of_points(blend: EvaluatedClip) -> None:
    held = find_planted_points(blend.clip)
    assert len(held.joints) == 4
    assert len(held.columns) == len(blend.clip.constraints)
