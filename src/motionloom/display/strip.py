"""The pose strip: one image that shows a whole motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PIL import Image

from motionloom.arrays import FloatArray
from motionloom.display.camera import Camera, ImageFrame, View, check_view, frame_points, view_axes
from motionloom.display.canvas import Canvas, check_size, write_text
from motionloom.display.floor import paint_floor, paint_path, paint_plant, paint_shadows
from motionloom.display.scene import Actor, Scene, build_scene, find_plants, floor_paths
from motionloom.display.stick_figures import PosedActor, paint_figures
from motionloom.display.style import FAINT_INK, INK
from motionloom.motion.result import ClipLike
from motionloom.validation import check_count

MAX_POSES = 200
"""Poses in one strip at most."""


FIRST_OPACITY_ALONG_PATH, FIRST_OPACITY_IN_ROW = 0.26, 0.5
"""Opacity of the first pose where poses overlap along the path, and where they stand in a row."""

MIN_HEIGHT, MAX_HEIGHT = 0.26, 0.5625
"""Limits of the height of a strip, in widths, if the caller gives none."""

MIN_STEP = 0.6
"""How far a figure must move from pose to pose, in figure widths, for poses to be shown along the path."""

PATH_DURATION = 0.8
"""Seconds of the path that are drawn at each pose in a row."""

GAP = 0.12
"""Space between neighbouring poses in a row, as a fraction of the figure's height."""


@dataclass(frozen=True, eq=False)
class _StripPose:
    """One pose of the strip: the time of each actor in seconds, the offset (3,) of the figures, opacity."""

    times: tuple[float, ...]
    offset: FloatArray
    strength: float


def render_strip(
    clips: ClipLike | Sequence[ClipLike],
    *,
    width: int = 1600,
    height: int | None = None,
    view: View = "auto",
    n_poses: int = 8,
    title: str = "",
) -> Image.Image:
    """Draw poses of a motion in one image, from light (early) to strong (late).

    A figure that travels is shown along its path; the poses of one that stays in place stand in a row.

    Parameters
    ----------
    clips
        One clip, or several in one scene.
    width, height
        Pixels; by default the height follows from the motion.
    view
        "auto" (three-quarter), "side", "front" or "top".
    n_poses
        Number of poses, first and last frame included.
    title
        A line of text in the upper left corner.

    >>> from motionloom.motion import Clip, Skeleton
    >>> pole = Skeleton(["foot", "top"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    >>> clip = Clip(pole, 0.1, [[0, 0, 0], [5, 0, 0]], np.tile([1.0, 0, 0, 0], (2, 2, 1)))
    >>> render_strip(clip, width=320, height=120).size
    (320, 120)
    """
    checked = check_view(view)
    n_poses = check_count("n_poses", n_poses, max=MAX_POSES)
    check_size(width, width if height is None else height)
    scene = build_scene(clips)
    n_poses = min(n_poses, max(actor.clip.n_frames for actor in scene.actors))
    axes = view_axes(checked, scene.heading, scene.travels)
    poses = _poses_along_path(scene, n_poses)
    along = scene.travels and _are_apart(scene, axes, poses)
    if not along:
        poses = _poses_in_row(scene, axes, n_poses)
    groups = [_pose_actors(scene, pose) for pose in poses]
    content = _content(scene, groups, along)
    if height is None:
        height = _fit_height(content, axes, width)
    camera = frame_points(content, axes, _frame(width, height, bool(title)))

    canvas = Canvas(width, height, camera)
    ground = content[:, [0, 2]]
    paint_floor(canvas, scene, ground.min(axis=0), ground.max(axis=0))
    _paint_paths(canvas, scene, poses, along)
    figures = _sort_far_actors_first(camera, groups)
    paint_shadows(canvas, scene, figures)
    paint_figures(canvas, figures)
    image = canvas.to_image()
    _write_texts(image, title, f"{scene.duration:.2f} s" if along else "")
    if not along:
        _write_times(image, camera, poses, groups)
    return image


def _poses_along_path(scene: Scene, n_poses: int) -> list[_StripPose]:
    """Return poses where they are, each actor's at even steps along its own path."""
    times = [_even_step_times(actor, n_poses) for actor in scene.actors]
    strengths = _opacities(FIRST_OPACITY_ALONG_PATH, n_poses)
    return [
        _StripPose(tuple(moments), np.zeros(3), strength)
        for *moments, strength in zip(*times, strengths, strict=True)
    ]


def _even_step_times(actor: Actor, n_poses: int) -> list[float]:
    """Return the times at which an actor has travelled equal fractions of its path; its end for one pose."""
    path = actor.overview[:, 0][:, [0, 2]]
    travelled = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    moments = actor.samples() * actor.clip.frame_time
    distances = np.linspace(0.0, travelled[-1], n_poses) if n_poses > 1 else travelled[-1:]
    times: list[float] = np.interp(distances, travelled, moments).tolist()
    return times


def _are_apart(scene: Scene, axes: FloatArray, poses: Sequence[_StripPose]) -> bool:
    """Whether poses of the first actor, shown where they are, overlap little enough."""
    across = scene.actors[0].points_at(np.array([pose.times[0] for pose in poses])) @ axes[0]
    steps = np.abs(np.diff(across.mean(axis=1)))
    return len(poses) == 1 or float(steps.mean()) >= MIN_STEP * float(np.ptp(across, axis=1).mean())


