"""The pose strip: one picture that shows a whole motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PIL import Image

from motionloom.arrays import FloatArray
from motionloom.display.camera import Camera, Frame, checked_view, framing, view_axes
from motionloom.display.canvas import Canvas, write_text
from motionloom.display.painting import (
    Stand,
    paint_figures,
    paint_grid,
    paint_plant,
    paint_shadows,
    paint_trace,
)
from motionloom.display.scene import Actor, Scene, build_scene, foot_traces, plants, root_trace
from motionloom.display.sizes import checked_n_poses, checked_size
from motionloom.display.style import FAINT_INK, INK
from motionloom.motion import Clip

OVERSAMPLING = 3

FIRST_STRENGTH_GOING, FIRST_STRENGTH_STAYING = 0.26, 0.5
"""How strongly the first pose is painted where poses overlap along the way, and where they stand apart."""

FLATTEST, TALLEST = 0.26, 0.5625
"""Smallest and largest height of a strip, in widths, when the caller leaves the height open."""

ROOM = 0.6
"""Share of its own width a figure must move from pose to pose for the poses to be shown along the way."""

MEMORY = 0.8
"""Longest bit of the way, in seconds, that is drawn at a pose in a row."""

GAP = 0.12
"""Space between neighbouring poses that stand apart, as a share of the figure's height."""


@dataclass(frozen=True, eq=False)
class _Beat:
    """One pose of the strip: the second of each actor, and (3,) metres the figures are moved by."""

    times: tuple[float, ...]
    offset: FloatArray
    strength: float


def render_strip(
    clips: Clip | Sequence[Clip],
    *,
    width: int = 1600,
    height: int | None = None,
    view: str = "auto",
    n_poses: int = 8,
    title: str = "",
) -> Image.Image:
    """Draw poses of a motion in one picture, from light (early) to strong (late).

    A figure that goes somewhere is shown along its way; one that stays in place is laid out side by side.

    Parameters
    ----------
    clips
        One clip, or several in one scene.
    width, height
        Pixels; the height follows from the motion when None.
    view
        "auto" (three-quarter), "side", "front" or "top".
    n_poses
        How many poses, the first and last frame included.
    title
        A line for the upper left corner.

    >>> from motionloom.motion import Skeleton
    >>> pole = Skeleton(["foot", "top"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    >>> clip = Clip(pole, 0.1, [[0, 0, 0], [5, 0, 0]], np.tile([1.0, 0, 0, 0], (2, 2, 1)))
    >>> render_strip(clip, width=320, height=120).size
    (320, 120)
    """
    look, n_poses = checked_view(view), checked_n_poses(n_poses)
    checked_size(width, width if height is None else height)
    scene = build_scene(clips)
    n_poses = min(n_poses, max(actor.clip.n_frames for actor in scene.actors))
    axes = view_axes(look, scene.heading, scene.travels)
    beats = _beats_along(scene, n_poses)
    along = scene.travels and _has_room(scene, axes, beats)
    if not along:
        beats = _beats_apart(scene, axes, n_poses)
    stands = [_stands(scene, beat) for beat in beats]
    content = _content(scene, stands, along)
    if height is None:
        height = _fitting_height(content, axes, width)
    camera = framing(content, axes, _frame(width, height, bool(title)))

    canvas = Canvas(width, height, camera, OVERSAMPLING)
    ground = content[:, [0, 2]]
    paint_grid(canvas, scene, ground.min(axis=0), ground.max(axis=0))
    _paint_ways(canvas, scene, beats, along)
    every = _far_actors_first(camera, stands)
    paint_shadows(canvas, scene, every)
    paint_figures(canvas, every)
    picture = canvas.finished()
    _write_title(picture, title)
    if along:
        _write_duration(picture, scene)
    else:
        _write_times(picture, camera, beats, stands)
    return picture


def _beats_along(scene: Scene, n_poses: int) -> list[_Beat]:
    """Poses where they are, each actor's at even steps of its own way."""
    times = [_even_steps(actor, n_poses) for actor in scene.actors]
    strengths = _strengths(FIRST_STRENGTH_GOING, n_poses)
    return [
        _Beat(tuple(moments), np.zeros(3), strength)
        for *moments, strength in zip(*times, strengths, strict=True)
    ]


def _even_steps(actor: Actor, n_poses: int) -> list[float]:
    """Seconds at which an actor has gone equal shares of its way; the last one when there is one pose."""
    way = actor.overview[:, 0][:, [0, 2]]
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))])
    moments = actor.samples() * actor.clip.frame_time
    wanted = np.linspace(0.0, gone[-1], n_poses) if n_poses > 1 else gone[-1:]
    found: list[float] = np.interp(wanted, gone, moments).tolist()
    return found


def _has_room(scene: Scene, axes: FloatArray, beats: Sequence[_Beat]) -> bool:
    """Whether poses of the first actor, shown where they are, stay clear enough of one another."""
    across = scene.actors[0].points_at(np.array([beat.times[0] for beat in beats])) @ axes[0]
    steps = np.abs(np.diff(across.mean(axis=1)))
    return len(beats) == 1 or float(steps.mean()) >= ROOM * float(np.ptp(across, axis=1).mean())


def _beats_apart(scene: Scene, axes: FloatArray, n_poses: int) -> list[_Beat]:
    """Poses in a row, at even steps of time; the way the figures go meanwhile is taken out."""
    times = np.linspace(0.0, scene.duration, n_poses) if n_poses > 1 else np.array([scene.duration])
    roots = np.mean([actor.points_at(times)[:, 0] for actor in scene.actors], axis=0)
    roots[:, 1] = 0.0
    places = np.arange(n_poses)[:, None] * _pace(scene, axes, times, roots) * axes[0]
    strengths = _strengths(FIRST_STRENGTH_STAYING, n_poses)
    return [
        _Beat((time,) * len(scene.actors), offset, strength)
        for time, offset, strength in zip(times.tolist(), places - roots, strengths, strict=True)
    ]


