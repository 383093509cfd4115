"""Motion warping: reshape one clip with a few keys (Witkin & Popović 1995)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation.ground import Surface
from motionloom.annotation.labels import HEEL
from motionloom.arrays import freeze
from motionloom.enforcement import EnforcementReport
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.messages import Argument
from motionloom.motion import Clip
from motionloom.motion.annotations import crop_constraints
from motionloom.motion.body import on_body
from motionloom.motion.provenance import derive
from motionloom.motion.result import ClipLike, Result, check_clip
from motionloom.validation import check_number
from motionloom.warping.curves import WarpCurves, apply_curves, fit_curves
from motionloom.warping.keys import Key
from motionloom.warping.plants import ensure_plants, hold_plants, keep_feet_level, limit_ease
from motionloom.warping.resolve_warp import resolve_warp
from motionloom.warping.solve_warp import solve_warp
from motionloom.warping.time_keys import Time, TimeKeys
from motionloom.warping.times import TimeMap, retime_clip
from motionloom.warping.warp_data import Layer, Warp

MAX_AMOUNT = 100.0
"""Largest amount of a warp: beyond it angles and times overflow, and nothing looks like motion."""

REACHED = 0.001
"""Metres within which a joint counts as being where its key wants it."""


@dataclass(frozen=True)
class KeyOutcome:
    """How well the result meets a key that names a position or a rotation.

    Attributes
    ----------
    key
        The key as it was given.
    time
        When it happens in the result, seconds.
    distance
        Metres between the joint and the position that the key names; 0 for keys that name none.
    angle
        Radians between the joint's rotation and the one that the key names; 0 for keys that name none.
    """

    key: Key
    time: float
    distance: float
    angle: float

    @property
    def is_reached(self) -> bool:
        """Whether the joint is within 1 mm of its position."""
        return self.distance <= REACHED

    def __str__(self) -> str:
        off = [] if self.key.reach is None else [f"{self.distance * 1000:.2f} mm"]
        off += [] if self.key.orient is None else [f"{np.degrees(self.angle):.3f}°"]
        state = "" if self.is_reached else ": out of reach"
        return f"{self.key}, at {self.time:.3f} s of the result: {' and '.join(off)} off{state}"


@dataclass(frozen=True, repr=False)
class WarpReport:
    """The report of :func:`motionloom.warp`.

    Attributes
    ----------
    warp
        The warp that was applied, with reaches and orientations solved into offsets: it can be scaled,
        undone and saved.
    n_keys, n_moments
        The number of keys, and of different moments that have keys.
    outcomes
        One entry for every key that names a position or a rotation.
    duration
        Duration of the result, seconds.
    min_rate, max_rate
        Smallest and largest source seconds per second of the result.
    plants
        The report of :func:`motionloom.enforce`, or None without ``keep_plants``.
    notes
        Decisions and omissions, in sentences.
    moments
        Named moments of keys and time keys, each with its seconds in the source.
    """

    warp: Warp
    n_keys: int
    n_moments: int
    outcomes: tuple[KeyOutcome, ...]
    duration: float
    min_rate: float = 1.0
    max_rate: float = 1.0
    plants: EnforcementReport | None = None
    notes: tuple[str, ...] = ()
    moments: tuple[tuple[str, tuple[float, ...]], ...] = ()

    @property
    def key_count(self) -> str:
        """The number of keys and of their moments, in words."""
        keys = f"{self.n_keys} key{'' if self.n_keys == 1 else 's'}"
        return f"{keys} at {self.n_moments} moment{'' if self.n_moments == 1 else 's'}"

    @property
    def unreached(self) -> tuple[KeyOutcome, ...]:
        """The keys whose joints do not get to their positions."""
        return tuple(outcome for outcome in self.outcomes if not outcome.is_reached)

    def __str__(self) -> str:
        lines = [f"{self.key_count}; {self.duration:.2f} s long"]
        if (self.min_rate, self.max_rate) != (1.0, 1.0):
            lines.append(
                f"time runs {self.min_rate:.2f} to {self.max_rate:.2f} times as fast as the source's"
            )
        lines += [f"{text}: {', '.join(f'{time:.3f}' for time in times)} s" for text, times in self.moments]
        lines += map(str, self.outcomes)
        if self.plants is not None:
            lines += str(self.plants).splitlines()
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])

    def __repr__(self) -> str:
        missed = f", {len(self.unreached)} out of reach" if self.unreached else ""
        return f"WarpReport({self.key_count}{missed}; {self.duration:.2f} s)"


@on_body
def warp(
    clip: ClipLike,
    keys: Warp | Iterable[Key] = (),
    times: TimeKeys | Iterable[TimeKeys | tuple[Time, float] | tuple[Time, Time, float]] | None = None,
    *,
    tension: float = 0.0,
    follow: bool = True,
    keep_plants: bool = False,
    ground: float | Surface | None = None,
) -> Result[WarpReport]:
    """Reshape a clip smoothly so that it meets keys and keeps the details of its motion.

    Every joint is rotated by a smooth curve through its keys: ``q' = q₀ · exp(a log(q₀⁻¹ q)) · exp(b)``, with
    factors a from scale keys and offsets b from the others. The root is moved likewise, and its path over the
    ground turns with the body. Then time is mapped. Without keys the clip comes back bit for bit.

    Parameters
    ----------
    clip
        Any clip.
    keys
        Keys at seconds or named moments of the source, or a whole :class:`Warp`.
    times
        Pairs (source, new) of seconds, stretches (start, end, factor), or :class:`TimeKeys` for other curves
        and for parts of the body.
    tension
        Tension of the splines through the keys: 0 is Catmull–Rom, 1 stops at every key.
    follow
        Whether the root's path over the ground turns when a key turns the root about the vertical.
    keep_plants
        Whether planted feet and hands stay put. Each plant goes to the mean of its position after the warp;
        root and legs then deviate from their keys, and the report says by how much. Reaches are solved again
        afterwards.
    ground
        With ``keep_plants``, what the feet stand on: a height in metres, or a function of x and z that
        returns the height of blocks, stairs and terrain. None finds the clip's floor.

    Returns
    -------
    Result
        The warped motion, and a :class:`WarpReport`.

    Raises
    ------
    ParameterError
        A key names no joint or moment of the clip, or keys contradict each other.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> limp = warp(clip, [Key(0.6, "LeftLeg", rotate=(0.35, 0, 0))], [(0.6, 0.9)])
    >>> round(limp.clip.duration, 6), limp.report.n_keys
    (2.3, 1)
    """
    clip = check_clip("warp", clip)
    given = _as_warp(keys, times, tension, follow)
    if ground is not None and not keep_plants:
        raise ParameterError(("ground says where feet are put, which needs ", Argument("keep_plants", True)))
    if not clip.n_frames and (given.keys or given.times):
        raise ParameterError("the clip has no frames that could meet keys")
    notes: tuple[str, ...] = ()
    if keep_plants:
        clip, notes = ensure_plants(clip)
        if given.lifts_heels:
            clip = replace(clip, constraints=tuple(c for c in clip.constraints if c.kind != HEEL))
    # 1. Find named moments, joints and axes in the clip, and solve what depends on it into offsets.
    resolved = resolve_warp(clip, given)
    solved = solve_warp(clip, resolved.warp)
    # 2. Apply the curves through them.
    result = _apply_layers(clip, [fit_curves(layer, clip.skeleton) for layer in solved.layers])
    if keep_plants:
        result = keep_feet_level(clip, result)
    # 3. Map time.
    result = retime_clip(result, solved.times)
    # 4. Hold the plants, and solve the reaches again.
    plants = None
    if keep_plants:
        result, plants = hold_plants(clip, result, resolved.ground if ground is None else ground)
        result = _reach_again(result, resolved.warp, clip.duration)
    if clip.cyclic and not result.cyclic:
        notes += (
            "the result is not cyclic: fading keys, time keys and uneven ground change parts of a cycle",
        )
    min_rate, max_rate = _find_rates(solved.times, clip.duration)
    report = WarpReport(
        solved,
        len(given.keys),
        resolved.warp.n_moments,
        _measure_keys(result, resolved.warp.keys, solved.times, clip.duration),
        result.duration,
        min_rate,
        max_rate,
        plants,
        notes,
        resolved.moments,
    )
    return Result(result, report)


def scale_warp(clip: ClipLike, warp: Warp, amount: float) -> Warp:
    """Return a warp with all its changes ``amount`` times as large; reaches are solved for the clip first.

    >>> from motionloom.synthesis import stand
    >>> nod = Warp.of([Key(0.5, "Head", rotate=(0.4, 0, 0))])
    >>> scale_warp(stand(duration=1.0).clip, nod, 0.5).keys[0].rotate
    (0.2, 0.0, 0.0)
    """
    amount = check_amount(amount)
    if amount == 1.0:
        return warp
    body = check_clip("scale_warp", clip).body
    return solve_warp(body, resolve_warp(body, warp).warp).scaled(amount)


def check_amount(amount: float) -> float:
    """Return the amount of a warp, which must not be absurdly large.

    >>> check_amount(-0.5)
    -0.5
    """
    return check_number("the amount of a warp", amount, min=-MAX_AMOUNT, max=MAX_AMOUNT)


def _as_warp(
    keys: Warp | Iterable[Key],
    times: TimeKeys | Iterable[TimeKeys | tuple[Time, float] | tuple[Time, Time, float]] | None,
    tension: float,
    follow: bool,
) -> Warp:
    if not isinstance(keys, Warp):
        return Warp.of(keys, times, tension=tension, follow=follow)
    if times is not None or tension or not follow:
        raise ParameterError("a Warp has its own times, tension and follow: change it, or give plain keys")
    return keys


def _apply_layers(clip: Clip, layers: list[WarpCurves]) -> Clip:
    if not layers:
        return clip
    positions, rotations = apply_curves(clip, layers)
    cyclic = clip.cyclic and all(curves.are_constant for curves in layers)
    # Only in a cycle do constraints reach up to the seam, one frame beyond the last.
    last = clip.n_frames - (0 if cyclic else 1)
    return replace(
        clip,
        root_positions=freeze(positions),
        rotations=freeze(rotations),
        constraints=crop_constraints(clip.constraints, 0.0, last) if clip.cyclic else clip.constraints,
        cyclic=cyclic,
        provenance=derive(clip, "warped"),
    )


def _reach_again(result: Clip, given: Warp, duration: float) -> Clip:
    """Bring joints to the positions of their keys after the body moved; planted feet stay as they are."""
    whole = next((TimeMap(keys, duration) for keys in given.times if not keys.joint), None)
    keys = []
    for key in given.keys:
        if key.kind == "reach" and key.joint_index(result.skeleton) != 0:
            time = min(
                key.seconds if whole is None else float(whole.result_times(key.seconds)), result.duration
            )
            keys.append(replace(key, time=time, ease=limit_ease(result, key.joint, time, key.fade)))
    keys = [key for key in keys if key.fade is None or key.fade > result.frame_time]
    if not keys:
        return result
    solved = solve_warp(result, Warp((Layer(tuple(keys)),)))
    return _apply_layers(result, [fit_curves(layer, result.skeleton) for layer in solved.layers])


def _measure_keys(
    result: Clip, keys: Sequence[Key], times: Sequence[TimeKeys], duration: float
) -> tuple[KeyOutcome, ...]:
    """Measure how well the result meets keys with positions and rotations; ``duration`` is the source's."""
    keys = [key for key in keys if key.reach is not None or key.orient is not None]
    if not keys:
        return ()
    whole = next((group for group in times if not group.joint), None)
    mapped = None if whole is None else TimeMap(whole, duration)
    result_times = [
        key.seconds if mapped is None else float(mapped.result_times(key.seconds)) for key in keys
    ]
    frames = np.clip(np.array(result_times) / result.frame_time, 0.0, result.n_frames - 1.0)
    poses = result.at(frames, "catmull_rom")
    positions, worlds = poses.world_positions(), poses.world_rotations()
    found = []
    for n, key in enumerate(keys):
        joint = key.joint_index(result.skeleton)
        distance = angle = 0.0
        if key.reach is not None:
            point = rot.rotate(worlds[n, joint], np.zeros(3) if key.point is None else np.asarray(key.point))
            distance = float(np.linalg.norm(positions[n, joint] + point - key.vector))
        if key.orient is not None:
            here = worlds[n, joint] if key.reach is not None else poses.rotations[n, joint]
            off = rot.to_rotation_vector(rot.multiply(rot.inverse(here), np.asarray(key.orient)))
            angle = float(np.linalg.norm(off))
        found.append(KeyOutcome(key, float(result_times[n]), distance, angle))
    return tuple(found)


def _find_rates(times: Sequence[TimeKeys], duration: float) -> tuple[float, float]:
    """Return the smallest and the largest rate of the whole body's time."""
    whole = next((keys for keys in times if not keys.joint), None)
    if whole is None:
        return 1.0, 1.0
    mapped = TimeMap(whole, duration)
    rates = mapped.rates(np.linspace(0.0, mapped.duration, 1000))
    return float(rates.min()), float(rates.max())
