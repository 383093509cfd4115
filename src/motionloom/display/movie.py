"""The frames of an animation or a video, painted one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from PIL import Image, ImageDraw

from motionloom.arrays import FloatArray
from motionloom.display.camera import Camera, ImageFrame, View, frame_points, view_axes
from motionloom.display.canvas import Canvas, write_text
from motionloom.display.floor import paint_floor, paint_path, paint_plant, paint_shadows
from motionloom.display.scene import (
    MAX_SAMPLES,
    FloorPath,
    PlantMarker,
    Scene,
    find_plants,
    floor_paths,
)
from motionloom.display.stick_figures import PosedActor, paint_figures
from motionloom.display.style import FAINT_INK, FLOOR, INK, Colours, mix_colours
from motionloom.motion.filters import smooth_gaussian
from motionloom.validation import check_positive

MAX_FPS = 240.0
"""Highest frame rate of a movie."""

MIN_FIGURE_SIZE = 0.5
"""Fraction of the image's height that a figure must fill when the camera stands still.

If it would be smaller, the camera follows the figure.
"""

CAMERA_SMOOTHING = 0.45
"""Standard deviation of the filter on the path of a following camera, seconds."""

FLOOR_RADIUS = 1.5
"""Figure heights around a followed figure within which floor lines are fully visible."""

ROUNDING = 1e-6
"""Fraction of a frame by which rounding may shorten a clip that ends on a frame."""

PATH_DURATION = 2.5
"""Seconds after which a path on the floor has faded out."""

PATH_STEPS = 2
"""Points of a path on the floor per frame of the movie."""


@dataclass(frozen=True, eq=False)
class Movie:
    """Everything needed to paint any frame of a movie.

    Attributes
    ----------
    scene
        What is shown.
    times
        (N,) second of each frame.
    points
        Per actor (N, P, 3) world positions of joints and tips.
    camera, camera_offsets
        The camera at the first frame, and its offset (N, 3) at every frame; zero if it stands still.
    width, height
        Pixels.
    title
        Line in the upper left corner.
    """

    scene: Scene
    times: FloatArray
    points: tuple[FloatArray, ...]
    camera: Camera
    camera_offsets: FloatArray
    width: int
    height: int
    title: str

    @property
    def n_frames(self) -> int:
        """Number of frames."""
        return len(self.times)

    def paint_frames(self, frames: Sequence[int]) -> Iterator[Image.Image]:
        """Paint these frames one after the other."""
        plants = [plant for actor in self.scene.actors for plant in find_plants(self.scene, actor)]
        backdrop = None if self.follows else self._backdrop(0)
        for frame in frames:
            own = self._backdrop(frame) if backdrop is None else backdrop.copy()
            yield self._paint_frame(frame, own, plants)

    @property
    def follows(self) -> bool:
        """Whether the camera follows the figures."""
        return bool(self.camera_offsets.any())

    def _backdrop(self, frame: int) -> Colours:
        """Return background and floor lines, as a drawing to start from."""
        canvas = Canvas(self.width, self.height, self.camera.moved(self.camera_offsets[frame]))
        if self.follows:
            centre, radius = self.camera_offsets[frame, [0, 2]], FLOOR_RADIUS * self.scene.height
            low, high = centre - radius, centre + radius
        else:
            ground = np.concatenate([points.reshape(-1, 3)[:, [0, 2]] for points in self.points])
            low, high = ground.min(axis=0), ground.max(axis=0)
        paint_floor(canvas, self.scene, low, high)
        return canvas.pixels

    def _paint_frame(self, frame: int, backdrop: Colours, plants: Sequence[PlantMarker]) -> Image.Image:
        now, camera = float(self.times[frame]), self.camera.moved(self.camera_offsets[frame])
        canvas = Canvas(self.width, self.height, camera, backdrop)
        for plant in plants:
            if plant.start <= now < plant.end + PATH_DURATION:
                paint_plant(canvas, plant, 1.0 - 0.8 * max(now - plant.end, 0.0) / PATH_DURATION)
        for path in self._paths(now):
            paint_path(canvas, path)
        posed = [
            PosedActor(actor, points[frame])
            for actor, points in zip(self.scene.actors, self.points, strict=True)
        ]
        posed.sort(key=lambda figure: -float(camera.project(figure.points)[1].mean()))
        paint_shadows(canvas, self.scene, posed)
        paint_figures(canvas, posed)
        image = canvas.to_image()
        self._write_texts(image, now)
        return image

    @cached_property
    def _whole_paths(self) -> list[tuple[FloatArray, FloorPath]]:
        """The paths on the floor over all frames, each with the seconds (N,) of its points."""
        last = len(self.times) - 1
        moments = np.interp(np.arange(PATH_STEPS * last + 1) / PATH_STEPS, np.arange(last + 1), self.times)
        paths: list[tuple[FloatArray, FloorPath]] = []
        for actor in self.scene.actors:
            own = moments[moments <= actor.clip.duration]
            found = floor_paths(self.scene, actor, own / actor.clip.frame_time)
            paths.extend((own, path) for path in found)
        return paths

    def _paths(self, now: float) -> Iterator[FloorPath]:
        """Yield the last seconds of the paths on the floor, fading into the past."""
        for moments, path in self._whole_paths:
            first, end = np.searchsorted(moments, [now - PATH_DURATION, now + ROUNDING]).tolist()
            kept = slice(first, end)
            fading = np.clip(1.0 - (now - moments[kept]) / PATH_DURATION, 0.0, 1.0)
            strength = path.strength[kept] * fading
            yield replace(path, points=path.points[kept], widths=path.widths[kept], strength=strength)

    def _write_texts(self, image: Image.Image, now: float) -> None:
        size = text_size(self.height)
        write_text(image, (0.9 * size, 0.8 * size), self.title, size, INK)
        corner = (self.width - 0.9 * size, self.height - 0.9 * size)
        write_text(image, corner, f"{now:.2f} s", 0.8 * size, FAINT_INK, anchor="rs")
        done = now / self.scene.duration if self.scene.duration > 0.0 else 1.0
        thick = max(2, round(0.006 * self.height))
        bar = (0, self.height - thick, round(done * self.width), self.height)
        ImageDraw.Draw(image).rectangle(bar, fill=mix_colours(FLOOR, FAINT_INK, 0.55))


def plan_movie(scene: Scene, fps: float, size: tuple[int, int], view: View, title: str) -> Movie:
    """Plan frames and camera of a movie that plays in real time at ``fps``."""
    times = np.arange(int(np.floor(scene.duration * fps + ROUNDING)) + 1) / fps
    points = tuple(actor.points_at(times) for actor in scene.actors)
    axes = view_axes(view, scene.heading, scene.travels)
    width, height = size
    text = text_size(height)
    frame = ImageFrame(width, height, side=0.04 * width, top=2.4 * text, bottom=2.0 * text)

    every = np.unique(np.linspace(0, len(times) - 1, MAX_SAMPLES).round().astype(np.int64))
    content = np.concatenate([scene.add_margins(part[every]) for part in points], axis=1)
    camera, offsets = frame_points(content.reshape(-1, 3), axes, frame), np.zeros((len(times), 3))
    if scene.height * camera.focal / camera.distance < MIN_FIGURE_SIZE * height:
        offsets = _smooth_path(np.mean([part[:, 0] for part in points], axis=0), CAMERA_SMOOTHING * fps)
        camera = frame_points((content - offsets[every, None]).reshape(-1, 3), axes, frame)
    return Movie(scene, times, points, camera, offsets, width, height, title)


def check_fps(fps: float) -> float:
    """Return the frame rate of a movie, which must lie within the limits.

    >>> check_fps(29.97)
    29.97
    """
    return check_positive("fps", fps, max=MAX_FPS)


def text_size(height: int) -> float:
    """Return the size of a title, pixels."""
    return max(10.0, round(0.042 * height))


def _smooth_path(positions: FloatArray, width: float) -> FloatArray:
    """Smooth positions (N, 3) on the ground with a Gaussian of this standard deviation in frames.

    The path is continued point-symmetrically beyond its ends, so that it keeps its ends and their speed.
    """
    radius = min(int(3.0 * width), len(positions) - 1)
    smooth = np.array(smooth_gaussian(positions, width, half=radius))
    smooth[:, 1] = 0.0
    return smooth
