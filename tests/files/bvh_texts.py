"""A small BVH file as text, and ways to vary it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import motionloom as ml
from motionloom.motion import Clip
from motionloom.motion.provenance import UpAxis

PLAIN = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 5 0
    }
  }
  JOINT Leg
  {
    OFFSET 1 -2 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -8 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.4
1 20 3 10 20 30 1 2 3 4 5 6
2 21 4 11 21 31 2 3 4 5 6 7
3 22 5 12 22 32 3 4 5 6 7 8
"""


def read(folder: Path, text: str | bytes, **choices: object) -> ml.Clip:
    """Write a text to a file and load it in its own unit, Y up."""
    path = folder / "clip.bvh"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    settings: dict[str, Any] = {"unit": "m", "up": "y", "root_offset": "absolute", **choices}
    return ml.load(path, ml.Clip, **settings)


def save_unmarked(clip: Clip, path: Path, unit: str | None = None, up: UpAxis | None = None) -> Path:
    """Save a clip as a program would that leaves unit, up axis and rest rows to be found out."""
    ml.save(clip, path, unit=unit, up=up)
    path.write_bytes(re.sub(rb"(\.\d{12})0+\b", rb"\1", path.read_bytes()))
    return path
