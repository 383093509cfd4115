"""What measures against sources ask of them."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.errors import ParameterError
from motionloom.motion import Clip


def check_same_joints(clip: Clip, sources: Sequence[Clip]) -> None:
    """Refuse sources whose joints are not those of the clip: both are compared joint by joint."""
    for number, source in enumerate(sources):
        if source.skeleton.names != clip.skeleton.names:
            raise ParameterError(
                f"source {number} has other joints than the clip: they are compared joint by joint, "
                "so both need the same skeleton"
            )
