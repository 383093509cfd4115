"""Search by example against the distance computed everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom import kernels
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.library import exact_search
from motionloom.library.body_points import sample_points
from motionloom.library.exact_search import (
    Match,
    Query,
    find_cheapest_paths,
    find_matches,
    make_query,
    mirror_query,
)
from motionloom.library.search_index import SearchIndex
from motionloom.library.signatures import SampleRate, make_windows, measure_distances
from motionloom.synthesis import kick as make_kick
from tests.library.conftest import facts
from tests.refusals import refused


def cheapest(distances: FloatArray, weights: FloatArray) -> tuple[FloatArray, np.ndarray]:
    """Return the kernel's costs (n,) and paths (n, m)."""
    return find_cheapest_paths(distances, weights)


def slow_cost(distances: FloatArray, weights: FloatArray, end: int) -> float:
    """Try every path to a sample of the take."""

    def best(i: int, j: int, may_hold: bool) -> float:
        own = float(weights[i] * distances[i, j])
        if i == 0:
            return own
        ways = [best(i - 1, j - advance, True) for advance in (1, 2) if advance <= j]
        if may_hold:
            ways.append(best(i - 1, j, False))
        return own + min(ways, default=np.inf)

    return best(len(weights) - 1, end, True)


@pytest.mark.parametrize("seed", range(5))
def test_the_cheapest_path_is_the_cheapest_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    distances, weights = rng.random((5, 7)), rng.random(5)
    costs, paths = cheapest(distances, weights)
    for end in range(7):
        assert costs[end] == pytest.approx(slow_cost(distances, weights, end))
        if np.isfinite(costs[end]):
            along = sum(weights[i] * distances[i, paths[end, i]] for i in range(5))
            assert along == pytest.approx(costs[end])
            steps = np.diff(paths[end])
            assert paths[end, -1] == end
            assert set(steps.tolist()) <= {0, 1, 2}
            assert not ((steps[1:] == 0) & (steps[:-1] == 0)).any()


def search_everywhere(index: SearchIndex, queries: Sequence[tuple[bool, Query]], k: int) -> list[Match]:
    """Measure every distance and path, and keep the nearest that do not overlap."""
    every = []
    query = queries[0][1]
    for take in range(len(index.rows)):
        windows = make_windows(index.points(take), query.rate)
        for mirrored, form in queries:
            costs, paths = cheapest(measure_distances(form.windows, windows), form.weights)
            ends = np.flatnonzero(np.isfinite(costs))
            every += [Match(take, mirrored, costs[j], paths[j]) for j in ends]
    every.sort(key=lambda match: match.distance)
    kept: list[Match] = []
    for match in every:
        clear = all(
            match.take != other.take
            or match.path[0] - other.path[-1] >= query.gap
            or other.path[0] - match.path[-1] >= query.gap
            for other in kept
        )
        if clear and len(kept) < k:
            kept.append(match)
    return kept


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("rate", [10, 30])
@pytest.mark.parametrize(("name", "start", "end"), [("walk", 10, 50), ("kick", 5, 30), ("punch", 0, 20)])
def test_the_nearest_are_exactly_those_of_the_whole_computation(
    library: ml.Library, name: str, start: int, end: int, rate: SampleRate, mirrored: bool
) -> None:
    index = library._read().index
    points = sample_points(library.take(name).segment(start, end).clip())
    query = make_query(points, rate, index.references)
    forms = [(False, query), (True, mirror_query(points, query))][: 1 + mirrored]
    found = find_matches(index, forms, 12, np.arange(len(index.rows)))
    wanted = search_everywhere(index, forms, 12)
    assert len(found) == len(wanted)
    for got, want in zip(found, wanted, strict=True):
        assert got.distance == pytest.approx(want.distance, abs=1e-9)
        assert (got.take, got.mirrored) == (want.take, want.mirrored)
        assert got.path.tolist() == want.path.tolist()


@pytest.mark.parametrize("change", ["few in order", "many files"])
def test_however_ends_are_visited_the_same_is_found(
    library: ml.Library,
    takes_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: str,
) -> None:
    query = library.take("kick").segment(5, 30).clip()
    want = facts(library.search(query, k=12, mirrored=True))
    if change == "few in order":
        monkeypatch.setattr(exact_search, "FIRST_CANDIDATES", 1)
    else:
        monkeypatch.setattr("motionloom.library.shards.MAX_SHARD", 1)
        library = ml.Library(tmp_path / "own.library")
        library.add(takes_folder)
        assert (library.path / "points-0004.bin").exists()
    assert facts(library.search(query, k=12, mirrored=True))[0] == want[0]


