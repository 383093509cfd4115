"""Files that version 0.1 saved open today, and say the same."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.motion import Clip
from motionloom.project.document import Item
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import BlendRecipe, Recipe
from motionloom.synthesis import jog, walk
from tests.project.projects import everything

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def gaits() -> list[Clip]:
    return [
        ml.annotate(walk(duration=4.0, fps=30).clip),
        ml.annotate(jog(duration=3.0, phase=0.4, curvature=0.2, fps=30).clip),
    ]


def assert_same_curve(saved: ml.RegistrationCurve, made: ml.RegistrationCurve) -> None:
    u = np.linspace(*made.domain, 50)
    assert saved.domain == made.domain
    np.testing.assert_allclose(saved.timewarp(u), made.timewarp(u), rtol=0, atol=1e-12)
    assert saved.settings == made.settings
    assert saved.report.verdict is made.report.verdict
    assert [(match.joint, match.kind) for match in saved.matches] == [
        (match.joint, match.kind) for match in made.matches
    ]


def test_a_registration_opens(gaits: list[Clip]) -> None:
    saved = ml.load_registration(HERE / "registration-0.1.npz", gaits)
    assert_same_curve(saved, ml.register(gaits))
    with np.load(HERE / "registration-0.1.npz") as file:
        np.testing.assert_array_equal(saved.alignment.control_points, file["alignment"])


def test_a_registration_of_loops_opens(gaits: list[Clip]) -> None:
    loops = [ml.cyclify(clip, cycles=1) for clip in gaits]
    saved, made = ml.load_registration(HERE / "loops-0.1.npz", loops), ml.register(loops)
    assert_same_curve(saved, made)
    u = np.linspace(*made.domain, 50)
    np.testing.assert_allclose(saved.alignment(u), made.alignment(u), rtol=0, atol=1e-12)


def test_a_clip_opens(gaits: list[Clip]) -> None:
    saved, expected = ml.load(HERE / "clip-0.1.npz"), gaits[1][:20]
    assert saved.skeleton == expected.skeleton
    np.testing.assert_array_equal(saved.rotations, expected.rotations)
    np.testing.assert_array_equal(saved.root_positions, expected.root_positions)
    assert saved.constraints == expected.constraints
    assert saved.events == expected.events


def test_annotations_open(gaits: list[Clip]) -> None:
    bare = walk(duration=4.0, fps=30).clip
    assert ml.load_annotations(HERE / "annotations-0.1.json", bare).constraints == gaits[0].constraints


def test_a_warp_opens() -> None:
    warp = ml.Warp.load(HERE / "warp-0.1.json")
    assert [(key.time, key.joint, key.ease) for key in warp.keys] == [
        (0.6, "LeftLeg", 0.7),
        (1.0, "RightHand", 0.3),
    ]
    assert [keys.pairs for keys in warp.times] == [((0.6, 0.9),)]


def test_a_project_opens(tmp_path: Path) -> None:
    shutil.copy(HERE / "project-0.1.json", tmp_path / "project.json")
    # Clean-up, root motion, the rate law "auto" and windowed alignment came later: a project of 0.1 has none.
    # It had eight colours.
    known = [
        replace(
            item,
            edit=replace(item.edit, repair=False, smooth=None, root_motion=None),
            recipe=_at_0_1(item),
            colour=item.colour % 8,
        )
        for item in everything().items
    ]
    assert ProjectFolder(tmp_path).load() == replace(everything(), items=tuple(known))


def _at_0_1(item: Item) -> Recipe:
    recipe = item.recipe
    if isinstance(recipe, BlendRecipe) and recipe.rate_law == "auto":
        recipe = replace(recipe, rate_law="frequency")
    if isinstance(recipe, BlendRecipe) and recipe.registration is not None:
        return replace(recipe, registration=replace(recipe.registration, alignment="auto"))
    return recipe
