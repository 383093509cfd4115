"""A pinhole camera, the views it can take, and where it must stand to see everything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError

View = Literal["auto", "side", "front", "top"]

FOCAL = 2.4
"""Focal length in picture widths (or heights, if larger): about 24 degrees across, little distortion."""

_ANGLES: dict[str, tuple[float, float]] = {
    "auto": (62.0, 13.0),
    "side": (90.0, 6.0),
    "front": (0.0, 8.0),
}
"""For each view the degrees from the heading to the camera, and its degrees above the ground."""

_IN_PLACE_ANGLE = 38.0
"""Degrees from the heading to the camera for the automatic view of a figure that stays where it is."""

LEAST_CLEARANCE = 0.25
"""Least distance of the camera from the nearest point, as a share of the depth of what it looks at."""

_NEAR = 0.02
"""Nearest depth that is drawn, as a share of the camera's distance from what it looks at."""


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera.

    Attributes
    ----------
    axes
        (3, 3) unit rows: right, up and forward in the world.
    position
        (3,) where it stands, metres.
    focal
        Focal length, pixels.
    centre
        (2,) pixel that lies straight ahead.
    distance
        Metres to what it looks at.
    """

    axes: FloatArray
    position: FloatArray
    focal: float
    centre: FloatArray
    distance: float

    @property
    def near(self) -> float:
        """Depth in metres before which nothing is drawn."""
        return _NEAR * self.distance

    def project(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Pixels (..., 2) and depths (...) in metres of world points (..., 3).

        Points before the near depth get the pixel they would have at that depth.

        >>> eye = Camera(np.diag([1.0, 1.0, -1.0]), np.array([0.0, 0, 5]), 100.0, np.array([50.0, 40]), 5.0)
        >>> eye.project(np.array([1.0, 0.5, 0.0]))[0].tolist()
        [70.0, 30.0]
        """
        seen = (points - self.position) @ self.axes.T
        depth = seen[..., 2]
        scale = self.focal / np.maximum(depth, self.near)
        pixels = self.centre + seen[..., :2] * np.array([1.0, -1.0]) * scale[..., None]
        return pixels, depth

    def pixels_per_metre(self, depth: FloatArray) -> FloatArray:
        """How many pixels one metre spans at depths (...)."""
        return self.focal / np.maximum(depth, self.near)

    def moved(self, offset: FloatArray) -> Camera:
        """The camera carried along by an offset (3,) in metres."""
        return replace(self, position=self.position + offset)

    def enlarged(self, factor: int) -> Camera:
        """The same view in a picture ``factor`` times as large."""
        return replace(self, focal=self.focal * factor, centre=self.centre * factor)


@dataclass(frozen=True)
class Frame:
    """A picture's size and the margins its content keeps from the edges, all in pixels."""

    width: int
    height: int
    side: float
    top: float
    bottom: float


def checked_view(view: str) -> View:
    """The view, or an error that lists the views there are.

    >>> checked_view("side")
    'side'
    """
    known = get_args(View)
    if view not in known:
        raise ParameterError(f"view must be one of {', '.join(map(repr, known))}, not {view!r}")
    return cast(View, view)


def view_axes(view: View, heading: FloatArray, travels: bool) -> FloatArray:
    """The camera axes (3, 3) of a view: right, up, forward.

    Seen from the side, a figure that moves along its heading goes from left to right.

    Parameters
    ----------
    view
        "side", "front" and "top" say it; "auto" is a three-quarter view.
    heading
        (2,) unit direction on the ground, x and z.
    travels
        Whether the figure goes somewhere; the automatic view shows one that stays more from the front.

    >>> bool(np.allclose(view_axes("side", np.array([1.0, 0.0]), True)[0], [1, 0, 0]))
    True
    """
    ahead = np.array([heading[0], 0.0, heading[1]])
    across = np.array([-heading[1], 0.0, heading[0]])
    up = np.array([0.0, 1.0, 0.0])
    if view == "top":
        return np.array([ahead, -across, -up])
    angle, elevation = np.radians(_ANGLES[view])
    if view == "auto" and not travels:
        angle = np.radians(_IN_PLACE_ANGLE)
    outward = np.cos(elevation) * (np.cos(angle) * ahead + np.sin(angle) * across) + np.sin(elevation) * up
    right = np.cross(-outward, up)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(right, -outward), -outward])


def framing(points: FloatArray, axes: FloatArray, frame: Frame) -> Camera:
    """The camera with these axes that stands as near as it can and still sees all points (N, 3).

    Each margin is a plane through the camera, so the nearest place follows from four maxima, exactly.

    >>> box = np.array([[-1.0, -1, 0], [1, 1, 0]])
    >>> eye = framing(box, np.diag([1.0, 1.0, -1.0]), Frame(200, 200, side=20, top=20, bottom=20))
    >>> eye.project(box)[0].round(6).tolist()
    [[20.0, 180.0], [180.0, 20.0]]
    """
    inner = np.array([frame.width - 2 * frame.side, frame.height - frame.top - frame.bottom])
    focal = FOCAL * max(frame.width, frame.height)
    slopes = inner / (2.0 * focal)

    seen = points @ axes.T
    flat, depth = seen[:, :2], seen[:, 2:]
    high = (flat - slopes * depth).max(axis=0)
    low = (-flat - slopes * depth).max(axis=0)
    back = float((-(high + low) / (2.0 * slopes)).min())
    # Points in a row along the line of sight would let the camera come up to the first of them.
    back = min(back, float(depth.min() - LEAST_CLEARANCE * np.ptp(depth)))

    place = np.array([*(high - low) / 2.0, back])
    centre = np.array([frame.width / 2.0, frame.top + inner[1] / 2.0])
    return Camera(axes, place @ axes, focal, centre, distance=float(depth.mean() - back))
