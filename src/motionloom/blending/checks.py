"""What blends ask of the things they are given, in sentences that say what to give instead."""

from __future__ import annotations

from collections.abc import Mapping

from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.registration import RegistrationCurve
from motionloom.validation import check_number


def check_curve(what: str, curve: object) -> None:
    """Refuse what is no registration curve: most often the clips themselves.

    >>> check_curve("blend", ["walk.bvh"])
    Traceback (most recent call last):
    motionloom.errors.ParameterError: blend takes a registration curve, not a list: register the clips first \
(motionloom.register)
    """
    if not isinstance(curve, RegistrationCurve):
        raise ParameterError(
            f"{what} takes a registration curve, not a {type(curve).__name__}: "
            "register the clips first (motionloom.register)"
        )


def check_place(place: object) -> None:
    """Refuse a place that is no :class:`GroundTransform`; None is the clips' own."""
    if place is not None and not isinstance(place, GroundTransform):
        raise ParameterError(f"place must be a GroundTransform(yaw, x, z), not {place!r}")


def check_joint_weights(given: object) -> None:
    """Refuse weights of joints that do not go by name; None is no joint of its own."""
    if given is not None and not isinstance(given, Mapping):
        raise ParameterError(f"joint_weights must be a dict of joint name -> K weights, not {given!r}")


def checked_seconds(seconds: float) -> float:
    """The length of a blend in seconds, as a finite float of at least 0."""
    if check_number("seconds", seconds) < 0.0:
        raise ParameterError(f"seconds must be a number of at least 0, not {seconds}")
    return float(seconds)
