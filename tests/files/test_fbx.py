"""FBX files: through a Blender that is not there, through false ones, and through a real one where it is."""

from __future__ import annotations

import shutil
import stat
import sys
import zlib
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError, MotionloomError
from motionloom.files.fbx.blender import BLENDER_VARIABLE, blender_command, environment_python
from motionloom.files.fbx.motion import WorldMotion, find_bone_ends, make_clip, make_world_motion
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, Source, Tip
from tests.conftest import captured
from tests.figures import random_rotations, smooth_clip
from tests.files.mutation import mutated
from tests.files.test_fbx_structure import array, file_of
from tests.files.test_round_trips import positions_by_name, random_clip

SCRIPT = Path("script.py")


def blender_is_there() -> bool:
    try:
        blender_command(SCRIPT)
    except MotionloomError:
        return False
    return True


needs_blender = pytest.mark.skipif(
    not blender_is_there(), reason="no Blender was found: motionloom install-fbx, or MOTIONLOOM_BLENDER"
)


def false_blender(folder: Path, code: str) -> Path:
    """A program named blender that runs this Python code, with the words after the dashes in ``words``."""
    program = folder / "blender"
    start = "import sys; words = sys.argv[sys.argv.index('--') + 1:]"
    program.write_text(f"#!{sys.executable}\n{start}\n{code}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def test_without_blender(no_blender: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.fbx"
    path.write_bytes(b"Kaydara FBX Binary")
    message = "which was not found: run 'motionloom install-fbx', or name the Blender program"
    with pytest.raises(MotionloomError, match=message):
        ml.load(path)
    with pytest.raises(MotionloomError, match=message):
        ml.save(smooth_clip(2), tmp_path / "b.fbx")


def test_a_variable_that_names_nothing(no_blender: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BLENDER_VARIABLE, "/no/such/blender")
    with pytest.raises(
        MotionloomError, match="MOTIONLOOM_BLENDER names /no/such/blender, which is not a program"
    ):
        blender_command(SCRIPT)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"a\.fbx: there is no such file"):
        ml.load(tmp_path / "a.fbx")


FALSE: list[tuple[str, str]] = [
    ("print('refused: holds no skeleton'); sys.exit(1)", r"a\.fbx: holds no skeleton"),
    ("sys.exit(7)", "Blender failed on it with exit code 7"),
    ("pass", "the library gave no complete result"),
    ("open(words[2], 'w').write('junk')", "the library gave no complete result"),
]


@pytest.mark.parametrize(("code", "message"), FALSE)
def test_a_blender_that_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str, message: str
) -> None:
    monkeypatch.setenv(BLENDER_VARIABLE, str(false_blender(tmp_path, code)))
    path = tmp_path / "a.fbx"
    path.write_bytes(b"Kaydara FBX Binary")
    with pytest.raises(FileFormatError, match=message):
        ml.load(path)


