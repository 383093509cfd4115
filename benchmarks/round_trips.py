"""BVH, GLB, USD and npz there and back: every locomotion clip and every dialect.

Run with `python -m benchmarks.round_trips`; needs `usd-core`. Each clip is written as BVH, GLB, USD and npz,
and back through USD and GLB to BVH, every file made from what was read from the one before. One row per clip:
how far any joint is in any frame, at most, from where it was, after each file. Frame times and names must be
the same after each, constraints and events after each but BVH, which has no place for them.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.bounds import BoundMissed
from benchmarks.corpus import MOCAP, need_corpus
from motionloom.arrays import FloatArray
from motionloom.errors import MotionloomError
from motionloom.motion import Clip, Constraint, Event

FURTHEST = 1e-4
"""Metres that a joint may be from where it was."""

ROUNDING = 1e-12
"""Metres by which a constrained point may differ that went through another unit."""

WAY = ("bvh", "glb", "usdc", "npz", "usda", "glb", "bvh")
"""The files that a clip goes through."""

PATTERNS = ("locomotion/**/*.bvh", "dialects/bvh/*.bvh", "dialects/asf_amc/*.amc", "dialects/fbx_gltf/*.glb")

SMALL = {"PATTERNS": PATTERNS[2:3]}


def main() -> None:
    need_corpus()
    paths = [path for pattern in PATTERNS for path in sorted(MOCAP.glob(pattern))]
    print("How far joints are off after each file, in µm\n")
    print(f"{'clip':<34}{'fps':>9}{'joints':>7}{''.join(f'{ending:>6}' for ending in WAY)}  lost")
    worst, failed = 0.0, False
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            clip = with_annotations(ml.load(path))
            furthest, lost = gone_round(clip, Path(folder))
            print(
                f"{path.stem[:33]:<34}{clip.fps:>9.4f}{clip.skeleton.n_joints:>7}"
                f"{''.join(f'{1e6 * each:>6.2f}' for each in furthest)}  {', '.join(lost) or '-'}",
                flush=True,
            )
            worst = max(worst, *furthest)
            failed |= bool(lost)
    print(f"\n{len(paths)} clips, furthest {1e6 * worst:.2f} µm (bound: {1e6 * FURTHEST:.0f} µm)")
    if failed or worst > FURTHEST:
        raise BoundMissed("some clips did not come back as they were")


def with_annotations(clip: Clip) -> Clip:
    """The clip with its foot plants, where it has feet, and with a hold and an event at its last joint."""
    with suppress(MotionloomError):  # no body, or too short
        clip = ml.annotate(clip)
    joint = clip.skeleton.names[-1]
    held = Constraint(joint, "held", 0.25, clip.n_frames - 1.5, np.array([0.0, 0.1, 1 / 3]), np.ones(3))
    clap = Event(1 / 3, "clap", joint)
    return replace(clip, constraints=(*clip.constraints, held), events=(*clip.events, clap))


def gone_round(clip: Clip, folder: Path) -> tuple[list[float], list[str]]:
    """How far joints are off after each file, metres, and what got lost on the way."""
    furthest: list[float] = []
    lost: list[str] = []
    now = clip
    for n, ending in enumerate(WAY):
        again = stored(now, folder / f"{n}.{ending}")
        kept = {
            "frame time": again.frame_time == clip.frame_time,
            "names": sorted(again.skeleton.names) == sorted(clip.skeleton.names),
            "annotations": ending == "bvh" or same_annotations(again, clip),
        }
        lost += [f"{what} in {ending}" for what, is_kept in kept.items() if not is_kept]
        furthest.append(distance(again, clip) if kept["names"] else np.inf)
        now = replace(again, constraints=clip.constraints, events=clip.events) if ending == "bvh" else again
    return furthest, lost


def stored(clip: Clip, path: Path) -> Clip:
    """The clip after it was written and read; BVH files do not say how they are to be read."""
    if path.suffix != ".bvh":
        return ml.load(ml.save(clip, path, overwrite=True))
    ml.save(clip, path, unit="cm", up="y", overwrite=True)
    return ml.load(path, unit="cm", up="y", keep_rest_rows=True, root_offset=clip.source.root_offset)


def distance(a: Clip, b: Clip) -> float:
    """How far joints of the same name are apart at most, metres; BVH puts joints in its own order."""
    order = [a.skeleton.index(name) for name in b.skeleton.names]
    return float(np.linalg.norm(a.world_positions()[:, order] - b.world_positions(), axis=-1).max())


def same_annotations(a: Clip, b: Clip) -> bool:
    """Whether two clips have the same constraints and events."""
    if set(a.events) != set(b.events) or len(a.constraints) != len(b.constraints):
        return False
    return all(
        (one.joint, one.kind, one.start, one.end) == (other.joint, other.kind, other.start, other.end)
        and same_place(one.point, other.point)
        and same_place(one.target, other.target)
        for one, other in zip(a.constraints, b.constraints, strict=True)
    )


def same_place(a: FloatArray | None, b: FloatArray | None) -> bool:
    if a is None or b is None:
        return a is b
    return bool(np.abs(a - b).max() <= ROUNDING)


if __name__ == "__main__":
    main()
