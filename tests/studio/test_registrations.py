"""Registrations: grids, curves and verdicts as the library computes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from starlette.datastructures import QueryParams

from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.project.command_script import write_commands
from motionloom.project.edits import SetRecipe
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.project.python_script import write_python
from motionloom.project.recipes import BlendRecipe, RegistrationRecipe
from motionloom.registration import RegistrationCurve, distance
from motionloom.studio.packs import unpack
from motionloom.studio.registrations import MAX_CELLS, find_part, pack_registration
from motionloom.studio.routes import check_pair
from motionloom.synthesis import jog, walk
from motionloom.workflows import ensure_annotated, prepare
from tests.project.script_runs import exported, run_calls, run_python
from tests.studio.conftest import Page, Studio, small_document

PRECISION = 2e-5
"""Frames and metres travel as float32."""


def test_only_blends_are_registered(studio: Studio) -> None:
    answer = studio.get("/api/registration/c1")
    assert (answer.status_code, answer.json()) == (
        400,
        {"error": "walk is not a blend, so it has no registration"},
    )


@pytest.mark.parametrize("words", ["a=0&b=0", "a=0&b=2", "a=-1&b=1", "a=x", "b=1e0"])
def test_two_different_clips_are_compared(words: str) -> None:
    with pytest.raises(ParameterError, match="a and b must be two different clips of the blend, each 0 to 1"):
        check_pair(QueryParams(words), 2)


def test_a_clip_that_is_not_there_is_refused(studio: Studio) -> None:
    assert "no clip 'c9'" in studio.get("/api/registration/c9").json()["error"]


def test_clips_that_cannot_be_registered_say_why(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        recipe = page.state["document"]["items"][2]["recipe"]
        pinned = {**recipe, "registration": {**recipe["registration"], "pins": [[0.0, 40.0]]}}
        page.do(type="set_recipe", item="c3", recipe=pinned)
        page.expect("state")
        header, arrays = unpack(studio.get("/api/registration/c3").content)
    assert "a pin names frame 0 of walk" in header["error"]
    assert arrays == {}


@pytest.mark.slow
def test_the_grid_is_that_of_the_strides_which_are_blended(studio: Studio) -> None:
    header, arrays = unpack(studio.get("/api/registration/c3?a=0&b=1").content)
    clips = [studio.evaluator.evaluate(studio.folder.load(), id).clip for id in ("c1", "c2")]
    prepared = prepare(clips)
    curve, cuts = prepared.register(), prepared.stride_cuts
    grid = distance(*curve.clips, window=curve.settings.window, placements=True)
    assert_allclose(arrays["distances"], np.sqrt(grid.values), atol=PRECISION)
    assert [header["a"]["first"], header["b"]["first"]] == [cut.start for cut in cuts]
    assert [header["a"]["end"], header["b"]["end"]] == [cut.end for cut in cuts]
    shown, report = header["verdict"], curve.report
    assert shown["fit"] == report.verdict.name.lower()
    assert (shown["level"], shown["reason"]) == (report.verdict.value, report.reason)
    assert (shown["remedy"], shown["figure"]) == (report.remedy, report.figure)


def test_the_other_clip_may_come_first(studio: Studio) -> None:
    _, ones = unpack(studio.get("/api/registration/c3?a=0&b=1").content)
    header, others = unpack(studio.get("/api/registration/c3?a=1&b=0").content)
    assert (header["a"]["item"], header["b"]["item"]) == ("c2", "c1")
    assert_allclose(others["distances"], ones["distances"].T, atol=1e-3)
    assert_allclose(others["timewarp"], ones["timewarp"][:, ::-1])


def packs(curve: RegistrationCurve, clips: list[Clip]) -> tuple[dict[str, Any], dict[str, Any]]:
    parts = [find_part(curve, k, f"c{k}", clip) for k, clip in enumerate(clips)]
    return unpack(pack_registration(curve, (0, 1), parts))


def test_a_placement_puts_one_pose_on_the_other() -> None:
    clips = [
        walk(duration=2.0, fps=30).clip,
        jog(duration=2.0, fps=30).clip.placed(GroundTransform(2.0, 3.0)),
    ]
    curve = prepare(clips).register()
    _, arrays = packs(curve, clips)
    grid = distance(*curve.clips, window=curve.settings.window, placements=True)
    for i, j in ((5, 9), (0, 9), (20, 0)):
        x, z = arrays["shifts"][i, j]
        moved = GroundTransform(float(arrays["yaws"][i, j]), float(x), float(z)).apply(arrays["poses_b"][j])
        assert_allclose(moved, grid.placement(i, j).apply(curve.clips[1].world_positions()[j]), atol=1e-4)


def test_a_curve_is_told_in_frames_of_the_project() -> None:
    clips = [walk(duration=3.0, fps=30).clip, jog(duration=3.0, fps=60).clip]
    prepared = prepare(clips)
    curve, cuts = prepared.register(), prepared.stride_cuts
    header, arrays = packs(curve, clips)
    frames = curve.timewarp(np.linspace(*curve.domain, len(arrays["timewarp"])))
    assert_allclose(arrays["timewarp"][:, 0], frames[:, 0] + cuts[0].start, rtol=1e-5)
    # The faster clip was resampled: two of its frames are one of the curve's.
    assert_allclose(arrays["timewarp"][:, 1], 2.0 * frames[:, 1] + cuts[1].start, rtol=1e-5)
    assert (header["a"]["step"], header["b"]["step"]) == (1.0, pytest.approx(2.0))
    assert arrays["alignment"].shape == (len(frames), 2, 3)


def test_strikes_lie_where_the_project_has_them() -> None:
    clips = [
        ensure_annotated(walk(duration=3.0, fps=30).clip),
        ensure_annotated(jog(duration=3.0, fps=30).clip),
    ]
    prepared = prepare(clips)
    curve, cuts = prepared.register(), prepared.stride_cuts
    header, _ = packs(curve, clips)
    for axis, clip, cut in zip((header["a"], header["b"]), clips, cuts, strict=True):
        strikes = [e.frame for e in clip.events if e.label == "strike" and cut.start <= e.frame <= cut.end]
        assert len(axis["strikes"]) >= 1
        assert all(min(abs(frame - known) for known in strikes) < 0.5 for frame in axis["strikes"])


def test_cycles_run_on_past_their_end() -> None:
    clips = [walk(duration=3.0, fps=30).clip, jog(duration=3.0, fps=30).clip]
    curve = prepare(clips, cut="loops").register()
    header, arrays = packs(curve, clips)
    for axis, k in ((header["a"], 0), (header["b"], 1)):
        period = axis["end"] - axis["start"]
        assert axis["cyclic"]
        assert np.ptp(arrays["timewarp"][:, k]) == pytest.approx(period, rel=1e-4)
        assert axis["first"] <= arrays["timewarp"][:, k].min()
        assert axis["first"] + axis["step"] * (axis["cells"] - 1) >= arrays["timewarp"][:, k].max() - 1e-3


@pytest.mark.slow
def test_long_clips_are_shown_coarser() -> None:
    clips = [walk(duration=12.0, fps=60).clip, walk(speed=1.2, duration=12.0, fps=60).clip]
    curve = prepare(clips, cut="whole").register()
    header, arrays = packs(curve, clips)
    grid = distance(*curve.clips, window=curve.settings.window)
    assert max(arrays["distances"].shape) <= MAX_CELLS < clips[0].n_frames
    assert header["a"]["step"] == 2.0
    assert_allclose(arrays["distances"], np.sqrt(grid.values[::2, ::2]), atol=PRECISION)


def test_captured_clips(mocap: Path) -> None:
    folder = mocap / "locomotion" / "s16"
    clips = [load_clip(folder / "walk_straight_16_15.bvh"), load_clip(folder / "run_straight_16_45.bvh")]
    prepared = prepare(clips)
    curve, cuts = prepared.register(), prepared.stride_cuts
    header, arrays = packs(curve, clips)
    assert header["a"]["first"] == cuts[0].start
    i, j = 20, 30
    place = header["a"]["first"] + i * header["a"]["step"], header["b"]["first"] + j * header["b"]["step"]
    poses = [clip.world_positions()[round(frame)] for clip, frame in zip(clips, place, strict=True)]
    assert_allclose(arrays["poses_a"][i], poses[0], atol=1e-4)
    assert_allclose(arrays["poses_b"][j], poses[1], atol=1e-4)


@pytest.mark.slow
def test_scripts_make_a_blend_with_stated_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, document = ProjectFolder(tmp_path), small_document()
    options = RegistrationRecipe(
        cut="whole", pins=((40.0, 34.0),), start=(6.0, 4.0), slope_limit=4, joint_weights={"LeftHand": 0.0}
    )
    pinned = BlendRecipe(sources=("c1", "c2"), weights=(0.4, 0.6), registration=options, allow_unfit=True)
    document = SetRecipe(item="c3", recipe=pinned).apply(document)
    expected = exported(Evaluator(folder), document, "c3", "bvh")
    run_python(tmp_path, [write_python(document, "c3", "python.bvh")])
    run_calls(tmp_path, write_commands(document, "c3", "commands.bvh"), monkeypatch)
    assert (tmp_path / "python.bvh").read_bytes() == expected
    assert (tmp_path / "commands.bvh").read_bytes() == expected
