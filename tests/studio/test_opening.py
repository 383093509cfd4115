from __future__ import annotations

from pathlib import Path

import pytest

import motionloom as ml
from motionloom.errors import MotionloomError, ParameterError
from motionloom.project.edits import RenameItem
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import FileRecipe
from motionloom.studio.opening import first_document, open_document
from motionloom.synthesis import MOTIONS, walk
from tests.conftest import captured


@pytest.fixture
def take(tmp_path: Path) -> Path:
    return ml.save(walk(duration=0.5, fps=30).clip, tmp_path / "my walk.bvh")


def test_a_file_that_is_not_there_opens_nothing(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path / "project")
    with pytest.raises(ParameterError, match=r"none\.bvh: there is no such file"):
        open_document(folder, (tmp_path / "none.bvh",))
    assert not folder.path.exists()


def test_a_file_of_another_kind_opens_nothing(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no motion")
    with pytest.raises(ParameterError, match=r"files ending in '\.txt' cannot be opened: choose from \.bvh"):
        open_document(ProjectFolder(tmp_path / "project"), (tmp_path / "notes.txt",))


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "line 1: is not JSON: Expecting value"),
        (b"\x00" * 100, "is not JSON"),
        (b"[" * 100_000, "is not JSON text"),
        (b'{"type": "motionloom project", "version": 0}', "the project.version must be one of 1, not 0"),
        (b'{"type": "motionloom project", "fancy": 1}', "has an unknown field 'fancy'"),
    ],
)
def test_a_project_that_cannot_be_read_stays_as_it_is(tmp_path: Path, content: bytes, error: str) -> None:
    (tmp_path / "project.json").write_bytes(content)
    with pytest.raises(MotionloomError) as refused:
        open_document(ProjectFolder(tmp_path))
    assert error in str(refused.value)
    assert str(refused.value).endswith(
        "; nothing was changed; repair the file, or choose another folder with project="
    )
    assert (tmp_path / "project.json").read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["project.json"]


def test_a_damaged_project_has_a_copy_to_go_back_to(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    left = open_document(folder)
    open_document(folder)
    (tmp_path / "project.json").write_text("damaged")
    with pytest.raises(MotionloomError, match=r"repair the file, put project\.backup\.json in its place, or"):
        open_document(folder)
    (tmp_path / "project.backup.json").replace(tmp_path / "project.json")
    assert open_document(folder) == left


def test_a_document_that_leads_out_of_the_folder_is_neither_read_nor_written(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "project.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(ParameterError, match=r"'project\.json' lies outside of the project"):
        open_document(ProjectFolder(project))
    assert not (tmp_path / "elsewhere.json").exists()


def test_what_a_killed_process_left_half_written_is_removed_and_nothing_else(tmp_path: Path) -> None:
    kept = [".hidden.bvh", ".git-ignore", "take-abcdefgh.bvh", ".vscode-settings.json", ".walk-0a1b2c3d.bvh"]
    (tmp_path / "clips").mkdir()
    left = ".motionloom-00112233445566ff"
    for name in (f"{left}.json", f"clips/{left}.bvh", *(f"clips/{name}" for name in kept)):
        (tmp_path / name).touch()
    open_document(ProjectFolder(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clips", "project.json"]
    assert sorted(path.name for path in (tmp_path / "clips").iterdir()) == sorted(kept)


def test_a_first_project_has_motions_and_a_blend_that_can_be_made(tmp_path: Path) -> None:
    document = open_document(ProjectFolder(tmp_path / "project"))
    assert document == first_document() == ProjectFolder(tmp_path / "project").load()
    blend = document.items[-1]
    assert (blend.name, blend.recipe.type) == ("walk and jog", "blend")
    assert [item.name for item in document.items if item.visible] == ["walk", "jog", "walk and jog"]
    evaluator = Evaluator(ProjectFolder(tmp_path / "project"))
    assert evaluator.evaluate(document, blend.id).clip.n_frames > 60
    assert all(item.recipe.motion in MOTIONS for item in document.items if item.recipe.type == "motion")


def test_files_are_copied_and_named_after_themselves(tmp_path: Path, take: Path) -> None:
    folder = ProjectFolder(tmp_path / "project")
    document = open_document(folder, (take,))
    assert [(item.name, item.recipe) for item in document.items] == [
        ("my walk", FileRecipe(path="clips/my walk.bvh"))
    ]
    assert folder.resolve("clips/my walk.bvh").read_bytes() == take.read_bytes()


def test_a_project_goes_on_where_it_was_left(tmp_path: Path, take: Path) -> None:
    folder = ProjectFolder(tmp_path / "project")
    left = RenameItem(item="c1", name="stroll").apply(open_document(folder, (take,)))
    folder.save(left)
    assert open_document(folder) == left
    assert open_document(folder, (take,)) == left, "the same file is not added twice"


@pytest.mark.parametrize("amc", captured("dialects/**/*.amc")[:1])
def test_an_amc_brings_its_asf(tmp_path: Path, amc: Path) -> None:
    folder = ProjectFolder(tmp_path / "project")
    document = open_document(folder, (amc,))
    made = Evaluator(folder).evaluate(document, "c1").clip
    assert made.n_frames == ml.load(amc).n_frames
