"""Values that are found when somebody asks, and then kept.

Most callers of `load` never ask what is wrong with a take. Looking for it takes longer than reading the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from threading import RLock
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


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


class DeferredNotes(Sequence[str]):
    """Sentences that are found when somebody reads them; to readers they are like a tuple.

    Parameters
    ----------
    find
        Finds the sentences.

    >>> notes = ("lengths read as cm",) + DeferredNotes(lambda: ["the root jumps"])
    >>> notes.is_found, notes == ("lengths read as cm", "the root jumps"), notes.is_found
    (False, True, True)
    """

    def __init__(self, find: Callable[[], Iterable[str]]) -> None:
        self._parts: Deferred[tuple[str, ...]] = Deferred(partial(_read, find))

    @property
    def is_found(self) -> bool:
        """Whether somebody read them already."""
        return self._parts.is_found

    def __len__(self) -> int:
        return len(self._parts.get())

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._parts.get()[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts.get())

    def __add__(self, others: Sequence[str]) -> DeferredNotes:
        return DeferredNotes(partial(chain, self, others))

    def __radd__(self, others: Sequence[str]) -> DeferredNotes:
        return DeferredNotes(partial(chain, others, self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple | DeferredNotes):
            return NotImplemented
        return self._parts.get() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._parts.get())

    def __repr__(self) -> str:
        return repr(self._parts.get())


Notes = tuple[str, ...] | DeferredNotes
"""Sentences that are there, or are found when somebody reads them."""


def _read(find: Callable[[], Iterable[str]]) -> tuple[str, ...]:
    return tuple(find())
