from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.blending import KeyedWeights, blend, constrain
from motionloom.blending.constrain import MovingTime, blend_annotations, find_crossing, find_shared_events
from motionloom.motion import Constraint
from motionloom.registration import RegistrationCurve
from tests.blending.curves import two_loops, two_walks


def test_a_crossing_lies_between_frames() -> None:
    assert find_crossing(np.array([-1.0, 1.0])) == 0.5
    assert find_crossing(np.array([0.5, 1.0])) == 0.0
    assert find_crossing(np.array([-1.0, -0.1])) is None
    assert find_crossing(np.array([1.0, -1.0, 1.0]), after=1.0) == 1.5
    assert find_crossing(np.array([-3.0, -1.0, 1.0]), after=0.5) == 1.5


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=8), st.floats(0, 1))
def test_a_crossing_is_where_the_line_is_first_not_below_zero(values: list[float], share: float) -> None:
    heights = np.array(values)
    after = share * (len(values) - 1)
    found = find_crossing(heights, after)
    fine = np.linspace(after, len(values) - 1, 2001)
    above = fine[np.interp(fine, np.arange(len(values)), heights) >= 1e-9]
    if found is None:
        assert not above.size
    else:
        assert found >= after
        assert not (above < found - 1e-6).any()
        assert np.interp(found, np.arange(len(values)), heights) > -1e-6


@given(st.data())
def test_a_moving_time_is_reached_where_all_frames_say(data: st.DataObject) -> None:
    n_frames = data.draw(st.integers(2, 12))
    steps = data.draw(st.lists(st.floats(0.01, 2), min_size=n_frames, max_size=n_frames))
    values = np.array(data.draw(st.lists(st.floats(0, 3), min_size=n_frames, max_size=n_frames)))
    shift, after = data.draw(st.floats(-4, 12)), data.draw(st.floats(0, n_frames - 1))
    u = np.cumsum(steps)
    found = MovingTime.of(values).find_crossing(u, shift, after)
    assert found == pytest.approx(find_crossing(u - (values + shift), after), abs=1e-9)


def test_the_work_grows_with_the_length_of_a_blend_not_its_square(monkeypatch: pytest.MonkeyPatch) -> None:
    curve, n_looked_at = two_loops(), Counter[float]()
    duration = 0.0

    def count_frames(values: FloatArray, after: float = 0.0) -> float | None:
        n_looked_at[duration] += len(values)
        return find_crossing(values, after)

    monkeypatch.setattr(constrain, "find_crossing", count_frames)
    for duration in (20.0, 80.0):
        blend(curve, [0.5, 0.5], duration=duration)
    assert 0 < n_looked_at[20.0] < n_looked_at[80.0] < 5 * n_looked_at[20.0]


@pytest.mark.parametrize("make", [two_walks, two_loops])
def test_a_copy_has_the_constraints_of_its_clip(make: Callable[[], RegistrationCurve]) -> None:
    curve = make()
    for k, clip in enumerate(curve.clips):
        made = blend(curve, np.eye(2)[k]).clip
        lanes = Counter((c.joint, c.kind) for c in made.constraints)
        matched = {(m.joint, m.kind) for m in curve.matches}
        assert set(lanes) == matched
        if clip.cyclic:
            continue
        sources = {clip.constraints[m.sources[k]] for m in curve.matches if not m.split[k]}
        for source in sources:
            twin = min(
                (c for c in made.constraints if (c.joint, c.kind) == (source.joint, source.kind)),
                key=lambda c: abs(c.start - source.start),
            )
            # Within a frame u is taken to be linear in time, which costs a few thousandths of it.
            assert abs(twin.start - max(source.start, 0.0)) < 0.01
            assert abs(twin.end - min(source.end, clip.n_frames - 1)) < 0.01


def test_constant_weights_move_the_ends_of_constraints_smoothly() -> None:
    """Lipschitz in the weights; a plant that the clip's end cuts off ends there, on a whole frame."""
    curve = two_walks()
    shares = np.linspace(0.0, 1.0, 51)
    clips = [blend(curve, [1 - w, w]).clip for w in shares]
    counts = {len(clip.constraints) for clip in clips}
    assert len(counts) == 1
    ends = np.array([[(c.start, c.end) for c in _in_lanes(clip.constraints)] for clip in clips])
    cut = np.array([clip.n_frames - 1.0 for clip in clips])[:, None, None] == ends
    moved = np.where(cut[1:] | cut[:-1], 0.0, np.abs(np.diff(ends, axis=0)))
    # The clips' lengths differ by twenty frames: no end may move faster than twice that per unit of weight.
    assert moved.max() / np.diff(shares).max() < 40.0


def _in_lanes(constraints: tuple[Constraint, ...]) -> list[Constraint]:
    return sorted(constraints, key=lambda c: (c.joint, c.kind, c.start))


@pytest.mark.slow
@given(st.integers(0, 10_000))
def test_moving_weights_do_not_make_constraints_flicker(seed: int) -> None:
    """However the weights move, a match is on once a cycle at most."""
    curve = two_loops()
    rng = np.random.default_rng(seed)
    keys = {0.25 * n: tuple(rng.dirichlet([0.4, 0.4])) for n in range(13)}
    result = blend(curve, KeyedWeights(keys))
    first, last = curve.domain
    passed = int(np.ceil((result.u[-1] - result.u[0]) / (last - first))) + 1
    per_lane = Counter((m.joint, m.kind) for m in curve.matches)
    lanes = Counter((c.joint, c.kind) for c in result.clip.constraints)
    assert all(lanes[lane] <= passed * per_lane[lane] + 1 for lane in lanes)


def test_extrapolation_leaves_out_what_has_no_length_and_says_so() -> None:
    curve = two_walks()
    spans = np.array([match.spans for match in curve.matches])
    lengths = spans[..., 1] - spans[..., 0]
    longer = int(lengths[:, 0].argmax())
    # Weights for which the first clip's long plant outweighs: the interval is turned inside out.
    far = 1.0 + 2.0 * lengths[longer, 1] / max(abs(lengths[longer, 0] - lengths[longer, 1]), 1e-6)
    rows = np.tile(
        [1.0 - far, far] if lengths[longer, 0] > lengths[longer, 1] else [far, 1.0 - far], (400, 1)
    )
    found = blend_annotations(curve, np.linspace(*curve.domain, 400), rows, 399.0)
    assert any("has no length under these weights: dropped" in note for note in found.notes)


def test_events_fall_between_those_of_the_clips() -> None:
    curve = two_walks()
    strikes = {role: moments for role, moments in find_shared_events(curve).items() if role[0] == "strike"}
    assert strikes
    half = blend(curve, [0.5, 0.5])
    for (label, joint), moments in strikes.items():
        found = [e.frame for e in half.clip.events if (e.label, e.joint) == (label, joint)]
        u = np.interp(found, np.arange(len(half.u)), half.u)
        middle = moments.mean(axis=1)
        np.testing.assert_allclose(u, middle[(middle >= half.u[0]) & (middle <= half.u[-1])], atol=0.02)
