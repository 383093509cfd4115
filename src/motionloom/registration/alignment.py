"""The alignment curve: where and how corresponding frames are put on each other.

A transform is kept as a yaw and the two points it takes to each other, the centres of the two bodies, never
as a shift about the world's origin: smoothing an angle and a shift apart from each other moves a body that
stands far from the origin by its distance times the error of the angle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import BoolArray, FloatArray, check_array, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform, splines
from motionloom.geometry.splines import AbstractCurve
from motionloom.motion.sampling import sample_vectors
from motionloom.registration.point_cloud import PointCloud
from motionloom.registration.timewarp import TimewarpCurve

DERIVATIVE_STEP = 1e-5
"""Half the span of the difference that gives a derivative, in pieces of the spline."""

Complexes = npt.NDArray[np.complex128]


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class AlignmentCurve(AbstractCurve):
    """For every ``u`` the transforms that put the corresponding frames of K clips on the reference's frame.

    A curve with ``travels`` belongs to cyclic clips and is defined for every ``u``. Its spline is periodic
    and describes the bodies with their travel taken out; a cycle later each clip, and what it is put on, is
    one travel further on, so value and derivative pass the seam unbroken.

    Attributes
    ----------
    control_points
        (D, K, 3) of a uniform quadratic B-spline: the yaw by which a clip is turned, unwrapped, and the x and
        z, in the clip's own world, of the point about which it turns.
    knot_spacing
        Length of a piece in units of ``u``.
    reference
        The clip that stays where it is.
    start
        The first ``u`` of the domain.
    travels
        Where one cycle of each clip leads, or None for clips with two ends.

    >>> still = np.zeros((3, 2, 3))
    >>> still[:, 1] = [np.pi, 1.0, 0.0]
    >>> curve = AlignmentCurve(control_points=still, knot_spacing=1.0, reference=0)
    >>> curve(0.5)[1].round(9)
    array([3.14159265, 1.        , 0.        ])
    """

    control_points: FloatArray
    knot_spacing: float
    reference: int
    start: float = 0.0
    travels: tuple[GroundTransform, ...] | None = None

    def __post_init__(self) -> None:
        points = check_array("control_points", self.control_points, ("D", "K", 3))
        if len(points) < 3 or not 0 <= self.reference < points.shape[1]:
            raise ParameterError(
                "an alignment curve needs three control points or more, and a clip as reference"
            )
        if not (np.isfinite(self.knot_spacing) and self.knot_spacing > 0.0 and np.isfinite(self.start)):
            raise ParameterError(f"knot_spacing must be a positive number, not {self.knot_spacing}")
        if self.travels is not None and len(self.travels) != points.shape[1]:
            raise ParameterError(f"there are {points.shape[1]} clips but {len(self.travels)} travels")
        object.__setattr__(self, "control_points", points)

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last ``u``; of cyclic clips, one cycle."""
        return self.start, self.start + self._n_pieces * self.knot_spacing

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Yaw, x and z (..., K, 3) of the transform of each clip at the parameters ``u`` (...)."""
        positions, cycles = self._positions(u)
        yaws, centres = self._parts(splines.evaluate(self._flat, positions))
        ways, turns = self.travelled(cycles)
        goal, onward = centres[..., self.reference, None], ways[..., self.reference, None]
        placed = goal + np.exp(-1j * yaws) * (self.travelled(-cycles)[0] - centres)
        shift = np.exp(-1j * turns[..., self.reference, None]) * placed + onward
        return np.stack([yaws + turns[..., self.reference, None] - turns, shift.real, shift.imag], axis=-1)

    def derivative(self, u: npt.ArrayLike) -> FloatArray:
        """Rates of change (..., K, 3) of yaw, x and z per unit of ``u``, by central differences."""
        given = np.asarray(u, dtype=np.float64)
        step = DERIVATIVE_STEP * self.knot_spacing
        low, high = given - step, given + step
        if self.travels is None:
            low, high = np.maximum(low, self.domain[0]), np.minimum(high, self.domain[1])
        return np.asarray((self(high) - self(low)) / (high - low)[..., None, None])

    def transform(self, u: float, clip: int) -> GroundTransform:
        """The transform of one clip at one parameter."""
        return GroundTransform(*(float(value) for value in self(u)[clip]))

    @property
    def _n_pieces(self) -> int:
        return len(self.control_points) - (2 if self.travels is None else 0)

    @cached_property
    def _flat(self) -> FloatArray:
        """The control points (D, 3K), those of a periodic spline continued round the seam."""
        flat = self.control_points.reshape(len(self.control_points), -1)
        return flat if self.travels is None else np.concatenate([flat, flat[:2]])

    def _parts(self, values: FloatArray) -> tuple[FloatArray, Complexes]:
        """Yaws (..., K) and centres (..., K) as complex numbers x + iz, of spline values (..., 3K)."""
        split = values.reshape(*values.shape[:-1], -1, 3)
        return split[..., 0], split[..., 1] + 1j * split[..., 2]

    def _positions(self, u: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Places on the spline in pieces, and how many cycles, fractions included, have passed."""
        positions = (np.asarray(u, dtype=np.float64) - self.start) / self.knot_spacing
        if not np.isfinite(positions).all():
            raise ParameterError("u must be finite numbers")
        if self.travels is None:
            slack = 1e-6 * self._n_pieces
            if ((positions < -slack) | (positions > self._n_pieces + slack)).any():
                first, last = self.domain
                raise ParameterError(f"u must lie within the curve's domain, {first:g} to {last:g}")
            return np.clip(positions, 0.0, self._n_pieces), np.zeros_like(positions)
        return np.mod(positions, self._n_pieces), positions / self._n_pieces

    def travelled(self, cycles: FloatArray) -> tuple[Complexes, FloatArray]:
        """Shifts x + iz and turns (..., K) of the clips' travels over (...) cycles, fractions included."""
        travels = self.travels or (GroundTransform(),) * self.control_points.shape[1]
        yaws = np.array([way.yaw for way in travels])
        shifts = np.array([way.x + 1j * way.z for way in travels])
        turns = np.asarray(cycles)[..., None] * yaws
        # A turn about a far centre is a shift in the limit: (e^(-i s yaw) - 1) / (e^(-i yaw) - 1) tends to s.
        straight = np.abs(yaws) < 1e-9
        whole = np.where(straight, 1.0, np.expm1(-1j * np.where(straight, 1.0, yaws)))
        shares = np.where(straight, np.asarray(cycles)[..., None], np.expm1(-1j * turns) / whole)
        return shifts * shares, turns


