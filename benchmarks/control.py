"""Live control over nine captured loops: what 60 s of random smooth wishes do, and what a pose costs.

Run with `python -m benchmarks.control` where the captured clips are beside the checkout. The first table
drives both sets of nine for a minute and shows the fastest joints against those of the clips, the
fastest turn of the body, and the least advance of u. The second compares the speed and turn of long blends
with what was asked for. The third times one step, next to a compiled call that only copies a pose.
"""

from __future__ import annotations

import warnings

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.timing import median_seconds
from motionloom.blending import blend
from motionloom.blending.controls import Controls, measure_path
from motionloom.blending.live_blend import LiveBlend
from motionloom.cycles import cyclify, unroll
from motionloom.errors import RegistrationWarning
from motionloom.kernels.array_types import Floats2, OutFloats2
from motionloom.kernels.compiling import kernel
from motionloom.quality import speed_ratios
from motionloom.registration import RegistrationCurve
from tests.blending.steering import driven, heading_speed, nine_styles, world_speed_ratios
from tests.registration.nine_clips import GAITS, nine_files

SECONDS, SEEDS = 60.0, (1, 2, 3)
N_ASKED, N_STEPS = 40, 5000
SMALL = {"GAITS": ("s16",), "SECONDS": 2.0, "SEEDS": (1,), "N_ASKED": 1, "N_STEPS": 20}


def main() -> None:
    need_corpus()
    curves = {name: loops(name) for name in GAITS}
    print(f"{SECONDS:g} s of random smooth control, nine loops, one step per frame")
    for name, curve in curves.items():
        for seed in SEEDS:
            print_drive(name, curve, seed)
    print(f"\nBlends against what was asked for, {N_ASKED} wishes among the clips")
    for name, curve in curves.items():
        print_accuracy(name, curve)
    print(f"\nOne pose, nine clips, median of {N_STEPS} steps")
    for name, curve in curves.items():
        print_cost(name, curve)


def loops(name: str) -> RegistrationCurve:
    clips = [cyclify(ml.annotate(ml.load(path)), cycles=1) for path in nine_files(MOCAP, name)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RegistrationWarning)
        return ml.register(clips)


def print_drive(name: str, curve: RegistrationCurve, seed: int) -> None:
    drive = driven(curve, nine_styles(name), SECONDS, seed)
    clips, names = list(curve.clips), drive.clip.skeleton.names
    body = speed_ratios(drive.clip, [unroll(clip, 3) for clip in clips], cutoff=None)
    world = world_speed_ratios(drive.clip, clips)
    first, last = curve.domain
    advance = np.diff(drive.u + drive.cycles * (last - first)).min() / (last - first) / drive.clip.frame_time
    turning = max(heading_speed(unroll(clip, 3)) for clip in clips)
    print(
        f"  {name:<10} seed {seed}: joints {body.max():.2f} × the fastest clip seen from the body "
        f"({names[body.argmax()]}), {world.max():.2f} × over the ground ({names[world.argmax()]}); "
        f"heading {heading_speed(drive.clip):.1f} rad/s (clips {turning:.1f}); "
        f"u at least {advance:.2f} cycles/s; {drive.cycles[-1]:.0f} cycles"
    )


def print_accuracy(name: str, curve: RegistrationCurve) -> None:
    controls = Controls(curve)
    random = np.random.default_rng(1)
    errors = []
    for _ in range(N_ASKED):
        asked = random.dirichlet(np.full(curve.n_clips, 0.5)) @ np.array(controls.clips)
        made = measure_path(blend(curve, controls.weights(speed=asked[0], turn=asked[1])).clip)
        errors.append(np.abs([made.speed - asked[0], made.turn_rate - asked[1]]))
    mean, worst = np.mean(errors, axis=0), np.max(errors, axis=0)
    print(
        f"  {name:<10} speed off by {mean[0]:.3f} m/s, at most {worst[0]:.3f}; "
        f"turn by {mean[1]:.3f} rad/s, at most {worst[1]:.3f}"
    )


def print_cost(name: str, curve: RegistrationCurve) -> None:
    live, controls = LiveBlend(curve), Controls(curve)
    weights = np.random.default_rng(0).dirichlet(np.ones(curve.n_clips))
    frame_time = curve.clips[0].frame_time
    pose = np.random.default_rng(0).normal(size=(curve.clips[0].skeleton.n_joints + 1, 4))
    kept = np.empty_like(pose)
    step = 1e6 * median_seconds(lambda: live.step(frame_time, weights), N_STEPS)
    copying = 1e6 * median_seconds(lambda: copy(pose, kept), N_STEPS)
    wish = 1e6 * median_seconds(lambda: controls.weights(speed=2.0, turn=0.2), N_STEPS // 10)
    print(
        f"  {name:<10} step {step:6.1f} µs; a compiled copy of a pose {copying:6.1f} µs "
        f"({step / copying:.0f} ×); weights from speed and turn {wish:6.1f} µs"
    )


@kernel
def copy(pose: Floats2, kept: OutFloats2) -> None:
    for j in range(pose.shape[0]):
        for n in range(4):
            kept[j, n] = pose[j, n]


if __name__ == "__main__":
    main()
