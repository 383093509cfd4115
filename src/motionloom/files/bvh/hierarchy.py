"""The HIERARCHY section: joints, offsets, channels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite

from motionloom.errors import FileFormatError
from motionloom.files.bvh.text import TextFile, decoded

CHANNEL_NAMES = {
    kind.lower(): kind
    for kind in ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")
}
"""Channel names as they are written, by their lower-case form."""

MOST_JOINTS = 2000
"""Joints that a file may have; production rigs have hundreds."""

MOTION = re.compile(rb"^[ \t]*MOTION\b", re.IGNORECASE | re.MULTILINE)


@dataclass
class Node:
    """One joint of the tree while it is being read."""

    name: str
    line: int
    index: int
    parent: int
    offset: tuple[float, ...] | None = None
    channels: tuple[str, ...] | None = None
    first_column: int = 0
    tips: list[tuple[float, ...]] = field(default_factory=list)


@dataclass
class Hierarchy:
    """All joints of a file in file order, how many columns its rows have, and where the rows begin."""

    nodes: list[Node] = field(default_factory=list)
    n_columns: int = 0
    end: int = 0
    decimal_commas: bool = False
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Line:
    """A line of the header: its number and its words."""

    number: int
    words: list[bytes]

    @property
    def keyword(self) -> str:
        """The first word in upper case."""
        return self.words[0].decode("ascii", "replace").upper()

    @property
    def rest(self) -> str:
        """Everything after the first word."""
        return decoded(b" ".join(self.words[1:])).strip()


def read_hierarchy(file: TextFile) -> Hierarchy:
    """Read the joint tree up to the line MOTION."""
    end = MOTION.search(file.content)
    if end is None:
        cause = "has no MOTION section" if b"HIERARCHY" in file.content.upper() else "is not a BVH file"
        raise file.error(f"{cause}: a BVH file holds HIERARCHY, a joint tree, MOTION and rows of numbers")
    found = Hierarchy(end=end.end())
    lines = _lines(file.content[: end.start()])
    first = next(lines, None)
    if first is None or first.keyword != "HIERARCHY":
        raise FileFormatError(file.path, "the first word must be HIERARCHY", first.number if first else 1)
    _read_tree(file, lines, found)
    for node in found.nodes:
        _complete(file, node, found)
    if not found.nodes:
        raise file.error("holds no ROOT joint", end.start())
    return found


def _lines(header: bytes) -> Iterator[Line]:
    """Non-empty lines, with braces always on lines of their own."""
    for number, text in enumerate(header.split(b"\n"), start=1):
        for part in re.split(rb"([{}])", text):
            words = part.split()
            if words:
                yield Line(number, words)


def _read_tree(file: TextFile, lines: Iterator[Line], found: Hierarchy) -> None:
    """Walk the braces; ``open_nodes`` holds the joints whose braces are open, None for an End Site."""
    open_nodes: list[Node | None] = []
    waiting: list[Node | None] = []  # declared, its brace not yet seen
    for line in lines:
        word = line.keyword
        if waiting and word != "{":
            raise FileFormatError(
                file.path, f"expected '{{' after a joint's name, found {word!r}", line.number
            )
        if word == "{":
            if not waiting:
                raise FileFormatError(file.path, "a '{' without a joint before it", line.number)
            open_nodes.append(waiting.pop())
        elif word == "}":
            if not open_nodes:
                raise FileFormatError(file.path, "a '}' without its '{'", line.number)
            open_nodes.pop()
        elif word in ("ROOT", "JOINT"):
            waiting.append(_declared(file, line, open_nodes, found))
        elif word == "END":
            if not open_nodes or open_nodes[-1] is None:
                raise FileFormatError(file.path, "an End Site outside a joint", line.number)
            waiting.append(None)
        elif word in ("OFFSET", "CHANNELS"):
            if not open_nodes:
                raise FileFormatError(file.path, f"{word} outside a joint", line.number)
            _fill(file, line, open_nodes, found)
        else:
            raise FileFormatError(file.path, f"unknown word {word[:40]!r} in the hierarchy", line.number)
    if open_nodes or waiting:
        missing = len(open_nodes)
        raise file.error(
            f"the hierarchy ends with {missing} brace(s) still open before MOTION", found.end - 1
        )


def _declared(file: TextFile, line: Line, open_nodes: list[Node | None], found: Hierarchy) -> Node:
    """Add the joint that a ROOT or JOINT line names."""
    if line.keyword == "JOINT" and not open_nodes:
        raise FileFormatError(file.path, f"JOINT {line.rest!r} stands outside a ROOT", line.number)
    parent = -1
    if open_nodes:
        holder = open_nodes[-1]
        if holder is None:
            raise FileFormatError(file.path, "an End Site cannot hold a joint", line.number)
        parent = holder.index
    name = line.rest
    if not name:
        name = f"joint{len(found.nodes)}"
        found.notes.append(f"line {line.number}: a joint without a name was called {name!r}")
    if len(found.nodes) == MOST_JOINTS:
        raise FileFormatError(file.path, f"holds more than {MOST_JOINTS} joints", line.number)
    node = Node(name, line.number, len(found.nodes), parent)
    found.nodes.append(node)
    return node


def _fill(file: TextFile, line: Line, open_nodes: list[Node | None], found: Hierarchy) -> None:
    """Take an OFFSET or CHANNELS line into the innermost open joint or End Site."""
    node = open_nodes[-1]
    if line.keyword == "OFFSET":
        offset = _offset(file, line, found)
        if node is not None:
            node.offset = offset
        else:
            holder = open_nodes[-2]
            assert holder is not None  # an End Site is only opened inside a joint
            holder.tips.append(offset)
        return
    if node is None:
        raise FileFormatError(file.path, "an End Site has no channels", line.number)
    if node.channels is not None:
        raise FileFormatError(file.path, f"joint {node.name!r} has two CHANNELS lines", line.number)
    node.channels = _channels(file, line, node)
    node.first_column = found.n_columns
    found.n_columns += len(node.channels)


def _offset(file: TextFile, line: Line, found: Hierarchy) -> tuple[float, ...]:
    words = line.words[1:]
    if any(b"," in word for word in words) and not any(b"." in word for word in words):
        words = [word.replace(b",", b".") for word in words]
        found.decimal_commas = True
    try:
        offset = tuple(float(word) for word in words)
    except ValueError:
        offset = ()
    if len(offset) != 3 or not all(map(isfinite, offset)) or max(map(abs, offset)) > 1e12:
        raise FileFormatError(file.path, f"OFFSET needs three numbers, not {line.rest[:60]!r}", line.number)
    return offset


def _channels(file: TextFile, line: Line, node: Node) -> tuple[str, ...]:
    words = [decoded(word) for word in line.words[1:]]
    if not words or not words[0].isdecimal() or not words[0].isascii():
        raise FileFormatError(file.path, f"CHANNELS needs a count, not {line.rest[:60]!r}", line.number)
    unknown = [word for word in words[1:] if word.lower() not in CHANNEL_NAMES]
    if unknown:
        raise FileFormatError(
            file.path,
            f"unknown channel {unknown[0][:40]!r}: channels are {', '.join(CHANNEL_NAMES.values())}",
            line.number,
        )
    channels = tuple(CHANNEL_NAMES[word.lower()] for word in words[1:])
    if int(words[0]) != len(channels):
        raise FileFormatError(
            file.path, f"CHANNELS announces {words[0]} but names {len(channels)}", line.number
        )
    if len(set(channels)) < len(channels):
        raise FileFormatError(file.path, f"joint {node.name!r} names a channel twice", line.number)
    return channels


def _complete(file: TextFile, node: Node, found: Hierarchy) -> None:
    """Fill in what a joint left out."""
    if node.offset is None:
        raise FileFormatError(file.path, f"joint {node.name!r} has no OFFSET", node.line)
    if node.channels is None:
        node.channels = ()
        found.notes.append(
            f"joint {node.name!r} (line {node.line}) names no channels; it keeps its rest pose"
        )
