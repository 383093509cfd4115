"""What a stage returns: the motion that it made, and its report.

Wherever a clip is taken, a result is taken as well: :func:`unwrap` is the one place that takes its clip.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Generic, NoReturn, overload

from motionloom.errors import ParameterError
from motionloom.motion.clip import Clip
from motionloom.motion.motion import Motion
from motionloom.motion.point_clip import PointClip
from motionloom.motion.skeleton import Skeleton

if TYPE_CHECKING:
    # Type checkers know defaults of type variables; Python does from 3.13 on.
    from typing_extensions import TypeVar

    ReportT = TypeVar("ReportT", covariant=True)
    ClipT = TypeVar("ClipT", bound=Motion, covariant=True, default=Clip)
else:
    from typing import TypeVar

    ReportT, ClipT = TypeVar("ReportT"), TypeVar("ClipT")

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Result(Generic[ReportT, ClipT]):
    """What a function that makes motion returns; taken by all functions that take clips.

    Attributes
    ----------
    clip
        The motion.
    report
        What the function has to say about it.

    >>> from motionloom.synthesis import walk
    >>> result = Result(walk(duration=1.0, fps=30).clip, "a walk of one second")
    >>> result.clip.n_frames, result.report
    (31, 'a walk of one second')
    >>> result.n_frames
    Traceback (most recent call last):
    ...
    AttributeError: a Result has no 'n_frames', but its clip has: use .clip.n_frames
    """

    clip: ClipT
    report: ReportT

    def show(self) -> None:
        """Show the clip: below the cell of a notebook, elsewhere as a page in the browser.

        >>> result.show()    # doctest: +SKIP
        """
        import motionloom

        motionloom.show(self)

    if not TYPE_CHECKING:

        def __class_getitem__(cls, parameters):
            # Result[WarpReport] has a clip with a skeleton, as type checkers have it.
            if cls is Result and not isinstance(parameters, tuple):
                parameters = parameters, Clip
            return super().__class_getitem__(parameters)

        # Type checkers are to find the names that there are.
        def __getattr__(self, name: str) -> NoReturn:
            own = type(self).__name__
            clip = self.__dict__.get("clip")
            if clip is not None and not name.startswith("_") and hasattr(clip, name):
                raise AttributeError(f"a {own} has no {name!r}, but its clip has: use .clip.{name}")
            raise AttributeError(f"a {own} has no {name!r}: its motion is .clip, what is said of it .report")


ClipLike = Clip | Result[object, Clip]
"""A clip with a skeleton, or a result with one."""

PointClipLike = PointClip | Result[object, PointClip]
"""A clip of points, or a result with one."""

MotionLike = Clip | PointClip | Result[object, Clip] | Result[object, PointClip]
"""A clip of either kind, or a result with one."""


@overload
def unwrap(given: ClipLike) -> Clip: ...
@overload
def unwrap(given: PointClipLike) -> PointClip: ...
@overload
def unwrap(given: MotionLike) -> Clip | PointClip: ...
@overload
def unwrap(given: object) -> object: ...
def unwrap(given: object) -> object:
    """Return the clip of a result, and anything else as it is.

    >>> unwrap("walk.bvh")
    'walk.bvh'
    """
    return given.clip if isinstance(given, Result) else given


def check_clip(what: str, clip: object) -> Clip:
    """Return the clip, or that of a result; the error of a function called ``what`` names what it was given.

    >>> check_clip("warp", "walk.bvh")
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: warp takes a clip with a skeleton, not a str: read it (motionloom.load)
    """
    clip = unwrap(clip)
    if isinstance(clip, Clip):
        return clip
    raise ParameterError(f"{what} takes a clip with a skeleton, not {_kind(clip)}")


def refuse_for_points(what: str, **given: bool) -> None:
    """Refuse options, by name and whether they were given, that a clip of points has no use for.

    >>> refuse_for_points("enforce", stretch=False, ground=True)
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: enforce: ground needs a skeleton, and the clip has points: leave it out
    """
    for name, is_given in given.items():
        if is_given:
            raise ParameterError(f"{what}: {name} needs a skeleton, and the clip has points: leave it out")


def check_clips(what: str, clips: object) -> tuple[Clip, ...]:
    """Return one or more clips, or those of results, as a tuple.

    >>> check_clips("match_strides", ["walk.bvh"])
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: match_strides takes clips with skeletons, but clip 0 is a str: \
read it (motionloom.load)
    """
    if isinstance(clips, str | Result) or hasattr(clips, "n_frames") or not isinstance(clips, Iterable):
        raise ParameterError(f"{what} takes a list of clips with skeletons, not {_kind(clips)}")
    listed = tuple(map(unwrap, clips))
    if not listed:
        raise ParameterError(f"{what} takes at least one clip: the list is empty")
    for n, clip in enumerate(listed):
        if not isinstance(clip, Clip):
            raise ParameterError(f"{what} takes clips with skeletons, but clip {n} is {_kind(clip)}")
    return listed


def check_skeleton(what: str, body: object) -> Skeleton:
    """Return the skeleton, or that of a clip or a result.

    >>> check_skeleton("joint_mapping", Skeleton(["root"], [-1], [[0, 0, 0]])).n_joints
    1
    """
    body = unwrap(body)
    if isinstance(body, Clip):
        return body.skeleton
    if isinstance(body, Skeleton):
        return body
    raise ParameterError(f"{what} takes a skeleton or a clip, not {_kind(body)}")


def _kind(value: object) -> str:
    """Name the type of a value that is no clip, and say how to read it where it may be a path."""
    if value is None:
        return "None"
    hint = ": read it (motionloom.load)" if isinstance(value, str | PathLike) else ""
    return f"a {type(value).__name__}{hint}"
