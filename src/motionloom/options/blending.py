"""Options of `blend`, and of everything that blends clips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from motionloom.options.option import Option, Table

RateLaw = Literal["auto", "frequency", "duration", "ballistic"]
"""What of the clips' timing is averaged."""

Average = Literal["nlerp", "karcher", "park"]
"""How rotations are averaged."""

Integrator = Literal["rk4", "euler"]
"""How positions on the timewarp curve follow from rates."""

Method = Literal["registration", "linear"]
"""How clips are blended."""

Root = Literal["positions", "velocities"]
"""What of the clips' roots linear blending averages."""

Rotations = Literal["quaternion", "euler", "log"]
"""Which numbers linear blending averages for rotations."""

Constraints = Literal["heaviest", "halves"]
"""Whose constraints a linear blend has."""

LINEAR: Table = (
    Option(
        name="linear_root",
        type=Root,
        default="positions",
        help="For method linear: average the clips' root positions, or their velocities over the ground.",
        label="Linear root",
        labels={"positions": "Positions", "velocities": "Velocities"},
        folded=True,
    ),
    Option(
        name="linear_rotations",
        type=Rotations,
        default="quaternion",
        help="For method linear: average quaternions, Euler angles or rotation vectors.",
        label="Linear rotations",
        labels={"quaternion": "Quaternions", "euler": "Euler angles", "log": "Rotation vectors"},
        folded=True,
    ),
    Option(
        name="linear_constraints",
        type=Constraints,
        default="heaviest",
        help="For method linear: take the constraints of the clip with the largest weight at each frame, or "
        "of the first of two clips up to the middle and of the second from there.",
        label="Linear constraints",
        labels={"heaviest": "Of the heaviest clip", "halves": "Of either half"},
        folded=True,
    ),
)
"""Fields of :class:`~motionloom.blending.linear.LinearSettings`, the option ``linear``, named "linear_…"."""

BLEND: Table = (
    Option(
        name="place",
        type="GroundTransform",
        unset_text="where the clips start",
        example="YAW,X,Z (degrees, metres)",
        help="Start at X, Z metres, facing YAW degrees (left is positive).",
        label="Start at yaw, X, Z",
        folded=True,
    ),
    Option(
        name="rate_law",
        type=RateLaw,
        default="auto",
        help="Average playback rates (frequency), durations, or their squares (ballistic), which keeps "
        "gravity; auto averages rates, and keeps gravity in flights that all clips have.",
        label="Timing",
        labels={
            "auto": "Gravity in flight",
            "frequency": "Average pace",
            "duration": "Average duration",
            "ballistic": "Gravity throughout",
        },
        formerly="rate",
    ),
    Option(
        name="average",
        type=Average,
        default="nlerp",
        help="How rotations are averaged.",
        label="Rotations",
        labels={"nlerp": "Fast average", "karcher": "Exact average", "park": "One-step average"},
    ),
    Option(
        name="joint_weights",
        type=Mapping[str, Sequence[float]],
        unset_text="those of the clips",
        flag="--joint",
        dest="joints",
        example="numbers, one for each clip",
        help="Weights of single joints, one number for each clip.",
        label="Weights of joints",
        folded=True,
    ),
    Option(
        name="start",
        type=float,
        unset_text="the beginning",
        flag="--start-at",
        dest="start_at",
        form="U",
        help="Position on the registration curve at which the blend begins, in samples of the curve.",
        label="Start on the curve",
        folded=True,
    ),
    Option(
        name="duration",
        type=float,
        unset_text="to the end of the clips",
        above=0.0,
        unit="seconds",
        help="Maximum duration of the blend.",
        label="Duration",
        step=0.1,
        formerly="seconds",
    ),
    Option(
        name="backward",
        type=bool,
        default=False,
        help="Make the motion that leads up to the start instead.",
        label="Backward from the start",
        folded=True,
    ),
    Option(
        name="integrator",
        type=Integrator,
        default="rk4",
        help="How positions on the curve follow from rates: exactly, or as in the papers, which drifts.",
        label="Integrator",
        labels={"rk4": "Runge–Kutta", "euler": "Euler (papers)"},
        folded=True,
    ),
    Option(
        name="method",
        type=Method,
        default="registration",
        help="Blend along the registration curve, or linearly in time for comparison.",
        label="Method",
        labels={"registration": "Registration", "linear": "Linear (for comparison)"},
    ),
    *LINEAR,
    Option(
        name="repeat",
        type=bool,
        default=False,
        help="Begin again when the clips end, from where the body is, until the duration is over.",
        label="Repeat clips that end",
        folded=True,
    ),
)
"""Options of :func:`motionloom.blend`, where ``linear`` takes those of linear blending together."""
