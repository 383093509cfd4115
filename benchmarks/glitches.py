"""Faults of capture: how many of 1,000 planted glitches are found and mended, and what is found that is none.

Run with `make bench`. Glitches are planted one at a time in captured clips of 120 frames per second whose own
faults were mended before: spikes of the root and of limbs by 5 to 40 cm, flips of joints by 20° to 180°, of
one to three frames, anywhere in the clip. Found means: the joint and one of its frames. Errors are those of
the mended clip against the clip before planting, over all joints and frames. The same is repeated with every
second and every fourth frame.

Glitches are planted only in clips that raise no alarm, so "alarms elsewhere" says whether a glitch causes
others, and not how often clean motion raises alarms. The lines after the tables say that. Mended clips
without anything above 15 Hz (8 Hz for the library, which has 30 frames per second) have no sharp edges left,
and built-in motions have no faults: every alarm there is false. In every second and every fourth frame of
clips as they are, an alarm about a rotation is confirmed if the joint accelerates, in all frames, faster than
limbs (30,000 °/s²) or light ends of limbs (120,000 °/s²) can. Clips whose name hashes to a third of all
values are held out: nobody looked at them while thresholds were chosen. `python -m benchmarks.glitches
sheet.html` writes what is found in the captured clips instead (:mod:`benchmarks.glitches_sheet`).
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from benchmarks.corpus import MOCAP, need_corpus
from motionloom.errors import MotionloomError
from motionloom.files import load_clip
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.repair import Fault, find_faults, repair, smooth
from motionloom.repair.find_faults import (
    LIGHT_REACH,
    MAX_ANGULAR_ACCELERATION,
    MAX_LIGHT_ANGULAR_ACCELERATION,
    find_captured_joints,
    find_reaches,
)
from motionloom.repair.find_glitches import rotation_roughness
from motionloom.synthesis.motions import MOTIONS, make_motion

N_PLANTED = {1: 1000, 2: 300, 4: 300}
"""Glitches to plant, by the step between the frames that are kept."""

WRONG_RATE = "mova_8walk_3ch"
"""A clip that states 120 frames per second and has 30."""

RATE, MIN_FRAMES = 120.0, 100
MAX_DISTANCE, MAX_ANGLE = 0.01, 5.0
"""Bounds of the error after repair, metres and degrees."""

CUTOFF, LIBRARY_CUTOFF = 15.0, 8.0
"""Hz above which clean motion has nothing."""

LIBRARY_MINUTES = 10.0
DESCRIBED_STEP = 1
SMALL = {"N_PLANTED": {4: 20}, "LIBRARY_MINUTES": 0.05, "DESCRIBED_STEP": 12}


@dataclass(frozen=True)
class Glitch:
    """What was planted, whether it was found, and how far the mended clip is off."""

    kind: str
    is_held_out: bool
    is_found: bool
    n_alarms: int
    seconds: float
    distance: float
    angle: float
    is_rest_untouched: bool


def main() -> None:
    need_corpus()
    if len(sys.argv) > 1:
        from benchmarks.glitches_sheet import write_sheet

        write_sheet(sys.argv[1])
        return
    named = [
        (name, replace(clip, cyclic=False))
        for name, clip in described_clips()
        if WRONG_RATE not in name and abs(clip.fps - RATE) <= 1.0
    ]
    clean = [(name, repair(clip)) for name, clip in named if is_clean_enough(clip)]
    for step, count in N_PLANTED.items():
        kept = [(name, clip.clip[::step]) for name, clip in clean]
        kept = [(name, clip) for name, clip in kept if not find_faults(clip)]
        rng = np.random.default_rng(17)
        planted = [plant(*kept[rng.integers(len(kept))], rng) for _ in range(count)]
        print_table(planted, RATE / step, len(kept))
    library = {held_out: list(library_clips(held_out=held_out)) for held_out in (False, True)}
    print("Alarms in clean motion, all of them false")
    for held_out in (False, True):
        label = "held out" if held_out else "others"
        smoothed = [smooth(clip, CUTOFF) for name, clip in clean if is_held_out(name) == held_out]
        for step in N_PLANTED:
            print_alarms(
                f"below 15 Hz, {RATE / step:g} Hz, {label}", [clip.clip[::step] for clip in smoothed]
            )
        takes = [repair(clip) for _, clip in library[held_out]]
        smoothed = [smooth(take, LIBRARY_CUTOFF) for take in takes if not take.report.left]
        print_alarms(f"library below 8 Hz, 30 Hz, {label}", [own.clip for own in smoothed])
    for fps in (120.0, 60.0, 30.0):
        print_alarms(f"built-in motions, {fps:g} Hz", built_in_clips(fps))
    print("Alarms in captured motion as it is, faults included")
    for held_out in (False, True):
        label = "held out" if held_out else "others"
        raw = [clip for name, clip in named if is_held_out(name) == held_out]
        for step in N_PLANTED:
            print_alarms(
                f"{RATE / step:g} Hz, {label}", [clip[::step] for clip in raw], raw if step > 1 else (), step
            )
        print_alarms(f"library, 30 Hz, {label}", [clip for _, clip in library[held_out]])
    print()
    print_cost()


def print_alarms(title: str, clips: Sequence[Clip], whole: Sequence[Clip] = (), step: int = 1) -> None:
    """Print how much is reported in clips, and how much of it the same clips with all frames confirm."""
    found = [find_faults(clip) for clip in clips]
    minutes = sum(clip.duration for clip in clips) / 60.0
    alarms = sum(map(len, found))
    line = (
        f"  {title:<34}{alarms:>4} alarms in {sum(map(bool, found)):>3} of {len(clips):>3} clips, "
        f"{minutes:>4.1f} minutes: {10 * alarms / minutes:.1f} per 10 minutes"
    )
    if whole:
        checked = [
            is_confirmed(clip, fault, step)
            for clip, faults in zip(whole, found, strict=True)
            for fault in faults
            if fault.kind in ("flip", "spike") and fault.channel == "rotation"
        ]
        line += f"; {sum(checked)} of {len(checked)} flips and spikes of joints confirmed"
    print(line)


def is_confirmed(clip: Clip, fault: Fault, step: int) -> bool:
    """Tell whether a joint accelerates, at the whole rate, faster than bodies can where a fault was found."""
    joint = clip.skeleton.index(fault.joint)
    is_light = find_reaches(clip.skeleton)[joint] < LIGHT_REACH
    limit = MAX_LIGHT_ANGULAR_ACCELERATION if is_light else MAX_ANGULAR_ACCELERATION
    part = slice(max((fault.first - 1) * step, 0), (fault.last + 1) * step + 1)
    # Rotations by a small angle are quaternions half of it apart.
    bend = 2.0 * rotation_roughness(clip.rotations)[1][part, joint].max()
    return bool(bend > limit * clip.frame_time**2)


def is_held_out(name: str) -> bool:
    """Tell whether a clip was kept aside while thresholds were chosen; a third of all are."""
    return sha256(name.encode()).digest()[0] % 3 == 0


def library_clips(*, held_out: bool) -> Iterator[tuple[str, Clip]]:
    """Takes of the library in the order of a hash, until there are so many minutes."""
    seconds = 0.0
    paths = (MOCAP / "library").glob("*/*.bvh")
    for path in sorted(paths, key=lambda path: sha256(f"{path.name}x".encode()).digest()):
        if is_held_out(path.name) != held_out:
            continue
        clip = load_clip(path)
        yield str(path.relative_to(MOCAP)), replace(clip, cyclic=False)
        seconds += clip.duration
        if seconds > 60.0 * LIBRARY_MINUTES:
            return


def built_in_clips(fps: float) -> list[Clip]:
    """Synthesized motions, which have no faults whatever the detector says."""
    return [make_motion(name, {"fps": fps}).clip for name in MOTIONS]


def described_clips() -> Iterator[tuple[str, Clip]]:
    """The clips of the corpus' list that hold motion of a skeleton, by their paths."""
    with (MOCAP / "index.csv").open(encoding="utf-8") as file:
        names = [row["path"] for row in csv.DictReader(file)]
    names += sorted(str(path.relative_to(MOCAP)) for path in (MOCAP / "locomotion" / "triples").glob("*.bvh"))
    for name in [*dict.fromkeys(names)][::DESCRIBED_STEP]:
        if name.endswith((".bvh", ".amc", ".glb")):
            try:
                yield name, load_clip(MOCAP / name)
            except MotionloomError:
                yield name, load_clip(MOCAP / name, animation=0)


