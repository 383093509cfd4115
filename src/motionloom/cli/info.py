"""`motionloom info`: what is in a motion file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np

from motionloom.cli.failures import Failures
from motionloom.cli.output import ANY_PATH, as_json, print_facts, print_json
from motionloom.cli.reading import Reader, reading_options
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_height, facing, find_anatomy


@click.command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@as_json
@reading_options
def info(files: tuple[Path, ...], as_json: bool, reader: Reader) -> None:
    """Show what motion FILES hold.

    The notes say what was detected, repaired or left out while reading.
    """
    found: list[dict[str, Any]] = []
    failures = Failures(len(files))
    for path in files:
        with failures.kept(path):
            facts = clip_facts(reader.read(path, quiet=True))
            found.append(facts)
            if not as_json:
                _print(path, facts)
    if as_json:
        print_json([*found, *failures.facts()])
    failures.finish("read")


def _print(path: Path, facts: dict[str, Any]) -> None:
    print_facts(str(path), {name: value for name, value in facts.items() if name not in ("file", "notes")})
    for note in facts["notes"]:
        click.echo(f"  note: {note}")
    click.echo()


def clip_facts(clip: Clip) -> dict[str, Any]:
    """What `info` tells about a clip, by name; lengths in metres, times in seconds, angles in degrees."""
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
    if clip.n_frames > 1:
        facts |= _travel(clip)
    return facts | {"notes": list(source.notes)}


def _travel(clip: Clip) -> dict[str, float]:
    """Length of the root's ground path, its mean speed, and how far the body turned."""
    steps = np.diff(clip.root_positions[:, [0, 2]], axis=0)
    length = float(np.linalg.norm(steps, axis=1).sum())
    heading = np.unwrap(facing(clip))
    return {
        "path_length_m": length,
        "mean_speed_m_s": length / clip.duration,
        "turn_left_deg": float(np.degrees(heading[-1] - heading[0])),
    }
