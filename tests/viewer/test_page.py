from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from motionloom import PointClip
from motionloom.viewer.page import HEIGHT, MAX_FIGURES, WIDTH, draw_poster
from tests.figures import smooth_clip


def test_every_bone_is_drawn_within_the_picture() -> None:
    clip = smooth_clip(10)
    svg = ElementTree.fromstring(draw_poster([clip, clip]))
    bones = svg.findall("path")
    assert len(bones) == 2 * (clip.skeleton.n_joints - 1)
    ends = np.array([re.findall(r"-?[\d.]+", bone.attrib["d"]) for bone in bones], dtype=float).reshape(-1, 2)
    assert ends.min() >= 0.0
    assert (ends.max(axis=0) <= [WIDTH, HEIGHT]).all()
    assert {bone.attrib["class"] for bone in bones} == {"figure-0", "figure-1"}


def test_many_clips_are_shown_by_the_first() -> None:
    svg = ElementTree.fromstring(draw_poster([smooth_clip(2)] * 50))
    assert len(svg.findall("path")) == MAX_FIGURES * (smooth_clip(2).skeleton.n_joints - 1)
    assert svg.attrib["aria-label"] == "a pose of the first 12 clips"


@pytest.mark.parametrize(("n_clips", "rows"), [(1, 1), (6, 1), (7, 2), (12, 2)])
def test_more_than_six_stand_in_two_rows(n_clips: int, rows: int) -> None:
    still = PointClip(("a",), 0.1, np.zeros((1, 1, 3)))
    svg = ElementTree.fromstring(draw_poster([still] * n_clips))
    assert len({dot.attrib["cy"] for dot in svg.findall("circle")}) == rows
    assert svg.attrib["aria-label"] == "a pose of each clip"


def test_points_are_dots_and_gaps_nothing() -> None:
    positions = np.zeros((3, 2, 3))
    positions[:, 1] = np.nan
    svg = ElementTree.fromstring(draw_poster([PointClip(("a", "b"), 0.1, positions)]))
    assert len(svg.findall("circle")) == 1
    assert len(ElementTree.fromstring(draw_poster([PointClip(("a",), 0.1, positions[:, 1:])]))) == 0
