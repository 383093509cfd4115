from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import motionloom as ml
from motionloom.motion import PointClip
from motionloom.synthesis import reach_out, walk
from tests.cli.conftest import Run
from tests.quality.bodies import swinging_rod


def test_other_formats_are_refused_before_anything_is_read(run: Run, tmp_path: Path) -> None:
    ended = run("annotate", str(tmp_path / "missing.bvh"), "-o", str(tmp_path / "walk.bvh"))
    assert ended.code == 2
    assert "walk.bvh: annotations are saved as .json, or with the clip as .npz" in ended.err


def test_sync_markers_are_json_and_have_a_file_of_their_own(run: Run, tmp_path: Path) -> None:
    ended = run("annotate", "missing.bvh", "--markers", "sync.txt")
    assert (ended.code, ended.complaint) == (2, "sync.txt: sync markers are saved as .json")
    ended = run("annotate", "missing.bvh", "-o", "a.json", "--markers", "a.json")
    assert (ended.code, ended.complaint) == (2, "a.json: annotations and sync markers need a file each")
    there = tmp_path / "there.json"
    there.touch()
    ended = run("annotate", "missing.bvh", "--markers", there)
    assert (ended.code, "already exists" in ended.err) == (1, True)


def test_nothing_is_left_behind_without_markers(run: Run, tmp_path: Path) -> None:
    hand = ml.save(reach_out(duration=1, fps=30).clip, tmp_path / "reach.npz")
    ended = run("annotate", hand, "-o", tmp_path / "new/reach.json", "--markers", tmp_path / "sync.json")
    assert (ended.code, "has no strike or lift events" in ended.err) == (2, True)
    assert list(tmp_path.iterdir()) == [hand]


def test_plants_and_events_are_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "walk.bvh"
    ml.save(walk(duration=3, fps=30).clip, path)
    shown = run("annotate", str(path))
    assert shown.code == 0
    assert "LeftFoot heel" in shown.out
    assert "strike events" in shown.out
    facts = json.loads(run("annotate", str(path), "--json").out)
    assert {plant["kind"] for plant in facts["plants"]} == {"heel", "toe"}


def test_a_clip_without_feet_has_no_plants_and_no_events(run: Run, tmp_path: Path) -> None:
    """A table without rows has no widest name, which was a traceback."""
    rod = swinging_rod(np.zeros(10))
    path = ml.save(rod, tmp_path / "rod.npz")
    shown = run("annotate", path, "-o", tmp_path / "rod.json")
    assert shown.code == 0
    assert "rod.npz: no plants and no events" in shown.out
    assert "note: no legs" in shown.out
    assert json.loads((tmp_path / "rod.json").read_text())["constraints"] == []


def test_a_sidecar_and_a_native_file_are_written(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "walk.bvh"
    ml.save(walk(duration=3, fps=30).clip, path)
    assert run("annotate", str(path), "-o", str(tmp_path / "walk.json")).code == 0
    assert "constraints" in json.loads((tmp_path / "walk.json").read_text())
    assert run("annotate", str(path), "-o", str(tmp_path / "walk.npz")).code == 0
    assert len(ml.load(tmp_path / "walk.npz").constraints) > 4
    refused = run("annotate", str(path), "-o", str(tmp_path / "walk.json"))
    assert (refused.code, "already exists" in refused.err) == (1, True)


def test_sync_markers_are_written(run: Run, tmp_path: Path) -> None:
    path, sync = ml.save(walk(duration=3, fps=30).clip, tmp_path / "walk.bvh"), tmp_path / "sync.json"
    facts = run("annotate", path, "-o", tmp_path / "walk.npz", "--markers", sync, "--json").json()
    assert facts["written"] == [str(tmp_path / "walk.npz"), str(sync)]
    (entry,) = json.loads(sync.read_text())["clips"]
    assert entry["name"] == "walk"
    assert {"left_strike", "right_strike"} < {marker["name"] for marker in entry["markers"]}
    assert run("annotate", path, "--markers", sync, "--force").out.endswith(f"wrote {sync}\n")


def test_an_edited_sidecar_wins(run: Run, tmp_path: Path) -> None:
    path, sidecar = tmp_path / "walk.bvh", tmp_path / "walk.json"
    ml.save(walk(duration=3, fps=30).clip, path)
    run("annotate", str(path), "-o", str(sidecar))
    data = json.loads(sidecar.read_text())
    kept = [entry for entry in data["constraints"] if entry["joint"] == "LeftFoot"][:1]
    data["constraints"] = kept
    sidecar.write_text(json.dumps(data))
    assert run("annotate", path, "--annotations", sidecar, "-o", tmp_path / "walk.npz").code == 0
    clip = ml.load(tmp_path / "walk.npz")
    assert [c.start for c in clip.constraints if (c.joint, c.kind) == ("LeftFoot", "heel")] == [
        kept[0]["start"]
    ]
    assert any(c.joint == "RightFoot" for c in clip.constraints)


def test_weight_bearing_contact_is_written_as_events(run: Run, tmp_path: Path) -> None:
    body = walk(duration=3, fps=60).clip
    names = {"LeftFoot": "LHEE", "LeftToeBase": "LTOE", "RightFoot": "RHEE", "RightToeBase": "RTOE"}
    columns = [body.skeleton.index(name) for name in names]
    points = PointClip(tuple(names.values()), body.frame_time, body.world_positions()[:, columns])
    path = ml.save(points, tmp_path / "walk.c3d")
    words = ["--contacts", "weight_bearing", "-o", tmp_path / "events.c3d"]
    assert run("annotate", path, *words).code == 0
    events = ml.load(tmp_path / "events.c3d", ml.PointClip).events
    assert {(event.label, event.joint) for event in events} == {
        (label, side) for label in ("strike", "lift") for side in ("Left", "Right")
    }
    assert "annotations are saved as .json" in run("annotate", path, "-o", tmp_path / "a.c3d").complaint
    shown = run("annotate", ml.save(body, tmp_path / "walk.npz"), "--contacts", "weight_bearing")
    assert "strike events" in shown.out
