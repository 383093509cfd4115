"""Searches in which hits become queries."""

from __future__ import annotations

import numpy as np
import pytest

import motionloom as ml
from tests.refusals import refused


def test_one_step_of_several_is_the_search_itself(library: ml.Library) -> None:
    query = library.take("walk").clip()[:25]
    plain = library.search(query, k=50, max_distance=0.08)
    first = [hit for hit in library.search(query, k=50, max_distance=0.08, steps=2) if hit.steps == 1]
    assert len(first) == len(plain)
    for hit, want in zip(first, plain, strict=True):
        assert (hit.segment.take, hit.segment.start, hit.distance) == pytest.approx(
            (want.segment.take, want.segment.start, want.distance)
        )


def test_more_steps_find_more_and_stay_near(library: ml.Library) -> None:
    query = library.take("walk").segment(0, 25)
    counts = [len(library.search(query, k=50, max_distance=0.06, steps=steps)) for steps in (1, 2, 3)]
    assert counts == sorted(counts)
    hits = library.search(query, k=50, max_distance=0.06, steps=3)
    distances = [hit.distance for hit in hits]
    assert distances == sorted(distances)
    assert max(distances) <= 1.5 * 0.06 + 1e-9
    assert {edge.found for edge in hits.edges} == set(range(len(hits)))
    assert all(-1 <= edge.found_by < len(hits) for edge in hits.edges)
    few = library.search(query, k=1, max_distance=0.06, steps=3)
    assert {edge.found for edge in few.edges} == {0}


def test_alignments_compose(library: ml.Library) -> None:
    query = library.take("walk").segment(0, 25)
    for hit in library.search(query, k=50, max_distance=0.06, steps=3):
        steps = np.diff(hit.path[:, 1])
        assert (steps >= 0.0).all()
        assert hit.segment.start <= hit.path[0, 1] <= hit.path[-1, 1] <= hit.segment.end


def test_hits_that_are_too_short_to_be_queries_find_nothing(library: ml.Library) -> None:
    # Three samples; what is twice as fast has two.
    hits = library.search(library.take("walk").clip()[:11], steps=3, k=50, max_distance=0.3)
    assert len(hits) > 10


def test_parts_of_hits_keep_who_found_whom(library: ml.Library) -> None:
    hits = library.search(library.take("walk").segment(0, 25), k=50, max_distance=0.06, steps=3)
    part = hits[1:4]
    found = [(hits[e.found_by] if e.found_by >= 0 else None, hits[e.found]) for e in hits.edges]
    kept = [(part[e.found_by] if e.found_by >= 0 else None, part[e.found]) for e in part.edges]
    assert kept
    assert kept == [(a, b) for a, b in found if (a is None or a in part) and b in part]


def test_more_than_three_steps_are_refused(library: ml.Library) -> None:
    with refused("steps", 4):
        library.search(library.take("walk").clip(), steps=4)


def test_hits_of_other_lengths_become_queries_too(library: ml.Library) -> None:
    # A faster walk needs fewer samples than the query, a slower one more.
    query = library.take("walk_fast").clip()[:40]
    hits = library.search(query, k=50, max_distance=0.1, steps=3, mirrored=True)
    assert {hit.steps for hit in hits} >= {1, 2}
    assert {hit.segment.take.name for hit in hits if hit.steps == 2} >= {"walk", "walk_fast"}
    for n, hit in enumerate(hits):
        for other in hits[:n]:
            if hit.segment.take == other.segment.take:
                shared = min(hit.segment.end, other.segment.end) - max(hit.segment.start, other.segment.start)
                shorter = min(h.segment.end - h.segment.start for h in (hit, other))
                assert shared <= 0.5 * shorter


def test_steps_do_not_add_up_to_another_speed(library: ml.Library) -> None:
    query = library.take("walk_fast").clip()[:70]
    for hit in library.search(query, k=50, max_distance=0.25, steps=3, mirrored=True):
        passed = hit.path[-1, 1] - hit.path[0, 1]
        seconds = passed * hit.segment.take.frame_time
        assert 0.5 <= seconds / ((hit.path[-1, 0] - hit.path[0, 0]) * query.frame_time) <= 2.0
