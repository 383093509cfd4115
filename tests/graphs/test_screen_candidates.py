"""Cross-fades measured by the hundred are those of the transitions themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import motionloom as ml
from motionloom.graphs.find_candidates import Candidates, find_candidates
from motionloom.graphs.make_edges import HALF_WIDTH, SURROUNDINGS
from motionloom.graphs.node import GraphNode
from motionloom.graphs.screen_candidates import CrossFadeScreen
from motionloom.graphs.smoothness import measure_seam, measure_usual_peaks
from motionloom.graphs.unify_takes import unify_takes
from motionloom.motion import Constraint
from motionloom.synthesis import stand, walk
from motionloom.transitions import transition


def screen(nodes: tuple[GraphNode, ...]) -> CrossFadeScreen:
    return CrossFadeScreen(nodes, [measure_usual_peaks(node.clip) for node in nodes], HALF_WIDTH)


def measure_slowly(
    nodes: tuple[GraphNode, ...], own: CrossFadeScreen, candidates: Candidates, n: int
) -> float:
    """The seam of one candidate, of the transition that :func:`motionloom.transition` makes."""
    source, target = int(candidates.source[n]), int(candidates.target[n])
    at = float(candidates.source_frame[n]), float(candidates.target_frame[n])
    a, b = nodes[source].clip, nodes[target].clip
    result = transition(a, b, at=at, half_width=HALF_WIDTH, method="linear", plant=False)
    first, last = (int(seam) for seam in result.report.seams)
    near = round(SURROUNDINGS / a.frame_time)
    start = max(0, first - near)
    around = result.clip[start : last + near + 1]
    return measure_seam(around, first - start, last - start, own.find_ordinary(source, target))


def check_against_transitions(nodes: tuple[GraphNode, ...], n_checked: int) -> None:
    candidates = find_candidates(nodes, 0.1, HALF_WIDTH)
    own = screen(nodes)
    seams = own.measure(candidates)
    smooth = np.flatnonzero(np.isfinite(seams))
    assert len(smooth) > n_checked
    for n in smooth[:: max(1, len(smooth) // n_checked)].tolist():
        assert abs(seams[n] - measure_slowly(nodes, own, candidates, n)) < 1e-9


def test_seams_are_those_of_transitions() -> None:
    clips = [walk(duration=4.0, fps=30).clip, walk(duration=4.0, fps=30, curvature=0.4).clip]
    check_against_transitions(unify_takes(clips)[0], n_checked=12)


def test_seams_are_those_of_transitions_between_captured_takes(mocap: Path) -> None:
    takes = [ml.load(mocap / "library" / "16" / f"16_{number}.bvh") for number in (11, 17, 21)]
    check_against_transitions(unify_takes(takes)[0], n_checked=12)


def test_candidates_at_the_very_ends_are_measured() -> None:
    nodes, _ = unify_takes([walk(duration=2.0, fps=30).clip])
    half = round(HALF_WIDTH / nodes[0].clip.frame_time)
    targets = np.arange(half, nodes[0].n_frames - half)
    sources = np.full(len(targets), half)
    candidates = Candidates(
        targets * 0, sources, targets * 0, targets, np.zeros(len(targets)), np.zeros(len(targets))
    )
    own = screen(nodes)
    seams = own.measure(candidates)
    # The same moment on both sides is the take itself.
    assert seams[0] <= 1.0 + 1e-9
    last = int(np.flatnonzero(np.isfinite(seams))[-1])
    assert targets[last] > nodes[0].n_frames - 1 - 2 * half
    assert abs(seams[last] - measure_slowly(nodes, own, candidates, last)) < 1e-9


def test_takes_that_stand_on_different_feet_do_not_meet() -> None:
    clip = stand(duration=3.0, fps=30).clip
    feet = [name for name in clip.skeleton.names if name.endswith("Foot")]
    nodes = tuple(
        GraphNode(
            foot,
            ml.Clip(
                clip.skeleton,
                clip.frame_time,
                clip.root_positions,
                clip.rotations,
                constraints=(Constraint(foot, "heel", 0.0, clip.n_frames - 1.0),),
            ),
        )
        for foot in feet
    )
    frame, zero = np.array([40]), np.zeros(1, dtype=np.int64)
    own = screen(nodes)
    apart = Candidates(zero, frame, zero + 1, frame, np.zeros(1), np.zeros(1))
    together = Candidates(zero, frame, zero, frame + 5, np.zeros(1), np.zeros(1))
    assert np.isinf(own.measure(apart)).all()
    assert np.isfinite(own.measure(together)).all()


def test_no_candidates_have_no_seams() -> None:
    nodes, _ = unify_takes([walk(duration=2.0, fps=30).clip])
    none = np.zeros(0, dtype=np.int64)
    assert len(screen(nodes).measure(Candidates(none, none, none, none, np.zeros(0), np.zeros(0)))) == 0
