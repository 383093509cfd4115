"""Values that are found when somebody asks, and then kept.

Most callers of `load` never ask what is wrong with a take. Looking for it takes longer than reading the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from threading import RLock
from typing import Any, Generic, TypeVar, TypeVarTuple, overload

Value = TypeVar("Value")
Holder = TypeVar("Holder")
Options = TypeVarTuple("Options")

_ANSWERS = "_answers"
"""The attribute under which an object keeps what was found about it."""


class Deferred(Generic[Value]):
    """A value that is found at the first call of :meth:`get`, once in a process, whichever thread asks first.

    Parameters
    ----------
    find
        Finds the value. It is let go afterwards, with everything that it holds.

    >>> answer = Deferred(lambda: 6 * 7)
    >>> answer.is_found, answer.get(), answer.is_found
    (False, 42, True)
    """

    def __init__(self, find: Callable[[], Value]) -> None:
        self._find: Callable[[], Value] | None = find
        self._value: Value
        self._lock = RLock()

    @property
    def is_found(self) -> bool:
        """Whether somebody asked already."""
        return self._find is None

    def get(self) -> Value:
        """Return the value."""
        if self._find is not None:
            with self._lock:
                if self._find is not None:
                    self._value = self._find()
                    self._find = None
        return self._value

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=RLock())


def find_once(about: Holder, find: Callable[[Holder, *Options], Value], *options: *Options) -> Value:
    """Return what a function finds about an immutable object; the answer stays with the object.

    Parameters
    ----------
    about
        The object, such as a clip.
    find
        A function of a module. Of a clip it may look at the motion, not at its source: copies with another
        source have the same answers.
    options
        Further arguments, which can be hashed; every choice has an answer of its own.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0, fps=30).clip
    >>> find_once(clip, len)
    31
    """
    answers = vars(about).setdefault(_ANSWERS, {})
    answer: Deferred[Value] | None = answers.get((find, options))
    if answer is None:
        # Threads that come here at once all get the one that the first of them puts there.
        answer = answers.setdefault((find, options), Deferred(partial(find, about, *options)))
    return answer.get()


def state_answer(
    about: Holder, answer: Value, find: Callable[[Holder, *Options], Value], *options: *Options
) -> None:
    """State what a function would find about an object, where it is known already, so that nobody looks.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0, fps=30).clip
    >>> state_answer(clip, 7, len)
    >>> find_once(clip, len)
    7
    """
    known = Deferred(lambda: answer)
    known.get()  # lets the function go, which no other process could be sent
    vars(about).setdefault(_ANSWERS, {})[find, options] = known


def hold_answers(about: object) -> None:
    """Make room for answers, so that a copy of the object has those that are found about either."""
    vars(about).setdefault(_ANSWERS, {})


Part = tuple[str, ...] | Deferred[tuple[str, ...]]
"""Sentences in a row that are there, or are not looked for yet."""


class DeferredNotes(Sequence[str]):
    """Sentences of which some are found when somebody reads them; to readers they are like a tuple.

    Parameters
    ----------
    find
        Finds the sentences.

    >>> stated = ("lengths read as cm",)
    >>> notes = stated + DeferredNotes(lambda: ["the root jumps"])
    >>> notes.known, notes.are_found
    (('lengths read as cm',), False)
    >>> notes == ("lengths read as cm", "the root jumps"), notes.are_found
    (True, True)
    """

    def __init__(self, find: Callable[[], Iterable[str]]) -> None:
        self._parts: tuple[Part, ...] = (Deferred(partial(_read, find)),)

    @property
    def are_found(self) -> bool:
        """Whether somebody read them already."""
        return all(isinstance(part, tuple) or part.is_found for part in self._parts)

    @property
    def known(self) -> tuple[str, ...]:
        """The sentences that nobody has to look for."""
        return tuple(
            sentence
            for part in self._parts
            if isinstance(part, tuple) or part.is_found
            for sentence in _sentences(part)
        )

    def __len__(self) -> int:
        return sum(map(len, map(_sentences, self._parts)))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return tuple(iter(self))[index]

    def __iter__(self) -> Iterator[str]:
        return (sentence for part in self._parts for sentence in _sentences(part))

    def __add__(self, others: Notes) -> DeferredNotes:
        return _join(self._parts, others._parts if isinstance(others, DeferredNotes) else (others,))

    def __radd__(self, others: tuple[str, ...]) -> DeferredNotes:
        return _join((others,), self._parts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple | DeferredNotes):
            return NotImplemented
        return tuple(iter(self)) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(iter(self)))

    def __repr__(self) -> str:
        return repr(tuple(iter(self)))


Notes = tuple[str, ...] | DeferredNotes
"""Sentences that are there, or are found when somebody reads them."""


def _read(find: Callable[[], Iterable[str]]) -> tuple[str, ...]:
    return tuple(find())


def _join(first: tuple[Part, ...], second: tuple[Part, ...]) -> DeferredNotes:
    notes = DeferredNotes(tuple)
    notes._parts = first + second
    return notes


def _sentences(part: Part) -> tuple[str, ...]:
    return part if isinstance(part, tuple) else part.get()
