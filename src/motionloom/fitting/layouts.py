"""Which joints datasets and pose estimators give, in which order, and how they make a skeleton.

A layout says three things: the points in the order of their files, the skeleton to make of them, standing
with its arms spread, and which points hang on a joint besides its children: a nose shows how the head is
turned, a heel how the foot lies. Lengths are those of nobody: the fit replaces them; directions count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from motionloom.errors import ParameterError
from motionloom.messages import Argument
from motionloom.motion import Skeleton, Tip
from motionloom.validation import list_names

Bone = tuple[str, str, tuple[float, float, float]]
"""A joint, its parent, and its offset in metres: x to the body's left, y up, z to the front, arms spread."""


@dataclass(frozen=True, eq=False)
class PointLayout:
    """How points become a skeleton.

    Attributes
    ----------
    name
        What it is called.
    points
        N names of the points, in the order of their files.
    skeleton
        The skeleton to make, in a pose that is easy to recognize; its bone lengths do not matter.
    sources
        For joints that are no points themselves, the points in whose mean they lie.
    attached
        For joints, points besides their children that turn with them, and where they are at rest.
    hints
        Joints whose attached points only show roughly how they are turned: hips under a chest.

    >>> LAYOUTS["human36m"].points[:3]
    ('pelvis', 'right_hip', 'right_knee')
    """

    name: str
    points: tuple[str, ...]
    skeleton: Skeleton
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    attached: Mapping[str, Mapping[str, tuple[float, float, float]]] = field(default_factory=dict)
    hints: frozenset[str] = frozenset()


def _mirror(bones: Sequence[Bone]) -> tuple[Bone, ...]:
    """Return bones of the left side with those of the right side after them."""
    return (
        *bones,
        *(
            (name.replace("left", "right"), parent.replace("left", "right"), (-x, y, z))
            for name, parent, (x, y, z) in bones
        ),
    )


_LEG: tuple[Bone, ...] = (
    ("left_hip", "pelvis", (0.09, -0.09, 0.0)),
    ("left_knee", "left_hip", (0.0, -0.40, 0.0)),
    ("left_ankle", "left_knee", (0.0, -0.40, -0.02)),
)
_FOOT: tuple[Bone, ...] = (("left_foot", "left_ankle", (0.0, -0.06, 0.13)),)
_ARM: tuple[Bone, ...] = (
    ("left_elbow", "left_shoulder", (0.27, 0.0, 0.0)),
    ("left_wrist", "left_elbow", (0.25, 0.0, 0.0)),
)
_COLLAR: tuple[Bone, ...] = (
    ("left_collar", "spine3", (0.07, 0.11, -0.02)),
    ("left_shoulder", "left_collar", (0.11, 0.04, 0.0)),
)
_HAND: tuple[Bone, ...] = (("left_hand", "left_wrist", (0.08, 0.0, 0.0)),)
_SPINE: tuple[Bone, ...] = (
    ("spine1", "pelvis", (0.0, 0.11, -0.02)),
    ("spine2", "spine1", (0.0, 0.13, 0.0)),
    ("spine3", "spine2", (0.0, 0.06, 0.0)),
    ("neck", "spine3", (0.0, 0.21, -0.03)),
    ("head", "neck", (0.0, 0.10, 0.04)),
)
_ENDS = {
    "head": (0.0, 0.16, 0.0),
    "left_foot": (0.0, -0.02, 0.07),
    "right_foot": (0.0, -0.02, 0.07),
}
"""Where bodies go on beyond the last joint, for meshes and soles."""

