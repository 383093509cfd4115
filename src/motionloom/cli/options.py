"""Options of commands: help in groups, and the options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from math import isfinite, nan
from pathlib import Path
from typing import Any, TypeVar

import click

from motionloom.cli.output import VERBOSE
from motionloom.cli.words import CommandWords
from motionloom.errors import MotionloomError, ParameterError
from motionloom.options import Option, Table

Function = TypeVar("Function", bound=Callable[..., Any])

READING = "Reading options"
"""Group of the options that say how files are read; only ``--help-reading`` shows it."""

REGISTRATION_GROUP = "Registration options"


def find_number_fault(kind: click.ParamType[Any], word: Any) -> str | None:
    """Return what is wrong with a number that was typed, or None where nothing is or it need not be one.

    >>> find_number_fault(click.IntRange(1024, 65535), "80")
    '80 is not between 1024 and 65535'
    >>> find_number_fault(click.INT, "80x")
    "'80x' is not a whole number"
    """
    whole = isinstance(kind, type(click.INT))
    if not whole and not isinstance(kind, type(click.FLOAT)):
        return None
    try:
        number = int(word) if whole else float(word)
    except ValueError:
        return f"{word!r} is not a {'whole number' if whole else 'number'}"
    low, high = getattr(kind, "min", None), getattr(kind, "max", None)
    if (low is None or number >= low) and (high is None or number <= high):
        return None
    return f"{number} is not between {low} and {high}" if high is not None else f"{number} is less than {low}"


class GroupedOption(click.Option):
    """An option that belongs to a group of the help page."""

    def __init__(self, *declarations: Any, group: str = "Options", **settings: Any) -> None:
        super().__init__(*declarations, **settings)
        self.group = group

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Convert what was typed; what is wrong with a number is said for people who do not program."""
        try:
            return super().type_cast_value(ctx, value)
        except click.BadParameter:
            words = value if isinstance(value, list | tuple) else [value]
            wrong = [fault for word in words if (fault := find_number_fault(self.type, word))]
            if not wrong:
                raise
            raise click.BadParameter(wrong[0], ctx, self) from None

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return defaults and ranges; defaults in words lose the parentheses that click puts around them."""
        extra = super().get_help_extra(ctx)
        if isinstance(self.show_default, str):
            extra["default"] = self.show_default
        return extra


def _set_verbose(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    context.meta[VERBOSE] = wanted


class Command(click.Command):
    """A command whose help page shows its options in groups, and whose errors name options.

    Every command takes --verbose: :func:`motionloom.cli.output.print_result` asks for it.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.params.append(
            GroupedOption(
                ["-v", "--verbose"],
                is_flag=True,
                expose_value=False,
                callback=_set_verbose,
                help="Print all figures and notes.",
            )
        )

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; its errors name options instead of arguments of the library."""
        try:
            return super().invoke(ctx)
        except MotionloomError as error:
            error.args = (error.message.render(CommandWords(self.get_params(ctx))),)
            raise

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group; the reading options only if they were asked for."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                groups.setdefault(getattr(parameter, "group", "Options"), []).append(record)
        if not ctx.meta.get(READING):
            groups.pop(READING, None)
        for title in sorted(groups, key=lambda title: title != "Options"):
            with formatter.section(title):
                formatter.write_dl(groups[title])


command = partial(click.command, cls=Command)
option = partial(click.option, cls=GroupedOption)


def apply_options(function: Function, options: tuple[Callable[[Function], Function], ...]) -> Function:
    """Give a command several options, listed in this order on its help page."""
    for decorate in reversed(options):
        function = decorate(function)
    return function


ANY_PATH = click.Path(path_type=Path, readable=False)
"""A path as it was typed; the library says what is wrong with a file."""

as_json = option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
force = option("--force", is_flag=True, help="Overwrite existing files.")
output_file = option(
    "-o",
    "--output",
    required=True,
    type=ANY_PATH,
    metavar="FILE",
    help="File to write; its suffix decides the format. A folder where there are several files.",
)
blend_plot = option(
    "--plot",
    type=ANY_PATH,
    metavar="FILE",
    help="Also plot weights, source frames and path to this .png, .svg or .pdf file.",
)
markers = option(
    "--markers",
    type=ANY_PATH,
    metavar="FILE",
    help="Also write sync markers for game engines to this .json file.",
)
allow_unfit = option(
    "--allow-unfit", is_flag=True, help="Blend even if registration found that the clips do not correspond."
)
in_place = option(
    "--in-place",
    is_flag=True,
    help="Take the travel out of the result. Loops in place are mixed with the travel that their feet show.",
)
easing = option(
    "--easing",
    type=click.Choice(["smooth", "linear", "hold"]),
    default="smooth",
    help="How values change from one key to the next.",
)
average = option(
    "--average",
    type=click.Choice(["nlerp", "karcher", "park"]),
    default="nlerp",
    help="How rotations are averaged.",
)


_TEMPLATE = (
    option(
        "--template",
        type=ANY_PATH,
        metavar="FILE",
        show_default="the file that the skeleton comes from",
        help="glTF, USD, FBX: character whose mesh to keep. Its joints must have the names of the motion's.",
    ),
    option("--no-template", is_flag=True, help="Write the skeleton alone, without a mesh."),
)


def check_template(template: Path | None, no_template: bool) -> None:
    """Fail where the options for the character contradict each other, or name a file that is not there."""
    if template is not None and no_template:
        raise ParameterError("--template and --no-template contradict each other", remedy="leave one out")
    if template is not None and not template.exists():
        raise ParameterError(f"--template {template}: there is no such file")


def template_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options for the character to write; it receives one argument ``template``."""

    @wraps(command)
    def with_template(*, template: Path | None, no_template: bool, **arguments: Any) -> Any:
        check_template(template, no_template)
        return command(template=None if no_template else template or "source", **arguments)

    return apply_options(with_template, _TEMPLATE)


