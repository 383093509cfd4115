"""What is drawn, in world coordinates: actors, the floor, paths and foot plants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.display.body import Body, body_points, find_body
from motionloom.display.style import FAINT_INK, Colour, FigureColours, figure_colours
from motionloom.errors import ParameterError
from motionloom.geometry import rotations
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy import facing
from motionloom.motion.result import ClipLike, unwrap

MAX_SAMPLES = 600
"""Frames that are looked at to find the extent of a clip, or drawn as one path; long clips are thinned."""

MIN_TRAVEL = 0.6
"""Figure heights that a clip must cover on the ground to count as travelling."""

LIMB_MARGIN, ROOT_MARGIN = 0.05, 0.25
"""Free space around every point, and around the root, in figure heights."""

FLOOR_TOLERANCE = 0.3
"""Figure heights between the lowest point and zero up to which the floor is drawn at zero."""

LIFT = 0.03
"""Figure heights that a foot rises until its path has faded to a third."""

FOOT_PATH_WIDTH, ROOT_PATH_WIDTH = 0.016, 0.004
"""Width of a foot path where the foot is down, and of the root path, as fractions of the height."""

DASH = 0.045
"""Length of a dash of the root path as a fraction of the height."""

ROOT_STRENGTH = 0.8
"""Opacity of the dashes."""

PLANT_RADIUS = 0.022
"""Radius of the ring around a plant as a fraction of the height."""

FLOOR_QUANTILE = 0.05
"""Fraction of frames in which a foot may be lower than when it is down; a stray frame does not count."""

MIN_FOOT_STRENGTH = 0.22
"""Opacity of the path of a foot in the air; it is 1 on the ground."""


@dataclass(frozen=True, eq=False)
class FloorPath:
    """The path of a foot or of the root, drawn on the floor.

    Attributes
    ----------
    points
        (N, 3) metres.
    widths
        (N,) metres.
    strength
        (N,) opacity from 0 (not drawn) to 1.
    colour
        The colour at opacity 1.
    """

    points: FloatArray
    widths: FloatArray
    strength: FloatArray
    colour: Colour


@dataclass(frozen=True, eq=False)
class PlantMarker:
    """A position (3,) on the floor where a point stays from one second to another."""

    position: FloatArray
    radius: float
    start: float
    end: float
    colour: Colour


@dataclass(frozen=True, eq=False)
class Actor:
    """One clip in a scene: its motion, its shape and its colours."""

    clip: Clip
    body: Body
    colours: FigureColours

    @cached_property
    def overview(self) -> FloatArray:
        """World positions (N, P, 3) of joints and tips over the whole clip, thinned when it is long."""
        return self.points(self.samples())

    def points(self, frames: FloatArray) -> FloatArray:
        """Return world positions (N, P, 3) of joints and tips at fractional frames (N,), clamped."""
        return body_points(self.clip.at(np.clip(frames, 0.0, self.clip.n_frames - 1)))

    def points_at(self, times: FloatArray) -> FloatArray:
        """Return world positions (N, P, 3) of joints and tips at seconds (N,), clamped."""
        return self.points(times / self.clip.frame_time)

    def samples(self, start: float = 0.0, end: float = np.inf) -> FloatArray:
        """Return evenly spaced frames (N,) between two frames, at most `MAX_SAMPLES`, ends included."""
        end = min(end, self.clip.n_frames - 1.0)
        count = int(np.clip(np.ceil(end - start) + 1, 1, MAX_SAMPLES))
        return np.linspace(start, end, count)

    def colour(self, side: int) -> Colour:
        """Return the colour of a `Side`."""
        return (self.colours.core, self.colours.left, self.colours.right)[side]


@dataclass(frozen=True, eq=False)
class Scene:
    """Figures on a floor.

    Attributes
    ----------
    actors
        One per clip.
    floor
        Height of the floor, metres.
    height
        Size of the largest figure, metres.
    heading
        (2,) unit direction, x and z, in which the figures travel, or face if they stay in place.
    extent
        How far they travel along it, metres.
    """

    actors: tuple[Actor, ...]
    floor: float
    height: float
    heading: FloatArray
    extent: float

    @property
    def travels(self) -> bool:
        """Whether the figures travel."""
        return self.extent >= MIN_TRAVEL * self.height

    @property
    def duration(self) -> float:
        """Duration of the longest clip, seconds."""
        return max(actor.clip.duration for actor in self.actors)

    def drop_to_floor(self, points: FloatArray) -> FloatArray:
        """Return points (..., 3) moved straight down to the floor."""
        dropped = np.array(points)
        dropped[..., 1] = self.floor
        return dropped

    def add_margins(self, points: FloatArray) -> FloatArray:
        """Return what an image of the points (N, P, 3) must contain, (N, Q, 3).

        These are the points with a limb's thickness around them, some space around the root, and the floor
        below.
        """
        signed = np.concatenate([np.eye(3), -np.eye(3)]) * self.height
        padded = [points + LIMB_MARGIN * step for step in signed]
        around = points[:, :1] + ROOT_MARGIN * signed
        return np.concatenate([*padded, around, self.drop_to_floor(points)], axis=1)


def check_clips(clips: ClipLike | Sequence[ClipLike]) -> tuple[Clip, ...]:
    """Return one clip or several as a tuple; each must have a skeleton and frames."""
    given = tuple(clips) if isinstance(clips, Sequence) and not isinstance(clips, Clip) else (clips,)
    found = tuple(map(unwrap, given))
    if not found:
        raise ParameterError("there is no clip to draw", remedy="give at least one")
    for number, clip in enumerate(found):
        if not isinstance(clip, Clip):
            kind = type(clip).__name__
            raise ParameterError(f"clip {number} is a {kind}: only clips with a skeleton can be drawn")
        if clip.n_frames == 0:
            raise ParameterError(f"clip {number} has no frames: there is nothing to draw")
    # The joints above a body would be drawn as a pole from the origin to its hips.
    return tuple(clip.body for clip in found)


def build_scene(clips: ClipLike | Sequence[ClipLike]) -> Scene:
    """Return the scene of one clip or several."""
    found = check_clips(clips)
    actors = tuple(
        Actor(clip, find_body(clip), figure_colours(number, len(found))) for number, clip in enumerate(found)
    )
    height = max(actor.body.height for actor in actors)
    heading, extent = _heading(actors)
    if extent < MIN_TRAVEL * height:
        heading = _facing(actors)
    return Scene(actors, _floor_height(actors, height), height, heading, extent)


def floor_paths(scene: Scene, actor: Actor, frames: FloatArray) -> list[FloorPath]:
    """Return the paths of the root and of the feet at fractional frames (N,)."""
    points = actor.points(frames)
    return [_root_path(scene, actor, frames, points), *_foot_paths(scene, actor, points)]


def _foot_paths(scene: Scene, actor: Actor, all_points: FloatArray) -> list[FloorPath]:
    """Return the paths of the feet, strong and wide where the foot is down."""
    feet, height = list(actor.body.feet), actor.body.height
    points = all_points[:, feet]
    floor = np.quantile(actor.overview[:, feet, 1], FLOOR_QUANTILE, axis=0)
    lift = np.maximum(points[..., 1] - floor, 0.0) / (LIFT * height)
    strength = MIN_FOOT_STRENGTH + (1.0 - MIN_FOOT_STRENGTH) * np.exp(-lift)
    widths = FOOT_PATH_WIDTH * height * (0.35 + 0.65 * strength**2)
    grounded = scene.drop_to_floor(points)
    return [
        FloorPath(grounded[:, k], widths[:, k], strength[:, k], actor.colour(actor.body.sides[foot]))
        for k, foot in enumerate(feet)
    ]


def _root_path(scene: Scene, actor: Actor, frames: FloatArray, all_points: FloatArray) -> FloorPath:
    """Return the path of the root, dashed."""
    height = actor.body.height
    points = scene.drop_to_floor(all_points[:, 0])
    # Dashes are counted from the start of the clip, so that they stay where they are while the path grows.
    steps = np.linalg.norm(np.diff(scene.drop_to_floor(actor.overview[:, 0]), axis=0), axis=1)
    travelled = np.interp(frames, actor.samples(), np.concatenate([[0.0], np.cumsum(steps)]))
    drawn = np.floor(travelled / (DASH * height)) % 2 == 0
    colour = FAINT_INK if len(scene.actors) == 1 else actor.colours.core
    return FloorPath(points, np.full(len(points), ROOT_PATH_WIDTH * height), ROOT_STRENGTH * drawn, colour)


def find_plants(scene: Scene, actor: Actor) -> list[PlantMarker]:
    """Return where the clip's constraints hold points in place."""
    return [_plant(scene, actor, constraint) for constraint in actor.clip.constraints]


