"""Read ASF files: the bones of an Acclaim skeleton."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import FileFormatError
from motionloom.files.acclaim.skeleton import (
    FREEDOMS,
    LEADING_SENTENCE,
    ROOT,
    UNIT_SENTENCE,
    AcclaimSkeleton,
    AngleUnit,
    Bone,
)
from motionloom.files.text import decode_text, parse_number, quote_word, read_text
from motionloom.geometry import rotations as rot

_MAX_CHARACTERS = 8_000_000
"""Characters of a file that are kept in memory: a skeleton of a hundred thousand bones."""

_SEPARATORS = str.maketrans("(),", "   ")


class AsfLine(NamedTuple):
    """The words of one line that holds any, and its number in the file, counted from 1."""

    number: int
    words: tuple[str, ...]

    @property
    def keyword(self) -> str:
        """The first word in lower case; Acclaim files do not mind the case."""
        return self.words[0].lower()


def read_lines(path: Path) -> list[AsfLine]:
    """Return the lines that hold words; comments are cut, commas and parentheses count as spaces."""
    text = decode_text(read_text(path).content)
    if len(text) > _MAX_CHARACTERS:
        raise FileFormatError(path, f"is too long for a skeleton, with {len(text)} characters")
    stripped = (line.partition("#")[0].translate(_SEPARATORS).split() for line in StringIO(text))
    return [AsfLine(place, tuple(words)) for place, words in enumerate(stripped, start=1) if words]


def parse_numbers(path: Path, line: AsfLine, words: Sequence[str], count: int) -> list[float]:
    """Return words as so many numbers, or fail with the line."""
    if len(words) != count:
        raise FileFormatError(
            path,
            f"{quote_word(line.words[0])} needs {count} number{'s' * (count > 1)}, not {len(words)}",
            line.number,
        )
    try:
        return [parse_number(word) for word in words]
    except ValueError as error:
        raise FileFormatError(
            path, f"{quote_word(line.words[0])} needs numbers: {error}", line.number
        ) from None


_AXIS_ORDERS = frozenset({"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"})
UNIT_TOLERANCE = 1e-3
"""How far the length of a direction may be from one without a note; files print few digits."""

_USUAL_ROOT_ORDER = ("TX", "TY", "TZ", "RX", "RY", "RZ")


def read_asf(path: str | PathLike[str]) -> AcclaimSkeleton:
    """Read the skeleton of an ASF file, in the file's own unit and axes.

    Fails with the line where a number, an axis order, a degree of freedom or a name is wrong. Sections other
    than units, root, bonedata, hierarchy and documentation are ignored.

    >>> import tempfile
    >>> bone = ["begin", "name leg", "direction 0 -1 0", "length 2", "end"]
    >>> lines = [":bonedata", *bone, ":hierarchy", "begin", "root leg", "end"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "one.asf").write_text(chr(10).join(lines))
    ...     skeleton = read_asf(Path(folder, "one.asf"))
    >>> [(bone.name, bone.vector.tolist()) for bone in skeleton.bones]
    [('root', [0.0, 0.0, 0.0]), ('leg', [0.0, -2.0, 0.0])]
    """
    path = Path(path)
    sections = _sections(path)
    length_factor, angle = _units(path, sections.get("units", []))
    root, position, notes = _root(path, sections.get("root", []), angle)
    bones = _bones(path, sections["bonedata"], angle, notes)
    children = _hierarchy(path, sections["hierarchy"], bones)
    documentation = sections.get("documentation", [])
    ordered, left_out = _depth_first(root, bones, children)
    if left_out:
        notes.append(f"bones outside the hierarchy were dropped: {', '.join(left_out)}")
    return AcclaimSkeleton(
        tuple(ordered),
        position,
        length_factor,
        _read_unit(documentation),
        _find_leading(documentation, ordered),
        angle,
        tuple(notes),
    )


def _sections(path: Path) -> dict[str, list[AsfLine]]:
    """Return the lines of each section; words that stand beside the section's name make its first line."""
    sections: dict[str, list[AsfLine]] = {}
    current: list[AsfLine] = []
    for line in read_lines(path):
        if line.words[0].startswith(":"):
            current = sections.setdefault(line.keyword[1:], [])
            line = AsfLine(line.number, line.words[1:])
        if line.words:
            current.append(line)
    for needed in ("bonedata", "hierarchy"):
        if needed not in sections:
            raise FileFormatError(path, f"is not an ASF skeleton: it has no :{needed} section")
    return sections


