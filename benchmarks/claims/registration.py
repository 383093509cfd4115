"""Claims 1, 2, 4 to 8, 10 to 12 and 18: building registration curves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from statistics import mean

import numpy as np

from benchmarks.claims.corpus import GAITS, annotated, nine, pairs_by_gaits, quietly, strides_of_pairs
from benchmarks.claims.table import Claim, Finding, holds, holds_for
from benchmarks.registration import clouds, pair, power
from benchmarks.timing import median_seconds
from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.registration import RegistrationCurve, register
from motionloom.registration.distance import cloud_distance
from motionloom.registration.pair_alignment import align_pair
from motionloom.registration.point_cloud import point_cloud, stretch
from motionloom.registration.settings import settings_for
from motionloom.registration.time_alignment import align_times
from motionloom.registration.windowed_dtw import align_times_windowed
from motionloom.synthesis import walk

MISALIGNED = 0.1
"""Seconds between apexes that show: three frames at 30 Hz."""

SAME_COST = 1.1
"""Ratio of the costs of two paths up to which they are as good: which of two frames at rest meet which frame
at rest costs nothing, so that equally good paths may lie far apart there."""

CLOSE = 2.0
"""Frames at 30 Hz within which paths count as the same, as the strikes of the test set do."""

SMALL = {"GAITS": ("s16",)}


def grid() -> Finding:
    a, b = clouds(600)
    seconds = median_seconds(lambda: cloud_distance(a, b, 2))
    return holds(
        f"{1000 * seconds:.1f} ms, {3.43 / seconds:.0f} times less",
        seconds < 3.43,
    )


def construction() -> Finding:
    clips = [walk(speed=s, duration=599 / 30, fps=30).clip for s in (1.2, 1.5)]
    clouded = clouds(600)
    whole = median_seconds(lambda: register(clips, events=()), 3)
    gridded = median_seconds(lambda: cloud_distance(*clouded, 2), 3)
    return holds(
        f"{1000 * (whole - gridded):.0f} ms for all but the grid (target 100 ms)", whole - gridded < 0.1
    )


def paper_profile() -> Finding:
    chosen = settings_for("paper")
    frames = 2 * round(chosen.window * 30) + 1
    return holds(
        f'profile "paper": {frames} frames at 30 Hz, {chosen.points} points, limit {chosen.slope_limit}',
        frames == 5 and chosen.points == 40,
    )


def slope_limits() -> Finding:
    """Poses alone decide, as in the papers: no speeds, no strikes as anchors, and ends do not count."""
    pairs = {
        f"{gaits} ({name.split('_')[0]})": own
        for name in GAITS
        for gaits, own in pairs_by_gaits(name).items()
    }
    errors = {
        limit: {gaits: _strike_errors_of(own, limit) for gaits, own in pairs.items()}
        for limit in (2, 3, 4, 8)
    }
    fractions = {
        limit: float((np.concatenate(list(own.values())) <= CLOSE).mean()) for limit, own in errors.items()
    }
    count = sum(len(own) for own in errors[2].values())
    figure = ", ".join(f"{limit}: {fraction:.0%}" for limit, fraction in fractions.items())
    best = {gaits: max(float((errors[limit][gaits] <= CLOSE).mean()) for limit in (2, 3)) for gaits in pairs}
    shown = ", ".join(f"{gaits} {fraction:.0%}" for gaits, fraction in best.items())
    return holds_for(
        f"{count} inner strikes of captured pairs within two frames, by slope limit: {figure}; with 2 or 3, "
        f"{shown}",
        {gaits: fraction >= 0.8 for gaits, fraction in best.items()},
    )


def _strike_errors_of(pairs: Sequence[tuple[Clip, Clip]], limit: int) -> FloatArray:
    curves = [quietly(pair, profile="paper", slope_limit=limit, min_rate=1 / 16) for pair in pairs]
    return np.concatenate([_strike_errors(curve) for curve in curves])


def _strike_errors(curve: RegistrationCurve) -> FloatArray:
    """Frames between inner strikes of the second clip and where the curve maps those of the first.

    Ends correspond by themselves, so strikes next to them say nothing. Strikes are taken foot by foot.
    """
    errors: list[float] = []
    last = [clip.n_frames - 1 for clip in curve.clips]
    for joint in {event.joint for event in curve.clips[0].events if event.label == "strike"}:
        moments = [
            [
                e.frame
                for e in clip.events
                if (e.label, e.joint) == ("strike", joint) and 3 <= e.frame <= end - 3
            ]
            for clip, end in zip(curve.clips, last, strict=True)
        ]
        if len(moments[0]) == len(moments[1]):
            mapped = curve.timewarp(curve.timewarp.inverse(0, np.array(moments[0])))[:, 1]
            errors += np.abs(mapped - moments[1]).tolist()
    return np.array(errors)


def knots() -> Finding:
    """How far the curve departs from the samples it was fitted to, by knot spacing."""
    errors = {}
    for frames in (3, 4, 5, 8):
        found = [quietly([a, b], knot_spacing=frames / 30) for a, b in strides_of_pairs()]
        errors[frames] = mean(_misfit(curve) for curve in found)
    figure = ", ".join(f"{frames}: {error:.2f}" for frames, error in errors.items())
    return holds(f"mean distance to the samples in frames, by knot spacing: {figure}", errors[5] < 1.0)


def _misfit(curve: RegistrationCurve) -> float:
    assert curve.samples is not None
    frames = curve.timewarp(np.linspace(*curve.domain, len(curve.samples)))
    return float(np.abs(frames - curve.samples).mean())


def windows() -> Finding:
    """How far the map moves when the window grows from one frame to a third of a second."""
    moves = []
    for a, b in strides_of_pairs():
        none, third = (quietly([a, b], window=seconds, events=()) for seconds in (0.0, 1 / 6))
        frames = np.arange(a.n_frames)
        one, other = (c.timewarp(c.timewarp.inverse(0, frames))[:, 1] for c in (none, third))
        moves.append(float(np.abs(one - other).mean()))
    return holds(
        f"from 0 to 1/3 s the maps of captured strides move by {mean(moves):.2f} frames on average, "
        f"{max(moves):.2f} in the worst pair",
        mean(moves) < 1.0,
    )


def incremental() -> Finding:
    """Captured pairs by the thesis's rule, windows of 20 frames of which 10 are kept, and on whole grids."""
    sets = {
        "gaits": [both for name in GAITS for own in pairs_by_gaits(name).values() for both in own],
        **{
            name: list(combinations(annotated(f"actions/{pattern}"), 2))
            for name, pattern in (
                ("kicks", "kicks/kick_74_*.bvh"),
                ("punches", "punches/punch_*.bvh"),
                ("reaches", "reaches/*.bvh"),
            )
        },
    }
    differences = {name: [_windowed_difference(*pair) for pair in pairs] for name, pairs in sets.items()}
    means = {name: np.mean(own, axis=0) for name, own in differences.items()}
    lengths = (4000, 8000, 16_000)
    times = [median_seconds(partial(align_pair, pair(*clouds(n))), 1) for n in lengths]
    figure = "; ".join(
        f"{name} cost {cost:.2f} times as much, {apart:.1f} frames apart"
        for name, (apart, cost) in means.items()
    )
    return holds_for(
        f"paths by windows, against the best on the whole grid: {figure}; time grows with the power "
        f"{power(lengths, times):.2f} of the length",
        {name: bool(cost <= SAME_COST) for name, (_, cost) in means.items()},
    )


