"""Loops and gaits in place: what is recovered, blended and held, and how cycles represent their clips.

Run with ``python -m benchmarks.in_place``. The first table puts captured walks and runs in place in two ways,
by their mean velocity and by every frame's ground motion, and recovers their travel. The second does the same
with game loops, holds their feet and controls five of them by speed. The third closes gaits that veer.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from motionloom.annotation.treadmill import TravelReport, find_travel
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
    _report_cycles()


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
            f"{name:10} cyclic: {clip.cyclic}, {found}; held feet slide {1000 * _slide(held):.2f} mm at most"
        )
    prepared = ml.prepare(clips)
    curve = prepared.register()
    controls = Controls(curve)
    print(f"five-way control ({curve.report.verdict.value}):")
    for asked in (0.6, 0.8, 1.0, 2.0, 3.0, 4.0):
        result = ml.blend(curve, controls.weights(speed=asked), duration=10.0).clip
        got = measure_path(result).speed
        print(f"  asked {asked:.2f} m/s, got {got:.3f} ({100 * (got / asked - 1):+.2f} %)")
    space = ml.Framespace(clips[:4])
    print(f"framespace of four: {len(space.notes)} notes, {space}")
    with tempfile.TemporaryDirectory() as folder:
        for in_place in (True, False):
            blend = ml.mix(clips[:2], [0.5, 0.5], in_place=in_place).clip
            again = ml.load(ml.save(blend, Path(folder) / f"{in_place}.glb"))
            print(
                f"blend as GLB, in place {in_place}: cyclic {again.cyclic}, {travel(again).z:.3f} m per cycle"
            )


def _slide(clip: Clip) -> float:
    """Return how far a planted point moves over the moving ground within its plant, metres."""
    moving = unroll(ml.recover_travel(clip), 3)
    slides = [0.0]
    for plant in moving.constraints:
        frames = plant.whole_frames(moving.n_frames)
        last = min(frames.stop, 2 * clip.n_frames)
        if clip.n_frames <= plant.start and plant.end <= 2 * clip.n_frames and last > frames.start:
            path = moving.body.point_positions(plant.joint, plant.point, slice(frames.start, last))
            slides.append(float(np.ptp(path[:, [0, 2]], axis=0).max()))
    return max(slides)


def _report_cycles() -> None:
    print("\ncycles of gaits that veer: speed and turn of the clip and of one cycle")
    for path in sorted((MOCAP / "locomotion/s16").glob("*.bvh")):
        report = ml.cyclify(ml.load(path), cycles=1).report
        faster = report.speed / report.clip_speed - 1.0
        turn, own = np.degrees([report.turn, report.clip_turn])
        within = abs(faster) <= 0.05 and abs(turn - own) <= max(3.0, 0.1 * abs(own))
        clip = f"{report.clip_speed:.2f} m/s {own:+6.1f}°/s"
        cycle = f"{report.speed:.2f} ({100 * faster:+.1f} %) {turn:+6.1f} ({turn - own:+.1f})"
        verdict = f"seam {100 * report.seam:.1f} cm{'' if within else ', nearest'}"
        print(f"{path.stem:24} {clip}   {cycle}   {verdict}")


if __name__ == "__main__":
    main()
