"""The frames of a moving picture, made one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageDraw

from motionloom.arrays import FloatArray
from motionloom.display.camera import Camera, Frame, View, framing, view_axes
from motionloom.display.canvas import Canvas, write_text
from motionloom.display.painting import (
    Stand,
    paint_figures,
    paint_grid,
    paint_plant,
    paint_shadows,
    paint_trace,
)
from motionloom.display.scene import MAX_SAMPLES, Plant, Scene, Trace, foot_traces, plants, root_trace
from motionloom.display.style import FAINT_INK, GROUND, INK, mixed

OVERSAMPLING = 2

SMALLEST_FIGURE = 0.5
"""Share of the picture's height a figure must fill in a frame that holds the whole motion.

Where it would be smaller, the camera follows the figure instead.
"""

FOLLOWING = 0.45
"""Seconds over which the way of the following camera is smoothed (standard deviation)."""

GRID_REACH = 1.5
"""Figure heights around a followed figure in which ground lines are at full strength."""

WHOLE = 1e-6
"""Part of a frame by which rounding may shorten a clip that ends on a frame."""

MEMORY = 2.5
"""Seconds after which a trace has faded."""


@dataclass(frozen=True, eq=False)
class Movie:
    """Everything needed to paint any frame of a moving picture.

    Attributes
    ----------
    scene
        What is shown.
    times
        (N,) second of each frame.
    points
        Per actor (N, P, 3) world positions of joints and tips.
    camera, way
        The camera at the first frame, and its offset (N, 3) at every frame; zero when it stands still.
    width, height
        Pixels.
    title
        Line in the upper left corner.
    """

    scene: Scene
    times: FloatArray
    points: tuple[FloatArray, ...]
    camera: Camera
    way: FloatArray
    width: int
    height: int
    title: str

    @property
    def n_frames(self) -> int:
        """How many frames there are."""
        return len(self.times)

    def pictures(self, frames: Sequence[int]) -> Iterator[Image.Image]:
        """Paint these frames one after the other."""
        marks = [plant for actor in self.scene.actors for plant in plants(self.scene, actor)]
        backdrop = None if self.follows else self._backdrop(0)
        for frame in frames:
            yield self._painted(frame, self._backdrop(frame) if backdrop is None else backdrop, marks)

    @property
    def follows(self) -> bool:
        """Whether the camera follows the figures."""
        return bool(self.way.any())

    def _backdrop(self, frame: int) -> Image.Image:
        """Background and ground lines, as a drawing to start from."""
        canvas = Canvas(self.width, self.height, self.camera.moved(self.way[frame]), OVERSAMPLING)
        if self.follows:
            middle, reach = self.way[frame, [0, 2]], GRID_REACH * self.scene.height
            low, high = middle - reach, middle + reach
        else:
            ground = np.concatenate([points.reshape(-1, 3)[:, [0, 2]] for points in self.points])
            low, high = ground.min(axis=0), ground.max(axis=0)
        paint_grid(canvas, self.scene, low, high)
        return canvas.drawing

    def _painted(self, frame: int, backdrop: Image.Image, marks: Sequence[Plant]) -> Image.Image:
        now, camera = float(self.times[frame]), self.camera.moved(self.way[frame])
        canvas = Canvas(self.width, self.height, camera, OVERSAMPLING, backdrop)
        for plant in marks:
            if plant.start <= now < plant.end + MEMORY:
                paint_plant(canvas, plant, 1.0 - 0.8 * max(now - plant.end, 0.0) / MEMORY)
        for trace in self._traces(now):
            paint_trace(canvas, trace)
        stands = [
            Stand(actor, points[frame]) for actor, points in zip(self.scene.actors, self.points, strict=True)
        ]
        stands.sort(key=lambda stand: -float(camera.project(stand.points)[1].mean()))
        paint_shadows(canvas, self.scene, stands)
        paint_figures(canvas, stands)
        picture = canvas.finished()
        self._write_words(picture, now)
        return picture

    def _traces(self, now: float) -> Iterator[Trace]:
        """The last seconds of the ways over the ground, fading into the past."""
        for actor in self.scene.actors:
            end = min(now / actor.clip.frame_time, actor.clip.n_frames - 1.0)
            start = max((now - MEMORY) / actor.clip.frame_time, 0.0)
            if start >= end:
                continue
            ways = [
                root_trace(self.scene, actor, start, end),
                *foot_traces(self.scene, actor, start, end),
            ]
            for trace in ways:
                age = now - np.linspace(start, end, len(trace.points)) * actor.clip.frame_time
                yield replace(trace, strength=trace.strength * np.clip(1.0 - age / MEMORY, 0.0, 1.0))

    def _write_words(self, picture: Image.Image, now: float) -> None:
        size = text_size(self.height)
        write_text(picture, (0.9 * size, 0.8 * size), self.title, size, INK)
        corner = (self.width - 0.9 * size, self.height - 0.9 * size)
        write_text(picture, corner, f"{now:.2f} s", 0.8 * size, FAINT_INK, anchor="rs")
        done = now / self.scene.duration if self.scene.duration > 0.0 else 1.0
        thick = max(2, round(0.006 * self.height))
        bar = (0, self.height - thick, round(done * self.width), self.height)
        ImageDraw.Draw(picture).rectangle(bar, fill=mixed(GROUND, FAINT_INK, 0.55))


def plan_movie(scene: Scene, fps: float, size: tuple[int, int], view: View, title: str) -> Movie:
    """Decide the frames and the camera of a moving picture that plays in real time at ``fps``."""
    times = np.arange(int(np.floor(scene.duration * fps + WHOLE)) + 1) / fps
    points = tuple(actor.points_at(times) for actor in scene.actors)
    axes = view_axes(view, scene.heading, scene.travels)
    width, height = size
    text = text_size(height)
    frame = Frame(width, height, side=0.04 * width, top=2.4 * text, bottom=2.0 * text)

    every = np.unique(np.linspace(0, len(times) - 1, MAX_SAMPLES).round().astype(np.int64))
    content = np.concatenate([scene.with_room(part[every]) for part in points], axis=1)
    camera, way = framing(content.reshape(-1, 3), axes, frame), np.zeros((len(times), 3))
    if scene.height * camera.focal / camera.distance < SMALLEST_FIGURE * height:
        way = _smoothed(np.mean([part[:, 0] for part in points], axis=0), FOLLOWING * fps)
        camera = framing((content - way[every, None]).reshape(-1, 3), axes, frame)
    return Movie(scene, times, points, camera, way, width, height, title)


def text_size(height: int) -> float:
    """Size of a title in a moving picture, pixels."""
    return max(10.0, round(0.042 * height))


def _smoothed(places: FloatArray, width: float) -> FloatArray:
    """Places (N, 3) on the ground, smoothed by a bell of this standard deviation in frames.

    Beyond its ends the way is continued point-symmetrically, so that it keeps its ends and their speed.
    """
    reach = min(int(3.0 * width), len(places) - 1)
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(width, 1e-9)) ** 2)
    before = 2.0 * places[:1] - places[reach:0:-1]
    after = 2.0 * places[-1:] - places[-2 : -reach - 2 : -1]
    longer = np.concatenate([before, places, after])
    smooth = np.column_stack([np.convolve(longer[:, k], bell / bell.sum(), "valid") for k in range(3)])
    smooth[:, 1] = 0.0
    return smooth
