from __future__ import annotations

from motionloom.project.cache import Cache, size_of
from motionloom.synthesis import stand


def test_the_least_used_goes_first() -> None:
    cache = Cache(most_bytes=100)
    cache.put("a", 1, 40)
    cache.put("b", 2, 40)
    assert cache.get("a") == 1
    cache.put("c", 3, 40)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)


def test_what_is_put_again_counts_once() -> None:
    cache = Cache(most_bytes=100)
    cache.put("a", 1, 90)
    cache.put("a", 2, 40)
    cache.put("b", 3, 50)
    assert (cache.get("a"), cache.get("b")) == (2, 3)


def test_the_newest_stays_however_large() -> None:
    cache = Cache(most_bytes=100)
    cache.put("small", 1, 1)
    cache.put("huge", 2, 10_000)
    assert ("small" in cache, "huge" in cache) == (False, True)


def test_clips_count_with_what_is_computed_of_them() -> None:
    clip = stand(duration=1.0, fps=10).clip
    assert size_of(clip) == 11 * 8 * (3 + 22 * 4 + 22 * 7)
    assert size_of(clip, None, clip) == 2 * size_of(clip)
    assert size_of() == 0
