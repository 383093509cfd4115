"""Exact least squares under linear bounds on the steps of a spline, by a banded interior-point method.

Unknowns ``x`` (n, K); the steps of the curve are ``line_step + steps · x`` (R, K), and every row of steps
must satisfy ``conditions @ step >= limits``. A step touches two neighbouring control points only, so each
Newton system is banded and the work grows linearly with the length of the curve.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
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
