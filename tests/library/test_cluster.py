"""Adding and comparing on a Dask cluster of separate processes."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import MissingPackageError, MotionloomError
from motionloom.jobs.parallel import connect_scheduler
from motionloom.library import match_web
from tests.library.conftest import facts

has_dask = importlib.util.find_spec("distributed") is not None
needs_dask = pytest.mark.skipif(not has_dask, reason="needs Dask: pip install 'motionloom[dask]'")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two workers, each a process of its own."""
    with import_module("distributed").LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


@pytest.mark.skipif(has_dask, reason="Dask is installed")
def test_without_dask_the_extra_is_named() -> None:
    with (
        pytest.raises(MissingPackageError, match=r"motionloom\[dask\]"),
        connect_scheduler("tcp://localhost:1"),
    ):
        pass


@needs_dask
def test_no_scheduler_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("motionloom.jobs.parallel.TIMEOUT", 0.5)
    with (
        pytest.raises(MotionloomError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        connect_scheduler("tcp://127.0.0.1:9"),
    ):
        pass


@needs_dask
@pytest.mark.slow
def test_a_cluster_gives_what_one_process_gives(
    cluster: Any, library: ml.Library, takes_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_web, "BLOCK_SAMPLES", 1)
    far = ml.Library(tmp_path / "far.library")
    with connect_scheduler(cluster.scheduler_address) as executor:
        report = far.add(takes_folder, tags=["built-in"], executor=executor)
        workers = [worker.process.process for worker in cluster.workers.values()]

        def kill_one(done: int, _: int) -> None:
            # A worker that ends in the middle costs only what it was doing. Dask ends it on its event loop:
            # this thread has none when a test before this one has closed it.
            if done and workers:
                cluster.loop.add_callback(workers.pop().kill)
                workers.clear()

        web = far.match_web(executor=executor, progress=kill_one)
        queries: list[ml.Clip | ml.Segment] = [
            library.take("walk").clip()[:25],
            far.take("kick").segment(6, 36),
        ]
        many = far.search_all(queries, k=5, mirrored=True, executor=executor)
        fast = library.take("walk_fast").clip()[:40]
        in_steps = far.search(fast, k=50, max_distance=0.1, steps=2, mirrored=True, executor=executor)
    assert not workers
    for query, hits in zip(queries, many, strict=True):
        assert facts(hits) == facts(far.search(query, k=5, mirrored=True))
    assert facts(in_steps) == facts(far.search(fast, k=50, max_distance=0.1, steps=2, mirrored=True))
    assert {hit.steps for hit in in_steps} >= {1, 2}
    assert (len(report.added), len(report.copies), len(report.failed)) == (5, 1, 1)
    assert {take.name for take in far.takes} == {take.name for take in library.takes}
    for take in library.takes:
        np.testing.assert_array_equal(far.take(take.name).clip().rotations, take.clip().rotations)
    ours = {(str(link.a), str(link.b)): link.distance for link in library.match_web()}
    theirs = {(str(link.a), str(link.b)): link.distance for link in web}
    assert len(ours) == len(theirs) > 3
    near = sorted(ours.values())
    np.testing.assert_allclose(near, sorted(theirs.values()), atol=1e-9)