_SMPL = (
    *("pelvis", "left_hip", "right_hip", "spine1", "left_knee", "right_knee", "spine2", "left_ankle"),
    *("right_ankle", "spine3", "left_foot", "right_foot", "neck", "left_collar", "right_collar", "head"),
    *("left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist"),
)
_HUMAN36M = (
    *("pelvis", "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle", "spine"),
    *("thorax", "neck", "head", "left_shoulder", "left_elbow", "left_wrist"),
    *("right_shoulder", "right_elbow", "right_wrist"),
)
_MEDIAPIPE = (
    *("nose", "left_eye_inner", "left_eye", "left_eye_outer", "right_eye_inner", "right_eye"),
    *("right_eye_outer", "left_ear", "right_ear", "mouth_left", "mouth_right", "left_shoulder"),
    *("right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_pinky"),
    *("right_pinky", "left_index", "right_index", "left_thumb", "right_thumb", "left_hip", "right_hip"),
    *("left_knee", "right_knee", "left_ankle", "right_ankle", "left_heel", "right_heel"),
    *("left_foot_index", "right_foot_index"),
)


def _skeleton(order: Sequence[str], bones: Sequence[Bone]) -> Skeleton:
    """Return the skeleton of bones whose joints come in this order, parents first."""
    parents = {name: parent for name, parent, _ in bones}
    offsets = {name: offset for name, _, offset in bones}
    names = [name for name in order if name in parents or name == "pelvis"]
    ordered: list[str] = []
    while len(ordered) < len(names):
        ordered += [
            name for name in names if name not in ordered and (name == "pelvis" or parents[name] in ordered)
        ]
    tips = tuple(Tip(ordered.index(name), np.array(end)) for name, end in _ENDS.items() if name in ordered)
    return Skeleton(
        tuple(ordered),
        np.array([ordered.index(parents[n]) if n in parents else -1 for n in ordered]),
        np.array([offsets.get(name, (0.0, 0.95, 0.0)) for name in ordered]),
        tips=tips,
    )


def _make_layouts() -> dict[str, PointLayout]:
    body = (*_mirror(_LEG), *_mirror(_FOOT), *_mirror(_ARM), *_mirror(_COLLAR), *_SPINE)
    legs, arms = _mirror(_LEG), _mirror(_ARM)
    trunk: tuple[Bone, ...] = (
        ("spine", "pelvis", (0.0, 0.23, -0.02)),
        ("thorax", "spine", (0.0, 0.25, 0.0)),
        ("neck", "thorax", (0.0, 0.09, 0.05)),
        ("head", "neck", (0.0, 0.11, 0.0)),
        *_mirror((("left_shoulder", "thorax", (0.15, -0.02, 0.0)),)),
    )
    upper: tuple[Bone, ...] = (
        # There are no points between hips and shoulders: the trunk bends where the hips are.
        ("spine", "pelvis", (0.0, 0.0, 0.0)),
        ("chest", "spine", (0.0, 0.48, 0.0)),
        ("neck", "chest", (0.0, 0.0, 0.0)),
        ("head", "neck", (0.0, 0.20, 0.02)),
        *_mirror((("left_shoulder", "chest", (0.17, 0.0, 0.0)),)),
        *_mirror((("left_foot", "left_ankle", (0.0, -0.06, 0.13)),)),
        *_mirror((("left_hand", "left_wrist", (0.085, 0.0, 0.0)),)),
    )
    hips = tuple((n, p, (x, 0.0, z) if n.endswith("_hip") else (x, y, z)) for n, p, (x, y, z) in legs)
    joints = ("pelvis", *(name for name, _, _ in (*hips, *upper, *arms)))
    mediapipe = PointLayout(
        "mediapipe",
        _MEDIAPIPE,
        _skeleton(joints, (*hips, *upper, *arms)),
        sources={
            "pelvis": ("left_hip", "right_hip"),
            "spine": ("left_hip", "right_hip"),
            "chest": ("left_shoulder", "right_shoulder"),
            "neck": ("left_shoulder", "right_shoulder"),
            "head": ("left_ear", "right_ear"),
            **{f"{side}_foot": (f"{side}_foot_index",) for side in ("left", "right")},
            **{f"{side}_hand": (f"{side}_index", f"{side}_pinky") for side in ("left", "right")},
        },
        attached={
            "pelvis": {"left_shoulder": (0.17, 0.48, 0.0), "right_shoulder": (-0.17, 0.48, 0.0)},
            "chest": {"left_hip": (0.09, -0.48, 0.0), "right_hip": (-0.09, -0.48, 0.0)},
            "head": {
                "nose": (0.0, -0.01, 0.11),
                "left_ear": (0.07, 0.0, 0.0),
                "right_ear": (-0.07, 0.0, 0.0),
                "left_eye": (0.03, 0.03, 0.08),
                "right_eye": (-0.03, 0.03, 0.08),
            },
            **{f"{side}_ankle": {f"{side}_heel": (0.0, -0.06, -0.05)} for side in ("left", "right")},
            **{
                f"{side}_wrist": {
                    f"{side}_index": (sign * 0.09, 0.0, 0.03),
                    f"{side}_pinky": (sign * 0.08, 0.0, -0.03),
                }
                for side, sign in (("left", 1.0), ("right", -1.0))
            },
        },
        hints=frozenset({"pelvis", "chest"}),
    )
    hands = (*_SMPL, "left_hand", "right_hand")
    return {
        "smpl": PointLayout("smpl", _SMPL, _skeleton(_SMPL, body)),
        "smpl24": PointLayout("smpl24", hands, _skeleton(hands, (*body, *_mirror(_HAND)))),
        "human36m": PointLayout("human36m", _HUMAN36M, _skeleton(_HUMAN36M, (*legs, *arms, *trunk))),
        "mediapipe": mediapipe,
    }


