"""Following a call takes no more files than before."""

from __future__ import annotations

import pytest

from benchmarks.footprint import CEILINGS, calls, files_run
from motionloom.kernels import compiling

SLACK = 2
"""Files by which a ceiling may be too high: a higher one holds nobody back."""


def test_every_call_runs_through_as_many_files_as_its_ceiling_says() -> None:
    if compiling.open_library() is None:
        pytest.skip("without a library of kernels, those that Numba compiles count as well: `make kernels`")
    ran = {name: files_run(call) for name, call in calls().items()}
    assert set(ran) == set(CEILINGS)
    too_many = {name: files for name, files in ran.items() if len(files) > CEILINGS[name]}
    assert not too_many, "fold steps that are one subject, or see `python -m benchmarks.footprint NAME`"
    too_high = [name for name, files in ran.items() if len(files) < CEILINGS[name] - SLACK]
    assert not too_high, "lower these ceilings to what runs now"
