"""Candidates of takes whose distances are known, and what transitions there gain."""

from __future__ import annotations

import numpy as np

from motionloom.graphs.find_candidates import MIN_JUMP, find_candidates
from motionloom.graphs.node import GraphNode
from motionloom.graphs.unify_takes import unify_takes
from motionloom.synthesis import kick, stand, walk


def list_nodes(*clips: object) -> tuple[GraphNode, ...]:
    return unify_takes(list(clips))[0]  # type: ignore[arg-type]


def test_candidates_leave_room_and_lead_somewhere() -> None:
    nodes = list_nodes(walk(duration=5.0, fps=30).clip)
    found = find_candidates(nodes, 0.05, margin=0.25)
    assert len(found)
    room = 0.25 / nodes[0].clip.frame_time
    for frames in (found.source_frame, found.target_frame):
        assert frames.min() >= room
        assert frames.max() <= nodes[0].n_frames - 1 - room
    jumps = np.abs(found.source_frame - found.target_frame) * nodes[0].clip.frame_time
    assert jumps.min() >= MIN_JUMP - nodes[0].clip.frame_time
    assert (found.distance <= 0.05).all()
    assert (np.diff(found.distance) >= 0.0).all()


def test_every_candidate_leads_back_too() -> None:
    nodes = list_nodes(walk(duration=4.0, fps=30).clip, walk(duration=4.0, fps=30, curvature=0.4).clip)
    found = find_candidates(nodes, 0.05, margin=0.25)
    there = {*zip(found.source, found.source_frame, found.target, found.target_frame, strict=True)}
    assert there == {(target, second, source, first) for source, first, target, second in there}


def test_a_copy_gains_nothing_and_another_motion_does() -> None:
    clip = walk(duration=4.0, fps=30).clip
    found = find_candidates(list_nodes(clip, clip), 0.01, margin=0.25)
    same = (found.source != found.target) & (found.source_frame == found.target_frame)
    # In the last second and a half the source ends, and anything else is a gain.
    early = same & (found.source_frame < 60)
    assert early.any()
    assert found.gain[early].max() < 0.01


def test_standing_gains_less_than_walking_on() -> None:
    still = find_candidates(list_nodes(stand(duration=5.0, fps=30).clip), 0.05, margin=0.25)
    early = (still.source_frame < 90) & (still.target_frame < 90)
    assert still.gain[early].max(initial=0.0) < 0.1


def test_takes_that_share_nothing_have_no_candidates() -> None:
    nodes = list_nodes(walk(duration=3.0, fps=30).clip, kick(fps=30).clip)
    found = find_candidates(nodes, 0.01, margin=0.25)
    assert not (found.source != found.target).any()


def test_candidates_of_some_takes_are_those_among_all() -> None:
    nodes = list_nodes(*(walk(duration=3.0, fps=30, curvature=c).clip for c in (0.0, 0.3, 0.6)))
    every = find_candidates(nodes, 0.08, margin=0.25)
    some = find_candidates(nodes, 0.08, margin=0.25, involving={2})
    involved = every.take(np.flatnonzero((every.source == 2) | (every.target == 2)))
    assert [own.tolist() for own in vars(some).values()] == [own.tolist() for own in vars(involved).values()]
