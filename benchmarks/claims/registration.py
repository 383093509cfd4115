"""Claims 1, 2, 4 to 8, 10 to 12 and 18: building registration curves."""

from __future__ import annotations

from functools import partial
from statistics import mean

import numpy as np

from benchmarks.claims.corpus import annotated, nine, quietly, strides_of_pairs
from benchmarks.claims.table import Claim, Finding, holds
from benchmarks.registration import clouds, pair, power
from benchmarks.timing import median_seconds
from motionloom.arrays import FloatArray
from motionloom.motion.anatomy import find_anatomy
from motionloom.registration import RegistrationCurve, register
from motionloom.registration.distance import cloud_distance
from motionloom.registration.pair_alignment import align_pair
from motionloom.registration.point_cloud import point_cloud
from motionloom.registration.settings import settings_for
from motionloom.registration.time_alignment import align_times
from motionloom.registration.windowed_dtw import align_times_windowed
from motionloom.synthesis import walk

CLOSE = 2.0
"""Frames at 30 Hz within which paths count as the same, as the strikes of the test set do."""


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
    """Strikes are not used as anchors here, so that the limit alone decides."""
    shares = {limit: _strike_share(slope_limit=limit) for limit in (2, 3, 4)}
    figure = ", ".join(f"{limit}: {share:.0%}" for limit, share in shares.items())
    return holds(
        f"strikes within two frames by poses alone, by slope limit: {figure}",
        max(shares[2], shares[3]) >= shares[4] - 0.02,
    )


def _strike_share(**changes: object) -> float:
    """Share of strikes of captured pairs that poses alone map within two frames."""
    hits = []
    for a, b in strides_of_pairs():
        curve = quietly([a, b], events=(), **changes)
        hits += (_strike_errors(curve) <= CLOSE).tolist()
    return float(np.mean(hits))


def _strike_errors(curve: RegistrationCurve) -> FloatArray:
    """Frames between the strikes of the second clip and where the curve maps those of the first."""
    moments = [
        sorted(event.frame for event in clip.events if event.label == "strike") for clip in curve.clips
    ]
    if len(moments[0]) != len(moments[1]):
        return np.zeros(0)
    mapped = curve.timewarp(curve.timewarp.inverse(0, np.clip(moments[0], *curve.spans[:, 0])))[:, 1]
    return np.abs(mapped - moments[1])


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
    """A walk that changes its speed, against the same walk played faster by a fifth."""
    clip = walk(speed=1.3, curvature=0.1, duration=40.0, fps=30).clip
    a, b = (point_cloud(each, points=40) for each in (clip, clip.sped_up(1.2)))
    values = cloud_distance(a, b, 2).values
    shape = (values.shape[0], values.shape[1])
    whole = align_times(values, slope_limit=2)
    stepwise = align_times_windowed(lambda i, j: values[i, j], shape, slope_limit=2)
    rows = np.arange(shape[0])
    ways = [np.interp(rows, path.path[:, 0], path.path[:, 1]) for path in (whole, stepwise)]
    apart = float(np.abs(ways[0] - ways[1]).mean())
    lengths = (5000, 10_000, 20_000)
    times = [median_seconds(partial(align_pair, pair(*clouds(n))), 1) for n in lengths]
    return holds(
        f"paths of a walk and the same walk 1.2 times as fast differ by {apart:.2f} frames on average; "
        f"time grows with the power {power(lengths, times):.2f} of the length",
        apart < CLOSE,
    )


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
    """Apexes of reaches to a high and a low place."""
    clips = annotated("actions/reaches/*centre*.bvh")
    apart = [_apex_error(quietly(clips, profile=profile)) for profile in ("paper", "default")]
    return holds(
        f"hands are highest {apart[0]:.2f} s apart by the papers' profile, {apart[1]:.2f} s by the default",
        apart[0] > 0.1,
    )


def _apex_error(curve: RegistrationCurve) -> float:
    """Seconds between the moments at which the right hand is farthest from the hips, through the curve."""
    moments = []
    for clip in curve.clips:
        wrist = find_anatomy(clip.skeleton).arms[-1].wrist
        places = clip.world_positions()
        moments.append(int(np.linalg.norm(places[:, wrist] - places[:, 0], axis=1).argmax()))
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
