"""Multiresolution filtering: joint motion in bands of frequency, each with a gain (Bruderlin & Williams)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, check_array, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.clip import check_clip
from motionloom.warping.apply import mean_rotation

KERNEL = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16.0
"""The binomial filter of the pyramid; its taps are spread by a factor of two from band to band."""


def with_band_gains(
    clip: Clip, gains: Sequence[float], joints: Iterable[str] | None = None, *, root_path: bool = False
) -> Clip:
    """Amplify or calm the fast and slow parts of joint motion separately.

    Band 0 holds what changes within about two frames, every next band what is twice as slow. Rotations are
    filtered as rotation vectors from the joint's mean, so all bands act alike on all axes. Gains of 1 give
    the clip back.

    Parameters
    ----------
    clip
        Any clip.
    gains
        Factor on each band from the fastest on; bands without one, and what is slower than all, keep theirs.
    joints
        Names of the joints; None for all.
    root_path
        Whether the root's position is filtered too.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> calm = with_band_gains(clip, [0.0, 0.0], joints=["Head"])
    >>> np.array_equal(calm.rotations[:, 1], clip.rotations[:, 1])
    True
    """
    check_clip("with_band_gains", clip)
    factors = check_array("gains", gains, ("N",))
    most = n_bands(clip.n_frames)
    if len(factors) > most:
        raise ParameterError(f"{len(factors)} gains were given, but {clip.n_frames} frames have {most} bands")
    names = clip.skeleton.names if joints is None else tuple(joints)
    turns = np.array(clip.rotations)
    for joint in map(clip.skeleton.index, names):
        middle = mean_rotation(turns[:, joint])
        away = rot.to_rotation_vector(rot.multiply(rot.inverse(middle), turns[:, joint]))
        turns[:, joint] = rot.multiply(middle, rot.from_rotation_vector(filtered(away, factors)))
    positions = filtered(clip.root_positions, factors) if root_path else clip.root_positions
    return replace(clip, root_positions=freeze(np.array(positions)), rotations=freeze(turns), report=None)


def n_bands(n_frames: int) -> int:
    """How many bands a signal of so many samples has.

    >>> n_bands(64), n_bands(1)
    (6, 0)
    """
    return max(n_frames, 1).bit_length() - 1


def bands(values: FloatArray, count: int) -> list[FloatArray]:
    """The bands (T, D) of a signal (T, D) from the fastest on, and what is left last; they add up to it.

    >>> signal = np.array([[0.0], [1.0], [0.0], [1.0]])
    >>> np.allclose(sum(bands(signal, 2)), signal)
    True
    """
    found = []
    for level in range(count):
        smoother = _smoothed(values, 2**level)
        found.append(values - smoother)
        values = smoother
    return [*found, values]


def filtered(values: FloatArray, gains: FloatArray) -> FloatArray:
    """A signal (T, D) with gains (N,) on its first N bands.

    >>> signal = np.array([[0.0], [1.0], [0.0], [1.0]])
    >>> np.allclose(filtered(signal, np.array([2.0])) - signal, bands(signal, 1)[0])
    True
    """
    parts = bands(values, len(gains))
    return np.asarray(values + sum((gain - 1.0) * part for gain, part in zip(gains, parts, strict=False)))


def _smoothed(values: FloatArray, spread: int) -> FloatArray:
    """Values (T, D) filtered with taps so many samples apart; slopes go on beyond the ends."""
    padded = np.pad(values, ((2 * spread, 2 * spread), (0, 0)), mode="reflect", reflect_type="odd")
    n = len(values)
    taps = [weight * padded[k * spread : k * spread + n] for k, weight in enumerate(KERNEL.tolist())]
    return np.asarray(sum(taps))
