"""Commands on several files: one that fails does not keep the others from being done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from motionloom.cli.output import sentence
from motionloom.errors import MotionloomError, ParameterError


class Failures:
    """The errors of single files: each is told at once, and the command fails at its end.

    A command that was given one file fails with the error of that file itself.
    """

    def __init__(self, n_files: int) -> None:
        self.n_files = n_files
        self.errors: list[tuple[Path, MotionloomError]] = []

    @contextmanager
    def kept(self, path: Path) -> Iterator[None]:
        """Run a block of work on one file and keep its error."""
        try:
            yield
        except MotionloomError as error:
            if self.n_files == 1:
                raise
            self.errors.append((path, error))
            click.echo(f"motionloom: {sentence(error)}", err=True)

    def facts(self) -> list[dict[str, str]]:
        """The failed files and why, for JSON."""
        return [{"file": str(path), "error": sentence(error)} for path, error in self.errors]

    def finish(self, verb: str) -> None:
        """Fail when any file failed; the call is at fault when it was for every one of them."""
        if not self.errors:
            return
        wrong_call = len(self.errors) == self.n_files and all(
            isinstance(error, ParameterError) for _, error in self.errors
        )
        kind = ParameterError if wrong_call else MotionloomError
        raise kind(f"{len(self.errors)} of {self.n_files} files could not be {verb}")
