"""Claims 3, 9, 13 to 17 and 19: blends, transitions and control."""

from __future__ import annotations

from functools import partial
from statistics import mean

import numpy as np

from benchmarks.claims.corpus import annotated, nine_clips, nine_loops, quietly
from benchmarks.claims.table import Claim, Finding, holds
from benchmarks.timing import median_seconds
from motionloom.annotation import annotate
from motionloom.blending import KeyedWeights, LinearSettings, blend, variations
from motionloom.blending.average import Average
from motionloom.cycles import cyclify, match_strides
from motionloom.enforcement import enforce
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.quality import path_measures, plant_measures, seam_smoothness
from motionloom.registration import register
from motionloom.synthesis import turn_in_place, turn_walk, walk
from motionloom.transitions import transition

FLIP = np.radians(30)
"""Turn of the body from one frame to the next that nobody can make."""


def five_seconds() -> Finding:
    clips = [walk(speed=s, duration=5.0, fps=30).clip for s in (1.2, 1.5)]
    curve = register(clips, events=())
    seconds = median_seconds(lambda: blend(curve, [0.5, 0.5]))
    return holds(f"{1000 * seconds:.2f} ms, {150 / seconds:,.0f} frames per second", seconds < 5.0)


def averages() -> Finding:
    curve = nine_loops("s16")
    means: tuple[Average, ...] = ("nlerp", "park", "karcher")
    works = {how: partial(blend, curve, np.ones(9), average=how, duration=10.0) for how in means}
    clips = {how: work().clip for how, work in works.items()}
    apart = max(_largest_angle(clips["nlerp"], clips[how]) for how in ("park", "karcher"))
    times = {how: median_seconds(work, 5) for how, work in works.items()}
    return holds(
        f"at most {apart:.2f}° apart at any joint of a nine-way blend; Park's takes "
        f"{times['park'] / times['nlerp']:.1f} times as long",
        apart < 1.0 and times["park"] > 3.0 * times["nlerp"],
    )


def _largest_angle(a: Clip, b: Clip) -> float:
    between = rot.multiply(rot.inverse(a.rotations), b.rotations)
    return float(np.degrees(np.linalg.norm(rot.to_rotation_vector(between), axis=-1).max()))


def eighteen() -> Finding:
    clips = [walk(speed=s, duration=299 / 30, fps=30).clip for s in np.linspace(1.0, 1.8, 18)]
    curve = register(clips, events=())
    seconds = median_seconds(lambda: blend(curve, np.ones(18)))
    return holds(f"{1000 * seconds:.1f} ms, {0.3 / seconds:.0f} times less", seconds < 0.3)


def transitions() -> Finding:
    a, b = (cyclify(clip, cycles=1) for clip in (nine_clips("s16")[0], nine_clips("s16")[3]))
    gains = {}
    for seconds in (0.5, 1.0, 2.0):
        slides = [
            _slide(transition(a, b, half_width=seconds / 2, method=method, loop=True).clip)
            for method in ("linear", "registration")
        ]
        gains[seconds] = slides[0] - slides[1]
    figure = ", ".join(f"{seconds:g} s: {100 * gain:.1f} cm" for seconds, gain in gains.items())
    made = transition(a, b, half_width=1.0, loop=True)
    seams = seam_smoothness(made.clip, made.report.seams, nine_clips("s16")[:4])
    return holds(
        f"less slide than linear in a walk → jog by {figure}; acceleration at the seams of 2 s "
        f"{seams.acceleration:.2f} of what is usual",
        gains[2.0] > gains[0.5] and seams.acceleration < 1.2,
    )


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
            slides.append([_slide(made.clip), _slide(enforce(made.clip))])
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
