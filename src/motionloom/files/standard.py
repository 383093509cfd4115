"""From a clip as its file states it to metres, Y up and captured frames only, and back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import get_args

from motionloom.arrays import freeze
from motionloom.errors import ParameterError
from motionloom.files import faults
from motionloom.files.axes import from_y_up, to_y_up
from motionloom.files.detection import detected_root_offset, detected_up, root_offset_added
from motionloom.files.scale import scaled
from motionloom.files.units import TYPICAL_HEIGHT, metres_per_unit, unit_for_height
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_height
from motionloom.motion.source import RootOffset, UpAxis


@dataclass(frozen=True, kw_only=True)
class ReadingChoices:
    """What the caller states about a file instead of having it detected; None means detect.

    Attributes
    ----------
    unit
        Length unit by name ("m", "dm", "cm", "mm", "inch", "cmu") or size in metres.
    up
        The vertical axis: "x", "y" or "z".
    root_offset
        Whether root positions replace the root's offset ("absolute") or add to it ("relative").
    keep_rest_rows
        Whether to keep rest-pose rows that a converter put before the motion.
    """

    unit: str | float | None = None
    up: UpAxis | None = None
    root_offset: RootOffset | None = None
    keep_rest_rows: bool = False

    def __post_init__(self) -> None:
        if self.unit is not None:
            metres_per_unit(self.unit)
        for name, value, known in (
            ("up", self.up, get_args(UpAxis)),
            ("root_offset", self.root_offset, get_args(RootOffset)),
        ):
            if value is not None and value not in known:
                raise ParameterError(f"{name} must be one of {', '.join(map(repr, known))}, not {value!r}")


def to_standard(clip: Clip, choices: ReadingChoices) -> Clip:
    """Bring a clip as written to metres and Y up; ``source`` says how to go back and what was found."""
    notes: list[str] = []
    clip = clip if choices.keep_rest_rows else _without_rest_rows(clip, notes)
    up = choices.up or _up(clip, notes)
    root_offset = choices.root_offset or _root_offset(clip, up, notes)
    if root_offset == "relative":
        added = root_offset_added(clip.skeleton, _root_channels(clip))
        clip = replace(clip, root_positions=freeze(clip.root_positions + added))
    clip = to_y_up(clip, up)
    unit, size = _unit(clip, choices.unit, notes)
    source = replace(clip.source, unit=unit, metres_per_unit=size, up=up, root_offset=root_offset)
    clip = scaled(clip, size, source)
    return replace(clip, source=source.noting(*notes, *_fault_notes(clip)))


def from_standard(clip: Clip, unit: str | float | None = None, up: UpAxis | None = None) -> Clip:
    """The clip in its source's unit and axes, or in those given."""
    source = clip.source
    if unit is not None:
        name, size = metres_per_unit(unit)
        source = replace(source, unit=name, metres_per_unit=size)
    source = replace(source, up=up or source.up)
    return from_y_up(scaled(clip, 1.0 / source.metres_per_unit, source), source.up)


def _without_rest_rows(clip: Clip, notes: list[str]) -> Clip:
    n_rest = faults.added_rest_rows(clip)
    if n_rest == 0:
        return clip
    which = "the first row is" if n_rest == 1 else f"the first {n_rest} rows are"
    notes.append(
        f"{which} a rest pose put before the motion and left out "
        "(keep_rest_rows=True or --keep-rest-rows keeps it)"
    )
    return clip[n_rest:]


def _up(clip: Clip, notes: list[str]) -> UpAxis:
    up = detected_up(clip)
    if up != "y":
        notes.append(
            f"the body stands along {up.upper()}: turned so that Y is up (up= or --up states the axis)"
        )
    return up


def _root_offset(clip: Clip, up: UpAxis, notes: list[str]) -> RootOffset:
    if detected_root_offset(clip, up, _root_channels(clip)) == "absolute":
        return "absolute"
    notes.append(
        "root positions were added to the root's OFFSET, which puts the feet on the ground "
        "(root_offset= or --root-offset decides)"
    )
    return "relative"


def _root_channels(clip: Clip) -> tuple[str, ...]:
    """The root's channels as BVH names them; other formats have none of these names."""
    return clip.source.channels[0] if clip.source.channels else ()


def _unit(clip: Clip, wanted: str | float | None, notes: list[str]) -> tuple[str, float]:
    """The unit asked for, the one the format states, or the one the body's height speaks for."""
    if wanted is not None:
        return metres_per_unit(wanted)
    if clip.source.unit:
        return clip.source.unit, clip.source.metres_per_unit
    height = body_height(clip.skeleton)
    if not height:
        notes.append("no body was found to tell the unit from: taken as metres (unit= or --unit states it)")
        return "m", 1.0
    found = unit_for_height(height)
    if found is None:
        size = TYPICAL_HEIGHT / height
        notes.append(
            f"the body is {height:.3g} units high, which fits no known unit: scaled to {TYPICAL_HEIGHT} m "
            "(unit= or --unit states it)"
        )
        return f"{size:.6g} m", size
    notes.append(
        f"lengths were read as {found[0]}: the body is {height:.3g} units, {height * found[1]:.2f} m, high "
        "(unit= or --unit states it)"
    )
    return found


def _fault_notes(clip: Clip) -> list[str]:
    notes: list[str] = []
    jumps = faults.root_jumps(clip)
    if jumps:
        frame, size = jumps[0]
        others = f" and {len(jumps) - 1} more times" if len(jumps) > 1 else ""
        notes.append(f"the root jumps {size:.2f} m into frame {frame}{others}: probably a recording fault")
    rate = faults.suspected_rate(clip)
    if rate is not None:
        fall, fps = rate
        notes.append(
            f"free fall measures {fall:.1f} m/s² at the stated {clip.fps:.4g} frames per second: "
            f"the true rate is probably about {fps:.3g} (fps= or --read-fps states it)"
        )
    return notes
