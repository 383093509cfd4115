"""Read and write what glTF has no place for: ``extras``, which other programs keep or ignore.

An animation written here carries::

    "extras": {"motionloom": {
        "version": 1, "frame_time": 0.0083333, "cyclic": false,
        "annotations": {...},                      # as in a sidecar file: constraints and events, in frames
        "sync_events": [{"time": 0.584, "name": "strike", "joint": "LeftFoot"}]
    }}

and a joint at which a chain ends ``"extras": {"motionloom": {"tips": [[x, y, z]]}}``, in the joint's own
frame. Sync markers repeat the events in seconds for programs that do not count frames; they are
not read back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from motionloom.annotation.sidecar import annotations_from_dict, annotations_to_dict
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.files.gltf.document import Entry
from motionloom.motion import Clip, Skeleton
from motionloom.validation import MAX_FRAME_TIME, MIN_FRAME_TIME

KEY = "motionloom"
VERSION = 1


def animation_extras(clip: Clip) -> dict[str, Any]:
    """Return the extras of the animation that holds a clip."""
    markers = [
        {"time": event.frame * clip.frame_time, "name": event.label, "joint": event.joint}
        for event in clip.events
    ]
    own = {
        "version": VERSION,
        "frame_time": clip.frame_time,
        "cyclic": clip.cyclic,
        "annotations": annotations_to_dict(clip),
        "sync_events": markers,
    }
    return {KEY: own}


def tip_extras(skeleton: Skeleton, joint: int) -> dict[str, Any]:
    """Return the extras of a joint's node: empty unless chains end there."""
    tips = [tip.offset.tolist() for tip in skeleton.tips if tip.joint == joint]
    return {KEY: {"tips": tips}} if tips else {}


def read_frame_time(animation: Entry) -> float | None:
    """Return the seconds per frame that the animation states, or None."""
    value = _our_extras(animation).values.get("frame_time")
    usable = isinstance(value, float) and MIN_FRAME_TIME <= value <= MAX_FRAME_TIME
    return value if usable else None


def apply_extras(clip: Clip, animation: Entry, notes: list[str]) -> Clip:
    """Return the clip with the animation's extras; what does not fit is dropped and noted."""
    own = _our_extras(animation)
    clip = replace(clip, cyclic=own.values.get("cyclic") is True)
    if "annotations" not in own.values:
        return clip
    try:
        return annotations_from_dict(own.values["annotations"], clip)
    except ParameterError as error:
        notes.append(f"the constraints and events in its extras do not fit and were dropped: {error}")
        return clip


def read_tips(node: Entry) -> list[FloatArray]:
    """Return the tips (3,) of a joint."""
    tips = _our_extras(node).values.get("tips")
    if not isinstance(tips, list):
        return []
    listed = [Entry(node.document, f"{node.where}.extras", {"tip": tip}).numbers("tip", 3) for tip in tips]
    return [np.asarray(tip) for tip in listed]


def _our_extras(entry: Entry) -> Entry:
    return entry.object("extras").object(KEY)
