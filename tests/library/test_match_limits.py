"""Within which distance a segment probably is the same motion."""

from __future__ import annotations

import numpy as np
import pytest

import motionloom as ml
from motionloom.library.body_points import sample_points
from motionloom.library.exact_search import make_query
from motionloom.library.match_limits import choose_limits, measure_spread


def test_what_the_library_is_full_of_must_be_nearer(library: ml.Library) -> None:
    index = library._read().index
    # Three takes walk or jog, and one kicks.
    walk, kick = (
        make_query(sample_points(library.take(name).clip()[5:35]).astype(np.float32), 10).signatures
        for name in ("walk", "kick")
    )
    common, rare = choose_limits([walk, kick], index.references, 0.2)
    assert common < rare
    # Each for itself is as all together, and what moves more has a wider limit.
    assert choose_limits([kick], index.references, 0.2)[0] == pytest.approx(rare)
    assert choose_limits([kick], index.references, 1.6)[0] == pytest.approx(2.0 * rare)


def test_a_limit_by_hand() -> None:
    # Two samples in an ordinary distance of 8 cm; what is not within 10 cm of anything counts more.
    references = np.zeros((27, 400), np.float32)
    segment = np.zeros((27, 2), np.float32)
    segment[16] = 0.08
    (limit,) = choose_limits([segment], references, 0.27)
    assert limit == pytest.approx(0.66 * 0.27 ** (1 / 3) * 0.08 ** (2 / 3), rel=1e-5)
    assert choose_limits([segment], references[:, :0], 0.27).tolist() == pytest.approx([0.66 * 0.27])
    assert len(choose_limits([], references, 0.27)) == 0


def test_standing_still_has_no_spread(library: ml.Library) -> None:
    still = sample_points(library.take("walk").clip()[:1]).repeat(40, axis=0).astype(np.float32)
    assert measure_spread(make_query(still, 10).windows, 10) == pytest.approx(0.0, abs=1e-6)