def _units(path: Path, lines: Sequence[AsfLine]) -> tuple[float, AngleUnit]:
    length_factor, angle = 1.0, "deg"
    for line in lines:
        if line.keyword == "length":
            (length_factor,) = parse_numbers(path, line, line.words[1:], 1)
            if length_factor <= 0.0:
                raise FileFormatError(path, "the unit of lengths must be a positive number", line.number)
        elif line.keyword == "angle":
            angle = line.words[1].lower()[:3] if len(line.words) > 1 else ""
            if angle not in ("deg", "rad"):
                raise FileFormatError(path, "the unit of angles must be 'deg' or 'rad'", line.number)
    return length_factor, "rad" if angle == "rad" else "deg"


def _read_unit(lines: Sequence[AsfLine]) -> tuple[str, float] | None:
    """Return the unit in a sentence like "one length unit is 0.01 metres, called cm", or None."""
    for line in lines:
        if line.words[:4] == UNIT_SENTENCE and line.words[5:7] == ("metres", "called"):
            try:
                metres = parse_number(line.words[4])
            except ValueError:
                continue
            if metres > 0.0:
                return " ".join(line.words[7:]), metres
    return None


def _find_leading(lines: Sequence[AsfLine], bones: Sequence[Bone]) -> frozenset[int]:
    """Return the bones that, by the documentation, lead to others, as far as they cannot do anything else."""
    n_words = len(LEADING_SENTENCE)
    named = {
        word for line in lines if line.words[:n_words] == LEADING_SENTENCE for word in line.words[n_words:]
    }
    return frozenset(
        n
        for n, bone in enumerate(bones)
        if n and bone.name in named and not bone.freedoms and _is_point(bones[bone.parent])
    )


def _is_point(bone: Bone) -> bool:
    """Tell whether a bone ends where it starts."""
    return bone.length == 0.0 and "L" not in bone.freedoms


