"""The errors Motionloom raises: one root class, and subclasses that write their own sentences.

Every message says what was wrong, where, and what to do about it. The command line turns
:class:`ParameterError` into exit code 2 (the call was wrong) and every other
:class:`MotionloomError` into exit code 1 (the work failed).
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from os import PathLike


class MotionloomError(Exception):
    """Base class of all errors that Motionloom raises on purpose."""

    def __reduce__(self) -> tuple[object, ...]:
        # By default Python would make the sentence of a subclass again, out of the sentence: other processes
        # could not send their errors here.
        return _restore_error, (type(self), self.args, vars(self))


class ParameterError(MotionloomError, ValueError):
    """An argument has a value the function cannot work with."""


class UnknownJointError(ParameterError):
    """A joint name that the skeleton does not have; the message lists the ones it has."""

    def __init__(self, name: str, names: Sequence[str]) -> None:
        self.name = name
        self.names = tuple(names)
        near = get_close_matches(name, self.names, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
        super().__init__(f"the skeleton has no joint {name!r}: {hint}its joints are {', '.join(self.names)}")


class FileFormatError(MotionloomError):
    """A file that cannot be read; the message names the file, the line where known, and the cause."""

    def __init__(self, path: str | PathLike[str], cause: str, line: int | None = None) -> None:
        self.path = str(path)
        self.line = line
        self.cause = cause
        place = self.path if line is None else f"{self.path}, line {line}"
        super().__init__(f"{place}: {cause}")


class NoSkeletonError(FileFormatError):
    """A file of points without a skeleton, read as a clip with one."""


class FileTooLargeError(FileFormatError):
    """A file whose motion would take more memory than reading it may; ``needed`` and ``allowed`` in bytes."""

    def __init__(self, path: str | PathLike[str], cause: str, *, needed: int, allowed: int) -> None:
        self.needed = needed
        self.allowed = allowed
        super().__init__(path, cause)


class FileExistsRefusal(MotionloomError):
    """An output file that is already there and was not to be replaced."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = str(path)
        super().__init__(f"{self.path} already exists: choose another name, or allow replacing it")


class MissingPackageError(MotionloomError, ImportError):
    """An optional package that the called function needs is not installed."""

    def __init__(self, package: str, purpose: str, install: str) -> None:
        self.package = package
        super().__init__(f"{purpose} needs the package {package!r}: install it with `{install}`")


def _restore_error(
    kind: type[MotionloomError], args: tuple[object, ...], values: dict[str, object]
) -> MotionloomError:
    """Return an error as it was before it was pickled."""
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(values)
    return error


class RegistrationWarning(UserWarning):
    """Clips were registered that do not go well together; the message says how one can tell."""


class BlendWarning(UserWarning):
    """Weights that make a blend nobody wants to see; the message says when and why."""


class PluginWarning(UserWarning):
    """A plugin of another package could not be loaded and was skipped; the message names it and says why."""


class TemplateWarning(UserWarning):
    """A file was written without the mesh that the clip's source has; the message says why."""
