"""From keys to functions of time, and poses warped by them: q' = q₀ · exp(a log(q₀⁻¹ q)) · exp(b)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.geometry.splines import HermiteCurve, cardinal_slopes
from motionloom.motion import Clip, Pose, Skeleton
from motionloom.motion.sampling import sample_vectors
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


@dataclass(frozen=True, eq=False)
class Step:
    """The curves of one layer, and how they are used.

    Attributes
    ----------
    curves
        What to do over time.
    follow
        Whether the root's way over the ground turns with the body.
    undone
        Whether to undo instead of do.
    """

    curves: WarpCurves
    follow: bool = True
    undone: bool = False


def warped(clip: Clip, steps: Sequence[Step]) -> tuple[FloatArray, FloatArray]:
    """Root positions (T, 3) and local rotations (T, J, 4) of a clip after all steps; fresh arrays.

    Joints and frames that no key touches are copied bit for bit.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> positions, turns = warped(clip, [])
    >>> np.array_equal(turns, clip.rotations)
    True
    """
    times = np.arange(clip.n_frames, dtype=np.float64) * clip.frame_time
    positions, turns = np.array(clip.root_positions), np.array(clip.rotations)
    for step in steps:
        if step.undone:
            # Backwards: the way first, because its turn is read off the turned root.
            positions = _way_undone(positions, turns[:, 0], times, step)
            _turn(turns, times, step)
        else:
            _turn(turns, times, step)
            positions = _way(positions, turns[:, 0], times, step)
    return positions, turns


def warped_at(clip: Clip, steps: Sequence[Step], times: FloatArray) -> Pose:
    """The poses of the continuous warp at source times (N,), seconds.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> warped_at(clip, [], np.array([0.25])).rotations.shape
    (1, 22, 4)
    """
    frames = np.clip(times / clip.frame_time, 0.0, max(clip.n_frames - 1.0, 0.0))
    poses = clip.at(frames, "catmull_rom")
    turns = np.array(poses.rotations)
    for step in steps:
        _turn(turns, times, step)
    if any(_turns_way(step) for step in steps):
        positions = sample_vectors(warped(clip, steps)[0], frames, "catmull_rom")
    else:
        positions = np.array(poses.root_positions)
        for step in steps:
            positions = _shifted(_scaled_way(positions, times, step), times, step)
    return Pose(clip.skeleton, freeze(positions), freeze(turns), poses.translations)


def mean_rotation(turns: FloatArray) -> FloatArray:
    """The rotation (4,) amid rotations (T, 4).

    >>> mean_rotation(rot.from_yaw([0.1, 0.3])).round(6).tolist() == rot.from_yaw(0.2).round(6).tolist()
    True
    """
    near = np.where((turns @ turns[0])[:, None] < 0.0, -turns, turns)
    return rot.normalize(near.sum(axis=0))


def turned(turns: FloatArray, vectors: FloatArray) -> FloatArray:
    """Rotations (N, 4) turned further by rotation vectors (N, 3) in their own frames."""
    return rot.multiply(turns, rot.from_rotation_vector(vectors))


def _turn(turns: FloatArray, times: FloatArray, step: Step) -> None:
    """Turn and scale the joints of rotations (N, J, 4), in place."""
    for joint in sorted({*step.curves.turns, *step.curves.turn_scales}):
        offset, scale = step.curves.turns.get(joint), step.curves.turn_scales.get(joint)
        first, stop = _support(times, [offset, scale.logarithms if scale else None])
        if first == stop:
            continue
        part, at = turns[first:stop, joint], times[first:stop]
        changed = part
        if not step.undone and scale is not None:
            changed = _scaled(changed, scale, np.exp(scale.logarithms(at)))
        if offset is not None:
            changed = turned(changed, -offset(at) if step.undone else offset(at))
        if step.undone and scale is not None:
            changed = _scaled(changed, scale, np.exp(-scale.logarithms(at)))
        signs = np.where(np.einsum("ti,ti->t", changed, part) < 0.0, -1.0, 1.0)
        turns[first:stop, joint] = changed * signs[:, None]


def _support(times: FloatArray, curves: Sequence[HermiteCurve | None]) -> tuple[int, int]:
    """The slice of increasing times (N,) in which one of the curves is not zero."""
    first, stop = len(times), 0
    for curve in curves:
        if curve is None:
            continue
        start = 0 if curve.values[0].any() else int(np.searchsorted(times, curve.knots[0]))
        end = len(times) if curve.values[-1].any() else int(np.searchsorted(times, curve.knots[-1], "right"))
        first, stop = min(first, start), max(stop, end)
    return min(first, stop), stop


def _scaled(turns: FloatArray, scale: ScaleCurve, factors: FloatArray) -> FloatArray:
    """Rotations (N, 4) whose deviation from the zero is multiplied by factors (N, 1)."""
    assert scale.zero is not None
    away = rot.to_rotation_vector(rot.multiply(rot.inverse(scale.zero), turns))
    return rot.multiply(scale.zero, rot.from_rotation_vector(factors * away))


def _turns_way(step: Step) -> bool:
    return step.follow and 0 in step.curves.turns


def _way(positions: FloatArray, after: FloatArray, times: FloatArray, step: Step) -> FloatArray:
    """Root positions (T, 3) scaled, led along turned steps, and shifted."""
    scaled = _scaled_way(positions, times, step)
    if _turns_way(step):
        scaled = _led(scaled, _yaws(after, times, step))
    return _shifted(scaled, times, step)


def _way_undone(positions: FloatArray, after: FloatArray, times: FloatArray, step: Step) -> FloatArray:
    shifted = _shifted(positions, times, step)
    if _turns_way(step):
        shifted = _led(shifted, -_yaws(after, times, step))
    return _scaled_way(shifted, times, step)


def _yaws(after: FloatArray, times: FloatArray, step: Step) -> FloatArray:
    """Turns (T,) about the vertical that the root's offsets make in the world, given its turned rotations."""
    offset = rot.from_rotation_vector(step.curves.turns[0](times))
    # after = before · offset, so the turn in the world is after · offset · after⁻¹.
    return np.unwrap(rot.yaw_of(rot.multiply(rot.multiply(after, offset), rot.inverse(after))))


def _led(positions: FloatArray, yaws: FloatArray) -> FloatArray:
    """The way (T, 3) with each step over the ground turned by the yaw amid it; heights and start stay."""
    if len(positions) < 2:
        return positions
    steps = rot.rotate(rot.from_yaw((yaws[1:] + yaws[:-1]) / 2.0), np.diff(positions, axis=0))
    led = positions.copy()
    led[1:, [0, 2]] = positions[0, [0, 2]] + np.cumsum(steps, axis=0)[:, [0, 2]]
    return led


def _scaled_way(positions: FloatArray, times: FloatArray, step: Step) -> FloatArray:
    scale = step.curves.way_scale
    if scale is None:
        return positions
    assert scale.zero is not None
    sign = -1.0 if step.undone else 1.0
    return np.asarray(scale.zero + np.exp(sign * scale.logarithms(times)) * (positions - scale.zero))


def _shifted(positions: FloatArray, times: FloatArray, step: Step) -> FloatArray:
    if step.curves.way is None:
        return positions
    shift = step.curves.way(times)
    return np.asarray(positions - shift if step.undone else positions + shift)
