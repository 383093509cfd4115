"""Reading AMC motions with their ASF skeletons."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import FileFormatError, MotionloomError
from motionloom.files.acclaim.asf import read_asf
from motionloom.files.acclaim.read import read_acclaim

SKELETON = """:units
  angle deg
:root
   order TX TY TZ RX RY RZ
   position 0.5 0 -0.25
:bonedata
  begin
     name pelvis
     direction 0.6 -0.8 0
     length 2
  end
  begin
     name thigh
     direction 0 -1 0
     length 4
     dof rz rx
  end
  begin
     name shin
     direction 0 -0.8 0.6
     length 3
     axis 5 6 7 XYZ
     dof rx
  end
  begin
     name foot
     direction 0 0 1
     length 1
     dof ry rx rz
  end
:hierarchy
  begin
    root pelvis
    pelvis thigh
    thigh shin
    shin foot
  end
"""
MOTION = """# a comment
:FULLY-SPECIFIED
:DEGREES
1
root 3 1 2 10 20 30
thigh 40 -50
shin 75
foot 11 22 33
2
root 3.5 1e0 2 -10 120 -30
thigh 140 5.5E+1
shin -75
foot 1 -170 3
"""


def amc(folder: Path, motion: str = MOTION, skeleton: str = SKELETON) -> Path:
    (folder / "leg.asf").write_text(skeleton)
    path = folder / "leg.amc"
    path.write_bytes(motion.encode())
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("thigh 40 -50", "tigh 40 -50", "leg.amc, line 6: the skeleton has no bone 'tigh'"),
        ("thigh 40 -50", "thigh 40", "line 6: 'thigh' has 1 values, but the skeleton gives it 2"),
        ("thigh 40 -50", "thigh 40 -5O", "line 6: 'thigh' needs numbers: '-5O' is not a number"),
        ("thigh 140 5.5E+1", "thigh 140 nan", "line 11: 'thigh' needs numbers: 'nan' stands for no value"),
        ("foot 1 -170 3", "foot 1 inf 3", "line 13: 'foot' needs numbers: 'inf' stands for no value"),
        ("root 3.5 1e0", "root 1e99 1e0", "line 10: 'root' needs numbers: '1e99' is too large"),
        ("thigh 40 -50", "root 3 1 2 10 20 30", "line 6: 'root' occurs twice in frame 1"),
        ("1\nroot", "root", "line 4: values of 'root' come before the first frame number"),
        ("thigh 40 -50\nshin 75\nfoot 11 22 33\n", "", "line 4: frame 1 holds 1 of the skel"),
        (MOTION, "", "leg.amc: holds no frames: it is not an AMC motion, or is empty"),
        (MOTION, ":FULLY-SPECIFIED\n:DEGREES\n", "holds no frames"),
        (MOTION, "1\n", "line 1: frame 1 holds 0 of the skeleton's 4 moving bones: the skeleton belongs to"),
        ("thigh 40 -50", "thigh 4_0 -50", "line 6: 'thigh' needs numbers: '4_0' is not a number"),
        ("thigh 40 -50", "thigh ٤٠ -50", "line 6: 'thigh' needs numbers: '٤٠' is not a number"),
        (":DEGREES", ":SAMPLES-PER-SECOND 0", "line 3: the stated fps must be a positive number, not 0"),
        (":DEGREES", ":SAMPLES-PER-SECOND 1e9", "line 3: the stated fps must lie between 1e-06 and 1e+06"),
        (":DEGREES", ":SAMPLES-PER-SECOND", "line 3: the stated rate: '' is not a number"),
        ("# a comment", "# frame time x", "line 1: the stated rate: 'x' is not a number"),
        ("# a comment", "# frame time 1e-8", "line 1: the stated frame_time must lie between 1e-06 s and"),
    ],
)
def test_what_does_not_fit_the_skeleton_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in MOTION
    with pytest.raises(FileFormatError) as caught:
        read_acclaim(amc(tmp_path, MOTION.replace(old, new, 1)))
    assert message in str(caught.value)


def test_a_motion_that_is_not_there_is_refused(tmp_path: Path) -> None:
    amc(tmp_path)
    with pytest.raises(FileFormatError, match=r"none\.amc: there is no such file"):
        read_acclaim(tmp_path / "none.amc")
    with pytest.raises(FileFormatError, match="its folder cannot be read: No such file"):
        read_acclaim(tmp_path / "nowhere" / "none.amc")


def test_a_motion_without_its_skeleton_says_what_was_looked_for(tmp_path: Path) -> None:
    path = amc(tmp_path).rename(tmp_path / "07_04.amc")
    (tmp_path / "arm.asf").write_text(SKELETON)
    with pytest.raises(
        FileFormatError,
        match=r"the folder has no 07_04\.asf or 07\.asf, and 2 ASF files instead of one; name it",
    ):
        read_acclaim(path)
    assert read_acclaim(path, tmp_path / "arm.asf").n_frames == 2


def test_the_skeleton_is_found_beside_the_motion(tmp_path: Path) -> None:
    other = SKELETON.replace("position 0.5 0 -0.25", "position 7 0 0")
    path = amc(tmp_path).rename(tmp_path / "07_04.amc")
    assert read_acclaim(path).skeleton.offsets[0].tolist() == [0.5, 0.0, -0.25]  # the only one
    (tmp_path / "07.ASF").write_text(other)
    assert read_acclaim(path).skeleton.offsets[0].tolist() == [7.0, 0.0, 0.0]
    (tmp_path / "07_04.asf").write_text(SKELETON)
    assert read_acclaim(path).skeleton.offsets[0].tolist() == [0.5, 0.0, -0.25]


def test_one_bone_turns_about_its_own_axis(tmp_path: Path) -> None:
    skeleton = """:root
      order TX TY TZ RX RY RZ
    :bonedata
      begin
        name arm
        direction 1 0 0
        length 2
        axis 0 90 0 XYZ
        dof rx
      end
    :hierarchy
      root arm"""
    clip = read_acclaim(amc(tmp_path, "1\nroot 1 2 3 0 0 0\narm 90", skeleton))
    # The arm's own X points along the world's -Z, so +90° about it takes the arm from +X to -Y.
    np.testing.assert_allclose(clip.tip_positions(), [[[1.0, 0.0, 3.0]]], atol=1e-12)


@pytest.mark.parametrize(
    ("header", "rate", "noted"), [("", 120.0, True), (":SAMPLES-PER-SECOND 29.97\n", 29.97, False)]
)
def test_the_rate_is_stated_assumed_or_given(tmp_path: Path, header: str, rate: float, noted: bool) -> None:
    path = amc(tmp_path, header + MOTION)
    note = "the file states no frame rate: 120 assumed; override with fps="
    assert read_acclaim(path).fps == pytest.approx(rate, rel=1e-12)
    assert (note in read_acclaim(path).source.notes) == noted
    assert read_acclaim(path, frame_time=1 / 60).fps == 60.0
    assert note not in read_acclaim(path, frame_time=1 / 60).source.notes


def test_radians_may_be_stated_by_either_file(tmp_path: Path) -> None:
    skeleton = SKELETON.replace("axis 5 6 7 XYZ", "")
    plain = "1\nroot 0 0 0 0 0 0\nthigh {}\nshin 0\nfoot 0 0 0\n"
    degrees = read_acclaim(amc(tmp_path, plain.format("90 0"), skeleton))
    radians = f"{np.pi / 2} 0"
    stated = read_acclaim(amc(tmp_path, ":radians\n" + plain.format(radians), skeleton))
    implied = read_acclaim(amc(tmp_path, plain.format(radians), skeleton.replace("angle deg", "angle rad")))
    overruled = amc(tmp_path, ":DEGREES\n" + plain.format("90 0"), skeleton.replace("angle deg", "angle rad"))
    for clip in (stated, implied, read_acclaim(overruled)):
        np.testing.assert_allclose(clip.rotations, degrees.rotations, atol=1e-15)


@pytest.mark.parametrize(
    "motion",
    [
        MOTION.replace("\n", "\r\n"),
        MOTION.replace("\n", "\n\n"),
        MOTION.replace("\n", " # aside\n"),
        MOTION.upper().replace("# A COMMENT", "\ufeff"),
        MOTION.replace("thigh 40 -50\n", "").replace("2\nroot", "thigh 40 -50\n2\nroot"),
        MOTION.replace("1\nroot", "1\npelvis\nroot"),
        MOTION.replace("1\nroot", "300\nroot").replace("2\nroot", "301\nroot"),
        MOTION.rstrip("\n"),
    ],
)
def test_spelling_and_order_of_lines_do_not_matter(tmp_path: Path, motion: str) -> None:
    plain = read_acclaim(amc(tmp_path))
    other = read_acclaim(amc(tmp_path, motion.lstrip("\ufeff")))
    np.testing.assert_array_equal(other.rotations, plain.rotations)
    assert other.source.notes == plain.source.notes


def test_a_bone_that_a_frame_lacks_stays_at_zero(tmp_path: Path) -> None:
    clip = read_acclaim(amc(tmp_path, MOTION.replace("thigh 40 -50\n", "")))
    assert clip.n_frames == 2
    np.testing.assert_allclose(clip.rotations[0, clip.skeleton.index("thigh")], [1, 0, 0, 0], atol=1e-15)
    assert "bones that frames lack stay at zero: thigh (1 frames)" in clip.source.notes


@pytest.mark.parametrize(
    "end", ["3\n", "3", "3\nroot 0 0 0 0 0 0\n", "3\nroot 0 0 0", "3\nroot 0 0 -", "3\nro"]
)
def test_a_last_frame_that_breaks_off_is_left_out(tmp_path: Path, end: str) -> None:
    clip = read_acclaim(amc(tmp_path, MOTION + end))
    assert clip.n_frames == 2
    assert "the file breaks off within its last frame, which was dropped" in clip.source.notes


def test_frame_numbers_that_jump_are_noted(tmp_path: Path) -> None:
    clip = read_acclaim(amc(tmp_path, MOTION.replace("2\nroot", "7\nroot")))
    assert clip.n_frames == 2
    assert any(note.startswith("frame numbers jump 1 times, first from 1 to 7") for note in clip.source.notes)


@pytest.mark.slow
def test_a_motion_too_large_for_memory_is_refused(tmp_path: Path) -> None:
    bones = "".join(f"begin\nname b{n}\ndirection 0 1 0\nlength 1\nend\n" for n in range(20_000))
    links = "root " + " ".join(f"b{n}" for n in range(20_000))
    skeleton = f":root\norder TX\n:bonedata\n{bones}:hierarchy\n{links}\n"
    with pytest.raises(
        FileFormatError, match="3000 frames of 20001 joints: reading it would take about 9,061 MB"
    ):
        read_acclaim(amc(tmp_path, "1\nroot 0\n" * 3000, skeleton))


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_damaged_files_are_read_or_refused_but_never_crash(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    texts = {"leg.asf": bytearray(SKELETON.encode()), "leg.amc": bytearray(MOTION.encode())}
    damaged = texts[data.draw(st.sampled_from(sorted(texts)))]
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(damaged)))
        stop = data.draw(st.integers(start, min(len(damaged), start + 30)))
        damaged[start:stop] = data.draw(
            st.binary(max_size=12)
            | st.sampled_from([b" ", b"\n", b":", b"#", b"-", b"1e308", b"nan", b"1", b"end\n", b"begin\n"])
            | st.just(bytes(damaged[start : start + 200]))
        )
    for name, text in texts.items():
        (folder / name).write_bytes(text)
    with suppress(FileFormatError):
        assert np.isfinite(read_acclaim(folder / "leg.amc").world_positions()).all()


@given(st.binary(max_size=300))
def test_garbage_is_refused(tmp_path_factory: pytest.TempPathFactory, garbage: bytes) -> None:
    path = tmp_path_factory.mktemp("garbage") / "leg.asf"
    path.write_bytes(garbage)
    with pytest.raises(MotionloomError, match="is not an ASF skeleton"):
        read_asf(path)
