from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.geometry import rotations as rot
from motionloom.motion import Result
from motionloom.project.clip_edits import apply_edit
from motionloom.project.document import ClipEdit, Item
from motionloom.project.evaluator import finish
from motionloom.project.recipes import JointKey, RecipeResult, WarpRecipe
from motionloom.project.recipes.recipe import Evaluation
from motionloom.studio.packs import unpack
from motionloom.studio.warps import THUMBNAIL_POSES, pack_presets, pack_warp, source_times
from motionloom.synthesis import walk
from motionloom.warping import PRESETS, Key, Warp, warp
from motionloom.warping.warp_file import warp_to_dict
from tests.studio.conftest import Page, Studio

Arrays = dict[str, Any]

CLIP = walk(duration=2.0, fps=30).clip


def item_of(recipe: WarpRecipe, edit: ClipEdit | None = None) -> Item:
    return Item(id="c2", name="warped", recipe=recipe, edit=edit or ClipEdit())


def evaluate(recipe: WarpRecipe, source: Any) -> RecipeResult:
    return recipe.evaluate(cast(Evaluation, SimpleNamespace(clips=lambda _: [source])))


def pack_of(item: Item, joint: str, source: Any = CLIP) -> tuple[dict[str, Any], Arrays]:
    assert isinstance(item.recipe, WarpRecipe)
    whole = finish(item_of(item.recipe), evaluate(item.recipe, source), "key", "made/warped.npz")
    assert whole.warp is not None
    return unpack(pack_warp(source, Result(whole.clip, whole.warp), item.recipe, item.edit, joint))


def turned(*keys: JointKey, **options: Any) -> WarpRecipe:
    return WarpRecipe(source="c1", keys=keys, **options)


NOD = JointKey(time=1.0, joint="Head", kind="rotate", value=(0.4, 0.1, 0.0))


def test_only_warps_have_keys(studio: Studio) -> None:
    answer = studio.get("/api/warp/c1")
    assert answer.status_code == 400
    assert answer.json()["error"] == "walk is not a warp, so it has no keys"


