from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionloom.files import load_clip
from motionloom.framespace import Framespace, SplineInterpolant
from motionloom.motion import Clip
from motionloom.project.document import ClipEdit
from motionloom.project.recipes import FramespaceRecipe
from motionloom.studio.framespaces import pack_framespace
from motionloom.studio.packs import unpack
from motionloom.synthesis import jog, walk
from tests.studio.conftest import Page, Studio

CURVE = ((0.0, 0.0), (0.25, 0.1), (0.75, 0.9), (1.0, 1.0))

CLIPS = walk(duration=4.0, fps=30).clip, jog(duration=3.0, fps=30).clip


def pack_of(
    recipe: FramespaceRecipe, clips: tuple[Clip, ...] = CLIPS, edit: ClipEdit | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    space = Framespace(clips, decoupled=recipe.decoupled)
    upper = None if recipe.upper is None else SplineInterpolant(recipe.upper)
    blend = space.blend(SplineInterpolant(recipe.curve), cycles=recipe.cycles, upper=upper)
    return unpack(pack_framespace(space, recipe, blend, edit or ClipEdit()))


def recipe_of(**options: Any) -> FramespaceRecipe:
    return FramespaceRecipe(**{"sources": ("c1", "c2"), "curve": CURVE, "cycles": 4.0, **options})


def test_only_framespaces_have_a_space(studio: Studio) -> None:
    answer = studio.get("/api/framespace/c1")
    assert answer.status_code == 400
    assert answer.json()["error"] == "walk is not a framespace, so there is no curve through it"


@pytest.mark.parametrize("text", ["", "7", "[[0, 0], 3]", '[["a", 1]]', "[" * 100_000])
def test_vertices_are_numbers(studio: Studio, text: str) -> None:
    answer = studio.get(f"/api/framespace-curve?vertices={text[:2000]}")
    assert answer.status_code == 400
    assert answer.json()["error"] == "vertices must be a JSON list of lists of numbers, [[x, v], …]"


def test_a_curve_has_vertices(studio: Studio) -> None:
    answer = studio.get("/api/framespace-curve?vertices=[]")
    assert answer.json()["error"] == "a curve has 1 to 1000 vertices, not 0"


@pytest.mark.parametrize("polyline", [False, True])
def test_a_curve_that_is_being_drawn(studio: Studio, polyline: bool) -> None:
    query = f"vertices={json.dumps(CURVE)}&polyline={str(polyline).lower()}"
    header, arrays = unpack(studio.get(f"/api/framespace-curve?{query}").content)
    x, v = arrays["curve"].T
    assert header == {"polyline": polyline}
    wanted = (
        np.interp(x, [row[0] for row in CURVE], [row[1] for row in CURVE])
        if polyline
        else SplineInterpolant(CURVE)(x)[:, 0]
    )
    np.testing.assert_allclose(v, wanted, atol=1e-6)


@pytest.mark.slow
def test_the_server_tells_what_the_library_makes(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        recipe = {"type": "framespace", "sources": ["c1", "c2"], "curve": CURVE, "cycles": 3}
        page.do(type="add", name="faster", recipe=recipe)
        page.expect("finished", item="c4")
        header, arrays = unpack(studio.get("/api/framespace/c4").content)
    document = studio.folder.load()
    space = Framespace([studio.evaluator.evaluate(document, source).clip for source in ("c1", "c2")])
    made = space.blend(SplineInterpolant(CURVE), cycles=3)
    assert [tuple(state["labels"]) for state in header["lower"]] == [
        s.labels for s in space.correspondence.matched
    ]
    np.testing.assert_allclose(arrays["x"] * 3, made.report.cycles, atol=1e-5)
    np.testing.assert_allclose(arrays["points"], made.report.points, atol=1e-6)


def test_a_curve_that_makes_no_clip_is_still_shown(studio: Studio) -> None:
    """A loop must end where it begins; one that does not is to be mended in the panel."""
    with studio.page() as socket:
        page = Page(studio.client, socket)
        recipe = {"type": "framespace", "sources": ["c1", "c2"], "curve": CURVE, "loop": True}
        page.do(type="add", name="open", recipe=recipe)
        page.expect("failed", item="c4")
        header, arrays = unpack(studio.get("/api/framespace/c4").content)
    assert set(arrays) == {"curve"}
    assert len(header["lower"]) > 1


@pytest.mark.slow
def test_states_pass_where_their_lines_are() -> None:
    """Where the curve crosses a line, the clips show the state that the line is of."""
    recipe = recipe_of(curve=((0.0, 0.3), (1.0, 0.3)), cycles=1.0)
    header, _ = pack_of(recipe)
    space = Framespace(CLIPS)
    matched = space.correspondence.phases
    for n, state in enumerate(header["lower"]):
        time = 0.7 * state["times"][0] + 0.3 * state["times"][1]
        phases = space.warp.moments([time], [[0.7, 0.3]]).phases[0]
        tolerance = 0.5 / space.clips[0].n_frames + 1e-9 if n == 0 else 1e-6
        np.testing.assert_allclose(phases % 1.0, matched[n] % 1.0, atol=tolerance)


@pytest.mark.slow
def test_the_states_of_the_arms_count_in_the_cycle_of_the_legs() -> None:
    header, arrays = pack_of(recipe_of(decoupled=True, upper=((0.0, 1.0), (1.0, 0.0))))
    space = Framespace(CLIPS, decoupled=True)
    assert space.upper_correspondence is not None
    assert [state["labels"][0] for state in header["upper"]] == [
        s.labels[0] for s in space.upper_correspondence.matched
    ]
    for state, matched in zip(header["upper"], space.upper_correspondence.matched, strict=True):
        phases = (np.array(state["times"]) + space.warp.origins) % 1.0
        away = np.abs(phases - np.array(matched.phases))
        assert np.minimum(away, 1.0 - away).max() < 1e-6
        assert np.ptp(state["times"]) < 1.0
    np.testing.assert_allclose(arrays["upper_points"][:, 0], 1.0 - arrays["x"], atol=1e-5)


@pytest.mark.slow
def test_rows_follow_the_edit() -> None:
    _, whole = pack_of(recipe_of())
    _, cut = pack_of(recipe_of(), edit=ClipEdit(trim=(5, 25), reverse=True))
    np.testing.assert_array_equal(cut["x"], whole["x"][25:4:-1])
    np.testing.assert_array_equal(cut["points"], whole["points"][25:4:-1])


@pytest.mark.slow
def test_a_box_has_two_coordinates() -> None:
    clips = (
        *CLIPS,
        walk(duration=3.0, fps=30, curvature=0.3).clip,
        jog(duration=3.0, fps=30, curvature=0.3).clip,
    )
    curve = ((0.0, 0.0, 1.0), (0.5, 1.0, 0.2), (1.0, 0.5, 0.5))
    header, arrays = pack_of(recipe_of(sources=("c1", "c2", "c3", "c4"), curve=curve), clips)
    assert header["shape"] == "box"
    assert arrays["curve"].shape[1] == 3
    assert all(len(state["times"]) == 4 for state in header["lower"])


def test_labels_are_told_in_words() -> None:
    header, _ = pack_of(recipe_of())
    words = {state["labels"][0]: state["description"] for state in header["lower"]}
    assert words["L.et"].startswith("left foot strikes the floor")
    assert words["R.mt"].startswith("right leg passes the other")


def test_captured_motion(mocap: Path) -> None:
    folder = mocap / "locomotion/s16"
    clips = tuple(load_clip(folder / name) for name in ("walk_straight_16_15.bvh", "jog_straight_16_35.bvh"))
    header, arrays = pack_of(recipe_of(), clips)
    space = Framespace(clips)
    assert header["periods"] == pytest.approx(space.periods.tolist())
    assert {"L.et", "R.et"} <= {label for state in header["lower"] for label in state["labels"]}
    assert arrays["x"][0] == 0
    assert (np.diff(arrays["x"]) > 0).all()
