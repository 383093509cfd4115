"""What the viewer draws is what the library computes; its tools, keys, sheet and poster."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.synthesis import jog, walk
from motionloom.viewer import sheet_page, view_page
from motionloom.viewer.page import ViewerPage
from tests.studio.browser.running_studio import TIMEOUT_MS, WAIT
from tests.viewer.browser.conftest import DRAWN, Open

pytestmark = pytest.mark.browser

MILLIMETRE = 1e-3

NO_WEBGL = """
const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith("webgl") ? null : get.call(this, kind, ...rest);
};
"""
"""Takes WebGL away, as browsers without hardware acceleration do."""

POLICY_OF_VS_CODE = (
    "default-src 'none'; script-src 'self' https://*.vscode-cdn.net 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' https://*.vscode-cdn.net 'unsafe-inline'; "
    "img-src 'self' https://*.vscode-cdn.net https: http: data:; "
    "font-src 'self' https://*.vscode-cdn.net https:; connect-src https:; child-src https: data:;"
)
"""The strictest policy that VS Code has for results in notebooks (``notebook.experimental.enableCsp``)."""


@pytest.fixture(scope="module")
def gaits() -> list[ml.Clip]:
    return [ml.annotate(make(duration=2.0, fps=60).clip) for make in (walk, jog)]


def test_joints_are_drawn_where_the_library_has_them(open_page: Open, gaits: list[ml.Clip]) -> None:
    opened = open_page(view_page(gaits, names=["walk", "jog"]))
    opened.wait_drawn()
    for n, clip in enumerate(gaits):
        positions = clip.world_positions()
        for frame in (0, 1, clip.n_frames // 2, clip.n_frames - 1):
            opened.seek(frame / clip.fps)
            gap = np.linalg.norm(opened.joints(n) - positions[frame], axis=1)
            assert gap.max() < MILLIMETRE


def test_all_clips_are_in_view_however_late_they_come(open_page: Open, gaits: list[ml.Clip]) -> None:
    opened = open_page(view_page([*gaits, gaits[0]]), reduced_motion="reduce")
    opened.wait("document.documentElement.dataset.ready === 'true'")
    opened.wait_repainted()
    assert opened.page.locator(".labels span:not([hidden])").count() == 3
    for label in opened.page.locator(".labels span").all():
        box = label.bounding_box()
        assert box is not None
        assert 0 < box["x"] < 900 - box["width"]
        assert 0 < box["y"] < 400


def test_tools_and_keys(open_page: Open, gaits: list[ml.Clip], shots: Path) -> None:
    opened = open_page(view_page(gaits, names=["walk", "jog"], captions=["A walk", "A jog"]))
    page = opened.page
    opened.wait_drawn()
    assert page.evaluate("player.playback.playing")
    page.keyboard.press("Space")
    assert not page.evaluate("player.playback.playing")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate("player.transport.frame") == 11
    assert page.locator(".caption").inner_text().startswith("A walk")
    page.get_by_role("button", name="jog").click()
    assert page.locator(".caption").inner_text().startswith("A jog")
    page.get_by_label("Layout").select_option("wipe")
    line = page.get_by_role("slider", name="Line between the clips")
    line.press("ArrowLeft")
    assert line.get_attribute("aria-valuenow") == "48"
    for name in ("Onion skin", "In place", "Plants", "Path", "Body"):
        page.get_by_role("button", name=name).click()
    opened.wait_repainted()
    before = page.evaluate("viewer.stage.camera.position.toArray()")
    page.keyboard.press("6")
    assert page.evaluate("viewer.stage.camera.position.toArray()") != before
    page.get_by_label("Playback speed").select_option("0.25")
    page.keyboard.press("?")
    assert "Play or pause" in page.get_by_role("dialog").inner_text()
    page.screenshot(path=shots / "viewer-keys.png")


def test_events_are_marked_on_the_bar(open_page: Open, gaits: list[ml.Clip]) -> None:
    opened = open_page(view_page(gaits[0]))
    opened.wait_drawn()
    marks = opened.page.locator(".event-mark")
    frames = sorted({event.frame for event in gaits[0].events})
    assert 0 < marks.count() <= len(frames)
    first = marks.first
    assert f"frame {round(frames[0])}" in str(first.get_attribute("title"))
    first.click()
    assert opened.page.evaluate("player.playback.time") == pytest.approx(frames[0] / gaits[0].fps)
    assert not opened.page.evaluate("player.playback.playing")


def test_points_with_gaps_are_drawn_without_them(open_page: Open) -> None:
    positions = np.zeros((10, 3, 3)) + np.arange(3)[None, :, None]
    positions[4:8, 1] = np.nan
    opened = open_page(view_page(ml.PointClip(("a", "b", "c"), 0.1, positions)))
    opened.wait_drawn()
    opened.seek(0.3)
    np.testing.assert_allclose(opened.joints(0), positions[3], atol=MILLIMETRE)
    opened.seek(0.5)
    np.testing.assert_allclose(opened.joints(0)[[0, 2]], positions[5][[0, 2]], atol=MILLIMETRE)
    assert opened.page.evaluate("viewer.actor(0).body.isDrawn(1)") is False


def test_only_figures_in_view_move_and_a_click_opens_one(
    open_page: Open, gaits: list[ml.Clip], shots: Path
) -> None:
    opened = open_page(sheet_page(gaits * 30, title="Sixty gaits"))
    opened.wait_drawn()
    opened.wait("viewer.nDrawn > 4")
    assert opened.page.evaluate("viewer.nDrawn") < 40
    opened.page.screenshot(path=shots / "viewer-sheet.png")
    opened.page.get_by_role("button", name="clip 2").first.click()
    opened.wait("document.querySelector('dialog[open] .scrubber') !== null")
    opened.page.keyboard.press("Escape")
    opened.wait("document.querySelector('dialog') === null")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_comparisons_show_curves_and_measures(
    open_page: Open, gaits: list[ml.Clip], shots: Path, scheme: str
) -> None:
    opened = open_page(view_page(ml.compare(*gaits, names=["walk", "jog"])), color_scheme=scheme)
    opened.wait_drawn()
    assert opened.page.evaluate("document.documentElement.dataset.theme") == scheme
    table = opened.page.get_by_role("table")
    assert "mean speed" in table.inner_text()
    assert opened.page.locator("details.curve").count() > 5
    opened.page.screenshot(path=shots / f"viewer-compare-{scheme}.png")


@pytest.mark.parametrize("make", [view_page, sheet_page])
def test_motion_that_cannot_be_unpacked_is_told(
    open_page: Open, gaits: list[ml.Clip], make: Callable[[list[ml.Clip]], ViewerPage]
) -> None:
    opened = open_page(make(gaits))
    opened.page.add_init_script("delete window.DecompressionStream")
    opened.page.reload()
    alert = opened.page.get_by_role("alert")
    alert.wait_for()
    assert alert.inner_text().startswith("The motion of this page cannot be read")
    opened.errors.clear()


def test_results_of_cells_move_under_the_policy_of_vs_code(open_page: Open, gaits: list[ml.Clip]) -> None:
    cell = json.dumps(view_page(gaits[0])._repr_html_()).replace("</", "<\\/")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY_OF_VS_CODE}">'
    put = f"<script>document.getElementById('cell').innerHTML = {cell};</script>"
    opened = open_page(ViewerPage(f'<!doctype html>{policy}<div id="cell"></div>{put}', "a notebook"))
    frame = opened.page.locator("iframe").element_handle().content_frame()
    assert frame is not None
    frame.wait_for_load_state()
    frame.evaluate(WAIT % (DRAWN, TIMEOUT_MS))
    assert np.isfinite(np.array(frame.evaluate("viewer.jointPositions(0)"))).all()


def test_without_webgl_there_are_a_sentence_and_a_poster(open_page: Open, gaits: list[ml.Clip]) -> None:
    opened = open_page(view_page(gaits))
    opened.page.add_init_script(NO_WEBGL)
    opened.page.reload()
    alert = opened.page.get_by_role("alert")
    alert.wait_for()
    assert alert.inner_text().startswith("This browser cannot move the figures because WebGL 2 is missing")
    assert alert.inner_text().endswith("The picture shows: a pose of each clip.")
    assert opened.page.locator("svg.poster").is_visible()
    opened.errors.clear()  # three.js logs that there is no WebGL


def test_comparisons_without_webgl_keep_curves_and_measures(open_page: Open, gaits: list[ml.Clip]) -> None:
    opened = open_page(view_page(ml.compare(*gaits, names=["walk", "jog"])))
    opened.page.add_init_script(NO_WEBGL)
    opened.page.reload()
    opened.page.get_by_role("alert").wait_for()
    assert opened.page.locator("svg.poster").is_visible()
    assert "mean speed" in opened.page.get_by_role("table").inner_text()
    assert opened.page.locator("details.curve").count() > 5
    opened.errors.clear()  # three.js logs that there is no WebGL
