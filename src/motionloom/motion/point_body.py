"""Points as a body: what stages that need a skeleton work on where there is none.

The root stands below the middle of the points and turns with them over the ground; every point is a joint of
its own whose bone changes from frame to frame. Nothing is lost but gaps, which are filled: the way back gives
the same positions.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion.clip import Clip
from motionloom.motion.point_clip import PointClip, fill_gaps
from motionloom.motion.result import PointClipLike, unwrap
from motionloom.motion.skeleton import Skeleton

ROOT = "points"
"""Name of the root joint; underscores are added where a point has the name."""

SMOOTHING = 0.25
"""Standard deviation of the Gaussian that smooths the heading of the points, seconds: arms and legs that
swing past each other turn the cloud by some degrees, the body does not."""


def take_points_as_body(clip: PointClipLike) -> Clip:
    """Return a clip whose joints, after the root, are the points; gaps are filled.

    >>> points = PointClip(["a", "b"], 0.5, [[[0, 0, 0], [0, 1, 2]], [[1, 0, 0], [1, 1, 2]]])
    >>> body = take_points_as_body(points)
    >>> body.skeleton.names, body.root_positions.tolist()
    (('points', 'a', 'b'), [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    """
    clip = unwrap(clip)
    if not isinstance(clip, PointClip):
        raise ParameterError(
            f"a clip of points is needed, not {type(clip).__name__}", remedy="load a file of points"
        )
    if not len(clip.names):
        raise ParameterError("the clip has no points")
    positions = fill_gaps(clip.positions)
    centres = positions.mean(axis=1) * [1.0, 0.0, 1.0]
    yaws = _find_headings(positions, clip.frame_time)
    local = rot.rotate(rot.from_yaw(-yaws)[:, None], positions - centres[:, None])
    root = ROOT
    while root in clip.names:
        root += "_"
    n_points = len(clip.names)
    offsets = np.concatenate(
        [np.zeros((1, 3)), local.mean(axis=0) if len(local) else np.zeros((n_points, 3))]
    )
    skeleton = Skeleton((root, *clip.names), np.array([-1, *[0] * n_points]), offsets)
    rotations = np.tile(rot.IDENTITY, (clip.n_frames, n_points + 1, 1))
    rotations[:, 0] = rot.from_yaw(yaws)
    return Clip(
        skeleton,
        clip.frame_time,
        freeze(centres),
        freeze(rotations),
        freeze(np.concatenate([np.zeros((clip.n_frames, 1, 3)), local], axis=1)),
        constraints=clip.constraints,
        events=clip.events,
        cyclic=clip.cyclic,
        source=clip.source,
    )


def take_body_as_points(clip: Clip, like: PointClip) -> PointClip:
    """Return the points of a clip that :func:`take_points_as_body` made, or that was made of such clips.

    What was measured beside the points is left out: it belongs to the motion as it was captured.

    >>> points = PointClip(["a", "b"], 0.5, [[[0, 0, 0], [0, 1, 2]], [[1, 0, 0], [1, 1, 2]]])
    >>> back = take_body_as_points(take_points_as_body(points), points)
    >>> bool(np.allclose(back.positions, points.positions))
    True
    """
    columns = [clip.skeleton.index(name) for name in like.names]
    return replace(
        like,
        frame_time=clip.frame_time,
        positions=freeze(clip.world_positions()[:, columns]),
        constraints=clip.constraints,
        events=clip.events,
        cyclic=clip.cyclic,
        provenance=clip.provenance,
        residuals=None,
        force_plates=(),
        analog=None,
    )


def _find_headings(positions: FloatArray, frame_time: float) -> FloatArray:
    """Return the yaw (T,) by which the points (T, P, 3) are turned since the first frame, radians, smooth."""
    flat = positions[..., [0, 2]] - positions[..., [0, 2]].mean(axis=1, keepdims=True)
    if not len(flat):
        return np.zeros(0)
    # From frame to frame: over longer times the points change their arrangement.
    dots = (flat[1:] * flat[:-1]).sum(axis=(1, 2))
    crosses = (flat[:-1, :, 1] * flat[1:, :, 0] - flat[:-1, :, 0] * flat[1:, :, 1]).sum(axis=1)
    yaws = np.concatenate([[0.0], np.cumsum(np.arctan2(crosses, dots))])
    width = SMOOTHING / frame_time
    half = int(3.0 * width)
    if half < 1:
        return yaws
    weights = np.exp(-0.5 * (np.arange(-half, half + 1) / width) ** 2)
    # Beyond the ends the heading goes on as it did, mirrored about its end.
    before = 2.0 * yaws[0] - yaws[1 : half + 1][::-1]
    after = 2.0 * yaws[-1] - yaws[-half - 1 : -1][::-1]
    padded = np.concatenate([before, yaws, after])
    padded = np.pad(padded, (half - len(before), half - len(after)), mode="edge")
    return np.convolve(padded, weights / weights.sum(), mode="valid")
