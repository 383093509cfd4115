"""Motion signal processing (Bruderlin & Williams 1995): scaling of frequency bands, and waveshaping."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.body import on_body
from motionloom.motion.provenance import derive
from motionloom.motion.result import check_clip
from motionloom.validation import check_number, check_positive
from motionloom.warping.curves import mean_rotation

KERNEL = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16.0
"""The binomial filter of the pyramid; its taps are spread by a factor of two from band to band."""

Shape = Callable[[FloatArray], FloatArray]
"""New angles (T,) for angles (T,), radians."""


@on_body
def scale_bands(
    clip: Clip, gains: Sequence[float], joints: Iterable[str] | None = None, *, root_path: bool = False
) -> Clip:
    """Amplify or calm the fast and slow parts of joint motion separately.

    Band 0 holds what changes within about two frames, every next band what is twice as slow. Rotations are
    filtered as rotation vectors from the joint's mean, so all bands act alike on all axes. Gains of 1 give
    the clip back.

    Parameters
    ----------
    clip
        Any clip.
    gains
        Factor on each band, the fastest first; bands without one, and everything slower, stay as they are.
    joints
        Names of the joints; None for all.
    root_path
        Whether to filter the root's position too.

    Returns
    -------
    Clip
        The filtered motion.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> calm = scale_bands(clip, [0.0, 0.0], joints=["Head"])
    >>> np.array_equal(calm.rotations[:, 1], clip.rotations[:, 1])
    True
    """
    check_clip("scale_bands", clip)
    factors = check_array("gains", gains, ("N",))
    available = count_bands(clip.n_frames)
    if len(factors) > available:
        raise ParameterError(
            f"{len(factors)} gains were given, but {clip.n_frames} frames have {available} bands"
        )
    names = clip.skeleton.names if joints is None else tuple(joints)
    rotations = np.array(clip.rotations)
    for joint in map(clip.skeleton.index, names):
        mean = mean_rotation(rotations[:, joint])
        deviations = rot.to_rotation_vector(rot.multiply(rot.inverse(mean), rotations[:, joint]))
        rotations[:, joint] = rot.multiply(mean, rot.from_rotation_vector(apply_gains(deviations, factors)))
    positions = apply_gains(clip.root_positions, factors) if root_path else clip.root_positions
    return replace(
        clip,
        root_positions=freeze(np.array(positions)),
        rotations=freeze(rotations),
        provenance=derive(clip, "filtered"),
    )


def waveshape(clip: Clip, joint: str, axis: npt.ArrayLike, shape: Shape) -> Clip:
    """Map the angle of a joint about one of its axes through a curve; the rest of its rotation stays.

    The rotation is split into a twist about the axis, measured from the rest pose, and what comes before
    it. :func:`soft_limits` is the usual curve; ``lambda a: 1.5 * a`` exaggerates.

    Parameters
    ----------
    clip
        Any clip.
    joint
        Name of the joint.
    axis
        (3,) in the joint's own frame.
    shape
        Function from angles (T,) to new angles (T,), radians.

    Returns
    -------
    Clip
        The motion with the new angles.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> stiff = waveshape(clip, "LeftLeg", (1, 0, 0), soft_limits(-0.2, 0.6))
    >>> bool(twist_angles(stiff, "LeftLeg", (1, 0, 0)).max() <= 0.6)
    True
    """
    index, unit = _check_axis("waveshape", clip, joint, axis)
    angles = twist_angles(clip, joint, unit)
    shaped = np.asarray(shape(angles), dtype=np.float64)
    if shaped.shape != angles.shape or not np.isfinite(shaped).all():
        raise ParameterError(
            f"must return a finite angle for each of the {len(angles)} angles", parameter="shape"
        )
    rotations = np.array(clip.rotations)
    rotations[:, index] = rot.multiply(rotations[:, index], rot.from_axis_angle(unit, shaped - angles))
    return replace(clip, rotations=freeze(rotations), provenance=derive(clip, "filtered"))


def soft_limits(low: float, high: float, softness: float = 0.3) -> Shape:
    """Make a curve that keeps angles between two limits and leaves those well inside alone.

    Parameters
    ----------
    low, high
        Limits, radians.
    softness
        Fraction of half the range over which angles are compressed before a limit; 1 bends the whole range.

    >>> soft_limits(0.0, 1.0)(np.array([0.4, 0.5, 9.0])).round(3).tolist()
    [0.4, 0.5, 1.0]
    """
    low, high = check_number("low", low), check_number("high", high)
    if low >= high:
        raise ParameterError(f"the lower limit {low:g} must lie below the upper one {high:g}")
    softness = check_positive("softness", softness, max=1.0)
    centre, half = (low + high) / 2.0, (high - low) / 2.0
    room = softness * half

    def shape(angles: FloatArray) -> FloatArray:
        distance = np.abs(angles - centre)
        beyond = np.maximum(distance - (half - room), 0.0)
        compressed = distance - beyond + room * np.tanh(beyond / room)
        return np.asarray(centre + np.sign(angles - centre) * compressed)

    return shape


def twist_angles(clip: Clip, joint: str, axis: npt.ArrayLike) -> FloatArray:
    """Return the angles (T,), radians, by which a joint is rotated about one of its axes from the rest pose.

    >>> from motionloom.synthesis import stand
    >>> twist_angles(stand(duration=0.1).clip, "Head", (0, 1, 0)).shape
    (7,)
    """
    index, unit = _check_axis("twist_angles", clip, joint, axis)
    since_rest = rot.multiply(rot.inverse(clip.skeleton.rest_rotations[index]), clip.rotations[:, index])
    angles = 2.0 * np.arctan2(since_rest[:, 1:] @ unit, since_rest[:, 0])
    return np.unwrap((angles + np.pi) % (2.0 * np.pi) - np.pi)


def count_bands(n_frames: int) -> int:
    """Return how many bands a signal of so many samples has.

    >>> count_bands(64), count_bands(1)
    (6, 0)
    """
    return max(n_frames, 1).bit_length() - 1


def split_bands(values: FloatArray, count: int) -> list[FloatArray]:
    """Split a signal (T, D) into bands (T, D), the fastest first, and the remainder; they add up to it.

    >>> signal = np.array([[0.0], [1.0], [0.0], [1.0]])
    >>> np.allclose(sum(split_bands(signal, 2)), signal)
    True
    """
    found = []
    for level in range(count):
        smoother = _smooth(values, 2**level)
        found.append(values - smoother)
        values = smoother
    return [*found, values]


def apply_gains(values: FloatArray, gains: FloatArray) -> FloatArray:
    """Return a signal (T, D) with gains (N,) on its first N bands.

    >>> signal = np.array([[0.0], [1.0], [0.0], [1.0]])
    >>> np.allclose(apply_gains(signal, np.array([2.0])) - signal, split_bands(signal, 1)[0])
    True
    """
    bands = split_bands(values, len(gains))
    return np.asarray(values + sum((gain - 1.0) * band for gain, band in zip(gains, bands, strict=False)))


def _smooth(values: FloatArray, spacing: int) -> FloatArray:
    """Filter values (T, D) with taps ``spacing`` samples apart; slopes continue beyond the ends."""
    padded = np.pad(values, ((2 * spacing, 2 * spacing), (0, 0)), mode="reflect", reflect_type="odd")
    n = len(values)
    taps = [weight * padded[k * spacing : k * spacing + n] for k, weight in enumerate(KERNEL.tolist())]
    return np.asarray(sum(taps))


def _check_axis(what: str, clip: Clip, joint: str, axis: npt.ArrayLike) -> tuple[int, FloatArray]:
    """Return the index of a joint and the unit vector (3,) of an axis."""
    index = check_clip(what, clip).skeleton.index(joint)
    vector = check_array(f"axis of joint {joint!r}", axis, (3,))
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        raise ParameterError(f"axis of joint {joint!r} must not be zero")
    return index, np.asarray(vector / length)
