"""Lines of SVG drawings as points: path data (M L H V C S Q T A Z), polylines, polygons and transforms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError
from motionloom.files.text import decode_text, quote_word, read_text
from motionloom.json_files import MAX_NUMBER

MAX_FILE_SIZE = 20_000_000
"""Bytes; drawings with pictures in them are larger, and hold no line to walk along."""

CURVE_POINTS, MAX_POINTS = 48, 200_000
"""Points that a curve is cut into, and points of all lines together."""

NUMBERS_OF = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
"""Numbers that follow each command of path data."""

_TOKEN = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([\s,]+)|(.)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TRANSFORM = re.compile(r"([a-zA-Z]+)\s*\(([^)]*)\)")


@dataclass(frozen=True, eq=False)
class DrawnLine:
    """A line of a drawing.

    Attributes
    ----------
    name
        Its id, or what it is and its number.
    strokes
        Points (N, 2) of each of its strokes, x to the right and y down, in the drawing's unit.
    """

    name: str
    strokes: tuple[FloatArray, ...]


def read_svg_lines(path: Path) -> list[DrawnLine]:
    """Return all lines of a drawing, in the order of the file."""
    content = read_text(path).content
    if len(content) > MAX_FILE_SIZE:
        raise FileFormatError(path, "is far too large for a drawn path", remedy="save the line alone")
    text = decode_text(content)
    if "<!ENTITY" in text:
        raise FileFormatError(
            path, "defines entities, which a drawing does not need", remedy="save it as plain SVG"
        )
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise FileFormatError(path, f"is no SVG drawing: {error}") from None
    try:
        return list(_list_lines(root, np.eye(3), 0))
    except ValueError as error:
        raise FileFormatError(path, str(error)) from None


def _list_lines(element: ElementTree.Element, outer: FloatArray, depth: int) -> Iterator[DrawnLine]:
    """Yield the lines of an element and of those in it."""
    if depth > 100:
        raise ValueError("nests its elements too deep")
    kind = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
    if kind in ("defs", "clipPath", "mask", "symbol", "marker", "pattern"):
        return
    matrix = outer @ _parse_transform(element.get("transform", ""))
    strokes = _list_strokes(element, kind)
    if strokes:
        name = element.get("id") or kind
        yield DrawnLine(name, tuple(points @ matrix[:2, :2].T + matrix[:2, 2] for points in strokes))
    for child in element:
        yield from _list_lines(child, matrix, depth + 1)


def _list_strokes(element: ElementTree.Element, kind: str) -> list[FloatArray]:
    """Return the strokes of an element that is a line."""
    if kind == "path":
        return parse_path_data(element.get("d", ""))
    if kind in ("polyline", "polygon"):
        numbers = [_number(word) for word in _NUMBER.findall(element.get("points", ""))]
        points = np.array(numbers[: len(numbers) // 2 * 2]).reshape(-1, 2)
        return [np.concatenate([points, points[:1]]) if kind == "polygon" else points] if len(points) else []
    if kind == "line":
        ends = [_number(element.get(name, "0")) for name in ("x1", "y1", "x2", "y2")]
        return [np.array(ends).reshape(2, 2)]
    return []


def parse_path_data(data: str) -> list[FloatArray]:
    """Return the strokes, points (N, 2), of SVG path data.

    >>> [stroke.tolist() for stroke in parse_path_data("M0 0 h2 v-1 z")]
    [[[0.0, 0.0], [2.0, 0.0], [2.0, -1.0], [0.0, 0.0]]]
    """
    pen = _Pen()
    for command, numbers in _list_commands(data):
        pen.draw(command, numbers)
    return [np.array(stroke) for stroke in pen.strokes if len(stroke) > 1]


def _list_commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Yield commands with their numbers; repeated numbers repeat the command."""
    words: list[str] = []
    for match in _TOKEN.finditer(data):
        command, number, _, wrong = match.groups()
        if wrong:
            raise ValueError(f"has path data with {quote_word(wrong)}, which is no command and no number")
        if command or number:
            words.append(command or number)
    k = 0
    command = ""
    while k < len(words):
        if words[k].isalpha() and words[k].upper() in NUMBERS_OF:
            command = words[k]
            k += 1
        elif not command or command in "Zz":
            raise ValueError(f"has path data with the number {quote_word(words[k])} without a command")
        count = NUMBERS_OF[command.upper()]
        if command in "Aa":
            own, k = _take_arc(words, k)
        else:
            own, k = words[k : k + count], k + count
        if len(own) < count or any(word.isalpha() for word in own):
            raise ValueError(f"has path data in which {command} lacks some of its {count} numbers")
        yield command, [_number(word) for word in own]
        # Numbers after those of a move are lines.
        command = {"M": "L", "m": "l"}.get(command, command)


def _take_arc(words: list[str], k: int) -> tuple[list[str], int]:
    """Return the seven numbers of an arc from word k on; its flags may be written without blanks."""
    own: list[str] = []
    while len(own) < 7 and k < len(words):
        word = words[k]
        if len(own) in (3, 4) and len(word) > 1 and word[0] in "01":
            own.append(word[0])
            words[k] = word[1:]
            continue
        own.append(word)
        k += 1
    return own, k


