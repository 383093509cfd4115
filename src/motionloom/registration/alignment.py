"""The alignment curve: the transforms that put corresponding frames on each other, and how they are found.

A transform is kept as a yaw and the two points it takes to each other, the centres of the two bodies, never
as a shift about the world's origin: smoothing an angle and a shift separately moves a body that stands far
from the origin by its distance times the error of the angle.
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
from motionloom.geometry.banded import factor_banded
from motionloom.geometry.splines import AbstractCurve
from motionloom.motion.filters import median_filter
from motionloom.motion.sampling import sample_vectors
from motionloom.registration.point_cloud import PointCloud
from motionloom.registration.timewarp import TimewarpCurve
from motionloom.validation import check_number, check_positive

DERIVATIVE_STEP = 1e-5
"""Half the span of the difference that gives a derivative, in pieces of the spline."""

MAX_YAW_STEP, YAW_REACH = np.radians(60.0), 0.4
"""How far a yaw may be from the median of those around it, radians, and seconds to either side that are
around: bodies that correspond turn against each other by less."""

STRAIGHTENING = 1e-9
"""Weight of the pull towards a straight spline, relative to samples of weight one: it keeps the system
solvable without moving control points that samples determine."""

SAMPLES_AT_ONCE = 1000
"""Samples whose windows are held in memory together."""

Complexes = npt.NDArray[np.complex128]


@final
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AlignmentCurve(AbstractCurve):
    """For every ``u``, the transforms that put the corresponding frames of K clips on the reference's frame.

    A curve with ``travels`` belongs to cyclic clips and is defined for every ``u``. Its spline is periodic
    and describes the bodies with their travel removed; a cycle later each clip, and what it is put on, is one
    travel further on, so value and derivative are continuous at the seam.

    Attributes
    ----------
    control_points
        (D, K, 3) of a uniform quadratic B-spline: the yaw by which a clip is rotated, unwrapped, and the x
        and z, in the clip's own world, of the point about which it is rotated.
    knot_spacing
        Length of a piece in units of ``u``.
    reference
        The clip that stays in place.
    start
        The first ``u`` of the domain.
    travels
        The transform over one cycle of each clip, or None for clips with two ends.

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
        check_positive("knot_spacing", self.knot_spacing)
        check_number("start", self.start)
        if self.travels is not None and len(self.travels) != points.shape[1]:
            raise ParameterError(f"there are {points.shape[1]} clips but {len(self.travels)} travels")
        object.__setattr__(self, "control_points", points)

    def __repr__(self) -> str:
        first, last = self.domain
        kind = "open" if self.travels is None else "one cycle"
        n_clips = self.control_points.shape[1]
        return (
            f"AlignmentCurve({n_clips} clips on clip {self.reference}, {kind}, u from {first:g} to {last:g})"
        )

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last ``u``; of cyclic clips, one cycle."""
        return self.start, self.start + self._n_pieces * self.knot_spacing

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Return the yaw, x and z (..., K, 3) of the transform of each clip at the parameters ``u`` (...)."""
        positions, cycles = self._positions(u)
        yaws, centres = self._parts(splines.evaluate(self._flat, positions))
        shifts, travel_yaws = self.travel_over(cycles)
        reference_yaw = travel_yaws[..., self.reference, None]
        goal, onward = centres[..., self.reference, None], shifts[..., self.reference, None]
        placed = goal + np.exp(-1j * yaws) * (self.travel_over(-cycles)[0] - centres)
        shift = np.exp(-1j * reference_yaw) * placed + onward
        return np.stack([yaws + reference_yaw - travel_yaws, shift.real, shift.imag], axis=-1)

    def derivative(self, u: npt.ArrayLike) -> FloatArray:
        """Return the derivatives (..., K, 3) of yaw, x and z per unit of ``u``, by central differences."""
        given = np.asarray(u, dtype=np.float64)
        step = DERIVATIVE_STEP * self.knot_spacing
        low, high = given - step, given + step
        if self.travels is None:
            low, high = np.maximum(low, self.domain[0]), np.minimum(high, self.domain[1])
        return np.asarray((self(high) - self(low)) / (high - low)[..., None, None])

    def transform(self, u: float, clip: int) -> GroundTransform:
        """Return the transform of one clip at one parameter."""
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
        """Split spline values (..., 3K) into yaws (..., K) and centres (..., K) as complex numbers x + iz."""
        split = values.reshape(*values.shape[:-1], -1, 3)
        return split[..., 0], split[..., 1] + 1j * split[..., 2]

    def _positions(self, u: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return positions on the spline in pieces, and how many cycles, fractions included, have passed."""
        positions = (np.asarray(u, dtype=np.float64) - self.start) / self.knot_spacing
        if not np.isfinite(positions).all():
            raise ParameterError("must be finite numbers", parameter="u")
        if self.travels is None:
            slack = 1e-6 * self._n_pieces
            if ((positions < -slack) | (positions > self._n_pieces + slack)).any():
                first, last = self.domain
                raise ParameterError(
                    f"must lie within the curve's domain, {first:g} to {last:g}", parameter="u"
                )
            return np.clip(positions, 0.0, self._n_pieces), np.zeros_like(positions)
        return np.mod(positions, self._n_pieces), positions / self._n_pieces

    def travel_over(self, cycles: FloatArray) -> tuple[Complexes, FloatArray]:
        """Return shifts x + iz and yaws (..., K) of the clips' travels over (...) cycles, whole or not."""
        if self.travels is None:
            nothing = np.zeros((*np.shape(cycles), self.control_points.shape[1]))
            return nothing + 0j, nothing
        yaws = np.array([travel.yaw for travel in self.travels])
        shifts = np.array([travel.x + 1j * travel.z for travel in self.travels])
        total_yaws = np.asarray(cycles)[..., None] * yaws
        # A rotation about a far centre is a shift in the limit:
        # (e^(-i s yaw) - 1) / (e^(-i yaw) - 1) tends to s.
        straight = np.abs(yaws) < 1e-9
        whole = np.where(straight, 1.0, np.expm1(-1j * np.where(straight, 1.0, yaws)))
        fractions = np.where(straight, np.asarray(cycles)[..., None], np.expm1(-1j * total_yaws) / whole)
        return shifts * fractions, total_yaws


class AlignedSamples(NamedTuple):
    """Alignments of corresponding frames with the reference at N parameters.

    ``u`` (N,); ``yaws`` (N, K) by which clips are rotated, unwrapped; ``centres`` (N, K, 2) x and z, in each
    clip's own world, of the points that were aligned; ``distances`` (N, K) remaining mean squared distances,
    m².
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
        (K,) offsets from frames of the curve to frames of the clouds.
    """
    first, last = timewarp.domain
    u = np.linspace(first, last, max(round(last - first), 1) + 1)
    parts = [
        _align_frames(clouds, timewarp(some) + shifts, reference, half_width)
        for some in np.array_split(u, max(1, len(u) // SAMPLES_AT_ONCE))
    ]
    yaws, centres, distances = (np.concatenate(part) for part in zip(*parts, strict=True))
    return AlignedSamples(u, np.unwrap(yaws, axis=0), centres, distances)


def _align_frames(
    clouds: Sequence[PointCloud], frames: FloatArray, reference: int, half_width: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return yaws, centres and distances of frames (N, K), with their windows as far as all clips reach."""
    offsets = np.arange(-half_width, half_width + 1.0)
    wanted = frames[:, None, :] + offsets[:, None]
    lasts = np.array([len(cloud.positions) - 1.0 for cloud in clouds])
    # The middle offset is in every clip; rounding may put it a hair outside.
    inside: BoolArray = ((wanted >= 0.0) & (wanted <= lasts)).all(axis=-1) | (offsets == 0.0)
    window = inside / inside.sum(axis=1, keepdims=True)
    weights = np.mean([cloud.weights for cloud in clouds], axis=0)

    flats, heights, centres = [], [], []
    for k, cloud in enumerate(clouds):
        points = sample_vectors(cloud.positions, np.clip(wanted[..., k], 0.0, lasts[k]))
        flat = points[..., 0] + 1j * points[..., 2]
        centre = np.einsum("nwp,nw,p->n", flat, window, weights)
        flats.append(flat - centre[:, None, None])
        heights.append(points[..., 1])
        centres.append(np.stack([centre.real, centre.imag], axis=-1))

    yaws, distances = [], []
    for flat, height in zip(flats, heights, strict=True):
        rotation = np.einsum("nwp,nwp,nw,p->n", flats[reference], flat.conj(), window, weights)
        yaw = -np.angle(rotation)
        gaps = np.abs(flats[reference] - flat * np.exp(-1j * yaw)[:, None, None]) ** 2
        yaws.append(yaw)
        squared = gaps + (heights[reference] - height) ** 2
        distances.append(np.einsum("nwp,nw,p->n", squared, window, weights))
    return np.stack(yaws, axis=1), np.stack(centres, axis=1), np.stack(distances, axis=1)


def fit_alignment(
    samples: AlignedSamples,
    reference: int,
    *,
    knot_spacing: float,
    smoothing: int = 1,
    yaw_reach: float = 0.0,
    travels: Sequence[GroundTransform] | None = None,
) -> AlignmentCurve:
    """Fit a spline to sampled alignments; a periodic one to those of cyclic clips.

    Parameters
    ----------
    samples
        The alignments; of cyclic clips, over the cycle after the first, where windows reach to both sides,
        its end included.
    reference
        The clip that the others were put on.
    knot_spacing
        Wanted length of a piece in units of ``u``.
    smoothing
        Width of a median filter on the sampled yaws, in samples; 1 is none. Frames between the captured ones
        are aligned directly, so the spikes for which the papers use it do not arise. Cycles are not filtered.
    yaw_reach
        Samples to either side whose median a yaw is compared with: one that is far off is replaced. Runs that
        begin on opposite feet look most alike rotated by half a turn, at their first frames alone.
    travels
        The transform over one cycle of each cyclic clip; None for clips with two ends.
    """
    u = samples.u
    length = float(u[-1] - u[0])
    if travels is None:
        yaws = median_filter(_reject_flipped_yaws(samples.yaws, round(yaw_reach)), smoothing)
        values = np.concatenate([yaws[..., None], samples.centres], axis=-1)
        n_pieces = max(1, round(length / knot_spacing))
        points = _fit_spline(values.reshape(len(u), -1), np.linspace(0.0, n_pieces, len(u)), n_pieces)
    else:
        values = _remove_travel(samples, reference, travels)
        n_pieces = max(3, round(length / knot_spacing))
        points = _fit_periodic_spline(values.reshape(len(values), -1), n_pieces)
    return AlignmentCurve(
        control_points=freeze(points.reshape(-1, *values.shape[1:])),
        knot_spacing=length / n_pieces,
        reference=reference,
        start=float(u[0]),
        travels=None if travels is None else tuple(travels),
    )


def _remove_travel(samples: AlignedSamples, reference: int, travels: Sequence[GroundTransform]) -> FloatArray:
    """Return yaws and centres (N - 1, K, 3) of a cycle with the travel of the clips removed."""
    length = float(samples.u[-1] - samples.u[0])
    cycles = 1.0 + (samples.u[:-1] - samples.u[0]) / length
    travel_yaws = np.array([travel.yaw for travel in travels])
    yaws = samples.yaws[:-1] - cycles[:, None] * (travel_yaws[reference] - travel_yaws)
    still = np.zeros((3, len(travels), 3))
    back, back_yaws = AlignmentCurve(
        control_points=still, knot_spacing=1.0, reference=reference, travels=tuple(travels)
    ).travel_over(-cycles)
    centres = samples.centres[:-1, :, 0] + 1j * samples.centres[:-1, :, 1]
    centres = np.exp(-1j * back_yaws) * centres + back
    return np.stack([yaws, centres.real, centres.imag], axis=-1)


def _reject_flipped_yaws(yaws: FloatArray, reach: int) -> FloatArray:
    """Return yaws (N, K) in which those far from the median around them take the nearest one that is not.

    >>> _reject_flipped_yaws(np.array([[3.0], [0.1], [0.2], [0.3]]), 3).ravel().tolist()
    [0.1, 0.1, 0.2, 0.3]
    """
    if reach < 1 or len(yaws) < 3:
        return yaws
    padded = np.pad(yaws, [(reach, reach), (0, 0)], constant_values=np.nan)
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=0)
    far = np.abs(yaws - np.nanmedian(windows, axis=-1)) > MAX_YAW_STEP
    if not far.any():
        return yaws
    kept, at = np.array(yaws), np.arange(len(yaws))
    for k in np.flatnonzero(far.any(axis=0) & ~far.all(axis=0)).tolist():
        kept[:, k] = np.interp(at, at[~far[:, k]], yaws[~far[:, k], k])
    return kept


def _fit_spline(samples: FloatArray, positions: FloatArray, n_pieces: int) -> FloatArray:
    """Return the control points (D, C) of the quadratic spline closest to samples (N, C) in least squares.

    Where samples are too few to fix every control point, the straightest of the closest splines is taken.
    """
    n_points = n_pieces + 2
    firsts, weights = splines.basis(positions, n_pieces)
    bands, right = np.zeros((3, n_points)), np.zeros((n_points, samples.shape[1]))
    for i in range(3):
        np.add.at(right, firsts + i, weights[:, i, None] * samples)
        for j in range(i + 1):
            np.add.at(bands[i - j], firsts + j, weights[:, i] * weights[:, j])
    # The squared second difference of neighbouring control points.
    for i, j, factor in ((0, 0, 1.0), (0, 1, 4.0), (0, 2, 1.0), (1, 0, -2.0), (1, 1, -2.0), (2, 0, 1.0)):
        bands[i, j : j + n_points - 2] += STRAIGHTENING * factor
    return factor_banded(bands).solve(right)


def _fit_periodic_spline(samples: FloatArray, n_pieces: int) -> FloatArray:
    """Return the control points (D, C) of the periodic spline closest to samples (N, C) over one cycle."""
    firsts, weights = splines.basis(np.arange(len(samples)) * n_pieces / len(samples), n_pieces)
    system = np.zeros((len(samples), n_pieces))
    for i in range(3):
        np.add.at(system, (np.arange(len(samples)), (firsts + i) % n_pieces), weights[:, i])
    return np.asarray(np.linalg.lstsq(system, samples, rcond=None)[0])
