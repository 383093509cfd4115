"""The alignment curve: where and how corresponding frames are put on each other.

A transform is kept as a yaw and the two points it takes to each other, the centres of the two bodies, never
as a shift about the world's origin: smoothing an angle and a shift apart from each other moves a body that
stands far from the origin by its distance times the error of the angle.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform, splines
from motionloom.geometry.curves import AbstractCurve

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
