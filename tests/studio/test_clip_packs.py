from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionloom.project.document import ClipEdit, Item
from motionloom.project.evaluation import Evaluator, Outcome, finished
from motionloom.project.folder import ProjectFolder
from motionloom.project.making import Made
from motionloom.project.recipes import FileRecipe
from motionloom.quality.plants import plant_measures
from motionloom.studio.clip_packs import clip_pack, planted_points, slide_of
from motionloom.studio.packing import unpacked
from tests.figures import smooth_clip
from tests.studio.conftest import small_document


@pytest.fixture(scope="module")
def blend() -> Outcome:
    return Evaluator(ProjectFolder(Path("nowhere"))).outcome(small_document(), "c3")


def test_a_figure_without_legs_has_a_height_and_no_plants() -> None:
    item = Item(id="c1", name="thing", recipe=FileRecipe(path="thing.bvh"))
    head, arrays = unpacked(clip_pack(finished(item, Made(clip=smooth_clip()), "key", "made/thing.npz")))
    assert head["plants"] == []
    assert head["height"] == pytest.approx(1.0)  # from the lowest joint to the highest
    assert set(arrays) == {"positions"}


def test_the_length_before_trimming_is_told() -> None:
    recipe = FileRecipe(path="thing.bvh")
    item = Item(id="c1", name="thing", recipe=recipe, edit=ClipEdit(trim=(2, 5), speed=2.0))
    head, _ = unpacked(clip_pack(finished(item, Made(clip=smooth_clip(8)), "key", "made/thing.npz")))
    assert (head["n_frames"], head["whole_frames"]) == (2, 8)


def test_a_blend_has_all_arrays(blend: Outcome) -> None:
    head, arrays = unpacked(clip_pack(blend))
    clip, result = blend.clip, blend.blend
    assert result is not None
    assert blend.before is not None
    np.testing.assert_array_equal(arrays["positions"], clip.world_positions().astype(np.float32))
    np.testing.assert_array_equal(arrays["before"], blend.before.world_positions().astype(np.float32))
    np.testing.assert_array_equal(arrays["u"], result.u.astype(np.float32))
    np.testing.assert_array_equal(arrays["weights"], result.weights.astype(np.float32))
    assert (head["n_frames"], head["names"]) == (clip.n_frames, list(clip.skeleton.names))
    assert head["verdict"] == blend.verdict


def test_source_frames_count_in_the_sources_as_they_are_shown(blend: Outcome) -> None:
    """The blend begins at a strike of its sources, which need not be their first frame."""
    assert blend.blend is not None
    assert blend.curve is not None
    _, arrays = unpacked(clip_pack(blend))
    starts = [clip.report.start for clip in blend.curve.clips]
    assert max(starts) > 0
    np.testing.assert_allclose(arrays["frames"], blend.blend.frames + starts, atol=1e-4)


def test_slides_are_those_that_quality_measures(blend: Outcome) -> None:
    measured = plant_measures(blend.clip)
    slides = [slide_of(blend.clip, constraint) for constraint in measured.constraints]
    np.testing.assert_array_equal(slides, measured.travel)


def test_every_plant_names_the_column_of_its_point(blend: Outcome) -> None:
    head, arrays = unpacked(clip_pack(blend))
    assert arrays["points"].shape[1] <= len(head["plants"])
    for plant, constraint in zip(head["plants"], blend.clip.constraints, strict=True):
        places = blend.clip.point_positions(constraint.joint, constraint.point)
        np.testing.assert_allclose(arrays["points"][:, plant["column"]], places, atol=2e-3)


def test_a_long_take_has_a_handful_of_points(blend: Outcome) -> None:
    held = planted_points(blend.clip)
    assert len(held.joints) == 4
    assert len(held.columns) == len(blend.clip.constraints)
