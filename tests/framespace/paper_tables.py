"""Tables 1 and 3 of Ashraf & Wong 2000, as printed, and curves for their Table 4."""

from __future__ import annotations

import numpy as np

from motionloom.framespace.blend import CycleClock
from motionloom.framespace.interpolant import InterpolantLike, Shape, as_interpolant, weights_at
from motionloom.framespace.labels import Half
from motionloom.framespace.states import BodyStates, GivenState, as_body_states

PERIODS = {"run": 0.77, "walk": 1.24, "dance1": 2.43, "dance2": 3.07}

_LEFT_BACK, _RIGHT_BACK = ("L.S ext", "R.S flex"), ("R.S ext", "L.S flex")
_SWING = ("L.S msw", "R.S msw")

TABLE_1: dict[str, dict[Half, list[GivenState]]] = {
    "run": {
        "lower": [
            (0.0, "L. et"),
            (0.22, "R.HI flex"),
            (0.26, "R. mt"),
            (0.48, "R. et"),
            (0.78, "L.HI flex"),
            (0.83, "L. mt"),
            (1.0, "L. et"),
        ],
        "upper": [(0.0, _LEFT_BACK), (0.17, _SWING), (0.44, _RIGHT_BACK), (0.57, _SWING), (1.0, _LEFT_BACK)],
    },
    "walk": {
        "lower": [
            (0.0, "L. et"),
            (0.22, "R.HI flex"),
            (0.26, "R. mt"),
            (0.49, "R. et"),
            (0.88, "L.HI flex"),
            (0.9, "L. mt"),
            (1.0, "L. et"),
        ],
        "upper": [(0.0, _LEFT_BACK), (0.24, _SWING), (0.44, _RIGHT_BACK), (0.73, _SWING), (1.0, _LEFT_BACK)],
    },
    "dance1": {
        "lower": [
            (0.0, "R.HI flex"),
            (0.14, "R.H gnd"),
            (0.41, "L.HI flex"),
            (0.69, "L.H gnd"),
            (1.0, "R.HI flex"),
        ],
        "upper": [(0.0, _RIGHT_BACK), (0.16, _SWING), (0.41, _LEFT_BACK), (0.62, _SWING), (1.0, _RIGHT_BACK)],
    },
    "dance2": {
        "lower": [
            (0.0, "L. mt"),
            (0.36, "L. et"),
            (0.41, "R.HI flex"),
            (0.49, "R. mt"),
            (0.76, "R. et"),
            (0.84, "L.HI flex"),
            (1.0, "L. mt"),
        ],
        "upper": [(0.0, _RIGHT_BACK), (0.38, _SWING), (0.54, _LEFT_BACK), (0.82, _SWING), (1.0, _RIGHT_BACK)],
    },
}

Rows = list[tuple[float, ...]]

RUN_WALK_LOWER: Rows = [(0.0, 0.0), (0.22, 0.22), (0.26, 0.26), (0.48, 0.49), (0.78, 0.88), (0.83, 0.9)]
RUN_WALK_UPPER: Rows = [(0.0, 0.0), (0.17, 0.24), (0.44, 0.44), (0.57, 0.73)]
DANCES_LOWER: Rows = [(0.0, 0.41), (0.14, 0.76), (0.41, 0.84), (0.69, 0.0)]
DANCES_UPPER: Rows = [(0.0, 0.0), (0.16, 0.38), (0.41, 0.54), (0.62, 0.82)]
ALL_LOWER: Rows = [
    (0.0, 0.0, 0.69, 0.36),
    (0.22, 0.22, 0.0, 0.41),
    (0.26, 0.26, 0.14, 0.49),
    (0.78, 0.88, 0.41, 0.84),
]
ALL_UPPER: Rows = [
    (0.0, 0.0, 0.41, 0.54),
    (0.17, 0.24, 0.62, 0.82),
    (0.44, 0.44, 0.0, 0.0),
    (0.57, 0.73, 0.16, 0.38),
]
"""Columns of Table 3 without their closing rows; 1.0 is written as 0.0, the same moment of the cycle."""


def states_of(name: str) -> BodyStates:
    """The states of one basis motion of Table 1."""
    return as_body_states(TABLE_1[name])


CYCLES, SAMPLES = 12, 100
"""1200 operations of Table 4."""

CONCATENATION = [(0, 0), (0.25, 0), (0.75, 1), (1, 1)]
"""From the first motion to the second."""

ROUND = [(0, 0, 0), (0.25, 1, 0), (0.5, 1, 1), (0.75, 0, 1), (1, 0, 0)]
"""Run, walk, dance2, dance1, run."""

ARCH = [(0, 0, 0), (0.5, 0.5, 1), (1, 1, 0)]
"""From the run over both dances to the walk."""


def duration(curve: InterpolantLike, names: tuple[str, ...], shape: Shape) -> float:
    """How long a blend of the paper's basis motions takes, seconds."""
    points = as_interpolant(curve)(np.linspace(0.0, 1.0, CYCLES * SAMPLES + 1))
    rates = weights_at(points, shape, len(names)) @ [PERIODS[name] for name in names]
    return CycleClock(1.0 / SAMPLES, rates).duration
