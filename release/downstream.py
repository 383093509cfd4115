"""A small program of somebody else's, with types: what mypy and pyright must accept, and Python must run.

``python release/downstream.py FOLDER`` writes its results there.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import motionloom as ml
from motionloom.synthesis import jog, walk


def mean_height(clip: ml.Clip, joint: str) -> float:
    """Return the mean height of a joint in metres."""
    positions = clip.world_positions()
    return float(np.mean(positions[:, clip.skeleton.index(joint), 1]))


def blend_gaits(clips: list[ml.Clip], weights: list[float]) -> ml.BlendResult:
    """Register clips and blend them."""
    prepared: ml.Prepared = ml.prepare(clips, cut="strides")
    curve: ml.RegistrationCurve = prepared.register()
    return ml.blend(curve, weights)


def main(folder: Path) -> None:
    """Make a blend, save it, load it again and measure it."""
    clips = [walk(duration=2.0, fps=30).clip, jog(duration=2.0, fps=30).clip]
    result = blend_gaits(clips, [0.5, 0.5])
    path: Path = ml.save(result.clip, folder / "blend.bvh", overwrite=True)
    loaded: ml.Clip = ml.load(path)
    measures: ml.Measures = ml.measure(loaded)
    print(f"{loaded.n_frames} frames, hips at {mean_height(loaded, loaded.skeleton.names[0]):.2f} m")
    print(measures)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
