"""What a library holds as a whole: summary, near-duplicates, compact, export."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom import synthesis
from motionloom.cli.library_contents import make_summary_page
from motionloom.errors import MotionloomError
from motionloom.library.errors import DamagedLibraryError
from motionloom.library.shards import ShardWriter, shard_path
from motionloom.library.summary import SPEED_EDGES, TURN_EDGES, count_changes, label_bins


@pytest.fixture
def own(tmp_path: Path) -> ml.Library:
    """A library that a test may change."""
    for name, clip in {"walk": synthesis.walk(duration=3.0, fps=30), "kick": synthesis.kick(fps=30)}.items():
        ml.save(clip.clip, tmp_path / f"{name}.npz")
    ml.save(synthesis.walk(duration=3.0, fps=30).clip[10:80], tmp_path / "walk_cut.npz")
    made = ml.Library(tmp_path / "takes.library")
    made.add(tmp_path / "*.npz", tags=["mine"], descriptions={"kick": "a, kick"})
    return made


def test_a_walk_is_counted_by_its_speed(library: ml.Library) -> None:
    found = library.summary()
    assert (found.n_takes, len(found.skeletons)) == (5, 1)
    # Walks at 1.4 and 1.8 m/s and a jog, all straight ahead.
    assert found.strides.sum() == found.strides[:, 3].sum() > 5
    assert found.strides[2, 3] > 0
    assert found.loops > 5
    assert found.near_duplicates is None
    assert "5 takes" in str(found)
    assert found.facts()["takes"] == 5


def test_bins_have_labels() -> None:
    assert label_bins(SPEED_EDGES)[0] == "0 to 0.5"
    assert label_bins(TURN_EDGES)[0] == "under -90"


def test_starts_stops_and_turns_are_counted() -> None:
    points = np.zeros((300, 17, 3), np.float32)
    points[:, 0, 0], points[:, 4, 0] = 0.1, -0.1
    ahead = np.clip(np.arange(300) - 100, 0, 100) / 30.0
    points[:, :, 2] += ahead[:, None].astype(np.float32)
    assert count_changes(points) == (1, 1, 0)
    angle = np.radians(np.clip(np.arange(300) - 220, 0, 30) * 4.0)
    points[:, 0, 0], points[:, 0, 2] = 0.1 * np.cos(angle), ahead - 0.1 * np.sin(angle)
    points[:, 4, 0], points[:, 4, 2] = -0.1 * np.cos(angle), ahead + 0.1 * np.sin(angle)
    assert count_changes(points) == (1, 1, 1)
    assert count_changes(points[:10]) == (0, 0, 0)


def test_an_empty_library_has_a_summary(tmp_path: Path) -> None:
    found = ml.Library(tmp_path / "empty.library").summary(near_duplicates=True)
    assert (found.n_takes, found.near_duplicates) == (0, ())
    assert "None." in make_summary_page(found, "empty")


def test_a_cut_of_a_take_is_a_near_duplicate(own: ml.Library) -> None:
    groups = own.near_duplicates()
    assert [{take.name for take in group} for group in groups] == [{"walk", "walk_cut"}]
    page = make_summary_page(own.summary(near_duplicates=True), "<mine>")
    assert "walk, walk_cut" in page
    assert "&lt;mine&gt;" in page


def test_compact_gives_space_back_and_changes_nothing_else(own: ml.Library) -> None:
    kick = own.take("kick").clip()
    assert own.compact() >= 0
    own.remove(["walk"])
    assert own.compact() > 1000
    assert own.check() == []
    np.testing.assert_array_equal(own.take("kick").clip().rotations, kick.rotations)
    # A clip from the library is rotated by up to 4 microradians per joint.
    assert own.search(kick, k=1)[0].distance == pytest.approx(0.0, abs=1e-5)
    own.add(Path(own.files[0].path).parent / "walk.npz")
    assert own.check() == []
    assert len(own.takes) == 3


def test_compact_keeps_a_damaged_library_as_it_is(own: ml.Library) -> None:
    path = shard_path(own.path, "points", 0)
    content = bytearray(path.read_bytes())
    content[10] ^= 1
    path.write_bytes(content)
    with pytest.raises(DamagedLibraryError, match=r"the points of .* are not what was written"):
        own.compact()
    assert len(own.takes) == 3


def test_compact_leaves_nothing_where_the_disk_is_full(
    own: ml.Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(path.name for path in own.path.iterdir())

    def fail(self: ShardWriter) -> None:
        raise MotionloomError("cannot write: no space left")

    monkeypatch.setattr(ShardWriter, "flush", fail)
    with pytest.raises(MotionloomError, match="no space left"):
        own.compact()
    assert sorted(path.name for path in own.path.iterdir()) == before
    assert own.check() == []


def test_export_writes_takes_and_a_table(own: ml.Library, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    paths = own.export(folder, "kick", suffix=".npz")
    assert [path.name for path in paths] == ["kick.npz"]
    assert ml.load(paths[0]).n_frames == own.take("kick").n_frames
    with (folder / "takes.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["take"], row["description"], row["tags"]) == ("kick", "a, kick", "mine")
    with pytest.raises(MotionloomError, match=r"kick\.npz exists"):
        own.export(folder, "kick", suffix=".npz")
    own.export(folder, "kick", suffix=".npz", overwrite=True)


def test_a_damaged_header_has_a_sentence(own: ml.Library) -> None:
    with own._catalogue.change() as database:
        database.execute("UPDATE takes SET header = '{' WHERE name = 'kick'")
    with pytest.raises(DamagedLibraryError, match="a take cannot be summarized"):
        own.summary()


def test_text_that_is_none_has_a_sentence(own: ml.Library) -> None:
    with own._catalogue.change() as database:
        database.execute("UPDATE takes SET name = CAST(x'ff61' AS TEXT)")
    with pytest.raises(DamagedLibraryError, match="the library is damaged"):
        len(own.takes)


def test_signatures_that_do_not_fit_have_a_sentence(own: ml.Library) -> None:
    with own._catalogue.change() as database:
        database.execute("UPDATE takes SET n_points = n_points + 3 WHERE name = 'kick'")
    with pytest.raises(DamagedLibraryError, match="the signatures of kick do not fit its length"):
        own.search(own.take("walk").clip()[:30])


def test_absurd_numbers_of_samples_have_a_sentence(own: ml.Library) -> None:
    with own._catalogue.change() as database:
        database.execute("UPDATE takes SET n_points = 1 << 62 WHERE name = 'kick'")
    with pytest.raises(DamagedLibraryError, match="the signatures of kick do not fit its length"):
        own.near_duplicates()


def test_skeletons_that_are_lost_have_a_sentence(own: ml.Library, tmp_path: Path) -> None:
    with own._catalogue.change() as database:
        # As a damaged index does: what is written is not found again.
        database.execute(
            "CREATE TRIGGER lose AFTER INSERT ON skeletons BEGIN DELETE FROM skeletons WHERE id = new.id; END"
        )
        database.execute("DELETE FROM skeletons")
    ml.save(synthesis.punch(fps=30).clip, tmp_path / "other.npz")
    with pytest.raises(DamagedLibraryError, match="the skeletons do not agree with their index"):
        own.add(tmp_path / "other.npz")
