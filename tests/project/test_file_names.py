from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from motionloom.project.document import Document, Item
from motionloom.project.file_names import file_stems, printable_name, script_path
from motionloom.project.recipes import FileRecipe


def named(*names: str) -> list[str]:
    recipe = FileRecipe(path="clips/x.bvh")
    items = tuple(Item(id=f"c{n}", name=name, recipe=recipe) for n, name in enumerate(names, 1))
    return list(file_stems(Document(items=items)).values())


def test_names_become_files() -> None:
    assert named("walk and jog", "../../etc", "Größe 3", "...", "a.b") == [
        *("walk-and-jog", "etc", "Größe-3", "c4", "a-b")
    ]
    assert script_path("walk") == "made/walk.npz"


def test_files_differ_also_where_names_hardly_do() -> None:
    assert named("x-c3", "x", "X") == ["x-c3", "x", "X-c3-c3"]


def test_comments_stay_in_their_line() -> None:
    assert printable_name("a\nb\u2028c\x1b[31m\td") == "a b c[31m d"


@given(st.lists(st.text(max_size=10), max_size=6))
def test_all_files_differ_and_stay_in_their_folder(names: list[str]) -> None:
    found = named(*names)
    assert len({stem.casefold() for stem in found}) == len(names)
    assert not any(set(stem) & set("/\\.\0") for stem in found)
    assert all(found)
