"""Rotations as unit quaternions (w, x, y, z), in plain NumPy; leading axes are free and broadcast.

Euler conversions take the axes in the order in which a file lists them: ``"ZXY"`` means
``R = Rz(a) · Rx(b) · Ry(c)`` with the angles ``(a, b, c)`` in radians.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from motionloom import kernels
from motionloom.arrays import FloatArray, cross
from motionloom.errors import ParameterError

IDENTITY: FloatArray = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.flags.writeable = False

UNDECIDED = 0.17
"""Size of the inner product of two quaternions below which neither arc is much shorter: they are within 20°
of half a turn apart. The sign then stays as it was, so that noise does not make it flicker."""

Signs = npt.NDArray[np.int8]

_LOCKED = 1e-12
"""Length of a pair of quaternion sums below which its direction is rounding error: gimbal lock."""


def _floats(values: npt.ArrayLike) -> FloatArray:
    return np.asarray(values, dtype=np.float64)


def _rows(values: FloatArray, shape: tuple[int, ...], size: int) -> FloatArray:
    """Return values (..., D) that go with arrays of a shape as rows (N, D), or as the only one (1, D)."""
    if values.shape[-1] != size:  # kernels do not look
        what = "rotations are quaternions (..., 4)" if size == 4 else "vectors are (..., 3)"
        raise ParameterError(f"{what}: an array of shape {values.shape} has none")
    rows = values.reshape(-1, values.shape[-1])
    if len(rows) == 1 or values.shape[:-1] == shape:
        return rows
    return np.broadcast_to(values, (*shape, values.shape[-1])).reshape(-1, values.shape[-1])


def _directions(v: npt.ArrayLike) -> FloatArray:
    v = _floats(v)
    return np.asarray(v / np.linalg.norm(v, axis=-1, keepdims=True))


def normalize(q: npt.ArrayLike) -> FloatArray:
    """Scale quaternions (..., 4) to unit length.

    >>> normalize([2, 0, 0, 0])
    array([1., 0., 0., 0.])
    """
    q = _floats(q)
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    if not (length > 0).all():
        raise ParameterError("a quaternion of length zero has no direction: it cannot be normalised")
    return np.asarray(q / length)


def multiply(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Return the rotations (..., 4) that apply ``b`` first and then ``a``.

    >>> half = from_yaw(np.pi / 4)
    >>> np.allclose(multiply(half, half), from_yaw(np.pi / 2))
    True
    """
    a, b = _floats(a), _floats(b)
    shape = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    out = np.empty((*shape, 4))
    kernels.rotations.multiply(_rows(a, shape, 4), _rows(b, shape, 4), out.reshape(-1, 4))
    return out


def inverse(q: npt.ArrayLike) -> FloatArray:
    """Invert unit quaternions (..., 4).

    >>> inverse([0.6, 0.8, 0, 0])
    array([ 0.6, -0.8, -0. , -0. ])
    """
    return _floats(q) * [1.0, -1.0, -1.0, -1.0]


def rotate(q: npt.ArrayLike, v: npt.ArrayLike) -> FloatArray:
    """Rotate vectors (..., 3) by unit quaternions (..., 4).

    >>> rotate(from_yaw(np.pi / 2), [0, 0, 1]).round(12)
    array([1., 0., 0.])
    """
    q, v = _floats(q), _floats(v)
    shape = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
    out = np.empty((*shape, 3))
    kernels.rotations.rotate(_rows(q, shape, 4), _rows(v, shape, 3), out.reshape(-1, 3))
    return out


def from_axis_angle(axis: npt.ArrayLike, angle: npt.ArrayLike) -> FloatArray:
    """Return rotations (..., 4) by angles (...) in radians about unit axes (..., 3).

    >>> from_axis_angle([1, 0, 0], np.pi).round(12)
    array([0., 1., 0., 0.])
    """
    half = _floats(angle)[..., None] / 2.0
    vector = np.sin(half) * _floats(axis)
    return np.concatenate([np.broadcast_to(np.cos(half), (*vector.shape[:-1], 1)), vector], axis=-1)


