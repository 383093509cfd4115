"""`RegistrationRecipe`: how the clips of a blend are registered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from motionloom.project.plain_data import MAX_ENTRIES
from motionloom.project.recipes.recipe import MAX_NAMES, MAX_SOURCES, MAX_VERTICES, Progress, drop_none
from motionloom.project.shell_code import write_options, write_row

if TYPE_CHECKING:
    from motionloom.motion import Clip
    from motionloom.registration import RegistrationCurve
    from motionloom.workflows import Prepared

    Registered = tuple[RegistrationCurve, Prepared]


@dataclass(frozen=True, kw_only=True)
class RegistrationRecipe:
    """How clips are registered before they are blended.

    ``cut`` "auto" takes the same strides of gaits and everything else whole, or by parts where whole clips do
    not fit, as :func:`motionloom.mix` does; "loops" closes one cycle of each; "parts" takes the part that the
    clips have in common; "whole" takes clips as they are. ``pins`` are frames, one per clip,
    that are to correspond; ``start`` are those from which on the clips do, None is where they begin.
    ``alignment`` "windowed" aligns window by window.
    """

    cut: Literal["auto", "loops", "parts", "whole"] = "auto"
    profile: Literal["default", "paper", "thesis"] = "default"
    slope_limit: int | None = None
    window: float | None = None
    joint_weights: dict[str, float] | None = field(default=None, metadata={MAX_ENTRIES: (MAX_NAMES,)})
    alignment: Literal["auto", "windowed"] = "auto"
    pins: tuple[tuple[float, ...], ...] = field(
        default=(), metadata={MAX_ENTRIES: (MAX_VERTICES, MAX_SOURCES)}
    )
    start: tuple[float, ...] | None = field(default=None, metadata={MAX_ENTRIES: (MAX_SOURCES,)})

    def register(self, clips: Sequence[Clip], progress: Progress | None = None) -> Registered:
        """Prepare and register clips; returns the curve, and how the clips were prepared."""
        from motionloom.workflows import prepare_and_register

        prepared, curve = prepare_and_register(clips, cut=self.cut, progress=progress, **self.options())
        return curve, prepared

    def options(self) -> dict[str, Any]:
        """Return the arguments of :meth:`motionloom.workflows.Prepared.register` that differ from defaults.

        >>> RegistrationRecipe(slope_limit=2).options()
        {'slope_limit': 2}
        """
        return drop_none(
            profile=None if self.profile == "default" else self.profile,
            slope_limit=self.slope_limit,
            window=self.window,
            alignment=None if self.alignment == "auto" else self.alignment,
            pins=self.pins or None,
            start=self.start,
            joint_weights=self.joint_weights,
        )

    def command_words(self) -> list[str]:
        """Return the options of ``motionloom register``.

        >>> RegistrationRecipe(cut="loops", slope_limit=2).command_words()
        ['--cut=loops', '--slope-limit=2']
        """
        words = [] if self.cut == "whole" else [f"--cut={self.cut}"]
        for name, value in self.options().items():
            match name:
                case "pins":
                    words += [f"--pin={write_row(pin)}" for pin in value]
                case "start":
                    words.append(f"--start={write_row(value)}")
                case "joint_weights":
                    words += [f"--joint-weight={joint}={weight!r}" for joint, weight in value.items()]
                case _:
                    words += write_options({name: value})
        return words


DEFAULT_REGISTRATION = RegistrationRecipe()
"""A registration with nothing stated."""
