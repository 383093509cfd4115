"""Fill shapes in an image with smooth edges: each pixel takes the fraction of a colour that the shape covers.

Coordinates count pixels from the upper left corner of the image: pixel n reaches from n to n + 1. Images are
(H, W, C), rows from the top.
"""

from __future__ import annotations

import numpy as np

from motionloom.kernels.array_types import Bytes, Bytes2, Floats2, OutBytes3
from motionloom.kernels.compiling import kernel


@kernel
def paint_rods(image: OutBytes3, rods: Floats2, colours: Bytes2) -> None:
    """Fill tapered lines with round ends, one after the other: the hulls of two circles each.

    ``rods`` (N, 6) are x and y of the start and of the end, and the radii there; ``colours`` (N, C).
    """
    for n in range(rods.shape[0]):
        x0, y0, x1, y1, r0, r1 = rods[n, 0], rods[n, 1], rods[n, 2], rods[n, 3], rods[n, 4], rods[n, 5]
        length = np.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
        if length <= abs(r0 - r1):
            # One circle lies within the other.
            if r1 > r0:
                x0, y0, r0 = x1, y1, r1
            x1, y1, r1, length = x0, y0, r0, 0.0
        dx, dy, slope = 0.0, 0.0, 0.0
        if length > 0.0:
            dx, dy, slope = (x1 - x0) / length, (y1 - y0) / length, (r0 - r1) / length
        side = np.sqrt(1.0 - slope * slope)
        reach = max(r0, r1) + 0.5
        first = max(int(np.ceil(min(y0, y1) - reach - 0.5)), 0)
        last = min(int(np.floor(max(y0, y1) + reach - 0.5)), image.shape[0] - 1)
        for row in range(first, last + 1):
            y = row + 0.5
            # Only the part of the line within reach of this row can touch its pixels.
            near, far = 0.0, length
            if abs(dy) > 1e-9:
                a, b = (y - reach - y0) / dy, (y + reach - y0) / dy
                near, far = max(min(a, b), 0.0), min(max(a, b), length)
            a, b = x0 + near * dx, x0 + far * dx
            left = max(int(np.ceil(min(a, b) - reach - 0.5)), 0)
            right = min(int(np.floor(max(a, b) + reach - 0.5)), image.shape[1] - 1)
            for column in range(left, right + 1):
                px, py = column + 0.5 - x0, y - y0
                across = abs(px * dy - py * dx)
                if length > 0.0 and across >= reach:
                    continue
                along = px * dx + py * dy
                position = side * along - slope * across
                if length == 0.0 or position < 0.0:
                    outside = np.sqrt(px * px + py * py) - r0
                elif position > side * length:
                    outside = np.sqrt((column + 0.5 - x1) ** 2 + (y - y1) ** 2) - r1
                else:
                    outside = side * across + slope * along - r0
                _mix(image, row, column, colours, n, 0.5 - outside)


@kernel
def paint_polygon(image: OutBytes3, corners: Floats2, colours: Bytes2) -> None:
    """Fill a convex polygon with corners (N, 2), clockwise as seen in the image, in a colour (1, C)."""
    n_corners = corners.shape[0]
    min_x, min_y, max_x, max_y = np.inf, np.inf, -np.inf, -np.inf
    for n in range(n_corners):
        min_x, max_x = min(min_x, corners[n, 0]), max(max_x, corners[n, 0])
        min_y, max_y = min(min_y, corners[n, 1]), max(max_y, corners[n, 1])
    first, last = max(int(np.floor(min_y)) - 1, 0), min(int(np.ceil(max_y)), image.shape[0] - 1)
    left, right = max(int(np.floor(min_x)) - 1, 0), min(int(np.ceil(max_x)), image.shape[1] - 1)
    for row in range(first, last + 1):
        for column in range(left, right + 1):
            inside = np.inf
            for n in range(n_corners):
                m = (n + 1) % n_corners
                edge_x, edge_y = corners[m, 0] - corners[n, 0], corners[m, 1] - corners[n, 1]
                length = np.sqrt(edge_x * edge_x + edge_y * edge_y)
                if length > 0.0:
                    px, py = column + 0.5 - corners[n, 0], row + 0.5 - corners[n, 1]
                    inside = min(inside, (edge_x * py - edge_y * px) / length)
            _mix(image, row, column, colours, 0, 0.5 + inside)


@kernel
def _mix(image: Bytes, row: int, column: int, colours: Bytes, n: int, coverage: float) -> None:
    """Mix a fraction of colour n into a pixel; fractions below 0 and above 1 are none and all."""
    if coverage <= 0.0:
        return
    if coverage >= 1.0:
        for channel in range(image.shape[2]):
            image[row, column, channel] = colours[n, channel]
        return
    for channel in range(image.shape[2]):
        before = float(image[row, column, channel])
        image[row, column, channel] = int(before + (float(colours[n, channel]) - before) * coverage + 0.5)
