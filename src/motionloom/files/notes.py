"""Notes on a file: sentences with a kind, so that what holds for many files can be said once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

NoteKind = Literal[
    "animation",
    "bones",
    "faults",
    "frame_rate",
    "loop",
    "names",
    "rest_rows",
    "root",
    "root_jump",
    "root_offset",
    "unit",
    "up",
]
"""What a note is about. Notes about damage or repairs of one file are plain strings without a kind."""

KINDS: tuple[NoteKind, ...] = get_args(NoteKind)


class Note(str):
    """A sentence about a file that is usable as a plain string.

    Attributes
    ----------
    kind
        What it is about, one of :data:`KINDS`.
    short
        The same without the numbers of this one file: equal for all files to which it applies alike.

    >>> note = Note("unit", "lengths read as cm: the body is 1.72 m high", "lengths read as cm")
    >>> note, note.kind, note.short
    ('lengths read as cm: the body is 1.72 m high', 'unit', 'lengths read as cm')
    """

    kind: NoteKind
    short: str

    def __new__(cls, kind: NoteKind, text: str, short: str = "") -> Note:
        """Make a note; its short text is the whole text unless given."""
        note = super().__new__(cls, text)
        note.kind = kind
        note.short = short or text
        return note

    def __getnewargs__(self) -> tuple[NoteKind, str, str]:  # type: ignore[override]
        return self.kind, str(self), self.short


def group_notes(notes: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the files that each different note applies to, by the note's short text.

    Parameters
    ----------
    notes
        The notes of each file, as in ``clip.source.notes``.

    >>> low, high = (Note("unit", f"read as cm: {size} m high", "read as cm") for size in (1.7, 1.8))
    >>> group_notes({"a.bvh": [low], "b.bvh": [high, "cut off"]})
    {'read as cm': ['a.bvh', 'b.bvh'], 'cut off': ['b.bvh']}
    """
    files: dict[str, list[str]] = {}
    for file, said in notes.items():
        for note in said:
            files.setdefault(note.short if isinstance(note, Note) else note, []).append(file)
    return files
