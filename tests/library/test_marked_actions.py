"""The actions that were marked by hand, on which the quality of searches is measured."""

from __future__ import annotations

import csv
from pathlib import Path

FILE = Path(__file__).with_name("marked_actions.csv")


def test_marks_are_stretches_of_time_with_names() -> None:
    with FILE.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(0.0 <= float(row["start"]) < float(row["end"]) for row in rows)
    assert {row["certain"] for row in rows} == {row["repeated"] for row in rows} == {"yes", "no"}
    sure = [row for row in rows if row["action"] and row["certain"] == "yes"]
    takes_of = {
        action: {row["take"] for row in sure if row["action"] == action}
        for action in {row["action"] for row in sure}
    }
    assert len(takes_of) >= 12
    # Each action is found in other takes than its own.
    assert min(map(len, takes_of.values())) >= 3
    assert len({row["take"] for row in rows}) > 400
