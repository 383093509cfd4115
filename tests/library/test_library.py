"""Libraries as folders: adding, copies, changes, damage, and more than one process."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import MotionloomError, ParameterError
from motionloom.library.errors import BusyLibraryError, DamagedLibraryError
from motionloom.synthesis import walk
from tests.library.test_stored_clip import store_plain


@pytest.fixture
def own(library: ml.Library, tmp_path: Path) -> ml.Library:
    """A copy of the library that a test may change."""
    shutil.copytree(library.path, tmp_path / "own.library")
    return ml.Library(tmp_path / "own.library")


def test_what_was_added(library: ml.Library, takes_folder: Path) -> None:
    names = [take.name for take in library.takes]
    assert names == ["jog", "kick", "punch", "walk", "walk_fast"]
    assert "5 takes" in repr(library)
    failed = [file for file in library.files if file.reason]
    assert [Path(file.path).name for file in failed] == ["broken.bvh"]
    assert str(failed[0].reason).startswith("has no MOTION section")
    kick = library.take("kick")
    assert [Path(path).name for path in kick.files] == ["kick.npz", "kick_copy.npz"]
    assert (kick.tags, kick.description) == (("built-in",), "a front kick")


def test_a_take_is_what_was_added(library: ml.Library, takes_folder: Path) -> None:
    stored, loaded = library.take("walk_fast").clip(), ml.load(takes_folder / "walk_fast.npz")
    assert stored.frame_time == loaded.frame_time
    assert stored.skeleton.names == loaded.skeleton.names
    # As near as the documents say: half a micrometre for the root, and 4 microradians for each joint.
    np.testing.assert_allclose(stored.root_positions, loaded.root_positions, rtol=0.0, atol=0.5e-6)
    np.testing.assert_allclose(stored.world_positions(), loaded.world_positions(), rtol=0.0, atol=1e-5)
    assert stored.constraints
    assert stored.events


def test_adding_again_changes_nothing(own: ml.Library, takes_folder: Path) -> None:
    before = {path.name: path.stat().st_size for path in own.path.iterdir()}
    report = own.add(takes_folder)
    assert len(report.unchanged) == 7
    assert not report.added
    assert {path.name: path.stat().st_size for path in own.path.iterdir()} == before


def test_a_take_whose_skeleton_changed_is_read_again(own: ml.Library, tmp_path: Path) -> None:
    path = ml.save(walk(duration=1.0, fps=30).clip, tmp_path / "step.amc")
    own.add(path)
    assert own.add(path).unchanged == [path]
    path.with_suffix(".asf").write_text("other bones")
    assert list(own.add(path).failed) == [path]


def test_takes_that_are_there_get_words(own: ml.Library, takes_folder: Path) -> None:
    own.add(takes_folder / "walk.npz", tags=["gait", "built-in"], descriptions={"walk": "a walk"})
    assert own.take("walk").tags == ("built-in", "gait")
    assert own.take("walk").description == "a walk"
    assert own.take("jog").tags == ("built-in",)


def test_a_maker_that_was_killed_early(tmp_path: Path) -> None:
    (tmp_path / "writer.sqlite").write_bytes(b"")
    assert len(ml.Library(tmp_path).takes) == 0


def test_a_file_that_is_not_there_is_a_reason(own: ml.Library, tmp_path: Path) -> None:
    report = own.add(tmp_path / "none.bvh")
    assert report.failed == {tmp_path / "none.bvh": "there is no such file"}


def test_a_reader_that_fails_is_a_reason(
    own: ml.Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> None:
        raise ZeroDivisionError("of a plugin")

    monkeypatch.setattr("motionloom.library.add_files.load_clip", fail)
    (tmp_path / "odd.bvh").write_text("HIERARCHY")
    report = own.add(tmp_path / "odd.bvh")
    assert list(report.failed.values()) == ["its reader failed (ZeroDivisionError: of a plugin)"]


def test_one_more_take_touches_nothing_else(own: ml.Library, tmp_path: Path) -> None:
    shards = {path: path.read_bytes() for path in own.path.glob("*.bin")}
    ml.save(own.take("jog").clip()[10:], tmp_path / "part.npz")
    report = own.add(tmp_path / "part.npz", tags=["new"])
    assert [path.name for path in report.added] == ["part.npz"]
    assert all(path.read_bytes().startswith(content) for path, content in shards.items())
    assert own.take("part").tags == ("new",)
    assert own.check() == []


def test_a_changed_file_becomes_another_take(own: ml.Library, tmp_path: Path) -> None:
    file = tmp_path / "take.npz"
    ml.save(own.take("walk").clip()[5:], file)
    own.add(file, tags=["gait"], descriptions={"take": "a short walk"})
    former = own.take("take")
    ml.save(own.take("walk").clip()[15:], file, overwrite=True)
    report = own.update()
    assert [path.name for path in report.added] == ["take.npz"]
    take = own.take("take")
    assert take.n_frames == own.take("walk").n_frames - 15
    assert (take.tags, take.description) == (("gait",), "a short walk")
    assert take.id > former.id


def test_the_motion_of_a_removed_take_is_not_that_of_another(own: ml.Library, tmp_path: Path) -> None:
    takes = own.takes
    ml.save(own.take("walk").clip()[5:], tmp_path / "other.npz")
    own.remove(takes)
    own.add(tmp_path / "other.npz")
    assert own.take("other").id > max(take.id for take in takes)
    with pytest.raises(
        DamagedLibraryError, match=f"the motion of {takes[0].name} was overwritten or removed"
    ):
        takes[0].clip()


def test_words(library: ml.Library) -> None:
    assert len(library.clips()) == 5
    assert len(library.clips("walk")) == 2
    assert len(library.clips("built-in", "nothing")) == 5
    with pytest.raises(ParameterError, match="has no take 'swim'"):
        library.take("swim")


def test_removed_takes_are_gone_and_their_files_can_be_added_again(
    own: ml.Library, takes_folder: Path
) -> None:
    own.remove(["walk"])
    assert "walk" not in [take.name for take in own.takes]
    report = own.add(takes_folder)
    assert [path.name for path in report.added] == ["walk.npz"]


def test_a_library_sees_what_another_one_adds(own: ml.Library, tmp_path: Path) -> None:
    other = ml.Library(own.path)
    assert len(other.takes) == 5
    ml.save(own.take("jog").clip()[7:], tmp_path / "part.npz")
    own.add(tmp_path / "part.npz")
    assert len(other.takes) == 6
    assert len(other.search(own.take("part").clip()[:30], k=3)) == 3


def test_bytes_that_a_killed_writer_left_do_no_harm(own: ml.Library) -> None:
    with (own.path / "signatures10-0000.bin").open("ab") as shard:
        shard.write(b"x")
    assert len(own.search(own.take("walk").clip()[:30], k=3)) == 3


def test_a_segment_must_lie_in_its_take(library: ml.Library) -> None:
    with pytest.raises(ParameterError, match=r"frames 50 to 40 are no part of walk, which has 121 frames"):
        library.take("walk").segment(50, 40)
    assert str(library.take("walk").segment(30, 61)) == "walk 1.00-2.00 s"


def test_a_library_that_cannot_be_opened_is_not_called_damaged(tmp_path: Path) -> None:
    (tmp_path / "catalogue.sqlite").mkdir()
    with pytest.raises(MotionloomError, match=r"cannot open the library .*: check who may read and write it"):
        ml.Library(tmp_path)


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(
        MotionloomError, match="is a folder that holds no library: name a new or an empty folder"
    ):
        ml.Library(tmp_path)


def test_another_version_is_refused(own: ml.Library) -> None:
    with sqlite3.connect(own.path / "catalogue.sqlite") as database:
        database.execute("UPDATE facts SET value = 99 WHERE name = 'version'")
    with pytest.raises(MotionloomError, match="has version 99, and this Motionloom reads up to 2: update it"):
        ml.Library(own.path)


def version_of(library: ml.Library) -> str:
    with closing(sqlite3.connect(library.path / "catalogue.sqlite")) as database:
        return str(database.execute("SELECT value FROM facts WHERE name = 'version'").fetchone()[0])


def test_an_old_library_is_read_and_converted(
    takes_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("motionloom.library.add_files.store_clip", store_plain)
        patch.setattr("motionloom.library.catalogue.VERSION", 1)
        ml.Library(tmp_path / "old.library").add(takes_folder / "kick.npz")
    old = ml.Library(tmp_path / "old.library")
    before, size = old.take("kick").clip(), (old.path / "poses-0000.bin").stat().st_size
    query = old.take("kick").segment(6, 36)
    hits = [str(hit.segment) for hit in old.search(query, k=3)]
    assert version_of(old) == "1"
    assert old.compact() > 0
    after = old.take("kick").clip()
    assert version_of(old) == "2"
    np.testing.assert_allclose(after.rotations, before.rotations, atol=4e-6)
    np.testing.assert_allclose(after.root_positions, before.root_positions, atol=1e-6)
    assert after.constraints == before.constraints
    assert (old.path / "poses-0001.bin").stat().st_size < 0.5 * size
    assert [str(hit.segment) for hit in old.search(query, k=3)] == hits
    assert old.check() == []
    assert old.compact() == 0


def test_a_take_in_the_new_form_makes_an_old_library_a_new_one(
    takes_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("motionloom.library.add_files.store_clip", store_plain)
        patch.setattr("motionloom.library.catalogue.VERSION", 1)
        ml.Library(tmp_path / "old.library").add(takes_folder / "kick.npz")
    old = ml.Library(tmp_path / "old.library")
    old.add(takes_folder / "walk.npz")
    assert version_of(old) == "2"
    assert [take.clip().n_frames for take in old.takes] == [take.n_frames for take in old.takes]


def test_damage_is_found_and_named(own: ml.Library) -> None:
    shard = own.path / "poses-0000.bin"
    content = bytearray(shard.read_bytes())
    content[100] ^= 0xFF
    shard.write_bytes(content)
    problems = own.check()
    assert len(problems) == 1
    assert "its poses are damaged: add its file again" in problems[0]


def test_adding_the_file_again_mends_damage(own: ml.Library, takes_folder: Path) -> None:
    wanted = own.take("jog").clip().rotations
    for kind in ("poses", "signatures10"):
        shard = own.path / f"{kind}-0000.bin"
        content = bytearray(shard.read_bytes())
        content[100] ^= 0xFF
        shard.write_bytes(content)
    assert own.check() == ["jog: its poses and signatures10 are damaged: add its file again"]
    report = own.add(takes_folder, tags=["seen"])
    assert ([path.name for path in report.mended], len(report.unchanged)) == (["jog.npz"], 6)
    assert str(report) == "1 mended, 6 unchanged"
    assert own.check() == []
    np.testing.assert_array_equal(own.take("jog").clip().rotations, wanted)
    assert (len(own.takes), own.take("jog").tags) == (5, ("built-in", "seen"))


@pytest.mark.parametrize("name", ["gone.npz", "broken.npz"])
def test_a_file_that_cannot_be_read_any_more_keeps_its_take(
    own: ml.Library, tmp_path: Path, name: str
) -> None:
    file = ml.save(own.take("walk").clip()[5:], tmp_path / name)
    own.add(file)
    file.unlink() if name == "gone.npz" else file.write_bytes(b"broken")
    assert list(own.add(file).failed) == [file]
    assert own.take(file.stem).n_frames == own.take("walk").n_frames - 5
    (row,) = [row for row in own.files if row.path == str(file)]
    assert row.reason is not None
    ml.save(own.take("walk").clip()[9:], file, overwrite=True)
    assert own.add(file).added == [file]
    assert own.take(file.stem).n_frames == own.take("walk").n_frames - 9


def test_reasons_that_may_pass_are_tried_again(
    own: ml.Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = ml.save(own.take("walk").clip()[5:], tmp_path / "step.npz")

    def fail(path: Path) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr("motionloom.library.add_files.load_clip", fail)
        assert own.add(file).failed == {file: "there is not enough memory to read it"}
    assert own.add(file).added == [file]


def test_update_reads_files_again_that_failed(own: ml.Library, takes_folder: Path) -> None:
    assert len(own.add(takes_folder).failed) == 0
    assert [path.name for path in own.update().failed] == ["broken.bvh"]


def test_takes_of_the_same_name_are_told_apart_by_their_files(own: ml.Library, tmp_path: Path) -> None:
    file = ml.save(own.take("walk").clip()[5:], tmp_path / "walk.npz")
    own.add(file)
    with pytest.raises(
        ParameterError, match=r"2 takes are called 'walk': name the file of one \(.*walk\.npz"
    ):
        own.take("walk")
    take = own.take(str(file))
    assert own.take(take.id) == take
    own.remove([str(file)])
    assert own.take("walk").n_frames == take.n_frames + 5


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("frame_time", "0"),
        ("frame_time", "'x'"),
        ("n_frames", "'x'"),
        ("n_points", "'x'"),
        ("scale", "'x'"),
        ("locations", "'{}'"),
        ("locations", "'{\"poses\": [0, 1, 100, 5]}'"),
        ("tags", "'5'"),
    ],
)
def test_a_row_that_makes_no_sense_has_a_sentence(own: ml.Library, column: str, value: str) -> None:
    with sqlite3.connect(own.path / "catalogue.sqlite") as database:
        database.execute(f"UPDATE takes SET {column} = {value} WHERE name = 'kick'")
    with pytest.raises(DamagedLibraryError, match=r"holds a take that cannot be read.*make a new library"):
        len(ml.Library(own.path).takes)


def test_files_and_counts_that_make_no_sense_have_a_sentence(own: ml.Library) -> None:
    with sqlite3.connect(own.path / "catalogue.sqlite") as database:
        database.execute("UPDATE files SET path = X'ff' WHERE path LIKE '%kick.npz'")
    with pytest.raises(DamagedLibraryError, match="holds a file that cannot be read"):
        own.check()
    with sqlite3.connect(own.path / "catalogue.sqlite") as database:
        database.execute("UPDATE facts SET value = 'many' WHERE name = 'changes'")
    with pytest.raises(DamagedLibraryError, match="does not count its changes"):
        len(own.takes)


def test_annotations_of_all_takes_are_not_kept_in_memory(own: ml.Library) -> None:
    assert "events" not in str(own._read().rows)
    assert own.take("walk").clip().events


def test_missing_and_short_shards(own: ml.Library) -> None:
    query = own.take("walk").clip()[:30]
    for shard in own.path.glob("points-*.bin"):
        os.truncate(shard, 100)
    with pytest.raises(DamagedLibraryError, match=r"points-0000\.bin was cut short"):
        ml.Library(own.path).search(query)
    for shard in own.path.glob("signatures10-*.bin"):
        shard.unlink()
    with pytest.raises(DamagedLibraryError, match=r"signatures10-0000\.bin is missing or empty"):
        ml.Library(own.path).search(query)


def test_a_catalogue_that_is_none(own: ml.Library) -> None:
    (own.path / "catalogue.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(DamagedLibraryError, match=r"the library is damaged: catalogue\.sqlite"):
        ml.Library(own.path)


def test_two_writers(own: ml.Library, takes_folder: Path) -> None:
    with (
        own._catalogue.lock(),
        pytest.raises(BusyLibraryError, match="another process is changing this library"),
    ):
        ml.Library(own.path).add(takes_folder)
    own.add(takes_folder)


def _add_for_ever(library: str, folder: str) -> None:
    ml.Library(library).add(folder)


@pytest.mark.slow
def test_a_killed_writer_loses_nothing_that_was_reported(takes_folder: Path, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    folder = tmp_path / "many"
    folder.mkdir()
    walk = ml.load(takes_folder / "walk.npz")
    for n in range(40):
        ml.save(walk[n : n + 60], folder / f"part_{n:02d}.npz")
    seen = 0
    for delay in (0.0, 0.2, 0.5):
        process = context.Process(target=_add_for_ever, args=(str(tmp_path / "lib"), str(folder)))
        process.start()
        deadline = time.monotonic() + 60
        while not (tmp_path / "lib" / "poses-0000.bin").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(delay)
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        library = ml.Library(tmp_path / "lib")
        assert library.check() == []
        assert len(library.takes) >= seen
        seen = len(library.takes)
    assert ml.Library(tmp_path / "lib").add(folder).failed == {}
    assert len(library.takes) == 40
    assert library.check() == []
