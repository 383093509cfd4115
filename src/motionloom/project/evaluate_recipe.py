"""How each kind of recipe makes motion from that of its sources: the same calls as on the command line."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending import BlendResult, KeyedWeights, blend
from motionloom.blending.blend import collect_blend_warnings
from motionloom.blending.layers import part_weights
from motionloom.blending.result import put_blend_in_place
from motionloom.blending.weights import WeightsLike
from motionloom.cycles.cyclify import cyclify, frame_in_cycle, try_cyclify
from motionloom.enforcement import enforce
from motionloom.enforcement.enforce import MAX_STRETCH
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.framespace import Framespace, Interpolant, PolylineInterpolant, SplineInterpolant
from motionloom.geometry import GroundTransform
from motionloom.messages import Message
from motionloom.motion import Clip
from motionloom.motion.deferred import Notes
from motionloom.motion.motion import name_clips
from motionloom.project.recipes import (
    BlendRecipe,
    CopyRecipe,
    EnforceRecipe,
    FramespaceRecipe,
    JointKey,
    LoopRecipe,
    RegistrationRecipe,
    RetargetRecipe,
    SequenceRecipe,
    TransitionRecipe,
    WarpRecipe,
)
from motionloom.registration import RegistrationCurve
from motionloom.retargeting.joint_mapping import joint_mapping
from motionloom.transitions import concatenate, transition
from motionloom.warping import Key, Warp, warp, warp_preset
from motionloom.warping.warp import check_amount, scale_warp
from motionloom.warping.warp_file import warp_from_text
from motionloom.workflows import (
    MixReport,
    Prepared,
    check_fit,
    ensure_annotated,
    plant_blend,
    plant_transition,
    prepare_and_register,
)
from motionloom.workflows.retarget import retarget

Registered = tuple[RegistrationCurve, Prepared]


@dataclass(frozen=True, eq=False, kw_only=True)
class RecipeResult:
    """What a recipe made, with what led there.

    Attributes
    ----------
    clip
        The motion.
    before
        The same before planted feet and hands were held; None where that was not done.
    blend
        What went into each frame, of motion that is mixed.
    curve
        How the sources correspond, where they were registered as a whole.
    frames
        Source frames (T, 1) that a cycle was closed from; None where no cycle was closed.
    notes
        What was found, cut and changed on the way, in sentences.
    """

    clip: Clip
    before: Clip | None = None
    blend: BlendResult | None = None
    curve: RegistrationCurve | None = None
    frames: FloatArray | None = None
    notes: Notes = ()


def register_sources(
    options: RegistrationRecipe, clips: Sequence[Clip], progress: Callable[[int, int], None] | None = None
) -> Registered:
    """Prepare and register the clips of a blend; returns the curve, and how the clips were prepared."""
    stated = registration_options(options)
    prepared, curve = prepare_and_register(clips, cut=options.cut, progress=progress, **stated)
    return curve, prepared


def registration_options(options: RegistrationRecipe) -> dict[str, Any]:
    """Return the arguments of :meth:`motionloom.workflows.Prepared.register` that differ from defaults.

    >>> registration_options(RegistrationRecipe(slope_limit=2))
    {'slope_limit': 2}
    """
    stated = {
        "profile": None if options.profile == "default" else options.profile,
        "slope_limit": options.slope_limit,
        "window": options.window,
        "alignment": None if options.alignment == "auto" else options.alignment,
        "pins": options.pins or None,
        "start": options.start,
        "joint_weights": options.joint_weights,
    }
    return {name: value for name, value in stated.items() if value is not None}


def blend_options(recipe: BlendRecipe) -> dict[str, Any]:
    """Return the arguments of :func:`motionloom.blend` that differ from its defaults.

    >>> blend_options(BlendRecipe(sources=("c1", "c2"), weights=(1, 0), duration=2.0))
    {'duration': 2.0}
    """
    default = BlendRecipe(sources=(), weights=())
    return {
        name: getattr(recipe, name)
        for name in ("duration", "rate_law", "average", "method", "repeat")
        if getattr(recipe, name) != getattr(default, name)
    }


def evaluate_blend(recipe: BlendRecipe, found: Registered) -> RecipeResult:
    """Blend along a registration curve, and plant the feet where asked."""
    curve, prepared = found
    if not recipe.allow_unfit:
        check_fit(curve)
    layers = part_weights(curve.clips[curve.reference].skeleton, recipe.parts or {})
    with collect_blend_warnings() as said:
        blended = blend(curve, weights_of(recipe), joint_weights=layers, **blend_options(recipe))
    result = plant_blend(blended, curve, prepared) if recipe.plant else blended
    if recipe.in_place:
        blended, result = put_blend_in_place(blended), put_blend_in_place(result)
    enforcement = result.report.enforcement if isinstance(result.report, MixReport) else None
    notes = (
        *prepared.notes,
        *curve.report.notes,
        *said,
        *result.report.notes,
        *(() if enforcement is None else enforcement.sentences),
    )
    before = None if enforcement is None else blended.clip
    return RecipeResult(clip=result.clip, before=before, blend=result, curve=curve, notes=notes)


def weights_of(recipe: BlendRecipe) -> WeightsLike:
    """Return the weights of a blend: constant, or keyed where there are keys.

    >>> weights_of(BlendRecipe(sources=("c1", "c2"), weights=(1, 0)))
    (1, 0)
    """
    if not recipe.keys:
        return recipe.weights
    times = [key.time for key in recipe.keys]
    if min(times) < 0.0:
        raise ParameterError(f"a weight key is at {min(times):g} s: times count from the start of the blend")
    if len(set(times)) < len(times):
        twice = next(time for time in times if times.count(time) > 1)
        raise ParameterError(f"two weight keys are at {twice:g} s", remedy="move or remove one of them")
    return KeyedWeights({key.time: key.weights for key in recipe.keys}, recipe.easing)


def evaluate_transition(recipe: TransitionRecipe, first: Clip, second: Clip) -> RecipeResult:
    """Make a transition from one clip to another; with ``loop``, clips are closed to cycles first."""
    given, notes = [ensure_annotated(first), ensure_annotated(second)], []
    clips = given
    if recipe.loop:
        clips = [try_cyclify(clip) for clip in given]
        notes = [
            Message((name, " does not close to a cycle, so it is played once"))
            for name, clip in zip(name_clips(clips), clips, strict=True)
            if not clip.cyclic
        ]
    at: tuple[float, float] | None = recipe.at
    if at is not None and recipe.loop:
        at = (frame_in_cycle(at[0], given[0], clips[0]), frame_in_cycle(at[1], given[1], clips[1]))
    with warnings.catch_warnings():
        # The notes say it too.
        warnings.simplefilter("ignore", RegistrationWarning)
        joined = transition(
            *clips,
            at=at,
            half_width=recipe.half_width,
            method=recipe.method,
            loop=recipe.loop,
            **transition_options(recipe),
        )
    result = plant_transition(joined) if recipe.plant else joined
    before = joined.clip if result is not joined else None
    return RecipeResult(clip=result.clip, before=before, blend=result, notes=(*notes, *joined.report.notes))


def transition_options(recipe: TransitionRecipe) -> dict[str, Any]:
    """Return ``keep`` and ``alignment`` of :func:`motionloom.transition` where they apply and are stated.

    >>> transition_options(TransitionRecipe(first="c1", second="c2", keep=1.0))
    {'keep': 'all'}
    """
    stated: dict[str, Any] = {}
    # A panel keeps both when somebody moves a frame or changes the method.
    if recipe.keep is not None and recipe.at is None:
        stated["keep"] = "all" if recipe.keep == 1.0 else recipe.keep
    if recipe.alignment != "auto" and recipe.method == "registration":
        stated["alignment"] = recipe.alignment
    return stated


def evaluate_sequence(recipe: SequenceRecipe, clips: Sequence[Clip]) -> RecipeResult:
    """Play clips in a row, with transitions between them."""
    if len(clips) < 2:
        raise ParameterError("a sequence takes two clips or more", remedy="check them in the list, in order")
    with warnings.catch_warnings():
        # The notes say it too.
        warnings.simplefilter("ignore", RegistrationWarning)
        result = concatenate([ensure_annotated(clip) for clip in clips], **sequence_options(recipe))
    return RecipeResult(clip=result.clip, blend=result, notes=result.report.notes)


def sequence_options(recipe: SequenceRecipe) -> dict[str, Any]:
    """Return the arguments of :func:`motionloom.concatenate` that differ from its defaults.

    >>> sequence_options(SequenceRecipe(sources=("c1", "c2"), keep=1.0, plant=True))
    {'keep': 'all', 'plant': True}
    """
    stated = {
        "half_width": recipe.half_width,
        "keep": "all" if recipe.keep == 1.0 else recipe.keep,
        "method": None if recipe.method == "registration" else recipe.method,
        "plant": recipe.plant or None,
    }
    return {name: value for name, value in stated.items() if value is not None}


def evaluate_copy(recipe: CopyRecipe, source: Clip) -> RecipeResult:
    """Place and resample a clip."""
    clip = source if recipe.place is None else source.placed(GroundTransform(*recipe.place))
    return RecipeResult(clip=clip if recipe.fps is None else clip.resampled(recipe.fps))


def evaluate_retarget(recipe: RetargetRecipe, source: Clip, target: Clip) -> RecipeResult:
    """Retarget a clip to the skeleton of another, with the corrections of the joint map that apply."""
    annotated = ensure_annotated(source)
    mapping = joint_mapping(annotated, target).redriven(recipe.joint_map) if recipe.joint_map else None
    clip = retarget(annotated, target, mapping=mapping, plant=recipe.plant)
    if clip is annotated:
        return RecipeResult(clip=clip, notes=("the clip has this skeleton already: nothing was changed",))
    return RecipeResult(clip=clip, notes=tuple(str(clip.report).splitlines()[:1]))


def evaluate_enforcement(recipe: EnforceRecipe, source: Clip) -> RecipeResult:
    """Plant the feet and hands of a clip."""
    annotated = ensure_annotated(source)
    if not annotated.constraints:
        notes = ("no foot plants were found: nothing was moved",)
        return RecipeResult(clip=annotated, before=annotated, notes=notes)
    stretch = MAX_STRETCH if recipe.stretch is None else recipe.stretch
    clip = enforce(annotated, ground=recipe.ground, stretch=stretch)
    return RecipeResult(clip=clip, before=annotated, notes=clip.report.sentences)


def evaluate_loop(recipe: LoopRecipe, source: Clip) -> RecipeResult:
    """Close a clip to a cycle; one that is a cycle already stays as it is."""
    clip = cyclify(source, near=recipe.near, cycles=recipe.cycles)
    if source.cyclic:
        return RecipeResult(clip=clip, notes=("the clip is a loop already: nothing was changed",))
    report = clip.report
    frames = np.linspace(report.start, report.end, clip.n_frames, endpoint=False)
    notes = [*str(report).splitlines()]
    if not report.passed:
        notes.append("the ends hardly fit together: choose another frame, or another part of the motion")
    return RecipeResult(clip=clip, frames=frames[:, None], notes=tuple(notes))


def evaluate_warp(recipe: WarpRecipe, source: Clip) -> RecipeResult:
    """Warp a clip by keys, or by a preset."""
    if recipe.preset is not None:
        if recipe.keys or recipe.times or recipe.saved is not None:
            raise ParameterError(
                f"{recipe.preset} is a preset, which takes no keys", remedy="remove the keys or the preset"
            )
        clip = warp_preset(source, recipe.preset, check_amount(recipe.amount))
    else:
        scaled = scale_warp(source, warp_of(recipe), recipe.amount)
        clip = warp(source, scaled, keep_plants=recipe.keep_plants)
    return RecipeResult(clip=clip, notes=tuple(clip.report.notes))


def warp_of(recipe: WarpRecipe) -> Warp:
    """Return the keys of a recipe as a warp.

    >>> key = JointKey(time=0.5, joint="Head", kind="rotate", value=(0.3, 0, 0))
    >>> warp_of(WarpRecipe(source="c1", keys=(key,))).n_moments
    1
    """
    own = Warp.of([_key(key) for key in recipe.keys], list(recipe.times) or None)
    return own if recipe.saved is None else warp_from_text(recipe.saved) + own


def _key(key: JointKey) -> Key:
    if key.kind == "scale" and len(key.value) != 1:
        raise ParameterError(f"a scale key takes one factor, not {len(key.value)} numbers")
    value = key.value[0] if key.kind == "scale" else key.value
    given: dict[str, Any] = {key.kind: value}
    return Key(key.time, key.joint, ease=key.ease, **given)


def open_framespace(recipe: FramespaceRecipe, clips: Sequence[Clip]) -> Framespace:
    """Open the framespace of clips, without a curve through it."""
    return Framespace(clips, decoupled=recipe.decoupled)


def evaluate_framespace(recipe: FramespaceRecipe, space: Framespace) -> RecipeResult:
    """Blend along a curve through a framespace."""
    upper = None if recipe.upper is None else interpolant_of(recipe.upper, recipe.polyline)
    result = space.blend(
        interpolant_of(recipe.curve, recipe.polyline), cycles=recipe.cycles, upper=upper, loop=recipe.loop
    )
    return RecipeResult(clip=result.clip, blend=result, notes=(*space.notes, *result.report.notes))


def interpolant_of(vertices: Sequence[Sequence[float]], polyline: bool) -> Interpolant:
    """Return the curve through vertices (x, v) or (x, v, w).

    >>> interpolant_of([(0, 0), (1, 0.5)], polyline=True)([0.5]).tolist()
    [[0.25]]
    """
    return PolylineInterpolant(vertices) if polyline else SplineInterpolant(vertices)


def set_path(clip: Clip, path: str) -> Clip:
    """Set the path that a clip says it was read from; some formats name the motion by it."""
    if clip.source.path == path:
        return clip
    return replace(clip, source=replace(clip.source, path=path))
