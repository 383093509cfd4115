"""Loops and gaits in place: what is recovered, blended and held.

Run with ``python -m benchmarks.in_place``. The first table puts captured walks and runs in place in two ways,
by their mean velocity and by every frame's ground motion, and recovers their travel. The second does the same
with game loops, holds their feet, controls five of them by speed, and writes blends in place and with travel.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from motionloom.annotation.treadmill import TravelReport, find_travel, is_in_place
from motionloom.arrays import FloatArray
from motionloom.blending.controls import Controls, measure_path
from motionloom.motion import Clip
from motionloom.motion.unroll import travel, unroll

GAME = "game/kaykit_MovementBasic.glb"
LOOPS = ("Walking_A", "Walking_B", "Walking_C", "Running_A", "Running_B")
OTHERS = ("speeds", "triples")
"""Folders of further takes."""


def main() -> None:
    """Print the tables."""
    need_corpus()
    _report_captures("s16, twelve walks and runs", sorted((MOCAP / "locomotion/s16").glob("*.bvh")))
    others = [path for name in OTHERS for path in sorted((MOCAP / "locomotion" / name).glob("*.bvh"))]
    _report_captures("other takes", others)
    _report_game()


def _report_captures(title: str, paths: list[Path]) -> None:
    print(f"\n{title}: recovered travel\n{'':24} mean velocity removed         every frame's motion removed")
    errors: dict[str, list[tuple[float, float]]] = {"mean": [], "frames": []}
    for path in paths:
        clip = ml.load(path, cyclic=False)
        columns = []
        for way, (still, velocity) in {"mean": _remove_mean(clip), "frames": _remove_all(clip)}.items():
            true = float(np.hypot(*velocity))
            try:
                report = find_travel(still)[1]
            except ml.MotionloomError as error:
                columns.append(str(error).split(": ", 1)[1][:28])
                continue
            off = _angle(report, velocity)
            errors[way].append((abs(report.speed / true - 1.0), abs(off)))
            columns.append(f"{true:.2f} m/s {100 * (report.speed / true - 1):+5.1f} % {off:+5.1f}°    ")
        print(f"{path.stem[:24]:24} {'  '.join(columns)}")
    for way, found in errors.items():
        speeds, angles = np.array(found).T
        print(
            f"{way}: speed median {100 * np.median(speeds):.1f} %, worst {100 * speeds.max():.1f} %; "
            f"heading worst {angles.max():.1f}°"
        )


def _remove_mean(clip: Clip) -> tuple[Clip, FloatArray]:
    times = np.arange(clip.n_frames) * clip.frame_time
    velocity = (clip.root_positions[-1] - clip.root_positions[0]) / times[-1] * [1.0, 0.0, 1.0]
    still = replace(clip, root_positions=clip.root_positions - times[:, None] * velocity)
    return still, velocity[[0, 2]]


def _remove_all(clip: Clip) -> tuple[Clip, FloatArray]:
    still, path = ml.split_root(clip, smoothing=0.0)
    steps = np.diff(path.positions, axis=0) / clip.frame_time
    yaws = 0.5 * (path.yaws[1:] + path.yaws[:-1])
    seen = (steps[:, 0] + 1j * steps[:, 1]) * np.exp(1j * yaws)
    return still, np.array([seen.real.mean(), seen.imag.mean()])


def _angle(report: TravelReport, velocity: FloatArray) -> float:
    off = report.direction - np.arctan2(velocity[0], velocity[1])
    return float(np.degrees(np.angle(np.exp(1j * off))))


def _report_game() -> None:
    print("\ngame loops")
    clips = [ml.load(MOCAP / GAME, animation=f"Rig_Medium|{name}") for name in LOOPS]
    for name, clip in zip(LOOPS, clips, strict=True):
        held = ml.enforce(ml.annotate(clip))
        found = ml.recover_travel(clip).report
        print(
            f"{name:10} cyclic: {clip.cyclic}, {found}; "
            f"held feet slide {1000 * _slide(held.clip):.2f} mm at most"
        )
    curve = ml.prepare(clips).register()
    controls = Controls(curve)
    speeds = [own.speed for own in controls.clips]
    print(f"five-way control ({curve.report.verdict.value}): asked for {', '.join(LOOPS)} and speeds between")
    worst = 0.0
    for asked in sorted([*speeds, *np.linspace(min(speeds), max(speeds), 9)[1:-1]]):
        result = ml.blend(curve, controls.weights(speed=asked), duration=10.0).clip
        got = measure_path(result).speed
        worst = max(worst, abs(got / asked - 1.0))
        print(f"  asked {asked:.3f} m/s, got {got:.3f} ({100 * (got / asked - 1):+.2f} %)")
    print(f"  worst {100 * worst:.2f} %")
    still = ml.Controls(ml.register([ml.annotate(clip) for clip in clips]))
    apart = [abs(own.speed / speed - 1.0) for own, speed in zip(still.clips, speeds, strict=True)]
    print(f"  the loops registered in place: their speeds differ by {100 * max(apart):.2f} % at most")
    space = ml.Framespace(clips[:4])
    print(f"framespace of four: {', '.join(LOOPS[:4])}; {len(space.correspondence.matched)} states matched")
    with tempfile.TemporaryDirectory() as folder:
        for in_place in (True, False):
            blends = {
                "blend of two": ml.mix(clips[:2], [0.5, 0.5], in_place=in_place).clip,
                "framespace of four": ml.enforce(
                    space.blend([(0, 0.4, 0.6), (1, 0.4, 0.6)], cycles=1, loop=True, in_place=in_place)
                ).clip,
            }
            for name, blend in blends.items():
                again = ml.load(ml.save(blend, Path(folder) / f"{name}.glb", overwrite=True))
                kept = replace(again, constraints=blend.constraints)
                gone = travel(again)
                print(
                    f"{name}, written as GLB {'in place' if in_place else 'with travel'}: cyclic "
                    f"{again.cyclic}, {np.hypot(gone.x, gone.z):.3f} m per cycle, planted feet slide "
                    f"{1000 * _slide(blend):.2f} mm, read again {1000 * _slide(kept):.2f} mm"
                )


def _slide(clip: Clip) -> float:
    """Return how far a planted point moves over the moving ground within its plant, metres."""
    moving = unroll(ml.recover_travel(clip).clip if is_in_place(clip) else clip, 3)
    slides = [0.0]
    for plant in moving.constraints:
        frames = plant.whole_frames(moving.n_frames)
        last = min(frames.stop, 2 * clip.n_frames)
        if clip.n_frames <= plant.start and plant.end <= 2 * clip.n_frames and last > frames.start:
            path = moving.body.point_positions(plant.joint, plant.point, slice(frames.start, last))
            slides.append(float(np.ptp(path[:, [0, 2]], axis=0).max()))
    return max(slides)


if __name__ == "__main__":
    main()
