from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.project.document import N_COLOURS, ClipEdit, Document, EventMark, Marks, check_whole
from motionloom.project.edits import (
    AddItem,
    Edit,
    MoveItems,
    RemoveItem,
    RemoveItems,
    RenameItem,
    SetEdit,
    SetMarks,
    SetRecipe,
    ShowItem,
)
from motionloom.project.history import History
from motionloom.project.recipes import BlendRecipe, CopyRecipe, EnforceRecipe, FileRecipe, LoopRecipe, Recipe
from tests.project.projects import two_gaits, with_item, with_recipe

FILE = FileRecipe(path="clips/walk.bvh")


def test_edits_of_what_is_not_there_are_refused() -> None:
    edits: list[Edit] = [
        RemoveItem(item="c9"),
        RenameItem(item="c9", name="x"),
        ShowItem(item="c9", visible=False),
        SetRecipe(item="c9", recipe=FILE),
        SetEdit(item="c9", edit=ClipEdit()),
        SetMarks(item="c9", marks=None),
        AddItem(name="x", recipe=EnforceRecipe(source="c9")),
        SetRecipe(item="c1", recipe=EnforceRecipe(source="c9")),
    ]
    for edit in edits:
        with pytest.raises(ParameterError, match="the project has no clip 'c9'; it may have been removed"):
            edit.apply(two_gaits())


def test_what_others_are_made_of_stays() -> None:
    document = with_item(two_gaits(), "held", EnforceRecipe(source="c1"))
    with pytest.raises(ParameterError, match="walk is used by held: remove or change that clip first"):
        RemoveItem(item="c1").apply(document)
    assert [item.id for item in RemoveItem(item="c3").apply(document).items] == ["c1", "c2"]


def test_nothing_is_made_of_itself() -> None:
    document = with_item(two_gaits(), "held", EnforceRecipe(source="c1"))
    document = with_item(document, "again", EnforceRecipe(source="c3"))
    with pytest.raises(ParameterError, match="held cannot be made of itself: choose other clips"):
        SetRecipe(item="c3", recipe=EnforceRecipe(source="c4")).apply(document)


def test_ids_are_never_used_again() -> None:
    document = AddItem(name="walk", recipe=FILE).apply(Document())
    document = RemoveItem(item="c1").apply(document)
    assert AddItem(name="walk", recipe=FILE).apply(document).items[0].id == "c2"


def test_names_are_clean_and_differ() -> None:
    document = Document()
    for name in ("walk", "walk", "  walk\n\x00 ", "", "x" * 500):
        document = AddItem(name=name, recipe=FILE).apply(document)
    names = [item.name for item in document.items]
    assert names == ["walk", "walk 2", "walk 3", "clip", "x" * 120]
    renamed = RenameItem(item="c2", name="walk").apply(document)
    assert renamed.item("c2").name == "walk 2"


def test_labels_say_what_undoing_takes_back() -> None:
    document = with_recipe(BlendRecipe(sources=("c1", "c2"), weights=(1, 0)))
    recipe = BlendRecipe(sources=("c1", "c2"), weights=(0, 1), allow_unfit=True)
    assert SetRecipe(item="c3", recipe=recipe).label(document) == "change weights, allow unfit of made"
    assert SetEdit(item="c1", edit=ClipEdit(speed=2.0)).label(document) == "change speed of walk"
    assert ShowItem(item="c1", visible=False).label(document) == "hide walk"


def test_trimming_takes_edited_marks_along_in_one_step() -> None:
    history = History(two_gaits())
    history.do(SetMarks(item="c1", marks=Marks(events=(EventMark(frame=12, label="clap"),))))
    moved = Marks(events=(EventMark(frame=2, label="clap"),))
    history.do(SetEdit(item="c1", edit=ClipEdit(trim=(10, 20)), marks=moved))
    assert history.document.item("c1").marks == moved
    assert history.undo_label == "change trim of walk"
    history.do(SetEdit(item="c1", edit=ClipEdit(trim=(10, 20), mirror=True)))
    assert history.document.item("c1").marks == replace(moved, edit=ClipEdit(trim=(10, 20)))
    history.undo()
    history.undo()
    assert history.document.item("c1").edit == ClipEdit()
    assert history.document.item("c1").marks == Marks(events=(EventMark(frame=12, label="clap"),))


