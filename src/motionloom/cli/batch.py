"""Run a command on one of many files, and tell what determines its results."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from motionloom import __version__
from motionloom.atomic_write import make_folder
from motionloom.cli.words import CommandWords
from motionloom.errors import MotionloomError
from motionloom.files.content_hash import hash_content
from motionloom.jobs.batch import FileResult, FileTask


def run_task(name: str, arguments: Mapping[str, Any], task: FileTask) -> FileResult:
    """Run a command on one file; errors of any kind become part of the result, so that the others go on.

    Where nothing is written, the lines that the command prints are notes of the result.

    Parameters
    ----------
    name
        The command.
    arguments
        Its other arguments, as click passes them.
    task
        The file.
    """
    start = time.perf_counter()
    printed, noted = io.StringIO(), io.StringIO()
    command = getattr(import_module(f"motionloom.cli.{name}"), name)
    failure = None
    try:
        # The context says in whose words messages are written.
        with redirect_stdout(printed), redirect_stderr(noted), click.Context(command):
            if task.output is not None:
                make_folder(task.output.parent)
            command.callback.__wrapped__(
                **{**arguments, "file": task.file, "output": task.output, "force": True},
                as_json=task.output is not None,
            )
    except MotionloomError as error:
        failure = error.message.render(CommandWords(command.params))
    except click.ClickException as error:
        failure = error.format_message()
    except OSError as error:
        failure = (error.strerror or str(error)).lower()
    except Exception as error:  # one broken file must not stop the others
        failure = f"unexpected {type(error).__name__}: {error}"
    seconds = time.perf_counter() - start
    if failure is not None:
        return FileResult(task.file, task.output, "failed", seconds, (failure,))
    notes = [line.removeprefix(f"{task.file}: ") for line in noted.getvalue().splitlines()]
    if task.output is None:
        own = printed.getvalue().splitlines()
    else:
        own = json.loads(printed.getvalue()).get("notes", []) if printed.getvalue() else []
    notes += [note for note in own if note not in notes] if isinstance(own, list) else []
    return FileResult(task.file, task.output, "done", seconds, tuple(notes))


def describe_recipe(name: str, arguments: Mapping[str, Any]) -> str:
    """Return a hash of everything but the file that determines results: command, options, files they name."""
    facts: dict[str, str] = {"command": name, "version": __version__}
    for option, value in sorted(arguments.items()):
        if option not in ("force", "as_json", "output"):
            known = isinstance(value, Path) and value.is_file()
            facts[option] = f"content {hash_content(value)}" if known else repr(value)
    return sha256(json.dumps(facts).encode()).hexdigest()
