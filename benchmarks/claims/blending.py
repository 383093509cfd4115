"""Claims 3, 9, 13 to 17 and 19: blends, transitions and control."""

from __future__ import annotations

from functools import partial
from itertools import permutations
from statistics import mean

import numpy as np

from benchmarks.claims.corpus import GAITS, annotated, nine_clips, nine_loops, quietly
from benchmarks.claims.table import Claim, Finding, holds, holds_for
from benchmarks.timing import median_seconds
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.blending import KeyedWeights, LinearSettings, blend, variations
from motionloom.cycles import match_strides
from motionloom.enforcement import enforce
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.options.blending import Average
from motionloom.quality import path_measures, plant_measures
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import turn_in_place, turn_walk, walk
from motionloom.transitions import transition

MEANS: tuple[Average, ...] = ("nlerp", "park", "karcher")

NEARLY_EQUAL = 2.0
"""Degrees at any joint up to which two averages count as nearly the same: nobody sees them."""

CLEAR_GAIN = 0.01
"""Metres of slide of planted feet, on average over plants, by which one transition is clearly better."""

FLIP = np.radians(30)
"""Turn of the body from one frame to the next that nobody can make."""

STRAIGHT = (0, 3, 6)
"""Which of nine clips, three gaits in three directions, go straight."""

SMALL = {"GAITS": ("s16",), "STRAIGHT": (0, 3)}


def five_seconds() -> Finding:
    clips = [walk(speed=s, duration=5.0, fps=30).clip for s in (1.2, 1.5)]
    curve = register(clips, events=())
    seconds = median_seconds(lambda: blend(curve, [0.5, 0.5]))
    return holds(f"{1000 * seconds:.2f} ms, {150 / seconds:,.0f} frames per second", seconds < 5.0)


def averages() -> Finding:
    """Nine-way and three-way blends of captured clips, averaged in three ways."""
    curves = {
        "nine gaits": nine_loops("s16"),
        "walk, run and sneak": nine_loops("s139_sneak"),
        "kicks": quietly(annotated("actions/kicks/kick_74_*.bvh")),
        "punches": quietly(annotated("actions/punches/punch_*.bvh")),
        "reaches": quietly(annotated("actions/reaches/*.bvh")),
    }
    angles = {name: _angles_apart(curve) for name, curve in curves.items()}
    curve = curves["nine gaits"]
    times = {
        how: median_seconds(partial(blend, curve, np.ones(9), average=how, duration=10.0), 5) for how in MEANS
    }
    faster = times["park"] / times["nlerp"]
    figure = "; ".join(f"{name} {mean:.2f}°, {most:.1f}°" for name, (mean, most) in angles.items())
    near = {name: most < NEARLY_EQUAL for name, (_, most) in angles.items()}
    found = holds_for(
        f"from Park's mean and the true one, mean and largest over joints and frames: {figure}; Park's takes "
        f"{faster:.1f} times as long",
        near,
    )
    return found if faster >= 3.0 else Finding(found.figure, f"{found.verdict}; not three times faster")


def _angles_apart(curve: RegistrationCurve) -> tuple[float, float]:
    """Mean and largest angle between joints averaged as 4-vectors and by the other means, degrees.

    Blends have equal weights, and two random mixes.
    """
    mixes = np.random.default_rng(9).dirichlet(np.ones(curve.n_clips), 2)
    duration = 3.0 if curve.timewarp.periods is not None else None
    angles = []
    for weights in (np.ones(curve.n_clips), *mixes):
        clips = {how: blend(curve, weights, average=how, duration=duration).clip for how in MEANS}
        angles += [_angles_between(clips["nlerp"], clips[how]) for how in ("park", "karcher")]
    return max(float(own.mean()) for own in angles), max(float(own.max()) for own in angles)


def _angles_between(a: Clip, b: Clip) -> FloatArray:
    """Angles (T, J) between the joints of two clips, degrees."""
    between = rot.multiply(rot.inverse(a.rotations), b.rotations)
    return np.asarray(np.degrees(np.linalg.norm(rot.to_rotation_vector(between), axis=-1)))


def eighteen() -> Finding:
    clips = [walk(speed=s, duration=299 / 30, fps=30).clip for s in np.linspace(1.0, 1.8, 18)]
    curve = register(clips, events=())
    seconds = median_seconds(lambda: blend(curve, np.ones(18)))
    return holds(f"{1000 * seconds:.1f} ms, {0.3 / seconds:.0f} times less", seconds < 0.3)


def transitions() -> Finding:
    """Slide of planted feet in transitions between captured gaits, linear minus registration."""
    pairs = [
        (nine_loops(name).clips[a], nine_loops(name).clips[b])
        for name in GAITS
        for a, b in permutations(STRAIGHT, 2)
    ]
    gains: dict[float, list[float]] = {}
    for seconds in (0.5, 1.0, 2.0):
        for a, b in pairs:
            linear, ours = (
                _slide(transition(a, b, half_width=seconds / 2, method=method, loop=True).clip)
                for method in ("linear", "registration")
            )
            gains.setdefault(seconds, []).append(linear - ours)
    clear = {seconds: float((np.array(own) > CLEAR_GAIN).mean()) for seconds, own in gains.items()}
    figure = "; ".join(
        f"{seconds:g} s: {100 * np.median(own):.1f} cm less slide than linear in the median, clearly less in "
        f"{clear[seconds]:.0%}"
        for seconds, own in gains.items()
    )
    found = {f"{s:g} s": bool((np.median(own) >= CLEAR_GAIN) == (s > 0.5)) for s, own in gains.items()}
    return holds_for(f"{len(pairs)} pairs of captured gaits, {figure}", found)


