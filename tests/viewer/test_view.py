from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileExistsRefusal, MotionloomError, ParameterError
from motionloom.synthesis import jog, walk
from motionloom.viewer import view as view_file
from motionloom.viewer import view_page
from motionloom.viewer.clip_data import thin
from motionloom.viewer.page import TEMPLATE_VARIABLE
from tests.figures import smooth_clip
from tests.viewer.pages import page_data, page_tables

UNTYPED: Any = ml
MILLIMETRE = 1e-3


@pytest.fixture(scope="module")
def walking() -> ml.Clip:
    return ml.annotate(walk(duration=1.5, fps=30).clip)


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([], "there is nothing to show: give at least one clip"),
        (3, "clips must be a clip or a sequence of clips, not 3"),
        ("walk.bvh", "clips must be a clip or a sequence of clips, not 'walk.bvh'"),
        (["walk.bvh"], r"clips\[0\] must be a clip, not 'walk.bvh': load it first"),
        ([smooth_clip(3), smooth_clip(3)[:0]], r"clips\[1\] has no frames to show"),
        ([smooth_clip(2)] * 501, "a page shows at most 500 clips, not 501: write several pages"),
    ],
)
def test_what_cannot_be_shown(tmp_path: Path, items: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ml.view(items, tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ["a", "b"]}, "names must be one for each of the 1 clips, not 2"),
        ({"captions": "a"}, "captions must be one for each of the 1 clips, not one string"),
        ({"names": [1]}, r"names\[0\] must be a string, not 1"),
        ({"layout": "row"}, "layout must be one of 'placed', 'start', 'side', 'wipe', not 'row'"),
        ({"title": 3}, "title must be a string, not 3"),
    ],
)
def test_wrong_options(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        UNTYPED.view(smooth_clip(3), tmp_path / "page.html", **options)


def test_without_the_page_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TEMPLATE_VARIABLE, str(tmp_path / "viewer.html"))
    with pytest.raises(MotionloomError, match=r"build it with 'python studio/build_page.py' in a checkout"):
        ml.view(smooth_clip(3), tmp_path / "page.html")


def test_joints_are_where_the_clip_has_them(template: Path, tmp_path: Path, walking: ml.Clip) -> None:
    path = ml.save(walking, tmp_path / "walk.html")
    html = path.read_text(encoding="utf-8")
    tables = page_tables(html)
    gap = np.linalg.norm(tables["positions"] - walking.world_positions(), axis=2)
    assert gap.max() < 0.5 * MILLIMETRE
    (clip,) = page_data(html)["clips"]
    assert clip["header"]["names"] == list(walking.skeleton.names)
    assert len(clip["header"]["plants"]) == len(walking.constraints)
    assert tables["points"].shape[1] == 1 + max(plant["column"] for plant in clip["header"]["plants"])


def test_a_page_is_replaced_only_on_request(template: Path, tmp_path: Path) -> None:
    ml.save(smooth_clip(3), tmp_path / "a.html")
    with pytest.raises(FileExistsRefusal):
        ml.save(smooth_clip(3), tmp_path / "a.html")
    ml.save(smooth_clip(4), tmp_path / "a.html", overwrite=True)
    assert page_data((tmp_path / "a.html").read_text())["clips"][0]["header"]["n_frames"] == 4


def test_names_of_clips_cannot_break_out_of_the_page(template: Path) -> None:
    evil = "</script><script>alert(1)</script>"
    html = view_page(smooth_clip(3), names=[evil], captions=[evil], title=evil).html
    assert html.count("<script>") == 1  # the page's own
    assert page_data(html)["clips"][0]["name"] == evil


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("a\0b.html", "holds a NUL character"),
        (None, "a path must be a string or a Path, not"),
        ("a" * 300 + ".html", "is too long: choose a shorter name"),
        ("\ud800.html", "holds a character that no file name can"),
    ],
    ids=["NUL", "None", "long", "surrogate"],
)
def test_what_is_no_path(template: Path, walking: ml.Clip, path: Any, message: str) -> None:
    for write in (ml.view, ml.sheet):
        with pytest.raises(ParameterError, match=message):
            write([walking], path)


def test_names_come_from_any_iterable(template: Path, tmp_path: Path, walking: ml.Clip) -> None:
    names: Any = (name for name in ("walk",))
    page = ml.view([walking], tmp_path / "a.html", names=names).read_text()
    assert '"name":"walk"' in page
    several: list[tuple[Any, int]] = [((name for name in "ab"), 2), (iter(()), 0), (5, 5)]
    for wrong, given in several:
        with pytest.raises(ParameterError, match=f"names must be one for each of the 1 clips, not {given}"):
            ml.view([walking], tmp_path / "b.html", names=wrong)


def test_names_that_are_no_text_are_shown_with_marks(template: Path, tmp_path: Path) -> None:
    """A file name with a byte that is no UTF-8 reaches Python as half of a surrogate pair."""
    written = ml.view(smooth_clip(3), tmp_path / "page.html", names=["walk\udcff"])
    assert "<title>walk?</title>" in written.read_text(encoding="utf-8")


