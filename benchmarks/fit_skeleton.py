"""Skeletons from positions: captured takes whose rotations were thrown away, also with noise and gaps.

python -m benchmarks.fit_skeleton           fifty takes
python -m benchmarks.fit_skeleton 200       more of them

Every take is retargeted to the skeleton of a layout; only the positions of the layout's points go into the
fit. "own names" keeps the take's own skeleton and gives names and parents alone. Columns: distance of the
fitted joints from the given ones; how far thighs, shins, upper arms and forearms are twisted from the truth,
median over frames and takes, as it is and without a constant that only says how the rest pose stands; jerk
(95th percentile) as a ratio to that of the truth; how much bones change; seconds per thousand frames.

With noise, white noise is added to every coordinate and a tenth of all points is removed for 5 frames at a
time. The baseline turns every bone by the shortest rotation from its parent and holds what is missing. Errors
are distances from the true joints.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from motionloom.arrays import FloatArray
from motionloom.fitting import LAYOUTS, PointLayout, fit_skeleton
from motionloom.geometry import rotations as rot
from motionloom.motion.anatomy import Arm, Leg, find_anatomy

N_TAKES = 50
MIN_FRAMES, MAX_FRAMES = 30, 1200
BANDWIDTH = 6.0
"""Hz; what is asked for where there is noise."""

N_GAP = 5
"""Frames of a gap."""

SMALL = {"N_TAKES": 1, "MAX_FRAMES": 60}


def takes(count: int) -> Iterator[ml.Clip]:
    """Captured takes from everywhere in the corpus."""
    folders = ("locomotion/*", "actions/*", "library/*")
    paths = [path for folder in folders for path in sorted(MOCAP.glob(f"{folder}/*.bvh"))]
    for n in np.linspace(0, len(paths) - 1, count).astype(int):
        clip = ml.load(paths[n])[:MAX_FRAMES]
        if clip.n_frames >= MIN_FRAMES:
            yield clip


def points_of(clip: ml.Clip, layout: PointLayout) -> FloatArray:
    """Return the points (T, N, 3) of a layout on a clip with its skeleton."""
    world, names = clip.world_positions(), clip.skeleton.names
    turned = clip.world_rotations()
    found = {name: world[:, joint] for joint, name in enumerate(names)}
    for name, points in layout.attached.items():
        joint = names.index(name)
        for point, at in points.items():
            found.setdefault(point, world[:, joint] + rot.rotate(turned[:, joint], np.array(at)))
    for name, sources in layout.sources.items():
        middle = world[:, names.index(name)]
        for source in sources:
            found.setdefault(source, middle)
    if "left_ear" in layout.points:
        middle = (found["left_ear"] + found["right_ear"]) / 2.0
        assert np.allclose(middle, found["head"], atol=1e-9)
    return np.stack([found.get(name, world[:, 0]) for name in layout.points], axis=1)


def twists(truth: ml.Clip, fitted: ml.Clip) -> tuple[list[float], list[float]]:
    """Median twist of limbs from the truth in degrees: as it is, and without its constant part."""
    plain, relative = [], []
    anatomy = find_anatomy(truth.skeleton)
    limbs: list[Leg | Arm] = [*anatomy.legs, *anatomy.arms]
    for limb in limbs:
        for joint, child in (limb.chain[:2], limb.chain[1:]):
            name = truth.skeleton.names[joint]
            own = fitted.skeleton.index(name)
            away = rot.multiply(
                rot.inverse(truth.world_rotations()[:, joint]), fitted.world_rotations()[:, own]
            )
            # The rest poses of both may differ: directions of bones tell by how much.
            axis = truth.skeleton.offsets[child]
            axis = axis / np.linalg.norm(axis)
            angles = 2.0 * np.arctan2(away[:, 1:] @ axis, away[:, 0])
            mean = np.angle(np.exp(1j * angles).mean())
            wrapped = np.degrees(np.abs(np.angle(np.exp(1j * angles))))
            plain.append(float(np.median(wrapped)))
            relative.append(float(np.median(np.degrees(np.abs(np.angle(np.exp(1j * (angles - mean))))))))
    return plain, relative


def jerk(positions: FloatArray, fps: float) -> float:
    return float(np.percentile(np.linalg.norm(np.diff(positions, 3, axis=0) * fps**3, axis=-1), 95))


def bone_change(clip: ml.Clip) -> float:
    """Largest change of a bone's length in metres."""
    world, parents = clip.world_positions(), clip.skeleton.parents
    bones = np.linalg.norm(world[:, 1:] - world[:, parents[1:]], axis=-1)
    return float((bones.max(axis=0) - bones.min(axis=0)).max())


