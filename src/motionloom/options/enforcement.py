"""Options of `enforce` that are plain values; flights, and a clip to be like, are given in Python."""

from __future__ import annotations

from motionloom.options.option import Option, Table

ENFORCE: Table = (
    Option(
        name="ground",
        type="GroundLike",
        unset_text="detected",
        unit="metres",
        help="Height of a level floor.",
        label="Floor height",
        step=0.01,
        wire="float | None",
    ),
    Option(
        name="stretch",
        type=float,
        default=0.026,
        min=0.0,
        max=0.999,
        form="FRACTION",
        help="Maximum change of bone lengths, as a fraction of them; 0 keeps bones rigid.",
        label="Bone stretch",
        step=0.001,
        wire="float | None",
    ),
    Option(
        name="blend_duration",
        type=float,
        default=0.25,
        min=0.0,
        unit="seconds",
        help="Time over which corrections ease into neighbouring frames.",
        label="Ease",
        step=0.05,
        folded=True,
        wire="float | None",
    ),
)
"""Options of :func:`motionloom.enforce`."""
