from __future__ import annotations

import click
import pytest

from motionloom.cli.words import CommandWords, words_here
from motionloom.messages import Argument, Message, Operation, Words

WORDS = CommandWords(
    [
        click.Option(["--slope-limit"], type=int),
        click.Option(["--fps"]),
        click.Option(["--read-fps"]),
        click.Option(["--force"], is_flag=True),
        click.Option(["--cyclic/--not-cyclic"], default=None),
        click.Option(["--method"]),
        click.Option(["--pin", "pins"], multiple=True),
    ]
)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (Message("must be 1", parameter="slope_limit"), "--slope-limit must be 1"),
        (Message("must be 1", parameter="cutoff"), "cutoff must be 1"),
        (Message("no rate", remedy=("state it with ", Argument("fps"))), "no rate: state it with --read-fps"),
        (Message("must be positive", parameter="fps"), "--fps must be positive"),
        (
            Message("exists", remedy=("replace it with ", Argument("overwrite", True))),
            "exists: replace it with --force",
        ),
        (Message("a loop", remedy=("use ", Argument("cyclic", False))), "a loop: use --not-cyclic"),
        (Message("a loop", remedy=("use ", Argument("cyclic", True))), "a loop: use --cyclic"),
        (Message("short", remedy=("use ", Argument("method", "linear"))), "short: use --method linear"),
        (Message("unclear", remedy=("state ", Argument("pins"))), "unclear: state --pin"),
        (Message("no unit", remedy=("state it with ", Argument("unit"))), "no unit"),
        (Message("on: ", remedy=("use ", Operation("motionloom.cyclify"))), "on: ; use `motionloom cyclify`"),
        (Message("points", remedy=("use ", Operation("motionloom.load_points"))), "points"),
    ],
)
def test_messages_name_options_and_commands(message: Message, shown: str) -> None:
    assert message.render(WORDS) == shown


def test_outside_of_commands_no_option_is_named() -> None:
    words = words_here()
    assert isinstance(words, Words)
    assert Message("no rate", remedy=("state it with ", Argument("fps"))).render(words) == "no rate"
