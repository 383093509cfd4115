"""What can be wrong with a library as a whole."""

from __future__ import annotations

from pathlib import Path

from motionloom.errors import MotionloomError


class DamagedLibraryError(MotionloomError):
    """A library whose files are not what was written."""

    def __init__(self, folder: Path, cause: str) -> None:
        super().__init__(
            f"{folder}: the library is damaged: {cause}. `motionloom library check` names the takes that are "
            "concerned; adding their files again mends them"
        )


class BusyLibraryError(MotionloomError):
    """A library that another process is adding to."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder}: another process is changing this library: wait until it is done (searching works "
            "meanwhile)"
        )
