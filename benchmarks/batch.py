"""Folders: 300 mixed files, repaired, looped where they loop, and put on one character by one command.

Run with `make bench`. The files are takes of the library as BVH and GLB, and FBX where Blender is found;
three are broken on purpose. The second run finds nothing to do.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.corpus import MOCAP, need_corpus
from motionloom.errors import MotionloomError
from motionloom.files import load_clip, save
from motionloom.files.fbx.blender import WORKER, blender_command

N_FILES, MAX_FRAMES, N_FBX = 300, 150, 20
SMALL = {"N_FILES": 6, "N_FBX": 0}
"""Files in all, frames of the longest take (5 s), and FBX files: each takes Blender seconds."""

CHARACTER = MOCAP / "game/character/manny_med_mod.gltf"


def main() -> None:
    """Make the folder, run the command twice, and print what the reports say."""
    need_corpus()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        counts = make_folder(folder / "in")
        print("files:", ", ".join(f"{count} {kind}" for kind, count in counts.items()))
        for run in ("first", "second"):
            stamps = {path: path.stat().st_mtime_ns for path in (folder / "out").rglob("*.glb")}
            start = time.perf_counter()
            done = subprocess.run(command(folder), capture_output=True, text=True)
            seconds = time.perf_counter() - start
            with (folder / "report.csv").open(encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            statuses = Counter(row["status"] for row in rows)
            notes = [note for row in rows for note in row["notes"].split("; ")]
            loops = sum("closed to a loop" in note and not note.startswith("not") for note in notes)
            mended = sum("of capture mended" in note for note in notes)
            touched = sum(path.stat().st_mtime_ns != stamp for path, stamp in stamps.items())
            print(
                f"{run} run: {seconds:.0f} s, exit code {done.returncode}, {len(rows)} rows, {dict(statuses)}"
            )
            if run == "first":
                print(f"  {mended} repaired, {loops} closed to a loop")
            else:
                print(f"  {touched} of {len(stamps)} results touched")
            print("  " + done.stderr.strip().splitlines()[-1].replace(str(folder), ""))


def command(folder: Path) -> list[str]:
    """Return the one command."""
    options = ["--to", CHARACTER, "--repair", "--loop", "-o", folder / "out", "--format", "glb"]
    options += ["--map-file", folder / "map.json", "--report", folder / "report.csv"]
    words = [sys.executable, "-m", "motionloom", "retarget", folder / "in", *options]
    return [*map(str, words), "--jobs", str(os.cpu_count() or 1)]


def make_folder(folder: Path) -> Counter[str]:
    """Fill a folder with files of several formats in a tree, three of them broken."""
    try:
        blender_command(WORKER)
        n_fbx = N_FBX
    except MotionloomError:
        print("Blender is not installed: no FBX files")
        n_fbx = 0
    takes = sorted((MOCAP / "library").glob("*/*.bvh"))
    counts: Counter[str] = Counter()
    for path in takes[::2] + takes[1::2]:
        if counts.total() == N_FILES - 3:
            break
        clip = load_clip(path)
        if not 30 <= clip.n_frames <= MAX_FRAMES:
            continue
        kind = "fbx" if counts["fbx"] < n_fbx else "glb" if counts.total() % 5 < 2 else "bvh"
        target = folder / path.parent.name / f"{path.stem}.{kind}"
        target.parent.mkdir(parents=True, exist_ok=True)
        if kind == "bvh":
            target.write_bytes(path.read_bytes())
        else:
            save(clip, target)
        counts[kind] += 1
    whole = next(folder.rglob("*.glb")).read_bytes()
    (folder / "cut.glb").write_bytes(whole[: len(whole) // 2])
    (folder / "words.bvh").write_text("no motion at all")
    (folder / "empty.bvh").write_bytes(b"")
    counts["broken"] = 3
    return counts


if __name__ == "__main__":
    main()
