"""One or several poses of a skeleton."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.arrays import FloatArray
from motionloom.motion.kinematics import world_transforms
from motionloom.motion.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Pose:
    """Root position and joint rotations of one pose; leading axes hold several poses at once.

    Attributes
    ----------
    skeleton
        J joints.
    root_positions
        (..., 3) world position of the root, metres.
    rotations
        (..., J, 4) complete local rotations.
    translations
        (..., J, 3) local joint positions where bones move, else None.
    """

    skeleton: Skeleton
    root_positions: FloatArray
    rotations: FloatArray
    translations: FloatArray | None = None

    def world_positions(self) -> FloatArray:
        """Return world positions (..., J, 3) of the joints, metres."""
        return self._world()[0]

    def world_rotations(self) -> FloatArray:
        """Return world rotations (..., J, 4) of the joints."""
        return self._world()[1]

    def _world(self) -> tuple[FloatArray, FloatArray]:
        lead, n_joints = self.rotations.shape[:-2], self.skeleton.n_joints
        moved = self.translations
        positions, rotations = world_transforms(
            self.skeleton,
            self.root_positions.reshape(-1, 3),
            self.rotations.reshape(-1, n_joints, 4),
            None if moved is None else moved.reshape(-1, n_joints, 3),
        )
        return positions.reshape(*lead, n_joints, 3), rotations.reshape(*lead, n_joints, 4)
