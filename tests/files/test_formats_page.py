"""The page on file formats says what is true: its code reads our files with NumPy alone."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.files.formats import GROUP
from motionloom.files.gltf.frame_grid import MIN_RATE
from motionloom.files.gltf.read import MAX_BODY_HEIGHT, MIN_BODY_HEIGHT
from motionloom.files.gltf.write import MAX_DISTANCE
from motionloom.files.options import ReadOptions, WriteOptions
from tests.figures import smooth_clip

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("moving", [False, True])
def test_numpy_alone_reads_our_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moving: bool) -> None:
    own = PAGE[PAGE.index("## Motionloom `.npz`") : PAGE.index("## glTF")]
    (code,) = re.findall(r"```python\n(.*?)```", own, flags=re.DOTALL)
    assert "motionloom" not in code
    clip = smooth_clip(12, moving=moving)
    ml.save(clip, tmp_path / "walk.npz")
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}
    exec(code, found)
    found["arrays"].close()
    assert tuple(found["names"]) == clip.skeleton.names
    assert found["fps"] == pytest.approx(clip.fps)
    assert np.allclose(found["positions"], clip.world_positions(), atol=1e-12)


def test_the_header_is_as_described(tmp_path: Path) -> None:
    with np.load(ml.save(smooth_clip(3), tmp_path / "x.npz"), allow_pickle=False) as arrays:
        header = json.loads(arrays["header.json"])
        described = set(re.findall(r"^\| `(\w+)` \| \(", PAGE, flags=re.MULTILINE))
        assert set(arrays.files) - {"header.json"} <= described
    text = PAGE[PAGE.index("`header.json` has") : PAGE.index("## glTF")]
    assert all(f"`{key}`" in text for key in header)


def test_limits_are_those_of_the_code() -> None:
    assert f"below {MIN_BODY_HEIGHT:g} m or above {MAX_BODY_HEIGHT:g} m" in PAGE
    assert f"more than {MAX_DISTANCE:g} m from the origin" in PAGE
    assert MIN_RATE == 10.0
    assert "farther apart than a tenth of a second" in PAGE


def test_the_extras_shown_are_those_written(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", PAGE, flags=re.DOTALL)
    written = json.loads(ml.save(smooth_clip(3), tmp_path / "x.gltf").read_text())["animations"][0]["extras"]
    assert json.loads(shown)["motionloom"].keys() == written["motionloom"].keys()
    assert (
        json.loads(shown)["motionloom"]["annotations"].keys() == written["motionloom"]["annotations"].keys()
    )


def test_the_toy_format_reads_and_writes(tmp_path: Path) -> None:
    text = PAGE[PAGE.index("## Your own format") : PAGE.index("## Motionloom `.npz`")]
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    found: dict[str, Any] = {}
    exec(code, found)
    clip = smooth_clip(4)
    found["TOY"].write(clip, tmp_path / "walk.toy", WriteOptions())
    again = found["TOY"].read(tmp_path / "walk.toy", ReadOptions(frame_time=0.1))
    assert np.array_equal(again.root_positions, clip.root_positions)
    assert again.frame_time == 0.1
    assert f'[project.entry-points."{GROUP}"]' in text
