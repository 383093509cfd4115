"""A sheet of the faults found in captured clips: what moved, before and after repair, and a judgement.

Faults of one clip that overlap in time are one item. The judgement is a rule on what can be measured: how
much sharper the path is bent than after repair, how long the fault lasts, how far points move, and whether
the bones below a joint that twists stay where they are. The rule shares its evidence with the detector, so it
is no independent proof; :data:`REVIEWED` overrules it where a look at the curve said something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np

from benchmarks.glitches import LIBRARY_MINUTES, described_clips, library_clips
from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.repair import Fault, find_faults, repair

MAX_GAP = 2
"""Frames between faults of one item."""

MARGIN = 14
"""Frames to either side that are drawn."""

SHARP = 4.0
"""How many times sharper bent than after repair a path must be to be a fault beyond doubt."""

STILL = 0.03
"""Metres that bones below a joint may move while the joint only twists."""

LOW_RATE = 60.0
COLOURS = ("#c0392b", "#27ae60", "#2c6fbb")
WIDTH, HEIGHT = 300, 90

REVIEWED: dict[tuple[str, int], str] = {
    **dict.fromkeys(
        [("dance_arabesque_05_15.bvh", frame) for frame in (416, 526)],
        "doubtful: one peak of a joint that jitters for a second; which frames are wrong is arbitrary",
    ),
    ("golf_swing_64_04.bvh", 106): "doubtful: smooth enough for a toe that bends",
    ("run_right_139_12_r0517-0745.bvh", 1): "doubtful: frame 0 is more likely to be the wrong one",
    ("111_21.bvh", 515): "fault: two frames on a level of their own, with the motion going on around them",
    ("113_29.bvh", 44): "fault: two frames on a level of their own, with the motion going on around them",
    ("104_16.bvh", 29): "doubtful: the knee of a fast run may bend so",
    ("135_06.bvh", 437): "doubtful: may be a movement of the hand",
    ("104_01.bvh", 29): "fault: the foot flips from frame to frame; which of them are right is arbitrary",
}
"""Clip and first frame -> the judgement after looking at it."""


@dataclass(frozen=True)
class SheetItem:
    """Faults of one clip at one time, with their judgement."""

    clip: str
    faults: tuple[Fault, ...]
    verdict: str
    reason: str
    drawing: str


def write_sheet(path: str) -> None:
    """Write the sheet and print how many items got which judgement."""
    parts = []
    for title, clips in (
        ("Described clips", described_clips()),
        (f"Library, {LIBRARY_MINUTES:g} minutes held out", library_clips(held_out=True)),
    ):
        items: list[SheetItem] = []
        seconds, count = 0.0, 0
        for name, clip in clips:
            seconds, count = seconds + clip.duration, count + 1
            items += find_items(name, clip)
        counted = Counter(item.verdict for item in items)
        summary = ", ".join(f"{number} {verdict}" for verdict, number in counted.most_common())
        n_clips = len({item.clip for item in items})
        line = f"{count} clips, {seconds / 60:.1f} minutes: {len(items)} items in {n_clips} clips; {summary}"
        print(f"{title}: {line}")
        parts.append(f"<h2>{escape(title)}</h2><p>{escape(line)}</p>{''.join(map(write_item, items))}")
    Path(path).write_text(PAGE.format(body="\n".join(parts)), encoding="utf-8")
    print(f"wrote {path}")


def find_items(name: str, clip: Clip) -> Iterator[SheetItem]:
    """The faults of a clip, grouped by time."""
    groups: list[list[Fault]] = []
    for fault in sorted(find_faults(clip), key=lambda fault: fault.first):
        if groups and fault.first <= max(other.last for other in groups[-1]) + MAX_GAP:
            groups[-1].append(fault)
        else:
            groups.append([fault])
    mended = repair(clip, max_frames=clip.n_frames).clip if groups else clip
    for group in groups:
        main = max(group, key=lambda fault: fault.size)
        verdict, reason = judge(clip, mended, main, group)
        reviewed = REVIEWED.get((Path(name).name, main.first))
        if reviewed:
            verdict, _, reason = reviewed.partition(": ")
        yield SheetItem(name, tuple(group), verdict, reason, draw(clip, mended, main))


def judge(clip: Clip, mended: Clip, fault: Fault, group: list[Fault]) -> tuple[str, str]:
    """The judgement on a fault, and the reason."""
    joints = len({each.joint for each in group})
    moved = distance(clip, mended, group)
    others = f", {joints} joints at once" if joints > 1 else ""
    if fault.kind == "jump":
        below = bone_motion(clip, fault)
        if below is not None and below < STILL:
            return "fault", f"twists about its own bone, which moves {100 * below:.1f} cm: the solver flipped"
        speed = fault.size / clip.frame_time
        if fault.channel == "position":
            return "fault", f"{speed:.0f} m/s"
        return "fault", f"{np.degrees(speed):.0f} °/s from one frame to the next, and it stays{others}"
    if fault.kind in ("frozen", "swapped"):
        return "fault", f"{fault.n_frames} frames{others}"
    if fault.first == 0 or fault.last == clip.n_frames - 1:
        return (
            "fault",
            f"an end of the clip, parted from the rest by a jump; points move {100 * moved:.0f} cm",
        )
    sharper = sharpness(clip, mended, fault)
    reason = f"bent {sharper:.0f} times as sharply as after repair, {fault.n_frames} frames{others}"
    reason += f"; points move {100 * moved:.0f} cm"
    if clip.fps < LOW_RATE and joints == 1 and fault.n_frames > 1:
        return "doubtful", f"{reason}; at {clip.fps:.0f} Hz a fast movement may look so"
    if sharper >= SHARP and fault.n_frames <= 3:
        return "fault", reason
    return ("probable" if sharper >= 3.0 else "doubtful"), reason


def distance(clip: Clip, mended: Clip, group: list[Fault]) -> float:
    """How far repair moves any joint in the frames of a group."""
    part = slice(min(fault.first for fault in group), max(fault.last for fault in group) + 1)
    off = clip.world_positions()[part] - mended.world_positions()[part]
    return float(np.linalg.norm(off, axis=-1).max())


def bone_motion(clip: Clip, fault: Fault) -> float | None:
    """How far the ends of the bones below a joint move, seen from its parent, over a jump."""
    joint = clip.skeleton.index(fault.joint)
    children = clip.skeleton.children(joint)
    if not children or fault.channel == "position":
        return None
    before, after = clip.rotations[fault.first - 1, joint], clip.rotations[fault.first, joint]
    offsets = clip.skeleton.offsets[list(children)]
    return float(np.linalg.norm(rot.rotate(before, offsets) - rot.rotate(after, offsets), axis=-1).max())


def sharpness(clip: Clip, mended: Clip, fault: Fault) -> float:
    """How many times larger the largest second difference is than after repair."""
    part = slice(max(fault.first - 2, 0), fault.last + 3)

    def bend(values: FloatArray) -> float:
        return float(np.linalg.norm(values[2:] - 2.0 * values[1:-1] + values[:-2], axis=-1).max())

    first, second = (bend(series(each, fault)[part]) for each in (clip, mended))
    return first / max(second, 1e-9)


def series(clip: Clip, fault: Fault) -> FloatArray:
    """The values (T, 3 or 4) that a fault is in."""
    joint = clip.skeleton.index(fault.joint)
    if fault.channel == "rotation":
        return rot.unroll(clip.rotations[:, joint])
    return clip.root_positions if joint == 0 or clip.translations is None else clip.translations[:, joint]


def draw(clip: Clip, mended: Clip, fault: Fault) -> str:
    """The joint's path about a fault: lines before repair, dashes after, in degrees or centimetres."""
    low, high = max(fault.first - MARGIN, 0), min(fault.last + MARGIN, clip.n_frames - 1)
    joint, anchor = clip.skeleton.index(fault.joint), max(fault.first - 1, 0)
    anchor = anchor if fault.first else min(fault.last + 1, clip.n_frames - 1)
    curves = []
    for each in (clip, mended):
        if fault.channel == "rotation":
            base = rot.inverse(mended.rotations[anchor, joint])
            values = np.degrees(
                rot.to_rotation_vector(rot.multiply(base, each.rotations[low : high + 1, joint]))
            )
        else:
            values = 100.0 * (series(each, fault)[low : high + 1] - series(mended, fault)[anchor])
        curves.append(values)
    top = max(float(np.abs(values).max()) for values in curves) or 1.0
    step = WIDTH / max(high - low, 1)

    def line(values: FloatArray, colour: str, style: str) -> str:
        points = " ".join(
            f"{n * step:.0f},{HEIGHT / 2 * (1 - value / top * 0.95):.0f}" for n, value in enumerate(values)
        )
        return f'<polyline points="{points}" fill="none" stroke="{colour}" {style}/>'

    band = (fault.first - low) * step, max((fault.last - fault.first) * step, 2.0)
    shapes = [f'<rect x="{band[0]:.1f}" y="0" width="{band[1]:.1f}" height="{HEIGHT}" fill="#fde8c8"/>']
    shapes += [line(curves[0][:, c], COLOURS[c % 3], "") for c in range(3)]
    shapes += [
        line(curves[1][:, c], COLOURS[c % 3], 'stroke-dasharray="3 2" opacity="0.7"') for c in range(3)
    ]
    unit = "°" if fault.channel == "rotation" else " cm"
    label = f'<text x="2" y="10" font-size="9">±{top:.0f}{unit}</text>'
    return f'<svg width="{WIDTH}" height="{HEIGHT}">{"".join(shapes)}{label}</svg>'


def write_item(item: SheetItem) -> str:
    listed = "<br>".join(escape(str(fault)) for fault in item.faults[:6])
    more = f"<br>and {len(item.faults) - 6} more" if len(item.faults) > 6 else ""
    return (
        f'<div class="item {item.verdict}">{item.drawing}<div><b>{escape(item.clip)}</b><br>{listed}{more}'
        f"<br><i>{item.verdict}</i>: {escape(item.reason)}</div></div>"
    )


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Faults found in captured clips</title>
<style>
body {{ font: 14px system-ui, sans-serif; margin: 2em auto; max-width: 1000px }}
.item {{ display: flex; gap: 1em; margin: 6px 0; padding: 6px; background: #fafafa }}
.item {{ border-left: 5px solid #c0392b }}
.probable {{ border-color: #e67e22 }} .doubtful {{ border-color: #999 }}
</style></head><body><h1>Faults found in captured clips</h1>
<p>Lines: the joint's rotation (degrees) or position (cm) before repair; dashes: after. The band marks the
fault. “fault”: beyond doubt; “probable”: long or less sharp; “doubtful”: may be fast motion.</p>
{body}</body></html>
"""
