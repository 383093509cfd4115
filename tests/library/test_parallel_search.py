"""Many queries at once, here and in other processes."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import motionloom as ml
from motionloom.errors import MotionloomError, ParameterError
from motionloom.library.library_state import open_state
from tests.library.conftest import facts


@pytest.fixture
def queries(library: ml.Library) -> list[ml.Clip | ml.Segment]:
    """A clip, a segment of the library, and a mirrored one."""
    kick = library.take("kick")
    return [library.take("walk").clip()[:25], kick.segment(6, 36), kick.segment(6, 36, mirrored=True)]


def test_many_queries_find_what_each_finds(library: ml.Library, queries: list[ml.Clip | ml.Segment]) -> None:
    calls: list[tuple[int, int]] = []
    found = library.search_all(queries, k=6, mirrored=True, progress=lambda *done: calls.append(done))
    assert calls == [(1, 3), (2, 3), (3, 3)]
    for query, hits in zip(queries, found, strict=True):
        assert facts(hits) == facts(library.search(query, k=6, mirrored=True))
    assert library.search_all([]) == []


def test_an_executor_finds_the_same(library: ml.Library, queries: list[ml.Clip | ml.Segment]) -> None:
    with ThreadPoolExecutor(2) as executor:
        found = library.search_all(queries, k=9, words=["walk"], max_distance=0.2, steps=2, executor=executor)
        steps = library.search(queries[0], k=50, max_distance=0.06, steps=3, executor=executor)
    for query, hits in zip(queries, found, strict=True):
        assert facts(hits) == facts(library.search(query, k=9, words=["walk"], max_distance=0.2, steps=2))
    assert facts(steps) == facts(library.search(queries[0], k=50, max_distance=0.06, steps=3))


@pytest.mark.slow
def test_processes_find_the_same(library: ml.Library, queries: list[ml.Clip | ml.Segment]) -> None:
    found = library.search_all(queries, k=6, jobs=2)
    assert [facts(hits) for hits in found] == [facts(hits) for hits in library.search_all(queries, k=6)]
    short = library.take("walk").clip()[:4]
    with pytest.raises(
        ParameterError, match=r"query 2: a query has a duration of 0\.33 to 200 s, not 0\.10 s"
    ):
        library.search_all([queries[0], short], jobs=2)


def test_takes_that_come_meanwhile_are_not_searched(
    library: ml.Library, queries: list[ml.Clip | ml.Segment], tmp_path: Path
) -> None:
    shutil.copytree(library.path, tmp_path / "own.library")
    own = ml.Library(tmp_path / "own.library")
    name = own._read().name
    ml.save(own.take("jog").clip()[7:], tmp_path / "part.npz")
    own.add(tmp_path / "part.npz")
    # Another process opens what was there when the search began.
    assert [take.name for take in open_state(name).takes] == [take.name for take in library.takes]
    own.remove(["kick"])
    open_state.cache_clear()
    with pytest.raises(MotionloomError, match="were removed meanwhile: try again"):
        open_state(name)


def test_a_search_begins_anew_where_takes_are_removed_meanwhile(
    library: ml.Library, queries: list[ml.Clip | ml.Segment], tmp_path: Path
) -> None:
    shutil.copytree(library.path, tmp_path / "own.library")
    own, other = ml.Library(tmp_path / "own.library"), ml.Library(tmp_path / "own.library")
    ml.save(own.take("jog").clip()[7:], tmp_path / "part.npz")

    def replace_a_take(done: int, n_queries: int) -> None:
        if "walk_fast" in [take.name for take in other.takes]:
            other.remove(["walk_fast"])
            other.add(tmp_path / "part.npz")
            other.compact()

    found = own.search_all(queries[:1], k=50, progress=replace_a_take)
    assert {hit.segment.take.name for hit in found[0]} == {"jog", "kick", "part", "punch", "walk"}
    assert facts(found[0]) == facts(other.search(queries[0], k=50))
