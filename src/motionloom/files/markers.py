"""Sync markers and phase tracks as a JSON file for game engines.

The file holds one entry for each clip::

    {
      "format": "motionloom sync markers", "version": 1,
      "clips": [
        {
          "name": "walk", "fps": 120.0, "n_frames": 534, "duration": 4.4417, "cyclic": false,
          "markers": [{"name": "left_strike", "frame": 70.1, "time": 0.5842, "normalized": 0.1315}],
          "phase": [-0.61, -0.6, …],
          "contacts": {"left": [[0.5842, 1.1283]], "right": []}
        }
      ]
    }

Times are seconds from the first frame, ``normalized`` runs from 0 to 1 over the clip, ``phase`` has one
number for each frame, in cycles, or is null where the clip shows no gait, and ``contacts`` are seconds in
which a foot is on the floor. In a file made from a registration all clips have the same sequence of markers,
and ``phase`` is the registration's: 0 to 1, equal where the clips correspond.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from motionloom.annotation.markers import (
    MARKED,
    SyncMarker,
    common_markers,
    contacts,
    curve_phase,
    even_markers,
    phase_track,
    sync_markers,
)
from motionloom.annotation.strides import is_locomotion
from motionloom.arrays import FloatArray
from motionloom.atomic_write import atomic_output
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve

FORMAT, VERSION = "motionloom sync markers", 1

DIGITS = 6
"""Digits after the point: a microsecond, a millionth of a frame or of a cycle."""

FEWEST_COMMON = 2
"""Clips with fewer common markers than this get even ones instead."""

EVEN_COUNT = 9
"""Even markers for clips without contacts in common: eight stretches, each played at one rate, follow a
timewarp well enough for blending."""


def save_markers(
    motion: Clip | RegistrationCurve,
    path: str | PathLike[str],
    *,
    labels: Sequence[str] = MARKED,
    overwrite: bool = False,
) -> Path:
    """Write the sync markers and phase tracks of a clip, or of all clips of a registration, as JSON.

    Parameters
    ----------
    motion
        An annotated clip, or a registration curve; its clips get the markers that they have in common, or
        even ones where contacts give fewer than two.
    path
        The file to make, usually ending in ".json".
    labels
        Which events are markers; strikes and lifts by default.
    overwrite
        Whether an existing file may be replaced.

    >>> import tempfile
    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = save_markers(annotate(walk(duration=2.0).clip), Path(folder, "walk.json"))
    ...     json.loads(file.read_text())["clips"][0]["markers"][0]["name"]
    'right_lift'
    """
    path = Path(path)
    text = json.dumps(markers_to_dict(motion, labels), ensure_ascii=False, indent=1)
    with atomic_output(path, overwrite=overwrite) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")
    return path


def markers_to_dict(motion: Clip | RegistrationCurve, labels: Sequence[str] = MARKED) -> dict[str, Any]:
    """What :func:`save_markers` writes, as plain data."""
    if isinstance(motion, Clip):
        phase = phase_track(motion).phase if is_locomotion(motion) else None
        entries = [_entry(motion, "clip", sync_markers(motion, labels), phase)]
    else:
        entries = _curve_entries(motion, labels)
    return {"format": FORMAT, "version": VERSION, "clips": entries}


def _curve_entries(curve: RegistrationCurve, labels: Sequence[str]) -> list[dict[str, Any]]:
    try:
        common = common_markers(curve, labels)
    except ParameterError:  # a clip without contacts
        common = ()
    if len(common) < FEWEST_COMMON:
        common = even_markers(curve, EVEN_COUNT)
    return [
        _entry(
            clip,
            f"clip {k}",
            [SyncMarker(marker.name, float(marker.frames[k])) for marker in common],
            curve_phase(curve, k),
        )
        for k, clip in enumerate(curve.clips)
    ]


def _entry(clip: Clip, name: str, markers: Sequence[SyncMarker], phase: FloatArray | None) -> dict[str, Any]:
    """One clip; the name is that of its file where it has one."""
    # The last frame of a cycle is followed by its first, which a clip with two ends is not.
    length = clip.n_frames if clip.cyclic else max(clip.n_frames - 1, 1)
    seconds = clip.frame_time
    return {
        "name": Path(clip.source.path).stem or name,
        "fps": clip.fps,
        "n_frames": clip.n_frames,
        "duration": round(length * seconds, DIGITS),
        "cyclic": clip.cyclic,
        "markers": [
            {
                "name": marker.name,
                "frame": round(marker.frame, DIGITS),
                "time": round(marker.frame * seconds, DIGITS),
                "normalized": round(marker.frame / length, DIGITS),
            }
            for marker in sorted(markers, key=lambda marker: marker.frame)
        ],
        "phase": None if phase is None else phase.round(DIGITS).tolist(),
        "contacts": {
            side: [[round(start * seconds, DIGITS), round(end * seconds, DIGITS)] for start, end in intervals]
            for side, intervals in contacts(clip).items()
        },
    }
