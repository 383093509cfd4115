"""Detail of a motion: what its joint rotations do above a few hertz, and what key states keep of it."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending import BlendResult
from motionloom.framespace import Framespace
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip

BAND = 5.0
"""Hz above which motion is detail that a handful of key states cannot hold."""


def quaternions(clip: Clip) -> FloatArray:
    """Rotations (T, 4 (J - 1)) of all joints but the root, with signs that run on."""
    turns = rot.unroll(clip.rotations[:, 1:])
    return turns.reshape(len(turns), -1)


def detail(values: FloatArray, seconds: float) -> float:
    """Root mean square of the band above :data:`BAND` of one cycle of values (T, N) that takes so long."""
    spectrum = np.fft.rfft(values, axis=0)
    spectrum[np.arange(len(spectrum)) / seconds <= BAND] = 0.0
    return float(np.sqrt((np.fft.irfft(spectrum, len(values), axis=0) ** 2).mean()))


def through_key_states(space: Framespace, loop: BlendResult) -> FloatArray:
    """A smooth curve through the rotations of a closed cycle at the matched states alone."""
    from scipy.interpolate import CubicSpline

    values = quaternions(loop.clip)
    closed = np.concatenate([values, values[:1]])
    frames = space.warp.times(loop.weights[0]) * len(values)
    keys = np.stack([np.interp(frames, np.arange(len(closed)), column) for column in closed.T], axis=-1)
    keys[-1] = keys[0]
    return np.asarray(CubicSpline(frames, keys, bc_type="periodic")(np.arange(len(values))))


def detail_left(space: Framespace, v: float) -> tuple[float, float]:
    """Shares of the clips' mean detail that the blend at v has, and that its key states alone have.

    All are measured at the blend's own pace, so that a band is the same part of the motion in each.
    """
    loop = space.blend(v, loop=True)
    seconds = loop.clip.n_frames * loop.clip.frame_time
    mean = np.dot([1.0 - v, v], [detail(quaternions(clip), seconds) for clip in space.clips])
    made = quaternions(loop.clip), through_key_states(space, loop)
    own, keyed = (detail(values, seconds) / mean for values in made)
    return float(own), float(keyed)
