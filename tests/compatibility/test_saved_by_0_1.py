"""Files that version 0.1 saved open today, and say the same."""

from __future__ import annotations

import json
import shutil
import zipfile
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
    np.testing.assert_allclose(saved.timewarp(u), made.timewarp(u), rtol=0, atol=1e-12)
    assert_same_report(saved, made)


def assert_same_report(saved: ml.RegistrationCurve, made: ml.RegistrationCurve) -> None:
    assert saved.domain == made.domain
    assert saved.settings == made.settings
    assert saved.report.verdict is made.report.verdict
    assert [(match.joint, match.kind) for match in saved.matches] == [
        (match.joint, match.kind) for match in made.matches
    ]


def open_registration(name: str, clips: list[Clip], folder: Path) -> ml.RegistrationCurve:
    """Open a registration of clips that are made again here.

    Processors round sines differently in the last digit, so the hashes of these clips may differ from those
    saved; a copy of the file names theirs. That hashes are computed as in 0.1 is tested on a saved clip.
    """
    with zipfile.ZipFile(HERE / name) as saved, zipfile.ZipFile(folder / name, "w") as copy:
        header = json.loads(saved.read("header.json"))
        for entry, clip in zip(header["clips"], clips, strict=True):
            entry["hash"] = clip.content_hash()
        copy.writestr("header.json", json.dumps(header))
        for array in ("timewarp.npy", "alignment.npy"):
            copy.writestr(array, saved.read(array))
    return ml.load(folder / name, ml.RegistrationCurve, clips=clips)


def test_a_registration_opens(gaits: list[Clip], tmp_path: Path) -> None:
    saved = open_registration("registration-0.1.npz", gaits, tmp_path)
    assert_same_curve(saved, ml.register(gaits))
    with np.load(HERE / "registration-0.1.npz") as file:
        np.testing.assert_array_equal(saved.alignment.control_points, file["alignment"])


def test_a_registration_of_loops_opens(gaits: list[Clip], tmp_path: Path) -> None:
    """Two paths through these loops cost the same to the last digit, and processors choose differently.

    So the curve is compared with the numbers in the file, and with a registration made here only in what both
    paths share.
    """
    loops = [ml.cyclify(clip, cycles=1) for clip in gaits]
    saved = open_registration("loops-0.1.npz", [own.clip for own in loops], tmp_path)
    assert_same_report(saved, ml.register(loops))
    with np.load(HERE / "loops-0.1.npz") as file:
        np.testing.assert_array_equal(saved.timewarp.control_points, file["timewarp"])
        np.testing.assert_array_equal(saved.alignment.control_points, file["alignment"])


def test_a_clip_opens(gaits: list[Clip]) -> None:
    saved, expected = ml.load(HERE / "clip-0.1.npz"), gaits[1][:20]
    assert saved.skeleton == expected.skeleton
    with np.load(HERE / "clip-0.1.npz") as file:
        np.testing.assert_array_equal(saved.rotations, file["rotations"])
        np.testing.assert_array_equal(saved.root_positions, file["root_positions"])
    np.testing.assert_allclose(saved.rotations, expected.rotations, rtol=0, atol=1e-14)
    np.testing.assert_allclose(saved.root_positions, expected.root_positions, rtol=0, atol=1e-14)
    assert saved.constraints == expected.constraints
    assert [(event.label, event.joint) for event in saved.events] == [
        (event.label, event.joint) for event in expected.events
    ]
    assert [event.frame for event in saved.events] == pytest.approx(
        [event.frame for event in expected.events], abs=1e-12
    )


def test_hashes_are_those_of_0_1() -> None:
    """Registrations find their clips by hash: another way to compute it would lose all that were saved."""
    clip = ml.load(HERE / "clip-0.1.npz")
    assert clip.content_hash() == "1c38133056f67c87293e0e01a697b8bf576270cde930553e04bd25b6b399bb63"


def test_annotations_open(gaits: list[Clip]) -> None:
    bare = walk(duration=4.0, fps=30).clip
    assert ml.load_annotations(HERE / "annotations-0.1.json", bare).constraints == gaits[0].constraints


def test_a_warp_opens() -> None:
    warp = ml.warping.Warp.load(HERE / "warp-0.1.json")
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
