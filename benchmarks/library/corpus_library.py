"""The library that all of these benchmarks search: the 910 takes, added once and kept."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus

FOLDER = MOCAP / "library"
PART = ""
"""The folder in it whose takes are added; all by default."""

NAME = "motionloom-benchmark.library"
SMALL = {"PART": "02", "NAME": "motionloom-benchmark-small.library"}


def read_descriptions() -> dict[str, str]:
    """Return the sentence for each take."""
    with (FOLDER / "takes.csv").open(encoding="utf-8", newline="") as file:
        return {row["take"]: row["description"] for row in csv.DictReader(file)}


def open_library(path: Path | None = None, jobs: int = 2) -> ml.Library:
    """Open the library of all takes; where there is none, make it (about a minute)."""
    need_corpus()
    library = ml.Library(path or Path(tempfile.gettempdir()) / NAME)
    if len(library.files) < sum(1 for _ in (FOLDER / PART).rglob("*.bvh")):
        library.add(FOLDER / PART, descriptions=read_descriptions(), jobs=jobs)
    return library
