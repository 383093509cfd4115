from __future__ import annotations

import pytest

from motionloom.geometry import AbstractCurve
from motionloom.geometry.curves import smoothstep


def test_the_interface_itself_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="abstract"):
        AbstractCurve()  # type: ignore[abstract]


def test_smoothstep_starts_and_ends_at_rest() -> None:
    step = 1e-4
    assert smoothstep([0.0, 0.25, 1.0]).tolist() == [0.0, 0.15625, 1.0]
    assert smoothstep(step) / step < 1e-3
    assert (1.0 - smoothstep(1 - step)) / step < 1e-3
