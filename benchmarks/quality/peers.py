"""Transitions by other packages, where they can be imported."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.quality.transitions import SECONDS, Pair, cut_to, figures
from motionloom.arrays import FloatArray
from motionloom.files import load_clip, save
from motionloom.motion import Clip

FAIRMOTION = "fairmotion append_and_blend"

FAIRMOTION_FPS = 60.0
"""The only rate at which version 0.0.4 joins clips: its reader takes over the rate of a file, but not its
reciprocal, and fails at others."""

MISSING = {
    FAIRMOTION: "it pins torch 1.4 and does not install; its source on PYTHONPATH is enough",
    "anim_utils align_and_concatenate_frames": "it does not install, and has no release to run it from",
}


def judged(pairs: list[Pair]) -> dict[str, FloatArray]:
    """Figures (N, C) of N pairs by every package that is there; why it is not, of the others."""
    missing = dict(MISSING)
    found: dict[str, FloatArray] = {}
    try:
        modules = [import_module(f"fairmotion.{name}") for name in ("data.bvh", "ops.motion")]
    except ImportError:
        pass
    else:
        del missing[FAIRMOTION]
        found[FAIRMOTION] = np.array([_by_fairmotion(pair, *modules) for pair in pairs])
    for name, reason in missing.items():
        print(f"left out: {name} ({reason})")
    return found


def _by_fairmotion(pair: Pair, bvh: Any, ops: Any) -> FloatArray:
    """Figures of the end of one clip over the start of the other, about the same frames as by our methods."""
    clips = [clip.resampled(FAIRMOTION_FPS) for clip in cut_to(pair, (SECONDS, SECONDS))]
    joined = _through_files(clips, bvh, ops)
    last = clips[0].n_frames - 1.0
    row = figures(joined, (last - SECONDS * FAIRMOTION_FPS, last), pair)
    # The result says nothing about plants, and plants found in it would be those that do not slide.
    row[1] = np.nan
    return row


def _through_files(clips: list[Clip], bvh: Any, ops: Any) -> Clip:
    with TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("one.bvh", "other.bvh", "joined.bvh")]
        for clip, file in zip(clips, files, strict=False):
            save(clip, file)
        one, other = (bvh.load(str(file)) for file in files[:2])
        bvh.save(ops.append_and_blend(one, other, blend_length=SECONDS), str(files[2]))
        return load_clip(files[2])