LAYOUTS: dict[str, PointLayout] = _make_layouts()
"""The layouts by name: SMPL's 22 joints (HumanML3D's too), 24 with hands, Human3.6M's 17, MediaPipe's 33."""

ALIASES = {
    **dict.fromkeys(("smpl22", "humanml3d", "humanml", "amass"), "smpl"),
    **dict.fromkeys(("h36m", "h36m17", "human36m17"), "human36m"),
    **dict.fromkeys(("mediapipe33", "blazepose"), "mediapipe"),
}
"""Other names of the layouts, in small letters without signs."""


def find_layout(
    layout: str | PointLayout | Skeleton | None, names: Sequence[str], n_points: int
) -> PointLayout:
    """Return a layout by name, that of a skeleton, or without one the layout that has these points.

    >>> find_layout("H36M", (), 17).name, find_layout(None, (), 22).name
    ('human36m', 'smpl')
    """
    if isinstance(layout, PointLayout):
        return layout
    if isinstance(layout, Skeleton):
        return PointLayout("skeleton", layout.names, layout)
    if layout is None:
        named = [
            each for each in LAYOUTS.values() if set(plain_names(each.points)) == set(plain_names(names))
        ]
        fitting = named or [each for each in LAYOUTS.values() if len(each.points) == n_points]
        if not fitting:
            known = ", ".join(f"{len(each.points)} ({each.name})" for each in LAYOUTS.values())
            raise ParameterError(
                f"{n_points} points fit no layout, which have {known}",
                remedy=(
                    "name one with ",
                    Argument("layout"),
                    ", or give the parent of every point as a dictionary",
                ),
            )
        return fitting[0]
    (plain,) = plain_names([layout]) if isinstance(layout, str) else ("",)
    found = LAYOUTS.get(ALIASES.get(plain, plain))
    if found is None:
        raise ParameterError(
            f"must be one of {list_names(tuple(LAYOUTS))}, a dictionary of parents or a skeleton, "
            f"not {layout!r}",
            parameter="layout",
            value=layout,
        )
    return found


def plain_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names in small letters without blanks, dots and lines, so that spellings compare.

    >>> plain_names(["Left Hip", "LEFT_HIP"])
    ('lefthip', 'lefthip')
    """
    return tuple(re.sub(r"[\W_]+", "", name.rpartition(":")[2].lower()) for name in names)
