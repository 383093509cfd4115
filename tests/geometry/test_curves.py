from __future__ import annotations

import pytest

from motionloom.geometry import AbstractCurve


def test_the_interface_itself_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="abstract"):
        AbstractCurve()  # type: ignore[abstract]