def from_yaw(yaw: npt.ArrayLike) -> FloatArray:
    """Return rotations (..., 4) by angles (...) in radians about +Y; a positive yaw rotates +Z towards +X.

    >>> from_yaw(np.pi).round(12)
    array([0., 0., 1., 0.])
    """
    return from_axis_angle([0.0, 1.0, 0.0], yaw)


def from_euler(angles: npt.ArrayLike, order: str) -> FloatArray:
    """Return rotations (..., 4) by angles (..., N) in radians about the axes in ``order``, outermost first.

    >>> np.allclose(from_euler([0.3], "Y"), from_yaw(0.3))
    True
    """
    angles, axes = _floats(angles), order.upper()
    if not set(axes) <= set("XYZ") or angles.shape[-1:] != (len(axes),):
        raise ParameterError(
            f"must name one of X, Y and Z for each angle: {order!r} does not fit angles of shape "
            f"{angles.shape}",
            parameter="order",
        )
    q = np.broadcast_to(IDENTITY, (*angles.shape[:-1], 4))
    for n, axis in enumerate(axes):
        q = multiply(q, from_axis_angle(np.eye(3)["XYZ".index(axis)], angles[..., n]))
    return q


def to_euler(q: npt.ArrayLike, order: str) -> FloatArray:
    """Return angles (..., 3) in radians about three different axes, outermost first: inverts
    :func:`from_euler`.

    The middle angle lies within a quarter turn of zero, the others within a half turn. Where the middle angle
    is a quarter turn (gimbal lock) only a sum of the others is determined, and the last one is zero.

    >>> to_euler(from_euler([0.1, -0.2, 0.3], "ZXY"), "ZXY").round(12)
    array([ 0.1, -0.2,  0.3])
    """
    if sorted(order.upper()) != ["X", "Y", "Z"]:
        raise ParameterError(
            f"must name X, Y and Z once each, like 'ZXY', not {order!r}", parameter="order", value=order
        )
    q = _floats(q)
    outer, central, inner = ("XYZ".index(axis) for axis in order.upper())
    sign = 1.0 if (central - outer) % 3 == 1 else -1.0
    w, x, y, z = q[..., 0], q[..., 1 + outer], q[..., 1 + central], sign * q[..., 1 + inner]
    # Half the sum and half the difference of the outer and the inner angle; at gimbal lock one pair vanishes.
    sums, differences = np.stack([w + y, x + z]), np.stack([w - y, x - z])
    sum_size, difference_size = np.hypot(*sums), np.hypot(*differences)
    half_sum, half_difference = np.arctan2(sums[1], sums[0]), np.arctan2(differences[1], differences[0])
    half_sum = np.where(sum_size < _LOCKED, half_difference, half_sum)
    half_difference = np.where(difference_size < _LOCKED, half_sum, half_difference)
    first, last = half_sum + half_difference, sign * (half_sum - half_difference)
    second = 2.0 * np.arctan2(sum_size, difference_size) - np.pi / 2.0
    angles = np.stack([first, second, last], axis=-1)
    return np.asarray(np.pi - (np.pi - angles) % (2.0 * np.pi))


def complete_order(order: str) -> str:
    """Add the missing axes to an order so that rotations about the given ones need no angle about the others.

    Of three angles the middle one is confined to a quarter turn, so a missing third axis goes there.

    >>> complete_order("ZX"), complete_order("Y")
    ('ZYX', 'YXZ')
    """
    missing = "".join(axis for axis in "XYZ" if axis not in order)
    return order[0] + missing + order[1] if len(order) == 2 else order + missing


