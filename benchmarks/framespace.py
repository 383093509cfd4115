"""Framespaces beside what their paper reports (Ashraf & Wong 2000) and beside registration-curve control.

Run with `make bench`. (a) 1200 interpolations of a figure of 69 degrees of freedom: for one of 63 the paper
took 4.87 to 5.93 s on a processor of 450 MHz. (b) The correspondences of its Table 3 and the durations of its
Table 4, from its Table 1. (c) A captured walk that becomes a run, against registration of the same cycles
with the same weights. (d) What leaving out states costs, and what matching by states saves. (e) What
interpolating key states alone would lose. (c) to (e) need the captured clips (`MOTIONLOOM_MOCAP`, or beside
the checkout).
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np

from benchmarks.corpus import MOCAP
from benchmarks.timing import median_seconds, print_table
from motionloom.annotation import annotate, strikes
from motionloom.arrays import FloatArray
from motionloom.blending import BlendResult, blend
from motionloom.cycles import cyclify, unroll
from motionloom.enforcement import enforce
from motionloom.errors import RegistrationWarning
from motionloom.files import load_clip
from motionloom.framespace import Framespace, correspond
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_positions
from motionloom.quality import plant_measures, seam_smoothness
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import jog, walk
from tests.framespace import paper_tables as paper
from tests.framespace.detail import BAND, detail_left
from tests.framespace.spaces import S_CURVE, feet_apart

PAPER_SECONDS = (4.87, 5.93)
FPS, CYCLES = 120.0, 8
SMALL = {"CYCLES": 3}


def main() -> None:
    print_speed()
    print_tables()
    if MOCAP.is_dir():
        walking, running = (captured_cycle(name) for name in ("walk_straight_16_15", "run_straight_16_45"))
        space = Framespace([walking, running])
        print_walk_to_run(space)
        print_states_left_out(space)
        print_detail(space)
    else:
        print("the captured clips are not there: (c) to (e) are left out")


def print_speed() -> None:
    """Row 20: twelve cycles of a hundred samples, at a rate that gives some 1200 frames."""
    space = Framespace([make(duration=4.0, fps=114.0).clip for make in (walk, jog)])
    bare = Framespace(
        [replace(clip, constraints=(), events=clip.events[:1]) for clip in space.clips], states=space.states
    )
    result = space.blend(S_CURVE, cycles=12)
    dof = 3 + 3 * result.clip.skeleton.n_joints
    rows = {
        "motionloom, poses": median_seconds(lambda: bare.blend(S_CURVE, cycles=12), 21),
        "motionloom, with foot plants and events": median_seconds(
            lambda: space.blend(S_CURVE, cycles=12), 21
        ),
        "the paper, fastest": PAPER_SECONDS[0],
        "the paper, slowest": PAPER_SECONDS[1],
        "writing the result once": median_seconds(result.clip.rotations.copy, 21),
    }
    title = f"(a) {result.clip.n_frames} interpolations of a figure of {dof} degrees of freedom"
    print_table(title, rows, next(iter(rows)))


def print_tables() -> None:
    """Rows 20 to 22: Table 3 row by row, and the durations of Table 4."""
    columns = {
        "run, walk": (("run", "walk"), paper.RUN_WALK_LOWER, paper.RUN_WALK_UPPER),
        "dance1, dance2": (("dance1", "dance2"), paper.DANCES_LOWER, paper.DANCES_UPPER),
        "all four": (("run", "walk", "dance1", "dance2"), paper.ALL_LOWER, paper.ALL_UPPER),
    }
    print("(b) Table 3 from Table 1: rows as printed, and rows that differ (ours / the paper's)")
    for name, (motions, lower, upper) in columns.items():
        for half, printed in (("lower", lower), ("upper", upper)):
            states = [paper.states_of(motion) for motion in motions]
            found = correspond([own.lower if half == "lower" else own.upper for own in states])
            ours = [state.phases for state in found.matched]
            differing = [
                f"{own} / {theirs}" for own, theirs in zip(ours, printed, strict=True) if own != theirs
            ]
            same = len(ours) - len(differing)
            print(f"  {name:<15} {half}: {same} of {len(printed)}  {'; '.join(differing)}")
    print("    Table 4, seconds for 12 cycles: concatenation, blend, and what the paper reports")
    pairs = (("run", "walk"), ("dance1", "dance2"), ("run", "dance2"))
    reported = ("12.33, 11.53", "32.67, 33.43", "22.83, 25.86", "21.87, 18.33")
    for names, theirs in zip(pairs, reported, strict=False):
        times = [paper.duration(curve, names, "rectangle") for curve in (paper.CONCATENATION, 0.5)]
        print(f"  {', '.join(names):<28} {times[0]:6.2f} {times[1]:6.2f}   {theirs}")
    times = [paper.duration(curve, tuple(paper.PERIODS), "box") for curve in (paper.ROUND, paper.ARCH)]
    print(f"  {', '.join(paper.PERIODS):<28} {times[0]:6.2f} {times[1]:6.2f}   {reported[-1]}\n")


def print_walk_to_run(space: Framespace) -> None:
    sources = [unroll(clip, 4) for clip in space.clips]
    ours = space.blend(S_CURVE, cycles=CYCLES)
    curve = registered(space.clips)
    made = {
        "framespace": ours,
        "framespace, linear warp": Framespace(space.clips, warp="linear").blend(S_CURVE, cycles=CYCLES),
        "framespace, decoupled": Framespace(space.clips, decoupled=True).blend(S_CURVE, cycles=CYCLES),
        "registration, frequency law": blend(curve, ours.weights, rate_law="frequency"),
        "registration, duration law": blend(curve, ours.weights, rate_law="duration"),
    }
    print(f"(c) A captured walk becomes a run: {CYCLES} cycles, {ours.clip.n_frames} frames")
    heads = ("accel.", "jerk", "strides rise", "feet apart", "slide", "enforced", "seconds")
    print(f"  {'':<28} {' '.join(f'{head:>12}' for head in heads)}")
    for name, result in made.items():
        print(f"  {name:<28} {' '.join(f'{value:>12}' for value in judged(result, sources))}")
    print(f"  sources: feet apart {', '.join(f'{100 * feet_apart(clip):.1f} cm' for clip in sources)}\n")


def judged(result: BlendResult, sources: list[Clip]) -> list[str]:
    """The largest seam measures all along, stride frequencies, feet, and the worst plant."""
    clip = result.clip
    measured = seam_smoothness(clip, np.linspace(8, clip.n_frames - 9, 120), sources)
    left = [hit.frame for hit in strikes(clip) if hit.side == "left"]
    held = enforce(clip)
    return [
        f"{measured.acceleration:.2f}",
        f"{measured.jerk:.2f}",
        "yes" if (np.diff(left, 2) < 0.0).all() else "no",
        f"{100 * feet_apart(clip):.1f} cm",
        f"{100 * plant_measures(clip).travel.max():.1f} cm",
        f"{100 * plant_measures(held.clip).travel.max():.2f} cm",
        f"{clip.duration:.2f}",
    ]


def print_states_left_out(space: Framespace) -> None:
    """Row 23: half-way between walk and run, without each state, and what matching by samples costs."""
    usual = posed_at(space, 0.5)
    print("(d) Change of joints half-way between both, root mean square, without a state")
    for state in space.correspondence.matched:
        change = np.linalg.norm(posed_at(space.without(state.labels[0]), 0.5) - usual, axis=-1)
        print(f"  {state.labels[0]:<10} {100 * np.sqrt((change**2).mean()):6.2f} cm")
    by_states = median_seconds(lambda: correspond([own.whole for own in space.states]))
    rows = {
        "matching by states": by_states,
        "time alignment of all frames, whole registration": median_seconds(
            lambda: registered(space.clips), 3
        ),
    }
    print_table("    Matching", rows, next(iter(rows)))


def posed_at(space: Framespace, v: float, n_moments: int = 120) -> FloatArray:
    """Joints as seen from the body at even moments of a cycle that starts at the clips' own phase zero."""
    loop = space.blend(v, loop=True).clip
    since = (np.linspace(0.0, 1.0, n_moments, endpoint=False) - [1 - v, v] @ space.warp.origins) % 1.0
    poses = unroll(loop, 2).at(since * loop.n_frames)
    return body_positions(
        replace(
            loop,
            root_positions=poses.root_positions,
            rotations=poses.rotations,
            constraints=(),
            events=(),
            cyclic=False,
        )
    )


def print_detail(space: Framespace) -> None:
    """Row 24: how much of the band above 5 Hz is left of a clip, and of the mean of both half-way."""
    print(f"(e) Joint rotations above {BAND:g} Hz: share of the clips' own that is left")
    print(f"  {'':<28} {'framespace':>12} {'key states':>12}")
    for name, v in (("walk", 0.0), ("half-way", 0.5), ("run", 1.0)):
        own, keyed = detail_left(space, v)
        print(f"  {name:<28} {own:>12.2f} {keyed:>12.2f}")


def captured_cycle(name: str) -> Clip:
    clip = load_clip(MOCAP / "locomotion" / "s16" / f"{name}.bvh").resampled(FPS)
    return cyclify(annotate(clip), cycles=1).clip


def registered(clips: tuple[Clip, ...]) -> RegistrationCurve:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RegistrationWarning)
        return register(clips)


if __name__ == "__main__":
    main()
