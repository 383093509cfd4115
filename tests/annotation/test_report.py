"""What the report says."""

from __future__ import annotations

from motionloom.annotation import AnnotationReport, AnnotationSettings, Floor, PlantReport


def heel(kept: bool) -> PlantReport:
    return PlantReport(
        side="left",
        joint="LeftFoot",
        kind="heel",
        depth=0.08,
        measured=True,
        speed=0.35,
        height=0.04,
        n_found=3,
        kept=kept,
    )


def test_a_plant_is_told_with_its_thresholds() -> None:
    told = "left heel (LeftFoot, 8.0 cm above the sole): 3 plants, slower than 0.35 m/s and lower than 4.0 cm"
    assert str(heel(kept=False)) == told


def test_kept_plants_are_told_as_such() -> None:
    assert str(heel(kept=True)) == "left heel (LeftFoot): the clip's own plants were kept"


def test_a_report_is_one_line_per_matter() -> None:
    report = AnnotationReport(AnnotationSettings(), Floor(0.02), (heel(kept=True),), 7, ("be careful",))
    assert str(report).splitlines() == [
        "floor at 0.020 m",
        "left heel (LeftFoot): the clip's own plants were kept",
        "7 events",
        "note: be careful",
    ]
