"""Balance of transitions: the take itself is in balance, a body pushed off its feet is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.measure_balance import measure_balance


def test_transitions_lean_about_as_far_as_their_takes(gaits: MotionGraph) -> None:
    known = gaits.balance[np.isfinite(gaits.balance)]
    assert len(gaits.balance) == len(gaits.edges)
    assert len(known) > 0.5 * len(gaits.edges)
    assert 0.5 < np.median(known) < 1.5


def test_a_body_beside_its_feet_is_out_of_balance(gaits: MotionGraph) -> None:
    number = int(np.flatnonzero(np.isfinite(gaits.balance))[0])
    edge = gaits.edges[number]
    plants = tuple(replace(c, point=np.add(c.point, [1.0, 0.0, 0.0])) for c in edge.clip.constraints)
    pushed = replace(edge, clip=replace(edge.clip, constraints=plants))
    assert measure_balance(gaits.nodes, [pushed])[0] > 2.0 * gaits.balance[number]


def test_without_plants_there_is_no_balance(gaits: MotionGraph) -> None:
    edge = gaits.edges[0]
    loose = replace(edge, clip=replace(edge.clip, constraints=()))
    assert np.isnan(measure_balance(gaits.nodes, [loose])).all()