def test_segments_that_are_refused_hide_no_others(library: ml.Library) -> None:
    index = library._read().index
    query = make_query(sample_points(library.take("walk").segment(10, 50).clip()), 10, index.references)
    everything = np.arange(len(index.rows))
    every = find_matches(index, [(False, query)], 12, everything)
    refused = {(every[0].take, every[0].path[0]), (every[2].take, every[2].path[0])}
    seen = []

    def accept(match: Match) -> bool:
        seen.append(match.distance)
        return (match.take, match.path[0]) not in refused

    found = find_matches(index, [(False, query)], 12, everything, accept=accept)
    assert seen == sorted(seen)
    assert not refused & {(match.take, match.path[0]) for match in found}
    # What is nearer than the first one that was refused is found as before.
    assert found[0].distance == every[1].distance
    near = find_matches(index, [(False, query)], 12, everything, max_distance=every[4].distance)
    assert [match.distance for match in near] == [match.distance for match in every[:5]]


def test_a_part_of_a_take_finds_itself(library: ml.Library) -> None:
    hit = library.search(library.take("kick").segment(6, 36).clip(), k=1)[0]
    assert (hit.segment.take.name, hit.segment.start, hit.segment.end) == ("kick", 6, 36)
    assert hit.distance < 1e-4
    assert abs(hit.placement.yaw) < 1e-6
    np.testing.assert_allclose(hit.path[:, 1] - hit.path[:, 0], 6.0, atol=1e-6)


def test_a_segment_does_not_find_itself(library: ml.Library) -> None:
    segment = library.take("kick").segment(6, 36)
    hits = library.search(segment, k=5)
    assert all(
        h.segment.take.id != segment.take.id or h.segment.start >= 36 or h.segment.end <= 6 for h in hits
    )


def test_hits_do_not_overlap_and_are_in_order(library: ml.Library) -> None:
    hits = library.search(library.take("walk").clip()[:30], k=30)
    distances = [hit.distance for hit in hits]
    assert distances == sorted(distances)
    spans = sorted((hit.segment.take.id, hit.segment.start, hit.segment.end) for hit in hits)
    assert all(a[0] != b[0] or a[2] <= b[1] for a, b in pairwise(spans))


def test_mirrored_motion_is_found(library: ml.Library) -> None:
    mirrored = library.take("kick").clip()[6:36].mirrored()
    assert not library.search(mirrored, k=1)[0].segment.mirrored
    hit = library.search(mirrored, k=1, mirrored=True)[0]
    assert hit.segment.mirrored
    assert hit.segment.take.name == "kick"
    assert hit.distance < 1e-4
    placed = hit.clip().placed(hit.placement)
    np.testing.assert_allclose(placed.world_positions(), mirrored.world_positions(), atol=1e-3)


def test_placement_lays_the_hit_on_the_query(library: ml.Library) -> None:
    query = library.take("kick").clip()[6:36].placed(ml.GroundTransform(1.0, 2.0, -3.0))
    hit = library.search(query, k=1)[0]
    placed = hit.clip().placed(hit.placement)
    np.testing.assert_allclose(placed.world_positions(), query.world_positions(), atol=1e-3)


def test_restrictions(library: ml.Library) -> None:
    query = library.take("walk").clip()[:30]
    names = {hit.segment.take.name for hit in library.search(query, k=50, words=["walk"])}
    assert names == {"walk", "walk_fast"}
    assert not library.search(query, k=50, where=lambda take: take.fps > 1000)
    assert all(
        hit.duration >= 1.0 for hit in (h.segment for h in library.search(query, k=50, min_duration=1.0))
    )
    near = library.search(query, k=50, max_distance=0.05)
    assert near
    assert all(hit.distance <= 0.05 for hit in near)


