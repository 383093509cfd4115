"""ASF/AMC against the format's definition, worked out with plain matrices, and against BVH twins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from motionloom.arrays import FloatArray
from motionloom.files.acclaim.asf import read_asf
from motionloom.files.acclaim.read import read_acclaim
from motionloom.files.bvh.read import read_bvh

SKELETON = """:units
  length 1.0
  angle deg
:root
   order TZ TX TY RZ RX RY
   axis ZYX
   position 0.5 0 -0.25
   orientation 10 -20 30
:bonedata
  begin
     name pelvis
     direction 0.6 -0.8 0
     length 2
     axis 0 0 0 XYZ
  end
  begin
     name thigh
     direction 0 -1 0
     length 4
     axis 20 -70 15 YZX
     dof rz rx
  end
  begin
     name shin
     direction 0 -0.8 0.6
     length 3
     axis 5 6 7 ZXY
     dof tx ry l tz
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
shin 0.1 75 0.25 -0.2
foot 11 22 33
2
root 3.5 1e0 2 -10 120 -30
thigh 140 5.5E+1
shin 0 -75 0 0
foot 1 -170 3
"""
LEG_TWINS = {"femur": "UpLeg", "tibia": "Leg", "foot": "Foot", "toes": "ToeBase"}


def turn(axis: str, degrees: float) -> FloatArray:
    """A 4×4 turn about an axis, for column vectors."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    n = "xyz".index(axis)
    a, b = (n + 1) % 3, (n + 2) % 3
    m = np.eye(4)
    m[a, a], m[a, b], m[b, a], m[b, b] = c, -s, s, c
    return m


def shift(vector: npt.ArrayLike) -> FloatArray:
    m = np.eye(4)
    m[:3, 3] = vector
    return m


def reference_positions(asf_text: str, amc_text: str) -> dict[str, list[FloatArray]]:
    """Starts of all bones frame by frame, straight from the format's definition with 4×4 matrices."""
    words = [line.split() for line in asf_text.lower().splitlines() if line.split()]
    place = {line[0]: n for n, line in enumerate(words) if line[0].startswith(":")}
    root = {line[0]: line[1:] for line in words[place[":root"] : place[":bonedata"]]}
    bones: dict[str, dict[str, list[str]]] = {"root": {"dof": root["order"], "length": ["0"]}}
    bones["root"] |= {"axis": [*root["orientation"], *root["axis"]], "direction": ["0", "0", "0"]}
    bone: dict[str, list[str]] = {}
    for line in words[place[":bonedata"] + 1 : place[":hierarchy"]]:
        if line[0] == "begin":
            bone = {"axis": ["0", "0", "0", "xyz"], "dof": []}
        elif line[0] == "end":
            bones[bone["name"][0]] = bone
        else:
            bone[line[0]] = line[1:]
    tree = {line[0]: line[1:] for line in words[place[":hierarchy"] :] if line[0] not in ("begin", "end")}
    starts: dict[str, list[FloatArray]] = {name: [] for name in bones}

    def walk(name: str, end_of_parent: FloatArray, values: dict[str, list[float]]) -> None:
        own = bones[name]
        axes = np.eye(4)
        for letter in own["axis"][3]:
            axes = turn(letter, float(own["axis"]["xyz".index(letter)])) @ axes
        moved, turned = np.zeros(3), np.eye(4)
        length = float(own["length"][0])
        for freedom, value in zip(own["dof"], values.get(name, []), strict=False):
            if freedom[0] == "t":
                moved["xyz".index(freedom[1])] = value
            elif freedom == "l":
                length += value
            else:
                turned = turn(freedom[1], value) @ turned
        if name == "root":
            moved += [float(x) for x in root["position"]]
            world = shift(moved) @ axes @ turned @ np.linalg.inv(axes)
        else:
            world = end_of_parent @ axes @ shift(moved) @ turned @ np.linalg.inv(axes)
        starts[name].append(world[:3, 3])
        end = world @ shift(np.array([float(x) for x in own["direction"]]) * length)
        for child in tree.get(name, []):
            walk(child, end, values)

    frame: dict[str, list[float]] = {}
    for text in [*amc_text.lower().splitlines(), "0"]:
        parts = text.split()
        if len(parts) == 1 and parts[0].isdigit():
            if frame:
                walk("root", np.eye(4), frame)
            frame = {}
        elif parts and parts[0][0] not in "#:":
            frame[parts[0]] = [float(x) for x in parts[1:]]
    return starts


def test_every_part_of_the_format_agrees_with_its_definition(tmp_path: Path) -> None:
    (tmp_path / "leg.asf").write_text(SKELETON)
    (tmp_path / "leg.amc").write_text(MOTION)
    clip = read_acclaim(tmp_path / "leg.amc")
    expected = reference_positions(SKELETON, MOTION)
    for name, starts in expected.items():
        joint = clip.skeleton.index(name)
        np.testing.assert_allclose(clip.world_positions()[:, joint], starts, atol=1e-12, err_msg=name)
    assert clip.translations is not None
    assert clip.source.format == "amc"
    assert clip.source.unit == ""
    assert clip.source.channels is not None
    assert clip.source.channels[0] == ("TZ", "TX", "TY", "RZ", "RX", "RY")
    assert clip.source.channels[3] == ("TX", "RY", "L", "TZ")
    assert clip.source.axes is not None
    np.testing.assert_array_equal(clip.source.axes, [b.axes for b in read_asf(tmp_path / "leg.asf").bones])


@pytest.mark.parametrize(
    ("take", "twin"),
    [("16_15", "locomotion/s16/walk_straight_16_15.bvh"), ("09_11", "dialects/asf_amc/run_09_11.bvh")],
)
def test_cmu_takes_agree_with_their_bvh_twins(mocap: Path, take: str, twin: str) -> None:
    clip = read_acclaim(mocap / f"dialects/asf_amc/{take}.amc")
    bvh = read_bvh(mocap / twin)
    assert clip.n_frames == bvh.n_frames - 1  # the converter put a T-pose first
    pairs = {
        "root": "Hips",
        "lowerback": "LowerBack",
        "upperback": "Spine",
        "thorax": "Spine1",
        **{f"{side[0].lower()}{a}": f"{side}{b}" for side in ("Left", "Right") for a, b in LEG_TWINS.items()},
    }
    for ours, theirs in pairs.items():
        here = clip.world_positions()[:, clip.skeleton.index(ours)]
        there = bvh.world_positions()[1:, bvh.skeleton.index(theirs)]
        assert np.abs(here - there).max() < 0.0002, ours
    assert clip.source.unit == "1/0.45 inch"


@pytest.mark.parametrize("take", ["16_15", "09_11"])
def test_cmu_takes_agree_with_the_definition(mocap: Path, take: str) -> None:
    folder = mocap / "dialects/asf_amc"
    clip = read_acclaim(folder / f"{take}.amc")
    subject = (folder / f"{take[:2]}.asf").read_text()
    frames = (folder / f"{take}.amc").read_text().split("\n")[: 3 + 30 * 40]
    metre = 0.0254 / 0.45
    for name, starts in reference_positions(subject, "\n".join(frames)).items():
        assert len(starts) == 40
        ours = clip.world_positions()[:40, clip.skeleton.index(name)]
        assert np.abs(ours - starts).max() * metre < 1e-6, name
