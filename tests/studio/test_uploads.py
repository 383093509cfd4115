from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar, cast
from urllib.parse import quote

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

import motionloom as ml
from motionloom.errors import ParameterError
from motionloom.project.folder import ProjectFolder
from motionloom.studio import uploads
from motionloom.studio.uploads import check_suffix, skeletons_beside, store_file
from motionloom.synthesis import walk
from tests.conftest import captured
from tests.studio.conftest import HEADERS, Page, Studio
from tests.studio.running import run_here


@pytest.fixture(scope="module")
def bvh(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    clip = walk(duration=0.5, fps=30).clip
    return ml.save(clip, tmp_path_factory.mktemp("motion") / "walk.bvh").read_bytes()


def files(studio: Studio) -> list[str]:
    clips = studio.folder.path / "clips"
    return sorted(str(path.relative_to(clips)) for path in clips.rglob("*")) if clips.exists() else []


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("", "a file without a name cannot be read: supported file types are .bvh, .amc"),
        ("notes.txt", "notes.txt cannot be read: supported file types are .bvh, .amc"),
        ("walk", "walk cannot be read"),
        ("points.c3d", "points.c3d cannot be read"),
        ("../project.json", "../project.json cannot be read"),
    ],
)
def test_files_of_other_kinds_are_refused(studio: Studio, name: str, error: str) -> None:
    answer = studio.post(f"/api/files?name={quote(name)}", b"content")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(error)
    assert files(studio) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["broken.bvh", "broken.npz", "broken.glb", "broken.csv"])
@pytest.mark.parametrize("content", [b"", bytes(range(256)) * 8])
def test_a_file_that_cannot_be_read_is_not_kept(studio: Studio, name: str, content: bytes) -> None:
    answer = studio.post(f"/api/files?name={name}", content)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(name), "the sentence names the file as the user knows it"
    assert files(studio) == []


