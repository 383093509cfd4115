"""What is made again when a document changes, and what is not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionloom.framespace import Framespace
from motionloom.project.cache import Cache
from motionloom.project.edits import RenameItem, SetRecipe
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import BlendRecipe, FramespaceRecipe, RegistrationRecipe
from tests.project.projects import BLEND, with_recipe


class Counted:
    """Counts the calls of methods, by their names and those of their classes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *methods: Callable[..., Any]) -> None:
        self.calls: list[str] = []
        for method in methods:
            kind = sys.modules[method.__module__].__dict__[method.__qualname__.split(".")[0]]
            monkeypatch.setattr(kind, method.__name__, self._counting(method))

    def _counting(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*arguments: Any, **options: Any) -> Any:
            self.calls.append(method.__qualname__)
            return method(*arguments, **options)

        return counting


def test_nothing_is_made_twice(evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch, RegistrationRecipe.register, BlendRecipe.evaluate)
    document = with_recipe(BLEND)
    first = evaluator.evaluate(document, "c3")
    assert evaluator.evaluate(document, "c3") is first
    assert counted.calls == ["BlendRecipe.evaluate", "RegistrationRecipe.register"]


def test_weights_leave_the_registration_as_it_is(
    evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch, RegistrationRecipe.register)
    document = with_recipe(BLEND)
    for weight in (0.2, 0.4, 0.6):
        recipe = replace(BLEND, weights=(weight, 1.0 - weight), plant=False)
        evaluator.evaluate(SetRecipe(item="c3", recipe=recipe).apply(document), "c3")
    assert len(counted.calls) == 1
    options = RegistrationRecipe(slope_limit=2)
    evaluator.evaluate(with_recipe(replace(BLEND, registration=options)), "c3")
    assert len(counted.calls) == 2


@pytest.mark.slow
def test_a_curve_leaves_its_framespace_as_it_is(
    evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch, Framespace.__init__)
    for end in (0.3, 0.6):
        recipe = FramespaceRecipe(sources=("c1", "c2"), curve=((0, 0), (1, end)), cycles=2.0)
        evaluator.evaluate(with_recipe(recipe), "c3")
    assert counted.calls == ["Framespace.__init__"]


def test_a_new_name_is_no_new_motion(evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch, BlendRecipe.evaluate)
    document = with_recipe(BLEND)
    first = evaluator.evaluate(document, "c3")
    renamed = evaluator.evaluate(RenameItem(item="c3", name="Half / half").apply(document), "c3")
    assert len(counted.calls) == 1
    assert (first.clip.source.path, renamed.clip.source.path) == ("made/made.npz", "made/Half-half.npz")
    assert renamed.clip.rotations is first.clip.rotations
    assert renamed.blend is not None
    assert renamed.blend.clip is renamed.clip


def test_threads_share_what_is_made(evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch, BlendRecipe.evaluate)
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda _: evaluator.evaluate(with_recipe(BLEND), "c3"), range(4)))
    assert len(counted.calls) == 1
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
