"""The add-on in real Blender: its buttons are pressed, and bones compared with what the library gives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.files.fbx.blender import blender_command
from motionloom.motion import Clip, PointClip
from motionloom.motion.unroll import extend_cycle
from motionloom.synthesis import jog, walk
from motionloom.workflows import ensure_annotated, prepare
from tests.files.test_fbx import needs_blender
from tests.integrations.test_blender_package import INTEGRATION, loaded

pytestmark = needs_blender

SCRIPT = Path(__file__).with_name("blender_session.py")
SECONDS = 900.0
"""For a whole session: wheels of a bundle compile everything anew, on a machine that may be busy."""
MILLIMETRE, MICROMETRE = 1e-3, 1e-6
WEIGHTS = (0.25, 0.75)
STRETCH = 0.026
"""What the add-on allows bones unless the user says otherwise."""


@dataclass(frozen=True)
class Session:
    """What Blender noted of one session with two clips."""

    clips: tuple[Clip, Clip]
    other: Clip
    markers: PointClip
    spiked: Clip
    said: dict[str, Any]
    noted: dict[str, FloatArray]

    def apart(self, name: str, clip: Clip) -> float:
        """How far bones are from the joints of a clip at most, metres."""
        names = self.said[f"{name} bones"]
        order = [names.index(joint) for joint in clip.skeleton.names]
        heads = self.noted[name][:, order]
        assert len(heads) == clip.n_frames
        return float(np.linalg.norm(heads - clip.world_positions(), axis=-1).max())


def session(
    folder: Path, program: str, clips: list[Clip], *, every: bool = True, bundle: Path | None = None
) -> Session:
    """Press every button, or only those that it takes to import and to blend, in a Blender of its own."""
    body = walk(duration=1.0, fps=30).clip
    small = replace(body, skeleton=replace(body.skeleton, offsets=0.8 * body.skeleton.offsets))
    places = np.array(body.world_positions()[:, :3])
    places[4:9, 1] = np.nan
    markers = PointClip(("m1", "m2", "m3"), body.frame_time, places)
    made = [ml.save(clip, folder / f"{name}.bvh") for name, clip in zip(("walk", "jog"), clips, strict=True)]
    made += [ml.save(small, folder / "small.npz"), ml.save(markers, folder / "markers.trc")]
    root = np.array(clips[0].root_positions)
    root[20] += [0.0, 0.3, 0.0]
    made += [ml.save(replace(clips[0], root_positions=root), folder / "spiked.bvh")]
    zipped = bundle or loaded(INTEGRATION / "build.py", "build_blender_addon").build(folder)
    empty = folder / "python"
    empty.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    empty.chmod(0o755)
    packages = [str(Path(ml.__file__).parents[1]), *(p for p in sys.path if Path(p).name == "site-packages")]
    paths = {
        "folders": packages,
        "version": sys.version_info[:2],
        "bundled": bundle is not None,
        "empty": str(empty),
        "all": every,
    }
    words = [str(zipped), program, str(folder / "notes.npz"), json.dumps(paths), *map(str, made)]
    run = subprocess.run(
        [*blender_command(SCRIPT), *words],
        env={**os.environ, "BLENDER_USER_RESOURCES": str(folder)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    with np.load(folder / "notes.npz") as stored:
        noted = {name: stored[name] for name in stored.files}
    said = json.loads(noted.pop("said").tobytes())
    first, second = (ml.load(path) for path in made[:2])
    return Session((first, second), small, ml.load(made[3], ml.PointClip), ml.load(made[4]), said, noted)


def built_in() -> list[Clip]:
    return [walk(duration=2.5, fps=30).clip, jog(duration=2.5, phase=0.4, fps=30).clip]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A session with all buttons; Motionloom runs inside Blender where its Python is of this version."""
    made = session(tmp_path_factory.mktemp("here"), "", built_in())
    return made if made.said["here"] else session(tmp_path_factory.mktemp("t"), sys.executable, built_in())


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A session in which Motionloom runs in this Python."""
    return session(tmp_path_factory.mktemp("elsewhere"), sys.executable, built_in(), every=False)


def test_what_cannot_be_done_is_said(played: Session) -> None:
    said = played.said
    assert said["import of nothing"] == "Error: /no/such/walk.bvh: there is no such file"
    assert said["one action"] == "Error: choose two actions or more to blend: 1 chosen"
    assert said["no transition"] == "Error: choose the two actions to go from and to"
    assert "Leave Edit Mode: edited bones count only afterwards" in said["in edit mode"]
    assert "Choose an armature" in said["no armature to loop"]
    assert "has no active action: choose one in the Action Editor" in said["no active action"]
    assert said["looped twice"] == "Error: walk loop: this action is a loop already"
    assert said["too many cycles"].startswith("Error: walk: the clip holds about 2.5 strides")
    assert "Choose another armature to take the motion from" in said["nothing to retarget from"]
    assert "has no active action: choose an action to retarget" in said["no action to retarget"]
    assert "Blender would cut the name xxx" in said["long name"]
    assert said["no armature"].startswith("Error: there is no active armature to carry the motion over to")
    assert "the armature is disabled in viewports, so it does not move: enable it" in said["disabled"]
    assert "is scaled unevenly or mirrored" in said["uneven"]
    assert said["no program"].startswith("Error: /no/such/python is no program: name a Python that has")
    assert "has no Motionloom: install it there, or name another Python" in said["no python"]


def test_an_unusable_armature_matters_only_if_it_is_needed(played: Session) -> None:
    said = played.said
    joints = len(played.clips[0].skeleton.names)
    for rig, sentence in (("uneven", "is scaled unevenly or mirrored"), ("no bones", "has no bones")):
        assert said[f"import beside {rig}"] == ["ARMATURE", joints, True]
        assert sentence in said[f"carry over to {rig}"]
        assert "is scaled unevenly or mirrored" in said[f"import onto {rig}"]


def test_imports_are_where_the_clips_are(played: Session) -> None:
    assert (played.said["armatures"], played.said["fps"]) == (1, 30.0)
    for n, clip in enumerate(played.clips):
        assert played.apart(f"import {n}", clip) < 10 * MICROMETRE


def test_the_verdict_is_the_librarys(played: Session) -> None:
    report = prepare(played.clips).register().report
    assert played.said["verdict"] == str(report)
    assert played.said["verdict after a change"] == ""


def test_blends_are_the_librarys(played: Session) -> None:
    assert played.apart("blend", ml.mix(played.clips, WEIGHTS, stretch=STRETCH).clip) < 10 * MICROMETRE
    mirrored = [played.clips[0], played.clips[1].mirrored()]
    assert played.apart("mirrored", ml.blend(prepare(mirrored).register(), WEIGHTS).clip) < 10 * MICROMETRE


def test_cycles_stay_cycles(played: Session) -> None:
    mirrored = [played.clips[0], played.clips[1].mirrored()]
    cycles = [ml.cyclify(clip, cycles=1) for clip in mirrored]
    made = ml.blend(prepare(cycles).register(), WEIGHTS).clip
    assert played.apart("cyclic", extend_cycle(made, made.n_frames + 1)) < 10 * MICROMETRE
    assert played.said["use_cyclic"]
    plants = len(made.constraints)
    assert played.said["cycle"] == {"cyclic": True, "plants": plants, "frames": made.n_frames + 1}
    assert played.said["moved cycle"] == {"cyclic": False, "plants": 0}


def test_transitions_and_planted_feet_are_the_librarys(played: Session) -> None:
    first, second = map(ensure_annotated, played.clips)
    made = ml.transition(first, second, half_width=0.25).clip
    assert played.apart("transition", made) < 10 * MICROMETRE
    assert played.apart("planted", ml.enforce(made, stretch=STRETCH).clip) < 10 * MICROMETRE


def check_clean_up(session: Session) -> None:
    """Loops, repaired and retargeted actions are what the library gives for the same clips."""
    said, clip = session.said, session.clips[0]
    loop = ml.cyclify(clip, cycles=1)
    assert session.apart("loop", extend_cycle(loop.clip, loop.clip.n_frames + 1)) < 10 * MICROMETRE
    assert (said["loop name"], said["loop cyclic"]) == ("walk loop", True)
    mended = ml.repair(session.spiked)
    assert len(mended.report.mended) == 1
    assert session.apart("repaired", mended.clip) < 10 * MICROMETRE
    assert (said["repaired name"], said["nothing to repair"]) == ("spiked repaired", 0)
    assert session.apart("smoothed", ml.smooth(mended, 8.0).clip) < 10 * MICROMETRE
    carried = ml.retarget(ensure_annotated(clip), session.other.skeleton)
    assert session.apart("retargeted", carried.clip) < 10 * MICROMETRE
    assert said["retargeted name"].startswith("walk on small")


def test_loops_repairs_and_retargeting_are_the_librarys(played: Session) -> None:
    check_clean_up(played)


def test_nothing_is_overwritten(played: Session) -> None:
    said = played.said
    assert said["untouched"]
    assert said["kept"]
    for name in ("blend", "loop", "repair", "enforce", "retarget"):
        assert said[f"undone {name}"] == 1, name
    assert said["results"] == {
        "blend": "walk 25% + jog 75%",
        "blend again": "walk 25% + jog 75%.001",
        "mirrored": "walk 25% + jog mirrored 75%",
        "cyclic": "walk 25% + jog mirrored 75%.001",
        "transition": "walk to jog",
        "planted": "walk to jog planted",
    }


def test_other_frame_rates_lose_no_frame(played: Session) -> None:
    assert played.said["fps after"] == 24.0
    assert played.said["frame time"] == pytest.approx(played.clips[0].frame_time, rel=1e-6)
    assert played.apart("between frames", played.clips[0]) < 10 * MICROMETRE


def test_armatures_of_other_importers(played: Session) -> None:
    clip = played.clips[0]
    assert played.said["foreign connected"]
    assert played.apart("foreign", clip) < 10 * MICROMETRE
    assert (
        played.apart("foreign planted", ml.enforce(ensure_annotated(clip), stretch=0.0).clip)
        < 10 * MICROMETRE
    )


def test_motion_is_carried_over_to_another_body(played: Session) -> None:
    assert played.said["carried onto"]
    carried = ml.retarget(ensure_annotated(played.clips[0]), played.other.skeleton)
    assert played.apart("carried", carried.clip) < 10 * MICROMETRE


def test_markers_become_bones(played: Session) -> None:
    heads = played.noted["markers"]
    seen = np.isfinite(played.markers.positions)
    assert not seen.all()
    assert np.abs(heads - played.markers.positions)[seen].max() < 10 * MICROMETRE


def test_panels_can_be_drawn(played: Session) -> None:
    blend = played.said["MOTIONLOOM_PT_blend"]
    assert {"motionloom.register", "motionloom.blend", "weight", "mirror", "cyclic"} <= set(blend)
    assert [text for text in blend if text.endswith(" %")] == ["25 %", "75 %"]
    clean_up = set(played.said["MOTIONLOOM_PT_clean_up"])
    assert {"motionloom.enforce", "motionloom.loop", "motionloom.repair", "cycles", "smooth"} <= clean_up
    assert {"motionloom.retarget", "retarget_from"} <= set(played.said["MOTIONLOOM_PT_retarget"])
    assert {"first", "second", "method", "half_width"} <= set(played.said["MOTIONLOOM_PT_transition"])


@pytest.mark.parametrize("name", ["plain", "small", "centimetres"])
def test_rigs_that_are_hard_to_key(played: Session, name: str) -> None:
    before, after = played.noted[f"{name} before"], played.noted[f"{name} after"]
    assert before.std() > 0.1
    assert np.linalg.norm(after - before, axis=-1).max() < 20 * MICROMETRE
    turns = played.noted[f"{name} before turns"] - played.noted[f"{name} after turns"]
    assert np.abs(turns).max() < 1e-4
    assert played.said[f"{name} state"]
    assert played.said[f"{name} active"]
    assert played.said[f"{name} notes"] == []


def test_motionloom_in_a_process_of_its_own(elsewhere: Session) -> None:
    for n, clip in enumerate(elsewhere.clips):
        assert elsewhere.apart(f"import {n}", clip) < 10 * MICROMETRE
    made = ml.mix(elsewhere.clips, WEIGHTS, stretch=STRETCH)
    assert elsewhere.apart("blend", made.clip) < 10 * MICROMETRE
    assert elsewhere.said["verdict"].startswith(prepare(elsewhere.clips).register().report.verdict.value)
    assert elsewhere.said["import of nothing"] == "Error: /no/such/walk.bvh: there is no such file"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory, elsewhere: Session) -> Path:
    """The extension with the wheels for this machine and for Blender's Python."""
    folder = tmp_path_factory.mktemp("bundle")
    builder = loaded(INTEGRATION / "build.py", "build_blender_addon")
    platform = {"linux": "linux-x64", "win32": "windows-x64", "darwin": "macos-arm64"}[sys.platform]
    line = next(line for line in builder.LINES if line.python == elsewhere.said["python"])
    try:
        own = builder.build_wheel(folder, platform)
        wheels = [own, *builder.fetch_wheels(folder / "wheels", platform, line, own)]
    except subprocess.CalledProcessError as error:
        pytest.skip(f"wheels could not be downloaded: {error}")
    path: Path = builder.build_bundle(folder, platform, line, wheels)
    return path


