"""A pinhole camera, its views, and how it is placed so that it sees everything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.validation import check_choice

View = Literal["auto", "side", "front", "top"]
VIEWS: tuple[View, ...] = get_args(View)

FOCAL = 2.4
"""Focal length in image widths (or heights, if larger): about 24 degrees across, little distortion."""

VIEW_ANGLES: dict[str, tuple[float, float]] = {
    "auto": (62.0, 13.0),
    "side": (90.0, 6.0),
    "front": (0.0, 8.0),
}
"""Angles of the camera for each view, degrees: from the heading, and above the ground."""

IN_PLACE_ANGLE = 38.0
"""Angle from the heading to the camera, degrees, for the automatic view of a figure that stays in place."""

MIN_CLEARANCE = 0.25
"""Smallest distance from camera to nearest point, as a fraction of the depth of what it looks at."""

NEAR_DEPTH = 0.02
"""Smallest depth that is drawn, as a fraction of the camera's distance from what it looks at."""


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera.

    Attributes
    ----------
    axes
        (3, 3) unit rows: right, up and forward in the world.
    position
        (3,) metres.
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
        """Depth in metres up to which nothing is drawn."""
        return NEAR_DEPTH * self.distance

    def project(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return pixels (..., 2) and depths (...) in metres of world points (..., 3).

        Points closer than ``near`` get the pixel that they would have there.

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
        """Return how many pixels one metre spans at depths (...)."""
        return self.focal / np.maximum(depth, self.near)

    def moved(self, offset: FloatArray) -> Camera:
        """Return the camera moved by an offset (3,) in metres."""
        return replace(self, position=self.position + offset)


@dataclass(frozen=True)
class ImageFrame:
    """An image's size and the margins that its content keeps from the edges, in pixels."""

    width: int
    height: int
    side: float
    top: float
    bottom: float


def check_view(view: str) -> View:
    """Return the view, which must be one that there is.

    >>> check_view("side")
    'side'
    """
    return check_choice("view", view, VIEWS)


def view_axes(view: View, heading: FloatArray, travels: bool) -> FloatArray:
    """Return the camera axes (3, 3) of a view: right, up, forward.

    From the side, a figure that moves along its heading goes from left to right.

    Parameters
    ----------
    view
        "side", "front", "top", or "auto", a three-quarter view.
    heading
        (2,) unit direction on the ground, x and z.
    travels
        Whether the figure travels; the automatic view shows one that stays in place more from the front.

    >>> bool(np.allclose(view_axes("side", np.array([1.0, 0.0]), True)[0], [1, 0, 0]))
    True
    """
    ahead = np.array([heading[0], 0.0, heading[1]])
    across = np.array([-heading[1], 0.0, heading[0]])
    up = np.array([0.0, 1.0, 0.0])
    if view == "top":
        return np.array([ahead, -across, -up])
    angle, elevation = np.radians(VIEW_ANGLES[view])
    if view == "auto" and not travels:
        angle = np.radians(IN_PLACE_ANGLE)
    outward = np.cos(elevation) * (np.cos(angle) * ahead + np.sin(angle) * across) + np.sin(elevation) * up
    right = np.cross(-outward, up)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(right, -outward), -outward])


def frame_points(points: FloatArray, axes: FloatArray, frame: ImageFrame) -> Camera:
    """Return the camera with these axes that is as close as it can be and still sees all points (N, 3).

    Each margin is a plane through the camera, so the closest position follows exactly from four maxima.

    >>> box = np.array([[-1.0, -1, 0], [1, 1, 0]])
    >>> eye = frame_points(box, np.diag([1.0, 1.0, -1.0]), ImageFrame(200, 200, side=20, top=20, bottom=20))
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
    back = min(back, float(depth.min() - MIN_CLEARANCE * np.ptp(depth)))

    position = np.array([*(high - low) / 2.0, back])
    centre = np.array([frame.width / 2.0, frame.top + inner[1] / 2.0])
    return Camera(axes, position @ axes, focal, centre, distance=float(depth.mean() - back))
