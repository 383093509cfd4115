from __future__ import annotations

import numpy as np
import pytest

from motionloom.studio.pack_cache import PackCache
from motionloom.studio.packing import unpacked
from tests.studio.conftest import Page, Studio, small_document


@pytest.mark.parametrize("key", ["none", "..%2f..%2fproject.json", "x" * 5000, "%00"])
def test_a_key_that_nothing_has_is_an_error(studio: Studio, key: str) -> None:
    answer = studio.get(f"/api/clips/{key}")
    assert 400 <= answer.status_code < 500
    assert isinstance(answer.json()["error"], str)


def test_what_is_fetched_is_what_the_library_makes(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.wait_for_all()
    assert page.failed == {}
    for item, key in page.made.items():
        answer = studio.get(f"/api/clips/{key}")
        assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
        _, arrays = unpacked(answer.content)
        truth = studio.evaluator.outcome(small_document(), item).clip.world_positions()
        np.testing.assert_array_equal(arrays["positions"], truth.astype(np.float32))


def test_a_pack_that_was_thrown_away_is_made_again(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.wait_for_all()
    first = studio.get(f"/api/clips/{page.made['c1']}").content
    monkeypatch.setattr(studio.session._maker, "packs", PackCache())
    assert studio.get(f"/api/clips/{page.made['c1']}").content == first


def test_a_motion_that_is_gone_says_so(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.wait_for_all()
        old = page.made["c3"]
        recipe = page.state["document"]["items"][2]["recipe"]
        page.do(type="set_recipe", item="c3", recipe={**recipe, "weights": [0.2, 0.8]})
        page.expect("made", item="c3")
    assert studio.get(f"/api/clips/{old}").status_code == 200, "a page may be a moment behind"
    monkeypatch.setattr(studio.session._maker, "packs", PackCache())
    answer = studio.get(f"/api/clips/{old}")
    assert answer.status_code == 400
    assert answer.json() == {"error": "there is no such motion any more: the clip has changed since"}
