"""Built-in motions: their names and options, for the page to offer."""

from __future__ import annotations

from collections.abc import Callable

from motionloom.studio.responses import BuiltInMotion, MotionOption, Motions

HEADINGS = {
    "walk": "Gaits",
    "jog": "Gaits",
    "sneak": "Gaits",
    "turn_walk": "Turns while walking",
    "turn_in_place": "Turns on the spot",
    "jump": "Jumps",
    "kick": "Kicks and punches",
    "punch": "Kicks and punches",
    "reach_out": "Reaching",
    "stand": "Standing",
    "idle": "Standing",
}
"""Under which heading motions are listed, by the function that makes them."""

LABELS = {
    "speed": "Speed (m/s)",
    "curvature": "Curvature (1/m, left is positive)",
    "turn": "Turn (degrees, left is positive)",
    "side": "Side",
    "target": "Target position (m)",
    "energy": "Energy",
    "height": "Height (m)",
    "duration": "Duration (s)",
    "phase": "Starting phase (cycles)",
    "gait": "Gait style",
    "fps": "Frame rate (fps)",
}
"""What options are called, in the order in which they are asked for."""

CHOICES = {"side": ("left", "right")}

EXAMPLES = {"target": "x,y,z", "gait": "arm_swing=1.5,crouch=0.1"}


def list_motions() -> Motions:
    """List the built-in motions with their options.

    >>> walk = list_motions().motions[0]
    >>> walk.name, walk.heading, walk.options[0].label, walk.options[0].default
    ('walk', 'Gaits', 'Speed (m/s)', 1.4)
    """
    from motionloom.synthesis import MOTIONS

    return Motions(motions=tuple(_motion(name, MOTIONS[name]) for name in MOTIONS))


def _motion(name: str, make: Callable[..., object]) -> BuiltInMotion:
    from motionloom.synthesis.motions import option_defaults

    usual = option_defaults(name)
    # Those that are named left and right are one function with an option filled in.
    maker = getattr(make, "func", make)
    return BuiltInMotion(
        name=name,
        heading=HEADINGS[maker.__name__],
        options=tuple(_option(option, usual[option]) for option in LABELS if option in usual),
    )


def _option(name: str, default: float | str | None) -> MotionOption:
    from motionloom.synthesis.motions import STRING_OPTIONS

    return MotionOption(
        name=name,
        label=LABELS[name],
        is_string=name in STRING_OPTIONS,
        default=default,
        choices=CHOICES.get(name, ()),
        example=EXAMPLES.get(name, ""),
    )
