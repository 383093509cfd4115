"""Claims 20 to 24: framespace interpolation."""

from __future__ import annotations

import numpy as np

from benchmarks.claims.table import Claim, Finding, holds
from benchmarks.framespace import captured_cycle, posed_at, registered
from benchmarks.timing import median_seconds
from motionloom.framespace import Framespace, correspond
from motionloom.synthesis import jog, walk
from tests.framespace import paper_tables as paper
from tests.framespace.detail import detail_left
from tests.framespace.spaces import S_CURVE

WALK_AND_RUN = ("walk_straight_16_15", "run_straight_16_45")


def interpolations() -> Finding:
    space = Framespace([make(duration=4.0, fps=114.0).clip for make in (walk, jog)])
    result = space.blend(S_CURVE, cycles=12)
    seconds = median_seconds(lambda: space.blend(S_CURVE, cycles=12), 5)
    return holds(
        f"{result.clip.n_frames} interpolations, foot plants included, take {1000 * seconds:.1f} ms, "
        f"{4.87 / seconds:.0f} times less",
        4.87 / seconds > 500,
    )


def cycle_times() -> Finding:
    """Half-way between two cycles a framespace averages durations."""
    seconds = {
        pair: paper.duration(0.5, pair, "rectangle") for pair in (("run", "walk"), ("dance1", "dance2"))
    }
    figure = ", ".join(f"{' and '.join(pair)} {time:.2f} s" for pair, time in seconds.items())
    right = all(
        abs(time - 12 * np.mean([paper.PERIODS[name] for name in pair])) < 1e-6
        for pair, time in seconds.items()
    )
    return holds(f"12 cycles half-way: {figure}", right)


def correspondences() -> Finding:
    states = [paper.states_of(motion) for motion in ("run", "walk")]
    found = [correspond([own.lower for own in states]), correspond([own.upper for own in states])]
    printed = [paper.RUN_WALK_LOWER, paper.RUN_WALK_UPPER]
    same = sum(
        state.phases == theirs
        for ours, rows in zip(found, printed, strict=True)
        for state, theirs in zip(ours.matched, rows, strict=True)
    )
    total = sum(len(rows) for rows in printed)
    return holds(f"run and walk: {same} of {total} rows of Table 3 as printed", same == total)


def states_left_out() -> Finding:
    space = Framespace([captured_cycle(name) for name in WALK_AND_RUN])
    usual = posed_at(space, 0.5)
    changes = [
        np.sqrt(((posed_at(space.without(state.labels[0]), 0.5) - usual) ** 2).sum(axis=-1).mean())
        for state in space.correspondence.matched
    ]
    by_states = median_seconds(lambda: correspond([own.whole for own in space.states]), 5)
    by_samples = median_seconds(lambda: registered(space.clips), 3)
    return holds(
        f"matching by states takes {by_states / by_samples:.2f} of a registration's time; without a state "
        f"joints move by {100 * min(changes):.1f} to {100 * max(changes):.1f} cm",
        by_states < by_samples and max(changes) < 0.02,
    )


def detail() -> Finding:
    space = Framespace([captured_cycle(name) for name in WALK_AND_RUN])
    kept = [detail_left(space, v) for v in (0.0, 1.0)]
    return holds(
        f"above 5 Hz a framespace keeps {min(own for own, _ in kept):.2f} of the clips' own at its borders, "
        f"key states alone {max(keyed for _, keyed in kept):.2f} at most",
        min(own for own, _ in kept) > 0.95 > max(keyed for _, keyed in kept),
    )


CLAIMS = (
    Claim(
        20, "GI00 table 4", "1200 interpolations of 63 degrees of freedom take 4.87 to 5.93 s", interpolations
    ),
    Claim(21, "GI00 table 1", "cycle times follow from the weights", cycle_times),
    Claim(22, "GI00 table 3", "correspondences are found from labels", correspondences),
    Claim(23, "GI00 4.2, 6", "matching states is far cheaper; dropping some is not seen", states_left_out),
    Claim(24, "GI00 3.2", "interpolating key states alone loses high-frequency detail", detail),
)