def from_rotation_vector(v: npt.ArrayLike) -> FloatArray:
    """Apply the exponential map: rotations (..., 4) from rotation vectors (..., 3) in radians.

    >>> from_rotation_vector([0, np.pi / 2, 0]).round(4)
    array([0.7071, 0.    , 0.7071, 0.    ])
    """
    v = _floats(v)
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    # sin(x/2)/x through sinc, which is exact at zero.
    return np.concatenate([np.cos(angle / 2.0), 0.5 * np.sinc(angle / (2.0 * np.pi)) * v], axis=-1)


def to_rotation_vector(q: npt.ArrayLike) -> FloatArray:
    """Apply the logarithm: the shortest rotation vectors (..., 3), in radians, of unit quaternions (..., 4).

    >>> to_rotation_vector(from_rotation_vector([0.1, -0.2, 0.3])).round(9)
    array([ 0.1, -0.2,  0.3])
    """
    q = _floats(q)
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    small = sine < 1e-12
    return np.asarray(q[..., 1:] * np.where(small, 2.0, angle / np.where(small, 1.0, sine)))


def between(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Return the shortest rotations (..., 4) that take directions ``a`` (..., 3) to directions ``b`` (...,
    3).

    >>> rotate(between([0, 0, 2], [3, 0, 0]), [0, 0, 1]).round(12)
    array([1., 0., 0.])
    """
    start, end = np.broadcast_arrays(_directions(a), _directions(b))
    w = 1.0 + np.einsum("...i,...i", start, end)
    # Opposite directions: any axis at right angles to the first will do.
    perpendicular = cross(start, np.where(np.abs(start[..., :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
    opposite = w < 1e-12
    vector = np.where(opposite[..., None], perpendicular, cross(start, end))
    return normalize(np.concatenate([np.where(opposite, 0.0, w)[..., None], vector], axis=-1))


def slerp(a: npt.ArrayLike, b: npt.ArrayLike, weight: npt.ArrayLike) -> FloatArray:
    """Interpolate by a fraction (...) along the shortest arc from rotations ``a`` to ``b`` (..., 4).

    >>> np.allclose(slerp(IDENTITY, from_yaw(1.0), 0.25), from_yaw(0.25))
    True
    """
    a, b = _floats(a), _floats(b)
    t = _floats(weight)[..., None]
    dot = np.einsum("...i,...i", a, b)[..., None]
    b = np.where(dot < 0.0, -b, b)
    # The half angle through atan2 stays accurate for nearly equal rotations.
    half = np.arctan2(
        np.linalg.norm(b - a, axis=-1, keepdims=True), np.linalg.norm(b + a, axis=-1, keepdims=True)
    )
    angle = 2.0 * half
    sine = np.sin(angle)
    small = sine < 1e-9
    safe = np.where(small, 1.0, sine)
    left = np.where(small, 1.0 - t, np.sin((1.0 - t) * angle) / safe)
    right = np.where(small, t, np.sin(t * angle) / safe)
    return normalize(left * a + right * b)


def unroll(q: npt.ArrayLike) -> FloatArray:
    """Flip signs along the first axis of (T, ..., 4) so that neighbours lie in one hemisphere.

    >>> unroll([[0.8, 0.6, 0, 0], [-0.8, -0.6, 0, 0]])[1, :2]
    array([0.8, 0.6])
    """
    q = _floats(q)
    if len(q) < 2:
        return q.copy()
    flips = np.einsum("t...i,t...i->t...", q[1:], q[:-1]) < 0.0
    signs = np.where(np.logical_xor.accumulate(flips, axis=0), -1.0, 1.0)
    return np.concatenate([q[:1], q[1:] * signs[..., None]])


def nearer_signs(q: npt.ArrayLike, to: npt.ArrayLike) -> FloatArray:
    """Return signs (..., 1) that bring quaternions (..., 4) into the hemispheres of others (..., 4).

    >>> nearer_signs([-1, 0, 0, 0], IDENTITY).tolist()
    [-1.0]
    """
    similarity = np.einsum("...i,...i", _floats(q), _floats(to))[..., None]
    return np.where(similarity < 0.0, -1.0, 1.0)


def nearer(q: npt.ArrayLike, to: npt.ArrayLike) -> FloatArray:
    """Return the quaternions (..., 4), or their negatives where those lie nearer to others (..., 4).

    >>> nearer([-0.8, -0.6, 0, 0], IDENTITY)[:2].tolist()
    [0.8, 0.6]
    """
    return np.asarray(_floats(q) * nearer_signs(q, to))


def hemisphere_signs(reference: FloatArray, other: FloatArray, periodic: bool = False) -> Signs:
    """Return signs (N, ...) that bring quaternions (N, ..., 4) into the hemisphere of the reference.

    Rotations are then averaged along the shortest arc. Where the two are about half a turn apart, the sign is
    that of the last sample at which it was clear; before the first clear sample, that of the first, or of a
    ``periodic`` sequence that of the last. Where nothing is clear at all, signs are +1.

    >>> still, turning = np.tile(IDENTITY, (5, 1)), from_yaw(np.linspace(0.0, 2.0 * np.pi, 5))
    >>> hemisphere_signs(still, turning).tolist()
    [1, 1, 1, -1, -1]
    """
    inner = np.einsum("n...c,n...c->n...", reference, other)
    clear = np.abs(inner) > UNDECIDED
    moments = np.arange(len(inner)).reshape(-1, *[1] * (inner.ndim - 1))
    last_clear = np.maximum.accumulate(np.where(clear, moments, -1), axis=0)
    ends = len(inner) - 1 - np.argmax(clear[::-1], axis=0) if periodic else np.argmax(clear, axis=0)
    chosen = np.where(last_clear < 0, ends, last_clear)
    decided = np.take_along_axis(inner, chosen, axis=0)
    return np.where((decided < 0.0) & clear.any(axis=0), -1, 1).astype(np.int8)


def yaw_of(q: npt.ArrayLike) -> FloatArray:
    """Return the rotation about +Y (...) in radians that is nearest to each rotation (..., 4).

    >>> round(float(yaw_of(from_yaw(0.7))), 12)
    0.7
    """
    q = _floats(q)
    return np.asarray(2.0 * np.arctan2(q[..., 2], q[..., 0]) + np.pi) % (2.0 * np.pi) - np.pi


def to_matrix(q: npt.ArrayLike) -> FloatArray:
    """Return rotation matrices (..., 3, 3) of unit quaternions (..., 4).

    >>> to_matrix(IDENTITY).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    q = _floats(q)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(m: npt.ArrayLike) -> FloatArray:
    """Return unit quaternions (..., 4) of rotation matrices (..., 3, 3).

    >>> from_matrix(np.diag([1, -1, -1]))
    array([0., 1., 0., 0.])
    """
    m = _floats(m)
    d = np.einsum("...ii->...i", m)
    trace = d.sum(axis=-1)
    # Four equal forms of the same quaternion, each times four of one component; take the best conditioned.
    x_y, x_z, y_z = m[..., 0, 1], m[..., 0, 2], m[..., 1, 2]
    y_x, z_x, z_y = m[..., 1, 0], m[..., 2, 0], m[..., 2, 1]
    forms = np.stack(
        [
            np.stack([1 + trace, z_y - y_z, x_z - z_x, y_x - x_y], axis=-1),
            np.stack([z_y - y_z, 1 + 2 * d[..., 0] - trace, x_y + y_x, x_z + z_x], axis=-1),
            np.stack([x_z - z_x, x_y + y_x, 1 + 2 * d[..., 1] - trace, y_z + z_y], axis=-1),
            np.stack([y_x - x_y, x_z + z_x, y_z + z_y, 1 + 2 * d[..., 2] - trace], axis=-1),
        ],
        axis=-2,
    )
    best = np.concatenate([trace[..., None], 2 * d - trace[..., None]], axis=-1).argmax(axis=-1)
    return normalize(np.take_along_axis(forms, best[..., None, None], axis=-2)[..., 0, :])
