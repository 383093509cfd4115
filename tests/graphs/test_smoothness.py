"""Smoothness against takes: what a take does all the time is as smooth as the take."""

from __future__ import annotations

import numpy as np

from motionloom.graphs.smoothness import rate_peaks


def test_errors_of_rounding_do_not_make_a_repetition_rough() -> None:
    ordinary = np.array([30.0, 600.0, 20.0, 400.0, 10.0])
    assert rate_peaks(ordinary * (1.0 + 1e-12), ordinary) <= 1.0
    assert rate_peaks(ordinary * (1.0 + 1e-5), ordinary) > 1.0


def test_peaks_where_takes_have_none_are_infinitely_rough() -> None:
    still = np.zeros(5)
    assert rate_peaks(still, still) == 0.0
    assert rate_peaks(still + 1.0, still) == np.inf
