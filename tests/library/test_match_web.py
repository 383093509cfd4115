"""All pairs of segments that run alongside each other."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom import kernels
from motionloom.errors import FileExistsRefusal, FileFormatError, MotionloomError, ParameterError
from motionloom.library import match_web, web_file
from motionloom.library.errors import DamagedLibraryError
from motionloom.library.signatures import make_windows, measure_distances


def test_minima_are_those_of_all_distances(library: ml.Library) -> None:
    index = library._read().index
    names = [row.name for row in index.rows]
    block = match_web._TakeBlock(index, [names.index("jog"), names.index("walk")], 10)
    windows = [make_windows(index.points(n), 10) for n in range(len(names))]
    grid = np.pad(
        measure_distances(windows[names.index("walk")], windows[names.index("jog")]),
        1,
        constant_values=np.inf,
    )
    want = {
        (i, j)
        for i in range(grid.shape[0] - 2)
        for j in range(grid.shape[1] - 2)
        if (value := grid[i + 1, j + 1]) <= 0.12
        and (
            (value < grid[i + 1, j] and value <= grid[i + 1, j + 2])
            or (value < grid[i, j + 1] and value <= grid[i + 2, j + 1])
        )
    }
    cells, distances = match_web._find_minima(block, 1, block, 0, 0.12, -1)
    assert set(map(tuple, cells.tolist())) == want
    assert len(want) > 5
    np.testing.assert_allclose(distances, grid[cells[:, 0] + 1, cells[:, 1] + 1], rtol=1e-9)


def test_minima_do_not_depend_on_how_many_rows_are_searched_at_once(
    library: ml.Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = library.match_web()
    monkeypatch.setattr(match_web, "MAX_CELLS", 1)
    by_rows = library.match_web()
    np.testing.assert_array_equal(whole.cells, by_rows.cells)


def test_chains_follow_minima_and_bridge_one() -> None:
    cells = np.array([[0, 0], [1, 1], [1, 5], [2, 2], [4, 4], [9, 9]])
    order, starts = np.empty(6, np.int64), np.empty(7, np.int64)
    visited = np.empty(6, np.bool_)
    assert kernels.match_web.chain_minima(cells, np.ones(6), 3, visited, order, starts) == 1
    assert order[: starts[1]].tolist() == [0, 1, 3, 4]


def test_links_are_near_and_last(library: ml.Library) -> None:
    web = library.match_web(max_distance=0.1, min_duration=0.6)
    assert len(web) > 3
    for link in web:
        assert link.distances.max() <= 0.1
        assert (np.diff(link.path, axis=0) >= 0).all()
        assert min(link.a.duration, link.b.duration) >= 0.6 - 1e-9
    means = [link.distance for link in web]
    assert means == sorted(means)
    # A steady walk runs alongside itself, one stride later.
    assert any(link.a.take.name == link.b.take.name == "walk" for link in web)


def test_what_runs_alongside_a_segment(library: ml.Library) -> None:
    web = library.match_web("walk")
    link = max(web, key=lambda each: each.a.duration)
    inner = link.a.take.segment(link.a.start + 2, link.a.end - 2)
    others = web.links_of(inner)
    assert any(segment.take == link.b.take for segment, _ in others)
    assert all(segment.duration > 0.3 * inner.duration for segment, _ in others)
    assert web.links_of(library.take("kick").segment()) == []


def test_blocks_in_any_order_give_the_same_web(library: ml.Library, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = library.match_web()
    monkeypatch.setattr(match_web, "BLOCK_SAMPLES", 1)
    calls: list[tuple[int, int]] = []
    with ThreadPoolExecutor(3) as executor:
        divided = library.match_web(executor=executor, progress=lambda *done: calls.append(done))
    for name in ("pairs", "starts", "cells", "distances"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(divided, name))
    assert calls[-1] == (15, 15)


def test_links_are_counted_from_the_end_too(library: ml.Library) -> None:
    web = library.match_web()
    assert str(web[-1]) == str(list(web)[-1])
    with pytest.raises(IndexError):
        web[len(web)]


@pytest.mark.slow
def test_damage_that_another_process_finds_has_its_sentence(
    library: ml.Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_web, "BLOCK_SAMPLES", 1)
    shutil.copytree(library.path, tmp_path / "own.library")
    os.truncate(tmp_path / "own.library" / "points-0000.bin", 100)
    with pytest.raises(DamagedLibraryError, match=r"points-0000\.bin was cut short"):
        ml.Library(tmp_path / "own.library").match_web(jobs=2)


def test_takes_that_are_removed_meanwhile_are_not_in_the_web(library: ml.Library, tmp_path: Path) -> None:
    shutil.copytree(library.path, tmp_path / "own.library")
    own, other = ml.Library(tmp_path / "own.library"), ml.Library(tmp_path / "own.library")
    ml.save(own.take("jog").clip()[7:], tmp_path / "part.npz")

    def replace_a_take(done: int, n_blocks: int) -> None:
        if "walk_fast" in [take.name for take in other.takes]:
            other.remove(["walk_fast"])
            other.add(tmp_path / "part.npz")

    names = {take.name for take in own.match_web(progress=replace_a_take).takes}
    assert names == {"jog", "kick", "part", "punch", "walk"}


def test_a_web_in_a_file_is_the_one_in_memory(
    library: ml.Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_file, "CELLS_AT_ONCE", 7)
    monkeypatch.setattr(match_web, "BLOCK_SAMPLES", 1)
    want = library.match_web()
    found = library.match_web(file=tmp_path / "takes.web")
    for web in (found, library.open_web(tmp_path / "takes.web")):
        for name in ("pairs", "starts", "cells", "distances"):
            np.testing.assert_array_equal(getattr(web, name), getattr(want, name))
        assert (web.takes, web.rate) == (want.takes, want.rate)
        assert str(web[3]) == str(want[3])
    assert [path.name for path in tmp_path.iterdir()] == ["takes.web"]
    few = library.match_web("walk", file=tmp_path / "few.web")
    assert [take.name for take in few.takes] == ["walk", "walk_fast"]
    np.testing.assert_array_equal(few.pairs, library.match_web("walk").pairs)
    assert len(library.match_web("no such word", file=tmp_path / "none.web")) == 0


def test_the_cells_of_a_web_in_a_file_are_not_in_memory(library: ml.Library, tmp_path: Path) -> None:
    web = library.match_web(file=tmp_path / "takes.web")
    assert all(not array.flags.owndata and not array.flags.writeable for array in (web.cells, web.distances))
    size = (tmp_path / "takes.web").stat().st_size
    assert size < 8 * (3 * len(web.cells) + 3 * len(web) + 1) + 2048


def test_files_that_hold_no_web_of_this_library_have_a_sentence(library: ml.Library, tmp_path: Path) -> None:
    file, other = tmp_path / "takes.web", ml.Library(tmp_path / "other.library")
    library.match_web(file=file)
    with pytest.raises(FileExistsRefusal):
        library.match_web(file=file)
    assert len(library.match_web(file=file, overwrite=True)) > 0
    with pytest.raises(MotionloomError, match=r"the folder .* does not exist"):
        library.match_web(file=tmp_path / "no" / "takes.web")
    with pytest.raises(FileFormatError, match="holds a web of other takes"):
        other.open_web(file)
    content = file.read_bytes()
    for damaged, sentence in {
        content[:-8]: "was cut short",
        b"{}\n" + content: "is no match web",
        content.replace(b'"version": 1', b'"version": 9'): "one of another version",
        content.replace(b'"rate": 10', b'"rate": 99'): "is damaged",
    }.items():
        file.write_bytes(damaged)
        with pytest.raises(FileFormatError, match=sentence):
            library.open_web(file)


def test_nothing_alongside(library: ml.Library) -> None:
    assert len(library.match_web("no such word")) == 0
    assert len(library.match_web(max_distance=0.0)) == 0
    assert "0 links" in repr(library.match_web("no such word"))


def test_bad_values_are_named(library: ml.Library) -> None:
    with pytest.raises(ParameterError, match="rate must be 10 or 30"):
        library.match_web(rate=15)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="max_distance"):
        library.match_web(max_distance=-1.0)
