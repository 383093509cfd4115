"""Clips of points: from what their file states to metres and Y up, and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.files.axes import TO_Y_UP
from motionloom.files.detection import AXES, SAMPLED_FRAMES
from motionloom.files.units import metres_per_unit
from motionloom.motion import PointClip
from motionloom.motion.source import UpAxis

CLEARLY_LONGER = 1.2
"""How many times as far as along the others the points must spread along an axis to call it vertical."""

STATED_UNITS = ("m", "dm", "cm", "mm", "inch")
"""Units that marker files name."""

LEAST_POINTS = 3
"""Fewer points do not show how a body stands."""


def points_to_standard(clip: PointClip, unit: str | float | None, up: UpAxis | None) -> PointClip:
    """Bring points as written to metres and Y up; arguments override what the source states.

    >>> from motionloom.motion import Source
    >>> centimetres = Source(unit="cm", metres_per_unit=0.01, up="z")
    >>> written = PointClip(["toe"], 0.1, [[[10.0, 20.0, 30.0]]], centimetres)
    >>> points_to_standard(written, None, None).positions.round(9).tolist()
    [[[0.1, 0.3, -0.2]]]
    """
    source = clip.source
    if unit is not None:
        name, size = metres_per_unit(unit)
        source = replace(source, unit=name, metres_per_unit=size)
    source = replace(source, up=up or source.up)
    positions = clip.positions @ TO_Y_UP[source.up].T * source.metres_per_unit
    return replace(clip, positions=freeze(positions), source=source)


def points_from_standard(clip: PointClip, unit: str | float | None, up: UpAxis | None) -> PointClip:
    """The points in their source's unit and axes, or in those given; metres where files lack the unit."""
    source = clip.source
    if unit is None and source.unit not in STATED_UNITS:
        unit = "m"
    if unit is not None:
        name, size = metres_per_unit(unit)
        source = replace(source, unit=name, metres_per_unit=size)
    source = replace(source, up=up or source.up)
    positions = clip.positions @ TO_Y_UP[source.up] / source.metres_per_unit
    return replace(clip, positions=freeze(positions), source=source)


def standing_axis(positions: FloatArray) -> UpAxis | None:
    """The axis along which points (T, P, 3) of a body clearly spread farthest in most frames, or None.

    >>> body = np.array([[[0, 0, 0], [0.2, 0, 0.9], [0.1, 0.1, 1.7]]])
    >>> standing_axis(body)
    'z'
    """
    sample = positions[:: max(1, len(positions) // SAMPLED_FRAMES)]
    seen = np.isfinite(sample[..., 0])
    sample = sample[seen.sum(axis=1) >= LEAST_POINTS]
    if not len(sample):
        return None
    spread = np.median(np.nanmax(sample, axis=1) - np.nanmin(sample, axis=1), axis=0)
    order = np.argsort(spread)
    return AXES[int(order[-1])] if spread[order[-1]] > CLEARLY_LONGER * spread[order[-2]] else None


def unique_labels(labels: Iterable[str], n_points: int, notes: list[str]) -> tuple[str, ...]:
    """A name for each of the points: nameless ones are numbered, later copies of a name too.

    >>> unique_labels(["heel", "heel", ""], 4, [])
    ('heel', 'heel_2', 'point 3', 'point 4')
    """
    given = [label.strip() for label in labels][:n_points]
    given += [""] * (n_points - len(given))
    names: list[str] = []
    taken = set(given)
    for n, label in enumerate(given, start=1):
        base, name, number = label or f"point {n}", label or f"point {n}", 1
        while name in names or (name != label and name in taken):
            number += 1
            name = f"{base}_{number}"
        if label and name != label:
            notes.append(f"a second point {label!r} was renamed {name!r}")
        names.append(name)
    return tuple(names)
