"""Bring a clip as its file states it to metres, Y up and captured frames only, and back."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.files.detection import (
    count_rest_rows,
    detect_root_offset,
    find_root_jumps,
    root_offset_on_channels,
)
from motionloom.files.formats import find_prescribed_up, prescribes_metres
from motionloom.files.frame_rate import detect_wrong_rate
from motionloom.files.notes import Note, override
from motionloom.files.units import TYPICAL_HEIGHT, metres_per_unit, unit_for_height
from motionloom.files.up_axis import find_up_axis
from motionloom.messages import Argument, Operation
from motionloom.motion import Clip, PointClip, Source, Tip
from motionloom.motion.anatomy import body_height
from motionloom.motion.provenance import OWN_SOURCE, RootOffset, UpAxis
from motionloom.repair import find_faults, summarize_faults

# Rows say which file coordinate, with which sign, becomes x, y and z; all three keep right-handedness.
TO_Y_UP: dict[UpAxis, FloatArray] = {
    "x": np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    "y": np.eye(3),
    "z": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
}

DEFAULT_UNIT, UNIT_WITHOUT_BODY = "cm", "m"
"""Unit of files written from motion whose source has none of its own; most exporters use centimetres.
Where no body tells readers the unit, they assume metres, and so the file is in metres."""

POINT_UNITS = ("m", "dm", "cm", "mm", "inch")
"""Units that marker files name."""


def normalize_clip(
    clip: Clip,
    *,
    unit: str | float | None = None,
    up: UpAxis | None = None,
    stated_up: UpAxis | None = None,
    root_offset: RootOffset | None = None,
    keep_rest_rows: bool = False,
) -> Clip:
    """Return a clip as its file states it in metres and Y up.

    ``clip.source`` then says how to go back, and its notes say what was detected. Faults of capture and frame
    rates that are inconsistent with gravity change nothing, and are looked for when the notes are read.

    Parameters
    ----------
    clip
        The clip in the unit and axes of its file; ``source.unit`` is empty where the file states none.
    unit
        Length unit by name or size in metres; by default the one that the file states or the body's height
        suggests.
    up
        The vertical axis of the file; by default the one that :func:`find_up_axis` finds.
    stated_up
        The vertical axis that the file states, which the motion may contradict, like the one that its format
        prescribes.
    root_offset
        Whether root positions replace the root's offset ("absolute") or add to it ("relative"); by default
        whichever puts the feet on the ground.
    keep_rest_rows
        Keep rest-pose rows that a converter put before the motion.
    """
    notes: list[str] = []
    clip = clip if keep_rest_rows else _drop_rest_rows(clip, notes)
    up = up or choose_up_axis(clip, stated_up, notes)
    root_offset = root_offset or _root_offset(clip, up, notes)
    if root_offset == "relative":
        added = root_offset_on_channels(clip.skeleton, _root_channels(clip))
        clip = replace(clip, root_positions=freeze(clip.root_positions + added))
    clip = to_y_up(clip, up)
    name, size = _unit(clip, unit, notes)
    source = replace(clip.source, unit=name, metres_per_unit=size, up=up, root_offset=root_offset)
    clip = scale_clip(clip, size, source=source)
    if source.character is not None:
        source = replace(source, character=replace(source.character, skeleton=clip.skeleton))
    # What is read is its own source, whichever rows of the file it is.
    return clip.with_source(source.noting(*notes, find=partial(_find_capture_notes, clip)), OWN_SOURCE)


def denormalize_clip(clip: Clip, *, unit: str | float | None = None, up: UpAxis | None = None) -> Clip:
    """Return a clip in its source's unit and axes, or in those given.

    Motion made in memory, or from a format that prescribes metres, gets the unit that most exporters use.
    """
    if unit is None and (not clip.source.format or prescribes_metres(clip.source.format)):
        unit = DEFAULT_UNIT if body_height(clip.skeleton) else UNIT_WITHOUT_BODY
    source = _source_in(clip.source, unit, up)
    return from_y_up(scale_clip(clip, 1.0 / source.metres_per_unit, source=source), source.up)


def normalize_points(
    clip: PointClip, *, unit: str | float | None = None, up: UpAxis | None = None
) -> PointClip:
    """Return points as their file states them in metres and Y up; arguments override what the source states.

    >>> centimetres = Source(unit="cm", metres_per_unit=0.01, up="z")
    >>> written = PointClip(["toe"], 0.1, [[[10.0, 20.0, 30.0]]], centimetres)
    >>> normalize_points(written).positions.round(9).tolist()
    [[[0.1, 0.3, -0.2]]]
    """
    source = _source_in(clip.source, unit, up)
    return _convert_points(clip, TO_Y_UP[source.up], source.metres_per_unit, source)


def denormalize_points(
    clip: PointClip, *, unit: str | float | None = None, up: UpAxis | None = None
) -> PointClip:
    """Return points in their source's unit and axes, or in those given; metres where files lack the unit."""
    if unit is None and clip.source.unit not in POINT_UNITS:
        unit = "m"
    source = _source_in(clip.source, unit, up)
    return _convert_points(clip, TO_Y_UP[source.up].T, 1.0 / source.metres_per_unit, source)


