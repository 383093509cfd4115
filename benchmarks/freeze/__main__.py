"""Runs the frozen operations and compares their results with those of an earlier version.

python -m benchmarks.freeze                    compare with the digests of 0.1
python -m benchmarks.freeze --write            write the digests anew
python -m benchmarks.freeze --only blend       operations whose names hold a word
python -m benchmarks.freeze --keep FOLDER      store every array and file as well
python -m benchmarks.freeze --against FOLDER   compare whole arrays with those stored by --keep
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from dataclasses import asdict
from pathlib import Path

import numpy as np

from benchmarks.corpus import need_corpus
from benchmarks.freeze.operations import OPERATIONS
from benchmarks.freeze.outputs import TOLERANCE, Digest, Outputs, take_apart

FROZEN = Path(__file__).parent / "frozen-0.1.json"


KICKS = "single-frame flips of two captured kicks no longer count when they are compared"
CYCLES = "single cycles of captured gaits represent their clip in speed and turn"
LOOPS = "files whose last frame continues into the first are read as loops, without a repeated frame"
MASSES = "the mass of the trunk follows the spine, also where it bends"
FLIGHTS = "flights are found by how the centre of mass falls, and the longest is measured"
KEPT = "transitions leave the first clip late and enter the second early"
STRIKES = "cuts in mid-swing invent no strikes"

CHANGED = {
    "strides matched": STRIKES,
    "blend constant": STRIKES,
    "blend keyed": STRIKES,
    "blend choices": STRIKES,
    "blend layers": STRIKES,
    "variations": STRIKES,
    "mixes/gaits": STRIKES,
    "enforce blend": STRIKES,
    "projects/held": STRIKES,
    "projects/import": STRIKES,
    "live blend": "the rate law that chooses for itself speeds motion up by a quarter at most",
    "register pinned and free/pins": "pins are met exactly",
    "registered loops and pins/pinned": "pins are met exactly",
    "exports of registrations/alignment": "alignments do not turn by half a turn at the ends of a clip",
    "projects/over": KEPT,
    "transition by registration": KEPT,
    "transition unsnapped": KEPT,
    "transition linear": KEPT,
    "transition inertialized": KEPT,
    "transition dead blended": KEPT,
    "concatenation": KEPT,
    "transition stated": "stated frames are met exactly",
    "transition of loops": "the frames that meet are whole frames, exactly, and snapping fades towards them",
    "register actions/0": KICKS,
    "mixes/kicks": KICKS,
    "projects/all": LOOPS,
    "projects/it's a 'crouch'": LOOPS,
    "load gltf/0": LOOPS,
    "load gltf/4": LOOPS,
    "register loops": CYCLES,
    "registered loops and pins/loops": CYCLES,
    "framespaces/captured": CYCLES,
    "measures/transition": FLIGHTS,
    "exports/amc": "motion notes the mark of its skeleton",
    "exports/csv": "motion notes the mark of its skeleton",
    "exports/bvh": "zeros behind the root's OFFSET mark unit and axes of our own files",
    "measures/blend": MASSES,
    "measures/kick": MASSES,
}
"""Outputs, by the beginning of their names, that are no longer those of 0.1, and why."""


def main() -> int:
    """Run the operations; 1 where a result differs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.freeze", description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the digests instead of comparing")
    parser.add_argument("--only", default="", help="run operations whose names hold this word")
    parser.add_argument("--keep", type=Path, help="folder to store every array and file in")
    parser.add_argument("--against", type=Path, help="folder of stored arrays to compare with in full")
    options = parser.parse_args()
    need_corpus()
    frozen = {} if options.write else _read()
    found: dict[str, dict[str, Digest]] = {}
    n_different = 0
    started = time.perf_counter()
    for name, operation in OPERATIONS.items():
        if options.only not in name:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            outputs = take_apart(name, operation())
        found[name] = {key: Digest.of(value) for key, value in outputs.items()}
        if options.keep:
            _store(outputs, options.keep)
        if options.write:
            print(f"{name}: {len(outputs)} outputs")
            continue
        lines = _differences(frozen.get(name, {}), found[name])
        if options.against:
            lines = _whole_differences(outputs, options.against, lines)
        reasons = [next((why for key, why in CHANGED.items() if line.startswith(key)), "") for line in lines]
        n_unexplained = reasons.count("")
        n_different += n_unexplained
        state = "DIFFERS" if n_unexplained else "changed on purpose" if lines else "same"
        print(f"{name}: {state} ({len(outputs)} outputs)")
        for line, reason in zip(lines, reasons, strict=True):
            print(f"    {line}{' because ' if reason else ''}{reason}")
    if options.write:
        _write(found)
    print(f"{len(found)} operations in {time.perf_counter() - started:.0f} s, {n_different} differences")
    return 1 if n_different else 0


def _read() -> dict[str, dict[str, Digest]]:
    stored = json.loads(FROZEN.read_text())
    return {
        name: {
            key: Digest(one["sha256"], tuple(one["shape"]), tuple(one["samples"]))
            for key, one in digests.items()
        }
        for name, digests in stored.items()
    }


def _write(found: dict[str, dict[str, Digest]]) -> None:
    plain = {
        name: {key: asdict(digest) for key, digest in digests.items()} for name, digests in found.items()
    }
    rows = [
        f"{json.dumps(name)}: {{\n"
        + ",\n".join(f"  {json.dumps(key)}: {json.dumps(one)}" for key, one in digests.items())
        + "\n}"
        for name, digests in plain.items()
    ]
    FROZEN.write_text("{\n" + ",\n".join(rows) + "\n}\n")


def _differences(before: dict[str, Digest], after: dict[str, Digest]) -> list[str]:
    lines = [f"{key}: is gone" for key in before if key not in after]
    lines += [f"{key}: is new" for key in after if key not in before]
    for key in before.keys() & after.keys():
        difference = before[key].difference(after[key])
        if difference:
            lines.append(f"{key}: {difference}")
    return sorted(lines)


def _place(folder: Path, key: str) -> Path:
    return folder / (key.replace("/", "__").replace(" ", "_") + ".npy")


def _store(outputs: Outputs, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for key, value in outputs.items():
        if isinstance(value, np.ndarray):
            np.save(_place(folder, key), value, allow_pickle=False)
        else:
            place = _place(folder, key).with_suffix(".txt" if isinstance(value, str) else ".bin")
            place.write_bytes(value.encode() if isinstance(value, str) else value)


def _whole_differences(outputs: Outputs, folder: Path, lines: list[str]) -> list[str]:
    """Differences over every value of the stored arrays, in place of those over samples."""
    kept = [line for line in lines if "differs by" not in line]
    for key, value in outputs.items():
        place = _place(folder, key)
        if not isinstance(value, np.ndarray) or not place.exists():
            continue
        before = np.load(place, allow_pickle=False)
        if before.shape != value.shape:
            continue
        scale = max(1.0, float(np.nanmax(np.abs(before), initial=0.0)))
        error = float(np.nanmax(np.abs(before - value), initial=0.0)) / scale
        if error > TOLERANCE:
            kept.append(f"{key}: differs by {error:.2g} (relative, all values)")
    return kept


if __name__ == "__main__":
    sys.exit(main())
