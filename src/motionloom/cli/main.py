"""The `motionloom` command: its list of subcommands, and its exit codes."""

from __future__ import annotations

import io
import logging
import sys
import warnings
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import NoReturn

import click

from motionloom import __version__
from motionloom.cli.output import print_line
from motionloom.cli.words import words_here
from motionloom.errors import MotionloomError, ParameterError, TemplateWarning
from motionloom.messages import render

WORK_FAILED, CALL_WRONG = 1, 2

GROUPS = {
    "See it work": {
        "demo": "Make new motion from built-in clips, with a report.",
        "studio": "Open the studio in the browser.",
        "synthesize": "Make a built-in motion.",
    },
    "Files": {
        "info": "Show what motion files contain.",
        "convert": "Convert motion files to another format, unit or up axis.",
        "view": "Show clips as an interactive page in the browser.",
        "render": "Render clips as an image or a movie.",
    },
    "Find motion": {
        "library": "Make, fill and search libraries of takes.",
    },
    "Prepare clips": {
        "edit": "Trim, retime, mirror and place a clip.",
        "repair": "Mend faults of capture: spikes, flips, frozen and swapped joints.",
        "annotate": "Detect foot plants and gait events.",
        "cyclify": "Close a clip to a loop.",
        "retarget": "Transfer a motion to another skeleton.",
        "fit": "Fit a skeleton with rotations to positions of joints.",
    },
    "Make new motion": {
        "blend": "Blend clips, or the clips of a saved registration curve.",
        "register": "Find how clips correspond, and save the registration curve.",
        "control": "Control a blend with keys for weights, speed, turn or style.",
        "variations": "Make similar but distinct motions from a registration curve.",
        "transition": "Make a transition from one clip to another.",
        "concatenate": "Play clips in a row, with transitions between them.",
        "framespace": "Mix cyclic motions along a drawn curve.",
        "graph": "Join takes by transitions, and walk through them for ever.",
        "space": "Make motion by parameters: where a kick hits, how fast a walk is.",
    },
    "Reshape a clip": {
        "warp": "Edit a clip with a few keys.",
        "reach": "Make a hand or foot hit a target.",
        "enforce": "Plant feet and hands: remove foot skate.",
    },
    "Quality": {
        "measure": "Measure the quality of motions.",
        "compare": "Compare clips: measures, curves and figures side by side.",
    },
    "Setup": {
        "install-fbx": "Install Blender's package, to read and write FBX.",
        "completion": "Print the completion script for a shell.",
    },
}
"""The commands in the groups of the help page."""

COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}
"""Every command, in the order of the help page. A command is imported from the module of its name when it is
called, so that help loads none of them."""


class _CommandGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        found = getattr(import_module(f"motionloom.cli.{name}"), name)
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        near = get_close_matches(args[0], COMMANDS, n=1)
        if args[0] not in COMMANDS and near and not ctx.resilient_parsing:
            ctx.fail(f"no such command {args[0]!r}: did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", summary) for name, summary in group.items()])


@click.group(
    cls=_CommandGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True},
)
@click.version_option(__version__, prog_name="motionloom")
@click.pass_context
def commands(context: click.Context) -> None:
    """Make new motion from captured motion.

    Start with `motionloom demo`. Every command has --help; most print their results as JSON with --json.
    Existing files are only overwritten with --force. Exit codes: 0 success, 1 the work failed, 2 the call was
    wrong.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(CALL_WRONG)


class _EchoHandler(logging.Handler):
    """Prints the library's messages on standard error; which kernel is compiled only where people watch."""

    def emit(self, record: logging.LogRecord) -> None:
        if getattr(record, "progress", False) and not sys.stderr.isatty():
            return
        print_line(f"motionloom: {record.getMessage()}", err=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit the process with its exit code."""
    _set_up_output()
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _print_warning
            warnings.simplefilter("ignore", TemplateWarning)  # commands print what a file does not keep
            code = commands.main(
                args=None if arguments is None else list(arguments),
                prog_name="motionloom",
                standalone_mode=False,
            )
    except MotionloomError as error:
        _fail(str(error), CALL_WRONG if isinstance(error, ParameterError) else WORK_FAILED)
    except click.ClickException as error:
        if (
            type(error).__name__ == "NoArgsIsHelpError"
        ):  # click 8.2: a group alone, and its help as the message
            click.echo(error.format_message(), err=True)
            sys.exit(CALL_WRONG)
        _fail(_usage_sentence(error), CALL_WRONG)
    except (click.Abort, KeyboardInterrupt) as error:
        if isinstance(error.__cause__, EOFError):  # click takes it for Ctrl-D at a prompt, and there is none
            raise error.__cause__ from None
        _fail("interrupted: no file was left half written", WORK_FAILED)
    except MemoryError:
        _fail("the result does not fit into memory: reduce frames or pixels", WORK_FAILED)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        _fail(f"{error.filename}: {reason}" if error.filename else reason, WORK_FAILED)
    sys.exit(code)


def _print_warning(message: Warning | str, *_: object, **__: object) -> None:
    said = message.args[0] if isinstance(message, Warning) and message.args else message
    print_line(
        f"motionloom: {render(str(said) if not isinstance(said, str) else said, words_here())}", err=True
    )


def _set_up_output() -> None:
    """Print the library's messages, and characters that the terminal cannot show as escapes."""
    logger = logging.getLogger("motionloom")
    if not logger.handlers:
        logger.addHandler(_EchoHandler())
    logger.setLevel(logging.INFO)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _fail(sentence: str, code: int) -> NoReturn:
    print_line(f"motionloom: {sentence}", err=True)
    sys.exit(code)


def _usage_sentence(error: click.ClickException) -> str:
    """Return what click found wrong with the call, on one line, and where the help is."""
    words = " ".join(error.format_message().split()).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = "motionloom" if context is None else context.command_path
    return f"{words[:1].lower()}{words[1:]} (see '{command} --help')"
