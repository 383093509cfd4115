"""Sentences that know their parts: what is wrong or worth knowing, about what, and what to do about it.

A :class:`Message` is a string, written for callers of the library. Arguments, functions and clips that it
mentions are parts of their own. The command line and the page render the same message in other
:class:`Words`: ``--half-width`` and "half width" instead of ``half_width=``. A remedy that names something a
surface does not have is left out there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self


@dataclass(frozen=True)
class Argument:
    """An argument that a message mentions, with the value to give it if there is one to propose."""

    name: str
    value: object = None


@dataclass(frozen=True)
class Operation:
    """A function of the library that a message mentions, such as ``motionloom.cyclify``."""

    name: str

    @property
    def verb(self) -> str:
        """The function without its modules."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True)
class ClipName:
    """A clip that a message mentions: its number among the clips that were given, and its name if known."""

    number: int
    name: str = ""

    def __str__(self) -> str:
        return self.name or f"clip {self.number}"


Part = str | Argument | Operation | ClipName
Parts = Part | Sequence[Part]


class Words:
    """How callers of the library say what a message mentions; other surfaces say some of it otherwise."""

    def name_subject(self, parameter: str) -> str:
        """Return the name of an argument whose value is wrong."""
        return parameter

    def name_argument(self, argument: Argument) -> str | None:
        """Return how an argument is given; None where it cannot be given here."""
        return f"{argument.name}={'' if argument.value is None else repr(argument.value)}"

    def name_operation(self, operation: Operation) -> str | None:
        """Return how a function is called; None where there is nothing like it here."""
        return operation.name

    def join(self, parts: Iterable[Part]) -> str | None:
        """Return parts as one text; None where one of them has no name here."""
        words = [self._name(part) for part in parts]
        return None if None in words else "".join(word or "" for word in words)

    def _name(self, part: Part) -> str | None:
        if isinstance(part, Argument):
            return self.name_argument(part)
        if isinstance(part, Operation):
            return self.name_operation(part)
        return str(part)


LIBRARY = Words()
"""The words of callers of the library, in which messages are strings."""