def test_a_joint_that_is_not_there_is_refused(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.do(type="add", name="bent", recipe={"type": "warp", "source": "c1"})
        page.expect("finished", item="c4")
        answer = studio.get("/api/warp/c4?joint=Tail")
    assert answer.status_code == 400
    assert "Tail" in answer.json()["error"]


@pytest.mark.slow
def test_the_server_tells_what_the_library_makes(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        recipe = {"type": "warp", "source": "c1", "keys": [{"time": 1, "joint": "Head", "kind": "rotate"}]}
        recipe["keys"][0]["value"] = [0.4, 0.1, 0]  # type: ignore[index]
        page.do(type="add", name="nod", recipe=recipe)
        page.expect("finished", item="c4")
        header, arrays = unpack(studio.get("/api/warp/c4?joint=Head").content)
    source = studio.evaluator.evaluate(studio.folder.load(), "c1").clip
    made = warp(source, [Key(1.0, "Head", rotate=(0.4, 0.1, 0))])
    index = made.clip.skeleton.index("Head")
    assert header["joint"] == "Head"
    np.testing.assert_allclose(arrays["world"], made.clip.world_rotations()[:, index], atol=1e-6)
    np.testing.assert_allclose(arrays["warped_positions"], made.clip.world_positions()[:, index], atol=1e-5)
    np.testing.assert_allclose(arrays["original_positions"], source.world_positions()[:, index], atol=1e-5)


def test_what_keys_add_lies_between_before_and_after() -> None:
    _, arrays = pack_of(item_of(turned(NOD)), "Head")
    before, after = (rot.from_rotation_vector(arrays[name]) for name in ("original", "warped"))
    together = rot.multiply(before, rot.from_rotation_vector(arrays["key_rotation"]))
    assert np.abs(np.einsum("ti,ti->t", together, after)).min() > 1 - 1e-6
    np.testing.assert_allclose(arrays["key_rotation"][30], NOD.value, atol=1e-6)
    assert not arrays["key_rotation"][0].any()


def test_the_strength_is_in_what_keys_add() -> None:
    _, arrays = pack_of(item_of(turned(NOD, amount=0.5)), "Head")
    np.testing.assert_allclose(arrays["key_rotation"][30], np.array(NOD.value) / 2, atol=1e-6)


def test_the_root_is_moved() -> None:
    hop = JointKey(time=0.5, joint="Hips", kind="move", value=(0.0, 0.2, 0.0))
    _, arrays = pack_of(item_of(turned(hop)), "")
    np.testing.assert_allclose(arrays["key_offset"][15], hop.value, atol=1e-6)
    np.testing.assert_allclose(
        arrays["warped_positions"][15] - arrays["original_positions"][15], hop.value, atol=1e-5
    )


def test_time_keys_say_which_moment_is_shown() -> None:
    recipe = turned(times=((1.0, 1.5),))
    header, arrays = pack_of(item_of(recipe), "Head")
    times = arrays["source_times"]
    assert (header["source_duration"], header["duration"]) == pytest.approx((2.0, 2.5))
    assert times[45] == pytest.approx(1.0)
    assert (np.diff(times) > 0).all()
    np.testing.assert_allclose(arrays["warped"], arrays["original"], atol=1e-5)


def test_rows_follow_the_edit_of_the_warp() -> None:
    edit = ClipEdit(trim=(10, 50), speed=2.0, reverse=True)
    _, arrays = pack_of(item_of(turned(NOD), edit), "Head")
    made = apply_edit(warp(CLIP, [Key(1.0, "Head", rotate=NOD.value)]).clip, edit)
    np.testing.assert_allclose(
        arrays["warped_positions"], made.world_positions()[:, made.skeleton.index("Head")], atol=1e-5
    )
    np.testing.assert_allclose(arrays["source_times"], np.arange(50, 9, -2) / 30, atol=1e-6)


@pytest.mark.slow
def test_a_place_that_is_out_of_reach_is_told() -> None:
    near, far = CLIP.world_positions()[30, CLIP.skeleton.index("LeftHand")], (0.0, 5.0, 0.0)
    keys = (
        JointKey(time=0.5, joint="LeftHand", kind="reach", value=far),
        JointKey(time=1.0, joint="RightHand", kind="rotate", value=(0.1, 0.0, 0.0)),
        JointKey(time=1.5, joint="LeftHand", kind="reach", value=(near[0], near[1] + 0.1, near[2] + 0.6)),
    )
    header, _ = pack_of(item_of(turned(*keys)), "LeftHand")
    reached = {result["key"]: result["reached"] for result in header["results"]}
    assert reached.keys() == {0, 2}
    assert not reached[0]


def test_curves_of_turns_do_not_jump() -> None:
    """The hips turn past half a turn, where the shortest way round is the other one."""
    spin = tuple(
        JointKey(time=t, joint="Hips", kind="rotate", value=(0.0, 0.75 * np.pi * t, 0.0), ease=None)
        for t in (0.0, 2.0)
    )
    _, arrays = pack_of(item_of(turned(*spin)), "Hips")
    assert np.abs(np.diff(arrays["warped"], axis=0)).max() < 0.6
    assert np.linalg.norm(arrays["warped"], axis=1).max() > 1.4 * np.pi


@pytest.mark.slow
def test_there_is_a_picture_of_every_preset(studio: Studio) -> None:
    header, arrays = unpack(studio.get("/api/warp-presets").content)
    assert [entry["name"] for entry in header["warps"]] == list(PRESETS)
    assert all(entry["description"].endswith(".") for entry in header["warps"])
    assert arrays["poses"].shape == (len(PRESETS), THUMBNAIL_POSES, len(header["parents"]), 3)
    assert pack_presets() is pack_presets()


@pytest.mark.slow
def test_captured_motion(mocap: Path) -> None:
    clip = load_clip(mocap / "locomotion/s16/walk_straight_16_15.bvh")
    recipe = WarpRecipe(source="c1", preset="limp")
    header, arrays = pack_of(item_of(recipe), "LeftLeg", clip)
    made = evaluate(recipe, clip)
    assert made.warp is not None
    assert header["duration"] == pytest.approx(made.clip.duration)
    np.testing.assert_allclose(
        arrays["source_times"], source_times(clip, Result(made.clip, made.warp)), atol=1e-5
    )
    assert np.abs(arrays["warped"] - arrays["original"]).max() > 0.1


def test_keys_of_a_saved_warp_come_with_their_seconds() -> None:
    source = walk(duration=3.0, fps=30).clip
    key = Key("every left strike", "left knee", rotate=(0.2, 0, 0), frame="body")
    text = json.dumps(warp_to_dict(Warp.of([key, Key(0.5, "Head", rotate=(0.1, 0, 0))])))
    recipe = WarpRecipe(source="c1", saved=text)
    warped = evaluate(recipe, source)
    assert warped.warp is not None
    header, _ = unpack(pack_warp(source, Result(warped.clip, warped.warp), recipe, ClipEdit(), ""))
    first, second = header["saved"]
    assert (first["moment"], first["joint"]) == ("0.5 s", "Head")
    assert (second["moment"], second["joint"], len(second["times"])) == ("every left strike", "left knee", 2)


def test_a_text_that_is_no_warp_is_refused() -> None:
    source = walk(duration=1.0, fps=30).clip
    with pytest.raises(ParameterError, match="the text is no warp file"):
        evaluate(WarpRecipe(source="c1", saved="{"), source)
    with pytest.raises(ParameterError, match="is a preset, which takes no keys"):
        evaluate(WarpRecipe(source="c1", saved="{}", preset="limp"), source)
