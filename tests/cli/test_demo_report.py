"""The page of the demo."""

from __future__ import annotations

from motionloom.cli.demo_report import _table
from motionloom.cli.demo_story import DemoMotion
from motionloom.quality import Measurement, MeasurementGroup, Measures


def motion_with(before: dict[str, float], after: dict[str, float]) -> DemoMotion:
    """A motion of which nothing is known but its figures, in metres."""
    measures = [
        Measures(
            (
                MeasurementGroup(
                    "path", tuple(Measurement(name, value, "m", "") for name, value in each.items())
                ),
            )
        )
        for each in (before, after)
    ]
    nothing = {"sources": (), "source_names": (), "result": None, "clip": None}
    return DemoMotion(name="", title="", text="", before=measures[0], after=measures[1], **nothing)  # type: ignore[arg-type]


def test_figures_that_could_not_be_taken_are_dashes() -> None:
    taken = motion_with({"mean speed": float("nan")}, {"path length": 1.25, "mean speed": float("nan")})
    assert '<td>path length</td><td class="number">–</td><td class="number">1.25</td>' in _table(taken)
    assert '<td>mean speed</td><td class="number">–</td><td class="number">–</td>' in _table(taken)


def test_figures_before_and_after_stand_side_by_side() -> None:
    taken = motion_with({"path length": 2.0, "unknown": 1.0}, {"path length": 1.996, "unknown": 1.0})
    assert '<td class="number">2.00</td><td class="number">2.00</td><td>m</td>' in _table(taken)
    assert "unknown" not in _table(taken)