def _convert_points(clip: PointClip, axes: FloatArray, scale: float, source: Source) -> PointClip:
    """Return points and what was measured with them in other axes and another unit of length.

    Forces stay newtons; moments, which are newtons times lengths, change with the lengths.
    """
    plates = tuple(
        replace(
            plate,
            force=freeze(plate.force @ axes.T),
            moment=freeze(plate.moment @ axes.T * scale),
            corners=None if plate.corners is None else freeze(plate.corners @ axes.T * scale),
        )
        for plate in clip.force_plates
    )
    return replace(
        clip,
        positions=freeze(clip.positions @ axes.T * scale),
        residuals=None if clip.residuals is None else freeze(clip.residuals * scale),
        force_plates=plates,
        source=source,
    )


def scale_points(clip: PointClip, factor: float) -> PointClip:
    """Return points with every length multiplied; the forces of a larger body are not known and stay.

    >>> scale_points(PointClip(["toe"], 0.1, [[[1.0, 2.0, 3.0]]]), 2.0).positions.tolist()
    [[[2.0, 4.0, 6.0]]]
    """
    return _convert_points(clip, np.eye(3), factor, clip.source)


def _source_in(source: Source, unit: str | float | None, up: UpAxis | None) -> Source:
    """Return the source with another unit and vertical axis, where given."""
    if unit is not None:
        name, size = metres_per_unit(unit)
        source = replace(source, unit=name, metres_per_unit=size)
    return replace(source, up=up or source.up)


def scale_clip(clip: Clip, factor: float, *, source: Source | None = None) -> Clip:
    """Return a clip with every length multiplied, and with another source where one is given.

    >>> from motionloom.synthesis import stand
    >>> still = stand(duration=0.1).clip
    >>> float(scale_clip(still, 2.0).root_positions[0, 1] / still.root_positions[0, 1])
    2.0
    """
    source = source or clip.source
    if factor == 1.0:
        return replace(clip, source=source)
    skeleton = replace(
        clip.skeleton,
        offsets=freeze(clip.skeleton.offsets * factor),
        tips=tuple(Tip(tip.joint, tip.offset * factor) for tip in clip.skeleton.tips),
    )
    return replace(
        clip,
        source=source,
        skeleton=skeleton,
        root_positions=freeze(clip.root_positions * factor),
        translations=None if clip.translations is None else freeze(clip.translations * factor),
        constraints=tuple(
            replace(c, point=c.point * factor, target=None if c.target is None else c.target * factor)
            for c in clip.constraints
        ),
    )


def to_y_up(clip: Clip, up: UpAxis) -> Clip:
    """Return a clip whose vertical axis is ``up`` in coordinates whose vertical axis is Y.

    The rest pose rotates with the world, so joints' own axes change names too.
    """
    return clip if up == "y" else _permute_axes(clip, TO_Y_UP[up])


def from_y_up(clip: Clip, up: UpAxis) -> Clip:
    """Return a clip that is Y up in coordinates whose vertical axis is ``up``."""
    return clip if up == "y" else _permute_axes(clip, TO_Y_UP[up].T)


def _permute_axes(clip: Clip, matrix: FloatArray) -> Clip:
    """Apply a rotation that only exchanges axes to everything in a clip, without rounding."""
    source, sign = np.abs(matrix).argmax(axis=1), matrix.sum(axis=1)

    def vectors(values: FloatArray) -> FloatArray:
        return freeze(values[..., source] * sign)

    def rotations(values: FloatArray) -> FloatArray:
        return freeze(np.concatenate([values[..., :1], vectors(values[..., 1:])], axis=-1))

    skeleton = replace(
        clip.skeleton,
        offsets=vectors(clip.skeleton.offsets),
        rest_rotations=rotations(clip.skeleton.rest_rotations),
        tips=tuple(Tip(tip.joint, vectors(tip.offset)) for tip in clip.skeleton.tips),
    )
    return replace(
        clip,
        skeleton=skeleton,
        root_positions=vectors(clip.root_positions),
        rotations=rotations(clip.rotations),
        translations=None if clip.translations is None else vectors(clip.translations),
        constraints=tuple(
            replace(c, point=vectors(c.point), target=None if c.target is None else vectors(c.target))
            for c in clip.constraints
        ),
    )


