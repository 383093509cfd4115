"""Sheets of feet: pictures in which one sees without a movie whether feet slide, dart, float, sink or crouch.

`python -m benchmarks.foot_sheets FOLDER walk.bvh mixed.glb` writes a PNG and an animated GIF of every file,
of the span in which the feet move most (`--seconds 1.2`, or from `--start 3.5` seconds on). The grid is fixed
to the ground and has lines every 10 cm, dark ones every 50 cm. A sheet shows, from top to bottom:

- each foot from the side, exactly level, every 1/30 s: a foot that stands is one sharp drawing, one that
  slides is smeared; circles are heels, squares toes, the brown line is the floor. Where feet stay in place,
  parts of the time are beside each other
- both feet from above: what moves sideways or turns
- each leg from the side with the path of its hip and knee: what crouches, jerks or snaps
- ten single frames seen from the side at an angle, each with the ground below it

Left is blue, right is orange; early is light, late is dark. Numbers are frames of the file. Sheets say
nothing of plants, so that versions of one motion can be judged blindly: `draw_sheet`, with one `View` for
both.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image
from scipy.spatial import ConvexHull

import motionloom as ml
from motionloom.annotation.floor import Floor
from motionloom.annotation.ground import find_floor
from motionloom.arrays import FloatArray, IntArray, norm
from motionloom.display.camera import Camera, view_axes
from motionloom.display.canvas import Canvas, write_text
from motionloom.display.style import Colour, Colours, mix_colours
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy, tree
from motionloom.motion.skinned_mesh import SkinnedMesh
from motionloom.quality.stances import track_soles
from motionloom.synthesis import walk

WIDTH = 1500
FOOT_HEIGHT, LEG_HEIGHT, CELL_HEIGHT = 200, 340, 290
MIN_PLAN, MAX_PLAN = 140, 260
"""Pixels of the rows of a sheet; that from above is as high as feet are apart."""

N_CELLS, CELLS_IN_A_ROW = 10, 5
MOVIE_SIZE, MOVIE_COLOURS = (600, 450), 64
MOVIE_DELAY = 70
"""Milliseconds that a frame of the movie is shown: at half the speed."""

RATE = 30.0
"""Frames per second that are drawn; dots and outlines of more would cover each other."""

HIGHEST, LOWEST = 0.24, -0.05
"""Heights above the floor between which feet are shown, metres."""

MARGIN = 0.12
"""Metres beside what is drawn."""

SCALE = FOOT_HEIGHT / (HIGHEST - LOWEST)
"""Pixels per metre of feet that have room enough."""

MAX_SPANS = 4
"""Pictures beside each other of feet that stay where they are, each of a part of the time."""

GRID, DARK_GRID = 0.1, 5
"""Metres between lines of the ground, and every how many are dark."""

MIN_TRAVEL = 0.3
"""Metres that hips travel at least to be seen along their way, and not from the side of the body."""

MIN_NUMBER_GAP = 40.0
"""Pixels between numbers of frames."""

FAR = 1000.0
"""Metres from which everything is seen, so that nothing becomes smaller with its distance."""

PAPER: Colour = (252, 252, 252)
GROUND: Colour = (240, 233, 222)
FLOOR_LINE: Colour = (140, 96, 52)
LINE, DARK_LINE, INK = (226, 228, 232), (188, 192, 200), (60, 64, 72)
COLOURS: tuple[Colour, Colour] = ((22, 90, 200), (220, 96, 0))
"""Of the left and of the right leg."""

HIPS: Colour = (40, 130, 70)
POINTS = ("hip", "knee", "ankle", "heel", "toe")
SMALL_WORDS = ("--small",)


@dataclass(frozen=True, eq=False)
class Legs:
    """The legs of a motion, above its floor.

    Attributes
    ----------
    points
        (T, F, 5, 3) :data:`POINTS` of every leg, metres; y is the height above the floor.
    pelvis
        (T, 3) the same of the pelvis.
    facing
        (T, 2) from the right to the left hip, x and z.
    frame_time
        Seconds per frame.
    skins
        (T, V, 3) the vertices of every foot, where there is a mesh.
    """

    points: FloatArray
    pelvis: FloatArray
    facing: FloatArray
    frame_time: float
    skins: tuple[FloatArray, ...] = ()

    def frames(self, start: int, end: int) -> IntArray:
        """Return the frames from start to end that are drawn."""
        step = max(round(1.0 / (RATE * self.frame_time)), 1)
        return np.arange(start, end + 1, step)


@dataclass(frozen=True, eq=False)
class View:
    """From where feet are seen, and how large: the same for all motions that are compared.

    Attributes
    ----------
    heading
        (2,) direction on the ground that goes from left to right in the pictures.
    low, high
        (2,) how far they show along and across it, metres in the world.
    top
        How high the pelvis gets above the floor, metres.
    """

    heading: FloatArray
    low: FloatArray
    high: FloatArray
    top: float

    @property
    def extent(self) -> FloatArray:
        """Metres (2,) that they show along and across it."""
        return self.high - self.low


def track_legs(
    clip: Clip, *, like: Clip | None = None, floor: Floor | None = None, mesh: SkinnedMesh | None = None
) -> Legs:
    """Return the legs of a clip.

    Parameters
    ----------
    clip
        The motion.
    like
        The clip that shows where heels and toes are, such as the one before an edit; the same by default.
    floor
        What it stands on; found by default.
    mesh
        The skin, whose feet are drawn.

    >>> track_legs(walk(duration=1.0, fps=30).clip).points.shape
    (31, 2, 5, 3)
    """
    skins = [] if mesh is None else find_skins(clip, mesh)
    clip, like = clip.body, None if like is None else like.body
    anatomy = find_anatomy(clip.skeleton)
    if not anatomy.legs:
        raise ParameterError("feet cannot be drawn: no legs were found in the skeleton")
    floor = find_floor(clip) if floor is None else floor

    def above(positions: FloatArray) -> FloatArray:
        placed = positions.copy()
        placed[..., 1] = floor.heights_above(positions)
        return placed

    positions = clip.world_positions()
    chains = np.stack([positions[:, list(leg.chain)] for leg in anatomy.legs], axis=1)
    points = np.concatenate([chains, track_soles(clip, like).positions], axis=2)
    across = points[:, 0, 0] - points[:, -1, 0]
    pelvis, skins_above = above(positions[:, anatomy.pelvis]), tuple(map(above, skins))
    return Legs(above(points), pelvis, across[:, [0, 2]], clip.frame_time, skins_above)


def find_skins(clip: Clip, mesh: SkinnedMesh) -> list[FloatArray]:
    """Return the vertices (T, V, 3) of every foot: those that follow a joint from the ankle on."""
    vertices = mesh.vertices(clip)
    strongest = mesh.weights.argmax(axis=1)[:, None]
    owners = mesh.bones[np.take_along_axis(mesh.vertex_bones, strongest, axis=1)[:, 0]]
    body = clip.body.skeleton
    ankles = [clip.skeleton.index(body.names[leg.ankle]) for leg in find_anatomy(body).legs]
    return [vertices[:, np.isin(owners, list(tree.subtree(clip.skeleton, ankle)))] for ankle in ankles]


def find_busiest(legs: Legs, seconds: float) -> tuple[int, int]:
    """Return first and last frame of the time in which the feet move most over the ground.

    >>> find_busiest(track_legs(walk(duration=1.0, fps=30).clip), 5.0)
    (0, 30)
    """
    length = min(round(seconds / legs.frame_time), len(legs.points) - 1)
    steps = norm(np.diff(legs.points[:, :, 3:], axis=0)).sum(axis=(1, 2))
    path = np.concatenate([[0.0], np.cumsum(steps)])
    start = int((path[length:] - path[: len(path) - length]).argmax())
    return start, start + length


def choose_view(versions: Sequence[Legs], start: int, end: int) -> View:
    """Return a view in which all versions of a motion are seen from frame start to end.

    >>> view = choose_view([track_legs(walk(duration=1.0, fps=30).clip)], 0, 30)
    >>> bool(view.high[0] - view.low[0] > 1.0)
    True
    """
    first = versions[0]
    way = (first.pelvis[end] - first.pelvis[start])[[0, 2]]
    if norm(way) < MIN_TRAVEL:
        left = first.facing[(start + end) // 2]
        way = np.array([-left[1], left[0]])
    heading = np.asarray(way / max(float(norm(way)), 1e-9))
    low, high = [], []
    for legs in versions:
        points = [legs.points[start : end + 1, :, 3:].reshape(-1, 3)]
        points += [skin[start : end + 1].reshape(-1, 3) for skin in legs.skins]
        ground = np.concatenate(points)[:, [0, 2]]
        own = np.stack([ground @ heading, ground @ [-heading[1], heading[0]]], axis=-1)
        low.append(own.min(axis=0))
        high.append(own.max(axis=0))
    top = max(float(legs.pelvis[start : end + 1, 1].max()) for legs in versions)
    return View(heading, np.min(low, axis=0) - MARGIN, np.max(high, axis=0) + MARGIN, top)


def draw_sheet(legs: Legs, view: View, start: int, end: int, *, title: str = "") -> Image.Image:
    """Draw a sheet of a motion from frame start to end.

    >>> legs = track_legs(walk(duration=1.0, fps=30).clip)
    >>> draw_sheet(legs, choose_view([legs], 0, 30), 0, 30).width
    1500
    """
    return stack([*draw_tracks(legs, view, start, end, title=title), *draw_cells(legs, view, start, end)])


def draw_tracks(legs: Legs, view: View, start: int, end: int, *, title: str = "") -> list[Image.Image]:
    """Draw all frames over each other: each foot from the side, both from above, each leg."""
    frames, names = legs.frames(start, end), ("left", "right")[: legs.points.shape[1]]
    spans = divide(frames, min(int(WIDTH / SCALE / view.extent[0]), MAX_SPANS))
    size = WIDTH // len(spans), FOOT_HEIGHT
    feet = [
        join([draw_foot(legs, view, span, n, size, f"{title} {name} foot") for span in spans])
        for n, name in enumerate(names)
    ]
    above = join([draw_plan(legs, view, span, size[0], f"{title} from above") for span in spans])
    sides = [draw_leg(legs, view, frames, n, f"{title} {name} leg") for n, name in enumerate(names)]
    return [*feet, above, join(sides)]


def divide(frames: IntArray, count: int) -> list[IntArray]:
    """Return spans of frames (N,), so many or one, each beginning with the last frame of the one before.

    >>> [span.tolist() for span in divide(np.arange(5), 2)]
    [[0, 1, 2], [2, 3, 4]]
    """
    edges = np.linspace(0, len(frames) - 1, max(count, 1) + 1).round().astype(int)
    return [frames[first : last + 1] for first, last in pairwise(edges)]


def stack(rows: Sequence[Image.Image]) -> Image.Image:
    """Put pictures below each other, with a line between them."""
    sheet = Image.new("RGB", (max(row.width for row in rows), sum(row.height + 3 for row in rows) - 3), INK)
    top = 0
    for row in rows:
        sheet.paste(row, (0, top))
        top += row.height + 3
    return sheet


def join(cells: Sequence[Image.Image]) -> Image.Image:
    """Put pictures of one height beside each other."""
    row = Image.new("RGB", (sum(cell.width for cell in cells), cells[0].height), PAPER)
    left = 0
    for cell in cells:
        row.paste(cell, (left, 0))
        left += cell.width
    return row


def draw_foot(
    legs: Legs, view: View, frames: IntArray, foot: int, size: tuple[int, int], title: str
) -> Image.Image:
    """Draw a foot from the side in all frames."""
    scale = min(size[0] / view.extent[0], SCALE)
    middle = place(view, LOWEST + size[1] / scale / 2.0)
    canvas = open_canvas(size, level_axes(view.heading), middle, scale, on_floor=True)
    draw_ruler(canvas, view)
    draw_feet(canvas, legs, frames, foot)
    image = canvas.to_image()
    number_feet(image, canvas.camera, legs, frames, foot)
    return write_title(image, f"{title}, frames {frames[0]} to {frames[-1]}")


def draw_plan(legs: Legs, view: View, frames: IntArray, width: int, title: str) -> Image.Image:
    """Draw both feet from above in all frames."""
    scale = min(width / view.extent[0], MAX_PLAN / view.extent[1], SCALE)
    height = max(round(view.extent[1] * scale), MIN_PLAN)
    canvas = open_canvas((width, height), view_axes("top", view.heading, True), place(view), scale)
    draw_grid(canvas, view, reach=width / scale)
    for foot in range(legs.points.shape[1]):
        draw_feet(canvas, legs, frames, foot)
    return write_title(canvas.to_image(), title)


def draw_leg(legs: Legs, view: View, frames: IntArray, leg: int, title: str) -> Image.Image:
    """Draw a leg from the side in all frames, with the paths of pelvis and knee."""
    axes, width = level_axes(view.heading), WIDTH // legs.points.shape[1]
    chain = legs.points[frames, leg]
    scale = min(width / view.extent[0], LEG_HEIGHT / (view.top + MARGIN - LOWEST))
    middle = place(view, LOWEST + LEG_HEIGHT / scale / 2.0)
    canvas = open_canvas((width, LEG_HEIGHT), axes, middle, scale, on_floor=True)
    draw_ruler(canvas, view, heights=True)
    for frame, points in zip(frames, chain, strict=True):
        colour = fade(COLOURS[leg % 2], frame, frames)
        draw_lines(canvas, points[:3], colour, 0.9)
        draw_lines(canvas, points[[2, 3, 4, 2]], colour, 0.9)
    draw_lines(canvas, chain[:, 1], COLOURS[leg % 2], 1.6)
    draw_lines(canvas, legs.pelvis[frames], HIPS, 1.6)
    draw_dots(canvas, np.concatenate([chain[:, 1], legs.pelvis[frames]]), INK, 1.8)
    return write_title(canvas.to_image(), f"{title}, with the paths of pelvis (green) and knee")


def draw_cells(legs: Legs, view: View, start: int, end: int, count: int = N_CELLS) -> list[Image.Image]:
    """Draw single frames, some in each row."""
    chosen = np.unique(np.linspace(start, end, count).round().astype(int))
    size = WIDTH // CELLS_IN_A_ROW, CELL_HEIGHT
    cells = [draw_cell(legs, view, int(frame), legs.pelvis[frame], size) for frame in chosen]
    return [join(cells[n : n + CELLS_IN_A_ROW]) for n in range(0, len(cells), CELLS_IN_A_ROW)]


def draw_cell(legs: Legs, view: View, frame: int, target: FloatArray, size: tuple[int, int]) -> Image.Image:
    """Draw one frame, seen at an angle, around a point (3,) whose height does not count."""
    scale = size[1] / (view.top + 3.0 * MARGIN)
    middle = np.array([target[0], (size[1] / scale) / 2.0 - 0.16, target[2]])
    canvas = open_canvas(size, view_axes("auto", view.heading, True), middle, scale)
    draw_grid(canvas, view, reach=0.8 * size[0] / scale, around=target)
    width = scale / 110.0
    for points in legs.points[frame]:
        shadow = points[3:].copy()
        shadow[:, 1] = 0.0
        draw_lines(canvas, shadow, DARK_LINE, 1.6 * width)
    for leg, points in reversed(list(enumerate(legs.points[frame]))):
        colour = COLOURS[leg % 2]
        draw_lines(canvas, np.stack([legs.pelvis[frame], points[0]]), HIPS, 1.5 * width)
        draw_lines(canvas, points[:3], colour, 1.7 * width)
        for outline in outlines(canvas.camera, legs, frame, leg):
            canvas.polygon(outline, mix_colours(PAPER, colour, 0.6))
        draw_lines(canvas, points[3:], colour, 1.1 * width)
        draw_dots(canvas, points[[1, 3, 4]], INK, 1.2 * width)
    return write_title(canvas.to_image(), f"frame {frame}  {frame * legs.frame_time:.2f} s")


def write_movie(path: Path, versions: Sequence[Legs], view: View, start: int, end: int) -> None:
    """Write an animated GIF of versions of a motion from frame start to end, at half the speed."""
    frames = versions[0].frames(start, end)
    first, last = versions[0].pelvis[[start, end]]
    pictures = []
    for n, frame in enumerate(frames):
        target = first + (last - first) * n / max(len(frames) - 1, 1)
        cells = [draw_cell(legs, view, int(frame), target, MOVIE_SIZE) for legs in versions]
        pictures.append(join(cells).quantize(MOVIE_COLOURS))
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=MOVIE_DELAY, loop=0)


def level_axes(heading: FloatArray) -> FloatArray:
    """Return the axes (3, 3) of a camera that looks level from the side: right, up, forward.

    >>> level_axes(np.array([1.0, 0.0])).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]
    """
    right, up = np.array([heading[0], 0.0, heading[1]]), np.array([0.0, 1.0, 0.0])
    return np.array([right, up, np.cross(up, right)])


def place(view: View, height: float = 0.0) -> FloatArray:
    """Return the point (3,) in the middle of a view, at a height."""
    along, across = (view.low + view.high) / 2.0
    x, z = along * view.heading + across * np.array([-view.heading[1], view.heading[0]])
    return np.array([x, height, z])


def open_canvas(
    size: tuple[int, int], axes: FloatArray, target: FloatArray, scale: float, *, on_floor: bool = False
) -> Canvas:
    """Return a canvas with ``target`` in its middle; one seen from the side has ground below the floor."""
    centre = np.array(size) / 2.0
    camera = Camera(axes, target - FAR * axes[2], scale * FAR, centre, FAR)
    pixels = np.full((size[1], size[0], 3), PAPER, dtype=np.uint8)
    if on_floor:
        pixels[max(round(float(camera.project(np.zeros(3))[0][1])), 0) :] = GROUND
    return Canvas(*size, camera, pixels)


def draw_ruler(canvas: Canvas, view: View, *, heights: bool = False) -> None:
    """Draw the floor seen level from the side, and the grid as upright lines; ``heights`` are level lines."""
    height, width = canvas.pixels.shape[:2]
    scale, middle = float(canvas.camera.pixels_per_metre(np.array(FAR))), canvas.camera.position
    along = float(middle @ np.array([view.heading[0], 0.0, view.heading[1]]))
    reach = width / scale / 2.0
    for n in range(ceil((along - reach) / GRID), ceil((along + reach) / GRID)):
        x = width / 2.0 + (n * GRID - along) * scale
        colour = LINE if n % DARK_GRID else DARK_LINE
        draw_pixels(canvas, np.array([[x, 0.0], [x, float(height)]]), colour, 0.5)
    level = float(canvas.camera.project(np.zeros(3))[0][1])
    for n in range(1, ceil(level / scale / GRID) if heights else 1):
        y = level - n * GRID * scale
        draw_pixels(canvas, np.array([[0.0, y], [width, y]]), LINE if n % DARK_GRID else DARK_LINE, 0.5)
    draw_pixels(canvas, np.array([[0.0, level], [float(width), level]]), FLOOR_LINE, 0.9)


def draw_grid(canvas: Canvas, view: View, reach: float, around: FloatArray | None = None) -> None:
    """Draw the grid on the ground, so far around a point (3,)."""
    ahead = np.array([view.heading[0], 0.0, view.heading[1]])
    across = np.array([-view.heading[1], 0.0, view.heading[0]])
    target = place(view) if around is None else around
    for axis, other in ((ahead, across), (across, ahead)):
        own, beside = float(target @ axis), float(target @ other)
        for n in range(ceil((own - reach) / GRID), ceil((own + reach) / GRID)):
            ends = [n * GRID * axis + (beside + sign * reach) * other for sign in (-1.0, 1.0)]
            draw_lines(canvas, np.array(ends), LINE if n % DARK_GRID else DARK_LINE, 0.6)


def draw_feet(canvas: Canvas, legs: Legs, frames: IntArray, foot: int) -> None:
    """Draw a foot in all frames: outlines, soles, heels and toes."""
    points = legs.points[:, foot]
    for frame in frames:
        colour = fade(COLOURS[foot % 2], frame, frames)
        for outline in outlines(canvas.camera, legs, int(frame), foot):
            draw_pixels(canvas, np.concatenate([outline, outline[:1]]), mix_colours(PAPER, colour, 0.55), 0.6)
        draw_lines(canvas, points[frame, 3:], colour, 1.0)
    every = np.arange(frames[0], frames[-1] + 1)
    for point in (3, 4):
        draw_lines(canvas, points[every, point], COLOURS[foot % 2], 0.6)
    draw_dots(canvas, points[frames, 3], COLOURS[foot % 2], 2.6)
    draw_squares(canvas, points[frames, 4], COLOURS[foot % 2], 2.3)


def outlines(camera: Camera, legs: Legs, frame: int, foot: int) -> Iterator[FloatArray]:
    """Return the outline (N, 2) of a foot in pixels: the hull of its skin, or ankle, heel and toe."""
    pixels, _ = camera.project(legs.skins[foot][frame] if legs.skins else legs.points[frame, foot, 2:])
    if legs.skins:
        yield pixels[ConvexHull(pixels).vertices]
    else:
        yield pixels


def number_feet(image: Image.Image, camera: Camera, legs: Legs, frames: IntArray, foot: int) -> None:
    """Write numbers of frames above a foot that has moved on since the last number."""
    last = -np.inf
    for frame in frames:
        x, y = camera.project(legs.points[frame, foot, 2])[0]
        if abs(x - last) > MIN_NUMBER_GAP and 0.0 < y < image.height:
            write_text(image, (float(x), max(float(y) - 6.0, 30.0)), str(frame), 12, INK, "ms")
            last = x


def fade(colour: Colour, frame: int, frames: IntArray) -> Colour:
    """Return a colour that is light in the first frame and full in the last."""
    done = (frame - frames[0]) / max(frames[-1] - frames[0], 1)
    return mix_colours(PAPER, colour, 0.3 + 0.6 * float(done))


def draw_lines(canvas: Canvas, points: FloatArray, colour: Colour, radius: float) -> None:
    """Draw lines from each point (N, 3) in the world to the next."""
    draw_pixels(canvas, canvas.camera.project(points)[0], colour, radius)


def draw_pixels(canvas: Canvas, pixels: FloatArray, colour: Colour, radius: float) -> None:
    """Draw lines from each pixel (N, 2) to the next."""
    radii = np.full((len(pixels) - 1, 2), radius)
    canvas.rods(np.hstack([pixels[:-1], pixels[1:], radii]), repeat(colour, len(radii)))


def draw_dots(canvas: Canvas, points: FloatArray, colour: Colour, radius: float) -> None:
    """Draw a disc at each point (N, 3) in the world."""
    pixels, _ = canvas.camera.project(points)
    canvas.rods(np.hstack([pixels, pixels, np.full((len(pixels), 2), radius)]), repeat(colour, len(pixels)))


def draw_squares(canvas: Canvas, points: FloatArray, colour: Colour, radius: float) -> None:
    """Draw a square at each point (N, 3) in the world."""
    corners = radius * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for pixel in canvas.camera.project(points)[0]:
        canvas.polygon(pixel + corners, colour)


def repeat(colour: Colour, count: int) -> Colours:
    """Return a colour so many times, (N, 3)."""
    return np.tile(np.array(colour, dtype=np.uint8), (count, 1))


def write_title(image: Image.Image, title: str) -> Image.Image:
    """Write what a picture shows into its corner."""
    write_text(image, (6.0, 4.0), title.strip(), 13, INK)
    return image


def write_files(name: str, clip: Clip, folder: Path, start: float | None, seconds: float) -> None:
    """Write the sheet and the movie of a clip."""
    legs = track_legs(clip)
    first, last = find_busiest(legs, seconds)
    if start is not None:
        last = min(round((start + seconds) / clip.frame_time), clip.n_frames - 1)
        first = min(round(start / clip.frame_time), last)
    view = choose_view([legs], first, last)
    draw_sheet(legs, view, first, last).save(folder / f"{name}.png")
    write_movie(folder / f"{name}.gif", [legs], view, first, last)
    print(f"{name}: frames {first} to {last} in {folder / name}.png and .gif")


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Draw sheets of feet.")
    parser.add_argument("folder", type=Path, nargs="?", help="for the pictures")
    parser.add_argument("files", type=Path, nargs="*", help="motion")
    parser.add_argument("--start", type=float, help="seconds (default: where feet move most)")
    parser.add_argument("--seconds", type=float, default=1.2)
    parser.add_argument(
        "--small", action="store_true", help="draw a walk that is made for it, and keep nothing"
    )
    given = parser.parse_args(words)
    if given.small:
        with TemporaryDirectory() as folder:
            write_files("walk", walk(duration=0.5, fps=30).clip, Path(folder), 0.0, 0.2)
        return
    if not given.files:
        parser.error("give a folder and files of motion")
    given.folder.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in given.files:
            write_files(path.stem, ml.load(path), given.folder, given.start, given.seconds)


if __name__ == "__main__":
    main()
