"""Messages in the words of the command line: options instead of arguments, commands instead of functions."""

from __future__ import annotations

from collections.abc import Sequence

import click

from motionloom.messages import Argument, Operation, Words

OPTIONS = {"fps": "read_fps", "mapping": "corrections", "overwrite": "force"}
"""Arguments that messages mention, and the options that give them where commands have these."""


class CommandWords(Words):
    """What messages mention, in the options of one command.

    >>> from motionloom.messages import Message
    >>> words = CommandWords([click.Option(["--half-width"]), click.Option(["--cyclic/--not-cyclic"])])
    >>> Message("must be at least 0.1", parameter="half_width").render(words)
    '--half-width must be at least 0.1'
    >>> Message("it is a loop", remedy=("read it as it is with ", Argument("cyclic", False))).render(words)
    'it is a loop: read it as it is with --not-cyclic'
    >>> Message("the file states no unit", remedy=("state it with ", Argument("unit"))).render(words)
    'the file states no unit'
    """

    def __init__(self, parameters: Sequence[click.Parameter]) -> None:
        self.options = {p.name: p for p in parameters if isinstance(p, click.Option) and p.name}

    def name_subject(self, parameter: str) -> str:
        """Return the option that gives an argument; the argument where there is none."""
        option = self.options.get(parameter) or self.options.get(OPTIONS.get(parameter, ""))
        return parameter if option is None else option.opts[-1]

    def name_argument(self, argument: Argument) -> str | None:
        """Return the option that gives an argument, with the value to give it."""
        option = self.options.get(OPTIONS.get(argument.name, "")) or self.options.get(argument.name)
        if option is None:
            return None
        if argument.value is False:
            return option.secondary_opts[-1] if option.secondary_opts else None
        takes_value = argument.value is not None and not option.is_flag
        return f"{option.opts[-1]} {argument.value}" if takes_value else option.opts[-1]

    def name_operation(self, operation: Operation) -> str | None:
        """Return the command that does what a function does."""
        from motionloom.cli.main import COMMANDS

        return f"`motionloom {operation.verb}`" if operation.verb in COMMANDS else None


def words_here() -> Words:
    """Return the words of the command that is running."""
    context = click.get_current_context(silent=True)
    return CommandWords([] if context is None else context.command.get_params(context))