def _drop_rest_rows(clip: Clip, notes: list[str]) -> Clip:
    n_rest = count_rest_rows(clip)
    if n_rest == 0:
        return clip
    rows = "a rest-pose row" if n_rest == 1 else f"{n_rest} rest-pose rows"
    notes.append(
        Note(
            "rest_rows",
            f"{rows} before the motion dropped",
            "rest-pose rows before the motion dropped",
            remedy=("keep them with ", Argument("keep_rest_rows", True)),
        )
    )
    # Not clip[n_rest:], which would hash the whole clip to say where its frames come from.
    return replace(
        clip,
        root_positions=clip.root_positions[n_rest:],
        rotations=clip.rotations[n_rest:],
        translations=None if clip.translations is None else clip.translations[n_rest:],
    )


def choose_up_axis(clip: Clip, stated: UpAxis | None, notes: list[str], *, use_rest: bool = True) -> UpAxis:
    """Return the up axis; note where it is uncertain, or not Y without the file or its format saying so."""
    prescribed = find_prescribed_up(clip.source.format)
    found = find_up_axis(clip, stated, prescribed=prescribed, use_rest=use_rest)
    up = found.axis
    text = ""
    if not found.votes:
        text = "no body was found to tell the up axis from: Y assumed"
    elif found.upside_down:
        text = f"the body is upside down along {up.upper()}, which was taken to be up"
    elif not found.is_sure:
        text = f"the up axis is uncertain: {found.describe()}; {up.upper()} assumed"
    elif up != (stated or prescribed or "y"):
        text = f"the body stands along {up.upper()}: rotated so that Y is up"
    if text:
        notes.append(Note("up", text, remedy=override("up")))
    return up


def _root_offset(clip: Clip, up: UpAxis, notes: list[str]) -> RootOffset:
    if detect_root_offset(clip, up, _root_channels(clip)) == "absolute":
        return "absolute"
    notes.append(
        Note(
            "root_offset",
            "root positions were added to the root's OFFSET, which puts the feet on the ground",
            remedy=override("root_offset"),
        )
    )
    return "relative"


def _root_channels(clip: Clip) -> tuple[str, ...]:
    """Return the root's channels as BVH names them; other formats have none of these names."""
    return clip.source.channels[0] if clip.source.channels else ()


def _unit(clip: Clip, wanted: str | float | None, notes: list[str]) -> tuple[str, float]:
    """Return the unit asked for, the one the format states, or the one that the body's height suggests."""
    if wanted is not None:
        return metres_per_unit(wanted)
    if clip.source.unit:
        return clip.source.unit, clip.source.metres_per_unit
    height = body_height(clip.skeleton)
    if not height:
        text = "no body was found to tell the unit from: metres assumed"
        notes.append(Note("unit", text, remedy=override("unit")))
        return "m", 1.0
    found = unit_for_height(height)
    if found is None:
        size = TYPICAL_HEIGHT / height
        fits = f"which fits no known unit: scaled to {TYPICAL_HEIGHT} m"
        text = f"the body is {height:.3g} units high, {fits}"
        notes.append(Note("unit", text, f"the body has a height {fits}", remedy=override("unit")))
        return f"{size:.6g} m", size
    notes.append(
        Note(
            "unit",
            f"lengths read as {found[0]}: the body is {height:.3g} units ({height * found[1]:.2f} m) tall",
            f"lengths read as {found[0]} from the body's height",
            remedy=override("unit"),
        )
    )
    return found


def _find_capture_notes(clip: Clip) -> list[str]:
    """Return notes on faults of capture and on a frame rate that is inconsistent with gravity."""
    notes: list[str] = []
    jumps = find_root_jumps(clip)
    if jumps:
        frame, size = jumps[0]
        others = f" and {len(jumps) - 1} more times" if len(jumps) > 1 else ""
        text = f"the root jumps {size:.2f} m into frame {frame}{others}: probably a capture error"
        notes.append(Note("root_jump", text))
    # Jumps of the root have their own note.
    faults = [f for f in find_faults(clip) if not (jumps and f.channel == "position" and f.kind != "frozen")]
    if faults:
        mend = ("mend what can be mended with ", Operation("motionloom.repair"))
        text = f"faults of capture: {summarize_faults(faults)}"
        notes.append(Note("faults", text, "faults of capture", remedy=mend))
    wrong = detect_wrong_rate(clip)
    if wrong is not None:
        low, high = wrong.falls[-1], wrong.falls[0]
        notes.append(
            Note(
                "frame_rate",
                f"free fall measures {low:.1f} to {high:.1f} m/s² in {len(wrong.falls)} flights at the "
                f"stated {clip.fps:.4g} frames per second: the true rate is probably {wrong.rate:.4g}",
                remedy=("state it with ", Argument("fps")),
            )
        )
    return notes
