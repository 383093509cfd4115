"""Signatures: 27 numbers per sample that bound distances from below, and the distance itself.

The distance of two samples is that of registration, over the library's own points: five frames at 30 Hz
around each, rotated and shifted on the ground as well as possible. With the ground points of a window about
their mean as a complex vector c, and its heights as a real vector h, both times the roots of the weights,

    D² = |c_A|² + |c_B|² − 2 |⟨c_A, c_B⟩| + |h_A − h_B|².

A signature holds the components a of c and b of h in two orthonormal bases, |c|², and the norms ρ and σ of
what the bases leave out. By the Cauchy–Schwarz inequality

    D² ≥ |c_A|² + |c_B|² − 2 |⟨a_A, a_B⟩| − 2 ρ_A ρ_B + |b_A − b_B|² + (σ_A − σ_B)²,

whatever the bases are: those that ship with the package only make the bound tight.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from motionloom import kernels
from motionloom.arrays import FloatArray, freeze
from motionloom.kernels.subsequence import HALF_WINDOW
from motionloom.library.body_points import RATE, WEIGHTS

SampleRate = Literal[10, 30]
"""Samples per second at which a library is searched."""

Singles = npt.NDArray[np.float32]

_FRAME_WEIGHTS = WEIGHTS / (2 * HALF_WINDOW + 1)
WINDOW_WEIGHTS: FloatArray = freeze(np.stack([_FRAME_WEIGHTS, np.sqrt(_FRAME_WEIGHTS)]))
"""(2, 17) What each point of one frame of a window counts, and the roots of that."""

BASIS_FILE = Path(__file__).with_name("signature_basis.npz")


@dataclass(frozen=True, eq=False)
class Windows:
    """Samples with the frames around them, ready to be compared.

    Attributes
    ----------
    ground
        (2, 85, n) ground points about their mean, x and z, times the roots of their weights.
    heights
        (85, n) heights times the roots of their weights.
    """

    ground: FloatArray
    heights: FloatArray


@dataclass(frozen=True, eq=False)
class SignatureBasis:
    """Orthonormal bases of ground points, complex (85, 8), and of heights (85, 8); mean heights (85,)."""

    ground: npt.NDArray[np.complex128]
    heights: FloatArray
    mean: FloatArray


def count_samples(n_points: int, rate: SampleRate) -> int:
    """Return how many samples have a whole window, of so many frames at 30 Hz.

    >>> count_samples(4, 30), count_samples(5, 30), count_samples(9, 10)
    (0, 1, 2)
    """
    return max(0, -(-(n_points - 2 * HALF_WINDOW) // stride_of(rate)))


def stride_of(rate: SampleRate) -> int:
    """Return the frames at 30 Hz from one sample to the next."""
    return RATE // rate


def frame_of_sample(sample: npt.NDArray[np.int64], rate: SampleRate) -> npt.NDArray[np.int64]:
    """Return the frames at 30 Hz at which samples lie."""
    return sample * stride_of(rate) + HALF_WINDOW


def make_windows(
    points: npt.NDArray[np.floating], rate: SampleRate, start: int = 0, stop: int | None = None
) -> Windows:
    """Return the windows of the samples ``start`` to ``stop`` of points (N, 17, 3) at 30 Hz.

    >>> make_windows(np.zeros((6, 17, 3)), 30).heights.shape
    (85, 2)
    """
    stop = count_samples(len(points), rate) if stop is None else stop
    n_values = (2 * HALF_WINDOW + 1) * points.shape[1]
    ground, heights = np.empty((2, n_values, stop - start)), np.empty((n_values, stop - start))
    stride = stride_of(rate)
    first = HALF_WINDOW + start * stride
    singles = np.ascontiguousarray(points, np.float32)
    scratch = np.empty((4, stop - start))
    kernels.subsequence.fill_windows(singles.ravel(), WINDOW_WEIGHTS, first, stride, scratch, ground, heights)
    return Windows(freeze(ground), freeze(heights))


def measure_distances(a: Windows, b: Windows) -> FloatArray:
    """Return the distances (m, n) between samples, metres of the standard body."""
    out = np.empty((a.heights.shape[1], b.heights.shape[1]))
    scratch = np.empty((2, out.shape[1]))
    kernels.subsequence.window_distances(a.ground, a.heights, b.ground, b.heights, scratch, out)
    return freeze(out)


def measure_along(a: Windows, b: Windows) -> FloatArray:
    """Return the distances (m,) of samples to those of the same number, metres of the standard body."""
    dots = np.sum(a.ground * b.ground, axis=(0, 1))
    crosses = np.sum(a.ground[1] * b.ground[0] - a.ground[0] * b.ground[1], axis=0)
    squares = np.sum(a.ground**2, axis=(0, 1)) + np.sum(b.ground**2, axis=(0, 1))
    squared = squares - 2.0 * np.hypot(dots, crosses) + np.sum((a.heights - b.heights) ** 2, axis=0)
    return freeze(np.sqrt(np.maximum(squared, 0.0)))


def sign_windows(windows: Windows, basis: SignatureBasis | None = None) -> Singles:
    """Return the signatures (27, n) of windows.

    >>> sign_windows(make_windows(np.zeros((6, 17, 3)), 30)).shape
    (27, 2)
    """
    basis = basis or load_basis()
    out = np.empty((kernels.subsequence.N_VALUES, windows.heights.shape[1]), np.float32)
    ground = np.ascontiguousarray([basis.ground.real, basis.ground.imag])
    heights, scratch = np.ascontiguousarray(basis.heights), np.empty((3, kernels.subsequence.GROUND))
    kernels.subsequence.fill_signatures(
        windows.ground, windows.heights, ground, heights, basis.mean, scratch, out
    )
    return out


def bound_distances(a: Singles, b: Singles) -> Singles:
    """Return lower bounds (m, n) of the distances between samples with signatures (27, m) and (27, n)."""
    out = np.empty((a.shape[1], b.shape[1]), np.float32)
    scratch = np.empty((2, b.shape[1]), np.float32)
    kernels.subsequence.sample_bounds(np.ascontiguousarray(b).ravel(), b.shape[1], a, scratch, out)
    return out


def fit_basis(windows: Windows) -> SignatureBasis:
    """Return the bases in which the first components of many windows hold most of them."""
    ground = windows.ground[0] + 1j * windows.ground[1]
    mean = windows.heights.mean(axis=1)
    heights = windows.heights - mean[:, None]
    return SignatureBasis(
        np.linalg.eigh(ground @ ground.conj().T)[1][:, : -kernels.subsequence.GROUND - 1 : -1],
        np.linalg.eigh(heights @ heights.T)[1][:, : -kernels.subsequence.HEIGHT - 1 : -1],
        mean,
    )


@cache
def load_basis() -> SignatureBasis:
    """Return the basis that ships with the package, fitted to two hours of everyday motion and sports."""
    with np.load(BASIS_FILE, allow_pickle=False) as file:
        return SignatureBasis(freeze(file["ground"]), freeze(file["heights"]), freeze(file["mean"]))
