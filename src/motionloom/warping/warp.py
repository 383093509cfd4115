"""Motion warping: reshape one clip with a few keys, and report which of them hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation.floor import Surface
from motionloom.arrays import freeze
from motionloom.enforcement import EnforcementReport
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.clip import check_clip
from motionloom.motion.constraint import crop_constraints
from motionloom.validation import check_number
from motionloom.warping.curves import Step, joint_of, warped
from motionloom.warping.keys import Key
from motionloom.warping.plants import free_seconds, plants_found, with_feet_below, with_plants_kept
from motionloom.warping.solve_keys import solved_warp, step_of
from motionloom.warping.times import TimeKeys, TimeMap, retimed_clip
from motionloom.warping.warp_data import Layer, Warp

MOST = 100.0
"""Largest amount: beyond it angles and times leave what numbers can hold, and no motion looks like it."""

REACHED = 0.001
"""Metres within which a joint is where its key wants it."""


@dataclass(frozen=True)
class KeyOutcome:
    """How well a key that names a place or a rotation is met in the result.

    Attributes
    ----------
    key
        As it was given.
    time
        When it happens in the result, seconds.
    distance
        Metres between where the joint is and where the key wants it; 0 for keys that name no place.
    angle
        Radians between the joint's rotation and the one the key names; 0 for keys that name none.
    """

    key: Key
    time: float
    distance: float
    angle: float

    @property
    def is_reached(self) -> bool:
        """Whether the joint is within 1 mm of its place."""
        return self.distance <= REACHED

    def __str__(self) -> str:
        off = [] if self.key.reach is None else [f"{self.distance * 1000:.2f} mm"]
        off += [] if self.key.orient is None else [f"{np.degrees(self.angle):.3f}°"]
        state = "" if self.is_reached else ": out of reach"
        return f"{self.key}, at {self.time:.3f} s of the result: {' and '.join(off)} off{state}"


@dataclass(frozen=True)
class WarpReport:
    """The report of :func:`motionloom.warp`.

    Attributes
    ----------
    warp
        The warp that was applied, with reaches and orientations solved into offsets: it can be scaled,
        undone and saved.
    n_keys, n_moments
        How many keys were given, and at how many moments.
    outcomes
        One entry for every key that names a place or a rotation.
    duration
        Seconds that the result lasts.
    slowest, fastest
        Smallest and largest source seconds per second of the result.
    plants
        What keeping the feet in place did, or None where that was not asked for.
    notes
        Sentences about what was decided or left out.
    """

    warp: Warp
    n_keys: int
    n_moments: int
    outcomes: tuple[KeyOutcome, ...]
    duration: float
    slowest: float = 1.0
    fastest: float = 1.0
    plants: EnforcementReport | None = None
    notes: tuple[str, ...] = ()

    @property
    def counted(self) -> str:
        """The number of keys and of their moments, in words."""
        keys = f"{self.n_keys} key{'' if self.n_keys == 1 else 's'}"
        return f"{keys} at {self.n_moments} moment{'' if self.n_moments == 1 else 's'}"

    @property
    def unreached(self) -> tuple[KeyOutcome, ...]:
        """The keys whose joints do not come to their places."""
        return tuple(outcome for outcome in self.outcomes if not outcome.is_reached)

    def __str__(self) -> str:
        lines = [f"{self.counted}; {self.duration:.2f} s long"]
        if (self.slowest, self.fastest) != (1.0, 1.0):
            lines.append(f"time runs {self.slowest:.2f} to {self.fastest:.2f} times as fast as the source's")
        lines += map(str, self.outcomes)
        if self.plants is not None:
            lines += str(self.plants).splitlines()
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def outcomes_of(
    result: Clip, keys: Sequence[Key], times: Sequence[TimeKeys], duration: float
) -> tuple[KeyOutcome, ...]:
    """Measure on the result how well keys with places and rotations are met; ``duration`` is the source's."""
    wishes = [key for key in keys if key.reach is not None or key.orient is not None]
    if not wishes:
        return ()
    moments = [_moment(key, times, duration) for key in wishes]
    frames = np.clip(np.array(moments) / result.frame_time, 0.0, result.n_frames - 1.0)
    poses = result.at(frames, "catmull_rom")
    places, worlds = poses.world_positions(), poses.world_rotations()
    found = []
    for n, key in enumerate(wishes):
        joint = joint_of(key, result.skeleton)
        distance = angle = 0.0
        if key.reach is not None:
            point = rot.rotate(worlds[n, joint], np.zeros(3) if key.point is None else np.asarray(key.point))
            distance = float(np.linalg.norm(places[n, joint] + point - key.vector))
        if key.orient is not None:
            here = worlds[n, joint] if key.reach is not None else poses.rotations[n, joint]
            off = rot.to_rotation_vector(rot.multiply(rot.inverse(here), np.asarray(key.orient)))
            angle = float(np.linalg.norm(off))
        found.append(KeyOutcome(key, float(moments[n]), distance, angle))
    return tuple(found)


def rates_of(times: Sequence[TimeKeys], duration: float) -> tuple[float, float]:
    """The smallest and the largest rate of the whole body's time."""
    whole = next((keys for keys in times if not keys.joint), None)
    if whole is None:
        return 1.0, 1.0
    mapped = TimeMap(whole, duration)
    rates = mapped.rate(np.linspace(0.0, mapped.duration, 1000))
    return float(rates.min()), float(rates.max())


def _moment(key: Key, times: Sequence[TimeKeys], duration: float) -> float:
    whole = next((keys for keys in times if not keys.joint), None)
    return key.time if whole is None else float(TimeMap(whole, duration).new(key.time))


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
        constraints=crop_constraints(clip.constraints, 0.0, last) if clip.cyclic else clip.constraints,
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


def checked_amount(amount: float) -> float:
    """The amount of a warp, or an error when it is far too large.

    >>> checked_amount(-0.5)
    -0.5
    """
    number = check_number("the amount of a warp", amount)
    if abs(number) > MOST:
        raise ParameterError(f"the amount of a warp must lie between -{MOST:g} and {MOST:g}, not {number:g}")
    return number


def scale_warp(clip: Clip, made: Warp, amount: float) -> Warp:
    """A warp with all its changes ``amount`` times as large; reaches are solved for the clip first.

    >>> from motionloom.synthesis import stand
    >>> from motionloom.warping import Key
    >>> nod = Warp.of([Key(0.5, "Head", rotate=(0.4, 0, 0))])
    >>> scale_warp(stand(duration=1.0).clip, nod, 0.5).keys[0].rotate
    (0.2, 0.0, 0.0)
    """
    amount = checked_amount(amount)
    return made if amount == 1.0 else solved_warp(clip, made).scaled(amount)
