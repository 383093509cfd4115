from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom import atomic_write
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.project.document import Document, Item
from motionloom.project.folder import ProjectFolder, file_stems, printable_name, script_path
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import FileRecipe
from tests.project.projects import everything, two_gaits


@pytest.fixture
def folder(tmp_path: Path) -> ProjectFolder:
    return ProjectFolder(tmp_path / "project")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "is not JSON"),
        ("[]", "the project must be an object with the fields type, version, items, next_number"),
        (
            '{"version": 7}',
            "is of version 7, made by a newer Motionloom: update it",
        ),
        ('{"next_number": 0}', "next_number must lie between 1 and 999000000, not be 0"),
        ('{"next_number": 9007199254740991}', "next_number must lie between 1 and 999000000"),
        ('{"items": [{"id": "c1"}]}', "the project.items[0] lacks the field 'name'"),
        ('{"items": 1e999}', "the project.items must be a list, not inf"),
        ("[" * 100_000, "is not JSON text"),
        ("\ud800", "is not JSON text"),
    ],
)
def test_damaged_documents_are_refused_with_their_file(folder: ProjectFolder, text: str, cause: str) -> None:
    folder.path.mkdir()
    place = folder.path / "project.json"
    place.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(FileFormatError) as caught:
        folder.load()
    assert str(caught.value).startswith(str(place))
    assert cause in str(caught.value)


def test_documents_that_are_not_whole_are_refused(folder: ProjectFolder) -> None:
    plain = to_plain(everything())
    plain["items"][0], plain["items"][3]["recipe"]["sources"] = plain["items"][1], ["c77"]
    folder.path.mkdir()
    (folder.path / "project.json").write_text(json.dumps(plain))
    with pytest.raises(FileFormatError, match="2 clips of the project have the id 'c2'"):
        folder.load()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(
        MotionloomError, match=r"cannot make the folder .*file/project: .*choose another place"
    ):
        ProjectFolder(tmp_path / "file" / "project").save(Document())


TRICKS = [
    "",
    ".",
    "..",
    "../x.bvh",
    "clips/../../x.bvh",
    "/etc/passwd",
    "//etc/passwd",
    "..\\x.bvh",
    "C:\\x.bvh",
    "C:/x.bvh",
    "clips\\..\\..\\x.bvh",
    "x\0.bvh",
    "link/x.bvh",
    "linked.bvh",
    "chain/x.bvh",
]


@pytest.fixture
def linked(folder: ProjectFolder, tmp_path: Path) -> ProjectFolder:
    """A project with links that lead out of it."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.bvh").write_text("secret")
    folder.path.mkdir()
    (folder.path / "link").symlink_to(outside)
    (folder.path / "linked.bvh").symlink_to(outside / "x.bvh")
    (folder.path / "chain").symlink_to(folder.path / "link")
    return folder


@pytest.mark.parametrize("trick", TRICKS)
def test_paths_that_lead_out_are_refused(linked: ProjectFolder, trick: str) -> None:
    with pytest.raises(ParameterError, match="lies outside of the project: add the file to it"):
        linked.resolve(trick)


def test_a_folder_of_clips_that_leads_out_is_refused(folder: ProjectFolder, tmp_path: Path) -> None:
    folder.path.mkdir()
    (folder.path / "clips").symlink_to(tmp_path)
    with pytest.raises(ParameterError, match="'clips' lies outside of the project"):
        folder.add("walk.bvh", b"")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["project"]


def test_paths_within_are_found(folder: ProjectFolder) -> None:
    (folder.path / "clips").mkdir(parents=True)
    (folder.path / "near.bvh").symlink_to(folder.path / "clips" / "walk.bvh")
    expected = Path(os.path.realpath(folder.path)) / "clips" / "walk.bvh"
    assert folder.resolve("clips/walk.bvh") == expected
    assert folder.resolve("./clips//walk.bvh") == expected
    assert folder.resolve("near.bvh") == expected


@pytest.mark.slow
@given(st.text(max_size=12) | st.lists(st.sampled_from(["..", ".", "/", "clips", "x", "~"])).map("/".join))
def test_no_path_leads_out(text: str) -> None:
    folder = ProjectFolder("some/project")
    try:
        found = folder.resolve(text)
    except ParameterError:
        return
    assert Path(os.path.realpath(folder.path)) in found.parents


def test_what_is_saved_is_loaded(folder: ProjectFolder) -> None:
    assert not folder.exists
    assert folder.load() == Document()
    folder.save(everything())
    assert folder.exists
    assert folder.load() == everything()
    assert [path.name for path in folder.path.iterdir()] == ["project.json"]


def test_a_failing_save_leaves_the_old_document(
    folder: ProjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.save(two_gaits())

    def full(path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic_write, "_flush_to_disk", full)
    with pytest.raises(OSError, match="No space left"):
        folder.save(everything())
    assert folder.load() == two_gaits()
    assert [path.name for path in folder.path.iterdir()] == ["project.json"]


SAVING = """
import sys
from motionloom.project.folder import ProjectFolder
from tests.project.projects import everything, two_gaits
folder = ProjectFolder(sys.argv[1])
documents = [everything(), two_gaits()]
for document in documents:
    folder.save(document)
