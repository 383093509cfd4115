"""The packs of warps: a joint before and after its keys, and the warp presets as strips of poses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Result
from motionloom.project.clip_edits import edit_frames
from motionloom.project.document import ClipEdit
from motionloom.project.recipes import WarpRecipe
from motionloom.studio.packs import pack
from motionloom.studio.responses import KeyResult, SavedKey, WarpHeader, WarpPreset, WarpPresetsHeader
from motionloom.warping import PRESETS, TimeMap, WarpReport, apply_preset, resolve_warp
from motionloom.warping.curves import fit_curves
from motionloom.warping.keys import SAME_MOMENT
from motionloom.warping.warp_file import warp_from_text

THUMBNAIL_DURATION, THUMBNAIL_FPS = 3.0, 30.0
"""The built-in walk that the pictures of warp presets show; what some do needs several steps."""

THUMBNAIL_POSES = 5
"""Poses of a picture: enough to see a step over something, few enough to tell them apart."""


def pack_warp(
    source: Clip, result: Result[WarpReport], recipe: WarpRecipe, edit: ClipEdit, joint: str
) -> bytes:
    """Pack the curves of one joint of a warp: a :class:`WarpHeader` and its arrays.

    ``result`` is the warp before the item's edit; rows follow the edit. ``joint`` "" is the root.
    """
    warped = result.clip
    skeleton = warped.skeleton
    index = skeleton.index(joint) if joint else 0
    rows = edit_frames(warped.n_frames, edit)
    times = source_times(source, result)[rows]
    before = source.at(times / source.frame_time, "catmull_rom")
    rotation, offset = _key_curves(source, result.report, index, times)
    arrays = {
        "source_times": times,
        "original": _vectors(before.rotations[:, index]),
        "warped": _vectors(warped.rotations[rows, index]),
        "original_positions": before.world_positions()[:, index],
        "warped_positions": warped.world_positions()[rows, index],
        "world": warped.world_rotations()[rows, index],
        "key_rotation": rotation,
        "key_offset": offset,
    }
    header = WarpHeader(
        joint=skeleton.names[index],
        source_duration=source.duration,
        source_fps=1.0 / source.frame_time,
        duration=warped.duration,
        results=_results(result.report, recipe),
        notes=result.report.notes,
        saved=_list_saved_keys(source, recipe),
    )
    return pack(header, arrays)


def _list_saved_keys(source: Clip, recipe: WarpRecipe) -> tuple[SavedKey, ...]:
    """Return the keys of the saved warp of a recipe, each with its seconds in the source."""
    if recipe.saved is None:
        return ()
    saved = warp_from_text(recipe.saved)
    found = dict(resolve_warp(source.body, saved).moments)
    return tuple(
        SavedKey(
            moment=key.time if isinstance(key.time, str) else f"{key.time:g} s",
            times=found[key.time] if isinstance(key.time, str) else (key.time,),
            joint=key.joint,
            kind=key.kind,
        )
        for key in saved.keys
    )


def source_times(source: Clip, warped: Result[WarpReport]) -> FloatArray:
    """Return the source time (T,) of each frame of a warped clip, seconds.

    >>> from motionloom.synthesis import stand
    >>> from motionloom.warping import warp
    >>> clip = stand(duration=1.0, fps=10).clip
    >>> source_times(clip, warp(clip, times=[(0.5, 1.0)]))[[0, 10, 15]].round(6).tolist()
    [0.0, 0.5, 1.0]
    """
    times = np.arange(warped.clip.n_frames) * warped.clip.frame_time
    for keys in warped.report.warp.times:
        if not keys.joint:
            times = TimeMap(keys, source.duration).source_times(times)
    return np.clip(times, 0.0, source.duration)


def _vectors(rotations: FloatArray) -> FloatArray:
    """Convert rotations (T, 4) to rotation vectors (T, 3) that are continuous over time.

    The shortest vector jumps where a rotation passes half a turn; a curve that is drawn must not.
    """
    vectors = rot.to_rotation_vector(rotations)
    for n in range(1, len(vectors)):
        angle = np.linalg.norm(vectors[n])
        if angle == 0.0:
            continue
        whole = 2.0 * np.pi * vectors[n] / angle
        revolutions = np.rint((vectors[n - 1] - vectors[n]) @ whole / (4.0 * np.pi**2))
        vectors[n] += revolutions * whole
    return vectors


def _key_curves(
    source: Clip, report: WarpReport, index: int, times: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return by how much keys rotate a joint and move the root at source times (T,)."""
    rotation, offset = np.zeros((2, len(times), 3))
    for layer in report.warp.layers:
        curves = fit_curves(layer, source.skeleton)
        if index in curves.rotations:
            rotation = rotation + curves.rotations[index](times)
        if curves.offset is not None:
            offset = offset + curves.offset(times)
    return rotation, offset


def _results(report: WarpReport, recipe: WarpRecipe) -> tuple[KeyResult, ...]:
    """Return how well the reach keys of a recipe are met, by their index."""
    found = []
    for outcome in report.outcomes:
        for n, key in enumerate(recipe.keys):
            near = abs(key.time - outcome.key.seconds) < SAME_MOMENT
            if near and key.kind == "reach" == outcome.key.kind and key.joint == outcome.key.joint:
                found.append(KeyResult(key=n, distance=outcome.distance, reached=outcome.is_reached))
    return tuple(found)


@cache
def pack_presets() -> bytes:
    """Pack thumbnails of all warp presets: a few poses each of a built-in walk."""
    from motionloom.synthesis import walk

    clip = walk(duration=THUMBNAIL_DURATION, fps=THUMBNAIL_FPS).clip
    poses = [_poses(apply_preset(clip, name).clip) for name in PRESETS]
    warps = tuple(WarpPreset(name=name, description=_description(name)) for name in PRESETS)
    header = WarpPresetsHeader(warps=warps, parents=tuple(int(parent) for parent in clip.skeleton.parents))
    return pack(header, {"poses": poses})


def _poses(clip: Clip) -> FloatArray:
    """Take a few evenly spaced poses (P, J, 3) of a clip."""
    rows = np.linspace(0.1, 0.9, THUMBNAIL_POSES) * (clip.n_frames - 1)
    return np.asarray(clip.world_positions()[np.rint(rows).astype(np.int64)])


def _description(name: str) -> str:
    lines: Sequence[str] = (PRESETS[name].__doc__ or "").splitlines()
    if not lines:
        raise ParameterError(f"the warp preset {name!r} does not say what it does")
    return lines[0].strip()
