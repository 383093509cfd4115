"""Motion warping: reshape one clip with a few keys."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from motionloom.annotation.floor import Surface
from motionloom.arrays import freeze
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.annotations import within
from motionloom.motion.clip import check_clip
from motionloom.warping.apply import Step, warped
from motionloom.warping.curves import joint_of
from motionloom.warping.keys import Key
from motionloom.warping.plants import free_seconds, plants_found, with_feet_below, with_plants_kept
from motionloom.warping.reaching import solved_warp, step_of
from motionloom.warping.report import WarpReport, outcomes_of, rates_of
from motionloom.warping.retiming import retimed_clip
from motionloom.warping.times import TimeKeys, TimeMap
from motionloom.warping.warps import Layer, Warp


def warp(
    clip: Clip,
    keys: Warp | Iterable[Key] = (),
    times: TimeKeys | Iterable[TimeKeys | tuple[float, float]] | None = None,
    *,
    tension: float = 0.0,
    follow: bool = True,
    keep_plants: bool = False,
    ground: float | Surface | None = None,
) -> Clip:
    """Reshape a clip smoothly so that it meets keys, and keep the details of its motion.

    Every joint is turned by a smooth curve through its keys: ``q' = q₀ · exp(a log(q₀⁻¹ q)) · exp(b)``, with
    factors a from scale keys and offsets b from the others. The root is moved likewise, and its way over the
    ground turns with the body. Then time is mapped. Without keys the clip comes back bit for bit.

    Parameters
    ----------
    clip
        Any clip.
    keys
        What shall happen when, in seconds of the source; or a whole :class:`Warp`.
    times
        Pairs (source, new) of seconds, or :class:`TimeKeys` for other curves and for parts of the body.
    tension
        Of the splines through the keys: 0 is Catmull–Rom, 1 stops at every key.
    follow
        Whether the root's way over the ground turns when a key turns the root about the vertical.
    keep_plants
        Whether planted feet and hands stay put. Each plant goes to the middle of where its point is after the
        warp; root and legs then deviate from their keys, and the report says by how much. Reaches are met
        again afterwards.
    ground
        With ``keep_plants``, what the feet stand on: a height, or a function of x and z that gives the height
        of blocks, stairs and terrain. None finds the clip's floor.

    Returns
    -------
    Clip
        The warped motion with, in ``report``, a :class:`WarpReport`.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> limp = warp(clip, [Key(0.6, "LeftLeg", rotate=(0.35, 0, 0))], [(0.6, 0.9)])
    >>> round(limp.duration, 6), limp.report.n_keys
    (2.3, 1)
    """
    check_clip("warp", clip)
    made = _warp_of(keys, times, tension, follow)
    if ground is not None and not keep_plants:
        raise ParameterError("ground says where feet are put, which needs keep_plants=True")
    if not clip.n_frames and (made.keys or made.times):
        raise ParameterError("the clip has no frames that could meet keys")
    notes: tuple[str, ...] = ()
    if keep_plants:
        clip, notes = plants_found(clip)
    # 1. What depends on the clip becomes offsets, 2. which are applied, 3. and time is mapped.
    solved = solved_warp(clip, made)
    steps = [step_of(layer, clip) for layer in solved.layers]
    result = _applied(clip, steps)
    if keep_plants:
        result = with_feet_below(clip, result)
    result = retimed_clip(result, solved.times)
    # 4. Plants go along, and reaches are met again.
    held = None
    if keep_plants:
        result = with_plants_kept(clip, result, ground)
        held = result.report
        result = _reached_again(result, made, clip.duration)
    outcomes = outcomes_of(result, made.keys, made.times, clip.duration)
    counts = len(made.keys), made.n_moments
    rates = rates_of(made.times, clip.duration)
    notes += _cycle_note(clip, result)
    report = WarpReport(solved, *counts, outcomes, result.duration, *rates, held, notes)
    return replace(result, report=report)


def _warp_of(
    keys: Warp | Iterable[Key],
    times: TimeKeys | Iterable[TimeKeys | tuple[float, float]] | None,
    tension: float,
    follow: bool,
) -> Warp:
    if not isinstance(keys, Warp):
        return Warp.of(keys, times, tension=tension, follow=follow)
    if times is not None or tension or not follow:
        raise ParameterError("a Warp has its own times, tension and follow: change it, or give plain keys")
    return keys


def _applied(clip: Clip, steps: list[Step]) -> Clip:
    if not steps:
        return clip
    positions, turns = warped(clip, steps)
    cyclic = clip.cyclic and all(step.curves.are_constant for step in steps)
    # Only in a cycle do constraints reach up to the seam, one frame beyond the last.
    last = clip.n_frames - (0 if cyclic else 1)
    return replace(
        clip,
        root_positions=freeze(positions),
        rotations=freeze(turns),
        constraints=within(clip.constraints, 0.0, last) if clip.cyclic else clip.constraints,
        cyclic=cyclic,
    )


def _reached_again(result: Clip, made: Warp, duration: float) -> Clip:
    """Bring joints to the places of their keys after the body moved; planted feet stay as they are."""
    whole = next((TimeMap(keys, duration) for keys in made.times if not keys.joint), None)
    wishes = []
    for key in made.keys:
        if key.kind == "reach" and joint_of(key, result.skeleton) != 0:
            time = min(key.time if whole is None else float(whole.new(key.time)), result.duration)
            wishes.append(replace(key, time=time, ease=free_seconds(result, key.joint, time, key.ease)))
    wishes = [key for key in wishes if key.ease is None or key.ease > result.frame_time]
    if not wishes:
        return result
    solved = solved_warp(result, Warp((Layer(tuple(wishes)),)))
    return _applied(result, [step_of(layer, result) for layer in solved.layers])


def _cycle_note(clip: Clip, result: Clip) -> tuple[str, ...]:
    if not clip.cyclic or result.cyclic:
        return ()
    return ("the result is not cyclic: keys that fade, time keys and uneven ground change parts of a cycle",)
