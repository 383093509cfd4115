"""Force plates of C3D files: from channels to forces, by the four types of plates that the format defines.

A plate has axes of its own: X from the second corner to the first, Y from the fourth to the first, and Z from
both, which points down for most plates. Types 1, 2 and 4 have six channels; type 1 gives the force, where it
acts and the free moment, types 2 and 4 force and moment about the origin of the transducers, type 4 in volts
that a matrix turns into them. Type 3 has eight channels: four sensors of which neighbours are added up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.files.points.c3d_layout import Parameters
from motionloom.json_files import MAX_NUMBER
from motionloom.motion import Analog, ForcePlate
from motionloom.motion.measurements import MIN_LOAD

GROUP = "FORCE_PLATFORM"

N_CHANNELS = {1: 6, 2: 6, 3: 8, 4: 6}
"""Channels of a plate by its type."""

MAX_PLATES = 64
"""More plates are damage: the largest laboratories have a dozen."""

MAX_OUTSIDE = 2.0
"""Where the centre of pressure lies this many times as far from the middle as the corners do, the moments are
in another unit than was assumed."""


def read_plates(
    parameters: Parameters, analog: Analog, metres_per_unit: float, notes: list[str]
) -> tuple[ForcePlate, ...]:
    """Return the plates in the axes of the file, lengths in its unit and moments in newtons times that unit.

    Plates that are of another type, or lack channels or corners, are left out with a note.
    """
    stated = int(min(max(parameters.number(GROUP, "USED", 0.0), 0.0), MAX_PLATES))
    plates: list[ForcePlate] = []
    for n in range(stated):
        plate = _read_plate(parameters, n, analog, metres_per_unit)
        if isinstance(plate, str):
            notes.append(f"force plate {n + 1} {plate}: it was left out")
        else:
            plates.append(plate)
    return tuple(plates)


def _read_plate(parameters: Parameters, n: int, analog: Analog, metres_per_unit: float) -> ForcePlate | str:
    """Return one plate, or what keeps it from being read."""
    kinds = parameters.numbers(GROUP, "TYPE").ravel()
    kind = int(kinds[n]) if n < len(kinds) else 0
    if kind not in N_CHANNELS:
        return f"is of type {kind}, and types 1 to 4 are read"
    corners = _part(parameters, "CORNERS", n, (4, 3))
    axes = None if corners is None else plate_axes(corners)
    if corners is None or axes is None:
        return "has no corners"
    numbers = _part(parameters, "CHANNEL", n, (N_CHANNELS[kind],))
    if numbers is None or not ((numbers >= 1) & (numbers <= len(analog.names))).all():
        return "refers to analog channels that the file does not have"
    columns = (numbers - 1).astype(np.int64)
    values = np.nan_to_num(analog.values[:, columns])
    # ORIGIN leads from the transducers to the surface, at negative Z; many files state the way back.
    origin = _part(parameters, "ORIGIN", n, (3,))
    origin = np.zeros(3) if origin is None else origin
    if kind == 3:
        origin = origin * [1.0, 1.0, -1.0] if origin[2] > 0.0 else origin
        force, moment = _add_up_sensors(values, origin)
    else:
        origin = -origin if origin[2] > 0.0 else origin
        if kind == 4:
            matrix = _part(parameters, "CAL_MATRIX", n, (6, 6))
            # In the file the first index runs fastest: rows are outputs.
            values = values if matrix is None else values @ matrix
        force, moment = values[:, :3], values[:, 3:]
        if kind == 1:
            arm = np.column_stack([moment[:, :2], np.zeros(len(moment))])
            moment = np.cross(arm, force) + moment * [0.0, 0.0, 1.0]
    unit = 1.0
    if kind in (2, 4):
        unit = _moment_unit(analog.units[int(columns[3])], force, moment, corners, metres_per_unit)
        moment = unit * moment + np.cross(force, origin)
    if max(np.abs(force).max(initial=0.0), np.abs(moment).max(initial=0.0)) > MAX_NUMBER:
        return f"measures more than {MAX_NUMBER:g}"
    return ForcePlate(
        f"plate {n + 1}",
        analog.frame_time,
        freeze(force @ axes),
        freeze(moment @ axes),
        freeze(corners),
        analog.start,
        tuple(analog.names[column] for column in columns),
    )


def _part(parameters: Parameters, name: str, n: int, shape: tuple[int, ...]) -> FloatArray | None:
    """Return the part of a parameter that belongs to plate ``n``, or None where it is not all there."""
    values = parameters.numbers(GROUP, name)
    if values.ndim == len(shape) and n == 0:  # a single plate may have no axis of plates
        values = values[None]
    if values.ndim != len(shape) + 1 or n >= len(values):
        return None
    part = values[n]
    if any(have < need for have, need in zip(part.shape, shape, strict=True)):
        return None
    part = part[tuple(slice(length) for length in shape)]
    return part if (np.abs(part) <= MAX_NUMBER).all() else None


def plate_axes(corners: FloatArray) -> FloatArray | None:
    """Return the plate's own axes (3, 3) as rows, or None where its corners are no rectangle.

    >>> plate_axes(np.array([[1.0, 1, 0], [0, 1, 0], [0, 0, 0], [1, 0, 0]])).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    x, y = corners[0] - corners[1], corners[0] - corners[3]
    z = np.cross(x, y)
    y = np.cross(z, x)
    rows = np.stack([x, y, z])
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not ((lengths > 0.0) & np.isfinite(lengths)).all():
        return None
    return np.asarray(rows / lengths)