def _poses_in_row(scene: Scene, axes: FloatArray, n_poses: int) -> list[_StripPose]:
    """Return poses in a row, at even steps of time; travel is taken out."""
    times = np.linspace(0.0, scene.duration, n_poses) if n_poses > 1 else np.array([scene.duration])
    roots = np.mean([actor.points_at(times)[:, 0] for actor in scene.actors], axis=0)
    roots[:, 1] = 0.0
    slots = np.arange(n_poses)[:, None] * _slot_width(scene, axes, times, roots) * axes[0]
    strengths = _opacities(FIRST_OPACITY_IN_ROW, n_poses)
    return [
        _StripPose((time,) * len(scene.actors), offset, strength)
        for time, offset, strength in zip(times.tolist(), slots - roots, strengths, strict=True)
    ]


def _opacities(first: float, n_poses: int) -> list[float]:
    opacities: list[float] = np.linspace(first, 1.0, n_poses).tolist() if n_poses > 1 else [1.0]
    return opacities


def _slot_width(scene: Scene, axes: FloatArray, times: FloatArray, roots: FloatArray) -> float:
    """Return the distance between poses in a row, metres, so that neighbours do not touch."""
    spans = [(actor.points_at(times) - roots[:, None]) @ axes[0] for actor in scene.actors]
    low = np.min([span.min(axis=1) for span in spans], axis=0)
    high = np.max([span.max(axis=1) for span in spans], axis=0)
    needed = (high[:-1] - low[1:]).max(initial=0.0)
    return float(max(needed, 0.3 * scene.height) + GAP * scene.height)


def _pose_actors(scene: Scene, pose: _StripPose) -> list[PosedActor]:
    return [
        PosedActor(actor, actor.points_at(np.array([time]))[0] + pose.offset, pose.strength)
        for actor, time in zip(scene.actors, pose.times, strict=True)
    ]


def _sort_far_actors_first(camera: Camera, groups: Sequence[Sequence[PosedActor]]) -> list[PosedActor]:
    """Sort all figures as they are painted: the farthest actor first, each in the order of time."""
    actors = list(zip(*groups, strict=True))
    depths = [float(np.mean([camera.project(one.points)[1].mean() for one in actor])) for actor in actors]
    order = sorted(range(len(actors)), key=lambda k: -depths[k])
    return [figure for k in order for figure in actors[k]]


def _content(scene: Scene, groups: Sequence[Sequence[PosedActor]], along: bool) -> FloatArray:
    """Return all points (N, 3) that the image must contain: the figures and their paths on the floor."""
    content = [scene.add_margins(figure.points[None])[0] for group in groups for figure in group]
    if along:
        paths = [actor.overview[:, [0, *actor.body.feet]].reshape(-1, 3) for actor in scene.actors]
        content.append(scene.drop_to_floor(np.concatenate(paths)))
    return np.concatenate(content)


def _fit_height(content: FloatArray, axes: FloatArray, width: int) -> int:
    """Return the height at which the content just fills the width, within limits, an even number."""
    flat = np.ptp(content @ axes[:2].T, axis=0)
    room = 0.16 * width if flat[0] <= 0.0 else 0.93 * width * float(flat[1] / flat[0]) + 0.09 * width
    return 2 * round(float(np.clip(room, MIN_HEIGHT * width, MAX_HEIGHT * width)) / 2.0)


def _frame(width: int, height: int, titled: bool) -> ImageFrame:
    text = _text_size(width, height)
    return ImageFrame(
        width, height, side=0.035 * width, top=(3.0 if titled else 1.4) * text, bottom=2.6 * text
    )


def _text_size(width: int, height: int) -> float:
    return max(10.0, round(0.021 * (width + height) / 1.5))


def _paint_paths(canvas: Canvas, scene: Scene, poses: Sequence[_StripPose], along: bool) -> None:
    """Paint foot paths, root path and plants: whole, or for each pose in a row the last bit."""
    if along:
        for actor in scene.actors:
            _paint_actor_paths(canvas, scene, actor, 0.0, actor.clip.n_frames - 1.0, np.zeros(3))
        return
    for before, pose in pairwise(poses):
        for actor in scene.actors:
            clip, since = actor.clip, max(before.times[0], pose.times[0] - PATH_DURATION)
            start, end = (min(time / clip.frame_time, clip.n_frames - 1.0) for time in (since, pose.times[0]))
            _paint_actor_paths(canvas, scene, actor, start, end, pose.offset)


def _paint_actor_paths(
    canvas: Canvas, scene: Scene, actor: Actor, start: float, end: float, offset: FloatArray
) -> None:
    camera = canvas.camera
    canvas.camera = camera.moved(-offset)
    for path in floor_paths(scene, actor, actor.samples(start, end)):
        paint_path(canvas, path)
    first, last = start * actor.clip.frame_time, end * actor.clip.frame_time
    for plant in find_plants(scene, actor):
        if plant.start <= last and plant.end >= first:
            paint_plant(canvas, plant, 1.0)
    canvas.camera = camera


def _write_texts(image: Image.Image, title: str, duration: str) -> None:
    """Write the title into the upper left corner and the duration into the lower right one."""
    size = _text_size(*image.size)
    write_text(image, (0.9 * size, 0.8 * size), title, size, INK)
    corner = (image.width - 0.9 * size, image.height - 0.7 * size)
    write_text(image, corner, duration, 0.8 * size, FAINT_INK, anchor="rs")


def _write_times(
    image: Image.Image, camera: Camera, poses: Sequence[_StripPose], groups: Sequence[Sequence[PosedActor]]
) -> None:
    """Write the time of each pose below it."""
    size = _text_size(*image.size)
    for pose, group in zip(poses, groups, strict=True):
        roots = np.array([figure.points[0] for figure in group])
        centre = float(camera.project(roots)[0][:, 0].mean())
        position = (centre, image.height - 0.7 * size)
        write_text(image, position, f"{pose.times[0]:.2f} s", 0.8 * size, FAINT_INK, anchor="ms")
