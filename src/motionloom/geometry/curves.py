"""The one interface of every curve in the package."""

from __future__ import annotations

from abc import ABC, abstractmethod

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