def _plant(scene: Scene, actor: Actor, constraint: Constraint) -> PlantMarker:
    clip, joint = actor.clip, actor.clip.skeleton.index(constraint.joint)
    position = constraint.target
    if position is None:
        pose = clip.at(np.clip([constraint.start, constraint.end], 0.0, clip.n_frames - 1))
        offsets = rotations.rotate(pose.world_rotations()[:, joint], constraint.point)
        position = (pose.world_positions()[:, joint] + offsets).mean(axis=0)
    return PlantMarker(
        position=scene.drop_to_floor(position),
        radius=PLANT_RADIUS * actor.body.height,
        start=constraint.start * clip.frame_time,
        end=constraint.end * clip.frame_time,
        colour=actor.colour(actor.body.sides[joint]),
    )


def _heading(actors: Sequence[Actor]) -> tuple[FloatArray, float]:
    """Return the main direction of the root paths, (2,) forward in time, and the extent along it."""
    paths = [actor.clip.root_positions[:, [0, 2]] for actor in actors]
    every = np.concatenate(paths)
    spread = np.linalg.eigh(np.cov(every.T, ddof=0))
    axis = spread.eigenvectors[:, 1]
    travelled = sum(float((path[-1] - path[0]) @ axis) for path in paths)
    extent = max(float(np.ptp(path @ axis)) for path in paths)
    return (-axis if travelled < 0.0 else axis), extent


def _facing(actors: Sequence[Actor]) -> FloatArray:
    """Return the mean direction (2,) that the figures face; +Z if there is none."""
    yaws = np.concatenate([facing(actor.clip) for actor in actors])
    total = np.array([np.sin(yaws).sum(), np.cos(yaws).sum()])
    length = float(np.linalg.norm(total))
    return total / length if length > 0.0 else np.array([0.0, 1.0])


def _floor_height(actors: Sequence[Actor], height: float) -> float:
    """Return zero, or the lowest point if the motion lies clearly above or below zero."""
    lowest = min(float(actor.overview[..., 1].min()) for actor in actors)
    return 0.0 if abs(lowest) <= FLOOR_TOLERANCE * height else lowest
