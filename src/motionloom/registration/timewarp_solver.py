"""Least squares with bounds on the steps of a spline: exactly, and as the papers do.

Exactly, by a banded interior-point method. Unknowns ``x`` (n, K); the steps of the curve are
``line_step + steps · x`` (R, K), and every row of steps must satisfy ``conditions @ step >= limits``. A step
touches two neighbouring control points only, so each Newton system is banded and the work grows linearly with
the length of the curve.

The papers fit without bounds and then move control points until the bounds hold, step by step. A step that
breaks its bounds is changed by moving its two control points against each other, the change split as evenly
as possible without breaking the step that was put right before it. Where both ends are pinned one pass can
leave a violation at the far end, so passes alternate in direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, IntArray
from motionloom.registration.timewarp import BOUND_TOLERANCE, Bounds
from motionloom.registration.timewarp_spline import (
    BandedSystem,
    SplineProblem,
)

MAX_ITERATIONS = 60
"""Newton steps after which the solver gives up; fits take 8 to 15."""
GAP_TOLERANCE = 1e-11
"""Mean product of slack and multiplier at which active bounds can be identified, in squared line steps."""
RESIDUAL_TOLERANCE = 1e-8
"""Largest residual of the optimality conditions at that point, in line steps."""
STEP_TO_BOUNDARY = 0.995
"""Fraction of the distance to the nearest bound that one Newton step may cover."""
FIRST_SLACK = 0.1
"""Smallest slack, and the multiplier, that the first iterate gives to every bound, in line steps."""
HOLDING_WEIGHT = 1e7
"""Weight, relative to the samples, with which active bounds are held while the solution is polished."""
HOLDING_ROUNDS = 4
"""Each round brings the held bounds closer by about the holding weight; three reach rounding."""
POLISHING_ROUNDS = 8
"""Corrections of the active set before the unpolished solution is accepted."""

MAX_PASSES = 40
"""Passes over the steps after which the curve is pulled towards the straight line; most fits need one."""
VIOLATION_TOLERANCE = 1e-12
"""Violation of a bound that counts as rounding, in steps of the line."""

Correction = Callable[[FloatArray], FloatArray]
"""Maps a step (K,) that breaks its bounds to one that keeps them."""


@dataclass(frozen=True)
class _State:
    """An iterate: unknowns (n, K), slacks and multipliers (R, m) of the bounds."""

    x: FloatArray
    slack: FloatArray
    multipliers: FloatArray

    @property
    def gap(self) -> float:
        return float((self.slack * self.multipliers).mean())


class BoundedProblem:
    """A spline problem with bounds on its steps, solved in a banded system that several bounds may share."""

    def __init__(self, problem: SplineProblem, system: BandedSystem, bounds: Bounds) -> None:
        self._problem = problem
        self._system = system
        self._bounds = bounds
        self._scale = float(problem.line_step.max())
        self._pull_of_samples = problem.gradient_at_line()

    def solve(self, start: FloatArray) -> FloatArray | None:
        """Return the minimiser (n, K) within the bounds, or None if the iterations did not find it."""
        state = self._first_state(start)
        try:
            for _ in range(MAX_ITERATIONS):
                if self._is_near(state):
                    break
                state = self._newton_step(state)
        except np.linalg.LinAlgError:
            # Bounds that leave no room, as between ends at exactly the limiting rate, make the systems
            # singular before the tolerances are met; the active bounds are clear by then.
            pass
        return self._polish(state)

    def _first_state(self, start: FloatArray) -> _State:
        min_slack = FIRST_SLACK * self._scale
        slack = np.maximum(self._slack(start), min_slack)
        return _State(start, slack, np.full_like(slack, min_slack))

    def _slack(self, x: FloatArray) -> FloatArray:
        return self._bounds.slack(self._problem.steps_of(x))

    def _gradient(self, x: FloatArray, forces: FloatArray) -> FloatArray:
        """Return the gradient (n, K) of the objective minus the pull of forces (R, m) on the bounds."""
        own = (self._problem.normal_times(x) - self._pull_of_samples) * self._system.clip_weights
        return np.asarray(own - self._pull(forces))

    def _pull(self, forces: FloatArray) -> FloatArray:
        return self._problem.steps.transpose_times(forces @ self._bounds.conditions)

    def _is_near(self, state: _State) -> bool:
        unmet = np.abs(self._slack(state.x) - state.slack).max()
        unbalanced = np.abs(self._gradient(state.x, state.multipliers)).max()
        converged = max(unmet, unbalanced) <= RESIDUAL_TOLERANCE * self._scale
        return bool(converged and state.gap <= GAP_TOLERANCE * self._scale**2)

    def _newton_step(self, state: _State) -> _State:
        """Take one predictor-corrector step towards the optimality conditions (Mehrotra's method)."""
        slack, multipliers = state.slack, state.multipliers
        unmet = self._slack(state.x) - slack
        unbalanced = self._gradient(state.x, multipliers)
        solve = self._system.factor(self._blocks(multipliers / slack))

        def direction(target: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
            dx = solve(self._pull((target - multipliers * unmet) / slack) - unbalanced)
            ds = self._problem.steps.times(dx) @ self._bounds.conditions.T + unmet
            return dx, ds, (target - multipliers * ds) / slack

        # The predictor heads for a gap of zero; how far it gets sets the corrector's target.
        _, ds, dz = direction(-slack * multipliers)
        reach = min(_room(slack, ds), _room(multipliers, dz))
        reached = float(((slack + reach * ds) * (multipliers + reach * dz)).mean())
        target = state.gap * (reached / state.gap) ** 3 - slack * multipliers - ds * dz

        dx, ds, dz = direction(target)
        length = min(1.0, STEP_TO_BOUNDARY * min(_room(slack, ds), _room(multipliers, dz)))
        return _State(state.x + length * dx, slack + length * ds, multipliers + length * dz)

    def _blocks(self, weights: FloatArray) -> FloatArray:
        """Return, per step, the matrix (R, K, K) of the bounds weighted by (R, m)."""
        conditions = self._bounds.conditions
        products = (conditions[:, :, None] * conditions[:, None, :]).reshape(len(conditions), -1)
        return np.asarray((weights @ products).reshape(len(weights), *2 * conditions.shape[1:]))

    def _polish(self, state: _State) -> FloatArray | None:
        """Return the solution with its active bounds met to rounding, or None if it is not verified as one.

        Bounds that turn out to pull the wrong way are released and bounds that are passed are held, as in an
        active-set method that starts at the end. A point that satisfies both is the minimiser, however it was
        found.
        """
        active = state.multipliers > state.slack
        tolerance = BOUND_TOLERANCE * self._scale
        for _ in range(POLISHING_ROUNDS):
            x, forces = self._hold(state, active)
            wrong, passed = forces < -tolerance, self._slack(x) < -tolerance
            if not (wrong.any() or passed.any()):
                return x
            active = (active & ~wrong) | passed
        return state.x if self._is_near(state) else None

    def _hold(self, state: _State, active: BoolArray) -> tuple[FloatArray, FloatArray]:
        """Return the minimiser with active bounds met as equations, and the forces (R, m) on them.

        Stiff springs hold the bounds, and their load is moved into the forces round by round (an augmented
        Lagrangian).
        """
        weights = np.where(active, HOLDING_WEIGHT, 0.0)
        solve = self._system.factor(self._blocks(weights))
        x, forces = state.x, state.multipliers * active
        for _ in range(HOLDING_ROUNDS):
            x = x - solve(self._gradient(x, forces - weights * self._slack(x)))
            forces = forces - weights * self._slack(x)
        return x, forces


def _room(values: FloatArray, change: FloatArray) -> float:
    """Return the largest fraction of the change, at most 1 / STEP_TO_BOUNDARY, that keeps values positive."""
    shrinking = change < 0
    if not shrinking.any():
        return 1.0 / STEP_TO_BOUNDARY
    return min(1.0 / STEP_TO_BOUNDARY, float((values[shrinking] / -change[shrinking]).min()))


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