def _root(path: Path, lines: Sequence[AsfLine], angle: AngleUnit) -> tuple[Bone, FloatArray, list[str]]:
    """Return the root bone, its position, and notes on what was assumed about it."""
    freedoms: tuple[str, ...] = ()
    axis_order, orientation, position = "XYZ", [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for line in lines:
        if line.keyword == "order":
            freedoms = _freedoms(path, line, FREEDOMS[:-1])
        elif line.keyword == "axis":
            axis_order = _axis_order(path, line)
        elif line.keyword == "position":
            position = parse_numbers(path, line, line.words[1:], 3)
        elif line.keyword == "orientation":
            orientation = parse_numbers(path, line, line.words[1:], 3)
    notes = []
    if not freedoms:
        freedoms = _USUAL_ROOT_ORDER
        notes.append(f"the skeleton states no order of the root's values: {' '.join(freedoms)} assumed")
    if any(orientation):
        notes.append("the root's preset orientation was read as the axes of its angles")
    root = Bone(ROOT, -1, freeze(np.zeros(3)), 0.0, _axes(orientation, axis_order, angle), freedoms)
    return root, freeze(np.array(position)), notes


@dataclass
class _BoneLines:
    """The lines of one begin … end block by keyword, and where it starts."""

    start: int
    lines: dict[str, AsfLine] = field(default_factory=dict)


def _bones(path: Path, lines: Sequence[AsfLine], angle: AngleUnit, notes: list[str]) -> dict[str, Bone]:
    """Return the bones by lower-case name, not yet joined to each other."""
    bones: dict[str, Bone] = {}
    for block in _blocks(path, lines):
        bone = _bone(path, block, angle, notes)
        if bone.name.lower() in bones or bone.name.lower() == ROOT:
            raise FileFormatError(path, f"the bone name {quote_word(bone.name)} occurs twice", block.start)
        bones[bone.name.lower()] = bone
    return bones


def _blocks(path: Path, lines: Sequence[AsfLine]) -> Iterator[_BoneLines]:
    block: _BoneLines | None = None
    for line in lines:
        if line.keyword == "begin":
            if block is not None:
                raise FileFormatError(path, "a bone begins before the 'end' of the last one", line.number)
            block = _BoneLines(line.number)
        elif line.keyword == "end":
            if block is None:
                raise FileFormatError(path, "'end' without a 'begin'", line.number)
            yield block
            block = None
        elif block is not None:
            block.lines.setdefault(line.keyword, line)
    if block is not None:
        raise FileFormatError(path, "the file ends within this bone: it has no 'end'", block.start)


def _bone(path: Path, block: _BoneLines, angle: AngleUnit, notes: list[str]) -> Bone:
    for needed in ("name", "direction", "length"):
        if needed not in block.lines:
            raise FileFormatError(path, f"this bone has no {needed!r}", block.start)
    named, direction, length = (block.lines[key] for key in ("name", "direction", "length"))
    if len(named.words) != 2:
        raise FileFormatError(path, "a bone's name must be one word", named.number)
    (size,) = parse_numbers(path, length, length.words[1:], 1)
    if size < 0.0:
        raise FileFormatError(path, "the length of a bone cannot be negative", length.number)
    toward = _direction(path, direction, size, notes)
    axes = rot.IDENTITY
    if axis := block.lines.get("axis"):
        turned = parse_numbers(path, axis, axis.words[1:4], 3)
        axes = _axes(turned, _axis_order(path, AsfLine(axis.number, axis.words[3:])), angle)
    dof = block.lines.get("dof")
    freedoms = _freedoms(path, dof, FREEDOMS) if dof else ()
    return Bone(named.words[1], -1, toward, size, axes, freedoms)


def _direction(path: Path, line: AsfLine, length: float, notes: list[str]) -> FloatArray:
    """Return the unit vector (3,) of a bone; a bone without length may have none."""
    vector = np.array(parse_numbers(path, line, line.words[1:], 3))
    size = float(np.linalg.norm(vector))
    if size == 0.0:
        if length > 0.0:
            raise FileFormatError(path, "a bone with a length needs a direction other than zero", line.number)
        return freeze(vector)
    if abs(size - 1.0) > UNIT_TOLERANCE:
        notes.append(f"line {line.number}: a direction of length {size:.6g} was normalised")
    return freeze(vector / size)


def _freedoms(path: Path, line: AsfLine, allowed: Sequence[str]) -> tuple[str, ...]:
    names = tuple(word.upper() for word in line.words[1:])
    for name in names:
        if name not in allowed:
            raise FileFormatError(
                path,
                f"unknown degree of freedom {quote_word(name)}: it can be {', '.join(allowed)}",
                line.number,
            )
    if len(set(names)) < len(names):
        raise FileFormatError(path, "a degree of freedom is listed twice", line.number)
    return names


def _axis_order(path: Path, line: AsfLine) -> str:
    order = line.words[1].upper() if len(line.words) == 2 else "XYZ" if len(line.words) == 1 else ""
    if order not in _AXIS_ORDERS:
        raise FileFormatError(path, "an axis order must name X, Y and Z once each, like XYZ", line.number)
    return order


def _axes(angles: Sequence[float], order: str, angle: AngleUnit) -> FloatArray:
    """Return the rotation by angles about X, Y and Z; the order says which is applied first."""
    radians = np.radians(angles) if angle == "deg" else np.array(angles)
    outermost_first = [radians["XYZ".index(axis)] for axis in reversed(order)]
    return freeze(rot.normalize(rot.from_euler(outermost_first, order[::-1])))


def _hierarchy(path: Path, lines: Sequence[AsfLine], bones: dict[str, Bone]) -> dict[str, list[str]]:
    """Return the children of each bone, both by lower-case name."""
    children: dict[str, list[str]] = {}
    placed: set[str] = {ROOT}
    for line in lines:
        parent, *below = (word.lower() for word in line.words)
        if parent in ("begin", "end") and not below:
            continue
        for word, name in zip(line.words, (parent, *below), strict=True):
            if name != ROOT and name not in bones:
                raise FileFormatError(
                    path, f"the hierarchy names an unknown bone {quote_word(word)}", line.number
                )
        for name in below:
            if name in placed:
                raise FileFormatError(path, f"bone {quote_word(name)} has two parents", line.number)
            placed.add(name)
        children.setdefault(parent, []).extend(below)
    return children


def _depth_first(
    root: Bone, bones: dict[str, Bone], children: dict[str, list[str]]
) -> tuple[list[Bone], list[str]]:
    """Return the bones below the root, parents first, and the names of all others."""
    ordered = [root]
    waiting = [(name, 0) for name in reversed(children.get(ROOT, []))]
    left = dict(bones)
    while waiting:
        name, parent = waiting.pop()
        ordered.append(replace(left.pop(name), parent=parent))
        waiting.extend((child, len(ordered) - 1) for child in reversed(children.get(name, [])))
    return ordered, [bone.name for bone in left.values()]
