"""`motionloom info`: what motion files contain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np

from motionloom.cli.options import ANY_PATH, as_json, command
from motionloom.cli.output import Failures, print_facts, print_json, print_line, print_notes
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import NoSkeletonError
from motionloom.files.formats import points_only
from motionloom.motion import Clip, PointClip
from motionloom.motion.anatomy import body_height, facing, find_anatomy


@command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@as_json
@reading_options
def info(files: tuple[Path, ...], as_json: bool, reader: Reader) -> None:
    """Show what motion FILES contain.

    Notes say what was detected, repaired or dropped when a file was read.
    """
    found: list[dict[str, Any]] = []
    failures = Failures(len(files))
    for path in files:
        with failures.collect(path):
            facts = _describe(path, reader)
            found.append(facts)
            if not as_json:
                print_facts(
                    str(path), {name: value for name, value in facts.items() if name not in ("file", "notes")}
                )
                print_notes(facts["notes"])
                print_line()
    if as_json:
        print_json([*found, *failures.facts()])
    failures.finish("read")


def _describe(path: Path, reader: Reader) -> dict[str, Any]:
    """Return what `info` shows of a file."""
    if points_only(path.suffix.lower()):
        return describe_points(reader.read_points(path))
    try:
        return describe_clip(reader.load(path))
    except NoSkeletonError:
        return describe_points(reader.read_points(path))


def describe_points(clip: PointClip) -> dict[str, Any]:
    """Return what `info` shows of points, by name; lengths in metres, times in seconds, forces in newtons."""
    source, analog = clip.source, clip.analog
    seen = ~np.isnan(clip.positions[..., 0])
    return {
        "file": source.path,
        "format": source.format,
        "frames": clip.n_frames,
        "fps": clip.fps,
        "frame_time_s": clip.frame_time,
        "duration_s": clip.duration,
        "points": list(clip.names),
        "seen": float(seen.mean()) if seen.size else 0.0,
        "unit": source.unit,
        "metres_per_unit": source.metres_per_unit,
        "up": source.up,
        "force_plates": [plate.name for plate in clip.force_plates],
        "max_load_n": [float(plate.load.max(initial=0.0)) for plate in clip.force_plates],
        "analog_channels": [] if analog is None else list(analog.names),
        "analog_fps": 0.0 if analog is None else 1.0 / analog.frame_time,
        "constraints": len(clip.constraints),
        "events": len(clip.events),
        "cyclic": clip.cyclic,
        "notes": list(source.notes),
    }


def describe_clip(clip: Clip) -> dict[str, Any]:
    """Return what `info` shows of a clip, by name; lengths in metres, times in seconds, angles in degrees."""
    skeleton, source = clip.skeleton, clip.source
    anatomy = find_anatomy(skeleton)
    facts: dict[str, Any] = {
        "file": source.path,
        "format": source.format,
        "frames": clip.n_frames,
        "fps": clip.fps,
        "frame_time_s": clip.frame_time,
        "duration_s": clip.duration,
        "joints": skeleton.n_joints,
        "tips": len(skeleton.tips),
        "moving_bones": clip.translations is not None,
        "unit": source.unit,
        "metres_per_unit": source.metres_per_unit,
        "up": source.up,
        "root_offset": source.root_offset,
        "height_m": body_height(skeleton),
        "legs": [skeleton.names[leg.hip] for leg in anatomy.legs],
        "arms": [skeleton.names[arm.shoulder] for arm in anatomy.arms],
        "left_right_pairs": len(anatomy.pairs),
        "constraints": len(clip.constraints),
        "events": len(clip.events),
        "cyclic": clip.cyclic,
    }
    if clip.body is not clip:
        facts["travel_joint"] = clip.body.skeleton.names[0]
    if clip.n_frames > 1:
        facts |= _measure_travel(clip)
    return facts | {"notes": list(source.notes)}


def _measure_travel(clip: Clip) -> dict[str, float]:
    """Return the length of the body's path on the ground, its mean speed, and how far the body turns."""
    steps = np.diff(clip.body.root_positions[:, [0, 2]], axis=0)
    length = float(np.linalg.norm(steps, axis=1).sum())
    heading = np.unwrap(facing(clip))
    return {
        "path_length_m": length,
        "mean_speed_m_s": length / clip.duration,
        "turn_left_deg": float(np.degrees(heading[-1] - heading[0])),
    }
