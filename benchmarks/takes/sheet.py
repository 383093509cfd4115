"""An HTML sheet of forty results with strip pictures of both takes and of the blend, to be judged by eye."""

from __future__ import annotations

import base64
import random
from collections.abc import Sequence
from html import escape
from io import BytesIO
from pathlib import Path

from benchmarks.takes.outcome import Options, Outcome, mix_pair
from benchmarks.takes.pairs import SEED, load_pairs
from motionloom.display.strip import render_strip
from motionloom.motion import Clip

COUNT = 40
RELEASED = ("dropped", "shortened")
"""How notes on plants that could not be kept begin."""

POSES, WIDTH, HEIGHT = 9, 900, 230


def write_sheet(path: Path, outcomes: Sequence[Outcome], options: Options) -> None:
    """Write forty results: accepted whole, by parts, with dropped plants, and refused."""
    chosen = choose(outcomes)
    items = []
    for n, (pair, clips) in enumerate(load_pairs([each.pair for each in chosen], options.fps)):
        outcome, result = mix_pair(pair, clips, options)
        items.append(write_item(n + 1, outcome, clips, None if result is None else result.clip))
    path.write_text(PAGE.format(count=len(items), items="\n".join(items)), encoding="utf-8")
    print(f"wrote {path}")


def choose(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Forty outcomes of all kinds, seeded; outcomes with dropped plants first."""
    rng = random.Random(SEED)
    shuffled = rng.sample(list(outcomes), len(outcomes))
    dropped = [
        each for each in shuffled if each.accepted and any(note.startswith(RELEASED) for note in each.notes)
    ]
    groups = [
        (dropped, 8),
        ([each for each in shuffled if each.how in ("whole", "strides") and each not in dropped], 12),
        ([each for each in shuffled if each.how == "parts" and each not in dropped], 12),
        ([each for each in shuffled if not each.accepted and each.pair.kind != "different"], 8),
    ]
    chosen = [each for group, count in groups for each in group[:count]]
    chosen += [each for each in shuffled if each.accepted and each not in chosen][: COUNT - len(chosen)]
    return chosen[:COUNT]


def write_item(n: int, outcome: Outcome, clips: Sequence[Clip], blended: Clip | None) -> str:
    """One result: what was decided, and pictures of the takes or their parts and of the blend."""
    pair = outcome.pair
    pictures = []
    for k, (name, clip) in enumerate(zip((pair.first, pair.second), clips, strict=True)):
        title, shown = f"{name}, whole", clip
        if outcome.spans:
            start, end = outcome.spans[k]
            first, last = round(start * clip.fps), round(end * clip.fps)
            title, shown = (
                f"{name}, {start:.2f} to {end:.2f} of {clip.duration:.2f} s",
                clip[first : last + 1],
            )
        pictures.append(draw(shown, title))
    if blended is not None:
        pictures.append(draw(blended, f"blend, {blended.duration:.2f} s"))
    measured = f"largest joint speed {outcome.ratio:.2f} × the sources' ({outcome.joint})" if blended else ""
    lines = [
        f"<b>{n}. {escape(pair.description)}</b>: {outcome.how}",
        escape(f"verdict {outcome.verdict.lower() or '–'} ({outcome.reason})"),
        escape(measured),
        *(escape(note) for note in outcome.notes[:4]),
    ]
    return (
        f'<div class="item {outcome.how}"><p>{"<br>".join(filter(None, lines))}</p>{"".join(pictures)}</div>'
    )


def draw(clip: Clip, title: str) -> str:
    """A strip picture of a motion in the page."""
    image = render_strip(clip, width=WIDTH, height=HEIGHT, n_poses=POSES, title=title, view="side")
    memory = BytesIO()
    image.convert("RGB").save(memory, format="JPEG", quality=72)
    data = base64.b64encode(memory.getvalue()).decode()
    return f'<img width="{WIDTH}" alt="{escape(title)}" src="data:image/jpeg;base64,{data}">'


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Pairs of raw takes</title>
<style>
body {{ font: 14px system-ui, sans-serif; margin: 2em auto; max-width: 960px }}
.item {{ margin: 14px 0; padding: 8px; background: #fafafa; border-left: 5px solid #27ae60 }}
.parts {{ border-color: #2c6fbb }} .refused, .error {{ border-color: #999 }}
img {{ display: block; margin: 2px 0 }}
</style></head><body><h1>{count} pairs of raw takes, mixed in one call</h1>
<p>Each item shows both takes (or the parts that were taken) and the blend with equal weights. Green: whole
clips or their strides; blue: parts; grey: refused. Judge each item: is the decision right, and does the blend
move as a person would?</p>
{items}</body></html>
"""
