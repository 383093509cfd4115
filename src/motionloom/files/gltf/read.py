"""Read a glTF file into a clip as the file states it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom.arrays import freeze
from motionloom.files.gltf.builder import GENERATOR, STICKS
from motionloom.files.gltf.channels import Channel, choose_animation, nodes_of_animation, read_channels
from motionloom.files.gltf.container import read_container
from motionloom.files.gltf.document import GltfDocument
from motionloom.files.gltf.extras import apply_extras, read_frame_time
from motionloom.files.gltf.frame_grid import DEFAULT_RATE, FrameGrid, find_frame_grid
from motionloom.files.gltf.nodes import find_joints, read_tree
from motionloom.files.gltf.rig import Rig, find_moving_positions, pose_rig, read_rig
from motionloom.jobs.budget import Budget
from motionloom.motion import Character, Clip, Skeleton, Source
from motionloom.motion.anatomy import body_height

MIN_BODY_HEIGHT, MAX_BODY_HEIGHT = 0.1, 20.0
"""Metres; glTF prescribes metres, and a body outside this range shows that its file uses another unit."""


def read_gltf(
    path: Path,
    *,
    frame_time: float | None = None,
    animation: str | int | None = None,
    root: str | None = None,
    max_memory: int | None = None,
) -> Clip:
    """Read the skeleton and one animation of a .glb or .gltf file; without an animation, the rest pose.

    Keys are sampled at the frames they lie on, or at a usual rate. Transforms of nodes above the skeleton go
    into the root, so that positions are those of the scene.

    Parameters
    ----------
    path
        The file.
    frame_time
        Seconds per frame to sample at, in place of what the keys tell.
    animation
        Name or index of the animation; the first by default.
    root
        Name of the root node; found by default.
    max_memory
        Bytes that reading may take, in place of the usual budget.
    """
    budget = Budget(path, max_memory)
    document = GltfDocument(read_container(path, budget), budget)
    notes: list[str] = []
    chosen = choose_animation(document, animation, notes)
    tree = read_tree(document)
    rig = read_rig(tree, find_joints(tree, nodes_of_animation(chosen), root, notes), notes)
    channels = [] if chosen is None else read_channels(chosen, set(rig.nodes))
    stated = None if chosen is None else read_frame_time(chosen)
    # Annotations of our own files count frames of the stated rate: read them at that rate, then resample.
    grid = _choose_frames(document, rig, channels, frame_time if stated is None else None, stated, notes)
    clip = _clip(document, rig, channels, grid)
    if chosen is not None and channels:
        clip = apply_extras(clip, chosen, notes)
    if stated is not None and frame_time is not None:
        n_frames = int(clip.duration / frame_time) + 1
        document.budget.claim_samples(n_frames, len(rig.nodes))
        clip = clip.resampled(1.0 / frame_time)
    source = clip.source.noting(*notes)
    if chosen is not None:
        source = replace(source, animation=chosen.text("name", ""))
    has_mesh = _has_mesh(document)
    if has_mesh or document.count("animations") > 1:
        source = replace(source, character=Character(str(path), clip.skeleton, has_mesh=has_mesh))
    return replace(clip, source=source)


def _has_mesh(document: GltfDocument) -> bool:
    """Tell whether a file shows something other than the sticks that this package writes."""
    ours = document.content.get("asset", {}).get("generator") == GENERATOR
    return any(
        "mesh" in node.values and not (ours and node.values.get("name") == STICKS)
        for node in document.entries("nodes")
    )


def unit_of_rig(skeleton: Skeleton) -> str:
    """Return metres, as the format prescribes, or nothing where the body's height shows another unit."""
    height = body_height(skeleton)
    return "m" if not height or MIN_BODY_HEIGHT <= height <= MAX_BODY_HEIGHT else ""


def _choose_frames(
    document: GltfDocument,
    rig: Rig,
    channels: list[Channel],
    wanted: float | None,
    stated: float | None,
    notes: list[str],
) -> FrameGrid:
    if not channels:
        notes.append("no animation moves the skeleton: its rest pose was read as one frame")
        return FrameGrid(0.0, wanted or 1.0 / DEFAULT_RATE, 1)
    inputs = {id(channel.times): channel.times for channel in channels}
    times = np.unique(np.concatenate(list(inputs.values())))
    grid = find_frame_grid(times, wanted, stated, notes)
    document.budget.claim_samples(
        grid.n_frames,
        len(rig.nodes),
        f"its keys span {times[-1] - times[0]:.6g} s, or {grid.n_frames} frames at "
        f"{1.0 / grid.frame_time:.6g} per second",
    )
    return grid


def _clip(document: GltfDocument, rig: Rig, channels: list[Channel], grid: FrameGrid) -> Clip:
    positions, rotations = pose_rig(rig, channels, grid)
    skeleton = rig.skeleton
    return Clip(
        skeleton,
        grid.frame_time,
        freeze(np.ascontiguousarray(positions[:, 0])),
        rotations,
        translations=find_moving_positions(positions, skeleton.offsets),
        source=Source(str(document.path), "glb", unit=unit_of_rig(skeleton)),
    )
