"""What has to be quick does little: reads, calls, messages and bytes are counted, whatever the clock says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.blending.live_blend import LiveBlend
from motionloom.files import normalize
from motionloom.kernels import compiling
from motionloom.library.catalogue import Catalogue
from motionloom.library.shards import ShardReader
from motionloom.synthesis import jog, kick, walk
from tests.studio.conftest import Page, Studio, built_page, studio

__all__ = ["built_page", "studio"]  # fixtures


@contextmanager
def counted(owner: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Count the calls of a function or method, and of kernels by their names."""
    counts = Counter[str]()
    original: Callable[..., Any] = getattr(owner, name)

    def count(*arguments: Any, **options: Any) -> Any:
        first = arguments[0] if arguments else None
        counts[first.__name__ if isinstance(first, compiling.Kernel) else name] += 1
        return original(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, count)
        yield counts


def test_loading_looks_for_faults_when_somebody_asks_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ml.save(walk(duration=2.0, fps=30).clip, tmp_path / "walk.bvh")
    with (
        counted(normalize, "find_faults", monkeypatch) as calls,
        counted(compiling.Kernel, "__call__", monkeypatch) as kernels,
    ):
        clip = ml.load(path)
        assert calls.total() == 0
        assert kernels.total() < 16
        assert kernels["parse_numbers"] == kernels["rotations_from_channels"] == 1
        for _ in range(3):
            list(clip.source.notes)
        assert calls.total() == 1


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ml.Library:
    folder = tmp_path_factory.mktemp("takes")
    for n, speed in enumerate((1.0, 1.3, 1.6)):
        ml.save(walk(duration=3.0, fps=30, speed=speed).clip, folder / f"walk_{n}.npz")
    made = ml.Library(folder / "takes.library")
    made.add(folder.glob("*.npz"))
    return made


def test_a_search_reads_no_poses_and_makes_few_calls(
    library: ml.Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = kick(fps=30).clip
    few = library.search(query, k=1)
    with (
        counted(Catalogue, "_rows", monkeypatch) as rows,
        counted(ShardReader, "read", monkeypatch) as reads,
        counted(compiling.Kernel, "__call__", monkeypatch) as calls,
    ):
        hits = library.search(query, k=8)
    assert len(hits) > len(few) == 1
    # Whether the library changed, before and after.
    assert rows.total() == 2
    # The signatures of hits, for their limits: points and bounds are read where the file is mapped.
    assert reads.total() == len(hits)
    # However many hits there are. Points, windows and signatures are those of the query.
    own = ("rotate", "fill_windows", "fill_signatures", "sample_bounds", "window_distances", "rank_bounds")
    searching = ("path_bounds", "place_segments")
    assert set(calls) <= {*own, *searching, "world_transforms"}
    assert all(calls[name] == 1 for name in searching)
    assert all(calls[name] <= 2 for name in calls)


def test_a_pose_of_a_live_blend_is_one_call_of_one_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    clips = [ml.annotate(motion(duration=2.0, fps=30).clip) for motion in (walk, jog)]
    live = LiveBlend(ml.register(ml.match_strides(clips)))
    live.step(1 / 60, [0.5, 0.5])
    with (
        counted(compiling.Kernel, "__call__", monkeypatch) as calls,
        counted(compiling.Kernel, "_fit", monkeypatch) as fitted,
    ):
        for _ in range(5):
            live.step(1 / 60, [0.5, 0.5])
    # Its arguments were checked when it was made.
    assert calls.total() == fitted.total() == 0


def test_an_edit_is_one_message_one_evaluation_and_one_fetch(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.wait_for_all()
        recipe = page.state["document"]["items"][2]["recipe"]
        before = dict(page.made)
        page.do(type="set_recipe", item="c3", recipe={**recipe, "weights": [0.2, 0.8]})
        said: list[dict[str, Any]] = []
        while not said or said[-1]["type"] != "finished":
            said.append(page.next())
    kinds = Counter(message["type"] for message in said)
    # Nothing but the clip that changed is made, and what is said of it is small.
    assert {message.get("item") for message in said if message["type"] == "finished"} == {"c3"}
    assert kinds["finished"] == kinds["state"] == 1
    assert sum(len(json.dumps(message)) for message in said) < 8192
    assert {item: page.made[item] == before[item] for item in before} == {"c1": True, "c2": True, "c3": False}
    answer = studio.get(f"/api/clips/{page.made['c3']}")
    # A clip travels once, in one answer, and is kept by the browser.
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    clip = studio.evaluator.evaluate(studio.session.document, "c3").clip
    n_numbers = clip.n_frames * (3 + 7 * len(clip.skeleton.names))
    assert len(answer.content) < 1.25 * 4 * n_numbers + 16384
    assert np.isfinite(n_numbers)
