from __future__ import annotations

import os
from pathlib import Path

import pytest

import motionloom
from motionloom.errors import FileFormatError
from motionloom.project.cache import Cache, CacheKeys, digest, size_of
from motionloom.project.document import ClipEdit, Document, Marks
from motionloom.project.edits import RenameItem, SetEdit, SetMarks, SetRecipe, ShowItem
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import BlendRecipe, FileRecipe, MotionRecipe
from motionloom.synthesis import stand
from tests.project.projects import only, with_recipe


def test_the_least_used_goes_first() -> None:
    cache = Cache(max_bytes=100)
    cache.put("a", 1, 40)
    cache.put("b", 2, 40)
    assert cache.get("a") == 1
    cache.put("c", 3, 40)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)


def test_what_is_put_again_counts_once() -> None:
    cache = Cache(max_bytes=100)
    cache.put("a", 1, 90)
    cache.put("a", 2, 40)
    cache.put("b", 3, 50)
    assert (cache.get("a"), cache.get("b")) == (2, 3)


def test_the_newest_stays_however_large() -> None:
    cache = Cache(max_bytes=100)
    cache.put("small", 1, 1)
    cache.put("huge", 2, 10_000)
    assert ("small" in cache, "huge" in cache) == (False, True)


def test_clips_count_with_what_is_computed_of_them() -> None:
    clip = stand(duration=1.0, fps=10).clip
    assert size_of(clip) == 11 * 8 * (3 + 22 * 4 + 22 * 7)
    assert size_of(clip, None, clip) == 2 * size_of(clip)
    assert size_of() == 0


@pytest.fixture
def folder(tmp_path: Path) -> ProjectFolder:
    return ProjectFolder(tmp_path)


def test_a_missing_file_has_no_key(folder: ProjectFolder) -> None:
    with pytest.raises(FileFormatError, match=r"clips/no\.bvh: there is no such file in the project: add it"):
        CacheKeys(folder).of(only(FileRecipe(path="clips/no.bvh")), "c1")
    (folder.path / "folder.bvh").mkdir()
    with pytest.raises(FileFormatError, match=r"folder\.bvh: cannot be read \(Is a directory\)"):
        CacheKeys(folder).of(only(FileRecipe(path="folder.bvh")), "c1")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_pipe_is_not_waited_for(folder: ProjectFolder) -> None:
    os.mkfifo(folder.path / "walk.bvh")
    with pytest.raises(FileFormatError, match=r"walk\.bvh: is a pipe or a device: copy what it"):
        CacheKeys(folder).of(only(FileRecipe(path="walk.bvh")), "c1")


def test_keys_tell_of_all_that_makes_motion_and_nothing_else(folder: ProjectFolder) -> None:
    document = with_recipe(BlendRecipe(sources=("c1", "c2"), weights=(0.5, 0.5)))

    def key(other: Document, id: str = "c3") -> str:
        return CacheKeys(folder).of(other, id)[id]

    same = [
        RenameItem(item="c1", name="other").apply(document),
        ShowItem(item="c3", visible=False).apply(document),
        SetEdit(item="c1", edit=ClipEdit()).apply(document),
    ]
    assert {key(other) for other in same} == {key(document)}
    others = [
        SetRecipe(item="c1", recipe=MotionRecipe(motion="walk", options={"fps": 60.0})).apply(document),
        SetEdit(item="c2", edit=ClipEdit(mirror=True)).apply(document),
        SetMarks(item="c2", marks=Marks()).apply(document),
        SetRecipe(item="c3", recipe=BlendRecipe(sources=("c1", "c2"), weights=(0.5, 0.5), plant=False)).apply(
            document
        ),
    ]
    assert len({key(document), *map(key, others)}) == 1 + len(others)
    assert key(others[1], "c1") == key(document, "c1")


def test_keys_follow_the_content_of_files(folder: ProjectFolder) -> None:
    document = only(FileRecipe(path=folder.add("walk.bvh", b"one")))
    keys = CacheKeys(folder)
    first = keys.of(document, "c1")
    place = folder.path / "clips" / "walk.bvh"
    os.utime(place, ns=(1, 1))
    assert keys.of(document, "c1") == first
    place.write_bytes(b"two")
    assert keys.of(document, "c1") != first


def test_content_is_read_again_only_when_the_file_changed(folder: ProjectFolder) -> None:
    document = only(FileRecipe(path=folder.add("walk.bvh", b"one")))
    keys, place = CacheKeys(folder), folder.path / "clips" / "walk.bvh"
    first, stamp = keys.of(document, "c1"), place.stat()
    place.write_bytes(b"two")
    os.utime(place, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert keys.of(document, "c1") == first


@pytest.mark.parametrize(
    ("file", "content", "beside"),
    [
        ("x_1.amc", b"motion", "x.asf"),
        ("x.csv", b"motion", "x.skeleton.csv"),
        ("x.gltf", b'{"asset": {"version": "2.0"}, "buffers": [{"uri": "y.bin"}]}', "y.bin"),
        ("x.usda", b"#usda 1.0 (subLayers = [@y.usd@])", "y.usd"),
    ],
)
def test_motion_depends_on_what_lies_beside_it_too(
    folder: ProjectFolder, file: str, content: bytes, beside: str
) -> None:
    document = only(FileRecipe(path=folder.add(file, content)))
    keys = CacheKeys(folder)
    alone = keys.of(document, "c1")
    folder.add(beside, b"one")
    first = keys.of(document, "c1")
    (folder.path / "clips" / beside).write_bytes(b"three")
    folder.add(f"other{Path(beside).suffix}", b"not read along")
    assert len({*alone.values(), *first.values(), *keys.of(document, "c1").values()}) == 3
    assert keys.of(document, "c1") == CacheKeys(folder).of(document, "c1")
    last = keys.of(document, "c1")
    (folder.path / "clips" / f"other{Path(beside).suffix}").write_bytes(b"nor now")
    assert keys.of(document, "c1") == last


def test_keys_are_the_same_in_every_run_of_one_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motionloom, "__version__", "0")
    assert digest("walk", {"a": 1.5}) == "0e10a3c67121b374ae6fdeac1e0a99c3"
    monkeypatch.setattr(motionloom, "__version__", "1")
    assert digest("walk", {"a": 1.5}) != "0e10a3c67121b374ae6fdeac1e0a99c3"
