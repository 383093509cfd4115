"""Curves through keys: the splines that rotate, scale and move joints over time, and poses warped by them.

A joint's rotation q becomes ``q' = q₀ · exp(a log(q₀⁻¹ q)) · exp(b)``: its deviation from a zero rotation q₀
is scaled by a factor a (scale keys), then an offset b is added (all other keys).
"""

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
from motionloom.warping.warp_data import Layer


@dataclass(frozen=True, eq=False)
class ScaleCurve:
    """Scale factors over time.

    Attributes
    ----------
    logarithms
        Curve of the logarithms of the factors, so that undoing is a change of sign.
    zero
        (4,) rotation or (3,) position from which deviations are scaled; None for the mean rotation.
    axes
        (4,) rotation into the joint's own frame of the axes that three factors belong to; None for its own.
    """

    logarithms: HermiteCurve
    zero: FloatArray | None
    axes: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class WarpCurves:
    """What the keys of one layer do over time, by joint index.

    Attributes
    ----------
    rotations
        Additional rotations: rotation vectors (3), radians, in the frames of the joints.
    rotation_scales
        Factors on the deviations of joint rotations.
    offset
        Offset (3) of the root's position, metres; None for none.
    position_scale
        Factors (3) on the root's distance from a position; None for none.
    follow
        Whether the root's path over the ground turns with the body.
    undone
        Whether the curves are undone instead of applied.
    """

    rotations: Mapping[int, HermiteCurve]
    rotation_scales: Mapping[int, ScaleCurve]
    offset: HermiteCurve | None = None
    position_scale: ScaleCurve | None = None
    follow: bool = True
    undone: bool = False

    @property
    def are_constant(self) -> bool:
        """Whether nothing changes over time."""
        scales = [*self.rotation_scales.values(), *([self.position_scale] if self.position_scale else [])]
        curves = [*self.rotations.values(), *(scale.logarithms for scale in scales)]
        curves += [self.offset] if self.offset else []
        return all(len(curve.knots) == 1 for curve in curves)

    @property
    def turn_path(self) -> bool:
        """Whether the root's path over the ground is turned."""
        return self.follow and 0 in self.rotations


def fit_eased_spline(
    times: Sequence[float], values: Sequence[FloatArray], eases: Sequence[float | None], tension: float = 0.0
) -> HermiteCurve:
    """Fit a Cardinal spline through values (N, D) that fades to zero where no key is near.

    Each key reaches zero ``ease`` seconds away, with slope zero; where the fades of neighbours meet, the
    curve goes from key to key. A key with ease None is held.

    Parameters
    ----------
    times, values, eases
        N increasing times, the values there, and the seconds over which each fades.
    tension
        0 for a Catmull–Rom spline, 1 for a curve that stops at every key.

    >>> bump = fit_eased_spline([1.0], [np.array([2.0])], [0.5])
    >>> bump([0.0, 0.5, 0.75, 1.0, 1.5]).ravel().tolist()
    [0.0, 0.0, 1.0, 2.0, 0.0]
    """
    nothing = np.zeros_like(values[0])
    fades = [np.inf if ease is None else ease for ease in eases]
    knots: list[tuple[float, FloatArray, bool]] = []
    for n, (time, value) in enumerate(zip(times, values, strict=True)):
        faded_out = -np.inf if n == 0 else times[n - 1] + fades[n - 1]
        fades_in = time - fades[n]
        if np.isfinite(fades_in) and fades_in >= faded_out:
            if np.isfinite(faded_out) and fades_in - faded_out > SAME_MOMENT:
                knots.append((faded_out, nothing, False))
            knots.append((fades_in, nothing, False))
        knots.append((time, value, True))
    last = eases[-1]
    if last is not None:
        knots.append((times[-1] + last, nothing, False))
    positions, heights = [knot[0] for knot in knots], np.array([knot[1] for knot in knots])
    slopes = cardinal_slopes(positions, heights, tension)
    slopes[[not is_key for _, _, is_key in knots]] = 0.0
    return HermiteCurve(np.array(positions), heights, slopes)


