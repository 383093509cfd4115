"""Options of `transition`, and of those of its options that `concatenate` takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from motionloom.options.option import Option, Table, choose
from motionloom.options.registration import ALIGNMENT

TransitionMethod = Literal["registration", "linear", "inertialize", "dead"]
"""Methods that choose their own frames to meet at."""

JoinMethod = Literal["registration", "linear", "inertialize", "dead", "overlap"]
"""All methods of :func:`motionloom.transition`."""

Keep = float | Literal["all"]
"""How much of each clip must play: a fraction of its duration, or all of it."""

TRANSITION: Table = (
    Option(
        name="at",
        type=Sequence[float],
        unset_text="similar frames, late in the first clip and early in the second",
        help="Frames of the first and the second clip that meet at the centre of the transition, exactly.",
        example="F1,F2: a frame of each clip, such as 70,40",
        section="rails",
        wire="tuple[int, int] | None",
    ),
    Option(
        name="keep",
        type=Keep,
        unset_text="0.75, or less if the clips are too short",
        min=0.0,
        max=1.0,
        form="all|FRACTION",
        example="all or a fraction from 0 to 1, such as 0.9",
        help="How much of each clip must play, if frames are chosen: a fraction, or all of it.",
        section="choice of how much to keep",
        wire="float | None",
    ),
    Option(
        name="half_width",
        type=float,
        unset_text="one stride, or 0.25 without a gait",
        above=0.0,
        max=600.0,
        unit="seconds",
        help="Half the duration of the transition: from its start to its centre.",
        label="Half width",
        step=0.05,
    ),
    Option(
        name="method",
        type=JoinMethod,
        default="registration",
        help="How to make the transition: along a registration curve, by cross-fade, by inertialization, "
        "by dead blending, or by laying the end of the first clip over the start of the second.",
        label="Method",
        labels={
            "registration": "Registration",
            "linear": "Linear",
            "inertialize": "Inertialization",
            "dead": "Dead blending",
            "overlap": "Overlap",
        },
    ),
    replace(
        ALIGNMENT,
        help="For method registration: windowed grows the time alignment from the centre, for clips that are "
        "unlike away from it.",
    ),
    Option(
        name="snap",
        type=bool,
        default=True,
        help="Keep the frames before and after the transition as they are.",
        note="Let the transition start and end between frames.",
        label="Start and end at whole frames",
        folded=True,
    ),
    Option(
        name="loop",
        type=bool,
        default=False,
        help="Repeat clips that are too short, after closing them to loops if they are not cyclic.",
        label="Loop clips that are too short",
    ),
    Option(
        name="plant",
        type=bool,
        default=False,
        help="Keep planted feet in place.",
        label="Plant feet",
    ),
    Option(
        name="overlap",
        type=tuple[float, float],
        form="S1,S2",
        example="S1,S2: seconds of both clips, such as 0.8,0.5",
        help="For method overlap: seconds at the end of the first clip and at the start of the second.",
        label="Overlap (s)",
        folded=True,
    ),
    Option(
        name="correspondences",
        type=Sequence[tuple[float, float]],
        default=(),
        unset=(),
        flag="--correspond",
        form="T1,T2",
        example="T1,T2: a time of each clip in seconds, such as 3.4,0.3",
        help="For method overlap: times of both clips, in seconds, that must coincide.",
        label="Coinciding times (s)",
        folded=True,
    ),
)
"""Options of :func:`motionloom.transition`."""

_AT, _KEEP, _HALF_WIDTH, _METHOD, _ALIGNMENT, _LOOP, _PLANT, _OVERLAP = choose(
    TRANSITION, "at", "keep", "half_width", "method", "alignment", "loop", "plant", "overlap"
)

CONCATENATE: Table = (
    replace(
        _AT,
        type=Sequence[Sequence[float] | None],
        unset_text="similar frames, late in each clip and early in the next",
        help="Frames of two neighbours at the centre of their transition, for each transition in order.",
        label="Meeting frames",
        section="",
        folded=True,
        unset=(),
        wire="tuple[tuple[float, float], ...]",
    ),
    replace(_KEEP, section="", label="Keep at least", folded=True, wire=""),
    _HALF_WIDTH,
    replace(
        _METHOD,
        help="How to make transitions: along a registration curve, by cross-fade, by inertialization, "
        "by dead blending, or by laying the end of each clip over the start of the next.",
    ),
    replace(_ALIGNMENT, folded=True),
    replace(_LOOP, folded=True),
    _PLANT,
    replace(
        _OVERLAP, help="For method overlap: seconds at the end of each clip and at the start of the next."
    ),
)
"""Options of :func:`motionloom.concatenate`."""
