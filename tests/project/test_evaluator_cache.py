"""What is made again when a document changes, and what is not."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionloom.project import evaluator
from motionloom.project.cache import Cache
from motionloom.project.edits import RenameItem, SetRecipe
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import FramespaceRecipe, RegistrationRecipe
from tests.project.projects import BLEND, with_recipe


class Counted:
    """Counts the calls of functions of :mod:`motionloom.project.evaluate_recipe`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
        self.calls: list[str] = []
        for name in names:
            monkeypatch.setattr(evaluator, name, self._counting(name, getattr(evaluator, name)))

    def _counting(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*arguments: Any) -> Any:
            self.calls.append(name)
            return function(*arguments)

        return counting


def test_nothing_is_made_twice(evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch, "register_sources", "evaluate_blend")
    document = with_recipe(BLEND)
    first = evaluator.evaluate(document, "c3")
    assert evaluator.evaluate(document, "c3") is first
    assert counted.calls == ["register_sources", "evaluate_blend"]


def test_weights_leave_the_registration_as_it_is(
    evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch, "register_sources")
    document = with_recipe(BLEND)
    for weight in (0.2, 0.4, 0.6):
        recipe = replace(BLEND, weights=(weight, 1.0 - weight), plant=False)
        evaluator.evaluate(SetRecipe(item="c3", recipe=recipe).apply(document), "c3")
    assert counted.calls == ["register_sources"]
    options = RegistrationRecipe(slope_limit=2)
    evaluator.evaluate(with_recipe(replace(BLEND, registration=options)), "c3")
    assert counted.calls == ["register_sources"] * 2


@pytest.mark.slow
def test_a_curve_leaves_its_framespace_as_it_is(
    evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch, "open_framespace")
    for end in (0.3, 0.6):
        recipe = FramespaceRecipe(sources=("c1", "c2"), curve=((0, 0), (1, end)), cycles=2.0)
        evaluator.evaluate(with_recipe(recipe), "c3")
    assert counted.calls == ["open_framespace"]


def test_a_new_name_is_no_new_motion(evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch, "evaluate_blend")
    document = with_recipe(BLEND)
    first = evaluator.evaluate(document, "c3")
    renamed = evaluator.evaluate(RenameItem(item="c3", name="Half / half").apply(document), "c3")
    assert counted.calls == ["evaluate_blend"]
    assert (first.clip.source.path, renamed.clip.source.path) == ("made/made.npz", "made/Half-half.npz")
    assert renamed.clip.rotations is first.clip.rotations
    assert renamed.blend is not None
    assert renamed.blend.clip is renamed.clip


def test_threads_share_what_is_made(evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch, "evaluate_blend")
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda _: evaluator.evaluate(with_recipe(BLEND), "c3"), range(4)))
    assert counted.calls == ["evaluate_blend"]
    assert all(outcome is made[0] for outcome in made)


@pytest.mark.slow
def test_a_small_cache_makes_things_again(tmp_path: Path) -> None:
    evaluator = Evaluator(ProjectFolder(tmp_path), Cache(max_bytes=1))
    first = evaluator.evaluate(with_recipe(BLEND), "c3")
    second = evaluator.evaluate(with_recipe(BLEND), "c3")
    again = evaluator.evaluate(with_recipe(replace(BLEND, weights=(1, 0))), "c3")
    assert second is first
    assert again is not first
    third = evaluator.evaluate(with_recipe(BLEND), "c3").clip
    assert third is not first.clip
    assert np.array_equal(third.rotations, first.clip.rotations)
