"""What goes wrong, as sentences for the user; faults of the program are told to the terminal in full."""

from __future__ import annotations

import errno
import logging
from traceback import format_exception

logger = logging.getLogger("motionloom.studio")

LONGEST_ERROR = 500
"""Characters of a sentence; a wrong value or name that it quotes may be as long as a message."""

UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)
"""What a disk that is full, or that may not be written to, says; no fault of the program."""


def unexpected(what: str, error: BaseException) -> str:
    """What to tell somebody about an error that is a fault of the program; the terminal shows where it is.

    ``what`` is what was being done, for the terminal.

    >>> unexpected("making walk", MemoryError())
    'the result does not fit into memory: ask for fewer frames'
    """
    if isinstance(error, MemoryError):
        return "the result does not fit into memory: ask for fewer frames"
    if isinstance(error, OSError) and error.errno in UNWRITABLE:
        reason = (error.strerror or str(error)).lower()
        return f"a file could not be written ({reason}): make room for it, and try again"
    logger.error("%s failed\n%s", what, "".join(format_exception(error)).rstrip())
    return f"something went wrong inside Motionloom ({type(error).__name__}); the terminal shows more"


def shortened(sentence: str) -> str:
    """A sentence that fits onto a page.

    >>> len(shortened("x" * 10_000))
    500
    """
    return sentence if len(sentence) <= LONGEST_ERROR else f"{sentence[: LONGEST_ERROR - 1]}…"