print("saving", flush=True)
while True:
    for document in documents:
        folder.save(document)
"""


@pytest.mark.slow
def test_a_killed_save_leaves_a_whole_document(folder: ProjectFolder) -> None:
    documents = (everything(), two_gaits())
    for wait in (0.0, 0.003, 0.011, 0.02):
        command = [sys.executable, "-c", SAVING, str(folder.path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as saving:
            assert saving.stdout is not None
            assert saving.stdout.readline() == b"saving\n"
            time.sleep(wait)
            saving.send_signal(signal.SIGKILL)
        assert folder.load() in documents


def test_added_files_get_clean_and_free_names(folder: ProjectFolder) -> None:
    content = iter(range(100))

    def added(name: str) -> str:
        return folder.add(name, str(next(content)).encode())

    assert added("walk.BVH") == "clips/walk.bvh"
    assert added("walk.bvh") == "clips/walk 2.bvh"
    assert added("../../etc/jog.bvh") == "clips/jog.bvh"
    assert added("C:\\motion\\run.bvh") == "clips/run.bvh"
    assert added("a:b*?\0\n.bvh") == "clips/a_b_.bvh"
    assert added("..") == "clips/clip"
    assert added("") == "clips/clip 2"
    assert added(".bvh") == "clips/clip.bvh"
    assert added("-rf.bvh") == "clips/rf.bvh"
    assert added("Größe.glb") == "clips/Größe.glb"
    assert added("x" * 500 + ".npz") == f"clips/{'x' * 100}.npz"
    assert folder.resolve("clips/walk 2.bvh").read_bytes() == b"1"


def test_the_same_file_is_kept_once(folder: ProjectFolder) -> None:
    assert folder.add("walk.bvh", b"one") == folder.add("walk.bvh", b"one") == "clips/walk.bvh"
    assert folder.add("walk.bvh", b"two") == folder.add("walk.bvh", b"two") == "clips/walk 2.bvh"


def test_names_of_devices_are_changed(folder: ProjectFolder) -> None:
    assert folder.add("CON.bvh", b"") == "clips/CON_.bvh"


def test_files_that_are_added_at_once_all_stay(folder: ProjectFolder) -> None:
    contents = [f"file {n}".encode() for n in range(20)]
    with ThreadPoolExecutor(8) as threads:
        paths = list(threads.map(lambda content: folder.add("walk.bvh", content), contents))
    assert len(set(paths)) == 20
    assert [folder.resolve(path).read_bytes() for path in paths] == contents


@pytest.mark.slow
@given(st.text(max_size=30))
def test_no_name_leads_out(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    folder = ProjectFolder(tmp_path_factory.getbasetemp() / "names")
    path = folder.add(name, name.encode("utf-8", "surrogatepass"))
    assert path.startswith("clips/")
    assert path.count("/") == 1
    assert folder.resolve(path).is_file()


# File names


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
