"""What can be wrong with a library as a whole."""

from __future__ import annotations

from pathlib import Path

from motionloom.errors import MotionloomError


class DamagedLibraryError(MotionloomError):
    """A library whose files are not what was written."""

    advice = (
        "`motionloom library check` names the takes that are concerned; adding their files again mends them"
    )

    def __init__(self, folder: Path, cause: str) -> None:
        super().__init__(f"{folder}: the library is damaged: {cause}. {self.advice}")


class DamagedCatalogueError(DamagedLibraryError):
    """A library whose catalogue is not what was written, so that its takes are not known."""

    advice = "Bring catalogue.sqlite back from a backup, or make a new library from the same files"


class BusyLibraryError(MotionloomError):
    """A library that another process is adding to."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder}: another process is changing this library: wait until it is done (searching works "
            "meanwhile)"
        )
