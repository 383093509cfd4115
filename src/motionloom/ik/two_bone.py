"""Two bones and the angle between them: how far to bend so that the far end is a given distance away.

Angles at the joint are π for a straight limb. A nearly straight limb needs a large turn for a small change of
its length, which shows as a popping knee; the change of the angle is therefore damped above
:data:`DAMPED_FROM`, and bones may stretch a little instead (Kovar, Schreiner & Gleicher 2002).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.ik import vectors

DAMPED_FROM = 2.8
"""Angle at the joint, radians, above which changes are damped; at π nothing is left of them."""

_LEAST = 1e-12
"""Metres, or square metres, below which a limb has folded to nothing and lengths are not divided by it."""


@dataclass(frozen=True, eq=False)
class Bend:
    """How to bend two bones.

    Attributes
    ----------
    turns
        (T,) radians by which the lower bone turns about its axis; positive straightens.
    scales
        (T,) factor on the length of both bones.
    lengths
        (T,) distance from one end of the limb to the other that results, metres.
    """

    turns: FloatArray
    scales: FloatArray
    lengths: FloatArray


@dataclass(frozen=True, eq=False)
class _Triangle:
    """The limb's squared length as ``squares + 2 (dots cos turn + crosses sin turn)``."""

    squares: FloatArray
    dots: FloatArray
    crosses: FloatArray

    @property
    def angles(self) -> FloatArray:
        """The angles at the joint before any turn; a little over π where it is bent the wrong way."""
        return np.asarray(np.pi - np.arctan2(self.crosses, self.dots))

    def lengths(self, turns: FloatArray) -> FloatArray:
        squared = self.squares + 2.0 * (self.dots * np.cos(turns) + self.crosses * np.sin(turns))
        return np.sqrt(np.maximum(squared, 0.0))

    def angles_at(self, lengths: FloatArray) -> FloatArray:
        """The angles at the joint that give these lengths, or the nearest possible ones; π at most."""
        most = np.maximum(np.hypot(self.dots, self.crosses), _LEAST)
        return np.pi - np.arccos(np.clip((lengths**2 - self.squares) / (2.0 * most), -1.0, 1.0))


def bend(
    upper: npt.ArrayLike,
    lower: npt.ArrayLike,
    axes: npt.ArrayLike,
    lengths: npt.ArrayLike,
    *,
    bending: npt.ArrayLike | None = None,
    stretch: float = 0.0,
    damped: bool = False,
) -> Bend:
    """Bend and stretch limbs of two bones to the wanted lengths, as near as they get.

    Parameters
    ----------
    upper, lower
        (T, 3) the bones as vectors from joint to joint, metres.
    axes
        (T, 3) unit axes at right angles to the lower bones; turning those about them straightens the limb.
    lengths
        (T,) wanted distance between the ends of the limb, metres.
    bending
        (T,) lengths that the joint goes for, where the rest is left to stretching as far as that goes; None
        for the wanted ones.
    stretch
        Largest share by which bones grow or shrink.
    damped
        Whether changes of a nearly straight limb are damped and left to stretching, as far as that goes.

    >>> straight = [[0, -0.5, 0]]
    >>> bend(straight, straight, [[-1.0, 0, 0]], [1.02], stretch=0.03, damped=True).scales.round(3)
    array([1.02])
    """
    triangle = _triangle(upper, lower, axes)
    wanted = np.asarray(lengths, dtype=np.float64)
    before = triangle.angles
    after = triangle.angles_at(wanted if bending is None else np.asarray(bending, dtype=np.float64))
    if damped:
        after = before + _damped(after) - _damped(before)
    ratios = wanted / np.maximum(triangle.lengths(after - before), _LEAST)
    scales = np.clip(ratios, 1.0 - stretch, 1.0 + stretch)
    # What stretching may not make up, the joint does after all.
    after = np.where(ratios == scales, after, triangle.angles_at(wanted / scales))
    turns = after - before
    return Bend(turns, scales, scales * triangle.lengths(turns))


def longest(upper: npt.ArrayLike, lower: npt.ArrayLike, axes: npt.ArrayLike) -> FloatArray:
    """The lengths (T,) up to which damped limbs straighten without stretching, metres.

    >>> bent = longest([[0, -0.4, 0.2]], [[0, -0.4, -0.2]], [[-1.0, 0, 0]])
    >>> bool(0.8 < bent[0] < 2 * np.hypot(0.4, 0.2))
    True
    """
    triangle = _triangle(upper, lower, axes)
    before = triangle.angles
    return triangle.lengths(_damped(np.full_like(before, np.pi)) - _damped(before))


def _triangle(upper: npt.ArrayLike, lower: npt.ArrayLike, axes: npt.ArrayLike) -> _Triangle:
    a, b = np.asarray(upper, dtype=np.float64), np.asarray(lower, dtype=np.float64)
    return _Triangle(
        vectors.dots(a, a) + vectors.dots(b, b),
        vectors.dots(a, b),
        vectors.dots(a, np.cross(np.asarray(axes), b)),
    )


def _damped(angles: FloatArray) -> FloatArray:
    """The integral of the damping: slope 1 up to :data:`DAMPED_FROM`, then easing to 0 at π."""
    width = np.pi - DAMPED_FROM
    share = np.clip((angles - DAMPED_FROM) / width, 0.0, 1.0)
    eased = width * share * (1.0 + share**2 * (0.5 * share - 1.0))
    return np.asarray(np.minimum(angles, DAMPED_FROM) + eased)
