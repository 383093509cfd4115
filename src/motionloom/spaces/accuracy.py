"""`measure_accuracy`: how exactly a motion space does what it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.spaces.space import MotionSpace
from motionloom.validation import check_count


@dataclass(frozen=True, eq=False)
class SpaceAccuracy:
    """What random requests inside a space give.

    Attributes
    ----------
    requests
        (n, d) what was asked for.
    interpolated, corrected
        (n,) largest error of the d numbers, as a fraction of the clips' range: of interpolated weights, and
        of corrected ones.
    """

    requests: FloatArray
    interpolated: FloatArray
    corrected: FloatArray

    def __str__(self) -> str:
        def describe(errors: FloatArray) -> str:
            median, p95, maximum = 100.0 * np.percentile(errors, [50, 95, 100])
            return f"median {median:.2g} %, 95 % within {p95:.2g} %, largest {maximum:.2g} %"

        return (
            f"{len(self.requests)} random requests, errors in percent of the clips' range\n"
            f"interpolated weights: {describe(self.interpolated)}\n"
            f"corrected weights:    {describe(self.corrected)}"
        )


def measure_accuracy(
    space: MotionSpace,
    n_requests: int = 100,
    *,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> SpaceAccuracy:
    """Make and measure blends for random requests, evenly over a space.

    Parameters
    ----------
    space
        The space.
    n_requests
        Number of requests.
    seed
        Of the random numbers.
    progress
        Called with the number of requests done and of all.

    >>> from motionloom.spaces.parameters import height
    >>> from motionloom.synthesis import reach_out
    >>> reaches = [reach_out(target=(-0.2, y, 0.4), fps=30).clip for y in (0.9, 1.4)]
    >>> found = measure_accuracy(MotionSpace(reaches, {"hand": height("RightHand", at="apex")}), 5)
    >>> bool(found.interpolated.max() < 0.01), bool(found.corrected.max() < 1e-3)
    (True, True)
    """
    check_count("n_requests", n_requests)
    requests = space.hull.draw_points(n_requests, seed)
    ranges = np.ptp(space.examples, axis=0)
    errors = np.empty((2, n_requests))
    for n, request in enumerate(requests):
        for row, correct in enumerate((False, True)):
            measured = space.blends.measure(space.weights(request, correct=correct))
            errors[row, n] = np.abs((measured - request) / ranges).max()
        if progress is not None:
            progress(n + 1, n_requests)
    return SpaceAccuracy(requests, *errors)
