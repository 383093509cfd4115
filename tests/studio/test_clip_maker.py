from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from queue import Queue
from threading import Event
from typing import Any

import pytest

from motionloom.errors import MotionloomError, ParameterError
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.edits import AddItem, RemoveItem, SetRecipe
from motionloom.project.evaluator import EvaluatedClip
from motionloom.project.recipes import EnforceRecipe, MotionRecipe
from motionloom.studio import job_threads
from motionloom.studio.clip_maker import ClipMaker, Progress
from motionloom.studio.messages import Failed, Finished, Working
from motionloom.studio.unfinished import FILE, Unfinished
from tests.figures import smooth_clip

WAIT = 10.0


class Scripted:
    """An evaluator whose clips do what their motion says: work, fail, break or wait."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.begun, self.go_on = Event(), Event()

    def key(self, document: Document, id: str) -> str:
        return "/".join(_motion(item) for item in document.with_sources(id))

    def evaluate(
        self, document: Document, id: str, progress: Callable[[int, int], None] | None = None
    ) -> EvaluatedClip:
        key, motion = self.key(document, id), _motion(document.item(id))
        if motion == "fails":
            raise MotionloomError("it cannot be made")
        if motion == "breaks":
            raise ZeroDivisionError("a fault")
        if motion == "waits":
            self.begun.set()
            assert self.go_on.wait(WAIT)
            if progress is not None:
                progress(1, 2)
        self.made.append(key)
        return EvaluatedClip(
            clip=smooth_clip(4),
            before=None,
            blend=None,
            curve=None,
            frames=None,
            verdict=None,
            notes=(),
            seams=(),
            edit=ClipEdit(),
            whole_frames=4,
            source_provenances=(),
            key=key,
        )


def _motion(item: Item) -> str:
    return item.recipe.motion if isinstance(item.recipe, MotionRecipe) else "held"


def document_of(*motions: str) -> Document:
    document = Document()
    for motion in motions:
        document = AddItem(name=motion, recipe=MotionRecipe(motion=motion, options={})).apply(document)
    return document


def changed(document: Document, id: str, motion: str) -> Document:
    return SetRecipe(item=id, recipe=MotionRecipe(motion=motion, options={})).apply(document)


class Bench:
    """A maker over scripted clips, and what it says."""

    def __init__(self, unfinished: Unfinished | None = None) -> None:
        self.evaluator = Scripted()
        self.said: Queue[Progress] = Queue()
        any_evaluator: Any = self.evaluator
        self.maker = ClipMaker(lambda: any_evaluator, self.said.put, unfinished)
        self.maker.start()

    def next(self) -> Progress:
        return self.said.get(timeout=WAIT)

    def quiet(self) -> bool:
        """Whether nothing more is said once all is done: a question is answered when the maker has time."""
        while self.maker._waiting:
            self.maker.ask(lambda _: None).result(WAIT)
        self.maker.ask(lambda _: None).result(WAIT)
        return self.said.empty()


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.evaluator.go_on.set()
    made.maker.stop()


def test_a_clip_that_fails_is_told_with_its_sentence(bench: Bench) -> None:
    bench.maker.want(document_of("fails"))
    assert bench.next() == Working(item="c1")
    assert bench.next() == Failed(item="c1", error="it cannot be made")


def test_a_fault_of_the_program_is_told_and_the_next_clip_is_made(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    bench.maker.want(document_of("breaks", "a"))
    said = [bench.next() for _ in range(4)]
    assert said[1] == Failed(
        item="c1",
        error="something went wrong inside Motionloom (ZeroDivisionError); see the terminal for details",
    )
    assert isinstance(said[3], Finished)
    assert "ZeroDivisionError: a fault" in caplog.text


def test_what_is_made_of_a_failed_clip_fails_with_its_name(bench: Bench) -> None:
    document = AddItem(name="held", recipe=EnforceRecipe(source="c1")).apply(document_of("fails"))
    bench.maker.want(document)
    said = [bench.next() for _ in range(3)]
    assert said[2] == Failed(item="c2", error="fails could not be made, and held needs it")


def test_clips_are_made_after_their_sources(bench: Bench) -> None:
    document = AddItem(name="held", recipe=EnforceRecipe(source="c1")).apply(document_of("a"))
    bench.maker.want(replace(document, items=document.items[::-1]))
    assert [bench.next().item for _ in range(4)] == ["c1", "c1", "c2", "c2"]
    assert bench.maker.packs.get("a/held") is not None


def test_what_did_not_change_is_neither_made_nor_told_again(bench: Bench) -> None:
    document = document_of("a", "fails", "b")
    bench.maker.want(document)
    for _ in range(6):
        bench.next()
    bench.maker.want(changed(document, "c3", "c"))
    assert bench.next() == Working(item="c3")
    made = bench.next()
    assert isinstance(made, Finished)
    assert made.key == "c"
    assert bench.quiet()


def test_a_clip_that_changed_while_it_was_made_is_given_up(bench: Bench) -> None:
    bench.maker.want(document_of("waits"))
    assert bench.evaluator.begun.wait(WAIT)
    bench.maker.want(changed(document_of("waits"), "c1", "a"))
    bench.evaluator.go_on.set()
    assert bench.next() == Working(item="c1")
    assert bench.next() == Working(item="c1")
    made = bench.next()
    assert isinstance(made, Finished)
    assert made.key == "a"
    assert bench.evaluator.made == ["a"]


def test_a_clip_that_is_being_made_goes_on_while_others_change(bench: Bench) -> None:
    document = document_of("waits", "a")
    bench.maker.want(document)
    assert bench.evaluator.begun.wait(WAIT)
    bench.maker.want(changed(document, "c2", "b"))
    bench.evaluator.go_on.set()
    assert [bench.next() for _ in range(2)] == [Working(item="c1"), Working(item="c1", done=1, total=2)]
    assert isinstance(bench.next(), Finished)
    assert bench.quiet() is False or bench.evaluator.made == ["waits", "b"]


def test_going_back_to_an_earlier_clip_is_told_although_it_is_known(bench: Bench) -> None:
    """The page shows that it works; it must hear that there is nothing to wait for."""
    document = document_of("a")
    bench.maker.want(document)
    bench.next(), bench.next()
    bench.maker.want(changed(document, "c1", "waits"))
    assert bench.evaluator.begun.wait(WAIT)
    bench.maker.want(document)
    bench.evaluator.go_on.set()
    said = [bench.next() for _ in range(3)]
    assert isinstance(said[2], Finished)
    assert said[2].key == "a"


def test_a_clip_that_was_removed_and_comes_back_is_told_again(bench: Bench) -> None:
    document = document_of("a")
    bench.maker.want(document)
    bench.next(), bench.next()
    bench.maker.want(RemoveItem(item="c1").apply(document))
    bench.maker.want(document)
    assert bench.next() == Working(item="c1")


def test_questions_come_before_clips_that_wait(bench: Bench) -> None:
    bench.maker.want(document_of("waits", "a"))
    assert bench.evaluator.begun.wait(WAIT)
    answer = bench.maker.ask(lambda evaluator: list(bench.evaluator.made))
    bench.evaluator.go_on.set()
    assert answer.result(WAIT) == ["waits"]


def test_the_error_of_a_question_goes_to_whoever_asked(bench: Bench) -> None:
    answer = bench.maker.ask(lambda evaluator: evaluator.evaluate(document_of("fails"), "c1"))
    with pytest.raises(MotionloomError, match="it cannot be made"):
        answer.result(WAIT)


def test_stopping_gives_up_what_is_being_made_and_what_waits(bench: Bench) -> None:
    bench.maker.want(document_of("waits"))
    assert bench.evaluator.begun.wait(WAIT)
    answer = bench.maker.ask(lambda _: None)
    bench.evaluator.go_on.set()
    bench.maker._stopped = True
    bench.maker.stop()
    assert answer.cancelled()
    assert bench.evaluator.made == []


def test_a_clip_that_never_ends_is_stopped_and_made_again(bench: Bench) -> None:
    document = AddItem(name="held", recipe=EnforceRecipe(source="c1")).apply(document_of("waits"))
    bench.maker.want(document)
    assert bench.evaluator.begun.wait(WAIT)
    bench.maker.stop_job("c1")
    said = [bench.next() for _ in range(3)]
    assert said == [
        Working(item="c1"),
        Failed(item="c1", error="it was stopped: change the clip, or make it again"),
        Failed(item="c2", error="waits could not be made, and held needs it"),
    ]
    bench.maker.want(document)
    assert bench.quiet(), "it stays stopped until somebody wants it"
    bench.evaluator.go_on.set()
    bench.maker.make_again("c1")
    assert [type(bench.next()) for _ in range(5)] == [Working, Working, Finished, Working, Finished]


def test_no_clip_stays_in_the_making_where_the_evaluator_does_not_open() -> None:
    said: Queue[Progress] = Queue()

    def open_evaluator() -> Any:
        raise PermissionError(13, "Permission denied")

    maker = ClipMaker(open_evaluator, said.put)
    maker.start()
    try:
        maker.want(document_of("a", "b"))
        sentence = "a file could not be written (permission denied): make room for it, and try again"
        for id in ("c1", "c2"):
            assert said.get(timeout=WAIT) == Failed(item=id, error=sentence)
        with pytest.raises(MotionloomError, match="could not be written"):
            maker.ask(lambda _: None).result(WAIT)
    finally:
        maker.stop()


def test_a_clip_that_is_not_being_made_cannot_be_stopped(bench: Bench) -> None:
    bench.maker.want(document_of("a"))
    bench.next(), bench.next()
    assert bench.quiet()
    with pytest.raises(ParameterError, match="a is not being made, so there is nothing to stop"):
        bench.maker.stop_job("c1")
    with pytest.raises(ParameterError, match="no clip 'c9'"):
        bench.maker.stop_job("c9")
    with pytest.raises(ParameterError, match="no clip 'c9'"):
        bench.maker.make_again("c9")


def test_clips_and_questions_pass_one_that_never_ends(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_threads, "PATIENCE", 0.05)
    document = document_of("waits", "a")
    document = AddItem(name="held", recipe=EnforceRecipe(source="c1")).apply(document)
    bench.maker.want(document)
    assert bench.next() == Working(item="c1")
    assert bench.next() == Working(item="c2")
    assert isinstance(bench.next(), Finished)
    assert bench.maker.ask(lambda _: 42).result(WAIT) == 42
    assert bench.said.empty(), "what is made of the endless clip waits for it"
    bench.evaluator.go_on.set()
    assert [bench.next().item for _ in range(4)] == ["c1", "c1", "c3", "c3"]


def test_a_question_that_never_ends_is_answered_at_its_deadline(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_threads, "MAX_SECONDS", 0.2)
    with pytest.raises(MotionloomError, match=r"it took longer than 0.2 s and was stopped"):
        bench.maker.ask(lambda _: bench.evaluator.go_on.wait(WAIT)).result(WAIT)
    assert bench.maker.ask(lambda _: 42).result(WAIT) == 42


def test_a_clip_with_which_the_studio_ended_comes_last_and_then_not_at_all(tmp_path: Path) -> None:
    """The studio died once while ``a`` was being made, and twice while ``b`` was."""
    (tmp_path / FILE).write_text(json.dumps({"a": 1, "b": 2}))
    bench = Bench(Unfinished(tmp_path))
    bench.maker.want(document_of("a", "b", "c", "d"))
    said = [bench.next() for _ in range(7)]
    assert [message.item for message in said if isinstance(message, Finished)] == ["c3", "c4", "c1"]
    (failed,) = [message for message in said if isinstance(message, Failed)]
    assert failed.item == "c2"
    assert failed.error.startswith("the studio ended 2 times while it was being made, so it was left out")
    bench.maker.make_again("c2")
    assert [type(bench.next()) for _ in range(2)] == [Working, Finished]
    bench.maker.stop()
    assert not (tmp_path / FILE).exists()
