"""What of a clip a written file does not keep: the mesh of its character, its constraints and its events."""

from __future__ import annotations

from pathlib import Path

from motionloom.files.formats import (
    KeptOfPoints,
    formats_of,
    suffixes_with,
    suffixes_with_annotations,
)
from motionloom.files.options import Layout, WriteOptions
from motionloom.files.template import explain_lost_mesh
from motionloom.motion import Clip, PointClip

PAGE = ".html"
"""Pages are to look at: they show constraints and events, and nobody expects to get them back."""


def find_losses(
    clip: Clip | PointClip,
    target: Path,
    layout: Layout | None = None,
    options: WriteOptions | None = None,
) -> list[str]:
    """Return, in sentences, what of a clip a file does not keep that is written with these options.

    >>> from motionloom.synthesis import walk
    >>> find_losses(walk(duration=1.0, fps=30).clip, Path("walk.npz"))
    []
    """
    formats = formats_of(target.suffix.lower())
    lost = None
    if isinstance(clip, Clip) and formats:
        lost = explain_lost_mesh(clip.arranged(), formats[0], options or WriteOptions())
    return [
        *([] if lost is None else [lost]),
        *_lost_annotations(clip, target, layout),
        *_lost_measurements(clip, target),
    ]


def _lost_annotations(clip: Clip | PointClip, target: Path, layout: Layout | None) -> list[str]:
    suffixes = suffixes_with_annotations()
    keeps = (target.suffix.lower() in suffixes and layout is None) or target.suffix.lower() == PAGE
    if keeps or not (clip.constraints or clip.events):
        return []
    only = f"only {', '.join(suffixes)} files keep them"
    if isinstance(clip, PointClip) and "events" in _find_kept(target):
        return [f"constraints were not saved: {only}"] if clip.constraints else []
    return [f"constraints and events were not saved: {only}"]


def _lost_measurements(clip: Clip | PointClip, target: Path) -> list[str]:
    if not isinstance(clip, PointClip) or target.suffix.lower() == PAGE:
        return []
    kept = _find_kept(target)
    lost: list[str] = []
    if clip.force_plates and "forces" not in kept:
        lost.append(f"force plates were not saved: only {', '.join(suffixes_with('forces'))} files keep them")
    if clip.analog is not None and "analog" not in kept:
        lost.append(
            f"analog channels were not saved: only {', '.join(suffixes_with('analog'))} files keep them"
        )
    return lost


def _find_kept(target: Path) -> frozenset[KeptOfPoints]:
    """Return what a file keeps of points besides their positions."""
    formats = [format for format in formats_of(target.suffix.lower()) if format.write_points]
    return formats[0].keeps_of_points if formats else frozenset()
