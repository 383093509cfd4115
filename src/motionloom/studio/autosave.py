"""Saving a project by itself, a moment after every change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Lock

from motionloom.errors import MotionloomError
from motionloom.project.document import Document
from motionloom.studio.error_responses import describe_unexpected
from motionloom.studio.messages import Refused, Saved

WAIT = 0.3
"""Seconds after a change until it is saved; changes in between are saved with it. A killed process loses no
more than this and the time that saving takes."""

RETRY = 5.0
"""Seconds until saving is tried again after it failed."""


class Autosave:
    """Saves the latest document, one save at a time, in another thread."""

    def __init__(self, save: Callable[[Document], None], tell: Callable[[Saved | Refused], None]) -> None:
        self._save = save
        self._tell = tell
        self._unsaved: tuple[int, Document] | None = None
        self._task: asyncio.Task[None] | None = None
        self._saving = Lock()
        self._saved = -1

    def soon(self, revision: int, document: Document) -> None:
        """Save this document in a moment, unless a newer one comes first."""
        self._unsaved = (revision, document)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def finish(self) -> str | None:
        """Save what is not saved yet, at once; where that fails, returns the sentence to tell about it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        unsaved, self._unsaved = self._unsaved, None
        if unsaved is None:
            return None
        try:
            self._save_once(*unsaved)
        except Exception as error:
            return f"the last changes are not saved, and the project is as it was before: {_reason(error)}"
        return None

    async def _run(self) -> None:
        wait = WAIT
        while self._unsaved is not None:
            await asyncio.sleep(wait)
            revision, document = self._unsaved
            try:
                # A save that has begun ends even when this task is cancelled.
                await asyncio.shield(asyncio.to_thread(self._save_once, revision, document))
            except Exception as error:
                sentence = f"the project could not be saved (trying again): {_reason(error)}"
                self._tell(Refused(error=sentence))
                wait = RETRY
                continue
            wait = WAIT
            if self._unsaved[0] == revision:
                self._unsaved = None
            self._tell(Saved(revision=revision))

    def _save_once(self, revision: int, document: Document) -> None:
        """Save a document unless a newer one is on the disk already; one save at a time."""
        with self._saving:
            if revision > self._saved:
                self._save(document)
                self._saved = revision


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    if isinstance(error, MotionloomError):
        return str(error)
    return describe_unexpected("saving the project", error)
