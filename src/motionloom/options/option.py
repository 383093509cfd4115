"""`Option`: what an option of a function is called, takes, means and is by default, on every surface."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Union, get_args, get_origin

from motionloom.errors import ParameterError
from motionloom.validation import check_choice, check_count, check_number, check_positive

# fmt: off
Kind = Literal[
    "flag", "choice", "count", "number", "labels", "factors", "rows",
    "frames", "pins", "pair", "pairs", "placement",
]
# fmt: on
"""What values of an option look like, which decides how text and fields become values."""

KINDS: dict[Any, Kind] = {
    bool: "flag",
    int: "count",
    float: "number",
    Sequence[str]: "labels",
    Mapping[str, float]: "factors",
    Mapping[str, Sequence[float]]: "rows",
    tuple[int, ...]: "frames",
    Sequence[tuple[int, ...]]: "pins",
    Sequence[float]: "pair",
    tuple[float, float]: "pair",
    Sequence[tuple[float, float]]: "pairs",
    Sequence[Sequence[float] | None]: "pairs",
    "GroundTransform": "placement",
    "GroundLike": "number",
}
"""Kinds by the type of the values."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """An option of a function.

    Attributes
    ----------
    name
        The keyword.
    type
        Type of its values as signatures state it, without None; of what the room of the verb defines, the
        name.
    help
        One sentence.
    default
        What signatures state.
    unset, unset_text
        The value that None stands for, and the words for it where the value itself says too little.
    min, max, above
        Range of numbers; ``above`` is a bound that is not allowed itself.
    unit
        Unit of numbers, as messages state it.
    label
        Name of its field in the studio.
    step
        Step of its field in the studio.
    labels
        Names of the choices in the studio, in its order; all choices, one after the other, unless given.
    flag, dest
        The option of the command line, ``--name`` unless given; and what it is called there among arguments,
        where another option has its name.
    form, example
        How help pages write its values, and what errors say is needed where text is none.
    note
        What the command line says besides, after the sentence.
    folded
        Whether few people need it: it is shown under "More options".
    section
        The part of a panel of the studio that edits it in a way of its own; empty for a field of its form.
    wire
        Type of the field in projects, where it differs from the one that follows from ``type``.
    formerly
        Name that the field had in projects of version 0.1.
    """

    name: str
    type: Any
    help: str
    default: Any = None
    unset: Any = None
    unset_text: str = ""
    min: float | None = None
    max: float | None = None
    above: float | None = None
    unit: str = ""
    label: str = ""
    step: float | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    flag: str = ""
    dest: str = ""
    form: str = ""
    example: str = ""
    note: str = ""
    folded: bool = False
    section: str = ""
    wire: str = ""
    formerly: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The words among its values: all of them for a choice.

        >>> Option(name="points", type=int | Literal["joints"], help="Points of the body.").words
        ('joints',)
        """
        return tuple(word for part in _members(self.type) for word in get_args(part) if _is_literal(part))

    @property
    def kind(self) -> Kind:
        """What its values look like, apart from words.

        >>> Option(name="points", type=int | Literal["joints"], help="Points of the body.").kind
        'count'
        """
        others = [part for part in _members(self.type) if not _is_literal(part)]
        return KINDS[others[0]] if others else "choice"

    @property
    def option(self) -> str:
        """The option of the command line.

        >>> Option(name="half_width", type=float, help="Half the duration.").option
        '--half-width'
        """
        return self.flag or f"--{self.name.replace('_', '-')}"

    @property
    def usual(self) -> str:
        """The default in words; empty for flags and where there is none.

        >>> Option(name="stiffness", type=float, help="Weight.", unset=5.0).usual
        '5'
        """
        if self.unset_text:
            return self.unset_text
        value = self.unset if self.default is None else self.default
        if value is None or value == () or isinstance(value, bool):
            return ""
        return f"{value:g}" if isinstance(value, int | float) else str(value)

    @property
    def empty(self) -> Any:
        """The value of a field that nobody filled in."""
        if self.wire.endswith("None"):
            return None
        return () if self.unset == () else self.default

    def check(self, value: Any) -> Any:
        """Return a value of the kinds flag, choice, count and number, or fail where it is not allowed.

        >>> Option(name="window", type=float, help="Time.", min=0.0, max=2.0, unit="seconds").check(1)
        1.0
        """
        if isinstance(value, str) and value in self.words:
            return value
        if self.kind == "flag":
            if not isinstance(value, bool):
                raise ParameterError(f"{self.name} must be True or False, not {value!r}")
            return value
        if self.kind == "choice":
            return check_choice(self.name, value, self.words)
        if self.kind == "count":
            low, high = (None if bound is None else int(bound) for bound in (self.min, self.max))
            return check_count(self.name, value, min=1 if low is None else low, max=high)
        if self.above is not None:
            return check_positive(self.name, value, max=self.max, unit=self.unit)
        return check_number(self.name, value, min=self.min, max=self.max, unit=self.unit)


Table = tuple[Option, ...]
"""The options of a verb, in the order of its signature."""


def choose(table: Table, *names: str) -> Table:
    """Return the options of these names, in this order.

    >>> [option.name for option in choose((Option(name="a", type=int, help="A."),), "a")]
    ['a']
    """
    by_name = {option.name: option for option in table}
    return tuple(by_name[name] for name in names)


def options_given(table: Table, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what arguments say about the options of a table, such as those of the caller: ``locals()``.

    >>> options_given((Option(name="points", type=int, help="Points."),), {"clips": [], "points": 40})
    {'points': 40}
    """
    return {option.name: arguments[option.name] for option in table if option.name in arguments}


def options_stated(table: Table, settings: object) -> dict[str, Any]:
    """Return the options of a table that fields of an object state: those that are not empty.

    >>> from types import SimpleNamespace
    >>> table = [Option(name=name, type=int, help="A number.") for name in ("points", "smoothing")]
    >>> options_stated(tuple(table), SimpleNamespace(points=40, smoothing=None))
    {'points': 40}
    """
    stated = {option.name: getattr(settings, option.name) for option in table}
    return {option.name: stated[option.name] for option in table if stated[option.name] != option.empty}


def check_settings(
    table: Table, settings: object, *, own: Mapping[str, Callable[[Any], Any]] | None = None
) -> None:
    """Check the fields of a frozen dataclass of settings; ``own`` are checks of fields that need their own.

    None passes where it is the default.
    """
    for option in table:
        value = getattr(settings, option.name)
        check = (own or {}).get(option.name, option.check)
        if value is not None or option.unset is not None:
            object.__setattr__(settings, option.name, check(value))


def _members(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)


def _is_literal(kind: Any) -> bool:
    return get_origin(kind) is Literal