def test_speeds_and_subjects(library: ml.Library, takes_folder: Path, tmp_path: Path) -> None:
    query = library.take("walk").clip()[:30]
    fast = library.search(query, k=50, min_speed=1.6)
    slow = library.search(query, k=50, max_speed=1.6)
    assert fast
    assert slow
    for hit in [*fast, *slow]:
        roots = hit.clip().world_positions()[:, 0, ::2]
        speed = np.linalg.norm(roots[-1] - roots[0]) / hit.segment.duration
        assert (speed > 1.5) if hit in fast.hits else (speed < 1.7)
    named = ml.Library(tmp_path / "named.library")
    named.add(takes_folder / "walk*.npz", tags=["gait"], subjects={"walk": "Ann", "walk_fast": "Bob"})
    assert named.take("walk").tags == ("subject:Ann", "gait")
    assert {hit.segment.take.subject for hit in named.search(query, subjects=["Bob"])} == {"Bob"}
    assert not named.search(query, subjects=["Eve"])
    # Said again, a subject replaces the former one.
    named.add(takes_folder / "walk*.npz", subjects={"walk": "Eve"})
    assert named.take("walk").subject == "Eve"
    with refused("min_speed"):
        named.search(query, min_speed=-1.0)


def test_frequent_poses_count_little(library: ml.Library) -> None:
    index = library._read().index
    kick = sample_points(make_kick(fps=30).clip)
    weights = make_query(kick, 10, index.references).weights
    assert weights.sum() == pytest.approx(1.0)
    middle = len(weights) // 2
    assert weights[middle - 2 : middle + 2].max() > 1.5 * weights[0]


def test_mirroring_keeps_the_weights(library: ml.Library) -> None:
    points = sample_points(library.take("kick").clip())
    query = make_query(points, 10, library._read().index.references)
    assert mirror_query(points, query).weights is query.weights


def test_wrong_queries_are_refused(library: ml.Library, tmp_path: Path) -> None:
    walk = library.take("walk").clip()
    with pytest.raises(ParameterError, match=r"a query has a duration of 0\.33 to 200 s, not 0\.10 s"):
        library.search(walk[:4])
    with pytest.raises(ParameterError, match="rate must be 10 or 30 samples per second, not 20"):
        library.search(walk, rate=20)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="search takes a clip with a skeleton, not a str"):
        library.search("walk.bvh")  # type: ignore[arg-type]
    empty = ml.Library(tmp_path / "empty")
    assert len(empty.search(walk)) == 0


def test_ranges_that_nothing_can_be_in_are_refused(library: ml.Library) -> None:
    with pytest.raises(ParameterError, match=r"max_duration 1 is less than min_duration 3"):
        library.search(library.take("walk").clip()[:30], min_duration=3.0, max_duration=1.0)


def test_a_segment_of_another_library_hides_nothing(
    library: ml.Library, takes_folder: Path, tmp_path: Path
) -> None:
    other = ml.Library(tmp_path / "other.library")
    other.add(takes_folder / "kick.npz")
    # Both are take 1 of their library.
    assert (other.take("kick").id, library.take("jog").id) == (1, 1)
    segment = other.take("kick").segment(6, 36)
    hits, want = library.search(segment, k=40), library.search(segment.clip(), k=40)
    assert [str(hit.segment) for hit in hits] == [str(hit.segment) for hit in want]


def test_bounds_of_long_queries_stay_below_their_distances() -> None:
    # Single precision loses more the more samples are summed: here each is as far away as all others.
    m, distance = 2000, np.float32(1.99)
    query, take = np.zeros((27, m), np.float32), np.zeros(27 * m, np.float32)
    query[16] = distance
    weights, bounds = np.full(m, 1.0 / m), np.empty(m, np.float32)
    zero = np.zeros(1, np.int64)
    kernels.subsequence.path_bounds(
        *(take, zero, np.array([m]), query, weights.astype(np.float32), bounds, zero, 0, 1),
        *(np.empty(27 * m, np.float32), np.empty((5, m), np.float32)),
    )
    assert 0.9998 * distance < bounds[-1] <= distance * weights.sum()


def test_near_hits_probably_are_the_same_motion(library: ml.Library) -> None:
    hits = library.search(library.take("kick").segment(6, 36).clip(), k=20)
    assert [str(hit.segment) for hit in hits.near()] == [
        str(hit.segment) for hit in hits if hit.distance <= hit.limit
    ]
    assert {hit.segment.take.name for hit in hits.near()} == {"kick"}
    assert hits.near().limit == hits.limit
    assert {round(hit.limit, 4) for hit in hits} != {round(hits.limit, 4)}
    # Which takes are searched makes no difference to what is near.
    chosen = library.search(library.take("kick").segment(6, 36).clip(), k=20, words=["kick"])
    assert (chosen.limit, chosen[0].limit) == (hits.limit, hits[0].limit)
    assert chosen[0].distance == hits[0].distance
