"""The captured sets of three gaits, each straight, to the left and to the right."""

from __future__ import annotations

from pathlib import Path

GAITS = {"s16": ("walk", "jog", "run"), "s139_sneak": ("walk", "run", "sneak")}


def nine_files(mocap: Path, name: str) -> list[Path]:
    """The nine files of a set, gait by gait."""
    folder = mocap / "locomotion" / name
    return [
        next(folder.glob(f"{gait}_{way}_*")) for gait in GAITS[name] for way in ("straight", "left", "right")
    ]
