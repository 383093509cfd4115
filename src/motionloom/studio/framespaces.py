"""Framespaces: the space that the clips of an item span, and the curve drawn through it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending import BlendResult
from motionloom.errors import ParameterError
from motionloom.framespace import Correspondence, Framespace, FramespaceReport
from motionloom.framespace.labels import strip_side
from motionloom.framespace.warp import time_part
from motionloom.project.clip_edits import edit_frames
from motionloom.project.document import ClipEdit
from motionloom.project.recipes import FramespaceRecipe
from motionloom.project.recipes.framespace import MAX_COORDINATES, interpolant_of
from motionloom.project.recipes.recipe import MAX_VERTICES
from motionloom.studio.packs import pack
from motionloom.studio.responses import FramespaceHeader, SpaceCurve, SpaceState


def parse_vertices(text: str) -> list[list[float]]:
    """Parse vertices written as JSON, each a list of numbers.

    >>> parse_vertices("[[0, 0], [1, 0.5]]")
    [[0.0, 0.0], [1.0, 0.5]]
    """
    try:
        rows = [[float(number) for number in row] for row in json.loads(text)]
    except (TypeError, ValueError, RecursionError):
        raise ParameterError(
            "must be a JSON list of lists of numbers, [[x, v], …]", parameter="vertices"
        ) from None
    if not 0 < len(rows) <= MAX_VERTICES:
        raise ParameterError(f"a curve has 1 to {MAX_VERTICES} vertices, not {len(rows)}")
    if max(map(len, rows)) > MAX_COORDINATES:
        raise ParameterError(f"a vertex has at most {MAX_COORDINATES} numbers, x, v and in a box w")
    return rows


SAMPLES = 241
"""Points of a drawn curve: one for every other pixel of a wide panel."""

SIDES = {"L": "left", "R": "right"}
JOINTS = {"S": "arm", "E": "elbow", "W": "hand", "HI": "thigh", "K": "knee", "A": "ankle", "H": "heel"}
EVENTS = {
    "et": "foot strikes the floor",
    "mt": "leg passes the other",
    "lift": "foot leaves the floor",
    "gnd": "comes to the floor",
    "flex": "is farthest forward",
    "ext": "is farthest back",
    "msw": "is halfway through its swing",
    "apex": "changes direction",
}
"""The codes of labels in words."""


def pack_framespace(
    space: Framespace, recipe: FramespaceRecipe, blend: BlendResult | None, edit: ClipEdit
) -> bytes:
    """Pack a framespace: a :class:`FramespaceHeader` and its arrays.

    ``blend`` is what the curve makes before the item's edit, None where it makes nothing; rows follow the
    edit.
    """
    arrays = {"curve": sample_curve(recipe.curve, recipe.polyline)}
    if recipe.upper is not None:
        arrays["upper"] = sample_curve(recipe.upper, recipe.polyline)
    if blend is not None and isinstance(blend.report, FramespaceReport):
        report = blend.report
        rows = edit_frames(blend.clip.n_frames, edit)
        x = report.cycles[rows] / recipe.cycles
        arrays |= {"x": x, "points": report.points[rows]}
        if recipe.upper is not None:
            arrays["upper_points"] = np.clip(interpolant_of(recipe.upper, recipe.polyline)(x), 0.0, 1.0)
    header = FramespaceHeader(
        shape=space.shape,
        periods=tuple(space.periods.tolist()),
        lower=lower_states(space),
        upper=upper_states(space),
        notes=space.notes,
        cycles=recipe.cycles,
    )
    return pack(header, arrays)


def pack_curve(vertices: Sequence[Sequence[float]], polyline: bool) -> bytes:
    """Pack the curve through vertices."""
    return pack(SpaceCurve(polyline=polyline), {"curve": sample_curve(vertices, polyline)})


def sample_curve(vertices: Sequence[Sequence[float]], polyline: bool) -> FloatArray:
    """Sample the curve through vertices: points (S, 1 + D) of x, v, and in a box w.

    >>> sample_curve([(0, 0.0), (1, 0.5)], polyline=True)[[0, 120, 240]].tolist()
    [[0.0, 0.0], [0.5, 0.25], [1.0, 0.5]]
    """
    x = np.linspace(0.0, 1.0, SAMPLES)
    inside = np.clip(interpolant_of(vertices, polyline)(x), 0.0, 1.0)
    return np.concatenate([x[:, None], inside], axis=1)


def lower_states(space: Framespace) -> tuple[SpaceState, ...]:
    """Return the states of the legs, or of the whole body, in cycles from the start of the cycle."""
    return _states(space.correspondence, space.warp.times(np.eye(len(space.clips))))


def upper_states(space: Framespace) -> tuple[SpaceState, ...]:
    """Return the states of decoupled arms, in cycles from the start of the legs' cycle."""
    if space.upper_correspondence is None:
        return ()
    lengths = np.array([clip.n_frames for clip in space.clips], dtype=np.float64)
    part = time_part(space.upper_correspondence, lengths, "smooth", space.warp)
    return _states(space.upper_correspondence, part.warp.times(np.eye(len(space.clips))) - part.lags[:, None])


def _states(correspondence: Correspondence, times: FloatArray) -> tuple[SpaceState, ...]:
    """Matched states with their times (K, N + 1); the last is the first of the next cycle."""
    return tuple(
        SpaceState(
            labels=state.labels, description=", ".join(map(describe_label, state.labels)), times=tuple(row)
        )
        for state, row in zip(correspondence.matched, times.T[:-1].tolist(), strict=True)
    )


def describe_label(label: str) -> str:
    """Describe a state label in words; labels given by the user stay as they are.

    >>> describe_label("L.et"), describe_label("R.HI flex"), describe_label("clap")
    ('left foot strikes the floor', 'right thigh is farthest forward', 'clap')
    """
    bare = strip_side(label)
    joint, _, event = bare.rpartition(" ")
    meaning = EVENTS.get(event)
    if meaning is None or (joint and joint not in JOINTS):
        return label
    side = SIDES.get(label[: -len(bare)].rstrip("."), "")
    return " ".join(word for word in (side, JOINTS.get(joint, ""), meaning) if word)
