"""Motion signal processing (Bruderlin & Williams 1995): gains on bands of frequency, and waveshaping."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.clip import check_clip
from motionloom.validation import check_number, check_positive
from motionloom.warping.curves import mean_rotation

KERNEL = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16.0
"""The binomial filter of the pyramid; its taps are spread by a factor of two from band to band."""


def with_band_gains(
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
        Factor on each band from the fastest on; bands without one, and what is slower than all, keep theirs.
    joints
        Names of the joints; None for all.
    root_path
        Whether the root's position is filtered too.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> calm = with_band_gains(clip, [0.0, 0.0], joints=["Head"])
    >>> np.array_equal(calm.rotations[:, 1], clip.rotations[:, 1])
    True
    """
    check_clip("with_band_gains", clip)
    factors = check_array("gains", gains, ("N",))
    most = n_bands(clip.n_frames)
    if len(factors) > most:
        raise ParameterError(f"{len(factors)} gains were given, but {clip.n_frames} frames have {most} bands")
    names = clip.skeleton.names if joints is None else tuple(joints)
    turns = np.array(clip.rotations)
    for joint in map(clip.skeleton.index, names):
        middle = mean_rotation(turns[:, joint])
        away = rot.to_rotation_vector(rot.multiply(rot.inverse(middle), turns[:, joint]))
        turns[:, joint] = rot.multiply(middle, rot.from_rotation_vector(filtered(away, factors)))
    positions = filtered(clip.root_positions, factors) if root_path else clip.root_positions
    return replace(clip, root_positions=freeze(np.array(positions)), rotations=freeze(turns), report=None)


def n_bands(n_frames: int) -> int:
    """How many bands a signal of so many samples has.

    >>> n_bands(64), n_bands(1)
    (6, 0)
    """
    return max(n_frames, 1).bit_length() - 1


def bands(values: FloatArray, count: int) -> list[FloatArray]:
    """The bands (T, D) of a signal (T, D) from the fastest on, and what is left last; they add up to it.

    >>> signal = np.array([[0.0], [1.0], [0.0], [1.0]])
    >>> np.allclose(sum(bands(signal, 2)), signal)
    True
    """
    found = []
    for level in range(count):
        smoother = _smoothed(values, 2**level)
        found.append(values - smoother)
        values = smoother
    return [*found, values]


def filtered(values: FloatArray, gains: FloatArray) -> FloatArray:
    """A signal (T, D) with gains (N,) on its first N bands.

    >>> signal = np.array([[0.0], [1.0], [0.0], [1.0]])
    >>> np.allclose(filtered(signal, np.array([2.0])) - signal, bands(signal, 1)[0])
    True
    """
    parts = bands(values, len(gains))
    return np.asarray(values + sum((gain - 1.0) * part for gain, part in zip(gains, parts, strict=False)))


def _smoothed(values: FloatArray, spread: int) -> FloatArray:
    """Values (T, D) filtered with taps so many samples apart; slopes go on beyond the ends."""
    padded = np.pad(values, ((2 * spread, 2 * spread), (0, 0)), mode="reflect", reflect_type="odd")
    n = len(values)
    taps = [weight * padded[k * spread : k * spread + n] for k, weight in enumerate(KERNEL.tolist())]
    return np.asarray(sum(taps))


Shape = Callable[[FloatArray], FloatArray]
"""New angles (T,) for angles (T,), radians."""


def waveshaped(clip: Clip, joint: str, axis: npt.ArrayLike, shape: Shape) -> Clip:
    """Change the angle of a joint about one of its axes by a curve; the rest of its rotation stays.

    The rotation is taken apart into a turn about the axis, counted from the rest pose, and what comes before
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
        New angles for old ones, radians.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> stiff = waveshaped(clip, "LeftLeg", (1, 0, 0), soft_limits(-0.2, 0.6))
    >>> bool(twist_angles(stiff, "LeftLeg", (1, 0, 0)).max() <= 0.6)
    True
    """
    index, along = _checked_axis(clip, joint, axis)
    angles = twist_angles(clip, joint, along)
    shaped = np.asarray(shape(angles), dtype=np.float64)
    if shaped.shape != angles.shape or not np.isfinite(shaped).all():
        raise ParameterError(f"shape must give a finite angle for each of the {len(angles)} angles")
    turns = np.array(clip.rotations)
    turns[:, index] = rot.multiply(turns[:, index], rot.from_axis_angle(along, shaped - angles))
    return replace(clip, rotations=freeze(turns), report=None)


def twist_angles(clip: Clip, joint: str, axis: npt.ArrayLike) -> FloatArray:
    """The angles (T,) in radians by which a joint is turned about one of its axes from the rest pose.

    >>> from motionloom.synthesis import stand
    >>> twist_angles(stand(duration=0.1).clip, "Head", (0, 1, 0)).shape
    (7,)
    """
    index, along = _checked_axis(clip, joint, axis)
    since_rest = rot.multiply(rot.inverse(clip.skeleton.rest_rotations[index]), clip.rotations[:, index])
    angles = 2.0 * np.arctan2(since_rest[:, 1:] @ along, since_rest[:, 0])
    return np.unwrap((angles + np.pi) % (2.0 * np.pi) - np.pi)


def soft_limits(low: float, high: float, softness: float = 0.3) -> Shape:
    """A curve that leaves angles amid two limits alone and lets none beyond them.

    Parameters
    ----------
    low, high
        Limits, radians.
    softness
        Share of half the range over which angles are squeezed before a limit; 1 bends the whole range.

    >>> soft_limits(0.0, 1.0)(np.array([0.4, 0.5, 9.0])).round(3).tolist()
    [0.4, 0.5, 1.0]
    """
    low, high = check_number("low", low), check_number("high", high)
    if low >= high:
        raise ParameterError(f"the lower limit {low:g} must lie below the upper one {high:g}")
    softness = check_positive("softness", softness)
    if softness > 1.0:
        raise ParameterError(f"softness is a share of half the range, up to 1, not {softness:g}")
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    room = softness * half

    def shape(angles: FloatArray) -> FloatArray:
        away = np.abs(angles - middle)
        beyond = np.maximum(away - (half - room), 0.0)
        squeezed = away - beyond + room * np.tanh(beyond / room)
        return np.asarray(middle + np.sign(angles - middle) * squeezed)

    return shape


def _checked_axis(clip: Clip, joint: str, axis: npt.ArrayLike) -> tuple[int, FloatArray]:
    index = check_clip("waveshaped", clip).skeleton.index(joint)
    along = check_array(f"axis of joint {joint!r}", axis, (3,))
    length = float(np.linalg.norm(along))
    if length == 0.0:
        raise ParameterError(f"axis of joint {joint!r} must not be zero")
    return index, np.asarray(along / length)
