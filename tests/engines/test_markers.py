"""Sync markers and phase tracks as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import motionloom as ml
from motionloom.engines.markers import EVEN_COUNT, markers_to_dict, save_sync_events
from motionloom.errors import FileExistsRefusal, ParameterError
from motionloom.motion import Clip, Event, Source
from motionloom.synthesis import kick, walk


@pytest.fixture(scope="module")
def walking() -> Clip:
    return ml.annotate(walk(duration=2.5, fps=30).clip)


def only(data: dict[str, Any]) -> dict[str, Any]:
    (entry,) = data["clips"]
    assert isinstance(entry, dict)
    return entry


def test_a_clip_without_contacts_has_none(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="the clip has no strike or lift events"):
        save_sync_events(walk(duration=1.0).clip, tmp_path / "a.json")
    assert not list(tmp_path.iterdir())


def test_files_are_replaced_on_request_only(tmp_path: Path, walking: Clip) -> None:
    path = save_sync_events(walking, tmp_path / "a.json")
    with pytest.raises(FileExistsRefusal):
        save_sync_events(walking, path)
    assert save_sync_events(walking, path, overwrite=True) == path


def test_times_of_a_marker() -> None:
    clip = replace(walk(duration=1.0, fps=30).clip, events=(Event(15, "strike", "LeftFoot"),))
    entry = only(markers_to_dict(clip))
    assert entry["markers"] == [{"name": "left_strike", "frame": 15, "time": 0.5, "normalized": 0.5}]
    assert (entry["fps"], entry["n_frames"], entry["duration"], entry["cyclic"]) == (30.0, 31, 1.0, False)
    assert entry["phase"] is None
    cycle = only(markers_to_dict(replace(clip, cyclic=True)))
    assert cycle["markers"][0]["normalized"] == pytest.approx(15 / 31, abs=1e-6)
    assert cycle["duration"] == pytest.approx(31 / 30, abs=1e-6)


def test_a_gait_with_its_phase_and_contacts(tmp_path: Path, walking: Clip) -> None:
    named = replace(walking, source=Source(path="clips/slow walk.bvh"))
    data = json.loads(save_sync_events(named, tmp_path / "a.json").read_text())
    assert (data["format"], data["version"]) == ("motionloom sync markers", 1)
    entry = only(data)
    assert entry["name"] == "slow walk"
    assert len(entry["phase"]) == walking.n_frames
    assert set(entry["contacts"]) == {"left", "right"}
    strikes = [marker["time"] for marker in entry["markers"] if marker["name"] == "left_strike"]
    starts = [start for start, _ in entry["contacts"]["left"]]
    assert strikes
    assert all(min(abs(strike - start) for start in starts) < 0.02 for strike in strikes)


def test_clips_of_a_registration_have_the_same_markers(walking: Clip) -> None:
    quick = ml.annotate(walk(duration=2.5, fps=30, speed=1.7).clip)
    data = markers_to_dict(ml.register(ml.match_strides([walking, quick])))
    first, second = data["clips"]
    names = [marker["name"] for marker in first["markers"]]
    assert len(names) >= 4
    assert names == [marker["name"] for marker in second["markers"]]
    assert (first["phase"][0], first["phase"][-1]) == (0.0, 1.0)


def test_clips_without_contacts_in_common_get_even_markers() -> None:
    curve = ml.register([kick(duration=1.2).clip, kick(duration=2.0).clip])
    for entry in markers_to_dict(curve)["clips"]:
        assert [marker["name"] for marker in entry["markers"]] == [f"sync_{n}" for n in range(EVEN_COUNT)]
        assert entry["markers"][-1]["normalized"] == pytest.approx(1.0, abs=0.02)
