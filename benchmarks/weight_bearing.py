"""Weight-bearing contact against force plates: fitted to half of the people, tested on the others.

Run with `python -m benchmarks.weight_bearing`. Truth: a plate carries more than 20 N, and its centre of
pressure is within 25 cm of the middle of a foot's heel and toe markers and nearer to it than to the other
foot. Only frames in which the foot is over a plate, 5 cm from its edges, count. People are split twenty
times; the rule is two thresholds, tuned on the same half as the model. Differences have the 95 % interval of
a bootstrap over the people of the tested half.

Nobody walks on these plates: half of the captured walks and runs, with the planted intervals of their feet
for truth, go into every fit, and a quarter is scored. That score says how far both notions agree, not which
of them is right. The coefficients at the end are fitted to everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from motionloom.annotation.soles import find_soles
from motionloom.annotation.treadmill import is_in_place
from motionloom.annotation.weight_bearing import (
    LOW_QUANTILE,
    WINDOW,
    TrackedFoot,
    load_features,
    read_plates_under,
)
from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import kinematics
from motionloom.motion.anatomy import Side, find_anatomy
from motionloom.motion.filters import average_window
from motionloom.motion.point_clip import fill_gaps

N_SPLITS, N_BOOTSTRAPS = 20, 200
RATES, GAIT_RATES = (360.0, 120.0, 60.0, 30.0), (120.0, 60.0, 30.0)
"""Frame rates that the model is fitted at."""

SIDES: tuple[tuple[Side, str], ...] = (("left", "L"), ("right", "R"))

MAX_SHIFT = 0.1
"""Seconds within which an onset or release is looked for."""

FIT_STEP, SCORE_STEP = 2, 4
"""Of the walks and runs, every which is fitted to, and every which is scored."""

SMALL = {
    "N_SPLITS": 1,
    "N_BOOTSTRAPS": 2,
    "RATES": (360.0,),
    "GAIT_RATES": (30.0,),
    "FIT_STEP": 200,
    "SCORE_STEP": 200,
}


@dataclass
class Foot:
    """One foot of one person at one rate."""

    person: int
    rate: float
    frame_time: float
    features: FloatArray
    heights: FloatArray
    speeds: FloatArray
    truth: BoolArray
    counts: BoolArray


def load_feet(rates: Sequence[float]) -> list[Foot]:
    """Feet of all takes at all rates."""
    feet = []
    for person, path in enumerate(sorted((MOCAP / "force_plates").glob("*.c3d"))):
        whole = ml.load(path, ml.PointClip)
        for rate in rates:
            clip = whole if rate == RATES[0] else whole.resampled(rate)
            positions, names = fill_gaps(clip.positions), clip.names
            tracked = [
                TrackedFoot(side, f"{s}HEE", *(positions[:, names.index(f"{s}{p}")] for p in ("HEE", "TOE")))
                for side, s in SIDES
            ]
            seen = load_features(tracked, clip.frame_time)
            for foot, other, features in zip(tracked, tracked[::-1], seen, strict=True):
                over, loaded = read_plates_under(
                    foot.centre, [other.centre], clip.frame_time, clip.force_plates
                )
                columns = [names.index(name) for name in (foot.joint, foot.joint.replace("HEE", "TOE"))]
                over &= ~np.isnan(clip.positions[:, columns, 0]).any(axis=1)
                heights, speeds = measure(foot, clip.frame_time)
                feet.append(Foot(person, rate, clip.frame_time, features, heights, speeds, loaded, over))
    return feet


def load_gaits(paths: Sequence[Path]) -> list[Foot]:
    """Feet of walks and runs, whose planted intervals stand in for plates."""
    feet = []
    for number, path in enumerate(paths):
        whole = ml.load(path)
        if is_in_place(whole):
            continue
        whole = ml.annotate(whole)
        for rate in GAIT_RATES:
            clip = whole if rate >= whole.fps - 1.0 else whole.resampled(rate)
            _, soles = find_soles(clip, find_anatomy(clip.skeleton).legs)
            tracked = [
                TrackedFoot(sole.side, "", sole.heel.positions(clip), sole.toe.positions(clip))
                for sole in soles
            ]
            seen = load_features(tracked, clip.frame_time)
            for sole, foot, features in zip(soles, tracked, seen, strict=True):
                joints = {clip.skeleton.names[joint] for joint in sole.leg.joints}
                frames = np.arange(clip.n_frames)
                truth = np.zeros(clip.n_frames, dtype=np.bool_)
                for plant in clip.constraints:
                    if plant.joint in joints:
                        truth |= (frames >= plant.start - 0.5) & (frames <= plant.end + 0.5)
                heights, speeds = measure(foot, clip.frame_time)
                every = np.ones_like(truth)
                feet.append(Foot(-1 - number, rate, clip.frame_time, features, heights, speeds, truth, every))
    return feet


def measure(foot: TrackedFoot, frame_time: float) -> tuple[FloatArray, FloatArray]:
    """Height and speed of the lower and of the slower of heel and toes: what rules look at."""
    tracks = (foot.heel, foot.toe)
    heights = [track[:, 1] - np.quantile(track[:, 1], LOW_QUANTILE) for track in tracks]
    speeds = [
        np.linalg.norm(average_window(kinematics.velocities(track, frame_time), frame_time, WINDOW), axis=1)
        for track in tracks
    ]
    return np.minimum(*heights), np.minimum(*speeds)


def fit(feet: Sequence[Foot]) -> FloatArray:
    """Coefficients of a logistic model; every rate counts the same."""
    from scipy.optimize import minimize

    x = np.concatenate([foot.features[foot.counts] for foot in feet])
    y = np.concatenate([foot.truth[foot.counts] for foot in feet]).astype(float)
    weights = np.concatenate([np.full(foot.counts.sum(), foot.frame_time) for foot in feet])
    weights /= weights.sum()
    means, sizes = x.mean(axis=0), x.std(axis=0)
    means[0], sizes[0] = 0.0, 1.0
    z = (x - means) / sizes

    def loss(b: FloatArray) -> tuple[float, FloatArray]:
        odds = z @ b
        away = 1.0 / (1.0 + np.exp(-odds)) - y
        penalty = np.concatenate([[0.0], b[1:]])
        value = weights @ (np.logaddexp(0.0, odds) - y * odds) + 1e-3 * penalty @ penalty
        return float(value), z.T @ (weights * away) + 2e-3 * penalty

    b = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x
    plain = b / sizes
    plain[0] = b[0] - (b[1:] * means[1:] / sizes[1:]).sum()
    return np.asarray(plain)


def tune(feet: Sequence[Foot]) -> tuple[float, float]:
    """The two thresholds with the best F1."""
    candidates = [(v, h) for v in np.arange(0.4, 2.8, 0.15) for h in np.arange(0.02, 0.3, 0.02)]
    return max(candidates, key=lambda rule: score(feet, follow(rule)))


def follow(rule: tuple[float, float]) -> Callable[[Foot], BoolArray]:
    return lambda foot: np.asarray((foot.speeds < rule[0]) & (foot.heights < rule[1]))


def model(coefficients: FloatArray) -> Callable[[Foot], BoolArray]:
    return lambda foot: np.asarray(
        average_window(foot.features @ coefficients, foot.frame_time, WINDOW) > 0.0
    )


def score(feet: Sequence[Foot], detect: Callable[[Foot], BoolArray]) -> float:
    """F1 over all frames that count."""
    hits = sizes = 0
    for foot in feet:
        found, truth = detect(foot)[foot.counts], foot.truth[foot.counts]
        hits += int((found & truth).sum())
        sizes += int(found.sum() + truth.sum())
    return 2.0 * hits / max(sizes, 1)


def median_shift(feet: Sequence[Foot], detect: Callable[[Foot], BoolArray], sign: int) -> float:
    """Median milliseconds from onsets (1) or releases (-1) to the nearest ones found."""
    found = []
    for foot in feet:
        true = np.flatnonzero(np.diff(foot.truth.astype(int)) == sign)
        ours = np.flatnonzero(np.diff(detect(foot).astype(int)) == sign)
        for n in true:
            near = np.abs(ours - n).min(initial=10**6) * foot.frame_time
            if foot.counts[max(n - 8, 0) : n + 9].all() and near <= MAX_SHIFT:
                found.append(float(near))
    return 1000.0 * float(np.median(found)) if found else float("nan")


def main() -> None:
    need_corpus()
    feet = load_feet(RATES)
    paths = sorted((MOCAP / "locomotion").glob("*/*.bvh"))
    gaits, held_out = load_gaits(paths[::FIT_STEP]), load_gaits(paths[1::SCORE_STEP])
    people = sorted({foot.person for foot in feet})
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(N_SPLITS):
        chosen = set(rng.permutation(people)[: len(people) // 2].tolist())
        learnt = [foot for foot in feet if foot.person in chosen]
        detect = model(fit([*learnt, *gaits]))
        simple = follow(tune([foot for foot in learnt if foot.rate == RATES[0]]))
        tested = {
            person: [foot for foot in feet if foot.person == person and foot.rate == RATES[0]]
            for person in people
            if person not in chosen
        }
        gains = []
        for _ in range(N_BOOTSTRAPS):
            drawn = [foot for person in rng.choice(list(tested), len(tested)) for foot in tested[person]]
            gains.append(score(drawn, detect) - score(drawn, simple))
        others = [foot for group in tested.values() for foot in group]
        rows.append(
            (
                score(others, detect),
                score(others, simple),
                *np.percentile(gains, [2.5, 97.5]),
                *(median_shift(others, each, sign) for each in (detect, simple) for sign in (1, -1)),
                score(held_out, detect),
                score(held_out, simple),
            )
        )
    ours, rule, low, high, *edges, gait, rule_gait = np.nanmean(rows, axis=0)
    print(f"{len(people)} people, {N_SPLITS} splits in halves, {RATES[0]:g} frames per second")
    for name, value, shift in (("model", ours, edges[:2]), ("thresholds", rule, edges[2:])):
        print(
            f"{name:<12} F1 {value:.4f}, onset within {shift[0]:.1f} ms, release {shift[1]:.1f} ms (median)"
        )
    print(f"difference   {ours - rule:+.4f}, 95 % interval {low:+.4f} to {high:+.4f} (mean over splits)")
    print(f"better in {sum(row[0] > row[1] for row in rows)} of {N_SPLITS} splits")
    print(f"walks and runs held out, against planted feet: F1 {gait:.4f}, thresholds {rule_gait:.4f}")
    everybody = fit([*feet, *gaits])
    for rate in RATES:
        own = [foot for foot in feet if foot.rate == rate]
        print(f"everybody at {rate:3.0f} frames per second: F1 {score(own, model(everybody)):.4f}")
    print("coefficients", np.round(everybody, 3).tolist())


if __name__ == "__main__":
    main()
