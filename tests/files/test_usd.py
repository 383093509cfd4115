"""USD stages: skeleton, animation, unit, axes and annotations; and stages made by others."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError, MissingPackageError, MotionloomError
from motionloom.files.usd import worker as usd_worker
from motionloom.files.usd.read import read_usd
from motionloom.files.usd.write import write_usd
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Event, Skeleton
from motionloom.synthesis import walk
from tests.conftest import captured
from tests.figures import random_rotations, smooth_clip
from tests.files.mutation import mutated

pytest.importorskip("pxr", reason="usd-core is not installed")

MILLIONTH = 1e-6


def annotated(clip: Clip) -> Clip:
    """A clip with everything that a stage keeps beside the motion."""
    return replace(
        clip,
        constraints=(
            Constraint("left end", "heel", 1.25, 3.5, np.array([0.0, -0.1, 0.0]), np.array([1.0, 0.0, 2.0])),
            Constraint("right end", "toe", 2.0, 4.0),
        ),
        events=(Event(1.25, "strike", "left end"), Event(3.0, "clap")),
        cyclic=True,
    )


def stage_text(joints: str, extra: str = "", stage: str = "") -> str:
    """A small stage as text, with two frames of two joints unless its parts say otherwise."""
    return f"""#usda 1.0
(
    defaultPrim = "Body"
    timeCodesPerSecond = 24
    {stage}
)
def SkelRoot "Body"
{{
    {extra}
    def Skeleton "Bones" (prepend apiSchemas = ["SkelBindingAPI"])
    {{
        uniform token[] joints = [{joints}]
        uniform matrix4d[] restTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,90,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,-40,0,1))
        ]
        rel skel:animationSource = </Body/Move>
    }}
    def SkelAnimation "Move"
    {{
        uniform token[] joints = [{joints}]
        float3[] translations.timeSamples = {{
            1: [(0, 90, 0), (0, -40, 0)], 2: [(10, 90, 0), (0, -40, 0)],
        }}
        quatf[] rotations.timeSamples = {{ 1: [(1,0,0,0), (1,0,0,0)], 2: [(1,0,0,0), (0,1,0,0)] }}
    }}
}}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "stage.usda"
    path.write_text(text)
    return path


def test_without_the_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = importlib.util.find_spec
    monkeypatch.setattr(
        "motionloom.files.formats.find_spec", lambda name: None if name == "pxr" else whole(name)
    )
    for call in (lambda: ml.load(tmp_path / "a.usda"), lambda: ml.save(smooth_clip(2), tmp_path / "a.usda")):
        with pytest.raises(
            MissingPackageError, match=r"needs the package 'usd-core': install it with `pip i"
        ):
            call()


@pytest.mark.slow
def test_files_that_are_no_stages(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"a\.usda: there is no such file"):
        ml.load(tmp_path / "a.usda")
    with pytest.raises(FileFormatError, match="is not a USD stage, or is damaged: Failed to open layer"):
        ml.load(written(tmp_path, "HIERARCHY"))
    with pytest.raises(FileFormatError, match="holds no skeleton"):
        ml.load(written(tmp_path, '#usda 1.0\ndef Xform "a" {}\n'))
    with pytest.raises(FileFormatError, match="joints form no tree"):
        ml.load(written(tmp_path, stage_text('"hip/knee", "hip"')))


@pytest.mark.slow
def test_arrays_that_do_not_fit_the_joints(tmp_path: Path) -> None:
    text = stage_text('"hip", "hip/knee"').replace("2: [(10, 90, 0), (0, -40, 0)]", "2: [(10, 90, 0)]")
    with pytest.raises(FileFormatError, match="has 1 translations for 2 animated joints at time code 2"):
        ml.load(written(tmp_path, text))


@pytest.mark.slow
def test_an_animation_that_is_not_there(tmp_path: Path) -> None:
    path = written(tmp_path, stage_text('"hip", "hip/knee"'))
    with pytest.raises(FileFormatError, match="holds no animation 'Run': it has 'Move'"):
        ml.load(path, animation="Run")


def referring(asset: str) -> str:
    """A stage that only refers to another file."""
    return f'#usda 1.0\n(\n    defaultPrim = "Body"\n)\ndef "Body" (prepend references = @{asset}@) {{}}\n'


