"""Recipes: how each clip of a project comes about, as plain data.

A recipe says the same as one call of the command line, and is evaluated by the same functions. Sources are
the ids of other items of the document. Frames count from 0 in the source as it is shown; times are seconds,
lengths metres, angles radians.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from motionloom.project.option_fields import RegistrationFields
from motionloom.project.plain_data import FORMERLY


@dataclass(frozen=True, kw_only=True)
class FileRecipe:
    """A motion file in the project's folder; ``path`` is relative to it, with forward slashes."""

    type: Literal["file"] = "file"
    path: str


@dataclass(frozen=True, kw_only=True)
class MotionRecipe:
    """A built-in motion with its options, as ``motionloom synthesize`` names them (turns in degrees)."""

    type: Literal["motion"] = "motion"
    motion: str
    options: dict[str, float | str]


@dataclass(frozen=True, kw_only=True)
class RegistrationRecipe(RegistrationFields):
    """How clips are registered before they are blended.

    ``cut`` and the options of :func:`motionloom.register`; ``pins``, ``start`` and ``end`` are frames of the
    clips before they are cut. None is what the profile says.
    """


@dataclass(frozen=True, kw_only=True)
class WeightKey:
    """Weights of all clips at a time of the blend."""

    time: float
    weights: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class BlendRecipe:
    """A blend of two clips or more: constant ``weights``, or ``keys`` of weights over time in their place.

    ``in_place`` takes the travel out of the result. ``repeat`` plays clips that end again, from where the
    body is, until ``duration`` is over.
    """

    type: Literal["blend"] = "blend"
    sources: tuple[str, ...]
    weights: tuple[float, ...]
    keys: tuple[WeightKey, ...] = ()
    easing: Literal["smooth", "linear", "hold"] = "smooth"
    duration: float | None = field(default=None, metadata={FORMERLY: "seconds"})
    rate_law: Literal["auto", "frequency", "duration", "ballistic"] = field(
        default="auto", metadata={FORMERLY: "rate"}
    )
    average: Literal["nlerp", "karcher", "park"] = "nlerp"
    method: Literal["registration", "linear"] = "registration"
    parts: dict[str, tuple[float, ...]] | None = None
    plant: bool = True
    in_place: bool = False
    repeat: bool = False
    allow_unfit: bool = field(default=False, metadata={FORMERLY: "even_if_unfit"})
    registration: RegistrationRecipe = RegistrationRecipe()


@dataclass(frozen=True, kw_only=True)
class TransitionRecipe:
    """From one clip to another; ``at`` are the frames that meet in the middle, None finds them.

    ``keep`` is the fraction of each clip that must play if frames are found, 1 for all of it; None is the
    default. ``alignment`` is that of :func:`motionloom.transition`.
    """

    type: Literal["transition"] = "transition"
    first: str
    second: str
    at: tuple[int, int] | None = None
    half_width: float | None = None
    keep: float | None = None
    method: Literal["registration", "linear", "inertialize", "dead"] = "registration"
    alignment: Literal["auto", "windowed"] = "auto"
    loop: bool = False
    plant: bool = False


@dataclass(frozen=True, kw_only=True)
class EnforceRecipe:
    """A clip whose planted feet and hands stay put; ``ground`` None finds the floor."""

    type: Literal["enforce"] = "enforce"
    source: str
    ground: float | None = None
    stretch: float | None = None


@dataclass(frozen=True, kw_only=True)
class LoopRecipe:
    """A cycle of a clip, closed so that it repeats without a jump.

    ``near`` is the frame of the source near which the middle of the cycle is to lie; None takes a cycle that
    represents the clip. ``cycles`` are the strides or repetitions to keep; None keeps as many as possible,
    and one with ``near``.
    """

    type: Literal["loop"] = "loop"
    source: str
    near: int | None = None
    cycles: int | None = None


@dataclass(frozen=True, kw_only=True)
class JointKey:
    """A key of a warp: one of the kinds at a time of the source, with its ease in seconds; None holds."""

    time: float
    joint: str
    kind: Literal["rotate", "orient", "move", "reach", "scale"]
    value: tuple[float, ...]
    ease: float | None = 0.7


@dataclass(frozen=True, kw_only=True)
class WarpRecipe:
    """A clip reshaped by keys, and retimed by pairs of source time and new time; or by a warp preset.

    ``saved`` is the text of a warp file, whose keys are found in the source and applied before the others.
    """

    type: Literal["warp"] = "warp"
    source: str
    keys: tuple[JointKey, ...] = ()
    times: tuple[tuple[float, float], ...] = ()
    preset: str | None = field(default=None, metadata={FORMERLY: "ready"})
    amount: float = 1.0
    keep_plants: bool = False
    saved: str | None = None


@dataclass(frozen=True, kw_only=True)
class FramespaceRecipe:
    """Cyclic clips mixed along a curve; vertices are (x, v), or (x, v, w) in a box of four, each 0 to 1."""

    type: Literal["framespace"] = "framespace"
    sources: tuple[str, ...]
    curve: tuple[tuple[float, ...], ...]
    upper: tuple[tuple[float, ...], ...] | None = None
    cycles: float = 6.0
    polyline: bool = False
    decoupled: bool = False
    loop: bool = False


@dataclass(frozen=True, kw_only=True)
class SequenceRecipe:
    """Clips in a row, with a transition from each to the next, as :func:`motionloom.concatenate` makes it."""

    type: Literal["sequence"] = "sequence"
    sources: tuple[str, ...]
    half_width: float | None = None
    keep: float | None = None
    method: Literal["registration", "linear", "inertialize", "dead"] = "registration"
    plant: bool = False


@dataclass(frozen=True, kw_only=True)
class CopyRecipe:
    """Another version of a clip, which has an edit of its own.

    ``place`` rotates it by a yaw in radians and moves it by x and z in metres; ``fps`` is its frame rate.
    """

    type: Literal["copy"] = "copy"
    source: str
    place: tuple[float, float, float] | None = None
    fps: float | None = None


@dataclass(frozen=True, kw_only=True)
class RetargetRecipe:
    """A clip on another skeleton: that of the clip ``to``, or that of a file of the project at ``path``.

    ``joint_map`` holds what somebody corrected of the joint map: the source joint that drives a target joint,
    or None for a joint that stays at rest.
    """

    type: Literal["retarget"] = "retarget"
    source: str
    to: str | None = None
    path: str | None = None
    joint_map: dict[str, str | None] = field(default_factory=dict)
    plant: bool = True


Recipe = (
    FileRecipe
    | MotionRecipe
    | BlendRecipe
    | TransitionRecipe
    | EnforceRecipe
    | LoopRecipe
    | WarpRecipe
    | FramespaceRecipe
    | SequenceRecipe
    | CopyRecipe
    | RetargetRecipe
)


def sources_of(recipe: Recipe) -> tuple[str, ...]:
    """Return the ids of the items that a recipe takes motion from.

    >>> sources_of(TransitionRecipe(first="a", second="b"))
    ('a', 'b')
    """
    match recipe:
        case BlendRecipe() | FramespaceRecipe() | SequenceRecipe():
            return recipe.sources
        case TransitionRecipe():
            return (recipe.first, recipe.second)
        case EnforceRecipe() | LoopRecipe() | WarpRecipe() | CopyRecipe():
            return (recipe.source,)
        case RetargetRecipe():
            return (recipe.source,) if recipe.to is None else (recipe.source, recipe.to)
        case FileRecipe() | MotionRecipe():
            return ()