def _add_up_sensors(values: FloatArray, origin: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return force and moment about the middle of the surface of four sensors.

    ``values`` (N, 8) are x12, x34, y14, y23, z1, z2, z3, z4, and ``origin`` the distances of the sensors from
    the middle along X and Y, and their height.
    """
    x12, x34, y14, y23, z1, z2, z3, z4 = values.T
    a, b, height = origin
    force = np.column_stack([x12 + x34, y14 + y23, z1 + z2 + z3 + z4])
    moment = np.column_stack(
        [b * (z1 + z2 - z3 - z4), a * (z2 + z3 - z1 - z4), b * (x34 - x12) + a * (y14 - y23)]
    )
    return force, moment + np.cross(force, [0.0, 0.0, height])


def _moment_unit(
    stated: str, force: FloatArray, moment: FloatArray, corners: FloatArray, metres_per_unit: float
) -> float:
    """Return what moments are multiplied by so that they are in newtons times the unit of lengths.

    What the channel states counts, else the unit of the points, unless forces would then act far from the
    plate and metres or millimetres put them on it.
    """
    words = stated.lower().strip()
    for ending, metres in (("mm", 0.001), ("cm", 0.01), ("m", 1.0)):
        if words.startswith("n") and words.endswith(ending):
            return metres / metres_per_unit
    loaded = np.abs(force[:, 2]) >= MIN_LOAD
    if not loaded.any():
        return 1.0
    arms = np.median(np.linalg.norm(moment[loaded, :2], axis=1) / np.abs(force[loaded, 2]))
    reach = MAX_OUTSIDE * np.linalg.norm(corners - corners.mean(axis=0), axis=1).max()
    candidates = (1.0, 1.0 / metres_per_unit, 0.001 / metres_per_unit)
    # Moments that are too small put everything in the middle: the largest unit that fits is meant.
    fitting = [unit for unit in candidates if unit * arms <= reach]
    return 1.0 if 1.0 * arms <= reach or not fitting else max(fitting)


def push_up(plates: Sequence[ForcePlate]) -> tuple[tuple[ForcePlate, ...], list[str]]:
    """Return plates in metres and Y up with forces that act on the person, and notes on those turned round.

    The ground can only push: a plate whose load is negative states what the person does to it.
    """
    turned: list[ForcePlate] = []
    notes: list[str] = []
    for plate in plates:
        load = plate.load[np.abs(plate.load) >= MIN_LOAD]
        if len(load) and np.median(load) < 0.0:
            notes.append(f"the force of {plate.name} points down: read as what the person does to the plate")
            plate = replace(plate, force=freeze(-plate.force), moment=freeze(-plate.moment))
        turned.append(plate)
    return tuple(turned), notes