def numbers(
    count: int, form: str, *, whole: bool = False
) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Return a callback for options of ``count`` numbers separated by commas, such as 0.2,1.2,0.5."""

    def parse(name: str, words: str) -> tuple[float, ...]:
        found = parse_numbers(name, words, count, form)
        if whole and not all(number.is_integer() for number in found):
            raise ParameterError(f"{name} needs {form}, not {words!r}")
        return tuple(map(int, found) if whole else found)

    def callback(_: click.Context, parameter: click.Parameter, value: Any) -> Any:
        name = parameter.opts[0]
        if isinstance(value, tuple):
            return tuple(parse(name, words) for words in value)
        return None if value is None else parse(name, value)

    return callback


place = option(
    "--place",
    callback=numbers(3, "YAW,X,Z (degrees, metres)"),
    metavar="YAW,X,Z",
    show_default="where the clips start",
    help="Start at X, Z metres, facing YAW degrees (left is positive).",
)
fps = partial(option, "--fps", type=float, metavar="FPS")
duration = partial(option, "--duration", type=float, metavar="SECONDS")


def parse_numbers(option: str, words: str, count: int | None, form: str, given: str = "") -> list[float]:
    """Return the finite numbers, separated by commas, that an option was given.

    ``form`` says in errors what is needed, ``given`` what was typed if that is more than the numbers.

    >>> parse_numbers("--pin", "30,42", 2, "a frame of each clip, such as 30,42")
    [30.0, 42.0]
    """
    try:
        numbers = [float(word) for word in words.split(",")]
    except ValueError:
        numbers = [nan]
    if not all(map(isfinite, numbers)) or (count is not None and len(numbers) != count):
        raise ParameterError(f"{option} needs {form}, not {(given or words)!r}")
    return numbers


def parse_named(option: str, words: str, form: str) -> tuple[str, str]:
    """Return name and value of an option that was given as ``NAME=VALUE``; ``form`` shows how.

    >>> parse_named("--joint-weight", "LeftHand=0.5", "NAME=W")
    ('LeftHand', '0.5')
    """
    name, equals, value = words.rpartition("=")
    if not equals or not name.strip():
        raise ParameterError(f"{option} needs {form}, not {words!r}")
    return name.strip(), value.strip()


FORMS = {
    "count": "N",
    "number": "NUMBER",
    "labels": "LABEL,…",
    "factors": "NAME=W",
    "rows": "NAME=W,W,…",
    "frames": "F,F,…",
    "pins": "F,F,…",
    "pair": "F1,F2",
    "pairs": "T1,T2",
    "placement": "YAW,X,Z",
}
"""How help pages write values, by what they look like, unless the declaration says more."""

REPEATABLE = ("pins", "factors", "rows", "pairs")
"""Kinds whose option is given once for each entry."""

FRAMES_FORM = "a frame of each clip, such as 30,42"


def derive_options(table: Table, group: str = "Options") -> Callable[[Function], Function]:
    """Return a decorator that gives a command the options of a table, as they are declared.

    The command receives what was typed; :func:`parse_options` turns it into arguments.
    """
    decorators = tuple(_derive(declared, group) for declared in table)
    return lambda command: apply_options(command, decorators)


def command_option(declared: Option) -> str:
    """Return what is typed to depart from the default, such as ``--no-snap``."""
    switched_off = declared.kind == "flag" and declared.default
    return f"--no-{declared.option.removeprefix('--')}" if switched_off else declared.option


def _derive(declared: Option, group: str) -> Callable[[Function], Function]:
    repeatable = declared.kind in REPEATABLE
    if declared.kind == "flag":
        # The note on an option that is on says what it is to switch it off.
        sentence = declared.note if declared.default else declared.help
        name = command_option(declared)
        return option(
            name, declared.dest or declared.name, is_flag=True, default=False, group=group, help=sentence
        )
    notes = filter(None, [declared.help.removesuffix("."), declared.note, "repeatable" * repeatable])
    settings: dict[str, Any] = {"group": group, "help": "; ".join(notes) + "."}
    if declared.unset_text or (declared.default is None and declared.usual):
        settings["show_default"] = declared.usual
    if declared.kind == "choice":
        settings["type"] = click.Choice(declared.words)
        settings["default"] = declared.default
    else:
        unit = declared.unit.upper() if declared.kind == "number" else ""
        settings["metavar"] = declared.form or "|".join([*declared.words, unit or FORMS[declared.kind]])
        if not declared.words and declared.kind in ("count", "number"):
            settings["type"] = int if declared.kind == "count" else float
            settings["default"] = declared.default
    return option(declared.option, declared.dest or declared.name, multiple=repeatable, **settings)


def parse_options(table: Table, options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of a table out of ``options`` and return those that were given, as arguments.

    >>> from motionloom.options.registration import REGISTRATION
    >>> given = {"pins": ("30,42",), "start": "free", "joint_weights": (), "plant": True}
    >>> parse_options(REGISTRATION, given), given
    ({'start': 'free', 'pins': [[30.0, 42.0]]}, {'plant': True})
    """
    given = {}
    for declared in table:
        typed = options.pop(declared.dest or declared.name, None)
        if declared.kind == "flag":
            typed = declared.default != bool(typed)
        if typed not in (None, (), declared.default):
            given[declared.name] = _parse(declared, typed)
    return given


