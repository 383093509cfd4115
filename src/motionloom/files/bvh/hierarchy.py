"""Read the HIERARCHY section: joints, offsets, channels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from motionloom.errors import FileFormatError
from motionloom.files.text import TextFile, decode_text, parse_number, quote_word

CHANNEL_NAMES = {
    kind.lower(): kind
    for kind in ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")
}
"""Channel names as they are written, by their lower-case form."""

MAX_JOINTS = 2000
"""Joints that a file may have; production rigs have hundreds."""

BRACES = re.compile(rb"([{}])")
MOTION = re.compile(rb"(?:^|(?<=\}))[ \t\v\f]*MOTION\b", re.IGNORECASE | re.MULTILINE)


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

    @property
    def description(self) -> str:
        """What messages call it."""
        return f"joint {quote_word(self.name)}"


@dataclass
class EndSite:
    """The free end of a joint while it is being read."""

    line: int
    holder: Node
    offset: tuple[float, ...] | None = None

    @property
    def description(self) -> str:
        """What messages call it."""
        return f"the End Site of joint {quote_word(self.holder.name)}"


@dataclass
class Hierarchy:
    """All joints of a file in file order, how many columns its rows have, and where the rows begin."""

    nodes: list[Node] = field(default_factory=list)
    n_columns: int = 0
    end: int = 0
    decimal_commas: bool = False
    notes: list[str] = field(default_factory=list)


MAX_KNOWN, MAX_KNOWN_SIZE = 64, 1 << 17
"""Headers that are kept with what they say, and the bytes of one at most; usual ones have a few thousand."""

_known: dict[bytes, Hierarchy] = {}


class BvhLine(NamedTuple):
    """A line of the header: its number, its first word in upper case, and all its words."""

    number: int
    keyword: str
    words: list[bytes]

    @property
    def rest(self) -> str:
        """Everything after the first word."""
        return decode_text(b" ".join(self.words[1:]))


def read_hierarchy(file: TextFile) -> Hierarchy:
    """Read the joint tree up to the line MOTION; nobody may change what is returned.

    Takes of one capture begin with the same words, which are read once.
    """
    end = MOTION.search(file.content)
    if end is None:
        cause = "has no MOTION section" if b"HIERARCHY" in file.content.upper() else "is not a BVH file"
        raise file.error(f"{cause}: a BVH file holds HIERARCHY, a joint tree, MOTION and rows of numbers")
    header = file.content[: end.end()]
    hierarchy = _known.get(header)
    if hierarchy is None:
        hierarchy = _read_header(file, end)
        if len(header) <= MAX_KNOWN_SIZE:
            if len(_known) >= MAX_KNOWN:
                _known.clear()
            _known[header] = hierarchy
    return hierarchy


def _read_header(file: TextFile, end: re.Match[bytes]) -> Hierarchy:
    hierarchy = Hierarchy(end=end.end())
    lines = _lines(file.content[: end.start()])
    first = next(lines, None)
    if first is None or first.keyword != "HIERARCHY":
        raise FileFormatError(file.path, "the first word must be HIERARCHY", first.number if first else 1)
    _read_tree(file, lines, hierarchy)
    for node in hierarchy.nodes:
        _complete(file, node, hierarchy)
    if not hierarchy.nodes:
        raise file.error("holds no ROOT joint", end.start())
    return hierarchy


def _lines(header: bytes) -> Iterator[BvhLine]:
    """Return non-empty lines, with braces always on lines of their own."""
    for line, text in enumerate(header.split(b"\n"), start=1):
        words = text.split()
        parts, has_others = [words], len(words) > 1 or len(text.strip()) > len(b"{")
        if has_others and (b"{" in text or b"}" in text):
            parts = [part.split() for part in BRACES.split(text)]
        for words in parts:
            if words:
                yield BvhLine(line, words[0].upper().decode("ascii", "replace"), words)


def _read_tree(file: TextFile, lines: Iterator[BvhLine], hierarchy: Hierarchy) -> None:
    """Go through the braces; ``open_blocks`` holds the joints and End Sites whose braces are open."""
    open_blocks: list[Node | EndSite] = []
    waiting: Node | EndSite | None = None  # declared, its brace not yet seen
    for line in lines:
        word = line.keyword
        if waiting is not None and word != "{":
            cause = f"expected '{{' after {waiting.description}, not {quote_word(word)}"
            raise FileFormatError(file.path, cause, line.number)
        if word == "{":
            if waiting is None:
                raise FileFormatError(file.path, "a '{' without a joint before it", line.number)
            open_blocks.append(waiting)
            waiting = None
        elif word == "}":
            if not open_blocks:
                raise FileFormatError(file.path, "a '}' without its '{'", line.number)
            _close(open_blocks.pop(), hierarchy)
        elif word in ("ROOT", "JOINT"):
            waiting = _declare_joint(file, line, open_blocks, hierarchy)
        elif word == "END":
            if not open_blocks or not isinstance(open_blocks[-1], Node):
                raise FileFormatError(file.path, "an End Site outside a joint", line.number)
            waiting = EndSite(line.number, open_blocks[-1])
        elif word in ("OFFSET", "CHANNELS"):
            if not open_blocks:
                raise FileFormatError(file.path, f"{word} outside a joint", line.number)
            _fill(file, line, open_blocks[-1], hierarchy)
        else:
            raise FileFormatError(file.path, f"unknown word {quote_word(word)} in the hierarchy", line.number)
    if waiting is not None:
        raise file.error(
            f"the hierarchy ends after {waiting.description} without its '{{'", hierarchy.end - 1
        )
    if open_blocks:
        cause = f"the hierarchy ends with {len(open_blocks)} brace(s) still open before MOTION"
        raise file.error(cause, hierarchy.end - 1)


def _close(block: Node | EndSite, hierarchy: Hierarchy) -> None:
    """Give the offset of an End Site to its joint when its brace closes."""
    if isinstance(block, Node):
        return
    if block.offset is None:
        hierarchy.notes.append(f"line {block.line}: an End Site without an OFFSET was dropped")
    else:
        block.holder.tips.append(block.offset)


def _declare_joint(
    file: TextFile, line: BvhLine, open_blocks: list[Node | EndSite], hierarchy: Hierarchy
) -> Node:
    """Add the joint that a ROOT or JOINT line names."""
    if line.keyword == "JOINT" and not open_blocks:
        raise FileFormatError(file.path, f"JOINT {quote_word(line.rest)} stands outside a ROOT", line.number)
    parent = -1
    if open_blocks:
        holder = open_blocks[-1]
        if not isinstance(holder, Node):
            raise FileFormatError(file.path, "an End Site cannot hold a joint", line.number)
        parent = holder.index
        if line.keyword == "ROOT":
            hierarchy.notes.append(f"line {line.number}: a ROOT inside a joint was read as a JOINT")
    name = line.rest
    if not name:
        name = f"joint{len(hierarchy.nodes)}"
        hierarchy.notes.append(f"line {line.number}: a joint without a name was called {name!r}")
    if len(hierarchy.nodes) == MAX_JOINTS:
        raise FileFormatError(file.path, f"holds more than {MAX_JOINTS} joints", line.number)
    node = Node(name, line.number, len(hierarchy.nodes), parent)
    hierarchy.nodes.append(node)
    return node


def _fill(file: TextFile, line: BvhLine, block: Node | EndSite, hierarchy: Hierarchy) -> None:
    """Take an OFFSET or CHANNELS line into the innermost open joint or End Site."""
    if line.keyword == "OFFSET":
        if block.offset is not None:
            raise FileFormatError(file.path, f"{block.description} has two OFFSET lines", line.number)
        block.offset = _offset(file, line, hierarchy)
        return
    if not isinstance(block, Node):
        raise FileFormatError(file.path, "an End Site has no channels", line.number)
    if block.channels is not None:
        raise FileFormatError(file.path, f"{block.description} has two CHANNELS lines", line.number)
    block.channels = _channels(file, line, block)
    block.first_column = hierarchy.n_columns
    hierarchy.n_columns += len(block.channels)


def _offset(file: TextFile, line: BvhLine, hierarchy: Hierarchy) -> tuple[float, ...]:
    text = line.rest
    words = text.split(" ")
    if "," in text and "." not in text:
        words = text.replace(",", ".").split(" ")
        hierarchy.decimal_commas = True
    try:
        x, y, z = words
    except ValueError:
        raise _offset_error(file, line) from None
    try:
        return parse_number(x), parse_number(y), parse_number(z)
    except ValueError as error:
        raise _offset_error(file, line, f": {error}") from None


def _offset_error(file: TextFile, line: BvhLine, why: str = "") -> FileFormatError:
    cause = f"OFFSET needs three numbers, not {quote_word(line.rest)}{why}"
    return FileFormatError(file.path, cause, line.number)


def _channels(file: TextFile, line: BvhLine, node: Node) -> tuple[str, ...]:
    try:
        channels = _parse_channels(line.rest)
    except ValueError as error:
        raise FileFormatError(file.path, str(error), line.number) from None
    if len(set(channels)) < len(channels):
        raise FileFormatError(file.path, f"{node.description} names a channel twice", line.number)
    return channels


@lru_cache(maxsize=64)
def _parse_channels(text: str) -> tuple[str, ...]:
    """Return the channels that a line names after its keyword; a ValueError says what is wrong with it.

    Most joints of a file have the same channels.
    """
    count, *words = text.split(" ")
    if not count.isdecimal() or not count.isascii():
        raise ValueError(f"CHANNELS needs a count, not {quote_word(text)}")
    unknown = [word for word in words if word.lower() not in CHANNEL_NAMES]
    if unknown:
        known = ", ".join(CHANNEL_NAMES.values())
        raise ValueError(f"unknown channel {quote_word(unknown[0])}: channels are {known}")
    # Compared as text: a count of thousands of digits is no number that Python converts.
    if (count.lstrip("0") or "0") != str(len(words)):
        raise ValueError(f"CHANNELS announces {quote_word(count)} but names {len(words)}")
    return tuple(CHANNEL_NAMES[word.lower()] for word in words)


def _complete(file: TextFile, node: Node, hierarchy: Hierarchy) -> None:
    """Fill in what a joint left out."""
    if node.offset is None:
        raise FileFormatError(file.path, f"{node.description} has no OFFSET", node.line)
    if node.channels is None:
        node.channels = ()
        hierarchy.notes.append(
            f"{node.description} (line {node.line}) names no channels: it keeps its rest pose"
        )