def baseline(points: FloatArray, skeleton: ml.Skeleton) -> FloatArray:
    """Joints (T, J, 3) by plain inverse kinematics: bones of the first frame point where points go, frame by
    frame, and what is missing stays where it was."""
    held = points.copy()
    for t in range(1, len(held)):
        held[t] = np.where(np.isnan(held[t]), held[t - 1], held[t])
    held = np.where(np.isnan(held), np.nanmean(points, axis=0), held)
    result = held.copy()
    for joint in range(1, skeleton.n_joints):
        parent = skeleton.parents[joint]
        bones = held[:, joint] - held[:, parent]
        sizes = np.linalg.norm(bones, axis=-1, keepdims=True)
        result[:, joint] = result[:, parent] + bones / np.maximum(sizes, 1e-9) * sizes[0]
    return result


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else N_TAKES
    need_corpus()
    clips = list(takes(count))
    print(f"{len(clips)} takes, {sum(clip.n_frames for clip in clips)} frames")
    print(
        f"{'layout':<12}{'median':>9}{'largest':>10}{'twist':>8}{'relative':>10}{'jerk':>7}{'bones':>10}{'s/1000':>8}"
    )
    for name in (*LAYOUTS, "own names"):
        rows = [exact(clip, name) for clip in clips]
        errors, worst, plain, relative, ratio, bones, seconds = zip(*rows, strict=True)
        print(
            f"{name:<12}{1000 * np.median(errors):>6.2f} mm{1000 * max(worst):>7.2f} mm"
            f"{np.median(np.concatenate(plain)):>7.1f}°{np.median(np.concatenate(relative)):>9.1f}°"
            f"{np.median(ratio):>7.2f}{1e6 * max(bones):>7.2f} µm{np.mean(seconds):>8.2f}",
            flush=True,
        )
    print(f"\nnoise and gaps, SMPL's 22 joints, bandwidth {BANDWIDTH:g} Hz")
    print(f"{'noise':<8}{'fit':>9}{'95 %':>9}{'jerk':>7}{'twist':>8}{'baseline':>11}{'95 %':>9}{'jerk':>8}")
    for size in (0.0, 0.01, 0.02):
        columns = zip(*(noisy(clip, size, seed) for seed, clip in enumerate(clips)), strict=True)
        fit, high, smoothness, twist, plain, plain_high, rough = map(np.median, columns)
        print(
            f"{1000 * size:>2.0f} mm   {1000 * fit:>6.1f} mm{1000 * high:>6.1f} mm"
            f"{smoothness:>7.2f}{twist:>7.1f}°"
            f"{1000 * plain:>8.1f} mm{1000 * plain_high:>6.1f} mm{rough:>8.1f}",
            flush=True,
        )


def exact(clip: ml.Clip, name: str) -> tuple[float, float, list[float], list[float], float, float, float]:
    """How well the fit does on a take without noise."""
    if name == "own names":
        truth = clip
        names, parents = clip.skeleton.names, clip.skeleton.parents.tolist()
        layout: object = {n: None if p < 0 else names[p] for n, p in zip(names, parents, strict=True)}
        points = ml.PointClip(names, clip.frame_time, clip.world_positions())
    else:
        found = LAYOUTS[name]
        truth = ml.retarget(clip, to=found.skeleton).clip
        layout = name
        points = ml.PointClip(found.points, clip.frame_time, points_of(truth, found))
    start = time.perf_counter()
    fitted = fit_skeleton(points, layout=layout)  # type: ignore[arg-type]
    seconds = (time.perf_counter() - start) / clip.n_frames * 1000.0
    order = [truth.skeleton.index(joint) for joint in fitted.clip.skeleton.names]
    world = truth.world_positions()[:, order]
    errors = np.linalg.norm(fitted.clip.world_positions() - world, axis=-1)
    plain, relative = twists(truth, fitted.clip)
    ratio = jerk(fitted.clip.world_positions(), clip.fps) / max(jerk(world, clip.fps), 1e-9)
    return (
        float(np.median(errors)),
        float(errors.max()),
        plain,
        relative,
        ratio,
        bone_change(fitted.clip),
        seconds,
    )


def noisy(clip: ml.Clip, size: float, seed: int) -> tuple[float, ...]:
    """How far fit and baseline are from the truth of a take, and how they jerk."""
    layout = LAYOUTS["smpl"]
    truth = ml.retarget(clip, to=layout.skeleton)
    order = [layout.skeleton.index(name) for name in layout.points]
    world = truth.clip.world_positions()
    rng = np.random.default_rng(seed)
    points = world + rng.normal(scale=size, size=world.shape)
    for start in range(0, len(points), N_GAP):
        points[start : start + N_GAP, rng.random(points.shape[1]) < 0.1] = np.nan
    points[0] = np.where(np.isnan(points[0]), world[0], points[0])
    fitted = fit_skeleton(points[:, order], layout="smpl", fps=clip.fps, bandwidth=BANDWIDTH)
    errors = np.linalg.norm(fitted.clip.world_positions() - world, axis=-1)
    simple = baseline(points, layout.skeleton)
    others = np.linalg.norm(simple - world, axis=-1)
    true = max(jerk(world, clip.fps), 1e-9)
    return (
        float(np.median(errors)),
        float(np.percentile(errors, 95)),
        jerk(fitted.clip.world_positions(), clip.fps) / true,
        float(np.median(twists(truth.clip, fitted.clip)[1])),
        float(np.median(others)),
        float(np.percentile(others, 95)),
        jerk(simple, clip.fps) / true,
    )


if __name__ == "__main__":
    main()
