"""Plots of warps: original and warped curves with their keys, frames of both, and a gallery of warps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motionloom.annotation.ground import Surface
from motionloom.arrays import FloatArray
from motionloom.display.plot_style import INK, PAPER, colour_of
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.messages import Operation
from motionloom.motion import Clip, Result
from motionloom.motion.result import ClipLike, unwrap
from motionloom.warping import ReachReport, WarpReport
from motionloom.warping.keys import find_moments

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, CURVE_HEIGHT, STRIP_HEIGHT = 12.0, 1.5, 2.2
"""Inches of a figure, of the curves of one joint, and of a row of frames."""

MAX_JOINTS = 4
"""Joints whose curves are drawn: those that change most."""

N_FRAMES = 9
"""Frames in a row, besides those of keys."""

APART = 0.55
"""Body heights between neighbouring frames of a body that stays in place."""

GROUND_SAMPLES = 400
"""Points of a ground's profile."""


def _warp_report(result: Result[object]) -> WarpReport:
    report = result.report if isinstance(result, Result) else None
    report = report.warp if isinstance(report, ReachReport) else report
    if not isinstance(report, WarpReport):
        raise ParameterError(
            ("a plot of a warp takes the result of ", Operation("motionloom.warp"), ", with its report")
        )
    return report


def draw_warp(source: Clip, warped: Result[object], ground: Surface | None) -> Figure:
    """Draw the curves of the joints that a warp changed most, and poses before and after it."""
    from matplotlib.figure import Figure

    report, result = _warp_report(warped), warped.clip
    joints = _find_changed_joints(source, report)
    heights = [CURVE_HEIGHT] * len(joints) + [STRIP_HEIGHT] * 2
    figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained", facecolor=PAPER)
    rows = figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0]
    keys = _passing(report)
    for axes, joint in zip(rows, joints, strict=False):
        _draw_curves(axes, source, result, joint, keys, report)
    shown = _pose_times(source, keys)
    _draw_frames(rows[-2], source, shown, INK, None, keys)
    later, keys_later = _in_result(shown, report, result), _in_result(keys, report, result)
    _draw_frames(rows[-1], result, later, colour_of(0), ground, keys_later)
    rows[-2].set_title("Original, side view", fontsize=9, loc="left")
    rows[-1].set_title(f"Warped: {report.key_count}", fontsize=9, loc="left")
    _set_common_extent([rows[-2], rows[-1]])
    return figure


