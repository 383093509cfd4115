"""`demonstrate`: make the motions, draw them, and write the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import numpy as np

from motionloom.atomic_write import atomic_output
from motionloom.demonstration.page import page
from motionloom.demonstration.story import GAITS, MOTIONS, Made, Story, loop_file, told
from motionloom.display import render
from motionloom.display.blend_figures import plot_blend
from motionloom.display.figures import plot_registration
from motionloom.files import save
from motionloom.files.bundles import save_with_clips
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip

PAGE, CLIPS_PICTURE, CURVE_FILE, CURVE_PLOT = "report.html", "nine-motions.png", "gaits.npz", "gaits.png"

N_STEPS = 3 + len(MOTIONS)
"""Steps that progress is told of: clips, curve, every motion, and writing it all."""

DRAWN_METRES, SIDE_BY_SIDE = 3.6, 4.6
"""How much of each clip the first picture shows, and how far apart the three gaits stand, metres."""

MOST_POSES = 14
"""Poses in a picture of one motion."""


def files_of_demo() -> list[str]:
    """Names of all files that the demonstration writes; plots only where matplotlib is installed."""
    plots = [CURVE_PLOT, *(f"{name}-plot.png" for name in MOTIONS)] if find_spec("matplotlib") else []
    motions = [f"{name}{suffix}" for name in MOTIONS for suffix in (".bvh", ".png")]
    return [*_clip_files(), *_loop_files(), CLIPS_PICTURE, CURVE_FILE, *motions, *plots, PAGE]


def _clip_files() -> list[str]:
    return [f"{name}.bvh" for name in GAITS]


def _loop_files() -> list[str]:
    return [loop_file(name) for name in GAITS]


def demonstrate(
    folder: Path, *, overwrite: bool = False, progress: Callable[[int, int], None] | None = None
) -> list[Path]:
    """Run the whole method on the built-in motions and write clips, pictures and a page into a folder.

    Parameters
    ----------
    folder
        Where to write; it must exist.
    overwrite
        Whether files that are there may be replaced.
    progress
        Told how many of how many steps are done.

    >>> demonstrate(Path("demo"))    # doctest: +SKIP
    """
    steps = count(1)

    def done() -> None:
        if progress is not None:
            progress(next(steps), N_STEPS)

    written(told(done), folder, overwrite=overwrite)
    done()
    return [folder / name for name in files_of_demo()]


def written(story: Story, folder: Path, *, overwrite: bool = False) -> None:
    """Write all files of a story into a folder that exists; plots only where matplotlib is installed."""
    for name, clip in zip(_clip_files(), story.clips.values(), strict=True):
        save(clip, folder / name, overwrite=overwrite)
    _draw_clips(list(story.clips.values()), folder / CLIPS_PICTURE, overwrite)
    places = [folder / name for name in _loop_files()]
    save_with_clips(story.curve, folder / CURVE_FILE, places, overwrite=overwrite)
    plotted = find_spec("matplotlib") is not None
    if plotted:
        plot_registration(story.curve, folder / CURVE_PLOT, overwrite=overwrite)
    pictures = {"clips": [CLIPS_PICTURE], "curve": [CURVE_PLOT] if plotted else []}
    for each in story.made:
        pictures[each.name] = _write(each, folder, plotted, overwrite)
    with atomic_output(folder / PAGE, overwrite=overwrite) as temporary:
        temporary.write_text(page(story.curve, story.made, pictures), encoding="utf-8")


def _write(made: Made, folder: Path, plotted: bool, overwrite: bool) -> list[str]:
    """Save a motion with its picture and plot; returns the names of the pictures."""
    save(made.clip, folder / f"{made.name}.bvh", overwrite=overwrite)
    render([made.clip], folder / f"{made.name}.png", n_poses=MOST_POSES, overwrite=overwrite)
    if not plotted:
        return [f"{made.name}.png"]
    plot_blend(made.result, folder / f"{made.name}-plot.png", names=made.source_names, overwrite=overwrite)
    return [f"{made.name}.png", f"{made.name}-plot.png"]


def _draw_clips(clips: Sequence[Clip], path: Path, overwrite: bool) -> None:
    """The first metres of all clips in one scene: jog, walk and sneak side by side, three ways each."""
    apart = [
        _first_metres(clip).placed(GroundTransform(x=SIDE_BY_SIDE * (1 - n // 3)))
        for n, clip in enumerate(clips)
    ]
    render(apart, path, n_poses=4, overwrite=overwrite)


def _first_metres(clip: Clip) -> Clip:
    steps = np.linalg.norm(np.diff(clip.root_positions[:, [0, 2]], axis=0), axis=1)
    return clip[: int(np.searchsorted(np.cumsum(steps), DRAWN_METRES)) + 1]
