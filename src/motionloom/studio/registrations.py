"""Registrations: how the clips of a blend correspond, two at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from motionloom.annotation.labels import STRIKE
from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Provenance
from motionloom.motion.anatomy import facing
from motionloom.motion.unroll import extend_cycle
from motionloom.registration import DistanceGrid, RegistrationCurve, RegistrationReport, distance
from motionloom.registration.settings import SETTINGS
from motionloom.studio.clips import show_verdict
from motionloom.studio.packs import pack
from motionloom.studio.page_words import in_page_words
from motionloom.studio.responses import RegisteredClip, RegistrationHeader

if TYPE_CHECKING:
    from motionloom.motion import Clip, Provenance
    from motionloom.registration import RegistrationCurve


MAX_CELLS = 400
"""Rows and columns of a grid that is sent; frames of longer clips are left out evenly."""

MAX_GRID_CELLS = 4_000_000
"""Cells of a grid that is computed whole before frames are left out, so that windows are those of the
registration; 2,000 × 2,000 frames take a quarter of a second."""

CURVE_SAMPLES = 300
"""Points that a curve is drawn with."""


@dataclass(frozen=True, eq=False)
class Part:
    """What a curve covers of a clip, and how frames of it are found in the clip as the project has it.

    Frame ``n`` of ``clip`` is frame ``shift + n`` of the registered clip, and frame ``f`` of that is frame
    ``origin.frames(f)`` of the project's clip, of which those up to ``end`` are covered.
    """

    item: str
    clip: Clip
    shift: int
    origin: Provenance
    end: float
    cyclic: bool


def find_part(curve: RegistrationCurve, k: int, item: str, source: Clip) -> Part:
    """Find which part of a clip a curve covers: all of it, whole strides, or a closed cycle."""
    clip = curve.clips[k]
    shift, shown = 0, clip
    if curve.timewarp.periods is not None:
        # The curve may enter a cycle anywhere, so what it covers can reach into the cycle after it.
        shift, last = int(np.floor(curve.spans[0, k])), int(np.ceil(curve.spans[1, k]))
        begin = shift % clip.n_frames
        shown = extend_cycle(clip, begin + last - shift + 1)[begin:]
    origin = clip.provenance.relative_to(source.provenance)
    end = float(origin.frames(clip.n_frames if clip.cyclic else clip.n_frames - 1))
    return Part(item, shown, shift, origin, end, clip.cyclic)


def pack_registration(curve: RegistrationCurve, pair: tuple[int, int], parts: Sequence[Part]) -> bytes:
    """Pack the distance grid and the curve of two clips."""
    a, b = parts
    step = max(1, -(-max(a.clip.n_frames, b.clip.n_frames) // MAX_CELLS))
    arrays = _grid(curve, a.clip, b.clip, step)
    path = np.empty((0, 2)) if curve.samples is None else curve.samples[:, pair]
    u = np.linspace(*curve.domain, CURVE_SAMPLES)
    arrays |= {
        "path": _in_both(parts, path),
        "timewarp": _in_both(parts, curve.timewarp(u)[:, pair]),
        "alignment": curve.alignment(u)[:, pair],
    }
    report = curve.report
    header = RegistrationHeader(
        a=_axis(a, step, len(arrays["facing_a"])),
        b=_axis(b, step, len(arrays["facing_b"])),
        verdict=show_verdict(report),
        lines=report_lines(report),
        settings=_settings_in_effect(curve),
        joints=tuple(name for name in a.clip.skeleton.names if name in b.clip.skeleton.names),
    )
    return pack(header, arrays)


def _settings_in_effect(curve: RegistrationCurve) -> dict[str, float | str]:
    """Return the settings of a curve that are numbers or words, by option."""
    stated = {option.name: getattr(curve.settings, option.name) for option in SETTINGS}
    stated |= {"reference": curve.reference, "min_rate": curve.settings.rate_bound}
    return {name: value for name, value in stated.items() if isinstance(value, int | float | str)}


def report_lines(report: RegistrationReport) -> tuple[str, ...]:
    """Summarize a registration in short lines."""
    odd = len(report.unmatched) + len(report.splits)
    lines = [
        f"corresponding frames lie {100 * report.mean_distance:.1f} cm apart on average, "
        f"{100 * report.max_distance:.1f} cm at most",
        f"{100 * report.saturation:.0f} % of the time alignment runs at the slope limit",
        f"{report.n_matches} foot and hand plants match, {odd} are unmatched or were split",
    ]
    if report.cycle_error is not None:
        lines.append(f"pairs of clips disagree by {report.cycle_error:.1f} frames on average")
    return (*lines, *map(in_page_words, report.notes))


def _grid(curve: RegistrationCurve, a: Clip, b: Clip, step: int) -> dict[str, FloatArray]:
    """Distances, placements, poses and headings of every ``step``-th frame."""
    shown = {"poses_a": a.world_positions()[::step], "poses_b": b.world_positions()[::step]}
    shown |= {"facing_a": facing(a)[::step], "facing_b": facing(b)[::step]}
    if a.n_frames * b.n_frames > MAX_GRID_CELLS:
        a, b, step = a[::step], b[::step], 1
    settings = curve.settings
    grid = distance(
        a,
        b,
        window=settings.window,
        points=settings.points,
        joint_weights=settings.joint_weights,
        placements=True,
    )
    assert grid.yaws is not None
    return {
        "distances": np.sqrt(grid.values[::step, ::step]),
        "yaws": grid.yaws[::step, ::step],
        "shifts": _shifts(grid, step),
        **shown,
    }


def _shifts(grid: DistanceGrid, step: int) -> FloatArray:
    """Return x and z (A, B, 2) that put rotated frames of the second clip on the first."""
    rows, columns = np.indices(grid.shape)[:, ::step, ::step]
    assert grid.yaws is not None
    goals, centres = (own @ (1.0, 1.0j) for own in grid.window_centres(rows, columns))
    shifts = goals - np.exp(-1j * grid.yaws[::step, ::step]) * centres
    return np.stack([shifts.real, shifts.imag], axis=-1)


def _axis(part: Part, step: int, cells: int) -> RegisteredClip:
    clip = part.clip
    strikes = np.array([event.frame for event in clip.events if event.label == STRIKE]) + part.shift
    return RegisteredClip(
        item=part.item,
        first=float(part.origin.frames(part.shift)),
        step=step * part.origin.rate,
        cells=cells,
        start=part.origin.start,
        end=part.end,
        cyclic=part.cyclic,
        strikes=tuple(part.origin.frames(strikes).tolist()),
        parents=tuple(clip.skeleton.parents.tolist()),
    )


def _in_both(parts: Sequence[Part], frames: FloatArray) -> FloatArray:
    return np.stack([part.origin.frames(frames[:, n]) for n, part in enumerate(parts)], axis=1)