def test_marks_remember_the_frames_that_they_count_while_the_edit_differs() -> None:
    marks = Marks(events=(EventMark(frame=12, label="clap"),))
    history = History(two_gaits())
    history.do(SetMarks(item="c1", marks=marks))
    for edit in (ClipEdit(speed=2.0), ClipEdit(speed=2.0, reverse=True)):
        history.do(SetEdit(item="c1", edit=edit))
        assert history.document.item("c1").marks == replace(marks, edit=ClipEdit())
    # What moves no frame leaves them as they are, and so does the way back.
    history.do(SetEdit(item="c1", edit=ClipEdit(speed=1.0, smooth=5.0)))
    assert history.document.item("c1").marks == marks
    history.undo()
    history.undo()
    history.undo()
    assert history.document.item("c1") == replace(two_gaits().item("c1"), marks=marks)


IDS = st.sampled_from([f"c{n}" for n in range(1, 8)])
RECIPES: st.SearchStrategy[Recipe] = st.one_of(
    st.just(FILE),
    st.builds(EnforceRecipe, source=IDS),
    st.builds(LoopRecipe, source=IDS),
    st.builds(BlendRecipe, sources=st.tuples(IDS, IDS), weights=st.tuples(st.floats(0, 1), st.floats(0, 1))),
)
EDITS: st.SearchStrategy[Edit] = st.one_of(
    st.builds(AddItem, name=st.sampled_from(["walk", "jog"]), recipe=RECIPES),
    st.builds(RemoveItem, item=IDS),
    st.builds(RenameItem, item=IDS, name=st.sampled_from(["walk", "jog", ""])),
    st.builds(ShowItem, item=IDS, visible=st.booleans()),
    st.builds(SetRecipe, item=IDS, recipe=RECIPES),
    st.builds(SetEdit, item=IDS, edit=st.builds(ClipEdit, mirror=st.booleans())),
    st.builds(SetMarks, item=IDS, marks=st.sampled_from([None, Marks()])),
)


@pytest.mark.slow
@given(st.lists(EDITS, max_size=30))
def test_documents_stay_whole_whatever_is_done(edits: list[Edit]) -> None:
    document = Document()
    for edit in edits:
        before = replace(document)
        try:
            document = edit.apply(document)
        except ParameterError:
            assert document == before
        check_whole(document)


def test_colours_repeat_only_when_all_are_taken() -> None:
    document = Document()
    for n in range(N_COLOURS + 1):
        document = AddItem(name=f"clip {n}", recipe=FileRecipe(path=f"clips/{n}.bvh")).apply(document)
    colours = [item.colour for item in document.items]
    assert colours == [*range(N_COLOURS), 0]
    freed = RemoveItem(item="c4").apply(document)
    assert AddItem(name="next", recipe=FileRecipe(path="clips/x.bvh")).apply(freed).items[-1].colour == 3


def test_several_clips_are_removed_at_once() -> None:
    document = with_item(two_gaits(), "held", EnforceRecipe(source="c1"))
    with pytest.raises(ParameterError, match="walk cannot be removed: held is made of it; remove that clip"):
        RemoveItems(items=("c1", "c2")).apply(document)
    assert [item.name for item in RemoveItems(items=("c1", "c3")).apply(document).items] == ["jog"]


def test_clips_are_moved_to_a_folder() -> None:
    document = MoveItems(items=("c1", "c2"), folder=" My \n takes ").apply(two_gaits())
    assert [item.folder for item in document.items] == ["My takes", "My takes"]
    assert MoveItems(items=("c2",), folder="").apply(document).item("c2").folder == ""


def test_a_clip_is_added_with_an_edit() -> None:
    edit = ClipEdit(mirror=True)
    added = AddItem(name="mirrored", recipe=CopyRecipe(source="c1"), edit=edit).apply(two_gaits())
    assert added.items[-1].edit == edit
