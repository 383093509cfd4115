"""Moving the control points of a fit without bounds until the bounds hold: the papers' methods, corrected.

Both go through the steps in order. A step that breaks its bounds is changed by moving its two control
points against each other, the change split as evenly as possible without breaking the step that was put
right before it. Where both ends are pinned one pass can leave a violation at the far end, so passes alternate
in direction.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.registration.timewarp import Bounds
from motionloom.registration.timewarp_spline import SplineProblem

MAX_PASSES = 40
"""Passes over the steps after which the curve is pulled towards the straight line; most fits need one."""
VIOLATION_TOLERANCE = 1e-12
"""Violation of a bound that counts as rounding, in steps of the line."""

Correction = Callable[[FloatArray], FloatArray]
"""Maps a step (K,) that breaks its bounds to one that keeps them."""


def nudge_steps(problem: SplineProblem, x: FloatArray, floors: FloatArray) -> FloatArray:
    """Return deviations (n, K) whose steps are at least ``floors`` (K,), clip by clip: the thesis' method.

    The thesis prints the shifts with the wrong sign and their split as a maximum. Here a step that is short
    by s moves its first point down by λ s and its second up by (1 - λ) s, and λ is the largest fraction up to
    one half that the step before allows.

    >>> from motionloom.registration.timewarp_spline import open_problem
    >>> problem = open_problem(np.arange(9.0)[:, None], 2, pin_start=True, pin_end=True, smoothing=0.0)
    >>> x = nudge_steps(problem, np.array([[1.0], [-4.0]]), np.array([0.5]))
    >>> np.diff(problem.control_points(x), axis=0).ravel()
    array([ 4.5,  0.5, 10.5])
    """
    repaired = x.copy()
    for k in range(x.shape[1]):
        floor = floors[k : k + 1]
        bounds = Bounds(np.ones((1, 1)), floor)
        own = _Repair(problem, slice(k, k + 1), bounds, partial(np.maximum, floor))
        repaired[:, k : k + 1] = own.run(x[:, k : k + 1])
    return repaired


def project_steps(
    problem: SplineProblem, x: FloatArray, bounds: Bounds, floors: FloatArray, min_rate: float, base: int
) -> FloatArray:
    """Return deviations (n, K) whose steps keep the rates relative to a base clip: the paper's Appendix A.

    The paper prints the change that a projection makes with the wrong sign, and projects once; since a
    projection moves the base too, it is repeated here until every clip's condition holds.

    >>> from motionloom.registration.timewarp import RateLimits
    >>> from motionloom.registration.timewarp_spline import open_problem
    >>> line = np.repeat(np.arange(9.0)[:, None], 2, axis=1)
    >>> problem = open_problem(line, 2, pin_start=True, pin_end=True, smoothing=0.0)
    >>> limits = RateLimits.around(problem.line_step, 0.5)
    >>> x, bounds = np.array([[0.0, 1.0], [0.0, -2.0]]), limits.bounds(0)
    >>> bounds.hold(problem.steps_of(project_steps(problem, x, bounds, limits.floors, 0.5, base=0)))
    True
    """

    def correction(step: FloatArray) -> FloatArray:
        return _project_step(step, floors, min_rate, base)

    return _Repair(problem, slice(None), bounds, correction).run(x)


def _project_step(step: FloatArray, floors: FloatArray, min_rate: float, base: int) -> FloatArray:
    step = step.copy()
    for _ in step:
        too_fast = min_rate * step > step[base]
        too_slow = step < min_rate * step[base]
        too_fast[base] = too_slow[base] = False
        if not (too_fast.any() or too_slow.any()):
            break
        along = np.where(too_fast, 1.0 / min_rate, np.where(too_slow, min_rate, 0.0))
        along[base] = 1.0
        step = np.where(along > 0, along * (step @ along) / (along @ along), step)

    # Projections ignore the floors and fail on steps that run backwards.
    step[base] = max(step[base], floors[base], min_rate * floors.max())
    fixed_base = step[base]
    step = np.clip(step, np.maximum(floors, min_rate * fixed_base), fixed_base / min_rate)
    step[base] = fixed_base
    return step


class _Repair:
    """The passes over the steps of some of a problem's clips."""

    def __init__(self, problem: SplineProblem, clips: slice, bounds: Bounds, correction: Correction) -> None:
        self._steps = problem.steps
        self._line_step = problem.line_step[clips]
        self._bounds = bounds
        self._correction = correction
        self._tolerance = VIOLATION_TOLERANCE * float(problem.line_step.max())

    def run(self, x: FloatArray) -> FloatArray:
        """Return deviations (n, K') whose steps keep the bounds."""
        x = x.copy()
        forward = np.arange(len(self._steps.columns))
        for number in range(MAX_PASSES):
            slack = self._slack(x)
            if slack.min() >= -self._tolerance:
                return x
            self._pass(x, forward if number % 2 == 0 else forward[::-1])
        return self._pull_to_line(x)

    def _slack(self, x: FloatArray) -> FloatArray:
        return self._bounds.slack(self._line_step + self._steps.times(x))

    def _step(self, x: FloatArray, i: int) -> FloatArray:
        return np.asarray(self._line_step + self._steps.values[i] @ x[self._steps.columns[i]])

    def _pass(self, x: FloatArray, order: IntArray) -> None:
        """Correct one step after another, in place."""
        backward = len(order) > 1 and order[0] > order[1]
        for i, before in zip(order, np.roll(order, 1), strict=True):
            step = self._step(x, i)
            if self._bounds.slack(step).min() >= -self._tolerance:
                continue
            change = self._correction(step) - step
            (first, second), values = self._steps.columns[i], self._steps.values[i]
            if first == second:
                x[first] += change / values.sum()
                continue
            near, far = (second, first) if backward else (first, second)
            near_value, far_value = values[::-1] if backward else values
            fraction = self._fraction(x, before, near, near_value, change)
            x[near] += fraction * change * near_value
            x[far] += (1.0 - fraction) * change * far_value

    def _fraction(self, x: FloatArray, before: int, near: int, sign: float, change: FloatArray) -> float:
        """Return the largest fraction, up to one half, of a change that the step before allows."""
        effect = sign * float(self._steps.values[before] @ (self._steps.columns[before] == near))
        loss = -effect * (self._bounds.conditions @ change)
        slack = self._bounds.slack(self._step(x, before))
        losing = loss > 0
        if not losing.any():
            return 0.5
        return float(np.clip((slack[losing] / loss[losing]).min(), 0.0, 0.5))

    def _pull_to_line(self, x: FloatArray) -> FloatArray:
        """Scale the deviations down just enough: with fixed ends the straight line keeps all bounds."""
        slack = self._slack(x)
        broken = slack < 0
        on_line = np.broadcast_to(self._bounds.slack(self._line_step), slack.shape)[broken]
        fraction = float((on_line / (on_line - slack[broken])).min())
        return np.asarray(x * max(fraction, 0.0))
