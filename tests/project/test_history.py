from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.project import history as history_module
from motionloom.project.document import Document
from motionloom.project.edits import AddItem, Edit, SetRecipe, ShowItem
from motionloom.project.history import History
from motionloom.project.recipes import BlendRecipe, FileRecipe, WeightKey
from tests.project.projects import with_recipe
from tests.project.test_edits import EDITS


class Clock:
    """A clock that tests set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(history_module, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def blend(weight: float) -> BlendRecipe:
    return BlendRecipe(sources=("c1", "c2"), weights=(weight, 1.0 - weight))


def dragged(history: History, *weights: float) -> None:
    for weight in weights:
        history.do(SetRecipe(item="c3", recipe=blend(weight)))


def steps_back(history: History) -> int:
    count = 0
    while history.undo_label is not None:
        history.undo()
        count += 1
    return count


def test_there_is_nothing_to_undo_at_first() -> None:
    history = History(Document())
    assert (history.undo_label, history.redo_label) == (None, None)
    with pytest.raises(ParameterError, match="there is nothing to undo"):
        history.undo()
    with pytest.raises(ParameterError, match="there is nothing to redo"):
        history.redo()


def test_a_drag_is_one_step(clock: Clock) -> None:
    first = with_recipe(blend(0.5))
    history = History(first)
    for weight in (0.6, 0.7, 0.8):
        clock.now += 0.9
        dragged(history, weight)
    history.undo()
    assert (history.document, history.undo_label) == (first, None)
    history.redo()
    assert history.document.item("c3").recipe == blend(0.8)


def test_a_pause_ends_a_drag(clock: Clock) -> None:
    history = History(with_recipe(blend(0.5)))
    dragged(history, 0.6)
    clock.now += 1.1
    dragged(history, 0.7)
    assert steps_back(history) == 2


def test_other_edits_end_a_drag(clock: Clock) -> None:
    history = History(with_recipe(blend(0.5)))
    dragged(history, 0.6)
    history.do(ShowItem(item="c1", visible=False))
    dragged(history, 0.7)
    assert steps_back(history) == 3


def test_files_that_are_dropped_at_once_are_steps_of_their_own(clock: Clock) -> None:
    history = History(Document())
    for _ in range(2):
        history.do(AddItem(name="walk", recipe=FileRecipe(path="clips/walk.bvh")))
    assert steps_back(history) == 2


def test_what_follows_an_undo_is_a_step_of_its_own(clock: Clock) -> None:
    history = History(with_recipe(blend(0.5)))
    dragged(history, 0.6)
    clock.now += 2.0
    dragged(history, 0.7)
    history.undo()
    dragged(history, 0.9)
    assert history.redo_label is None
    history.undo()
    assert history.document.item("c3").recipe == blend(0.6)


def test_edits_that_change_nothing_are_no_steps() -> None:
    history = History(with_recipe(blend(0.5)))
    dragged(history, 0.5)
    assert history.undo_label is None


def test_old_steps_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_module, "MAX_STEPS", 3)
    history = History(Document())
    for _ in range(5):
        history.do(AddItem(name="walk", recipe=FileRecipe(path="clips/walk.bvh")))
    assert steps_back(history) == 3
    assert len(history.document.items) == 2


@pytest.mark.slow
@given(st.lists(st.tuples(EDITS, st.sampled_from([0.0, 2.0])), max_size=25))
def test_undoing_all_and_redoing_all_lead_back(edits: list[tuple[Edit, float]]) -> None:
    now = 0.0
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(history_module, "monotonic", lambda: now)
        first = with_recipe(blend(0.5))
        history = History(first)
        for edit, seconds in edits:
            now += seconds
            before = history.document
            try:
                history.do(edit)
            except ParameterError:
                assert history.document == before
    last = history.document
    count = steps_back(history)
    assert history.document == first
    for _ in range(count):
        history.redo()
    assert (history.document, history.redo_label) == (last, None)


def test_a_drag_with_a_pause_is_one_step(clock: Clock) -> None:
    history = History(with_recipe(blend(1.0)))
    for seconds, weight, gesture in ((0.0, 0.9, "a"), (30.0, 0.8, "a"), (30.1, 0.7, "b"), (30.2, 0.6, "b")):
        clock.now = seconds
        history.do(SetRecipe(item="c3", recipe=blend(weight)), gesture)
    assert steps_back(history) == 2
    assert history.document.item("c3").recipe == blend(1.0)


def test_a_drag_that_changes_more_and_more_fields_is_one_step(clock: Clock) -> None:
    keyed = BlendRecipe(
        sources=("c1", "c2"), weights=(0.5, 0.5), keys=(WeightKey(time=0.0, weights=(1.0, 0.0)),)
    )
    history = History(with_recipe(keyed))
    history.do(SetRecipe(item="c3", recipe=blend(0.9)), "a")  # weights and keys
    history.do(SetRecipe(item="c3", recipe=blend(0.8)), "a")  # weights
    assert steps_back(history) == 1
