"""Save sync markers and phase tracks as a JSON file for game engines.

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
from typing import TYPE_CHECKING, Any

from motionloom.annotation.strides import is_locomotion
from motionloom.arrays import FloatArray
from motionloom.atomic_write import atomic_output
from motionloom.engines.sync_events import (
    DEFAULT_LABELS,
    RegistrationLike,
    SyncEvent,
    common_sync_events,
    contacts_by_side,
    curve_phase,
    even_markers,
    phase_track,
    sync_events,
)
from motionloom.errors import ParameterError
from motionloom.files.options import describe
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike, unwrap
from motionloom.validation import check_path

if TYPE_CHECKING:  # loading files imports this module, and registering takes a while to import
    from motionloom.registration import RegistrationCurve

FORMAT, VERSION = "motionloom sync markers", 1

DECIMALS = 6
"""Decimals: a microsecond, a millionth of a frame or of a cycle."""

MIN_COMMON = 2
"""Clips with fewer common markers than this get evenly spaced ones instead."""

EVEN_COUNT = 9
"""Evenly spaced markers of clips without common contacts: eight segments, each played at a constant rate,
follow a timewarp well enough for blending."""


def save_sync_events(
    motion: ClipLike | RegistrationCurve,
    path: str | PathLike[str],
    *,
    labels: Sequence[str] = DEFAULT_LABELS,
    overwrite: bool = False,
) -> Path:
    """Write the sync markers and phase tracks of a clip, or of all clips of a registration, as JSON.

    Parameters
    ----------
    motion
        An annotated clip, or a registration curve; its clips get the markers that they have in common, or
        evenly spaced ones where contacts give fewer than two.
    path
        The file to make, usually ending in ".json".
    labels
        Which events are markers; strikes and lifts by default.
    overwrite
        Replace an existing file.

    Returns
    -------
    Path
        The file that was written.

    Raises
    ------
    ParameterError
        A clip has no events to make markers of.
    FileExistsRefusal
        The file exists, and ``overwrite`` is not set.

    >>> import tempfile
    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = save_sync_events(annotate(walk(duration=2.0).clip), Path(folder, "walk.json"))
    ...     json.loads(file.read_text())["clips"][0]["markers"][0]["name"]
    'right_lift'
    """
    from motionloom.registration import RegistrationCurve

    path = check_path(path)
    given: object = unwrap(motion)
    if not isinstance(given, Clip | RegistrationCurve):
        raise ParameterError(f"save_sync_events takes a clip or a registration curve, not {describe(given)}")
    text = json.dumps(markers_to_dict(given, labels), ensure_ascii=False, indent=1)
    with atomic_output(path, overwrite=overwrite) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")
    return path


def markers_to_dict(
    motion: Clip | RegistrationCurve, labels: Sequence[str] = DEFAULT_LABELS
) -> dict[str, Any]:
    """Return what :func:`save_sync_events` writes, as plain data."""
    if isinstance(motion, Clip):
        phase = phase_track(motion).phase if is_locomotion(motion) else None
        entries = [_make_entry(motion, "clip", sync_events(motion, labels), phase)]
    else:
        entries = make_synced_entries(motion, labels)
    return {"format": FORMAT, "version": VERSION, "clips": entries}


def make_synced_entries(
    curve: RegistrationLike, labels: Sequence[str] = DEFAULT_LABELS
) -> list[dict[str, Any]]:
    """Return an entry for each of several clips that correspond, with the same sequence of markers."""
    try:
        common = common_sync_events(curve, labels)
    except ParameterError:  # a clip without contacts
        common = ()
    if len(common) < MIN_COMMON:
        common = even_markers(curve, EVEN_COUNT)
    return [
        _make_entry(
            clip,
            f"clip {k}",
            [SyncEvent(marker.name, float(marker.frames[k])) for marker in common],
            curve_phase(curve, k),
        )
        for k, clip in enumerate(curve.clips)
    ]


def _make_entry(
    clip: Clip, name: str, markers: Sequence[SyncEvent], phase: FloatArray | None
) -> dict[str, Any]:
    """Return one clip; the name is that of its file where it has one."""
    # The last frame of a cycle is followed by its first, which a clip with two ends is not.
    length = clip.n_frames if clip.cyclic else max(clip.n_frames - 1, 1)
    seconds = clip.frame_time
    return {
        "name": Path(clip.source.path).stem or name,
        "fps": clip.fps,
        "n_frames": clip.n_frames,
        "duration": round(length * seconds, DECIMALS),
        "cyclic": clip.cyclic,
        "markers": [
            {
                "name": marker.name,
                "frame": round(marker.frame, DECIMALS),
                "time": round(marker.frame * seconds, DECIMALS),
                "normalized": round(marker.frame / length, DECIMALS),
            }
            for marker in sorted(markers, key=lambda marker: marker.frame)
        ],
        "phase": None if phase is None else phase.round(DECIMALS).tolist(),
        "contacts": {
            side: [
                [round(start * seconds, DECIMALS), round(end * seconds, DECIMALS)] for start, end in intervals
            ]
            for side, intervals in contacts_by_side(clip).items()
        },
    }