@pytest.mark.skipif(find_spec("bpy") is not None, reason="this Python has bpy")
def test_a_python_without_blender(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(BLENDER_VARIABLE, sys.executable)
    path = tmp_path / "a.fbx"
    path.write_bytes(b"Kaydara FBX Binary")
    with pytest.raises(FileFormatError, match=r"exit code 1 \(ModuleNotFoundError: No module named 'bpy'\)"):
        ml.load(path)


def test_a_large_file_that_blender_wrote_is_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # Two arrays of 32 MB: more than any file may take to read whatever its size.
    zeros = array(b"d", 4_000_000, zlib.compress(bytes(32_000_000)), True)
    (tmp_path / "large").write_bytes(file_of(zeros, zeros))
    code = f"import shutil; shutil.copy({str(tmp_path / 'large')!r}, words[2])"
    monkeypatch.setenv(BLENDER_VARIABLE, str(false_blender(tmp_path, code)))
    path = ml.save(smooth_clip(2), tmp_path / "walk.fbx")
    assert path.read_bytes() == (tmp_path / "large").read_bytes()


def test_a_blender_that_writes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(BLENDER_VARIABLE, str(false_blender(tmp_path, "pass")))
    with pytest.raises(MotionloomError, match="Blender wrote no file"):
        ml.save(smooth_clip(2), tmp_path / "a.fbx")
    assert not (tmp_path / "a.fbx").exists()


def test_where_blender_is_looked_for(
    no_blender: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = false_blender(tmp_path, "pass")
    assert blender_command(SCRIPT)[0] == str(program)
    assert blender_command(SCRIPT)[-3:] == ["--python", "script.py", "--"]
    own = environment_python(no_blender)
    own.parent.mkdir(parents=True)
    shutil.copy(program, own)
    assert blender_command(SCRIPT) == [str(own), "-P", "script.py", "--"]
    monkeypatch.setenv(BLENDER_VARIABLE, str(program))
    assert blender_command(SCRIPT)[0] == str(program)


def chain(names: tuple[str, ...] = ("hip", "knee", "knee_end")) -> WorldMotion:
    """Three bones in a line that the hip turns by a quarter about Z in the second frame."""
    rest = np.array([[0.0, 1.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.2, 0.0]])
    turned = np.array([[0.0, 1.0, 0.0], [0.5, 1.0, 0.0], [0.8, 1.0, 0.0]])
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (2, 3, 1))
    turns[1] = [np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]
    axes = np.tile([1.0, 0.0, 0.0, 0.0], (3, 1))
    return WorldMotion(names, np.array([-1, 0, 1]), rest, axes, np.array([rest, turned]), turns)


def test_leaves_become_tips() -> None:
    clip = make_clip(chain(), 0.1, Source())
    assert clip.skeleton.names == ("hip", "knee")
    assert [(tip.joint, tip.offset.round(9).tolist()) for tip in clip.skeleton.tips] == [
        (1, [0.0, -0.3, 0.0])
    ]
    assert clip.translations is None
    np.testing.assert_allclose(clip.world_positions(), chain().positions[:, :2], atol=1e-12)
    assert make_clip(chain(("hip", "knee", "toe")), 0.1, Source()).skeleton.names == ("hip", "knee", "toe")


def test_bones_end_at_their_children() -> None:
    np.testing.assert_allclose(find_bone_ends(chain())[:2], chain().rest[1:])
    np.testing.assert_allclose(find_bone_ends(chain())[2], [0.0, 0.18, 0.0])


def test_several_roots_get_one_above_them() -> None:
    motion = replace(chain(), parents=np.array([-1, -1, 1])).with_one_root("hip")
    assert motion.names == ("hip_root", "hip", "knee", "knee_end")
    assert motion.parents.tolist() == [-1, 0, 0, 2]


@pytest.mark.parametrize("moving", [False, True])
def test_world_motion_and_back(moving: bool) -> None:
    clip = smooth_clip(7, moving=moving)
    turned = replace(clip.skeleton, rest_rotations=random_rotations((6,)))
    clip = replace(clip, skeleton=turned)
    again = make_clip(make_world_motion(clip), clip.frame_time, Source())
    assert again.skeleton.names == clip.skeleton.names
    np.testing.assert_allclose(again.world_positions(), clip.world_positions(), atol=1e-12)
    np.testing.assert_allclose(again.tip_positions(), clip.tip_positions(), atol=1e-12)
    np.testing.assert_allclose(again.rotations, rot.nearer(clip.rotations, again.rotations), atol=1e-12)
    rests = again.skeleton.rest_rotations, clip.skeleton.rest_rotations
    np.testing.assert_allclose(rests[0], rot.nearer(rests[1], rests[0]), atol=1e-12)
    assert (again.translations is None) is not moving


def far_tips() -> Clip:
    """A figure whose bones stretch and whose names need care: spaces, one like a leaf's, two tips."""
    skeleton = Skeleton(
        ("root", "left end", "root_end", "mixamorig:Hand"),
        np.array([-1, 0, 0, 1]),
        np.array([[0.0, 1.0, 0.0], [0.2, 0.3, 0.0], [0.0, 0.5, 0.1], [0.3, 0.0, 0.0]]),
        tips=(Tip(3, np.array([0.1, 0.0, 0.0])), Tip(3, np.array([0.0, 0.0, 0.1])), Tip(0, np.ones(3))),
    )
    return smooth_clip(12, skeleton=skeleton, moving=True)


@needs_blender
@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 4, 13])
def test_what_this_package_writes_keeps_its_size(tmp_path: Path, seed: int) -> None:
    """Bodies of 4 and 5 m, which were taken for other units."""
    clip = random_clip(seed)
    ml.save(clip, tmp_path / "clip.fbx")
    found = positions_by_name(ml.load(tmp_path / "clip.fbx"), clip.skeleton.names)
    assert np.abs(found - clip.world_positions()).max() < 1e-4


@needs_blender
def test_what_blender_writes_it_reads(tmp_path: Path) -> None:
    clip = far_tips()
    path = ml.save(clip, tmp_path / "a.fbx")
    with pytest.raises(FileFormatError, match="holds no animation 'b': it has 'a'"):
        ml.load(path, animation="b")
    again = ml.load(path, keep_rest_rows=True, animation="a")
    assert (again.fps, again.n_frames, again.source.unit) == (60.0, 12, "m")
    rest = again.skeleton.rest_positions()[again.skeleton.index("mixamorig:Hand")]
    np.testing.assert_allclose(rest, clip.skeleton.rest_positions()[3], atol=2e-5)
    order = [again.skeleton.index(name) for name in ("root", "left end", "mixamorig:Hand")]
    np.testing.assert_allclose(
        again.world_positions()[:, order], clip.world_positions()[:, [0, 1, 3]], atol=2e-5
    )


@needs_blender
def test_damaged_files_are_read_or_refused(tmp_path: Path, mocap: Path) -> None:
    content = (mocap / "dialects/fbx_gltf/09_11_cmu.fbx").read_bytes()
    path = tmp_path / "broken.fbx"
    for damaged in (content[: len(content) // 2], mutated(content, 3), b"junk"):
        path.write_bytes(damaged)
        with pytest.raises(FileFormatError, match=r"broken\.fbx: "):
            ml.load(path)


@needs_blender
@pytest.mark.parametrize("path", captured("dialects/fbx_gltf/09_11_cmu.fbx"), ids=lambda path: path.stem)
def test_a_take_equals_its_twin(path: Path) -> None:
    """The file's maker thinned out some of its keys: single frames differ by up to three millimetres."""
    clip, twin = ml.load(path), ml.load(path.parents[1] / "asf_amc/run_09_11.bvh")
    assert clip.skeleton.names == twin.skeleton.names
    assert (clip.n_frames, len(clip.skeleton.tips)) == (twin.n_frames, len(twin.skeleton.tips))
    assert clip.source.unit == twin.source.unit
    assert clip.fps == pytest.approx(twin.fps, rel=1e-5)
    apart = np.abs(clip.world_positions() - twin.world_positions())
    assert apart.mean() < 1e-4
    assert apart.max() < 3e-3
