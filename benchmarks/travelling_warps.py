"""Warps that travel: a limp, a step-over and a sneak made on one captured walk, applied to six others.

Every edit is made in seconds, with the joints and axes of the first walk, generalized, saved, loaded and
applied. Three of the walks are other people on rigs like the first one, three are on other rigs. Six more,
two of them on other rigs again, and walks of the library whose names hash to 0 modulo 10 were not looked at
before. "Slides" is how far planted points of the result move that are held, and all that the warp states,
held or not. Run with `python -m benchmarks.travelling_warps [FOLDER for pictures]`.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from motionloom.annotation.ground import Surface
from motionloom.errors import MotionloomError
from motionloom.motion.anatomy import body_height, find_anatomy
from motionloom.motion.unroll import unroll
from motionloom.quality import plant_measures
from motionloom.warping import Warp, WarpReport, generalize_warp, preset_edit, resolve_warp, warp
from motionloom.warping.obstacles import foot_points

NAMES = ("limp", "step-over", "sneak")
FIRST = "locomotion/s16/walk_straight_16_15.bvh"
OTHERS = {
    "slow walk 07_04": "locomotion/speeds/slow_07_04.bvh",
    "fast walk 132_20": "locomotion/triples/walk_fast_132_20.bvh",
    "veering walk 16_11": "locomotion/s16/walk_left_16_11.bvh",
    "walk01, 19 joints, 24 Hz": "dialects/bvh/walk01_24hz_exponents.bvh",
    "8walk, 23 joints, inches": "dialects/bvh/mova_8walk_6ch_cut.bvh",
}
CHARACTER, ITS_WALK = "game/character/manny_med_mod.gltf", "locomotion/triples/walk_take1_35_12.bvh"
FRESH = ("82_09", "39_03", "93_07", "10_04")
"""Walks of four people in the library that no other benchmark or test reads."""
FRESH_RIG = "dialects/bvh/blender_makehuman_walk1.bvh"
LOOP, LOOP_NAME, N_CYCLES = "game/kaykit_MovementBasic.glb", "Rig_Medium|Walking_B", 4
HELD_OUT, N_HELD_OUT = 10, 8
FINE_FPS = 240.0
"""Frames per second at which feet above a hurdle are looked at: it is 4 cm deep, and feet pass at 3 m/s."""


def make_warps(folder: Path) -> dict[str, Warp]:
    """Make the edits on the first walk, in its seconds and axes; save and load them in general terms."""
    clip = ml.annotate(ml.load(MOCAP / FIRST))
    loaded = {}
    for name in NAMES:
        edit = preset_edit(clip, name).warp
        assert not edit.is_portable
        loaded[name] = Warp.load(generalize_warp(clip, edit).save(folder / f"{name}.json"))
    return loaded


def load_walks() -> dict[str, ml.Clip]:
    walks = {name: ml.annotate(ml.load(MOCAP / path)) for name, path in OTHERS.items()}
    character = ml.load(MOCAP / CHARACTER)
    walks["walk 35_12 on a glTF character"] = ml.annotate(
        ml.retarget(ml.load(MOCAP / ITS_WALK), character.skeleton)
    )
    return walks


def load_fresh_walks() -> dict[str, ml.Clip]:
    """Load walks that nothing was tuned on; a loop in place gets its travel back and runs four times."""
    walks = {
        name: ml.annotate(ml.load(MOCAP / "library" / name.split("_")[0] / f"{name}.bvh")) for name in FRESH
    }
    taken, rig = ml.load(MOCAP / "library/05/05_01.bvh"), ml.load(MOCAP / FRESH_RIG).skeleton
    walks["walk 05_01 on MakeHuman's rig"] = ml.annotate(ml.retarget(taken, rig))
    loop = ml.recover_travel(ml.load(MOCAP / LOOP, animation=LOOP_NAME))
    walks["KayKit walk B, four cycles"] = ml.annotate(replace(unroll(loop.clip, N_CYCLES), cyclic=False))
    return walks


def held_out_walks() -> Iterator[tuple[str, ml.Clip]]:
    paths = sorted((MOCAP / "library").rglob("*.bvh"))
    rows = (MOCAP / "library" / "takes.csv").read_text().splitlines()[1:]
    walks = {row.split(",")[0] for row in rows if row.split(",")[1].strip().lower() == "walk"}
    found = 0
    for path in paths:
        if path.stem in walks and int(sha256(path.stem.encode()).hexdigest(), 16) % HELD_OUT == 0:
            clip = ml.annotate(ml.load(path))
            if clip.duration > 2.0 and found < N_HELD_OUT:
                found += 1
                yield path.stem, clip


def measure(clip: ml.Clip, edit: Warp, name: str) -> tuple[ml.Clip, Surface | None, str]:
    """Apply a warp, and return the result, its obstacle and a row of figures."""
    result = warp(clip, edit, keep_plants=True)
    report = result.report
    slide = 1000.0 * float(plant_measures(result.clip).travel.max())
    planted = sum(c.end - c.start for c in result.clip.constraints) * result.clip.frame_time
    stated_plants = warp(clip, edit).clip.constraints
    stated = sum(c.end - c.start for c in stated_plants) * result.clip.frame_time
    hurdle = resolve_warp(clip.body, edit).hurdle
    wanted = {"limp": _limp, "step-over": _step_over, "sneak": _sneak}[name](clip, result, hurdle)
    free = 1000.0 * float(plant_measures(replace(result.clip, constraints=stated_plants)).travel.max())
    row = (
        f"{report.n_keys} keys; slides {slide:.4f} mm (all stated {free:.1f}); "
        f"{100 * planted / stated:.0f} % of contact held; "
        f"feet held {_events_off(result.clip)} ms from their strikes; {wanted}"
    )
    return result.clip, hurdle, row


def _events_off(result: ml.Clip) -> str:
    """Milliseconds between the strikes of the result and the plants that are held: median and maximum."""
    body = result.body
    off = []
    for leg in find_anatomy(body.skeleton).legs:
        names = {body.skeleton.names[joint] for joint in leg.joints}
        starts = [c.start for c in body.constraints if c.joint in names]
        strikes = [e.frame for e in body.events if e.label == "strike" and e.joint in names]
        off += [1000.0 * min(abs(start - strike) for start in starts) * body.frame_time for strike in strikes]
    return f"{np.median(off):.0f} (at most {max(off):.0f})"


def _limp(clip: ml.Clip, warped: ml.Result[WarpReport], _: Surface | None) -> str:
    result = warped.clip
    ratios = np.array(_contacts(result)) / np.array(_contacts(clip))
    times = f"{ratios.min():.3f} to {ratios.max():.3f} of their time (wanted 0.75)"
    return f"{len(ratios)} left contacts take {times}"


def _contacts(clip: ml.Clip) -> list[float]:
    body = clip.body
    ankle = body.skeleton.names[find_anatomy(body.skeleton).legs[0].ankle]
    events = sorted(
        (e.frame, e.label) for e in clip.events if e.joint == ankle and e.label in ("strike", "lift")
    )
    pairs = pairwise(events)
    return [(b[0] - a[0]) * clip.frame_time for a, b in pairs if (a[1], b[1]) == ("strike", "lift")]


def _step_over(clip: ml.Clip, warped: ml.Result[WarpReport], hurdle: Surface | None) -> str:
    assert hurdle is not None
    result = warped.clip
    body, height = result.body.resampled(FINE_FPS), body_height(clip.body.skeleton) or 1.0
    crossings = [times[0] for text, times in warped.report.moments if text.startswith("crossing")]
    gaps, swings = [], []
    for leg in find_anatomy(body.skeleton).legs:
        points = foot_points(body, leg)
        tops = np.asarray(hurdle(points[..., 0], points[..., 2]))
        over = tops > tops.min() + 1e-6
        gaps.append(float((points[..., 1] - tops)[over].min()))
        frames = np.flatnonzero(over.any(axis=1))
        swings.append(min(abs(frames * body.frame_time - time).min() for time in crossings))
    return (
        f"lowest point of each foot above the hurdle {100 * gaps[0]:.1f} and {100 * gaps[1]:.1f} cm "
        f"(wanted {2.5 * height:.1f}); crossing met within {1000 * max(swings):.0f} ms"
    )


def _sneak(clip: ml.Clip, warped: ml.Result[WarpReport], _: Surface | None) -> str:
    result = warped.clip
    height = body_height(clip.body.skeleton) or 1.0
    down = clip.body.root_positions[:, 1].mean() - result.body.root_positions[:, 1].mean()
    return (
        f"{result.duration / clip.duration:.3f} times as long (wanted 1.35), hips {down / height:.3f} body "
        "heights lower (wanted 0.100)"
    )


def main() -> None:
    """Print the table, and draw pictures where a folder is given."""
    warnings.simplefilter("ignore")
    need_corpus()
    pictures = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as folder:
        edits = make_warps(Path(folder))
    for group, clips in (("", load_walks()), ("fresh-", load_fresh_walks())):
        for name, edit in edits.items():
            print(f"\n{group}{name}, made on {FIRST}")
            gallery: dict[str, tuple[ml.Clip, Surface | None]] = {}
            for title, clip in clips.items():
                result, hurdle, row = measure(clip, edit, name)
                print(f"  {title:32} {row}", flush=True)
                gallery[f"{title}: {name}"] = (result.body, hurdle)
            if pictures is not None:
                ml.plot.gallery(gallery, pictures / f"{group}{name}.png", overwrite=True)
    print("\nheld-out walks of the library")
    for title, clip in held_out_walks():
        for name, edit in edits.items():
            try:
                print(f"  {title:8} {name:10} {measure(clip, edit, name)[2]}", flush=True)
            except MotionloomError as error:
                print(f"  {title:8} {name:10} refused: {error}", flush=True)


if __name__ == "__main__":
    main()