def draw_gallery(clips: Mapping[str, tuple[ClipLike, Surface | None]]) -> Figure:
    """Draw a row of poses for each named clip."""
    from matplotlib.figure import Figure

    n_rows = -(-len(clips) // 2)
    size = (1.5 * WIDTH, n_rows * STRIP_HEIGHT)
    figure = Figure(figsize=size, layout="constrained", facecolor=PAPER)
    cells = figure.subplots(n_rows, 2, squeeze=False).ravel()
    for axes in cells[len(clips) :]:
        axes.set_axis_off()
    for axes, (name, (shown, ground)) in zip(cells, clips.items(), strict=False):
        report, clip = shown.report if isinstance(shown, Result) else None, unwrap(shown)
        keys = _in_result(_passing(report), report, clip) if isinstance(report, WarpReport) else []
        _draw_frames(axes, clip, _pose_times(clip, keys), colour_of(0), ground, keys)
        axes.set_title(name, fontsize=10, loc="left")
    return figure


def _passing(report: WarpReport) -> tuple[float, ...]:
    """The moments of keys that come and go, in seconds of the source; held ones have no moment to show."""
    return find_moments([key for key in report.warp.keys if key.ease is not None])


def _find_changed_joints(source: Clip, report: WarpReport) -> list[int]:
    """The joints with keys, those that are turned farthest first, in the skeleton's order."""
    sizes: dict[int, float] = {}
    for key in report.warp.keys:
        joint = source.skeleton.index(key.joint) if key.joint else 0
        size = (
            abs(float(np.log(np.max(key.vector)))) if key.kind == "scale" else float(np.abs(key.vector).max())
        )
        sizes[joint] = max(sizes.get(joint, 0.0), size)
    return sorted(sorted(sizes, key=lambda joint: -sizes[joint])[:MAX_JOINTS])


def _draw_curves(
    axes: Axes, source: Clip, result: Clip, joint: int, keys: Sequence[float], report: WarpReport
) -> None:
    """The angle of a joint about the axis in which both clips differ most."""
    before, after = _angles(source, source, joint), _angles(result, source, joint)
    departures = np.concatenate([before - before.mean(axis=0), after - before.mean(axis=0)])
    axis = np.linalg.svd(departures, full_matrices=False)[2][0]
    for curve, clip, colour, label in (
        (before, source, INK, "original"),
        (after, result, colour_of(0), "warped"),
    ):
        seconds = np.arange(clip.n_frames) * clip.frame_time
        axes.plot(seconds, np.degrees(curve @ axis), color=colour, linewidth=1.2, label=label)
    for key in keys:
        axes.axvline(_moment(key, report), color=colour_of(1), linewidth=0.9, linestyle="--")
    axes.set_ylabel("angle (°)", fontsize=8)
    axes.set_xlabel("time (s)", fontsize=8)
    axes.margins(x=0.01)
    axes.set_title(source.skeleton.names[joint], fontsize=9, loc="left", parse_math=False)
    axes.legend(fontsize=7, frameon=False, loc="upper right")


def _angles(clip: Clip, about: Clip, joint: int) -> FloatArray:
    """Rotation vectors (T, 3) of a joint from its rotation in the first frame of another clip."""
    turned = rot.multiply(rot.inverse(about.rotations[0, joint]), clip.rotations[:, joint])
    return rot.to_rotation_vector(rot.unroll(turned))


def _pose_times(clip: Clip, keys: Sequence[float]) -> list[float]:
    """The moments of keys and evenly spaced ones between them, seconds."""
    step = clip.duration / max(N_FRAMES - 1, 1)
    even = [n * step for n in range(N_FRAMES)]
    free = [time for time in even if all(abs(time - key) > step / 2.0 for key in keys)]
    return sorted([*free, *keys])


def _moment(key: float, report: WarpReport) -> float:
    from motionloom.warping import TimeMap

    whole = next((keys for keys in report.warp.times if not keys.joint), None)
    if whole is None:
        return key
    return float(TimeMap(whole, max(key, max(source for source, _ in whole.seconds))).result_times(key))


def _in_result(shown: Sequence[float], report: WarpReport, result: Clip) -> list[float]:
    return [min(_moment(time, report), result.duration) for time in shown]


def _draw_frames(
    axes: Axes,
    clip: Clip,
    times: Sequence[float],
    colour: str,
    ground: Surface | None,
    keys: Sequence[float],
) -> None:
    """Stick figures from the side, where they are along the way, or beside each other."""
    from matplotlib.collections import LineCollection

    bones = _bones(clip, np.clip(np.array(times) / clip.frame_time, 0, clip.n_frames - 1))
    forward = _forward(clip)
    across = bones @ forward
    heights = bones[..., 1]
    size = float(np.ptp(heights[0]))
    if np.ptp(across[:, 0, 0]) < size:
        centres = across.mean(axis=(1, 2), keepdims=True)
        across = across - centres + APART * size * np.arange(len(times))[:, None, None]
    for n, time in enumerate(times):
        keyed = any(abs(time - key) < 1e-9 for key in keys)
        lines = np.stack([across[n], heights[n]], axis=-1)
        axes.add_collection(
            LineCollection(
                list(lines), colors=colour_of(1) if keyed else colour, linewidths=1.8, capstyle="round"
            )
        )
    _draw_ground(axes, clip, forward, across, ground)
    axes.set_aspect("equal", adjustable="box")
    axes.autoscale_view()
    axes.set_axis_off()


def _draw_ground(
    axes: Axes, clip: Clip, forward: FloatArray, across: FloatArray, ground: Surface | None
) -> None:
    """The profile of the ground along the way."""
    along = np.linspace(float(across.min()), float(across.max()), GROUND_SAMPLES)
    if ground is None:
        axes.axhline(0.0, color=INK, linewidth=0.6)
        return
    start = clip.root_positions[0] * [1.0, 0.0, 1.0]
    points = start + (along - start @ forward)[:, None] * forward
    levels = np.array([float(ground(x, z)) for x, z in points[:, [0, 2]].tolist()])
    axes.fill_between(along, min(float(levels.min()), 0.0) - 0.05, levels, color=INK, alpha=0.25, linewidth=0)


def _bones(clip: Clip, frames: FloatArray) -> FloatArray:
    """Both ends (N, B, 2, 3) of the bones of a clip at fractional frames (N,)."""
    poses = clip.at(frames)
    positions, rotations = poses.world_positions(), poses.world_rotations()
    child = np.arange(1, clip.skeleton.n_joints)
    bones = [np.stack([positions[:, clip.skeleton.parents[child]], positions[:, child]], axis=2)]
    for tip in clip.skeleton.tips:
        end = positions[:, tip.joint] + rot.rotate(rotations[:, tip.joint], tip.offset)
        bones.append(np.stack([positions[:, tip.joint], end], axis=1)[:, None])
    return np.concatenate(bones, axis=1)


def _forward(clip: Clip) -> FloatArray:
    """The level direction (3,) in which a clip goes, or faces where it stays."""
    from motionloom.motion.anatomy import facing

    direction = (clip.root_positions[-1] - clip.root_positions[0]) * [1.0, 0.0, 1.0]
    if np.linalg.norm(direction) < 0.5:
        yaw = float(facing(clip)[0])
        direction = np.array([np.sin(yaw), 0.0, np.cos(yaw)])
    return np.asarray(direction / np.linalg.norm(direction))


def _set_common_extent(rows: Sequence[Axes]) -> None:
    """Give rows of frames the same extent, so that what is below stands below."""
    low, high = zip(*(axes.get_xlim() for axes in rows), strict=True)
    bottom, top = zip(*(axes.get_ylim() for axes in rows), strict=True)
    for axes in rows:
        axes.set_xlim(min(low), max(high))
        axes.set_ylim(min(bottom), max(top))
