"""The errors Motionloom raises: one root class, and subclasses that write their own sentences.

Every message says what was wrong, where, and what to do about it. It is a
:class:`~motionloom.messages.Message`: the command line and the page render its parts in their own words. The
command line turns
:class:`ParameterError` into exit code 2 (the call was wrong) and every other
:class:`MotionloomError` into exit code 1 (the work failed).
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from os import PathLike

from motionloom.messages import Argument, Message, Parts


class MotionloomError(Exception):
    """Base class of all errors that Motionloom raises on purpose.

    Parameters
    ----------
    problem
        What is wrong: a sentence, or its parts.
    remedy
        What to do about it.
    subject
        The file, clip or key that it is about; the sentence begins with it.

    Attributes
    ----------
    message
        The sentence as data; ``str(error)`` is the sentence.
    """

    def __init__(self, problem: Parts = "", *, remedy: Parts = (), subject: str = "") -> None:
        self.message: Message
        if isinstance(problem, Message) and not (remedy or subject):
            self.message = problem
        else:
            self.message = Message(problem, remedy=remedy, subject=subject)
        super().__init__(str(self.message))

    def __reduce__(self) -> tuple[object, ...]:
        # By default Python would make the sentence of a subclass again, out of the sentence: other processes
        # could not send their errors here.
        return _restore_error, (type(self), self.args, vars(self))


class ParameterError(MotionloomError, ValueError):
    """An argument has a value the function cannot work with.

    Parameters
    ----------
    problem
        What is wrong: a sentence or its parts; after the name of the argument if ``parameter`` is given.
    parameter, value
        The argument and the value that it was given.
    remedy, subject
        What to do about it; and the file, clip or key that it is about.

    >>> error = ParameterError("must be at least 1, not 0", parameter="cycles", value=0)
    >>> str(error), error.parameter, error.value
    ('cycles must be at least 1, not 0', 'cycles', 0)
    """

    def __init__(
        self,
        problem: Parts = "",
        *,
        parameter: str = "",
        value: object = None,
        remedy: Parts = (),
        subject: str = "",
    ) -> None:
        if parameter or remedy or subject or not isinstance(problem, Message):
            problem = Message(problem, remedy=remedy, parameter=parameter, value=value, subject=subject)
        super().__init__(problem)

    @property
    def parameter(self) -> str:
        """The name of the argument that is wrong; empty where it is more than one, or none."""
        return self.message.parameter

    @property
    def value(self) -> object:
        """The value that the argument was given."""
        return self.message.value


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

    def __init__(
        self, path: str | PathLike[str], cause: Parts, line: int | None = None, *, remedy: Parts = ()
    ) -> None:
        self.path = str(path)
        self.line = line
        self.cause: Message = cause if isinstance(cause, Message) else Message(cause, remedy=remedy)
        place = self.path if line is None else f"{self.path}, line {line}"
        super().__init__(self.cause.about(place))


class NoSkeletonError(FileFormatError):
    """A file of points without a skeleton, read as a clip with one."""


class FileTooLargeError(FileFormatError):
    """A file whose motion would take more memory than reading it may; ``needed`` and ``allowed`` in bytes."""

    def __init__(
        self, path: str | PathLike[str], cause: Parts, *, needed: int, allowed: int, remedy: Parts = ()
    ) -> None:
        self.needed = needed
        self.allowed = allowed
        super().__init__(path, cause, remedy=remedy)


class FileExistsRefusal(MotionloomError):
    """An output file that is already there and was not to be replaced."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = str(path)
        super().__init__(
            f"{self.path} already exists",
            remedy=("choose another name, or replace it with ", Argument("overwrite", True)),
        )


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
