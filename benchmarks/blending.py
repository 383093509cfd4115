"""Blending 18 clips × 300 frames × 22 joints, against SciPy's `Rotation.mean` on the same samples.

Run with `make bench`. The lower bound is reading the clips' rotations once and writing the result. Beside it
stand a native library's time for averaging as many poses (3 ms) and the thesis's for a whole blend (0.3 s on
a processor of 1.3 GHz).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.timing import median_seconds, print_table
from motionloom.arrays import FloatArray
from motionloom.blending import BlendResult, blend
from motionloom.blending.average import MEANS, average_poses, nlerp
from motionloom.blending.place import PlacedFrames, place_frames
from motionloom.blending.sources import prepare_sources
from motionloom.geometry import rotations as rot
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import walk

SPEEDS, TURNS = tuple(np.linspace(1.0, 1.7, 6).tolist()), (-0.15, 0.0, 0.15)
N_CLIPS, N_FRAMES, FPS = len(SPEEDS) * len(TURNS), 300, 30.0
SMALL = {"SPEEDS": SPEEDS[::5], "TURNS": TURNS[:1], "N_CLIPS": 2, "N_FRAMES": 40}


def main() -> None:
    curve = _curve()
    weights = np.random.default_rng(1).dirichlet(np.ones(N_CLIPS))
    result = blend(curve, weights)
    samples = _samples(curve, result.frames)
    n_frames, n_joints = samples.shape[0], samples.shape[2]
    by_scipy = Rotation.from_quat(np.swapaxes(samples, 1, 2), scalar_first=True)
    theirs = by_scipy.mean(weights, axis=-1).as_quat(scalar_first=True)
    # The roots of the samples are not aligned; of all other joints the two means differ by a degree or two
    # where clips are far apart, because SciPy minimises another distance.
    inner = np.abs(np.einsum("tjc,tjc->tj", theirs, result.clip.rotations))[:, 1:]
    assert np.degrees(2 * np.arccos(np.minimum(inner, 1.0))).max() < 2.0, "the two disagree"

    sources, course = prepare_sources(curve), _course(curve, result)
    rows = {
        "motionloom, sampling and averaging": median_seconds(lambda: average_poses(sources, course), 51),
        "motionloom, the whole blend": median_seconds(lambda: blend(curve, weights), 51),
        "motionloom, karcher": median_seconds(lambda: blend(curve, weights, average="karcher"), 5),
        "motionloom, park": median_seconds(lambda: blend(curve, weights, average="park"), 5),
        "scipy Rotation.mean of given samples": median_seconds(lambda: by_scipy.mean(weights, axis=-1), 21),
        "NumPy mean of given samples, no sampling": median_seconds(
            lambda: nlerp(np.swapaxes(samples, 1, 2), weights), 5
        ),
        "copying the clips' rotations": median_seconds(
            lambda: [clip.rotations.copy() for clip in curve.clips], 21
        ),
    }
    print_table(f"Blend of {N_CLIPS} clips, {n_frames} frames × {n_joints} joints", rows, next(iter(rows)))
    # Sources are kept with their curve, so a copy of the curve has them laid out anew.
    laid_out = median_seconds(lambda: prepare_sources(replace(curve)))
    print(f"  once per curve, laying out the clips: {1000 * laid_out:.2f} ms")
    print(f"  means to choose from: nlerp, {', '.join(MEANS)}")


def _curve() -> RegistrationCurve:
    clips = [
        walk(speed=speed, curvature=turn, duration=(N_FRAMES - 1) / FPS, fps=FPS).clip
        for speed in SPEEDS
        for turn in TURNS
    ]
    return register(clips)


def _samples(curve: RegistrationCurve, frames: FloatArray) -> FloatArray:
    """Rotations (T, K, J, 4) of all clips at their source frames."""
    sources = prepare_sources(curve)
    samples = sources.sample(sources.rotation_rows, frames)
    return np.asarray(rot.normalize(samples.reshape(*frames.shape, -1, 4)))


def _course(curve: RegistrationCurve, result: BlendResult) -> PlacedFrames:
    sources = prepare_sources(curve)
    positions = (result.u - curve.timewarp.start) / curve.timewarp.knot_spacing
    return place_frames(sources, positions, np.array(result.weights), None)


if __name__ == "__main__":
    main()
