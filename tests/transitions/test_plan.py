from __future__ import annotations

import numpy as np
import pytest

from motionloom.geometry import GroundTransform
from motionloom.motion.unroll import travel
from motionloom.transitions.plan import unroll_clip
from tests.transitions.motions import walk_cycle, walking


def test_clips_that_do_not_repeat_stay_as_they_are() -> None:
    assert unroll_clip(walking(), before=500, after=500, frame=None, loop=True).clip is walking()
    alone = unroll_clip(walk_cycle(), before=500, after=500, frame=None, loop=False)
    assert (alone.clip.n_frames, alone.clip.cyclic) == (walk_cycle().n_frames, False)


@pytest.mark.parametrize(
    ("before", "after", "frame", "cycles"),
    [(10, 10, 15, 1), (20, 10, 15, 2), (10, 20, 15, 2), (50, 50, 0, 4), (5, 5, None, 1), (20, 20, None, 3)],
)
def test_cycles_are_as_many_as_are_needed(before: int, after: int, frame: int | None, cycles: int) -> None:
    period = walk_cycle().n_frames
    assert 30 < period < 35
    found = unroll_clip(walk_cycle(), before=before, after=after, frame=frame, loop=True)
    assert found.clip.n_frames == cycles * period


def test_frames_of_later_cycles_are_found_in_the_first() -> None:
    cycle = walk_cycle()
    period = cycle.n_frames
    unrolled = unroll_clip(cycle, before=40, after=40, frame=0, loop=True).continue_from(
        5, GroundTransform(1.0, 2.0, 3.0)
    )
    assert unrolled.source_frame(period - 5) == 0
    frames = np.array([0.0, float(period), 2.0 * period - 5.0])
    sources, rows = unrolled.to_source(frames, np.zeros((3, 3)))
    assert sources.tolist() == [5.0, 5.0, 0.0]
    for frame, own, row in zip(frames.astype(int), sources.astype(int), rows, strict=True):
        placed = cycle[own : own + 1].placed(GroundTransform(*row.tolist()))
        np.testing.assert_allclose(
            placed.world_positions()[0], unrolled.clip.world_positions()[frame], atol=1e-9
        )


def test_turning_cycles_add_up() -> None:
    cycle = walk_cycle()
    unrolled = unroll_clip(cycle, before=0, after=100, frame=0, loop=True)
    _, rows = unrolled.to_source(np.array([2.0 * cycle.n_frames]), np.zeros((1, 3)))
    transform = travel(cycle) @ travel(cycle)
    np.testing.assert_allclose(rows[0], [transform.yaw, transform.x, transform.z], atol=1e-12)
