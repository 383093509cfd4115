"""`motionloom edit`: trim, retime, mirror and place a clip, and move its root motion."""

from __future__ import annotations

from math import radians
from pathlib import Path
from typing import Literal

import click

from motionloom.cli.many_files import many_files
from motionloom.cli.options import ANY_PATH, as_json, command, force, fps, option, output_file, parse_numbers
from motionloom.cli.output import clip_facts, print_written, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError
from motionloom.files import load_annotations, save
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, PointClip
from motionloom.motion.anatomy import facing
from motionloom.project.clip_edits import apply_edit
from motionloom.project.document import ClipEdit
from motionloom.retargeting.root_motion import ROOT_MOTION, RootMotion


@command()
@many_files()
@output_file
@option("--repair", is_flag=True, help="Mend faults of capture (see `motionloom repair`).")
@option("--smooth", type=float, metavar="HZ", help="Smooth with this cut-off, such as 6 for walking.")
@option(
    "--trim",
    metavar="START:END",
    help="Keep this part: 0.5:2 in seconds, 10f:200f in frames, or 1.5: for all from there.",
)
@option("--speed", type=float, metavar="FACTOR", help="Play this many times as fast, at the same frame rate.")
@option("--reverse", is_flag=True, help="Play backwards.")
@option("--mirror", is_flag=True, help="Swap left and right.")
@option(
    "--root-motion",
    type=click.Choice(ROOT_MOTION),
    help="Let the root joint, the hips or nothing (in place) carry the travel over the ground.",
)
@option(
    "--travel",
    type=click.Choice(["recover", "remove"]),
    help="Give a gait in place the travel that its planted feet show, or take steady travel out.",
)
@option(
    "--place",
    metavar="YAW,X,Z",
    help="Rotate by YAW degrees (left is positive) and move by X, Z metres; or 'origin': start there, "
    "facing +Z.",
)
@fps(show_default="as in the source", help="Frame rate of the result.")
@option(
    "--annotations",
    type=ANY_PATH,
    metavar="FILE",
    help="Replace plants and events with those of a .json file that annotate wrote.",
)
@option("--annotate", is_flag=True, help="Detect foot plants if the clip has no constraints.")
@force
@as_json
@reading_options
def edit(
    file: Path,
    output: Path,
    repair: bool,
    smooth: float | None,
    trim: str | None,
    speed: float | None,
    reverse: bool,
    mirror: bool,
    root_motion: RootMotion | None,
    travel: Literal["recover", "remove"] | None,
    place: str | None,
    fps: float | None,
    annotations: Path | None,
    annotate: bool,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Repair, smooth, trim, retime, reverse, mirror, place and annotate the clip in FILE.

    Edits are applied in the order of the options below.
    """
    from motionloom.annotation.treadmill import recover_travel
    from motionloom.motion.steady_travel import put_in_place
    from motionloom.workflows import ensure_annotated

    refuse_existing([output], force)
    clip = reader.read(file)
    clip = apply_edit(clip, ClipEdit(repair=repair, smooth=smooth))
    if trim is not None:
        clip = trim_clip(clip, trim)
    clip = apply_edit(clip, ClipEdit(speed=speed, reverse=reverse, mirror=mirror, root_motion=root_motion))
    if travel is not None:
        if travel == "remove":
            clip = put_in_place(clip).clip
        else:
            recovered = recover_travel(clip)
            clip = recovered.clip
            reader.note(file, str(recovered.report))
    if place is not None:
        clip = clip.placed(parse_placement(clip, place))
    if fps is not None:
        clip = clip.resampled(fps)
    if annotations is not None:
        clip = load_annotations(annotations, clip)
    if annotate:
        clip = ensure_annotated(clip)
    save(clip, output, overwrite=force)
    reader.note_losses(clip, output)
    print_written([output], as_json, **clip_facts(clip), notes=reader.notes)


def trim_clip(clip: Clip, span: str) -> Clip:
    """Return the part ``START:END`` of a clip: both ends included, either may be left out."""
    start, colon, end = span.partition(":")
    if not colon:
        raise ParameterError(f"--trim needs START:END, such as 0.5:2 or 10f:200f, not {span!r}")
    first = parse_frame(clip, start, "--trim") if start.strip() else 0
    last = parse_frame(clip, end, "--trim") if end.strip() else clip.n_frames - 1
    if first > last:
        raise ParameterError(f"--trim {span} ends before it starts")
    if not 0 <= first <= last < clip.n_frames:
        raise ParameterError(
            f"--trim {span} is frames {first} to {last}, but the clip has frames 0 to {clip.n_frames - 1} "
            f"({clip.duration:.3f} s)"
        )
    return apply_edit(clip, ClipEdit(trim=(first, last)))


def parse_frame(clip: Clip | PointClip, word: str, option: str) -> int:
    """Return the frame closest to a time in seconds, or, with an f, the frame itself."""
    word = word.strip()
    try:
        return int(word[:-1]) if word.endswith("f") else round(float(word) / clip.frame_time)
    except (ValueError, OverflowError):
        raise ParameterError(
            f"{word!r} is neither a time in seconds nor a frame such as 12f", subject=option
        ) from None


def parse_placement(clip: Clip, words: str) -> GroundTransform:
    """Return the transform ``YAW,X,Z``, or for "origin" the one that starts a clip there, facing +Z."""
    if words.strip().lower() == "origin":
        return _to_origin(clip)
    yaw, x, z = parse_numbers("--place", words, 3, "YAW,X,Z (degrees, metres) or 'origin'")
    return GroundTransform(radians(yaw), x, z)


def _to_origin(clip: Clip) -> GroundTransform:
    if clip.n_frames == 0:
        raise ParameterError("--place origin: the clip has no frames")
    x, _, z = clip.body.root_positions[0]
    return GroundTransform(float(facing(clip[:1])[0]), float(x), float(z)).inverse()