def _windowed_difference(one: Clip, other: Clip) -> tuple[float, float]:
    """Mean frames between the path by windows and the best path, and the ratio of their costs."""
    a, b = (point_cloud(clip, points=40) for clip in (one, other))
    longer, shorter = max(len(a.positions), len(b.positions)), min(len(a.positions), len(b.positions))
    if longer > 2 * shorter - 2:
        a, b = stretch(a, longer), stretch(b, longer)
    values = cloud_distance(a, b, 1).values
    shape = (values.shape[0], values.shape[1])
    whole = align_times(values, slope_limit=3, form="thesis")
    stepwise = align_times_windowed(
        lambda i, j: values[i, j], shape, slope_limit=3, form="thesis", advance=10
    )
    rows = np.arange(shape[0])
    columns = [np.interp(rows, path.path[:, 0], path.path[:, 1]) for path in (whole, stepwise)]
    return float(np.abs(columns[0] - columns[1]).mean()), stepwise.cost / whole.cost


def eighteen() -> Finding:
    clips = [walk(speed=s, duration=299 / 30, fps=30).clip for s in np.linspace(1.0, 1.8, 18)]
    seconds = median_seconds(lambda: register(clips, events=()), 1)
    return holds(f"{seconds:.2f} s with all 153 pairs, {3.3 / seconds:.0f} times less", seconds < 3.3)


