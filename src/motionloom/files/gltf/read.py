"""From a glTF file to a clip as the file states it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom.arrays import freeze
from motionloom.errors import FileFormatError
from motionloom.files.gltf.channels import Channel, choose_animation, moved_nodes, read_channels
from motionloom.files.gltf.container import read_container
from motionloom.files.gltf.document import Document
from motionloom.files.gltf.extras import stated_frame_time, with_extras
from motionloom.files.gltf.frame_grid import DEFAULT_RATE, Grid, find_grid
from motionloom.files.gltf.nodes import find_joints, read_tree
from motionloom.files.gltf.rig import Figure, moving_places, posed, read_figure
from motionloom.motion import Clip, Skeleton, Source
from motionloom.motion.anatomy import body_height

MOST_SAMPLES = 4_000_000
"""Joints times frames that sparse keys may be spread to: a hundred joints for ten minutes at 60 per second.
A file that holds more bytes than that may have as many samples as bytes."""

SMALLEST_BODY, LARGEST_BODY = 0.1, 20.0
"""Metres; glTF prescribes metres, and a body outside this range shows that its file does not keep to it."""


def read_gltf(
    path: Path,
    *,
    frame_time: float | None = None,
    animation: str | int | None = None,
    root: str | None = None,
) -> Clip:
    """Read the figure and one animation of a .glb or .gltf file; without an animation, the rest pose.

    Keys are sampled at the frames they lie on, or at a usual rate. Nodes above the figure are taken into the
    root, so that positions are those of the scene.

    Parameters
    ----------
    path
        The file.
    frame_time
        Seconds per frame to sample at, in place of what the keys tell.
    animation
        Name or index of the animation; the first by default.
    root
        Name of the node to take as the root; found by default.
    """
    document = Document(read_container(path))
    notes: list[str] = []
    chosen = choose_animation(document, animation, notes)
    tree = read_tree(document)
    figure = read_figure(tree, find_joints(tree, moved_nodes(chosen), root, notes), notes)
    channels = [] if chosen is None else read_channels(chosen, set(figure.nodes))
    stated = None if chosen is None else stated_frame_time(chosen)
    # What a file of ours says about its frames is read at its own rate.
    grid = _grid(document, figure, channels, frame_time if stated is None else None, stated, notes)
    clip = _clip(document, figure, channels, grid)
    if chosen is not None and channels:
        clip = with_extras(clip, chosen, notes)
    if stated is not None and frame_time is not None:
        clip = clip.resampled(1.0 / frame_time)
    return replace(clip, source=clip.source.noting(*notes))


def stated_unit(skeleton: Skeleton) -> str:
    """Metres, as the format prescribes; nothing where the body shows that the file does not keep to it."""
    height = body_height(skeleton)
    return "m" if not height or SMALLEST_BODY <= height <= LARGEST_BODY else ""


def _grid(
    document: Document,
    figure: Figure,
    channels: list[Channel],
    wanted: float | None,
    stated: float | None,
    notes: list[str],
) -> Grid:
    if not channels:
        notes.append("no animation moves the figure: its rest pose was read as one frame")
        return Grid(0.0, wanted or 1.0 / DEFAULT_RATE, 1)
    inputs = {id(channel.times): channel.times for channel in channels}
    times = np.unique(np.concatenate(list(inputs.values())))
    grid = find_grid(times, wanted, stated, notes)
    samples = grid.n_frames * len(figure.nodes)
    if samples > max(MOST_SAMPLES, document.path.stat().st_size):
        raise FileFormatError(
            document.path,
            f"its keys reach over {times[-1] - times[0]:.6g} s, which makes {grid.n_frames} frames at "
            f"{1.0 / grid.frame_time:.6g} per second: state a lower rate (fps= or --read-fps)",
        )
    return grid


def _clip(document: Document, figure: Figure, channels: list[Channel], grid: Grid) -> Clip:
    places, turns = posed(figure, channels, grid)
    skeleton = figure.skeleton
    return Clip(
        skeleton,
        grid.frame_time,
        freeze(np.ascontiguousarray(places[:, 0])),
        turns,
        translations=moving_places(places, skeleton.offsets),
        source=Source(str(document.path), "glb", unit=stated_unit(skeleton)),
    )