def _parse(declared: Option, typed: Any) -> Any:
    """Convert what was typed to a value of the option, as its kind says."""
    name = declared.option
    if isinstance(typed, bool | int | float) or typed in declared.words:
        return typed
    if declared.kind in ("count", "number"):
        (number,) = parse_numbers(
            name, typed, 1, declared.example or f"{' or '.join(declared.words)} or a number"
        )
        return int(number) if declared.kind == "count" and number.is_integer() else number
    if declared.kind == "labels":
        return [label.strip() for label in typed.split(",") if label.strip()]
    if declared.kind == "frames":
        return _parse_frames(name, typed)
    if declared.kind == "pins":
        return [_parse_frames(name, pin) for pin in typed]
    if declared.kind == "pair":
        return tuple(parse_numbers(name, typed, 2, declared.example))
    if declared.kind == "pairs":
        return [tuple(parse_numbers(name, pair, 2, declared.example)) for pair in typed]
    if declared.kind == "placement":
        return tuple(parse_numbers(name, typed, 3, declared.example))
    if declared.kind == "rows":
        return dict(parse_row(name, row) for row in typed)
    if declared.kind == "factors":
        return dict(_parse_factor(name, factor) for factor in typed)
    return typed


def parse_row(option: str, words: str) -> tuple[str, tuple[float, ...]]:
    """Return the name and the weights, one for each clip, of an option such as ``Head=1,0``."""
    name, row = parse_named(option, words, FORMS["rows"])
    return name, tuple(parse_numbers(option, row, None, "numbers, one for each clip"))


def _parse_frames(option: str, words: str) -> list[float]:
    numbers = parse_numbers(option, words, None, FRAMES_FORM)
    return numbers if len(numbers) > 1 else parse_numbers(option, words, 2, FRAMES_FORM)


def _parse_factor(option: str, words: str) -> tuple[str, float]:
    form = "NAME=W, such as LeftHand=0.5"
    name, number = parse_named(option, words, form)
    return name, parse_numbers(option, number, 1, form, words)[0]
