"""A small library of built-in motions, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

import motionloom as ml
from motionloom import synthesis
from motionloom.motion import Clip


def motions() -> dict[str, Clip]:
    """Return short motions that differ: gaits at three speeds, and actions."""
    return {
        "walk": synthesis.walk(duration=4.0, fps=30).clip,
        "walk_fast": synthesis.walk(duration=3.0, fps=60, speed=1.8).clip,
        "jog": synthesis.jog(duration=3.0, fps=30).clip,
        "kick": synthesis.kick(fps=30).clip,
        "punch": synthesis.punch(fps=30).clip,
    }


def facts(hits: ml.library.Hits) -> list[object]:
    """Return everything that two searches must agree on, to the last digit."""
    each = [
        (str(h.segment), h.distance, h.path.tolist(), h.placement, h.steps, h.segment.take.files)
        for h in hits
    ]
    return [each, hits.spread, hits.limit, hits.edges]


@pytest.fixture(scope="session")
def takes_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files, one of them a copy and one of them broken."""
    folder = tmp_path_factory.mktemp("takes")
    for name, clip in motions().items():
        ml.save(clip, folder / f"{name}.npz")
    (folder / "kick_copy.npz").write_bytes((folder / "kick.npz").read_bytes())
    (folder / "broken.bvh").write_text("HIERARCHY\nROOT")
    return folder


@pytest.fixture(scope="session")
def library(takes_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> ml.Library:
    """The library of that folder; tests that change a library make their own."""
    made = ml.Library(tmp_path_factory.mktemp("made") / "takes.library")
    made.add(takes_folder, tags=["built-in"], descriptions={"kick": "a front kick"})
    return made