class _Pen:
    """Draws path data."""

    def __init__(self) -> None:
        self.strokes: list[list[tuple[float, float]]] = []
        self.at, self.first = (0.0, 0.0), (0.0, 0.0)
        self.control: tuple[str, tuple[float, float]] = ("", (0.0, 0.0))
        self.n_points = 0

    def draw(self, command: str, numbers: list[float]) -> None:
        """Do what one command says."""
        kind, relative = command.upper(), command.islower()
        if not self.strokes and kind != "M":
            raise ValueError(f"has path data that begins with {command}, not with M")
        x, y = self.at
        dx, dy = (x, y) if relative else (0.0, 0.0)
        after: tuple[str, tuple[float, float]] = ("", (0.0, 0.0))
        if kind == "M":
            self.at = self.first = (numbers[0] + dx, numbers[1] + dy)
            self.strokes.append([self.at])
            return
        if kind == "Z":
            self._line(self.first)
            # What follows starts a stroke of its own where this one began.
            self.strokes.append([self.first])
            return
        if kind == "H":
            self._line((numbers[0] + dx, y))
        elif kind == "V":
            self._line((x, numbers[0] + dy))
        elif kind == "L":
            self._line((numbers[0] + dx, numbers[1] + dy))
        elif kind == "A":
            self._arc(numbers[:5], (numbers[5] + dx, numbers[6] + dy))
        else:
            points = [(a + dx, b + dy) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
            if kind in "ST":
                degree, control = self.control
                same = degree == {"S": "C", "T": "Q"}[kind]
                points.insert(0, (2 * x - control[0], 2 * y - control[1]) if same else (x, y))
            after = ("C" if kind in "CS" else "Q", points[-2])
            self._curve([(x, y), *points])
        self.control = after

    def _line(self, end: tuple[float, float]) -> None:
        self._add([end])

    def _add(self, points: list[tuple[float, float]]) -> None:
        self.n_points += len(points)
        if self.n_points > MAX_POINTS:
            raise ValueError(f"has more than {MAX_POINTS} points on one line")
        self.strokes[-1] += points
        self.at = points[-1]

    def _curve(self, controls: list[tuple[float, float]]) -> None:
        """Draw a Bézier curve with three or four control points."""
        points = np.array(controls)
        t = np.linspace(0.0, 1.0, CURVE_POINTS + 1)[1:, None]
        rest = 1.0 - t
        if len(points) == 3:
            curve = rest**2 * points[0] + 2 * rest * t * points[1] + t**2 * points[2]
        else:
            curve = (
                rest**3 * points[0]
                + 3 * rest**2 * t * points[1]
                + 3 * rest * t**2 * points[2]
                + t**3 * points[3]
            )
        self._add([(float(a), float(b)) for a, b in curve])

    def _arc(self, shape: list[float], end: tuple[float, float]) -> None:
        """Draw an elliptical arc, given by its ends (SVG 1.1, appendix F.6)."""
        start = np.array(self.at)
        rx, ry, tilt = abs(shape[0]), abs(shape[1]), np.radians(shape[2])
        if rx < 1e-12 or ry < 1e-12 or np.allclose(start, end):
            self._line(end)
            return
        turn = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]])
        half = turn @ (start - np.array(end)) / 2.0
        grow = float(np.sqrt(max(1.0, (half[0] / rx) ** 2 + (half[1] / ry) ** 2)))
        radii = np.array([rx, ry]) * grow
        a, b = (half / radii) ** 2
        sign = -1.0 if bool(shape[3]) == bool(shape[4]) else 1.0
        root = sign * np.sqrt(max(0.0, (1.0 - a - b) / (a + b)))
        centre = root * np.array([radii[0] * half[1] / radii[1], -radii[1] * half[0] / radii[0]])
        first = np.arctan2(*((half - centre) / radii)[::-1])
        last = np.arctan2(*((-half - centre) / radii)[::-1])
        sweep = (last - first) % (2.0 * np.pi) if shape[4] else -((first - last) % (2.0 * np.pi))
        n = max(2, ceil(abs(sweep) / (2.0 * np.pi) * 2 * CURVE_POINTS))
        angles = first + np.linspace(0.0, sweep, n + 1)[1:]
        centre_point = turn.T @ centre + (start + np.array(end)) / 2.0
        points = (radii * np.stack([np.cos(angles), np.sin(angles)], axis=-1)) @ turn + centre_point
        points[-1] = end
        self._add([(float(x), float(y)) for x, y in points])


def _parse_transform(text: str) -> FloatArray:
    """Return the matrix (3, 3) of a transform attribute."""
    matrix = np.eye(3)
    for name, words in _TRANSFORM.findall(text):
        values = [_number(word) for word in _NUMBER.findall(words)]
        matrix = matrix @ _transform_matrix(name, values)
    return matrix


def _transform_matrix(name: str, values: list[float]) -> FloatArray:
    own = np.eye(3)
    if name == "matrix" and len(values) == 6:
        own[:2] = np.array(values).reshape(3, 2).T
    elif name == "translate" and len(values) in (1, 2):
        own[:2, 2] = values[0], values[1] if len(values) == 2 else 0.0
    elif name == "scale" and len(values) in (1, 2):
        own[0, 0], own[1, 1] = values[0], values[-1]
    elif name == "rotate" and len(values) in (1, 3):
        c, s = np.cos(np.radians(values[0])), np.sin(np.radians(values[0]))
        own[:2, :2] = [[c, -s], [s, c]]
        if len(values) == 3:
            about = np.array(values[1:])
            own[:2, 2] = about - own[:2, :2] @ about
    elif name in ("skewX", "skewY") and len(values) == 1:
        own[(0, 1) if name == "skewX" else (1, 0)] = np.tan(np.radians(values[0]))
    else:
        raise ValueError(f"has the transform {quote_word(name)} with {len(values)} numbers, which is none")
    return own


def _number(word: str) -> float:
    """Return a number of a drawing."""
    match = _NUMBER.match(word.strip())
    value = float(match.group()) if match else float("nan")
    if not abs(value) <= MAX_NUMBER:
        raise ValueError(f"has the number {quote_word(word)}, which is none, or far too large")
    return value