def growth() -> Finding:
    lengths, counts = (300, 600, 1200), (3, 6, 12)
    by_length = [median_seconds(partial(align_pair, pair(*clouds(n))), 3) for n in lengths]
    clips = [walk(speed=s, duration=149 / 30, fps=30).clip for s in np.linspace(1.0, 1.8, counts[-1])]
    by_count = [median_seconds(partial(register, clips[:n], events=()), 1) for n in counts]
    return holds(
        f"powers {power(lengths, by_length):.2f} of the length and {power(counts, by_count):.2f} of the "
        "number of clips, of at most 2 and 2",
        power(lengths, by_length) < 2.2,
    )


def size_on_disk() -> Finding:
    curve = nine("s16")
    numbers = sum(clip.rotations.nbytes + clip.root_positions.nbytes for clip in curve.clips)
    stored = curve.timewarp.control_points.nbytes + curve.alignment.control_points.nbytes
    long = register([walk(speed=s, duration=10.0, fps=30).clip for s in (1.2, 1.5)], events=())
    arrays = sum(clip.rotations.nbytes + clip.root_positions.nbytes for clip in long.clips)
    kept = long.timewarp.control_points.nbytes + long.alignment.control_points.nbytes
    return holds(
        f"control points are {kept / arrays:.1%} of the clips' arrays for 10 s, {stored / numbers:.1%} for "
        "nine captured strides",
        kept / arrays < 0.02,
    )


def reaches() -> Finding:
    """Moments at which the reaching hand is farthest, in all pairs of reaches to different places."""
    pairs = list(combinations(annotated("actions/reaches/*.bvh"), 2))
    errors = {
        profile: [_apex_error(quietly(pair, profile=profile)) for pair in pairs]
        for profile in ("paper", "default")
    }
    poses, ours = (np.array(own) for own in errors.values())
    wrong = int((poses > MISALIGNED).sum())
    figure = (
        f"moments of farthest reach of {len(pairs)} pairs apart: by poses alone {np.median(poses):.2f} s in "
        f"the median ({poses.min():.2f} to {poses.max():.2f}), {wrong} by more than {MISALIGNED:g} s; with "
        f"speeds {np.median(ours):.2f} s ({ours.min():.2f} to {ours.max():.2f})"
    )
    if 0 < wrong < len(pairs):
        return Finding(figure, f"holds for {wrong} of {len(pairs)} pairs")
    return holds(figure, wrong > 0)


def _apex_error(curve: RegistrationCurve) -> float:
    """Seconds between the moments at which the reaching hand is farthest from where it rests."""
    moments = []
    for clip in curve.clips:
        arms = find_anatomy(clip.skeleton).arms
        positions = clip.world_positions()
        hands = positions[:, [arm.wrist for arm in arms]] - positions[:, :1]
        away = np.linalg.norm(hands - hands[:1], axis=-1)
        reaching = int(away.max(axis=0).argmax())
        moments.append(int(away[:, reaching].argmax()))
    mapped = curve.timewarp(curve.timewarp.inverse(0, moments[0]))[1]
    return float(abs(mapped - moments[1])) * curve.clips[0].frame_time


CLAIMS = (
    Claim(1, "paper 6", "a full grid of 600 × 600 cells with 200 points takes 3.43 s", grid),
    Claim(2, "paper 6", "the rest of the construction takes 0.03 s", construction),
    Claim(4, "paper 4.1", "windows of 5 frames, 40 points per frame, equal weights", paper_profile),
    Claim(5, "both", "slope limits of 2 or 3 work well", slope_limits),
    Claim(6, "both", "a knot every 3 to 5 samples", knots),
    Claim(7, "thesis 5.2.1.1", "the alignment changes little for windows of 0 to 1/3 s", windows),
    Claim(
        8,
        "thesis 5.2.1.1",
        "aligning window by window is linear in time and gives the same in quality",
        incremental,
    ),
    Claim(10, "thesis 5.4", "18 motions of 300 frames: built in 3.3 s", eighteen),
    Claim(11, "thesis 5.4", "time O(m² n²)", growth),
    Claim(12, "thesis 5.4", "the curve takes 1 to 2 % of the motion's size", size_on_disk),
    Claim(18, "thesis 5.5", "poses alone misalign the apexes of different reaches", reaches),
)
