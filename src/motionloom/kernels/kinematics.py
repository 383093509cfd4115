"""Forward kinematics of whole clips."""

from __future__ import annotations

from motionloom.kernels.array_types import Floats2, Floats3, Ints1, OutFloats3
from motionloom.kernels.compiling import kernel


@kernel
def world_transforms(
    parents: Ints1,
    offsets: Floats3,
    root_positions: Floats2,
    rotations: Floats3,
    out_positions: OutFloats3,
    out_rotations: OutFloats3,
    start: int,
    stop: int,
) -> None:
    """Fill world positions (T, J, 3) and rotations (T, J, 4) for the frames ``start <= t < stop``.

    ``offsets`` is (1, J, 3) for rigid bones or (T, J, 3) where bones move; the root's entry is not used.
    Parents come before children, so one pass in joint order suffices.
    """
    moving = offsets.shape[0] > 1
    for t in range(start, stop):
        o = t if moving else 0
        for j in range(parents.shape[0]):
            w, x, y, z = rotations[t, j, 0], rotations[t, j, 1], rotations[t, j, 2], rotations[t, j, 3]
            p = parents[j]
            if p < 0:
                out_positions[t, j, 0] = root_positions[t, 0]
                out_positions[t, j, 1] = root_positions[t, 1]
                out_positions[t, j, 2] = root_positions[t, 2]
                out_rotations[t, j, 0] = w
                out_rotations[t, j, 1] = x
                out_rotations[t, j, 2] = y
                out_rotations[t, j, 3] = z
                continue
            pw, px = out_rotations[t, p, 0], out_rotations[t, p, 1]
            py, pz = out_rotations[t, p, 2], out_rotations[t, p, 3]
            out_rotations[t, j, 0] = pw * w - px * x - py * y - pz * z
            out_rotations[t, j, 1] = pw * x + px * w + py * z - pz * y
            out_rotations[t, j, 2] = pw * y - px * z + py * w + pz * x
            out_rotations[t, j, 3] = pw * z + px * y - py * x + pz * w
            # Rotate the offset by the parent: v + 2 w (u × v) + 2 u × (u × v).
            vx, vy, vz = offsets[o, j, 0], offsets[o, j, 1], offsets[o, j, 2]
            cx = 2.0 * (py * vz - pz * vy)
            cy = 2.0 * (pz * vx - px * vz)
            cz = 2.0 * (px * vy - py * vx)
            out_positions[t, j, 0] = out_positions[t, p, 0] + vx + pw * cx + py * cz - pz * cy
            out_positions[t, j, 1] = out_positions[t, p, 1] + vy + pw * cy + pz * cx - px * cz
            out_positions[t, j, 2] = out_positions[t, p, 2] + vz + pw * cz + px * cy - py * cx
