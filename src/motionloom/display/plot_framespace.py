"""A plot of a blend in a framespace: states before and after the warp, the interpolant, pelvis and hips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from motionloom.annotation.events import swing_angles
from motionloom.arrays import FloatArray
from motionloom.blending import BlendResult
from motionloom.display.plot_style import INK, PAPER, colour_of
from motionloom.errors import ParameterError
from motionloom.framespace import Framespace, FramespaceReport
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (12.0, 10.0)
"""Inches of a whole figure."""

FAINT = 0.35
"""Opacity of what lies behind: borders of the space and lines of states."""

LABEL_STEP, LABEL_RISE = 0.11, 0.3
"""Cycles that two states must lie apart for their labels to stand at one height, and lanes by which the
second is written higher."""

LABELS_PER_STATE = 2
"""Labels of a state that are written; there is no room for more."""

DEPTH = (0.12, 0.6)
"""Where w = 1 lies in the picture of a box: this share of its length to the right, and of its height up."""

CORNERS = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0))
"""v and w of the four clips of a box."""

SIDE_STYLES = {"left": "-", "right": "--"}


def draw_framespace(space: Framespace, result: BlendResult, names: Sequence[str]) -> Figure:
    """Draw the states of a framespace, the interpolant, and pelvis and hips of the result."""
    from matplotlib.figure import Figure

    report = result.report
    if not isinstance(report, FramespaceReport):
        raise ParameterError("the result was not made by a framespace: plot it as a blend (plot.blend)")

    figure = Figure(figsize=SIZE, layout="constrained", facecolor=PAPER)
    parts = figure.add_gridspec(4, 2, height_ratios=[2, 3, 2, 2])
    cyclic = [k for k, clip in enumerate(space.clips) if clip.cyclic]
    before, after = (figure.add_subplot(parts[0, column]) for column in range(2))
    _draw_states(before, space, cyclic, names, space.warp.phases - space.warp.origins, "before")
    even = np.full(len(cyclic), 1.0 / len(cyclic))
    warped = np.repeat(space.warp.times(even)[:-1, None], len(cyclic), axis=1)
    _draw_states(after, space, cyclic, names, warped, "after")
    if space.shape == "box":
        _draw_box(figure.add_subplot(parts[1, :]), report, names)
    else:
        _draw_rectangle(figure.add_subplot(parts[1, :]), space, report, names)
    _draw_pelvis(figure.add_subplot(parts[2, :]), result.clip, report)
    _draw_hips(figure.add_subplot(parts[3, :]), result.clip, report)
    return figure


def _draw_states(
    axes: Axes, space: Framespace, cyclic: Sequence[int], names: Sequence[str], times: FloatArray, when: str
) -> None:
    """A lane for each clip with its states at times (N, K), corresponding ones joined."""
    closed = np.concatenate([times, np.ones_like(times[:1])])
    lanes = np.arange(len(cyclic))
    for lane, k in enumerate(cyclic):
        axes.plot([0.0, 1.0], [lane, lane], color=colour_of(k), linewidth=2)
        axes.plot(closed[:, lane], np.full(len(closed), lane), "o", color=colour_of(k), markersize=5)
    for row in closed:
        axes.plot(row, lanes, color=INK, linewidth=0.8, alpha=FAINT)
    previous, height = -1.0, 0
    for row, state in zip(times, space.correspondence.matched, strict=True):
        height = height + 1 if row[-1] - previous < LABEL_STEP else 0
        previous = float(row[-1])
        words = ", ".join(state.labels[:LABELS_PER_STATE])
        above = len(cyclic) - 0.75 + LABEL_RISE * (height % 3)
        axes.text(previous, above, words, fontsize=6, rotation=20, parse_math=False)
    axes.set_yticks(lanes, [names[k] for k in cyclic], fontsize=8, parse_math=False)
    axes.set_ylim(-0.5, len(cyclic) + 0.6)
    axes.set_title(f"States {when} the warp, in cycles", fontsize=9, loc="left")


def _draw_rectangle(axes: Axes, space: Framespace, report: FramespaceReport, names: Sequence[str]) -> None:
    """Cycles across and v up, the clips as borders, every state a line from border to border."""
    heights = np.linspace(0.0, 1.0, len(names))
    last = float(report.cycles[-1])
    for k, height in enumerate(heights):
        axes.axhline(height, color=colour_of(k), linewidth=2)
    if all(clip.cyclic for clip in space.clips):
        for cycle in range(len(report.cycle_frames)):
            marks = space.warp.times(np.eye(len(names)))[:, :-1] + cycle
            axes.plot(marks, heights, color=INK, linewidth=0.6, alpha=FAINT)
    axes.plot(report.cycles, report.points[:, 0], color=INK, linewidth=2)
    axes.set_yticks(heights, names, fontsize=8, parse_math=False)
    axes.set_xlim(0.0, last)
    axes.set_xlabel("cycles", fontsize=8)
    axes.set_title("Interpolant in the framespace, and the states it crosses", fontsize=9, loc="left")


def _draw_box(axes: Axes, report: FramespaceReport, names: Sequence[str]) -> None:
    """The box seen from the side: cycles across, v up, w into the picture; a clip on each long edge."""
    last = float(report.cycles[-1])

    def seen(cycles: npt.ArrayLike, v: npt.ArrayLike, w: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        along, up, back = np.broadcast_arrays(cycles, v, w)
        return np.asarray(along + DEPTH[0] * last * back), np.asarray(up + DEPTH[1] * back)

    for end in (0.0, last):
        axes.plot(*seen(end, np.array([0, 1, 1, 0, 0]), np.array([0, 0, 1, 1, 0])), color=INK, alpha=FAINT)
    for k, (v, w) in enumerate(CORNERS):
        axes.plot(*seen(np.array([0.0, last]), v, w), color=colour_of(k), linewidth=2)
        x, y = seen(last, v, w)
        axes.text(float(x), float(y), f" {names[k]}", fontsize=8, parse_math=False)
    across, heights = seen(report.cycles, report.points[:, 0], report.points[:, 1])
    axes.plot(*seen(report.cycles, 0.0, report.points[:, 1]), color=INK, linewidth=0.8, linestyle=":")
    axes.plot(across, heights, color=INK, linewidth=2)
    axes.set_xlim(0.0, last * (1.0 + DEPTH[0]) * 1.15)
    axes.set_axis_off()
    axes.set_title(
        "Interpolant in the framespace, with its shadow on the floor: v points up, w back",
        fontsize=9,
        loc="left",
    )


def _draw_pelvis(axes: Axes, clip: Clip, report: FramespaceReport) -> None:
    seconds = _seconds(clip)
    steps = np.linalg.norm(np.diff(clip.body.root_positions[:, [0, 2]], axis=0), axis=1)
    axes.plot(seconds, np.concatenate([[0.0], np.cumsum(steps)]), color=INK)
    axes.set_ylabel("distance (m)", fontsize=8)
    heights = axes.twinx()
    heights.plot(seconds, clip.body.root_positions[:, 1], color=colour_of(0), linewidth=0.9)
    heights.set_ylabel("height (m)", color=colour_of(0), fontsize=8)
    axes.set_title("Pelvis: distance travelled (black) and height (blue)", fontsize=9, loc="left")
    _mark_cycles(axes, clip, report)


def _draw_hips(axes: Axes, clip: Clip, report: FramespaceReport) -> None:
    for leg in find_anatomy(clip.skeleton).legs:
        angles = np.degrees(swing_angles(clip, leg.hip, leg.knee))
        style = SIDE_STYLES[leg.side]
        axes.plot(_seconds(clip), angles, style, color=INK, linewidth=1, label=f"{leg.side} hip")
    if axes.lines:
        axes.legend(fontsize=7, frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
    axes.set_ylabel("flexion (°)", fontsize=8)
    axes.set_xlabel("time (s)")
    axes.set_title("Hip swing; dotted lines separate cycles", fontsize=9, loc="left")
    _mark_cycles(axes, clip, report)


def _mark_cycles(axes: Axes, clip: Clip, report: FramespaceReport) -> None:
    for frame in report.cycle_frames.tolist():
        axes.axvline(frame * clip.frame_time, color=INK, linewidth=0.7, linestyle=":")
    axes.set_xlim(0.0, float(_seconds(clip)[-1]))


def _seconds(clip: Clip) -> FloatArray:
    return np.arange(clip.n_frames, dtype=np.float64) * clip.frame_time