class Message(str):
    """A sentence as data, usable as a plain string.

    Parameters
    ----------
    problem
        What is wrong, or what there is to know.
    remedy
        What to do about it.
    parameter, value
        The argument whose value is wrong, and that value; the problem begins with the argument.
    subject
        The file, clip or key that the message is about; the sentence begins with it.

    >>> wrong = Message("must be at least 1, not 0", parameter="cycles", value=0)
    >>> wrong, wrong.parameter
    ('cycles must be at least 1, not 0', 'cycles')
    >>> Message("the file states no frame rate", remedy=("state it with ", Argument("fps")))
    'the file states no frame rate: state it with fps='
    """

    problem: tuple[Part, ...]
    remedy: tuple[Part, ...]
    parameter: str
    value: object
    subject: str

    def __new__(
        cls,
        problem: Parts,
        *,
        remedy: Parts = (),
        parameter: str = "",
        value: object = None,
        subject: str = "",
        **more: Any,
    ) -> Self:
        """Make a message; ``more`` are the attributes of subclasses."""
        text = _write(LIBRARY, _list_parts(problem), _list_parts(remedy), parameter, subject)
        message = super().__new__(cls, text)
        message.problem, message.remedy = _list_parts(problem), _list_parts(remedy)
        message.parameter, message.value, message.subject = parameter, value, subject
        vars(message).update(more)
        return message

    def __reduce__(self) -> tuple[Any, ...]:
        # A value may be anything, also what cannot be sent to another process.
        return _restore, (type(self), {**vars(self), "value": _plain(self.value)})

    def render(self, words: Words = LIBRARY) -> str:
        """Return the sentence in the words of a surface."""
        return _write(words, self.problem, self.remedy, self.parameter, self.subject)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that the message is about: the wrong one, then those it mentions."""
        mentioned = (part.name for part in (*self.problem, *self.remedy) if isinstance(part, Argument))
        return tuple(dict.fromkeys([*([self.parameter] if self.parameter else []), *mentioned]))

    @property
    def clips(self) -> tuple[int, ...]:
        """The numbers of the clips that the message mentions."""
        parts = (*self.problem, *self.remedy)
        return tuple(dict.fromkeys(part.number for part in parts if isinstance(part, ClipName)))

    def about(self, subject: str) -> Self:
        """Return the message about a file, clip or key, named before what it is about already.

        >>> Message("states no frame rate").about("walk.bvh")
        'walk.bvh: states no frame rate'
        """
        named = f"{subject}: {self.subject}" if self.subject else subject
        return type(self)(**{**vars(self), "subject": named})

    def replacing(self, old: str, new: str) -> Self:
        """Return the message with one name for another, such as a file's name for its path.

        >>> Message("/tmp/9f holds no motion", subject="/tmp/9f").replacing("/tmp/9f", "walk.bvh")
        'walk.bvh: walk.bvh holds no motion'
        """

        def change(part: Part) -> Part:
            return part.replace(old, new) if isinstance(part, str) else part

        changed = {name: tuple(map(change, vars(self)[name])) for name in ("problem", "remedy")}
        return type(self)(**{**vars(self), **changed, "subject": self.subject.replace(old, new)})

    def naming(self, names: Mapping[int, str] | Sequence[str]) -> Self:
        """Return the message with other names for clips, by their numbers."""

        def rename(part: Part) -> Part:
            return replace(part, name=names[part.number]) if isinstance(part, ClipName) else part

        changed = {name: tuple(map(rename, vars(self)[name])) for name in ("problem", "remedy")}
        return type(self)(**{**vars(self), **changed})


def render(text: str, words: Words) -> str:
    """Return a sentence in the words of a surface; plain strings are the same everywhere.

    >>> render("the file was cut short", LIBRARY)
    'the file was cut short'
    """
    return text.render(words) if isinstance(text, Message) else text


def message_of(text: str) -> Message:
    """Return a sentence as a message.

    >>> message_of("the file was cut short").problem
    ('the file was cut short',)
    """
    return text if isinstance(text, Message) else Message(text)


def join_parts(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return parts with commas between them, as messages list clips.

    >>> join_parts([ClipName(0, "walk"), ClipName(1, "jog")])[1]
    ', '
    """
    return tuple(each for part in parts for each in (", ", part))[1:]


def spell(name: str) -> str:
    """Return the name of an argument as people write it.

    >>> spell("half_width")
    'half width'
    """
    return name.replace("_", " ")


def _list_parts(parts: Parts) -> tuple[Part, ...]:
    """Return parts as a tuple; a message among them gives its own parts."""
    if isinstance(parts, Message):
        subject = (f"{parts.parameter} ",) if parts.parameter else ()
        after = (": ", *parts.remedy) if parts.remedy else ()
        return (*subject, *parts.problem, *after)
    if isinstance(parts, str | Argument | Operation | ClipName):
        return (parts,) if parts != "" else ()
    return tuple(
        own for part in parts for own in (_list_parts(part) if isinstance(part, Message) else (part,))
    )


def _write(
    words: Words, problem: tuple[Part, ...], remedy: tuple[Part, ...], parameter: str, subject: str
) -> str:
    said = words.join(problem)
    if said is None:
        # What is wrong is said in any case.
        said = "".join(spell(part.name) if isinstance(part, Argument) else str(part) for part in problem)
    about = f"{subject}: " if subject else ""
    named = f"{words.name_subject(parameter)} " if parameter else ""
    done = words.join(remedy) if remedy else None
    return f"{about}{named}{said}" + (f"{'; ' if ': ' in said else ': '}{done}" if done else "")


def _plain(value: object) -> object:
    """Return a number, string or None as it is, and anything else as text."""
    return value if value is None or isinstance(value, int | float | str) else repr(value)


def _restore(kind: type[Message], values: dict[str, Any]) -> Message:
    """Return a message as it was before it was pickled."""
    return kind(**values)
