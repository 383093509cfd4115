"""From keys to functions of time: how each joint is turned and scaled, and how the root is moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry.cardinal import HermiteCurve, cardinal_slopes
from motionloom.motion import Skeleton
from motionloom.warping.keys import SAME_MOMENT, Channel, Key


@dataclass(frozen=True, eq=False)
class ScaleCurve:
    """Factors over time, and from where they count.

    Attributes
    ----------
    logarithms
        Curve of the logarithms of the factors, so that undoing is a change of sign.
    zero
        (4,) rotation or (3,) place; None for the mean rotation over the clip.
    """

    logarithms: HermiteCurve
    zero: FloatArray | None


@dataclass(frozen=True, eq=False)
class WarpCurves:
    """What the keys of one layer do over time, by joint index.

    Attributes
    ----------
    turns
        Rotation vectors (3), radians, in the frames of the joints.
    turn_scales
        Factors on the joints' deviations.
    way
        Shifts (3) of the root, metres; None for none.
    way_scale
        Factors (3) on the root's deviation from a place; None for none.
    """

    turns: Mapping[int, HermiteCurve]
    turn_scales: Mapping[int, ScaleCurve]
    way: HermiteCurve | None = None
    way_scale: ScaleCurve | None = None

    @property
    def are_constant(self) -> bool:
        """Whether nothing changes over time."""
        scales = [*self.turn_scales.values(), *([self.way_scale] if self.way_scale else [])]
        curves = [*self.turns.values(), *(scale.logarithms for scale in scales)]
        curves += [self.way] if self.way else []
        return all(len(curve.knots) == 1 for curve in curves)


def eased_curve(
    times: Sequence[float], values: Sequence[FloatArray], eases: Sequence[float | None], tension: float = 0.0
) -> HermiteCurve:
    """The Cardinal spline through values (N, D) that fades to zero where nothing is near.

    Each key reaches zero ``ease`` seconds away, with slope zero; where the fades of neighbours meet, the
    curve goes from key to key. A key with ease None is held.

    Parameters
    ----------
    times, values, eases
        N moments in increasing order, what holds there, and the seconds over which it fades.
    tension
        0 for a Catmull–Rom spline, 1 for a curve that stops at every key.

    >>> bump = eased_curve([1.0], [np.array([2.0])], [0.5])
    >>> bump([0.0, 0.5, 0.75, 1.0, 1.5]).ravel().tolist()
    [0.0, 0.0, 1.0, 2.0, 0.0]
    """
    nothing = np.zeros_like(values[0])
    knots: list[tuple[float, FloatArray, bool]] = []
    for n, (time, value, ease) in enumerate(zip(times, values, eases, strict=True)):
        since = -np.inf if n == 0 else times[n - 1] + _seconds(eases[n - 1])
        fades_from = time - _seconds(ease)
        if np.isfinite(fades_from) and fades_from >= since:
            if np.isfinite(since) and fades_from - since > SAME_MOMENT:
                knots.append((since, nothing, False))
            knots.append((fades_from, nothing, False))
        knots.append((time, value, True))
    last = eases[-1]
    if last is not None:
        knots.append((times[-1] + last, nothing, False))
    moments, heights = [knot[0] for knot in knots], np.array([knot[1] for knot in knots])
    slopes = cardinal_slopes(moments, heights, tension)
    slopes[[not is_key for _, _, is_key in knots]] = 0.0
    return HermiteCurve(np.array(moments), heights, slopes)


def curves_of(keys: Sequence[Key], skeleton: Skeleton, tension: float) -> WarpCurves:
    """The curves of a layer whose keys are all offsets and scales: reaches and orientations are solved.

    >>> from motionloom.synthesis import biped
    >>> curves = curves_of([Key(0.5, "Spine", rotate=(0.2, 0, 0))], biped(), 0.0)
    >>> [biped().names[joint] for joint in curves.turns]
    ['Spine']
    """
    lanes: dict[tuple[int, Channel], list[Key]] = {}
    for key in keys:
        joint = joint_of(key, skeleton)
        if joint != 0 and key.channel in ("way", "way scale"):
            raise ParameterError(
                f"{key} moves it, but only the root can be moved: use reach for other joints"
            )
        lanes.setdefault((joint, key.channel), []).append(key)
    turns = {joint: _offsets(lane, tension) for (joint, what), lane in lanes.items() if what == "turn"}
    scales = {joint: _scales(lane, tension) for (joint, what), lane in lanes.items() if what == "turn scale"}
    way, way_scale = lanes.get((0, "way")), lanes.get((0, "way scale"))
    return WarpCurves(
        turns,
        scales,
        _offsets(way, tension) if way else None,
        _scales(way_scale, tension) if way_scale else None,
    )


def joint_of(key: Key, skeleton: Skeleton) -> int:
    """The index of a key's joint.

    >>> from motionloom.synthesis import biped
    >>> joint_of(Key(0.0, rotate=(0, 0, 0)), biped())
    0
    """
    return skeleton.index(key.joint) if key.joint else 0


def _seconds(ease: float | None) -> float:
    return np.inf if ease is None else ease


def _offsets(lane: Sequence[Key], tension: float) -> HermiteCurve:
    return eased_curve([k.time for k in lane], [k.vector for k in lane], [k.ease for k in lane], tension)


def _scales(lane: Sequence[Key], tension: float) -> ScaleCurve:
    zeros = {key.zero for key in lane}
    if len(zeros) > 1:
        raise ParameterError(
            f"the scale keys of {lane[0].whom} count from different zeros: give all of them the same one"
        )
    zero = lane[0].zero
    size = 3 if lane[0].channel == "way scale" else 1
    values = [np.log(np.broadcast_to(key.vector, (size,))) for key in lane]
    curve = eased_curve([k.time for k in lane], values, [k.ease for k in lane], tension)
    return ScaleCurve(curve, None if zero is None else np.asarray(zero, dtype=np.float64))
