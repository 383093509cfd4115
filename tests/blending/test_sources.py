from __future__ import annotations

import gc
from weakref import ref

import pytest

from motionloom.blending.sources import prepare_sources
from motionloom.registration import register
from motionloom.synthesis import walk
from tests.blending.curves import two_walks


@pytest.mark.slow
def test_sources_are_laid_out_once_and_go_with_their_curve() -> None:
    assert prepare_sources(two_walks()) is prepare_sources(two_walks())
    curve = register([walk(speed=speed, duration=1, fps=30).clip for speed in (1.0, 1.5)])
    kept = ref(prepare_sources(curve))
    assert kept() is not None
    del curve
    gc.collect()
    assert kept() is None
