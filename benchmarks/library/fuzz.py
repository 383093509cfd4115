"""Catalogues and shards with changed, missing and added bytes: a sentence or a result, never a crash.

Each case changes one file of a small library and then opens, lists, checks, searches, compares, summarizes,
reads a take and adds to it. Anything but a result or a `MotionloomError` is a failure.
"""

from __future__ import annotations

import shutil
import tempfile
import traceback
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

import motionloom as ml
from motionloom import synthesis
from motionloom.errors import MotionloomError

SEED = 9


def run(n_cases: int) -> None:
    rng = np.random.default_rng(SEED)
    warnings.simplefilter("ignore")
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.library"
        clip = synthesis.walk(duration=1.5, fps=30).clip
        ml.save(clip, Path(folder) / "walk.npz")
        ml.save(synthesis.kick(fps=30).clip, Path(folder) / "kick.npz")
        ml.Library(whole).add(Path(folder) / "*.npz")
        ml.save(synthesis.punch(fps=30).clip, Path(folder) / "punch.npz")
        files = sorted(path.name for path in whole.iterdir() if path.stat().st_size > 0)
        target = Path(folder) / "fuzzed.library"
        for case in range(n_cases):
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(whole, target)
            # Half of the cases change the catalogue.
            name = "catalogue.sqlite" if case % 2 else files[int(rng.integers(len(files)))]
            _damage(target / name, rng)
            outcomes[_use(target, clip, Path(folder) / "punch.npz", case)] += 1
            if case % 1000 == 999:
                print(case + 1, dict(outcomes), flush=True)
    print(f"{n_cases} damaged libraries: {dict(outcomes)}")


def _damage(path: Path, rng: np.random.Generator) -> None:
    content = bytearray(path.read_bytes())
    kind = rng.integers(5)
    at = int(rng.integers(len(content)))
    if kind == 0:
        content = content[:at]
    elif kind == 1:
        content[at:at] = rng.bytes(int(rng.integers(1, 200)))
    elif kind == 2:
        content[at : at + int(rng.integers(1, 4096))] = b""
    else:
        for _ in range(int(rng.integers(1, 30))):
            content[int(rng.integers(len(content)))] = int(rng.integers(256))
    path.write_bytes(content)


def _use(path: Path, clip: ml.Clip, more: Path, case: int) -> str:
    outcome = "results"
    steps = (
        lambda lib: lib.takes,
        lambda lib: lib.check(),
        lambda lib: lib.search(clip, k=2),
        lambda lib: [take.clip() for take in lib.takes],
        lambda lib: lib.match_web(),
        lambda lib: lib.summary(),
        lambda lib: lib.add(more),
    )
    for step in steps:
        try:
            step(ml.Library(path))
        except MotionloomError:
            outcome = "a sentence"
        except Exception:
            print(f"case {case}:")
            traceback.print_exc()
            return "a crash"
    return outcome
