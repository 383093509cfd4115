"""Notes on a file: sentences with a kind, so that what holds for many files can be said once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Self, get_args

from motionloom.messages import Argument, Message, Part, Parts

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


class Note(Message):
    """A sentence about a file that is usable as a plain string.

    Parameters
    ----------
    kind
        What it is about, one of :data:`KINDS`.
    problem
        What was detected, repaired or assumed.
    short
        The same without the numbers of this one file: equal for all files to which it applies alike.
    remedy
        What to do where it is wrong.

    >>> note = Note("unit", "lengths read as cm: the body is 1.72 m high", "lengths read as cm")
    >>> note, note.kind, note.short
    ('lengths read as cm: the body is 1.72 m high', 'unit', 'lengths read as cm')
    """

    kind: NoteKind
    short: str

    def __new__(
        cls,
        kind: NoteKind,
        problem: Parts,
        short: str = "",
        *,
        remedy: Parts = (),
        parameter: str = "",
        value: object = None,
        subject: str = "",
    ) -> Self:
        """Make a note; its short text is the whole text unless given."""
        brief = short if isinstance(short, Message) else Message(short or problem, remedy=remedy)
        return super().__new__(
            cls,
            problem,
            remedy=remedy,
            parameter=parameter,
            value=value,
            subject=subject,
            kind=kind,
            short=brief,
        )


def override(name: str) -> tuple[Part, ...]:
    """Return the remedy for what was assumed of a file: the reading option that states it.

    >>> Note("unit", "the file states no unit: metres assumed", remedy=override("unit"))
    'the file states no unit: metres assumed; override with unit='
    """
    return ("override with ", Argument(name))


def note_animations(names: Sequence[str], read: str = "one") -> Note:
    """Return the note that one of several animations was read.

    >>> note_animations(["'walk'", "'run'"])
    "the file holds 2 animations ('walk', 'run'), of which one was read: select another with animation="
    """
    text = f"the file holds {len(names)} animations ({', '.join(names)}), of which {read} was read"
    return Note("animation", text, remedy=("select another with ", Argument("animation")))


def note_unread_animations(names: Sequence[str]) -> list[Note]:
    """Return a note if there are names of animations of which one was read."""
    return [note_animations([repr(name) for name in names])] if names else []


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