@pytest.mark.slow
def test_the_bundle_needs_no_other_python(bundle: Path, tmp_path: Path) -> None:
    made = session(tmp_path, "", built_in(), every=False, bundle=bundle)
    assert ".local" in made.said["runs in"], "Blender has unpacked the wheels"
    assert made.said["validated"][0] == 0, made.said["validated"][1]
    assert made.apart("blend", ml.mix(made.clips, WEIGHTS, stretch=STRETCH).clip) < 10 * MICROMETRE
    check_clean_up(made)


def test_blenders_own_validator_accepts_the_zip(elsewhere: Session) -> None:
    code, text = elsewhere.said["validated"]
    assert code == 0, text
    assert "Success parsing TOML" in text


def test_it_installs_as_an_addon_of_the_older_kind(elsewhere: Session) -> None:
    assert elsewhere.said["older kind"]


def test_captured_walks(mocap: Path, tmp_path: Path) -> None:
    names = ("walk_left_16_11", "walk_straight_16_15")
    clips = [ml.load(mocap / f"locomotion/s16/{name}.bvh")[::4] for name in names]
    made = session(tmp_path, sys.executable, clips, every=False)
    for n, clip in enumerate(made.clips):
        assert made.apart(f"import {n}", clip) < MILLIMETRE
    assert made.apart("blend", ml.mix(made.clips, WEIGHTS, stretch=STRETCH).clip) < MILLIMETRE