def is_clean_enough(clip: Clip) -> bool:
    """Tell whether a clip can be a clip without faults once it is mended."""
    if abs(clip.fps - RATE) > 1.0 or clip.n_frames < MIN_FRAMES:
        return False
    return not repair(clip).report.left


def plant(clip_name: str, clip: Clip, rng: np.random.Generator) -> Glitch:
    """Plant one glitch, look for it, and mend it."""
    kind = str(rng.choice(["spike of the root", "spike of a limb", "flip"]))
    n_frames = int(rng.integers(1, 4))
    first = int(rng.integers(0, clip.n_frames - n_frames))
    part = slice(first, first + n_frames)
    rotations, roots = np.array(clip.rotations), np.array(clip.root_positions)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    joints = np.flatnonzero(find_captured_joints(clip.skeleton))
    joint = 0
    if kind == "spike of the root":
        roots[part] += axis * rng.uniform(0.05, 0.4)
    elif kind == "flip":
        joint = int(rng.choice(joints))
        turn = rot.from_axis_angle(axis, np.radians(rng.uniform(20.0, 180.0)))
        rotations[part, joint] = rot.multiply(rotations[part, joint], turn)
    else:
        joint, turn = limb_spike(clip, first, joints, axis, rng)
        rotations[part, joint] = rot.multiply(rotations[part, joint], turn)
    broken = replace(clip, rotations=rotations, root_positions=roots)
    faults = find_faults(broken)
    name = clip.skeleton.names[joint]
    # What hangs on the joint, and what follows at once, belongs to the glitch.
    near = [f for f in faults if f.first <= first + n_frames and first - 1 <= f.last]
    mended = repair(broken)
    same = (mended.clip.rotations == broken.rotations).all(axis=-1)
    same[part] = True
    same_root = (mended.clip.root_positions == broken.root_positions).all(axis=-1)
    same_root[part] = True
    cosines = np.abs(np.einsum("tji,tji->tj", mended.clip.rotations, clip.rotations))
    return Glitch(
        kind,
        is_held_out(clip_name),
        any(f.joint == name and f.first < first + n_frames and first <= f.last for f in near),
        len(faults) - len(near),
        clip.duration,
        float(np.linalg.norm(mended.clip.world_positions() - clip.world_positions(), axis=-1).max()),
        float(np.degrees(2.0 * np.arccos(np.minimum(cosines, 1.0))).max()),
        bool(same.all() and same_root.all()),
    )


