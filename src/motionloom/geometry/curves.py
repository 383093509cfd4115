"""The one interface of every curve in the package, and the ease that blends share."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray


class AbstractCurve(ABC):
    """A function of one parameter over a closed domain, evaluated by calling it.

    Subclasses are final: they hold their data, are immutable, and implement the three members below.

    >>> import numpy as np
    >>> class Line(AbstractCurve):
    ...     domain = (0.0, 1.0)
    ...     def __call__(self, u):
    ...         return np.asarray(u, float)[..., None] * [1.0, 2.0]
    ...     def derivative(self, u):
    ...         return np.ones_like(np.asarray(u, float))[..., None] * [1.0, 2.0]
    >>> Line()(0.5)
    array([0.5, 1. ])
    """

    @property
    @abstractmethod
    def domain(self) -> tuple[float, float]:
        """The first and the last parameter value."""

    @abstractmethod
    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Values (..., D) at the parameters ``u`` (...)."""

    @abstractmethod
    def derivative(self, u: npt.ArrayLike) -> FloatArray:
        """Derivatives (..., D) with respect to the parameter at ``u`` (...)."""


def smoothstep(share: npt.ArrayLike) -> FloatArray:
    """From 0 to 1, starting and ending at rest: 3 s² − 2 s³, held outside 0 to 1.

    >>> smoothstep([-1, 0.5, 2]).tolist()
    [0.0, 0.5, 1.0]
    """
    s = np.clip(np.asarray(share, dtype=np.float64), 0.0, 1.0)
    return np.asarray(s * s * (3.0 - 2.0 * s))
