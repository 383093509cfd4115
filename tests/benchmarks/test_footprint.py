"""Following a call takes no more files than before."""

from __future__ import annotations

from benchmarks.footprint import CEILINGS, calls, files_run


def test_no_call_runs_through_more_files_than_its_ceiling() -> None:
    ran = {name: files_run(call) for name, call in calls().items()}
    assert set(ran) == set(CEILINGS)
    too_many = {name: files for name, files in ran.items() if len(files) > CEILINGS[name]}
    assert not too_many, "merge steps that are one subject, or see `python -m benchmarks.footprint NAME`"


def test_ceilings_come_down_with_the_calls() -> None:
    """A ceiling that nothing touches holds nobody back."""
    for name, call in calls().items():
        assert CEILINGS[name] - len(files_run(call)) <= 2, name
