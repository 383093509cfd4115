from __future__ import annotations

import asyncio
import time

import pytest

from motionloom.errors import MotionloomError
from motionloom.project.document import Document
from motionloom.studio import autosave
from motionloom.studio.autosave import Autosave
from motionloom.studio.messages import Refused, Saved
from tests.studio.conftest import small_document
from tests.studio.running import run_here

Said = list[Saved | Refused]

SHIPPED_WAIT = autosave.WAIT


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "WAIT", 0.02)
    monkeypatch.setattr(autosave, "RETRY", 0.02)


def test_a_killed_process_loses_less_than_a_second() -> None:
    """Half of it is left for saving itself."""
    assert SHIPPED_WAIT <= 0.5


def test_a_save_that_fails_is_told_and_tried_again() -> None:
    attempts: list[Document] = []

    def save(document: Document) -> None:
        attempts.append(document)
        if len(attempts) == 1:
            raise MotionloomError("the disk is full")

    async def run() -> Said:
        said: Said = []
        saver = Autosave(save, said.append)
        saver.soon(1, Document())
        while len(said) < 2:
            await asyncio.sleep(0.01)
        return said

    assert run_here(run()) == [
        Refused(error="the project could not be saved (trying again): the disk is full"),
        Saved(revision=1),
    ]


def test_changes_that_follow_each_other_are_saved_together() -> None:
    saved: list[Document] = []

    async def run() -> Said:
        said: Said = []
        saver = Autosave(saved.append, said.append)
        saver.soon(1, Document())
        saver.soon(2, small_document())
        while not said:
            await asyncio.sleep(0.01)
        return said

    assert run_here(run()) == [Saved(revision=2)]
    assert saved == [small_document()]


def test_a_change_during_a_save_is_saved_after_it() -> None:
    saved: list[int] = []

    def slowly(document: Document) -> None:
        time.sleep(0.05)
        saved.append(len(document.items))

    async def run() -> Said:
        said: Said = []
        saver = Autosave(slowly, said.append)
        saver.soon(1, Document())
        await asyncio.sleep(0.04)
        saver.soon(2, small_document())
        while len(said) < 2:
            await asyncio.sleep(0.01)
        return said

    assert run_here(run()) == [Saved(revision=1), Saved(revision=2)]
    assert saved == [0, 3]


def test_the_end_saves_what_is_left_once_and_last() -> None:
    saved: list[int] = []

    def slowly(document: Document) -> None:
        time.sleep(0.05)
        saved.append(len(document.items))

    async def run() -> None:
        saver = Autosave(slowly, lambda _: None)
        saver.soon(1, Document())
        await asyncio.sleep(0.04)
        saver.soon(2, small_document())
        await saver.finish()
        await saver.finish()

    run_here(run())
    assert saved == [0, 3]


def test_an_end_that_cannot_save_says_so() -> None:
    def fail(_: Document) -> None:
        raise OSError(28, "No space left on device")

    async def run() -> str | None:
        saver = Autosave(fail, lambda _: None)
        saver.soon(1, Document())
        return await saver.finish()

    assert run_here(run()) == (
        "the last changes are not saved, and the project is as it was before: no space left on device"
    )