def fit_curves(layer: Layer, skeleton: Skeleton) -> WarpCurves:
    """Fit the curves of a layer whose keys are all offsets and scales: reaches and orientations are solved.

    >>> from motionloom.synthesis import biped
    >>> curves = fit_curves(Layer((Key(0.5, "Spine", rotate=(0.2, 0, 0)),)), biped())
    >>> [biped().names[joint] for joint in curves.rotations]
    ['Spine']
    """
    lanes: dict[tuple[int, Channel], list[Key]] = {}
    for key in layer.keys:
        joint = key.joint_index(skeleton)
        if joint != 0 and key.channel in ("position", "position scale"):
            raise ParameterError(
                f"{key} moves it, but only the root can be moved", remedy="use reach for other joints"
            )
        lanes.setdefault((joint, key.channel), []).append(key)
    offset, scale = lanes.get((0, "position")), lanes.get((0, "position scale"))
    tension = layer.tension
    return WarpCurves(
        {joint: _fit_offsets(lane, tension) for (joint, what), lane in lanes.items() if what == "rotation"},
        {
            joint: _fit_scales(lane, tension)
            for (joint, what), lane in lanes.items()
            if what == "rotation scale"
        },
        None if offset is None else _fit_offsets(offset, tension),
        None if scale is None else _fit_scales(scale, tension),
        layer.follow,
        layer.undone,
    )


def apply_curves(clip: Clip, layers: Sequence[WarpCurves]) -> tuple[FloatArray, FloatArray]:
    """Return root positions (T, 3) and local rotations (T, J, 4) of a clip after all layers; fresh arrays.

    Joints and frames that no key touches are copied bit for bit.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> positions, rotations = apply_curves(clip, [])
    >>> np.array_equal(rotations, clip.rotations)
    True
    """
    times = np.arange(clip.n_frames, dtype=np.float64) * clip.frame_time
    positions, rotations = np.array(clip.root_positions), np.array(clip.rotations)
    for curves in layers:
        if curves.undone:
            # Backwards: the path first, because its yaw is read off the rotated root.
            positions = _restore_path(positions, rotations[:, 0], times, curves)
            _rotate_joints(rotations, times, curves)
        else:
            _rotate_joints(rotations, times, curves)
            positions = _warp_path(positions, rotations[:, 0], times, curves)
    return positions, rotations


def apply_curves_at(clip: Clip, layers: Sequence[WarpCurves], times: FloatArray) -> Pose:
    """Return the poses of the continuous warp at source times (N,), seconds.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> apply_curves_at(clip, [], np.array([0.25])).rotations.shape
    (1, 22, 4)
    """
    frames = np.clip(times / clip.frame_time, 0.0, max(clip.n_frames - 1.0, 0.0))
    poses = clip.at(frames, "catmull_rom")
    rotations = np.array(poses.rotations)
    for curves in layers:
        _rotate_joints(rotations, times, curves)
    if any(curves.turn_path for curves in layers):
        positions = sample_vectors(apply_curves(clip, layers)[0], frames, "catmull_rom")
    else:
        positions = np.array(poses.root_positions)
        for curves in layers:
            positions = _offset_path(_scale_path(positions, times, curves), times, curves)
    return Pose(clip.skeleton, freeze(positions), freeze(rotations), poses.translations)


def mean_rotation(rotations: FloatArray) -> FloatArray:
    """Return the normalised mean (4,) of rotations (T, 4), with signs that agree with the first.

    >>> mean_rotation(rot.from_yaw([0.1, 0.3])).round(6).tolist() == rot.from_yaw(0.2).round(6).tolist()
    True
    """
    near = np.where((rotations @ rotations[0])[:, None] < 0.0, -rotations, rotations)
    return rot.normalize(near.sum(axis=0))


def _fit_offsets(lane: Sequence[Key], tension: float) -> HermiteCurve:
    return fit_eased_spline(
        [k.seconds for k in lane], [k.vector for k in lane], [k.fade for k in lane], tension
    )


def _fit_scales(lane: Sequence[Key], tension: float) -> ScaleCurve:
    for name in ("zero", "frame"):
        if len({getattr(key, name) for key in lane}) > 1:
            raise ParameterError(
                f"the scale keys of {lane[0].owner} have different {name}s", remedy="give all the same one"
            )
    zero, frame = lane[0].zero, lane[0].frame
    size = 3 if lane[0].channel == "position scale" or any(np.ndim(key.vector) for key in lane) else 1
    values = [np.log(np.broadcast_to(key.vector, (size,))) for key in lane]
    curve = fit_eased_spline([k.seconds for k in lane], values, [k.fade for k in lane], tension)
    return ScaleCurve(
        curve,
        None if zero is None else np.asarray(zero, dtype=np.float64),
        None if isinstance(frame, str) else np.asarray(frame, dtype=np.float64),
    )


