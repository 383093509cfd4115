"""Sets of captured takes, and the graphs of them, read from a file where one was built before."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.library.corpus_library import read_descriptions
from motionloom.graphs.graph import MotionGraph
from motionloom.motion import Clip

GAITS = re.compile("walk|run|turn|jog|veer")
"""Words in the descriptions of the takes that are joined. Descriptions with capitals do not count: with the
others, "several" has ten minutes."""

ACTIONS = re.compile("walk|kick|sit|stand", re.IGNORECASE)
"""Words of the takes that walk to a place and do something there."""

TAGS = ("walk", "run", "kick", "sit", "stand")
"""Words of descriptions that become tags; whoever jogs runs."""

MIN_SECONDS = 2.0
"""Shorter takes have hardly a frame that is farther than one transition from both ends."""


@dataclass(frozen=True)
class TakeSet:
    """Takes with their names and tags, as `MotionGraph` takes them."""

    clips: list[Clip]
    names: list[str]
    tags: list[list[str]]

    @property
    def duration(self) -> float:
        """Seconds of all takes."""
        return sum(clip.duration for clip in self.clips)

    def pick(self, numbers: list[int]) -> TakeSet:
        """Return some of the takes."""
        return TakeSet(
            [self.clips[n] for n in numbers],
            [self.names[n] for n in numbers],
            [self.tags[n] for n in numbers],
        )

    def spread(self, count: int) -> TakeSet:
        """Return takes that are evenly spread over all, so that few of them are of several subjects too."""
        n_all = len(self.clips)
        return self.pick([int(n) for n in np.linspace(0, n_all - 1, min(count, n_all)).round()])

    def build(self, *, density: int | None = None, jobs: int = 1) -> MotionGraph:
        """Return the graph of the takes; a density of None is the library's own."""
        build = MotionGraph if density is None else partial(MotionGraph, density=density)
        return build(self.clips, names=self.names, tags=self.tags, jobs=jobs)


def load_takes(which: str, words: re.Pattern[str] = GAITS) -> TakeSet:
    """Return the takes of a set whose descriptions hold one of the words.

    Sets are "several" (all subjects), "one" (subject 16, and its mirror images), or the number of a subject.
    """
    need_corpus()
    subject = {"several": None, "one": "16"}.get(which, which)
    clips, names, tags = list[Clip](), list[str](), list[list[str]]()
    for name, description in sorted(read_descriptions().items()):
        own = name.split("_")[0]
        if not words.search(description) or subject not in (None, own):
            continue
        clip = ml.load(MOCAP / "library" / own / f"{name}.bvh")
        if clip.duration < MIN_SECONDS:
            continue
        clips.append(clip)
        names.append(name)
        text = description.lower().replace("jog", "run")
        tags.append([tag for tag in TAGS if tag in text] or ["walk"])
    if not clips:
        raise SystemExit(f"the library has no takes of the set {which!r}")
    if which == "one":
        clips += [clip.mirrored() for clip in clips]
        names += [f"{name} mirrored" for name in names]
        tags += tags
    return TakeSet(clips, names, tags)


def open_graph(
    given: argparse.Namespace, words: re.Pattern[str] = GAITS, takes: TakeSet | None = None
) -> MotionGraph:
    """Return the graph that `--graph` names, or build that of the takes of `--set` and save it there."""
    path: Path | None = given.graph
    if path is not None and path.exists():
        graph = ml.load(path, ml.MotionGraph)
    else:
        takes = takes or load_takes(given.set, words)
        graph = takes.build(density=given.density, jobs=given.jobs)
        if path is not None:
            graph.save(path)
    tables = graph.ground_tables
    speed, radius = tables.usual_speed(), tables.tightest_radius()
    print(f"{graph}; usual speed {speed:.2f} m/s, tightest radius {radius:.2f} m")
    return graph
