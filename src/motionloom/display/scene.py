"""What there is to draw, in world coordinates and free of any drawing library."""

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

MAX_SAMPLES = 600
"""Most frames looked at to find the extent of a clip, or drawn as one trace; long clips are thinned."""

TRAVEL = 0.6
"""Figure heights a clip must cover on the ground to count as going somewhere."""

LIMB_ROOM, ROOT_ROOM = 0.05, 0.25
"""Figure heights a picture leaves free around every point, and around the root."""

GROUND_TOLERANCE = 0.3
"""Figure heights between the lowest point and zero up to which the ground is drawn at zero."""

LIFT = 0.03
"""Figure heights a foot rises until its trace has faded to a third."""

FOOT_PATH_WIDTH, ROOT_PATH_WIDTH = 0.016, 0.004
"""Width of a foot path where the foot is down, and of the way of the root, as shares of the height."""

DASH = 0.045
"""Length of a dash of the way of the root as a share of the height."""

ROOT_STRENGTH = 0.8
"""Strength of the dashes."""

PLANT_RADIUS = 0.022
"""Radius of the ring around a plant as a share of the height."""

FLOOR_QUANTILE = 0.05
"""Share of frames in which a foot may be lower than when it is down; a stray frame does not count."""

FAINTEST = 0.22
"""Strength of the trace of a foot in the air, of 1 on the ground."""


@dataclass(frozen=True, eq=False)
class Trace:
    """A line on the ground.

    Attributes
    ----------
    points
        (N, 3) metres.
    widths
        (N,) metres.
    strength
        (N,) from 0 (not drawn) to 1.
    colour
        The colour at strength 1.
    """

    points: FloatArray
    widths: FloatArray
    strength: FloatArray
    colour: Colour


@dataclass(frozen=True, eq=False)
class Plant:
    """A place on the ground where something stays put from one second to another."""

    place: FloatArray
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
        """World positions (N, P, 3) of joints and tips at fractional frames (N,), held beyond the ends."""
        return body_points(self.clip.at(np.clip(frames, 0.0, self.clip.n_frames - 1)))

    def points_at(self, times: FloatArray) -> FloatArray:
        """World positions (N, P, 3) of joints and tips at seconds (N,), held beyond the ends."""
        return self.points(times / self.clip.frame_time)

    def samples(self, start: float = 0.0, end: float = np.inf) -> FloatArray:
        """Evenly spaced frames (N,) between two frames, at most `MAX_SAMPLES`, ends included."""
        end = min(end, self.clip.n_frames - 1.0)
        count = int(np.clip(np.ceil(end - start) + 1, 1, MAX_SAMPLES))
        return np.linspace(start, end, count)

    def colour(self, side: int) -> Colour:
        """The colour of a `Side`."""
        return (self.colours.core, self.colours.left, self.colours.right)[side]


@dataclass(frozen=True, eq=False)
class Scene:
    """Figures on a ground.

    Attributes
    ----------
    actors
        One per clip.
    level
        Height of the ground, metres.
    height
        Size of the largest figure, metres.
    heading
        (2,) unit direction, x and z, in which the figures go, or face when they stay.
    extent
        How far they go along it, metres.
    """

    actors: tuple[Actor, ...]
    level: float
    height: float
    heading: FloatArray
    extent: float

    @property
    def travels(self) -> bool:
        """Whether the figures go somewhere."""
        return self.extent >= TRAVEL * self.height

    @property
    def duration(self) -> float:
        """Seconds until the longest clip ends."""
        return max(actor.clip.duration for actor in self.actors)

    def on_ground(self, points: FloatArray) -> FloatArray:
        """Points (..., 3) dropped straight down to the ground."""
        dropped = np.array(points)
        dropped[..., 1] = self.level
        return dropped

    def with_room(self, points: FloatArray) -> FloatArray:
        """What a picture of the points (N, P, 3) must contain, (N, Q, 3).

        That is the points with a limb's thickness around them, a little space around the root, and the
        ground below.
        """
        signed = np.concatenate([np.eye(3), -np.eye(3)]) * self.height
        padded = [points + LIMB_ROOM * step for step in signed]
        around = points[:, :1] + ROOT_ROOM * signed
        return np.concatenate([*padded, around, self.on_ground(points)], axis=1)


def checked_clips(clips: Clip | Sequence[Clip]) -> tuple[Clip, ...]:
    """One clip or several as a tuple, or an error when there is nothing to draw."""
    found = tuple(clips) if isinstance(clips, Sequence) and not isinstance(clips, Clip) else (clips,)
    if not found:
        raise ParameterError("there is no clip to draw: give at least one")
    for number, clip in enumerate(found):
        if not isinstance(clip, Clip):
            kind = type(clip).__name__
            raise ParameterError(f"clip {number} is a {kind}: only clips with a skeleton can be drawn")
        if clip.n_frames == 0:
            raise ParameterError(f"clip {number} has no frames: there is nothing to draw")
    return found


