"""`RegistrationRecipe`: how the clips of a blend are registered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from motionloom.options import options_stated
from motionloom.options.command_line import write_words
from motionloom.options.registration import REGISTRATION
from motionloom.project.recipes.option_fields import RegistrationFields
from motionloom.project.recipes.recipe import Progress

if TYPE_CHECKING:
    from motionloom.motion import Clip
    from motionloom.registration import RegistrationCurve
    from motionloom.workflows import Prepared

    Registered = tuple[RegistrationCurve, Prepared]


@dataclass(frozen=True, kw_only=True)
class RegistrationRecipe(RegistrationFields):
    """How clips are registered before they are blended.

    ``cut`` and the options of :func:`motionloom.register`; ``pins``, ``start`` and ``end`` are frames of the
    clips before they are cut. None is what the profile says.
    """

    def register(self, clips: Sequence[Clip], progress: Progress | None = None) -> Registered:
        """Prepare and register clips; returns the curve, and how the clips were prepared."""
        from motionloom.workflows import prepare_and_register

        prepared, curve = prepare_and_register(clips, cut=self.cut, progress=progress, **self.options())
        return curve, prepared

    def options(self) -> dict[str, Any]:
        """Return the arguments of :meth:`motionloom.workflows.Prepared.register` that differ from defaults.

        >>> RegistrationRecipe(window=0.2).options()
        {'window': 0.2}
        """
        return options_stated(REGISTRATION, self)

    def command_words(self) -> list[str]:
        """Return the options of ``motionloom register``.

        >>> RegistrationRecipe(cut="loops", window=0.2).command_words()
        ['--cut=loops', '--window=0.2']
        """
        cut = [] if self.cut == "whole" else [f"--cut={self.cut}"]
        return cut + write_words(REGISTRATION, self.options())


DEFAULT_REGISTRATION = RegistrationRecipe()
"""A registration with nothing stated."""
