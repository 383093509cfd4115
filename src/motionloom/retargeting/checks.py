"""What callers give where a motion, or a body, is asked for."""

from __future__ import annotations

from motionloom.errors import ParameterError
from motionloom.motion import Clip, PointClip, Skeleton


def checked_clip(what: str, clip: Clip) -> Clip:
    """The clip, or an error that says what takes one with a skeleton.

    >>> checked_clip("warp", "walk.bvh")
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: warp takes a clip with a skeleton, not a str: read it (motionloom.load)
    """
    if isinstance(clip, Clip):
        return clip
    raise ParameterError(f"{what} takes a clip with a skeleton, not {_kind(clip)}")


def checked_skeleton(what: str, body: Skeleton | Clip) -> Skeleton:
    """The skeleton, or that of a clip, or an error that says what takes one.

    >>> from motionloom.synthesis.body import biped
    >>> checked_skeleton("joint_mapping", biped()).n_joints
    22
    """
    if isinstance(body, Skeleton):
        return body
    if isinstance(body, Clip):
        return body.skeleton
    raise ParameterError(f"{what} takes a skeleton or a clip of it, not {_kind(body)}")


def _kind(value: object) -> str:
    if value is None or isinstance(value, PointClip):
        return "None" if value is None else "a PointClip"
    return f"a {type(value).__name__}: read it (motionloom.load)"
