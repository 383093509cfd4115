"""Moments at which clips are known to correspond, which a timewarp curve is held to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError


@dataclass(frozen=True, eq=False)
class Anchors:
    """Correspondences that count more than samples do: the curve passes them as closely as its bounds allow.

    Attributes
    ----------
    u
        (E,) where they lie among the samples; fractions are allowed.
    frames
        (E, K) fractional frames of the clips there.
    weight
        What the squared frames of error at one of them count, against those at one sample.

    >>> Anchors([1.5], [[1.5, 3.0]], weight=10.0).frames.shape
    (1, 2)
    """

    u: FloatArray
    frames: FloatArray
    weight: float

    def __post_init__(self) -> None:
        u = check_array("the u of anchors", self.u, ("E",))
        object.__setattr__(self, "u", u)
        object.__setattr__(self, "frames", check_array("the frames of anchors", self.frames, (len(u), "K")))
        if not (np.isfinite(self.weight) and self.weight >= 0):
            raise ParameterError(f"the weight of anchors must be zero or positive, not {self.weight}")

    @classmethod
    def none(cls, n_clips: int) -> Anchors:
        """No anchors for so many clips."""
        return cls(np.zeros(0), np.zeros((0, n_clips)), 0.0)
