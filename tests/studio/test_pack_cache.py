from __future__ import annotations

from motionloom.studio.pack_cache import PackCache


def test_what_is_not_kept_is_none() -> None:
    assert PackCache().get("key") is None


def test_what_was_used_longest_ago_goes_first() -> None:
    packs = PackCache(most_bytes=6)
    for key in "abc":
        packs.put(key, b"12")
    packs.get("a")
    packs.put("d", b"12")
    assert [key for key in "abcd" if packs.get(key)] == ["a", "c", "d"]


def test_a_key_that_is_put_again_counts_once() -> None:
    packs = PackCache(most_bytes=4)
    packs.put("a", b"1")
    for _ in range(10):
        packs.put("b", b"123")
    assert packs.get("a") == b"1"


def test_the_last_is_kept_even_if_it_is_too_large() -> None:
    packs = PackCache(most_bytes=1)
    packs.put("large", b"123")
    assert packs.get("large") == b"123"
