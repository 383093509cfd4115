from __future__ import annotations

from itertools import combinations

import numpy as np

from motionloom.registration.distance import cloud_distance
from motionloom.registration.pairs import PairTask, align_pair, align_pairs
from motionloom.registration.point_cloud import point_cloud
from motionloom.registration.time_alignment import PathEnd, align_times
from motionloom.synthesis import walk


def tasks(end: PathEnd = "corners") -> list[PairTask]:
    clips = [walk(speed=speed, duration=2.0 + speed, fps=30).clip for speed in (1.0, 1.2, 1.4, 1.6, 1.8)]
    clouds = [point_cloud(clip) for clip in clips]
    return [PairTask(a, b, 2, 30.0, 3, "reversible", "corners", end, ()) for a, b in combinations(clouds, 2)]


def test_a_pair_takes_the_best_path_through_its_whole_grid() -> None:
    for end in ("corners", "free"):
        for task in tasks(end):
            grid = cloud_distance(task.a, task.b, task.half_width).values
            path = align_times(grid, slope_limit=3, end=task.end).path
            found = align_pair(task)
            assert np.array_equal(found.alignment.path, path)
            assert np.array_equal(found.distances, grid[path[:, 0], path[:, 1]])


def test_pairs_on_several_threads_do_not_disturb_each_other() -> None:
    """Every thread fills one grid after the other in the same memory."""
    given = tasks() * 3
    alone = [align_pair(task) for task in given]
    together = align_pairs(given)
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one.alignment.path, other.alignment.path)
        assert np.array_equal(one.distances, other.distances)
