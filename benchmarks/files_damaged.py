"""Damaged copies of files of every format: read, or refused with our own error, soon and in little memory.

Run with `python -m benchmarks.files_damaged`, with a number of copies per format to try more, and with names
of formats to try these alone: `python -m benchmarks.files_damaged 20000 C3D TRC`. Copies are cut short, have
bits flipped, counts replaced or bytes scrambled; in archives, every second time inside a member, where no
check sum tells. USD and FBX go through other programs, which take a second to start, and get
a tenth of the copies; they need `usd-core` and Blender.
"""

from __future__ import annotations

import faulthandler
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import motionloom as ml
from benchmarks.bounds import BoundMissed
from benchmarks.corpus import MOCAP, need_corpus
from motionloom import synthesis
from motionloom.errors import MotionloomError
from motionloom.files import load_points
from motionloom.files.body_models import smpl_skeleton
from motionloom.files.fbx.blender import WORKER, blender_command
from tests.files.c3d_files import DEC, INTEL, SGI, encode, sketch
from tests.files.mutation import DAMAGES, in_archive

COPIES = 400
SMALL = {"COPIES": 10}
SLOW_SHARE = 10
"""One in so many copies is tried where another program has to be started for each."""

LONGEST_SECONDS = 5.0
"""What takes longer counts as a hang, for formats that we read ourselves."""

HOPELESS_SECONDS = 300.0
"""After this long on one copy the benchmark ends and shows where it is."""

MOST_MEMORY = 30, 50 << 20
"""Bytes that reading may take: so many for each byte of the file, and so many beside."""


@dataclass
class Tally:
    """How the damaged copies of one format fared."""

    read: int = 0
    refused: int = 0
    longest: float = 0.0
    largest: int = 0
    escaped: list[str] = field(default_factory=list)


def main() -> None:
    copies = int(sys.argv[1]) if len(sys.argv) > 1 else COPIES
    wanted = sys.argv[2:]
    need_corpus()
    print(f"{'format':<12}{'read':>7}{'refused':>9}{'longest':>10}{'memory':>10}  escaped")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, paths, read, slow in originals(Path(folder)):
            if wanted and name not in wanted:
                continue
            tally = damaged_copies(Path(folder), paths, read, copies // SLOW_SHARE if slow else copies, slow)
            print(
                f"{name:<12}{tally.read:>7}{tally.refused:>9}{tally.longest:>8.2f} s"
                f"{tally.largest / 2**20:>7.0f} MB  {len(tally.escaped) or 'none'}",
                flush=True,
            )
            for each in tally.escaped[:5]:
                print(f"    {each}")
            failed |= bool(tally.escaped)
    if failed:
        raise BoundMissed("some damaged files were neither read nor refused as they should be")


def originals(folder: Path) -> Iterator[tuple[str, list[Path], Callable[[Path], object], bool]]:
    """Formats: name, whole files to damage, what reads them, and whether another program must be started."""
    walk = ml.annotate(ml.load(MOCAP / "locomotion/s16/walk_straight_16_15.bvh"))[100:160]
    for ending in ("bvh", "amc", "npz", "glb", "gltf", "csv"):
        yield ending.upper(), [ml.save(walk, folder / f"whole.{ending}")], ml.load, False
    yield "GLB, others", sorted(MOCAP.glob("dialects/fbx_gltf/*.glb")), ml.load, False
    yield "AMASS", [amass_file(folder)], ml.load, False
    points = ml.save(walk, folder / "points.csv", layout="positions")
    yield "CSV points", [points], load_points, False
    captured = [path for name in ("dialects/c3d_trc", "unread") for path in sorted(MOCAP.glob(f"{name}/*"))]
    yield "C3D", [*of_kind(captured, ".c3d"), *c3d_files(folder)], load_points, False
    plates = ml.load(folder / "plate_2_84.c3d", ml.PointClip)
    markers = ml.save(plates, folder / "plates.trc")
    yield "TRC", [*of_kind(captured, ".trc"), markers], load_points, False
    table = folder / "plates_grf.mot"
    yield "MOT", [table], lambda path: ml.load(markers, ml.PointClip, forces=path), False
    if find_spec("pxr") is not None:
        stages = [ml.save(walk, folder / f"whole.{ending}") for ending in ("usda", "usdc")]
        yield "USD", stages, ml.load, True
    if has_blender():
        yield "FBX", sorted(MOCAP.glob("dialects/fbx_gltf/*.fbx")), ml.load, True


def of_kind(paths: Sequence[Path], suffix: str) -> list[Path]:
    return [path for path in paths if path.suffix.lower() == suffix]


def c3d_files(folder: Path) -> Iterator[Path]:
    """Small C3D files of all types of force plates, of whole numbers and fractions, from all processors."""
    for kind, processor in product((1, 2, 3, 4), (INTEL, DEC, SGI)):
        path = folder / f"plate_{kind}_{processor}.c3d"
        path.write_bytes(encode(sketch(kind), processor, real=kind % 2 == 0))
        yield path


def amass_file(folder: Path) -> Path:
    """Body-model motion of a synthetic walk."""
    walk = ml.retarget(synthesis.walk(duration=1.0).clip, to=smpl_skeleton())
    return ml.save(walk, folder / "amass.npz", layout="amass")


def has_blender() -> bool:
    try:
        return bool(blender_command(WORKER))
    except MotionloomError:
        return False


def damaged_copies(
    folder: Path, paths: list[Path], read: Callable[[Path], object], copies: int, slow: bool
) -> Tally:
    """Read damaged copies of the files, taking turns over files and ways to damage them."""
    tally = Tally()
    contents = [path.read_bytes() for path in paths]
    for seed in range(copies):
        which = seed % len(paths)
        way = list(DAMAGES)[seed // len(paths) % len(DAMAGES)]
        copy = folder / f"broken{paths[which].suffix}"
        inside = copy.suffix == ".npz" and seed // len(DAMAGES) % 2
        damage = in_archive(DAMAGES[way]) if inside else DAMAGES[way]
        copy.write_bytes(damage(contents[which], seed))
        read_copy(copy, read, f"{paths[which].name}, {way}, seed {seed}", tally, slow)
    return tally


def read_copy(path: Path, read: Callable[[Path], object], what: str, tally: Tally, slow: bool) -> None:
    """Read one copy and count how it fared."""
    faulthandler.dump_traceback_later(HOPELESS_SECONDS, exit=True)
    tracemalloc.start()
    start = time.monotonic()
    try:
        read(path)
        tally.read += 1
    except MotionloomError as error:
        tally.refused += 1
        if path.stem not in str(error):
            tally.escaped.append(f"{what}: the refusal does not name the file: {error}")
    except Exception as error:
        tally.escaped.append(f"{what}: {type(error).__name__}: {error}")
    seconds, memory = time.monotonic() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    faulthandler.cancel_dump_traceback_later()
    tally.longest, tally.largest = max(tally.longest, seconds), max(tally.largest, memory)
    if not slow and seconds > LONGEST_SECONDS:
        tally.escaped.append(f"{what}: took {seconds:.1f} s")
    if memory > MOST_MEMORY[0] * path.stat().st_size + MOST_MEMORY[1]:
        tally.escaped.append(f"{what}: took {memory >> 20} MB")


if __name__ == "__main__":
    main()
