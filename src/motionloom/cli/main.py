"""The `motionloom` command and how it ends."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

from motionloom import __version__
from motionloom.cli.output import sentence
from motionloom.errors import MotionloomError, ParameterError

WORK_FAILED, CALL_WRONG = 1, 2

COMMANDS = {
    "info": "Show what motion files hold.",
    "convert": "Convert motion files to another format, unit or axes.",
    "retarget": "Map a motion onto another skeleton.",
    "edit": "Cut, retime, mirror and place a clip.",
    "annotate": "Find foot plants and events of a clip.",
    "register": "Find how clips correspond and save the curve.",
    "blend": "Blend clips, from a saved curve or in one call.",
    "control": "Steer a blend by keys of weights, speed, turn or style.",
    "variations": "Make similar but distinct clips from a saved curve.",
    "transition": "Go over from one clip to another.",
    "concatenate": "Play clips in a row, with transitions between them.",
    "warp": "Reshape a clip with a few keys.",
    "framespace": "Mix cyclic motions along a drawn curve.",
    "enforce": "Make planted feet and hands stay where they are.",
    "measure": "Measure how good the motion in files is.",
    "compare": "Show the measures of two clips side by side.",
    "synthesize": "Make a built-in motion.",
    "render": "Draw clips as a picture or a movie.",
    "studio": "Open the studio in the browser.",
    "demo": "Make new motion from built-in clips, with pictures.",
    "install-fbx": "Make an environment with Blender, for FBX files.",
    "completion": "Print the completion script for a shell.",
}
"""Every command, in the order of the help page; each is found in the module of its name when it is needed, so
that asking for help loads none of them."""


class _Commands(click.Group):
    """A group whose commands are imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        found = getattr(import_module(f"motionloom.cli.{name}"), name)
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="motionloom")
@click.pass_context
def commands(context: click.Context) -> None:
    """Make new motion from captured motion.

    Start with `motionloom demo`. Every command explains itself with --help; commands that print facts print
    them as JSON with --json. Exit codes: 0 done, 1 the work failed, 2 the call was wrong.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(CALL_WRONG)


class _Spoken(logging.Handler):
    """Shows the library's messages as lines on standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        click.echo(f"motionloom: {record.getMessage()}", err=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    _speak()
    try:
        code = commands.main(
            args=None if arguments is None else list(arguments), prog_name="motionloom", standalone_mode=False
        )
    except MotionloomError as error:
        _fail(sentence(error), CALL_WRONG if isinstance(error, ParameterError) else WORK_FAILED)
    except click.ClickException as error:
        _fail(_usage_sentence(error), CALL_WRONG)
    except (click.Abort, KeyboardInterrupt):
        _fail("stopped: no file was left half written", WORK_FAILED)
    except MemoryError:
        _fail("the result does not fit into memory: ask for fewer frames or pixels", WORK_FAILED)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        _fail(f"{error.filename}: {reason}" if error.filename else reason, WORK_FAILED)
    sys.exit(code)


def _speak() -> None:
    """Show the library's messages, and show what the terminal's encoding lacks as escapes."""
    logger = logging.getLogger("motionloom")
    if not logger.handlers:
        logger.addHandler(_Spoken())
    logger.setLevel(logging.INFO)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _fail(sentence: str, code: int) -> NoReturn:
    click.echo(f"motionloom: {sentence}", err=True)
    sys.exit(code)


def _usage_sentence(error: click.ClickException) -> str:
    """What click found wrong with the call, on one line, and where to read how it is meant."""
    words = " ".join(error.format_message().split()).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    asked = "motionloom" if context is None else context.command_path
    return f"{words[:1].lower()}{words[1:]} (see '{asked} --help')"