def _rotate_joints(rotations: FloatArray, times: FloatArray, curves: WarpCurves) -> None:
    """Scale and rotate the joints of rotations (N, J, 4) at times (N,), in place."""
    sign = -1.0 if curves.undone else 1.0
    for joint in sorted({*curves.rotations, *curves.rotation_scales}):
        offset, scale = curves.rotations.get(joint), curves.rotation_scales.get(joint)
        first, stop = _find_support(times, [offset, scale.logarithms if scale else None])
        if first == stop:
            continue
        part, at = rotations[first:stop, joint], times[first:stop]
        changed = part
        if not curves.undone and scale is not None:
            changed = _scale_rotations(changed, scale, np.exp(scale.logarithms(at)))
        if offset is not None:
            changed = rot.multiply(changed, rot.from_rotation_vector(sign * offset(at)))
        if curves.undone and scale is not None:
            changed = _scale_rotations(changed, scale, np.exp(-scale.logarithms(at)))
        signs = np.where(np.einsum("ti,ti->t", changed, part) < 0.0, -1.0, 1.0)
        rotations[first:stop, joint] = changed * signs[:, None]


def _find_support(times: FloatArray, curves: Sequence[HermiteCurve | None]) -> tuple[int, int]:
    """Return the slice of increasing times (N,) in which one of the curves is not zero."""
    first, stop = len(times), 0
    for curve in curves:
        if curve is None:
            continue
        start = 0 if curve.values[0].any() else int(np.searchsorted(times, curve.knots[0]))
        end = len(times) if curve.values[-1].any() else int(np.searchsorted(times, curve.knots[-1], "right"))
        first, stop = min(first, start), max(stop, end)
    return min(first, stop), stop


def _scale_rotations(rotations: FloatArray, scale: ScaleCurve, factors: FloatArray) -> FloatArray:
    """Multiply the deviations of rotations (N, 4) from the zero by factors (N, 1) or, by axis, (N, 3)."""
    assert scale.zero is not None
    deviations = rot.to_rotation_vector(rot.multiply(rot.inverse(scale.zero), rotations))
    if scale.axes is None:
        scaled = factors * deviations
    else:
        scaled = rot.rotate(scale.axes, factors * rot.rotate(rot.inverse(scale.axes), deviations))
    return rot.multiply(scale.zero, rot.from_rotation_vector(scaled))


def _warp_path(positions: FloatArray, roots: FloatArray, times: FloatArray, curves: WarpCurves) -> FloatArray:
    """Scale, turn and offset root positions (T, 3), given the warped root rotations (T, 4)."""
    scaled = _scale_path(positions, times, curves)
    if curves.turn_path:
        scaled = _turn_path(scaled, _find_yaws(roots, times, curves))
    return _offset_path(scaled, times, curves)


def _restore_path(
    positions: FloatArray, roots: FloatArray, times: FloatArray, curves: WarpCurves
) -> FloatArray:
    """Undo :func:`_warp_path`."""
    restored = _offset_path(positions, times, curves)
    if curves.turn_path:
        restored = _turn_path(restored, -_find_yaws(roots, times, curves))
    return _scale_path(restored, times, curves)


def _find_yaws(roots: FloatArray, times: FloatArray, curves: WarpCurves) -> FloatArray:
    """Return the yaws (T,) that the root's offsets make in the world, given its warped rotations (T, 4)."""
    offset = rot.from_rotation_vector(curves.rotations[0](times))
    # after = before · offset, so the rotation in the world is after · offset · after⁻¹.
    return np.unwrap(rot.yaw_of(rot.multiply(rot.multiply(roots, offset), rot.inverse(roots))))


def _turn_path(positions: FloatArray, yaws: FloatArray) -> FloatArray:
    """Turn each step of a path (T, 3) over the ground by the mean yaw of its ends; heights and start stay."""
    if len(positions) < 2:
        return positions
    steps = rot.rotate(rot.from_yaw((yaws[1:] + yaws[:-1]) / 2.0), np.diff(positions, axis=0))
    path = positions.copy()
    path[1:, [0, 2]] = positions[0, [0, 2]] + np.cumsum(steps, axis=0)[:, [0, 2]]
    return path


def _scale_path(positions: FloatArray, times: FloatArray, curves: WarpCurves) -> FloatArray:
    scale = curves.position_scale
    if scale is None:
        return positions
    assert scale.zero is not None
    sign = -1.0 if curves.undone else 1.0
    return np.asarray(scale.zero + np.exp(sign * scale.logarithms(times)) * (positions - scale.zero))


def _offset_path(positions: FloatArray, times: FloatArray, curves: WarpCurves) -> FloatArray:
    if curves.offset is None:
        return positions
    offset = curves.offset(times)
    return np.asarray(positions - offset if curves.undone else positions + offset)