@pytest.mark.slow
def test_a_file_that_is_too_large_is_refused_while_it_comes_in(
    studio: Studio, bvh: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MAX_BYTES", 1024**2)
    read = 0

    def pieces() -> Iterator[bytes]:
        nonlocal read
        for _ in range(1000):
            read += 1
            yield b" " * 65536

    for content in (b" " * (1024**2 + 1), pieces()):
        answer = studio.client.post("/api/files?name=long.bvh", headers=HEADERS, content=content)
        assert answer.status_code == 413
        assert answer.json() == {"error": "long.bvh is larger than 1 MB: cut it into shorter takes first"}
    assert files(studio) == []
    assert studio.post("/api/files?name=walk.bvh", bvh).status_code == 200


def test_a_file_that_stops_coming_in_makes_room_for_others(
    studio: Studio, bvh: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MAX_SILENCE", 0.05)

    async def halting() -> AsyncIterator[bytes]:
        yield b"HIERARCHY"
        await asyncio.sleep(60.0)

    class Halting:
        headers: ClassVar[dict[str, str]] = {}

        def stream(self) -> AsyncIterator[bytes]:
            return halting()

    with pytest.raises(HTTPException) as refused:
        run_here(uploads.receive_file(cast(Request, Halting()), "walk.bvh"))
    assert (refused.value.status_code, refused.value.detail) == (
        408,
        "walk.bvh stopped coming in: send it again",
    )
    assert studio.post("/api/files?name=walk.bvh", bvh).status_code == 200


def test_a_full_disk_is_told_and_nothing_is_kept(
    studio: Studio, bvh: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(uploads, "store_file", fail)
        answer = studio.post("/api/files?name=walk.bvh", bvh)
    assert answer.status_code == 500
    assert answer.json()["error"] == (
        "a file could not be written (no space left on device): make room for it, and try again"
    )
    assert caplog.text == "", "it is no fault of the program"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("walk.bvh", "clips/walk.bvh"),
        ("../../walk.bvh", "clips/walk.bvh"),
        ("/etc/walk.bvh", "clips/walk.bvh"),
        ("C:\\takes\\walk.BVH", "clips/walk.bvh"),
        ("a/../b/Ole's take?.bvh", "clips/Ole_s take_.bvh"),
        ("..bvh", "clips/clip.bvh"),
    ],
)
def test_a_file_is_kept_among_the_clips_whatever_it_is_called(
    studio: Studio, bvh: bytes, name: str, kept: str
) -> None:
    answer = studio.post(f"/api/files?name={quote(name, safe='')}", bvh)
    assert answer.json() == {"path": kept, "has_motion": True, "has_character": False, "notes": []}
    assert (studio.folder.path / kept).read_bytes() == bvh


def test_a_folder_of_clips_that_leads_elsewhere_is_refused(
    studio: Studio, bvh: bytes, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (studio.folder.path / "clips").symlink_to(elsewhere)
    answer = studio.post("/api/files?name=walk.bvh", bvh)
    assert answer.status_code == 400
    assert list(elsewhere.iterdir()) == []


def test_a_recipe_cannot_reach_out_of_the_project(studio: Studio, bvh: bytes, tmp_path: Path) -> None:
    (tmp_path / "secret.bvh").write_bytes(bvh)
    (studio.folder.path / "link.bvh").symlink_to(tmp_path / "secret.bvh")
    with studio.page() as socket:
        page = Page(studio.client, socket)
        for path in ("../secret.bvh", str(tmp_path / "secret.bvh"), "link.bvh"):
            page.do(type="add", name="secret", recipe={"type": "file", "path": path})
            page.expect("state")
            failed = page.expect("failed", item=page.state["document"]["items"][-1]["id"])
            assert "lies outside of the project" in failed["error"]


@pytest.mark.slow
def test_the_same_file_is_kept_once_and_another_gets_a_number(studio: Studio, bvh: bytes) -> None:
    other = bvh.replace(b"Frame Time: 0.0333333", b"Frame Time: 0.0250000")
    assert other != bvh
    paths = [studio.post("/api/files?name=walk.bvh", content).json()["path"] for content in (bvh, bvh, other)]
    assert paths == ["clips/walk.bvh", "clips/walk.bvh", "clips/walk 2.bvh"]


@pytest.mark.slow
def test_many_files_at_once_are_all_kept(studio: Studio, bvh: bytes) -> None:
    def send(n: int) -> int:
        content = bvh.replace(b"Frame Time: 0.0333333", b"Frame Time: 0.0%03d000" % (100 + n))
        status: int = studio.post("/api/files?name=walk.bvh", content).status_code
        return status

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(send, range(12))) == {200}
    assert len(files(studio)) == 12


@pytest.mark.parametrize("take", captured("dialects/**/*.amc")[:1])
def test_an_amc_needs_its_asf_first(studio: Studio, take: Path) -> None:
    skeleton = next(path for path in take.parent.iterdir() if path.suffix.lower() == ".asf")
    alone = studio.post(f"/api/files?name={take.name}", take.read_bytes())
    assert alone.status_code == 400
    assert alone.json()["error"] == (
        f"{take.name} needs its skeleton: add its .asf file first, or both together"
    )
    assert studio.post(f"/api/files?name={skeleton.name}", skeleton.read_bytes()).status_code == 200
    path = studio.post(f"/api/files?name={take.name}", take.read_bytes()).json()["path"]
    assert ml.load(studio.folder.resolve(path)).n_frames == ml.load(take).n_frames
    other = studio.post(f"/api/files?name={skeleton.name}", skeleton.read_bytes() + b"\n")
    assert other.status_code == 400
    assert "another file that is called" in other.json()["error"]
    assert len(files(studio)) == 2


def test_an_ending_that_cannot_be_read_lists_those_that_can() -> None:
    with pytest.raises(
        ParameterError, match=r"^walk\.doc cannot be read: supported file types are \.bvh, .*, \.asf$"
    ):
        check_suffix("walk.doc")


def test_another_skeleton_of_the_same_name_is_refused_and_not_kept(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    assert store_file(folder, "16.asf", b"one") == store_file(folder, "16.asf", b"one") == "clips/16.asf"
    with pytest.raises(ParameterError, match=r"another file that is called 16\.asf: rename motion and"):
        store_file(folder, "16.asf", b"two")
    assert [path.name for path in (tmp_path / "clips").iterdir()] == ["16.asf"]


def test_a_refused_file_takes_no_other_with_it(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    store_file(folder, "16.asf", b"one")
    store_file(folder, "16 2.asf", b"two")
    with pytest.raises(ParameterError, match=r"another file that is called 16\.asf"):
        store_file(folder, "16.asf", b"two")
    assert (tmp_path / "clips" / "16 2.asf").read_bytes() == b"two", "a clip may be made of it"


@pytest.mark.parametrize(
    ("others", "found"),
    [
        (["16_15.asf", "16.asf", "9.asf"], ["16_15.asf"]),
        (["16.ASF", "9.asf"], ["16.ASF"]),
        (["any.asf"], ["any.asf"]),
        (["any.asf", "other.asf"], []),
        ([], []),
    ],
)
def test_motion_brings_the_skeleton_that_it_means(
    tmp_path: Path, others: list[str], found: list[str]
) -> None:
    for name in ("16_15.amc", *others):
        (tmp_path / name).touch()
    assert [path.name for path in skeletons_beside(tmp_path / "16_15.amc")] == found
    assert skeletons_beside(tmp_path / "16_15.bvh") == []
