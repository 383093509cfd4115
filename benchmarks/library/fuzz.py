"""Catalogues and shards with changed, missing and added bytes: a sentence or a result, never a crash.

Each case changes one file of a small library, or a value in its catalogue, and then opens, lists, checks,
searches, compares, summarizes, reads its takes, adds to it, updates and compacts it. Anything but a result or
a `MotionloomError` is a failure.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
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
            # A third of the cases change values of the catalogue, a third its bytes, a third any file.
            name = "catalogue.sqlite" if case % 3 else files[int(rng.integers(len(files)))]
            if case % 3 == 1:
                _change_value(target / name, rng)
            else:
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


def _change_value(path: Path, rng: np.random.Generator) -> None:
    """Put a value into the catalogue that does not belong there."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA ignore_check_constraints = 1")
        tables = ("takes", "takes", "takes", "files", "facts", "skeletons")
        table = tables[int(rng.integers(len(tables)))]
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        column = columns[int(rng.integers(len(columns)))]
        (own,) = database.execute(f"SELECT {column} FROM {table} ORDER BY random() LIMIT 1").fetchone()
        text = "" if own is None else str(own)
        at = int(rng.integers(len(text) + 1))
        values = [
            *(0, -1, 2**62, 0.5, float("inf"), "", "x", b"\xff\x00", None, "[]", "{}", "[1, 2]", "null"),
            text[:at],
            text[:at] + str(rng.integers(-9, 9)) + text[at + 1 :],
        ]
        with suppress(sqlite3.IntegrityError):
            value = values[int(rng.integers(len(values)))]
            database.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {column} IS ?", [value, own])


def _use(path: Path, clip: ml.Clip, more: Path, case: int) -> str:
    outcome = "results"
    steps: tuple[Callable[[ml.Library], object], ...] = (
        lambda lib: lib.takes,
        lambda lib: lib.check(),
        lambda lib: lib.search(clip, k=2),
        lambda lib: [take.clip() for take in lib.takes],
        lambda lib: lib.match_web(),
        lambda lib: lib.summary(near_duplicates=True),
        lambda lib: lib.add(more, tags=["more"]),
        lambda lib: lib.update(),
        lambda lib: lib.compact(),
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
