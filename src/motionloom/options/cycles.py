"""Options of `cyclify`."""

from __future__ import annotations

from motionloom.options.option import Option, Table
from motionloom.options.registration import DEFAULT_WINDOW, MAX_WINDOW

CYCLIFY: Table = (
    Option(
        name="cycles",
        type=int,
        unset_text="as many as possible",
        help="Number of strides or repetitions to keep.",
        section="cycle",
    ),
    Option(
        name="near",
        type=float,
        unset_text="a cycle that goes and turns as the clip does",
        min=0.0,
        unit="frames",
        help="Where the middle of the cycle is to lie.",
        section="cycle",
        wire="int | None",
    ),
    Option(
        name="seam_limit",
        type=float,
        unset_text="a tenth of the body's radius",
        min=0.0,
        unit="metres",
        help="Maximum distance between the poses at both ends before the loop is closed.",
        label="Seam limit",
        step=0.01,
        folded=True,
    ),
    Option(
        name="window",
        type=float,
        default=DEFAULT_WINDOW,
        unset_text="1/15",
        min=0.0,
        max=MAX_WINDOW,
        unit="seconds",
        help="Motion before and after an end that is compared together with it.",
        label="Window",
        step=0.01,
        folded=True,
        wire="float | None",
    ),
    Option(
        name="ease",
        type=float,
        default=0.5,
        min=0.0,
        unit="seconds",
        help="How long the correction takes to fade out on either side of the seam.",
        label="Ease",
        step=0.05,
        folded=True,
        wire="float | None",
    ),
)
"""Options of :func:`motionloom.cyclify`."""