def _slide(clip: Clip) -> float:
    return float(np.mean(plant_measures(clip).travel))


def opposite_curves() -> Finding:
    left, right = (walk(speed=1.3, curvature=c, duration=8.0, fps=60).clip for c in (0.35, -0.35))
    curve = register([left, right], events=())
    lengths = {}
    for name, made in {
        "ours": blend(curve, [0.5, 0.5]),
        "linear": blend(curve, [0.5, 0.5], method="linear", linear=LinearSettings()),
    }.items():
        lengths[name] = (path_measures(made.clip).length, _largest_turn(made.clip))
    own = mean(path_measures(clip).length for clip in (left, right))
    return holds(
        f"of {own:.2f} m: ours {lengths['ours'][0]:.2f} m, linear {lengths['linear'][0]:.2f} m; largest turn "
        f"in a frame {np.degrees(lengths['ours'][1]):.1f}° and {np.degrees(lengths['linear'][1]):.0f}°",
        abs(lengths["ours"][0] / own - 1.0) < 0.01 and lengths["linear"][1] > FLIP,
    )


def _largest_turn(clip: Clip) -> float:
    return float(np.abs(np.diff(np.unwrap(facing(clip)))).max())


def sets_of_clips() -> Finding:
    """Turns by angle, a turn back with a straight walk, kicks and punches: no flip, feet that hold."""
    sets = {
        "turns in place": [turn_in_place(turn=turn, fps=30).clip for turn in (0.8, 2.4)],
        "turns in a walk": [turn_walk(turn=turn, fps=30).clip for turn in (0.0, np.pi)],
        "kicks": list(annotated("actions/kicks/kick_74_*.bvh")),
        "punches": list(annotated("actions/punches/punch_*.bvh")),
    }
    turns, slides = [], []
    for clips in sets.values():
        ready = [clip if clip.constraints else annotate(clip) for clip in clips]
        for made in variations(quietly(ready), 4, 1):
            turns.append(_largest_turn(made.clip))
            slides.append([_slide(made.clip), _slide(enforce(made.clip).clip)])
    before, after = 100 * np.mean(slides, axis=0)
    return holds(
        f"{len(turns)} blends of four sets: largest turn in a frame {np.degrees(max(turns)):.0f}°; planted "
        f"feet slide {before:.1f} cm on average, {after:.3f} cm after enforcement",
        max(turns) < FLIP and after < 0.1,
    )


def control() -> Finding:
    curve = nine_loops("s139_sneak")
    rng = np.random.default_rng(1)
    keys = {2.0 * n: rng.dirichlet(np.full(9, 0.5)) for n in range(31)}
    made = blend(curve, KeyedWeights(keys))
    return holds(
        f"60 s over walk, run and sneak: u rises in every frame, largest turn in a frame "
        f"{np.degrees(_largest_turn(made.clip)):.1f}°, {len(made.clip.constraints)} plants",
        bool(np.diff(made.u).min() > 0.0) and _largest_turn(made.clip) < FLIP,
    )


def constraint_times() -> Finding:
    """How far the end of a plant jumps when the weights move by a hundredth."""
    clips = match_strides([nine_clips("s16")[0], nine_clips("s16")[3]])
    curve = register(clips)
    shares = np.linspace(0.0, 1.0, 101)
    jumps = {"ours": _jumps([blend(curve, [1 - w, w]).clip for w in shares])}
    copied = LinearSettings(constraints="heaviest")
    jumps["heaviest"] = _jumps(
        [blend(curve, [1 - w, w], method="linear", linear=copied).clip for w in shares]
    )
    return holds(
        f"largest jump of a plant's beginning as a weight goes from 0 to 1 in hundredths: ours "
        f"{jumps['ours']:.2f} frames, copied from the heaviest {jumps['heaviest']:.1f}",
        jumps["ours"] < 1.0 < jumps["heaviest"],
    )


def _jumps(clips: list[Clip]) -> float:
    """The largest change of the first beginning after frame 0 of any kind of plant, frames."""
    firsts = []
    for clip in clips:
        found: dict[tuple[str, str], float] = {}
        for held in clip.constraints:
            if held.start > 1.0:
                found.setdefault((held.joint, held.kind), held.start)
        firsts.append(found)
    common = set.intersection(*(set(found) for found in firsts))
    tracks = np.array([[found[role] for role in sorted(common)] for found in firsts])
    return float(np.abs(np.diff(tracks, axis=0)).max())


CLAIMS = (
    Claim(3, "paper 6", "5 s of output at interactive rates", five_seconds),
    Claim(9, "thesis 5.3.3", "averaging 4-vectors is nearly Park's mean and three times faster", averages),
    Claim(13, "thesis 5.4", "a 300-frame blend of 18 motions takes 0.3 s", eighteen),
    Claim(
        14,
        "thesis 5.4.1",
        "transitions span 1 to 2 s; at 0.5 s there is no clear gain over linear",
        transitions,
    ),
    Claim(15, "both", "a linear blend of opposite curves collapses and flips", opposite_curves),
    Claim(
        16,
        "paper 6.2",
        "turns by angle, a turn back with a straight walk, punches, three kicks",
        sets_of_clips,
    ),
    Claim(17, "both", "nine motions under continuous control", control),
    Claim(19, "paper 3", "constraints change smoothly with the weights", constraint_times),
)
