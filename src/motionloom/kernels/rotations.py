"""Products of quaternions, and vectors rotated by them: what most of the rest spends its time on."""

from __future__ import annotations

from motionloom.kernels.array_types import Floats2, OutFloats2
from motionloom.kernels.compiling import kernel


@kernel
def multiply(a: Floats2, b: Floats2, out: OutFloats2) -> None:
    """Fill products (N, 4) of quaternions (N, 4); a single one goes with all others."""
    for n in range(out.shape[0]):
        i, j = n if a.shape[0] > 1 else 0, n if b.shape[0] > 1 else 0
        aw, ax, ay, az = a[i, 0], a[i, 1], a[i, 2], a[i, 3]
        bw, bx, by, bz = b[j, 0], b[j, 1], b[j, 2], b[j, 3]
        out[n, 0] = aw * bw - ax * bx - ay * by - az * bz
        out[n, 1] = aw * bx + ax * bw + ay * bz - az * by
        out[n, 2] = aw * by - ax * bz + ay * bw + az * bx
        out[n, 3] = aw * bz + ax * by - ay * bx + az * bw


@kernel
def rotate(q: Floats2, v: Floats2, out: OutFloats2) -> None:
    """Fill vectors (N, 3) rotated by unit quaternions (N, 4); a single one goes with all others."""
    for n in range(out.shape[0]):
        i, j = n if q.shape[0] > 1 else 0, n if v.shape[0] > 1 else 0
        w, x, y, z = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
        tx = 2.0 * (y * v[j, 2] - z * v[j, 1])
        ty = 2.0 * (z * v[j, 0] - x * v[j, 2])
        tz = 2.0 * (x * v[j, 1] - y * v[j, 0])
        out[n, 0] = v[j, 0] + w * tx + (y * tz - z * ty)
        out[n, 1] = v[j, 1] + w * ty + (z * tx - x * tz)
        out[n, 2] = v[j, 2] + w * tz + (x * ty - y * tx)
