"""Options of `register`, and of everything that registers clips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from motionloom.errors import ParameterError
from motionloom.options.option import Option, Table

Profile = Literal["default", "paper", "thesis"]
"""Where the settings come from: this project, or the paper and the thesis by Kovar and Gleicher."""

Pin = tuple[int, ...]
"""Frames that correspond, one of each clip."""

SpanEnd = Literal["auto", "corners", "free"] | Pin
"""Where the registered span starts or ends: a rule, or a frame of each clip."""

Alignment = Literal["auto", "windowed"]
"""How the path of a time alignment is found: on the whole grid if it fits into memory, or in windows."""

Form = Literal["reversible", "thesis"]
"""Which paths are legal and how free ends are chosen, as :func:`.time_alignment.align_times` describes."""

FitMode = Literal["exact", "nudge", "appendix"]
"""How a timewarp curve is fitted: exactly, or as in the thesis or the paper."""

Cut = Literal["auto", "strides", "loops", "parts", "whole"]
"""How clips are cut before they are registered."""

MAX_SLOPE_LIMIT = 2**53
"""Frames of one clip that may go with one frame of another; one so large is no limit."""

MAX_POINTS = 100_000
"""Points of a body; a few hundred describe any pose."""

MAX_WEIGHT = 1e6
"""Weight of speeds and of straightness against poses; far below, poses do not count any more."""

MAX_KNOT_SPACING = 1e4
"""Seconds between knots; no clip is longer."""

MAX_SMOOTHING = 100_001
"""Width of the median filter in cells; no path is longer."""

MAX_WINDOW = 2.0
"""Seconds to either side at most: memory grows with it, and frames farther away say nothing of a pose."""

DEFAULT_WINDOW = 2 / 30
"""Seconds to either side of a frame that are compared with it: five frames at 30 Hz, as in the paper."""

DEFAULT_SLOPE_LIMIT = 3
"""Slope limit that the default rate bound goes with, as in the papers."""


def min_rate_for(slope_limit: float) -> float:
    """Return the rate bound that goes with a slope limit W of the time alignment: 1 / (2 W).

    Paths can hold a slope of W indefinitely, and reach 2 W - 1 between close pins; a bound of 1 / (2 W)
    lets the curve follow both and keeps it from exceeding them by much.

    >>> min_rate_for(2)
    0.25
    """
    if not slope_limit >= 1:
        raise ParameterError(
            f"must be at least 1, not {slope_limit}", parameter="slope_limit", value=slope_limit
        )
    return 1.0 / (2.0 * slope_limit)


ALIGNMENT = Option(
    name="alignment",
    type=Alignment,
    default="auto",
    help="Align times as well as possible from end to end, or in windows, for clips that agree in parts.",
    label="Time alignment",
    labels={"auto": "From end to end", "windowed": "Window by window"},
)

CUT = Option(
    name="cut",
    type=Cut,
    default="auto",
    help="Cut the clips first: to the same strides, to one closed loop each, to the part they have in "
    "common, or not at all; auto cuts steady gaits to strides and takes other clips whole, or by parts where "
    "whole clips do not fit.",
    label="Clip range",
    labels={
        "auto": "Automatic",
        "strides": "Same strides",
        "loops": "One cycle, looped",
        "parts": "Shared part",
        "whole": "Whole clips",
    },
)
"""Of functions that prepare clips; it comes before those of the registration."""

REGISTRATION: Table = (
    Option(
        name="profile",
        type=Profile,
        default="default",
        help="Start from Motionloom's settings, or from those of the paper or the thesis.",
        label="Profile",
        labels={"default": "Default", "paper": "As in the paper", "thesis": "As in the thesis"},
    ),
    Option(
        name="slope_limit",
        type=int,
        unset=DEFAULT_SLOPE_LIMIT,
        min=1,
        help="Maximum number of frames of one clip that correspond to one frame of another.",
        label="Slope limit",
    ),
    Option(
        name="window",
        type=float,
        unset=DEFAULT_WINDOW,
        unset_text="1/15",
        min=0.0,
        max=MAX_WINDOW,
        unit="seconds",
        help="Motion before and after a frame that is compared together with it.",
        label="Window",
        step=0.01,
    ),
    Option(
        name="points",
        type=int | Literal["joints"],
        unset_text="joints",
        max=MAX_POINTS,
        help="Number of points, spread over the body, whose positions are compared; joints: all joints and "
        "bone tips.",
        label="Points compared",
        folded=True,
    ),
    Option(
        name="joint_weights",
        type=Mapping[str, float],
        unset_text="1 each",
        flag="--joint-weight",
        form="NAME=W",
        help="Factors on the weights of joints in the pose distance, by name.",
        section="joint weights",
    ),
    Option(
        name="speed_weight",
        form="W",
        type=float,
        unset=1.0,
        min=0.0,
        max=MAX_WEIGHT,
        help="Weight of speeds against poses in the distance; 0 compares poses only.",
        label="Speed weight",
        step=0.1,
        folded=True,
    ),
    Option(
        name="start",
        type=SpanEnd,
        unset_text="auto",
        help="Frame of each clip at which they start to correspond; corners: the first ones; free: anywhere.",
        label="Start frames",
        folded=True,
    ),
    Option(
        name="end",
        type=SpanEnd,
        unset_text="auto",
        help="Frame of each clip at which they stop corresponding; corners: the last ones; free: anywhere.",
        label="End frames",
        folded=True,
    ),
    Option(
        name="pins",
        type=Sequence[Pin],
        unset=(),
        flag="--pin",
        help="Frames that correspond exactly, one of each clip.",
        note="counted in FILES (at --fps if given)",
        section="pins",
    ),
    Option(
        name="events",
        type=Sequence[str],
        unset_text="strike",
        help="Labels of events that must correspond, if all clips have the same sequence of them; beside "
        "start, end and pins only labels that are named count.",
        note="'' for none",
        label="Events",
        folded=True,
    ),
    ALIGNMENT,
    Option(
        name="stiffness",
        form="W",
        type=float,
        unset=5.0,
        min=0.0,
        max=MAX_WEIGHT,
        help="Resistance to rate changes where many frames look alike; 0 follows the raw path.",
        label="Stiffness",
        step=0.5,
        folded=True,
    ),
    Option(
        name="min_rate",
        form="RATE",
        type=float,
        unset_text="1 / (2 · slope limit)",
        min=0.0,
        help="Minimum playback rate of a clip relative to another.",
        label="Minimum rate",
        step=0.01,
        folded=True,
    ),
    Option(
        name="knot_spacing",
        type=float,
        unset=3 / 30,
        above=0.0,
        max=MAX_KNOT_SPACING,
        unit="seconds",
        help="Distance between the knots of the fitted curves.",
        label="Knot spacing",
        step=0.01,
        folded=True,
    ),
    Option(
        name="smoothing",
        type=int,
        unset=1,
        unset_text="1, none",
        max=MAX_SMOOTHING,
        help="Width of the median filter on the alignment, in samples; an odd number.",
        label="Smoothing",
        step=2,
        folded=True,
    ),
    Option(
        name="reference",
        type=int,
        unset_text="the clip closest to all others",
        min=0,
        help="Clip that the others are registered to, counted from 0.",
        label="Reference clip",
        folded=True,
    ),
    Option(
        name="form",
        type=Form,
        unset="reversible",
        help="Rule of the time alignment: the same from either end, or that of the thesis.",
        label="Alignment rule",
        labels={"reversible": "Reversible", "thesis": "As in the thesis"},
        folded=True,
    ),
    Option(
        name="fit",
        type=FitMode,
        unset="exact",
        help="How the timewarp curve is fitted: exactly, by nudging (thesis) or as in the paper's appendix.",
        label="Curve fit",
        labels={"exact": "Exact", "nudge": "Nudged (thesis)", "appendix": "Appendix (paper)"},
        folded=True,
    ),
)
"""Options of :func:`motionloom.register`; None takes the value of the profile."""
