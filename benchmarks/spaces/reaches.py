"""Four reaches, each from the three others with weights 1, -1 and 1: beyond what blends promise."""

from __future__ import annotations

import numpy as np

from benchmarks.quality.cases import APEXES, captured
from benchmarks.quality.judge import joint_error
from benchmarks.quality.predictors import registered
from benchmarks.spaces.apart import blend_curve_apart
from motionloom.arrays import FloatArray
from motionloom.options.blending import RateLaw

CROSSED = np.array([1.0, -1.0, 1.0])
"""The neighbours along both sides of a square, and the opposite corner."""

LAWS: tuple[RateLaw, ...] = ("frequency", "duration", "auto")

TIMES: dict[str, FloatArray] = {
    "time as poses": CROSSED,
    "time positive": np.array([0.5, 0.0, 0.5]),
    "time equal": np.full(3, 1.0 / 3.0),
}


def print_four_reaches() -> None:
    """Print the mean distance of joints, cm, at equal shares of the durations, for rate laws and weights."""
    # High left, high centre, low centre, low left: around a square.
    clips = [captured(f"actions/{file}") for file in APEXES["reach"]]
    print("four reaches, each from the others with weights 1, -1, 1: mean distance of joints, cm")
    curves = [registered([clips[(k + n) % 4] for n in (1, 2, 3)]) for k in range(4)]
    for name, time_weights in TIMES.items():
        for law in LAWS:
            errors = []
            for take, curve in zip(clips, curves, strict=True):
                made, last = blend_curve_apart(curve, law, CROSSED, time_weights)
                errors.append(joint_error(made, take, last))
            each = ", ".join(f"{error:.2f}" for error in errors)
            print(f"  {name}, {law:<10} {np.mean(errors):6.2f}   ({each})", flush=True)
