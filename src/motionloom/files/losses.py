"""What of a clip a written file does not keep: the mesh of its character, its constraints and its events."""

from __future__ import annotations

from pathlib import Path

from motionloom.files.formats import formats_of, suffixes_with_annotations, suffixes_with_forces
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
    return [*([] if lost is None else [lost]), *_lost_annotations(clip, target, layout), *_lost_measurements(clip, target)]


def _lost_annotations(clip: Clip | PointClip, target: Path, layout: Layout | None) -> list[str]:
    suffixes = suffixes_with_annotations()
    keeps = (target.suffix.lower() in suffixes and layout is None) or target.suffix.lower() == PAGE
    if keeps or not (clip.constraints or clip.events):
        return []
    only = f"only {', '.join(suffixes)} files keep them"
    if any("events" in format.keeps for format in formats_of(target.suffix.lower())):
        return [f"constraints were not saved: {only}"] if clip.constraints else []
    return [f"constraints and events were not saved: {only}"]


def _lost_measurements(clip: Clip | PointClip, target: Path) -> list[str]:
    suffixes = suffixes_with_forces()
    measured = isinstance(clip, PointClip) and (clip.force_plates or clip.analog is not None)
    if not measured or target.suffix.lower() in (*suffixes, PAGE):
        return []
    return [f"force plates and analog channels were not saved: only {', '.join(suffixes)} files keep them"]