def limb_spike(
    clip: Clip, frame: int, joints: np.ndarray, axis: np.ndarray, rng: np.random.Generator
) -> tuple[int, np.ndarray]:
    """A joint, and the rotation of it that moves the farthest joint on it by 5 to 40 cm."""
    positions = clip.world_positions()[frame]
    while True:
        joint = int(rng.choice(joints))
        below = [joint]
        for current in below:
            below.extend(clip.skeleton.children(current))
        below = [each for each in below if each in joints]
        levers = np.linalg.norm(positions[below] - positions[joint], axis=-1)
        if levers.max() > 0.1:
            break
    end = below[int(levers.argmax())]
    lever = rot.rotate(rot.inverse(clip.world_rotations()[frame, joint]), positions[end] - positions[joint])
    across = np.cross(axis, lever)
    angle = 2.0 * np.arcsin(min(rng.uniform(0.05, 0.4) / 2.0 / float(levers.max()), 1.0))
    return joint, rot.from_axis_angle(across / np.linalg.norm(across), angle)


def print_table(glitches: list[Glitch], rate: float, n_clips: int) -> None:
    minutes = sum(glitch.seconds for glitch in glitches) / 60.0
    print(f"{len(glitches)} glitches in {n_clips} clips at {rate:g} frames per second")
    print(f"{'planted':<20}{'count':>7}{'found':>9}{'error: median':>16}{'95 %':>18}{'largest':>18}")
    groups = {kind: [g for g in glitches if g.kind == kind] for kind in sorted({g.kind for g in glitches})}
    held_out = [glitch for glitch in glitches if glitch.is_held_out]
    for kind, group in {**groups, "all": glitches, "in held-out clips": held_out}.items():
        found = [glitch for glitch in group if glitch.is_found]
        distances, angles = [g.distance for g in found], [g.angle for g in found]
        errors = [
            f"{1000 * float(np.percentile(distances, p)):.1f} mm {float(np.percentile(angles, p)):.2f}°"
            for p in (50, 95, 100)
        ]
        share = 100.0 * len(found) / len(group)
        print(f"{kind:<20}{len(group):>7}{share:>8.1f}%{errors[0]:>16}{errors[1]:>18}{errors[2]:>18}")
    found = [glitch for glitch in glitches if glitch.is_found]
    within = sum(g.distance <= MAX_DISTANCE and g.angle <= MAX_ANGLE for g in found)
    alarms = sum(glitch.n_alarms for glitch in glitches)
    touched = sum(not glitch.is_rest_untouched for glitch in glitches)
    print(f"within 1 cm and 5° after repair: {within} of {len(found)} found")
    print(f"rest of the clip changed: {touched} times")
    per_time = f"{10 * alarms / minutes:.2f} per 10 minutes"
    print(f"alarms elsewhere: {alarms} in {minutes:.0f} minutes of clips, {per_time}")
    print()


def print_cost() -> None:
    """Compare the time to find faults, once somebody asks, with the time to load the described clips."""
    start = time.process_time()
    clips = [clip for _, clip in described_clips()]
    loading = time.process_time() - start
    for clip in clips:
        clip.world_positions()
    start = time.process_time()
    for clip in clips:
        find_faults(clip)
    finding = time.process_time() - start
    print(f"loading {len(clips)} clips takes {loading:.1f} s of processor time;")
    print(f"finding their faults when asked takes {finding:.2f} s, {100 * finding / loading:.0f} % of that")


if __name__ == "__main__":
    main()
