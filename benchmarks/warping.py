"""Motion warping: the time it takes, and the claims of its paper (Witkin & Popović 1995) on captured motion.

Run with `make bench`. The time of a warp is set beside copying the arrays of the clip. The claims are tried
where the captured clips are beside the checkout, or with MOTIONLOOM_MOCAP set to their folder: every
warp preset on three walks, targets around the apex of four punches and reaches, and random time keys.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.claims.table import Claim, Finding, holds, print_head, print_row
from benchmarks.corpus import MOCAP
from benchmarks.timing import median_seconds, print_table
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.cycles import cyclify
from motionloom.geometry import rotations as rot
from motionloom.geometry.splines import HermiteCurve, cardinal_slopes, monotone_slopes
from motionloom.motion import Clip
from motionloom.motion.unroll import extend_cycle
from motionloom.quality import plant_measures
from motionloom.synthesis import walk
from motionloom.warping import PRESETS, Key, Warp, apply_preset, preset_edit, stepping_stones, warp
from motionloom.warping.footholds import find_footholds
from tests.warping.measuring import captured_clip, detail_kept, joint_speeds

SECONDS, FPS, N_KEYS = 60.0, 60.0, 30
WALKS = (
    "locomotion/s16/walk_straight_16_15",
    "locomotion/s16/brisk_straight_16_21",
    "locomotion/speeds/slow_07_04",
)
STRIKES = {
    "actions/punches/punch_high1_02_05_r0091-0265": "RightHand",
    "actions/punches/punch_low1_02_05_r1137-1313": "RightHand",
    "actions/reaches/reach_high_centre_144_22_r0701-0883": "LeftHand",
    "actions/reaches/reach_low_left_144_22_r2841-3096": "LeftHand",
}
N_TARGETS, TARGET_RANGE = 25, 0.15
N_TIME_WARPS = 2000
SMALL = {"SECONDS": 4.0, "WALKS": WALKS[:1], "N_TARGETS": 1, "N_TIME_WARPS": 50}


def main() -> None:
    print_speed()
    if not MOCAP.is_dir():
        print("the captured clips are not there: the claims are left out")
        return
    print_head()
    for claim in CLAIMS:
        found = claim.measure()
        print_row((str(claim.number), claim.source, claim.text, found.figure, found.verdict))


def print_speed() -> None:
    clip = walk(duration=SECONDS, fps=FPS).clip
    rng = np.random.default_rng(0)
    joints = rng.integers(0, clip.skeleton.n_joints, N_KEYS).tolist()
    keys = [
        Key(float(time), clip.skeleton.names[joint], rotate=0.2 * rng.normal(size=3))
        for time, joint in zip(np.sort(rng.uniform(0.0, SECONDS, N_KEYS)), joints, strict=True)
    ]
    held = [replace(key, ease=None) for key in keys]
    rows = {
        f"{N_KEYS} rotation keys": median_seconds(lambda: warp(clip, keys)),
        "the same keys held over the clip": median_seconds(lambda: warp(clip, held)),
        "the same keys and a time key": median_seconds(
            lambda: warp(clip, keys, [(SECONDS / 2, SECONDS / 2 + 1.0)])
        ),
        "copying the clip": median_seconds(lambda: (clip.rotations.copy(), clip.root_positions.copy())),
    }
    print_table(f"Warp of {clip.n_frames} frames × {clip.skeleton.n_joints} joints", rows, next(iter(rows)))


def few_keys() -> Finding:
    """Row 25: the whole family on three walks, with keys met and feet in place; stepping stones beside it."""
    keys, slides, misses = [], [], []
    for walking in map(captured_clip, WALKS):
        for name in PRESETS:
            made = apply_preset(walking, name)
            keys.append(made.report.n_keys)
            slides.append(plant_measures(made.clip).travel.max())
            misses.append(_worst_miss(walking, Warp(preset_edit(walking, name).warp.layers)))
    stones = _stones()
    return holds(
        f"{min(keys)} to {max(keys)} keys; rotation keys met to {max(misses):.0e} rad; feet slide by "
        f"{1000 * max(slides):.3f} mm at most; stepping stones: {stones} keys for {stones} stones",
        max(keys) <= 5 and max(slides) < 1e-3 and max(misses) < 1e-6,
    )


def one_key_hits() -> Finding:
    """Row 26: one key at the apex of a punch or reach, for targets within 15 cm."""
    errors, speeds, hands = [], [], []
    offsets = np.random.default_rng(25).uniform(-TARGET_RANGE, TARGET_RANGE, (N_TARGETS, 3))
    for name, hand in STRIKES.items():
        clip = captured_clip(name)
        joint = clip.skeleton.index(hand)
        frame = round(next(e.frame for e in clip.events if e.label == "apex" and e.joint == hand))
        for target in clip.world_positions()[frame, joint] + offsets:
            made = warp(clip, [Key(frame * clip.frame_time, hand, reach=target)])
            errors.append(float(np.linalg.norm(made.clip.world_positions()[frame, joint] - target)))
            speeds.append(float(joint_speeds(made.clip).max() / joint_speeds(clip).max()))
            hands.append(_hand_speed(made.clip, joint) / _hand_speed(clip, joint))
    return holds(
        f"{len(errors)} targets hit within {1e6 * max(errors):.3f} µm; fastest joint {max(speeds):.2f} "
        f"times, hand {max(hands):.2f} times as fast as in the source at most",
        max(errors) < 1e-3 and max(speeds) <= 1.3,
    )


def reversals() -> Finding:
    """Row 27: random increasing warps of six keys, evenly spaced, with gaps uniform in 0 to 1."""
    rng = np.random.default_rng(36)
    shares = {}
    for name in ("tension 0", "tension 0.5", "pchip"):
        found = 0
        for _ in range(N_TIME_WARPS):
            knots, values = np.arange(6.0), np.cumsum(rng.random(6))[:, None]
            found += _reverses(knots, values, name)
        shares[name] = found / N_TIME_WARPS
    figure = ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())
    return holds(f"share of random warps that run backwards: {figure}", shares["tension 0"] == 0.0)


def details_survive() -> Finding:
    """Row 28: angular velocities of joints above 3 Hz, before and after the keys of every warp preset."""
    energies, correlations = [], []
    for walking in map(captured_clip, WALKS):
        for name in PRESETS:
            edit = preset_edit(walking, name)
            ratio, correlation = detail_kept(walking, warp(walking, Warp(edit.warp.layers)).clip)
            scaled = {
                walking.skeleton.index(k.joint) if k.joint else 0
                for k in edit.warp.keys
                if k.scale is not None
            }
            plain = [joint for joint in range(walking.skeleton.n_joints) if joint not in scaled]
            energies += np.abs(ratio[plain] - 1.0).tolist()
            correlations += correlation[plain].tolist()
    return holds(
        f"energy above 3 Hz of each joint kept within {100 * max(energies):.1f} %, correlation "
        f"{min(correlations):.4f} at least",
        max(energies) < 0.05 and min(correlations) >= 0.99,
    )


def _worst_miss(clip: Clip, keys: Warp) -> float:
    """The largest angle by which the frame nearest to a rotation key departs from what the key wants."""
    snapped = [
        replace(key, time=min(round(key.seconds * clip.fps), clip.n_frames - 1) * clip.frame_time)
        for key in keys.keys
        if key.rotate is not None and key.joint
    ]
    made = warp(clip, snapped)
    misses = [0.0]
    for key in snapped:
        frame, joint = round(key.seconds * clip.fps), clip.skeleton.index(key.joint)
        turned = rot.multiply(rot.inverse(clip.rotations[frame, joint]), made.clip.rotations[frame, joint])
        misses.append(float(np.linalg.norm(rot.to_rotation_vector(turned) - key.vector)))
    return max(misses)


def _stones() -> int:
    """The number of keys that bring a cyclic walk onto irregular stones."""
    clip = extend_cycle(cyclify(annotate(walk().clip), cycles=1).clip, 240)
    places = np.array([hold.centre[[0, 2]] for hold in find_footholds(clip)])
    aside = np.random.default_rng(7).uniform(-0.08, 0.08, places.shape)
    made = stepping_stones(clip, places + aside)
    assert plant_measures(made.clip).travel.max() < 1e-3, "a foot slides on its stone"
    return int(made.report.n_keys)


def _hand_speed(clip: Clip, joint: int) -> float:
    return float(np.linalg.norm(clip.world_velocities()[:, joint], axis=-1).max())


def _reverses(knots: FloatArray, values: FloatArray, name: str) -> bool:
    tension = 0.5 if name == "tension 0.5" else 0.0
    slopes = monotone_slopes(knots, values) if name == "pchip" else cardinal_slopes(knots, values, tension)
    shown = HermiteCurve(knots, values, slopes)(np.linspace(knots[0], knots[-1], 400)).ravel()
    return bool((np.diff(shown) < -1e-12).any())


CLAIMS = (
    Claim(25, "WP95 4", "every warp needs one to five keyframes", few_keys),
    Claim(26, "WP95 4", "one key at the impact retargets a tennis shot", one_key_hits),
    Claim(27, "WP95 3", "Cardinal splines cause no unwanted reversal of time", reversals),
    Claim(28, "WP95 3", "details survive smooth transformations", details_survive),
)


if __name__ == "__main__":
    main()