def _strengths(first: float, n_poses: int) -> list[float]:
    shares: list[float] = np.linspace(first, 1.0, n_poses).tolist() if n_poses > 1 else [1.0]
    return shares


def _pace(scene: Scene, axes: FloatArray, times: FloatArray, roots: FloatArray) -> float:
    """Metres between poses in a row, so that neighbours do not touch."""
    spans = [(actor.points_at(times) - roots[:, None]) @ axes[0] for actor in scene.actors]
    low = np.min([span.min(axis=1) for span in spans], axis=0)
    high = np.max([span.max(axis=1) for span in spans], axis=0)
    needed = (high[:-1] - low[1:]).max(initial=0.0)
    return float(max(needed, 0.3 * scene.height) + GAP * scene.height)


def _stands(scene: Scene, beat: _Beat) -> list[Stand]:
    return [
        Stand(actor, actor.points_at(np.array([time]))[0] + beat.offset, beat.strength)
        for actor, time in zip(scene.actors, beat.times, strict=True)
    ]


def _far_actors_first(camera: Camera, stands: Sequence[Sequence[Stand]]) -> list[Stand]:
    """All figures in the order to paint them: the farthest actor first, each in the order of time."""
    actors = list(zip(*stands, strict=True))
    depths = [float(np.mean([camera.project(stand.points)[1].mean() for stand in actor])) for actor in actors]
    order = sorted(range(len(actors)), key=lambda k: -depths[k])
    return [stand for k in order for stand in actors[k]]


def _content(scene: Scene, stands: Sequence[Sequence[Stand]], along: bool) -> FloatArray:
    """All points (N, 3) the picture must contain: the figures and the ways they leave on the ground."""
    content = [scene.with_room(stand.points[None])[0] for group in stands for stand in group]
    if along:
        ways = [actor.overview[:, [0, *actor.body.feet]].reshape(-1, 3) for actor in scene.actors]
        content.append(scene.on_ground(np.concatenate(ways)))
    return np.concatenate(content)


def _fitting_height(content: FloatArray, axes: FloatArray, width: int) -> int:
    """The height at which the content just fills the width, within reason, in whole steps of two pixels."""
    flat = np.ptp(content @ axes[:2].T, axis=0)
    room = 0.16 * width if flat[0] <= 0.0 else 0.93 * width * float(flat[1] / flat[0]) + 0.09 * width
    return 2 * round(float(np.clip(room, FLATTEST * width, TALLEST * width)) / 2.0)


def _frame(width: int, height: int, titled: bool) -> Frame:
    text = _text_size(width, height)
    return Frame(width, height, side=0.035 * width, top=(3.0 if titled else 1.4) * text, bottom=2.6 * text)


def _text_size(width: int, height: int) -> float:
    return max(10.0, round(0.021 * (width + height) / 1.5))


def _paint_ways(canvas: Canvas, scene: Scene, beats: Sequence[_Beat], along: bool) -> None:
    """Foot paths, the way of the root and plants: whole, or for each pose in a row its own last bit."""
    if along:
        for actor in scene.actors:
            _paint_way(canvas, scene, actor, 0.0, actor.clip.n_frames - 1.0, np.zeros(3))
        return
    for before, beat in pairwise(beats):
        for actor in scene.actors:
            clip, since = actor.clip, max(before.times[0], beat.times[0] - MEMORY)
            start, end = (min(time / clip.frame_time, clip.n_frames - 1.0) for time in (since, beat.times[0]))
            _paint_way(canvas, scene, actor, start, end, beat.offset)


def _paint_way(
    canvas: Canvas, scene: Scene, actor: Actor, start: float, end: float, offset: FloatArray
) -> None:
    camera = canvas.camera
    canvas.camera = camera.moved(-offset)
    paint_trace(canvas, root_trace(scene, actor, start, end))
    for trace in foot_traces(scene, actor, start, end):
        paint_trace(canvas, trace)
    first, last = start * actor.clip.frame_time, end * actor.clip.frame_time
    for plant in plants(scene, actor):
        if plant.start <= last and plant.end >= first:
            paint_plant(canvas, plant, 1.0)
    canvas.camera = camera


def _write_title(picture: Image.Image, title: str) -> None:
    size = _text_size(*picture.size)
    write_text(picture, (0.9 * size, 0.8 * size), title, size, INK)


def _write_duration(picture: Image.Image, scene: Scene) -> None:
    size = _text_size(*picture.size)
    corner = (picture.width - 0.9 * size, picture.height - 0.7 * size)
    write_text(picture, corner, f"{scene.duration:.2f} s", 0.8 * size, FAINT_INK, anchor="rs")


def _write_times(
    picture: Image.Image, camera: Camera, beats: Sequence[_Beat], stands: Sequence[Sequence[Stand]]
) -> None:
    """The second of each pose, below it."""
    size = _text_size(*picture.size)
    for beat, group in zip(beats, stands, strict=True):
        roots = np.array([stand.points[0] for stand in group])
        middle = float(camera.project(roots)[0][:, 0].mean())
        place = (middle, picture.height - 0.7 * size)
        write_text(picture, place, f"{beat.times[0]:.2f} s", 0.8 * size, FAINT_INK, anchor="ms")
