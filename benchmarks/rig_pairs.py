"""Clips of every rig with clips of every other: a result or a sentence, never a traceback.

Rigs are generated from the built-in body (joints above the hips, end sites, bones without length, other
names and axes, missing limbs, clips of no frames) and read from the captured files, one clip each. All
ordered pairs go through `mix`, `register`, `transition` and `Framespace`. Run with
`python -m benchmarks.rig_pairs [N]`; a number takes so many pairs, drawn at random with a fixed seed. It ends
with an error if there was a traceback.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP
from motionloom.synthesis import walk
from tests.retargeting.rigs import RIGS

FPS = 30.0
MAX_SECONDS = 3.0
"""Captured clips are taken at this rate and cut to this length: it is the rigs that are to be compared."""

SEED = 35
N_EXAMPLES = 12
"""How many of the sentences are listed, the most frequent first."""

CAPTURED = (
    "locomotion/s16/walk_straight_16_15.bvh",
    "locomotion/s139_sneak/run_left_139_12_r0157-0397.bvh",
    "actions/kicks/kick_74_03.bvh",
    "long/*.bvh",
    "dialects/bvh/*.bvh",
    "dialects/asf_amc/16_15.amc",
    "dialects/fbx_gltf/*.glb",
    "game/*.glb",
    "game/character/*.gltf",
)
"""One file of every rig."""

Verb = Callable[[ml.Clip, ml.Clip], object]

VERBS: dict[str, Verb] = {
    "mix": lambda a, b: ml.mix([a, b], [0.5, 0.5], allow_unfit=True),
    "register": lambda a, b: ml.register([a, b]),
    "transition": lambda a, b: ml.transition(a, b),
    "Framespace": lambda a, b: ml.Framespace([a, b], allow_unfit=True).blend(0.5),
}


@cache
def generated_clips() -> dict[str, tuple[ml.Clip, ml.Clip]]:
    """Return two different walks, to be first and second, on every generated rig."""
    walks = [
        walk(speed=speed, phase=phase, duration=2.0, fps=FPS).clip
        for speed, phase in ((1.2, 0.0), (1.5, 0.3))
    ]
    return {name: (put(walks[0]), put(walks[1])) for name, put in RIGS.items()}


@cache
def captured_clips() -> dict[str, tuple[ml.Clip, ml.Clip]]:
    """Return a short clip of every captured rig; none where the files are missing or cannot be read here."""
    clips = {}
    for file in sorted(path for pattern in CAPTURED for path in MOCAP.glob(pattern)):
        clip = _read(file)
        if clip is not None:
            clips[file.name] = clip, clip
    return clips


def _read(file: Path) -> ml.Clip | None:
    try:
        clip = ml.load(file)
        if clip.fps > FPS:
            clip = clip.resampled(FPS)
    except ml.MotionloomError as error:
        print(f"{file.name} is left out: {error}")
        return None
    return clip[: round(MAX_SECONDS * clip.fps)]


def find_outcome(verb: Verb, first: ml.Clip, second: ml.Clip) -> tuple[str, str]:
    """Return "result", "sentence" or "traceback", and what an error said.

    A result with numbers that are none counts as a traceback, and so does a warning of NumPy's.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)
            result = verb(first, second)
    except ml.MotionloomError as error:
        text = str(error)
        return ("sentence", text) if text and "\n" not in text else ("traceback", f"not a sentence: {text!r}")
    except Exception:
        return "traceback", traceback.format_exc(limit=-3)
    clip = getattr(result, "clip", None)
    if clip is not None and not np.isfinite(clip.world_positions()).all():
        return "traceback", "positions that are no numbers"
    return "result", ""


def run_pairs(
    clips: dict[str, tuple[ml.Clip, ml.Clip]], pairs: Iterable[tuple[str, str]]
) -> tuple[dict[str, Counter[str]], Counter[str], dict[str, list[str]]]:
    """Return counts of outcomes by verb, of the sentences, and the pairs of each traceback."""
    counts: dict[str, Counter[str]] = {verb: Counter() for verb in VERBS}
    sentences: Counter[str] = Counter()
    tracebacks: dict[str, list[str]] = {}
    for one, other in pairs:
        first, second = clips[one][0], clips[other][1]
        for name, verb in VERBS.items():
            outcome, text = find_outcome(verb, first, second)
            counts[name][outcome] += 1
            if outcome == "sentence":
                sentences[text] += 1
            if outcome == "traceback":
                tracebacks.setdefault(text, []).append(f"{name}: {one} → {other}")
    return counts, sentences, tracebacks


def main() -> None:
    """Print the table, and the tracebacks with their pairs."""
    clips = {**generated_clips(), **captured_clips()}
    pairs = list(product(clips, clips))
    if len(sys.argv) > 1:
        pairs = random.Random(SEED).sample(pairs, min(int(sys.argv[1]), len(pairs)))
    start = time.perf_counter()
    counts, sentences, tracebacks = run_pairs(clips, pairs)
    seconds = time.perf_counter() - start
    print(f"{len(clips)} rigs, {len(pairs)} ordered pairs, {seconds:.0f} s\n")
    print("| function | results | sentences | tracebacks |\n|---|---|---|---|")
    for verb, outcomes in counts.items():
        print(f"| {verb} | {outcomes['result']} | {outcomes['sentence']} | {outcomes['traceback']} |")
    print(f"\n{len(sentences)} different sentences; the most frequent:")
    for text, count in sentences.most_common(N_EXAMPLES):
        print(f"  {count} × {text}")
    for text, where in sorted(tracebacks.items(), key=lambda entry: -len(entry[1])):
        print(f"\n{len(where)} tracebacks, first in {'; '.join(where[:3])}\n{text}")
    if tracebacks:
        raise SystemExit(f"{sum(map(len, tracebacks.values()))} tracebacks")


if __name__ == "__main__":
    main()