def build_scene(clips: Clip | Sequence[Clip]) -> Scene:
    """The scene of one clip or several: figures, ground level and heading."""
    found = checked_clips(clips)
    actors = tuple(
        Actor(clip, find_body(clip), figure_colours(number, len(found))) for number, clip in enumerate(found)
    )
    height = max(actor.body.height for actor in actors)
    heading, extent = _heading(actors)
    if extent < TRAVEL * height:
        heading = _facing(actors)
    return Scene(actors, _ground_level(actors, height), height, heading, extent)


def foot_traces(scene: Scene, actor: Actor, start: float, end: float) -> list[Trace]:
    """The ways of the feet over the ground between two frames, strong and wide where the foot is down."""
    feet, height = list(actor.body.feet), actor.body.height
    points = actor.points(actor.samples(start, end))[:, feet]
    floor = np.quantile(actor.overview[:, feet, 1], FLOOR_QUANTILE, axis=0)
    lift = np.maximum(points[..., 1] - floor, 0.0) / (LIFT * height)
    strength = FAINTEST + (1.0 - FAINTEST) * np.exp(-lift)
    widths = FOOT_PATH_WIDTH * height * (0.35 + 0.65 * strength**2)
    grounded = scene.on_ground(points)
    return [
        Trace(grounded[:, k], widths[:, k], strength[:, k], actor.colour(actor.body.sides[foot]))
        for k, foot in enumerate(feet)
    ]


def root_trace(scene: Scene, actor: Actor, start: float, end: float) -> Trace:
    """The way of the root over the ground between two frames, dashed."""
    frames, height = actor.samples(start, end), actor.body.height
    points = scene.on_ground(actor.points(frames)[:, 0])
    # Dashes are counted from the start of the clip, so that they lie still while the trace grows.
    steps = np.linalg.norm(np.diff(scene.on_ground(actor.overview[:, 0]), axis=0), axis=1)
    gone = np.interp(frames, actor.samples(), np.concatenate([[0.0], np.cumsum(steps)]))
    drawn = np.floor(gone / (DASH * height)) % 2 == 0
    colour = FAINT_INK if len(scene.actors) == 1 else actor.colours.core
    return Trace(points, np.full(len(points), ROOT_PATH_WIDTH * height), ROOT_STRENGTH * drawn, colour)


def plants(scene: Scene, actor: Actor) -> list[Plant]:
    """Where the clip's constraints hold something in place."""
    return [_plant(scene, actor, constraint) for constraint in actor.clip.constraints]


def _plant(scene: Scene, actor: Actor, constraint: Constraint) -> Plant:
    clip, joint = actor.clip, actor.clip.skeleton.index(constraint.joint)
    place = constraint.target
    if place is None:
        pose = clip.at(np.clip([constraint.start, constraint.end], 0.0, clip.n_frames - 1))
        turned = rotations.rotate(pose.world_rotations()[:, joint], constraint.point)
        place = (pose.world_positions()[:, joint] + turned).mean(axis=0)
    return Plant(
        place=scene.on_ground(place),
        radius=PLANT_RADIUS * actor.body.height,
        start=constraint.start * clip.frame_time,
        end=constraint.end * clip.frame_time,
        colour=actor.colour(actor.body.sides[joint]),
    )


def _heading(actors: Sequence[Actor]) -> tuple[FloatArray, float]:
    """The main direction of the ways on the ground, (2,) forward in time, and the extent along it."""
    ways = [actor.clip.root_positions[:, [0, 2]] for actor in actors]
    every = np.concatenate(ways)
    spread = np.linalg.eigh(np.cov(every.T, ddof=0))
    axis = spread.eigenvectors[:, 1]
    gone = sum(float((way[-1] - way[0]) @ axis) for way in ways)
    extent = max(float(np.ptp(way @ axis)) for way in ways)
    return (-axis if gone < 0.0 else axis), extent


def _facing(actors: Sequence[Actor]) -> FloatArray:
    """The direction (2,) the figures face on average; +Z when they face all ways alike."""
    yaws = np.concatenate([facing(actor.clip) for actor in actors])
    total = np.array([np.sin(yaws).sum(), np.cos(yaws).sum()])
    length = float(np.linalg.norm(total))
    return total / length if length > 0.0 else np.array([0.0, 1.0])


def _ground_level(actors: Sequence[Actor], height: float) -> float:
    """Zero, or the lowest point where the motion lies clearly above or below zero."""
    lowest = min(float(actor.overview[..., 1].min()) for actor in actors)
    return 0.0 if abs(lowest) <= GROUND_TOLERANCE * height else lowest