FAINT = 1e-9
"""Weight of the pull towards a straight spline, against samples of weight one."""

SAMPLES_AT_ONCE = 1000
"""Samples whose windows are held in memory together."""


class AlignedSamples(NamedTuple):
    """What aligning corresponding frames with the reference found at N parameters.

    ``u`` (N,); ``yaws`` (N, K) by which clips are turned, unwrapped; ``centres`` (N, K, 2) x and z, in each
    clip's own world, of what was aligned; ``distances`` (N, K) mean squared distances that remain, m².
    """

    u: FloatArray
    yaws: FloatArray
    centres: FloatArray
    distances: FloatArray


def align_samples(
    clouds: Sequence[PointCloud],
    timewarp: TimewarpCurve,
    reference: int,
    half_width: int,
    shifts: FloatArray | float = 0.0,
) -> AlignedSamples:
    """Align the frames that a timewarp curve puts together, at every sample of it.

    Parameters
    ----------
    clouds
        The points of the K clips.
    timewarp
        Which frames correspond.
    reference
        The clip that the others are put on.
    half_width
        Frames to either side of a frame that are aligned together with it.
    shifts
        (K,) what is added to frames to find them in the clouds.
    """
    first, last = timewarp.domain
    u = np.linspace(first, last, max(round(last - first), 1) + 1)
    parts = [
        _aligned(clouds, timewarp(some) + shifts, reference, half_width)
        for some in np.array_split(u, max(1, len(u) // SAMPLES_AT_ONCE))
    ]
    yaws, centres, distances = (np.concatenate(part) for part in zip(*parts, strict=True))
    return AlignedSamples(u, np.unwrap(yaws, axis=0), centres, distances)


def fit_alignment(
    samples: AlignedSamples, reference: int, *, knot_spacing: float, smoothing: int = 1
) -> AlignmentCurve:
    """Fit a spline to sampled alignments.

    Parameters
    ----------
    samples
        The alignments.
    reference
        The clip that the others were put on.
    knot_spacing
        Wanted length of a piece in units of ``u``.
    smoothing
        Width of a median filter on the sampled yaws, in samples; 1 is none. Frames between the captured ones
        are aligned directly, so the spikes for which the papers use it do not arise.
    """
    u = samples.u
    yaws = _median_filtered(samples.yaws, smoothing)
    values = np.concatenate([yaws[..., None], samples.centres], axis=-1)
    length = float(u[-1] - u[0])
    n_pieces = max(1, round(length / knot_spacing))
    points = _fitted(values.reshape(len(u), -1), np.linspace(0.0, n_pieces, len(u)), n_pieces)
    return AlignmentCurve(
        control_points=freeze(points.reshape(-1, *values.shape[1:])),
        knot_spacing=length / n_pieces,
        reference=reference,
        start=float(u[0]),
    )


def _aligned(
    clouds: Sequence[PointCloud], frames: FloatArray, reference: int, half_width: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Yaws, centres and distances of frames (N, K), each with its window as far as all clips have it."""
    offsets = np.arange(-half_width, half_width + 1.0)
    wanted = frames[:, None, :] + offsets[:, None]
    lasts = np.array([len(cloud.positions) - 1.0 for cloud in clouds])
    # The middle offset is in every clip; rounding may put it a hair outside.
    inside: BoolArray = ((wanted >= 0.0) & (wanted <= lasts)).all(axis=-1) | (offsets == 0.0)
    shares = inside / inside.sum(axis=1, keepdims=True)
    weights = np.mean([cloud.weights for cloud in clouds], axis=0)

    flats, heights, centres = [], [], []
    for k, cloud in enumerate(clouds):
        points = sample_vectors(cloud.positions, np.clip(wanted[..., k], 0.0, lasts[k]))
        flat = points[..., 0] + 1j * points[..., 2]
        centre = np.einsum("nwp,nw,p->n", flat, shares, weights)
        flats.append(flat - centre[:, None, None])
        heights.append(points[..., 1])
        centres.append(np.stack([centre.real, centre.imag], axis=-1))

    yaws, distances = [], []
    for flat, height in zip(flats, heights, strict=True):
        turn = np.einsum("nwp,nwp,nw,p->n", flats[reference], flat.conj(), shares, weights)
        yaw = -np.angle(turn)
        gaps = np.abs(flats[reference] - flat * np.exp(-1j * yaw)[:, None, None]) ** 2
        yaws.append(yaw)
        squared = gaps + (heights[reference] - height) ** 2
        distances.append(np.einsum("nwp,nw,p->n", squared, shares, weights))
    return np.stack(yaws, axis=1), np.stack(centres, axis=1), np.stack(distances, axis=1)


def fit_periodic_alignment(
    samples: AlignedSamples, reference: int, travels: Sequence[GroundTransform], *, knot_spacing: float
) -> AlignmentCurve:
    """Fit a periodic spline to alignments of cyclic clips sampled over one cycle, its end included.

    The samples are those of the cycle after the first, where windows reach to both sides.
    """
    length = float(samples.u[-1] - samples.u[0])
    cycles = 1.0 + (samples.u[:-1] - samples.u[0]) / length
    turns = np.array([way.yaw for way in travels])
    yaws = samples.yaws[:-1] - cycles[:, None] * (turns[reference] - turns)
    still = np.zeros((3, len(travels), 3))
    back, turned = AlignmentCurve(
        control_points=still, knot_spacing=1.0, reference=reference, travels=tuple(travels)
    ).travelled(-cycles)
    centres = samples.centres[:-1, :, 0] + 1j * samples.centres[:-1, :, 1]
    centres = np.exp(-1j * turned) * centres + back
    values = np.stack([yaws, centres.real, centres.imag], axis=-1)
    n_pieces = max(3, round(length / knot_spacing))
    firsts, weights = splines.basis(np.arange(len(values)) * n_pieces / len(values), n_pieces)
    system = np.zeros((len(values), n_pieces))
    for i in range(3):
        np.add.at(system, (np.arange(len(values)), (firsts + i) % n_pieces), weights[:, i])
    points = np.linalg.lstsq(system, values.reshape(len(values), -1), rcond=None)[0]
    return AlignmentCurve(
        control_points=freeze(points.reshape(-1, *values.shape[1:])),
        knot_spacing=length / n_pieces,
        reference=reference,
        start=float(samples.u[0]),
        travels=tuple(travels),
    )


def _median_filtered(values: FloatArray, width: int) -> FloatArray:
    """Medians over odd windows along the first axis, the ends repeated."""
    if width <= 1:
        return values
    half = width // 2
    padded = np.pad(values, [(half, half), (0, 0)], mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1, axis=0)
    return np.asarray(np.median(windows, axis=-1))


def _fitted(samples: FloatArray, positions: FloatArray, n_pieces: int) -> FloatArray:
    """Control points (D, C) of the quadratic spline nearest to samples (N, C) in the least-squares sense.

    Where samples are too few to fix every control point, the straightest of the nearest splines is taken.
    """
    from scipy.linalg import solveh_banded

    n_points = n_pieces + 2
    firsts, weights = splines.basis(positions, n_pieces)
    bands, right = np.zeros((3, n_points)), np.zeros((n_points, samples.shape[1]))
    for i in range(3):
        np.add.at(right, firsts + i, weights[:, i, None] * samples)
        for j in range(i + 1):
            np.add.at(bands[i - j], firsts + j, weights[:, i] * weights[:, j])
    # A faint pull towards straightness keeps the system solvable without moving what the samples decide.
    for i, j, share in ((0, 0, 1.0), (0, 1, 4.0), (0, 2, 1.0), (1, 0, -2.0), (1, 1, -2.0), (2, 0, 1.0)):
        bands[i, j : j + n_points - 2] += FAINT * share
    return np.asarray(solveh_banded(bands, right, lower=True))
