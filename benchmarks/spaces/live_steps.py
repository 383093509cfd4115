"""Live steps: how far from its request a step comes down that is asked for while the motion plays.

Run `python -m benchmarks.spaces.live_steps`. The request changes at one of some moments, from one place
inside the space to another. The result is annotated anew, and the step measured there. Beside it: the same
without moving feet, which is what the weights alone do. Speeds of joints are over the largest of the clips.
"""

from __future__ import annotations

import warnings

import numpy as np

from benchmarks.corpus import need_corpus
from benchmarks.spaces.sets import SETS
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.spaces import parameters
from motionloom.spaces.measures import start_transform
from motionloom.spaces.space import MotionSpace
from motionloom.warping.footholds import find_footholds

FPS = 120

N_REQUESTS = 12

MOMENTS = (0.0, 0.1, 0.2, 0.3, 0.4)
"""Seconds at which the request changes; the steps come down from about 0.5 s."""

MIN_SPEED = 0.2
"""Metres per second of a joint in the clips, below which it counts as moving at this speed."""

CHOSEN = ("step places, built in", "steps, captured", "steps, library")


def main() -> None:
    """Print the figures of all sets."""
    need_corpus()
    warnings.simplefilter("ignore")
    for chosen in SETS:
        if chosen.name in CHOSEN:
            clips = chosen.clips()
            measure_steps(chosen.name, MotionSpace(clips, {"step": parameters.step_place(1)}), clips)


def measure_steps(name: str, space: MotionSpace, clips: list[Clip]) -> None:
    """Print how far steps of a space are off, by the moment at which the request changes."""
    usual = np.maximum(np.max([_peak_speeds(clip) for clip in clips], axis=0), MIN_SPEED)
    requests = space.hull.draw_points(2 * N_REQUESTS, 5).reshape(2, N_REQUESTS, 2)
    apart = np.linalg.norm(requests[1] - requests[0], axis=1)
    print(f"{name}: requests {_describe(apart)} apart", flush=True)
    for moment in MOMENTS:
        rows = np.array(
            [_measure(space, first, then, moment, usual) for first, then in zip(*requests, strict=True)]
        )
        print(
            f"  changed after {moment:.1f} s: off by {_describe(rows[:, 0])}, by weights alone "
            f"{_describe(rows[:, 1])}; said to be missed {_describe(rows[:, 2])}; fastest joint "
            f"{np.median(rows[:, 3]):.2f} x the clips (largest {rows[:, 3].max():.2f})",
            flush=True,
        )


def _measure(
    space: MotionSpace, first: FloatArray, then: FloatArray, moment: float, usual: FloatArray
) -> tuple[float, float, float, float]:
    """Return how far a step is off, also by weights alone, what the motion says, and the fastest joint."""
    live = space.live(first if moment else then)
    moved, plain, pose = [], [], live.blend.pose
    while True:
        moved.append((np.array(pose.root_positions), np.array(pose.rotations)))
        blend = live.blend.pose
        plain.append((np.array(blend.root_positions), np.array(blend.rotations)))
        if live.finished:
            break
        pose = live.step(1 / FPS, then if live.blend.time >= moment else first)
    result, by_weights = (
        Clip(pose.skeleton, 1 / FPS, np.array([root for root, _ in each]), np.array([row for _, row in each]))
        for each in (moved, plain)
    )
    ratio = float((_peak_speeds(result) / usual).max())
    return _find_distance(result, then), _find_distance(by_weights, then), live.missed["step"], ratio


def _find_distance(clip: Clip, request: FloatArray) -> float:
    """Return how far the step that is nearest to a request is from it, metres."""
    start = start_transform(clip).inverse()
    places = [start.apply(each.centre)[[0, 2]] for each in find_footholds(annotate(clip)) if each.start > 0.0]
    return min(float(np.linalg.norm(place - request)) for place in places)


def _peak_speeds(clip: Clip) -> FloatArray:
    """Return the largest speed (J,) of each joint, m/s."""
    steps = np.diff(clip.world_positions(), axis=0)
    return np.asarray(np.linalg.norm(steps, axis=-1).max(axis=0) / clip.frame_time)


def _describe(metres: FloatArray) -> str:
    return f"{1000 * np.median(metres):.1f} mm (largest {1000 * np.max(metres):.1f})"


if __name__ == "__main__":
    main()