CLIPS = """#usda 1.0
def "Body" (clips = { dictionary default = { asset[] assetPaths = [@/etc/hosts.usda@] } }) {}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (referring("../outside.usda"), "'../outside.usda', which lies outside the file's folder"),
        (referring("link.usda"), "'link.usda', which lies outside"),
        (referring("/dev/zero.usda"), "'/dev/zero.usda', which lies outside"),
        (referring("pipe.usda"), "'pipe.usda', which is not a plain file"),
        (referring("indirect.usda"), "'./pipe.usda', which is not a plain file"),
        (referring('`"${X}.usda"`'), "by an expression"),
        (CLIPS, "'/etc/hosts.usda', which lies outside"),
        (referring("indirect.usda:SDF_FORMAT_ARGS:x=1"), "'./pipe.usda', which is not a plain file"),
    ],
    ids=["above", "linked", "absolute", "pipe", "indirect", "expression", "clips", "arguments"],
)
def test_only_plain_files_in_the_folder_are_composed(tmp_path: Path, text: str, message: str) -> None:
    outside = tmp_path / "outside.usda"
    outside.write_text(stage_text('"Hip", "Hip/Knee"'))
    folder = tmp_path / "stages"
    folder.mkdir()
    os.mkfifo(folder / "pipe.usda")
    (folder / "link.usda").symlink_to(outside)
    (folder / "indirect.usda").write_text(referring("./pipe.usda"))
    with pytest.raises(FileFormatError, match=re.escape(message)):
        read_usd(written(folder, text))


@pytest.mark.slow
def test_references_inside_the_folder_are_followed(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/body.usda").write_text(stage_text('"Hip", "Hip/Knee"'))
    clip, _ = read_usd(written(tmp_path, referring("parts/body.usda")))
    assert clip.skeleton.names == ("Hip", "Knee")


@pytest.mark.slow
def test_a_lower_memory_limit_of_the_caller_stays(tmp_path: Path) -> None:
    path = written(tmp_path, stage_text('"Hip", "Hip/Knee"'))
    code = "import sys, motionloom as ml; print(ml.load(sys.argv[1]).n_frames)"
    shell = ["sh", "-c", 'ulimit -v 6000000; exec "$@"', "sh", sys.executable, "-c", code, str(path)]
    limited = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert limited.stdout.strip() == "2", limited.stderr


@pytest.mark.slow
def test_a_complete_result_counts_however_python_ends(tmp_path: Path) -> None:
    path = written(tmp_path, stage_text('"Hip", "Hip/Knee"'))
    script = Path(usd_worker.__file__)
    code = "import atexit, os, runpy, sys; atexit.register(os.abort); sys.argv = sys.argv[1:]"
    command = [sys.executable, "-c", f"{code}; runpy.run_path(sys.argv[0], run_name='__main__')"]
    words = ["read", str(path), str(tmp_path / "motion.npz"), "", "1000"]
    ended = subprocess.run([*command, str(script), *words], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert np.load(tmp_path / "motion.npz")["rotations"].shape == (2, 2, 4)


def test_a_vertical_axis_that_usd_lacks(tmp_path: Path) -> None:
    clip = smooth_clip(3)
    with pytest.raises(MotionloomError, match="USD has the vertical axes Y and Z only"):
        write_usd(replace(clip, source=replace(clip.source, up="x")), tmp_path / "a.usda")


@pytest.mark.slow
def test_a_stage_written_by_hand(tmp_path: Path) -> None:
    clip = ml.load(written(tmp_path, stage_text('"hip", "hip/knee"', stage="metersPerUnit = 0.01")), up="y")
    assert clip.skeleton.names == ("hip", "knee")
    assert (clip.fps, clip.n_frames, clip.source.unit) == (24.0, 2, "cm")
    np.testing.assert_allclose(
        clip.world_positions(), [[[0, 0.9, 0], [0, 0.5, 0]], [[0.1, 0.9, 0], [0.1, 0.5, 0]]]
    )
    np.testing.assert_allclose(clip.rotations[1, 1], [0.0, 1.0, 0.0, 0.0])
    assert clip.translations is None


@pytest.mark.slow
def test_the_transform_above_the_skeleton_counts(tmp_path: Path) -> None:
    """A quarter turn about X, twice the size and a shift; row vectors, as USD writes them."""
    placed = (
        "matrix4d xformOp:transform = ((2,0,0,0),(0,0,2,0),(0,-2,0,0),(5,0,0,1))\n"
        '    uniform token[] xformOpOrder = ["xformOp:transform"]'
    )
    clip, _ = read_usd(written(tmp_path, stage_text('"hip", "hip/knee"', extra=placed)))
    np.testing.assert_allclose(clip.world_positions()[1], [[25, 0, 180], [25, 0, 100]], atol=1e-4)


@pytest.mark.slow
def test_several_roots_get_one_above_them(tmp_path: Path) -> None:
    clip, _ = read_usd(written(tmp_path, stage_text('"hip", "prop"')))
    assert clip.skeleton.names == ("Bones", "hip", "prop")
    assert clip.skeleton.parents.tolist() == [-1, 0, 0]
    np.testing.assert_allclose(clip.world_positions()[1], [[0, 0, 0], [10, 90, 0], [0, -40, 0]], atol=1e-5)


@pytest.mark.slow
def test_keys_at_uneven_times_are_sampled(tmp_path: Path) -> None:
    text = stage_text('"hip", "hip/knee"').replace(" 2: ", " 2: [(5, 90, 0), (0, -40, 0)], 5: ", 1)
    clip, _ = read_usd(written(tmp_path, text))
    assert clip.n_frames == 5
    assert "has keys at uneven times" in clip.source.notes[0]


@pytest.mark.slow
def test_names_that_are_no_identifiers_come_back(tmp_path: Path) -> None:
    names = ("mixamorig:Hips", "mixamorig Hips", "mixamorig_Hips", "Knöchel", "3", "a/b")
    skeleton = Skeleton(names, np.array([-1, 0, 0, 1, 1, 1]), np.ones((6, 3)))
    clip = smooth_clip(3, skeleton=skeleton)
    assert ml.load(ml.save(clip, tmp_path / "a.usdc")).skeleton == clip.skeleton


@pytest.mark.slow
def test_no_frames(tmp_path: Path) -> None:
    again = ml.load(ml.save(smooth_clip(4)[:0], tmp_path / "a.usda"))
    assert again.n_frames == 0


@pytest.mark.slow
def test_annotations_that_do_not_fit_are_left_out(tmp_path: Path) -> None:
    path = ml.save(annotated(smooth_clip(5)), tmp_path / "a.usda")
    path.write_text(path.read_text().replace('"start": 1.25', '"start": 125'))
    again = ml.load(path)
    assert again.constraints == ()
    assert "do not fit the motion and were dropped: constraints[0] has start 125" in again.source.notes[0]


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".usd", ".usda", ".usdc"])
def test_everything_comes_back(tmp_path: Path, ending: str) -> None:
    clip = annotated(smooth_clip(6, moving=True))
    turned = replace(clip.skeleton, rest_rotations=random_rotations((6,)))
    clip = replace(clip, skeleton=turned, frame_time=0.0083333)
    again = ml.load(ml.save(clip, tmp_path / f"a{ending}", unit="m"))
    assert again.frame_time == clip.frame_time
    assert again.skeleton.names == clip.skeleton.names
    rest = rot.to_matrix(again.skeleton.rest_rotations)
    np.testing.assert_allclose(rest, rot.to_matrix(turned.rest_rotations), atol=1e-12)
    np.testing.assert_allclose(again.world_positions(), clip.world_positions(), atol=MILLIONTH)
    np.testing.assert_allclose(again.tip_positions(), clip.tip_positions(), atol=MILLIONTH)
    assert (again.constraints, again.events, again.cyclic) == (clip.constraints, clip.events, True)


@pytest.mark.slow
def test_unit_and_axes_are_those_asked_for(tmp_path: Path) -> None:
    clip = annotated(smooth_clip(5))
    again = ml.load(ml.save(clip, tmp_path / "a.usdc", unit="mm", up="z"))
    assert (again.source.unit, again.source.up) == ("mm", "z")
    np.testing.assert_allclose(again.world_positions(), clip.world_positions(), atol=MILLIONTH)
    target = again.constraints[0].target
    assert target is not None
    np.testing.assert_allclose(target, [1.0, 0.0, 2.0], atol=1e-12)


@pytest.mark.slow
def test_an_axis_that_the_stage_leaves_open_is_found_from_the_body(tmp_path: Path) -> None:
    path = ml.save(walk(duration=1, fps=30).clip, tmp_path / "a.usda", up="z")
    path.write_text(path.read_text().replace('upAxis = "Z"', ""))
    again = ml.load(path)
    assert again.source.up == "z"
    notes = " ".join(again.source.notes)
    assert "the body stands along Z: rotated so that Y is up" in notes
    assert "the file states" not in notes


def test_the_validator_has_nothing_to_say(tmp_path: Path) -> None:
    import pxr.Usd
    import pxr.UsdValidation

    path = ml.save(annotated(smooth_clip(5)), tmp_path / "a.usda")
    validators = pxr.UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    context: Any = pxr.UsdValidation.ValidationContext(validators)
    assert len(validators) > 10
    assert [error.GetMessage() for error in context.Validate(pxr.Usd.Stage.Open(str(path)))] == []


def refusal(path: Path) -> str:
    try:
        ml.load(path)
    except MotionloomError as error:
        return str(error)
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".usda", ".usdc"])
def test_damaged_stages_are_read_or_refused(tmp_path: Path, ending: str) -> None:
    content = ml.save(smooth_clip(8), tmp_path / f"good{ending}").read_bytes()
    paths = [tmp_path / f"broken{seed}{ending}" for seed in range(6)]
    for seed, path in enumerate(paths):
        path.write_bytes(content[: len(content) * seed // 6] if seed % 2 else mutated(content, seed))
    with ThreadPoolExecutor(2) as threads:
        said = list(threads.map(refusal, paths))
    assert all(path.name in sentence for path, sentence in zip(paths, said, strict=True) if sentence)
    assert sum(map(bool, said)) >= 3


SAMPLES = [*captured("dialects/bvh/*_6ch_*.bvh"), *captured("locomotion/s16/walk_straight*.bvh")]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_captured_clips_come_back(tmp_path: Path, path: Path) -> None:
    clip = ml.load(path)
    again = ml.load(ml.save(clip, tmp_path / "a.usdc"))
    assert again.frame_time == clip.frame_time
    assert again.skeleton.names == clip.skeleton.names
    assert again.source.unit == clip.source.unit
    np.testing.assert_allclose(again.world_positions(), clip.world_positions(), atol=MILLIONTH)