def test_points_keep_their_gaps(template: Path, tmp_path: Path) -> None:
    positions = np.random.default_rng(0).normal(size=(20, 3, 3))
    positions[4:9, 1] = np.nan
    positions[:, 2] = np.nan
    points = ml.PointClip(("a", "b", "c"), 0.01, positions)
    tables = page_tables(ml.save(points, tmp_path / "points.html").read_text())
    np.testing.assert_array_equal(np.isnan(tables["positions"]), np.isnan(positions))
    assert np.nanmax(np.abs(tables["positions"] - positions)) < MILLIMETRE


def test_points_that_were_never_seen_make_a_page_too(template: Path) -> None:
    points = ml.PointClip(("a",), 0.01, np.full((3, 1, 3), np.nan))
    html = view_page(points).html
    assert page_data(html)["clips"][0]["start"] == [0.0, 0.0, 0.0]
    assert np.isnan(page_tables(html)["positions"]).all()


def test_several_clips_start_side_by_side(template: Path) -> None:
    html = view_page([smooth_clip(3), smooth_clip(5)], captions=["one", ""]).html
    data = page_data(html)
    assert (data["kind"], data["layout"], data["title"]) == ("view", "side", "clip 1, clip 2")
    assert [clip["caption"] for clip in data["clips"]] == ["one", ""]
    assert page_data(view_page(smooth_clip(3)).html)["layout"] == "placed"


def test_results_that_have_a_clip_are_shown(template: Path, tmp_path: Path) -> None:
    clip = smooth_clip(6)
    items = [clip, SimpleNamespace(clip=clip), SimpleNamespace(clip=lambda: clip)]
    data = page_data(ml.sheet(items, tmp_path / "sheet.html", title="Three").read_text())
    assert (data["kind"], data["title"], len(data["clips"])) == ("sheet", "Three", 3)
    assert page_data(view_page(SimpleNamespace(clip=clip)).html)["clips"][0]["header"]["n_frames"] == 6


def test_clips_beyond_what_a_browser_holds_are_thinned(
    template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip = smooth_clip(31)
    assert thin([clip]) == ([clip], 1)
    monkeypatch.setattr("motionloom.viewer.clip_data.MAX_COORDINATES", 3 * clip.skeleton.n_joints * 8)
    html = view_page(clip).html
    data = page_data(html)
    assert data["notes"] == ["The page shows one frame in 4: all of them would not fit into a browser."]
    assert data["clips"][0]["header"]["n_frames"] == 8
    assert data["clips"][0]["header"]["fps"] == pytest.approx(clip.fps / 4)
    assert np.abs(page_tables(html)["positions"] - clip.world_positions()[::4]).max() < MILLIMETRE


def test_comparisons_have_measures_and_curves(template: Path, tmp_path: Path, walking: ml.Clip) -> None:
    jogging = ml.annotate(jog(duration=1.0, fps=30).clip)
    both = ml.compare(walking, jogging, names=["walk", "jog"])
    data = page_data(ml.save(both, tmp_path / "both.html").read_text())
    assert (data["kind"], data["title"]) == ("compare", "walk, jog")
    rows = {row["name"]: row["values"] for row in data["rows"]}
    assert rows["mean speed"] == pytest.approx([values.value("mean speed") for values in both.measures])
    curves = {curve["name"]: curve for curve in data["curves"]}
    assert curves["root speed"]["unit"] == "m/s"
    assert [len(values) for values in curves["root speed"]["values"]] == [46, 31]
    assert [len(values) for values in curves["distance to the first clip"]["values"]] == [0, 31]


def test_a_comparison_goes_into_pages_only(template: Path, tmp_path: Path, walking: ml.Clip) -> None:
    both = ml.compare(walking, walking)
    with pytest.raises(ParameterError, match=r"files ending in '.npz' cannot be written with a comparison"):
        ml.save(both, tmp_path / "both.npz")


class FakeShell:
    def __init__(self, kernel: object) -> None:
        self.kernel = kernel


def test_notebooks_show_a_frame_that_can_reach_nothing(
    template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Any] = []
    shell = SimpleNamespace(get_ipython=lambda: FakeShell(object()))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=shown.append))
    smooth_clip(3).show()  # returns nothing, which a notebook would show once more
    (page,) = shown
    frame = page._repr_html_()
    assert 'sandbox="allow-scripts"' in frame
    assert "srcdoc=" in frame
    assert "<script" not in frame  # everything is escaped


@pytest.mark.parametrize("shell", [None, FakeShell(None)])
def test_elsewhere_the_browser_opens_the_page(
    template: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shell: object
) -> None:
    opened: list[str] = []
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    points = ml.PointClip(("a",), 0.1, np.zeros((2, 1, 3)))
    points.show()
    (address,) = opened
    assert address.startswith("file://")
    assert page_data(Path(address.removeprefix("file://")).read_text())["clips"][0]["name"] == "clip"


def test_temporary_pages_are_removed_after_a_week(
    template: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda address: True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    old, recent, foreign = (
        tmp_path / name for name in ("motionloom-view-a.html", "motionloom-view-b.html", "a.html")
    )
    for page, days in ((old, 8), (recent, 6), (foreign, 8)):
        page.write_text("page")
        os.utime(page, 2 * (time.time() - days * 24 * 3600,))
    ml.PointClip(("a",), 0.1, np.zeros((2, 1, 3))).show()
    left = {path.name for path in tmp_path.glob("*.html")}
    assert old.name not in left
    assert left > {recent.name, foreign.name}, "a page of others, a recent one, and the new one"


def test_view_is_what_the_package_offers() -> None:
    assert ml.view is view_file
