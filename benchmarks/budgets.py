"""How much memory small files can claim: the largest motion that each format's worst file is read with.

python -m benchmarks.budgets                the table: peak memory and time of reading the worst files
python -m benchmarks.budgets large 100000   a clip of 300 joints and so many frames in every format
python -m benchmarks.budgets large 100000 .bvh .csv   in these only

For every format, files are made by hand that stand for as much motion as their bytes can: zeros, joints
without channels, keys that are far apart, shared arrays. Their length is searched for the longest that is
accepted. Memory is the peak of a child process above what importing and reading a tiny file takes; seconds
are those of the processor, of Blender and the USD library too, so that other work does not count.
"""

from __future__ import annotations

import json
import resource
import struct
import subprocess
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import motionloom as ml
from motionloom.errors import FileTooLargeError
from motionloom.files import load_points
from motionloom.files.fbx.blender import WORKER, blender_command
from motionloom.files.points.c3d_layout import BLOCK, MAGIC, pack_parameters
from motionloom.geometry import rotations as rot
from motionloom.jobs.budget import BYTES_PER_FILE_BYTE, MEGABYTE, MIN_BYTES, SECONDS_PER_MEGABYTE
from motionloom.synthesis import walk

CHILD = """
import json, os, resource, sys, warnings
import motionloom as ml
from motionloom.files import load_points
warnings.simplefilter("ignore")
warm, path, points = sys.argv[1:]
read = load_points if points else ml.load
read(warm)
def usage():  # ru_maxrss begins with what the parent had
    own = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
    return own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
before, start, refusal = usage(), sum(os.times()[:4]), ""
try:
    clip = read(path)
except ml.MotionloomError as error:
    refusal = str(error)
after = usage()
print(json.dumps([1024 * max(b - a for a, b in zip(before, after)), sum(os.times()[:4]) - start, refusal]))
"""

MAX_ADDRESS_SPACE = 6 << 30
"""Bytes; what escapes the budget fails instead of taking the machine down."""

MAX_ROUNDS = 5
"""Sizes that are tried to find the largest that is accepted."""

MAX_LENGTH = 25_000
SMALL = {"MAX_ROUNDS": 0, "MAX_LENGTH": 100}
"""Length from which a file that is still accepted is in proportion to its motion."""


def write_bvh(path: Path, n: int) -> None:
    """Joints without channels below a root with one: n rows of two bytes."""
    joints = "".join(f"JOINT j{j}\n{{\nOFFSET 0 1 0\nCHANNELS 0\n" for j in range(300)) + "}\n" * 300
    head = f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n{joints}}}\nMOTION\n"
    path.write_text(f"{head}Frames: {n}\nFrame Time: 0.01\n" + "0\n" * n)


def write_bvh_zeros(path: Path, n: int) -> None:
    """A body whose channels are all "0"."""
    joints = "".join(
        f"JOINT j{j}\n{{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n" for j in range(60)
    )
    head = f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n{joints}"
    path.write_text(
        f"{head}{'}' * 61}\nMOTION\nFrames: {n}\nFrame Time: 0.01\n" + ("0 " * (61 * 3) + "\n") * n
    )


def write_amc(path: Path, n: int) -> None:
    """Bones without freedom below a root with one."""
    bones = "".join(f"begin\nname b{j}\ndirection 0 1 0\nlength 1\nend\n" for j in range(300))
    links = "root " + " ".join(f"b{j}" for j in range(300))
    path.with_suffix(".asf").write_text(f":root\norder TX\n:bonedata\n{bones}:hierarchy\n{links}\n")
    path.write_text("1\nroot 0\n" * n)


def write_csv(path: Path, n: int) -> None:
    """Rotations of the shortest possible text."""
    names = [f"j{j}" for j in range(60)]
    rows = [f"{name},{names[j - 1] if j else ''},0,1,0,1,0,0,0" for j, name in enumerate(names)]
    columns = "joint,parent,x,y,z,rest_w,rest_x,rest_y,rest_z"
    path.with_name(f"{path.stem}.skeleton.csv").write_text("\n".join([columns, *rows]))
    parts = [f"{name}.{part}" for name in names for part in ("qw", "qx", "qy", "qz")]
    header = ",".join(["time", "j0.x", "j0.y", "j0.z", *parts])
    row = ",0,0,0" + ",1,0,0,0" * 60
    path.write_text("\n".join([header, *(f"{t}{row}" for t in range(n))]))


def write_csv_gaps(path: Path, n: int) -> None:
    """Points that are never seen."""
    header = ",".join(["time", *(f"p{j}.{axis}" for j in range(300) for axis in "xyz")])
    path.write_text("\n".join([header, *(f"{t}{',' * 900}" for t in range(n))]))


def write_trc(path: Path, n: int) -> None:
    """Rows that end after their time, below many labels."""
    head = "PathFileType\t4\t(X/Y/Z)\tx\nDataRate\tNumFrames\tUnits\n60\t1\tmm\nFrame#\tTime\t"
    path.write_text(head + "\t".join(f"p{j}" for j in range(300)) + "\n\n" + "1\t0\n" * n)


def write_c3d(path: Path, n: int) -> None:
    """Integers, which take eight bytes for a point."""
    point: dict[str, Any] = {
        "USED": np.int64(100),
        "SCALE": 1.0,
        "RATE": 100.0,
        "UNITS": "mm",
        "Y_SCREEN": "+Y",
    }
    point["LABELS"] = [f"p{j}" for j in range(100)]
    tree = pack_parameters({"POINT": {"DATA_START": np.int64(0), **point}}, ("POINT", "DATA_START"))
    block = 2 + len(tree) // BLOCK
    header = struct.pack("<BBHHHHHfHHf", 2, MAGIC, 100, 0, 1, n, 0, 1.0, block, 0, 100.0)
    path.write_bytes(header.ljust(BLOCK, b"\0") + tree + np.ones((n, 100, 4), "<i2").tobytes())


def write_amass(path: Path, n: int) -> None:
    """Compressed zeros of half precision."""
    poses, trans = np.zeros((n, 156), np.float16), np.zeros((n, 3), np.float16)
    np.savez_compressed(path, poses=poses, trans=trans, mocap_framerate=np.array(60.0))


def write_native(path: Path, n: int) -> None:
    """A header with as many empty objects as it may have."""
    clip = walk(duration=0.2, fps=30).clip
    ml.save(clip, path, overwrite=True)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(members["header.json"])
    header["more"] = [{}] * 100 * n
    members["header.json"] = json.dumps(header, separators=(",", ":")).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def write_gltf(path: Path, n: int) -> None:
    """Many nodes that share arrays without a buffer, which stand for zeros."""
    nodes = [{"children": [j + 1]} if j < 299 else {} for j in range(300)]
    accessors = [
        {"componentType": 5126, "count": n, "type": "SCALAR"},
        {"componentType": 5126, "count": n, "type": "VEC3"},
    ]
    _write_gltf(path, nodes, accessors, [{"input": 0, "output": 1}], range(300), "scale", b"")


def write_gltf_keys(path: Path, n: int) -> None:
    """Two keys that are far apart, for many nodes."""
    nodes = [{"children": [j + 1]} if j < 299 else {} for j in range(300)]
    data = np.array([0.0, n / 60.0], np.float32).tobytes() + np.zeros(6, np.float32).tobytes()
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
        {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"},
    ]
    _write_gltf(path, nodes, accessors, [{"input": 0, "output": 1}], range(300), "translation", data)


def _write_gltf(
    path: Path,
    nodes: list[dict[str, list[int]]],
    accessors: list[dict[str, object]],
    samplers: list[dict[str, int]],
    moved: range,
    kind: str,
    data: bytes,
) -> None:
    import base64

    channels = [{"sampler": 0, "target": {"node": node, "path": kind}} for node in moved]
    content: dict[str, object] = {
        "asset": {"version": "2.0"},
        "nodes": nodes,
        "accessors": accessors,
        "animations": [{"samplers": samplers, "channels": channels}],
    }
    if data:
        uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        content["buffers"] = [{"byteLength": len(data), "uri": uri}]
        content["bufferViews"] = [
            {"buffer": 0, "byteLength": 8},
            {"buffer": 0, "byteOffset": 8, "byteLength": len(data) - 8},
        ]
    path.write_text(json.dumps(content, separators=(",", ":")))


def write_usd(path: Path, n: int) -> None:
    """Keys at uneven times that are far apart, for a skeleton of many joints."""
    joints, above = [], ""
    for j in range(100):
        above = f"{above}/j{j}" if above else f"j{j}"
        joints.append(f'"{above}"')
    listed = ", ".join(joints)
    rest = ", ".join(["((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))"] * 100)
    samples = ", ".join(f"{time}: [(1,0,0,0)]" for time in (0, 1.5, n))
    moved = ", ".join(f"{time}: [(0,0,0)]" for time in (0, 1.5, n))
    path.write_text(f"""#usda 1.0
(
    metersPerUnit = 1
    timeCodesPerSecond = 60
    upAxis = "Y"
)
def SkelRoot "body" {{
    def Skeleton "rig" {{
        rel skel:animationSource = </body/motion>
        uniform token[] joints = [{listed}]
        uniform matrix4d[] bindTransforms = [{rest}]
        uniform matrix4d[] restTransforms = [{rest}]
    }}
    def SkelAnimation "motion" {{
        uniform token[] joints = ["j0"]
        quatf[] rotations.timeSamples = {{ {samples} }}
        float3[] translations.timeSamples = {{ {moved} }}
        half3[] scales = [(1,1,1)]
    }}
}}
""")


def write_fbx(path: Path, n: int) -> None:
    """Two keys that are far apart, for many bones; they are not compressed, and their times are replaced."""
    content = bytearray(_make_two_keys(path.with_name("keys.fbx")))
    at = -1
    while (at := content.find(_KEY_TIMES, at + 1)) >= 0:
        last = at + len(_KEY_TIMES) + 8
        content[last : last + 8] = struct.pack("<q", n * FBX_SECOND // 60)
    path.write_bytes(content)


FBX_SECOND = 46_186_158_000
"""What a second is in the times of FBX files."""

_KEY_TIMES = b"KeyTimel" + struct.pack("<III", 2, 0, 16)
"""What comes before the times of two keys: name and type, their number, no compression, their bytes."""


@cache
def _make_two_keys(path: Path) -> bytes:
    skeleton = ml.Skeleton(tuple(f"j{j}" for j in range(100)), np.arange(-1, 99), np.full((100, 3), 0.01))
    still = ml.Clip(skeleton, 1 / 60, np.zeros((2, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (2, 100, 1)))
    return ml.save(still, path, overwrite=True).read_bytes()


def has_blender() -> bool:
    """Whether FBX files can be read here."""
    try:
        return bool(blender_command(WORKER))
    except ml.MotionloomError:
        return False


WORST: dict[str, tuple[str, Callable[[Path, int], None], bool]] = {
    "BVH, joints without channels": (".bvh", write_bvh, False),
    "BVH, zeros": (".bvh", write_bvh_zeros, False),
    "AMC, bones without freedom": (".amc", write_amc, False),
    "CSV, rotations of whole numbers": (".csv", write_csv, False),
    "CSV, points never seen": (".csv", write_csv_gaps, True),
    "TRC, rows without points": (".trc", write_trc, True),
    "C3D, integers": (".c3d", write_c3d, True),
    "AMASS, compressed zeros": (".npz", write_amass, False),
    "Motionloom, empty objects": (".npz", write_native, False),
    "glTF, shared zeros": (".gltf", write_gltf, False),
    "glTF, two keys far apart": (".gltf", write_gltf_keys, False),
    "USD, keys far apart": (".usda", write_usd, False),
    "FBX, keys far apart": (".fbx", write_fbx, False),
}
"""What a row of the table is called: suffix, how its file is made with a length, whether it holds points."""


def measure(warm: Path, path: Path, points: bool) -> tuple[int, float, str]:
    """Return peak bytes, seconds of the processor and the refusal ("": none) of reading a file."""
    command = [sys.executable, "-c", CHILD, str(warm), str(path), "points" if points else ""]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    n_bytes, seconds, refusal = json.loads(done.stdout.splitlines()[-1])
    return n_bytes, seconds, refusal


def find_longest(folder: Path, suffix: str, write: Callable[[Path, int], None], points: bool) -> int:
    """Return the largest length that is accepted, nearly, by halving between accepted and refused ones."""
    read = load_points if points else ml.load

    def accepts(n: int) -> bool:
        path = folder / f"tried{suffix}"
        write(path, n)
        try:
            read(path)
        except FileTooLargeError:
            return False
        return True

    low, high = 100, 100
    while high < MAX_LENGTH and accepts(high):
        low, high = high, 4 * high
    for _ in range(MAX_ROUNDS):
        if high < 1.1 * low:
            break
        middle = (low + high) // 2
        low, high = (middle, high) if accepts(middle) else (low, middle)
    return low


def main() -> None:
    """Print the table of the largest accepted blow-up per format."""
    warnings.simplefilter("ignore")
    print("| worst file | its size | peak memory | peak − 50 MB, over the size | seconds | length |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for label, (suffix, write, points) in WORST.items():
            if suffix == ".fbx" and not has_blender():
                print(f"| {label} | no Blender | | | | |")
                continue
            n = find_longest(folder, suffix, write, points)
            path, warm = folder / f"worst{suffix}", folder / f"warm{suffix}"
            write(path, n)
            write(warm, 60)  # long enough to load every kernel
            size = path.stat().st_size
            if suffix == ".amc":
                size += path.with_suffix(".asf").stat().st_size
            peak, seconds, _ = measure(warm, path, points)
            ratio = max(0.0, peak - MIN_BYTES) / size
            cells = [label, f"{size / MEGABYTE:.2f} MB", f"{peak / MEGABYTE:.0f} MB", f"{ratio:.1f}"]
            print(f"| {' | '.join(cells)} | {seconds:.1f} | {n} |", flush=True)
    print(f"\nAllowed: {BYTES_PER_FILE_BYTE} times the size and {MIN_BYTES // MEGABYTE} MB.")


LARGE = (".npz", ".glb", ".usdc", ".bvh", ".amc", ".csv", ".trc", ".c3d")

WRITE = """
import json, os, resource, sys, warnings
from pathlib import Path
from benchmarks.budgets import make_large
import motionloom as ml
warnings.simplefilter("ignore")
warm, path, n_frames, n_joints = Path(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:])
ml.save(make_large(warm.suffix, 20, n_joints), warm)
clip = make_large(path.suffix, n_frames, n_joints)
def usage():
    fields = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return [int(fields[key].split()[0]) for key in ("VmRSS", "VmHWM")]
Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
before, start = usage()[0], sum(os.times()[:4])
ml.save(clip, path)
peak = max(usage()[1] - before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
print(json.dumps([1024 * peak, sum(os.times()[:4]) - start]))
"""


def make_large(suffix: str, n_frames: int, n_joints: int) -> ml.Clip | ml.PointClip:
    """Return a clip, or points for formats that hold them alone, that no writer can make small."""
    # No cycle: a phase for every joint, and rates that have no common period.
    phases = np.arange(n_frames)[:, None, None] / 10.0 * np.array([1.0, np.sqrt(2.0), np.sqrt(3.0)])
    angles = 0.1 * np.sin(phases + np.arange(n_joints)[:, None])
    if suffix in (".trc", ".c3d"):
        some = angles[:, :200] if suffix == ".c3d" else angles
        return ml.PointClip(tuple(f"p{j}" for j in range(some.shape[1])), 0.01, some)
    skeleton = ml.Skeleton(
        tuple(f"j{j}" for j in range(n_joints)), np.arange(-1, n_joints - 1), np.full((n_joints, 3), 0.01)
    )
    return ml.Clip(skeleton, 0.01, angles[:, 0], rot.from_rotation_vector(angles))


def print_large(n_frames: int, suffixes: Sequence[str] = LARGE, n_joints: int = 300) -> None:
    """Print size, memory and time of writing and reading a clip that is large for good reasons."""
    print(
        f"{n_joints} joints, {n_frames} frames. Peak memory in bytes over the file's size: at most ", end=""
    )
    print(f"{BYTES_PER_FILE_BYTE}; seconds per MB: at most {SECONDS_PER_MEGABYTE:g}.\n")
    print(
        "| file | size | peak writing | over the size | s/MB | peak reading | over the size | s/MB | result |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|")
    with tempfile.TemporaryDirectory() as name:
        for suffix in suffixes:
            warm, large = (Path(name, f"{stem}{suffix}") for stem in ("warm", "large"))
            words = [str(warm), str(large), str(n_frames), str(n_joints)]
            done = subprocess.run([sys.executable, "-c", WRITE, *words], capture_output=True, text=True)
            if done.returncode:
                print(f"| {suffix} | | | | | | | | {done.stderr.strip().splitlines()[-1]} |", flush=True)
                continue
            size = large.stat().st_size
            cells = [suffix, f"{size / MEGABYTE:.0f} MB"]
            read = measure(warm, large, suffix in (".trc", ".c3d"))
            for peak, seconds in (json.loads(done.stdout.splitlines()[-1]), read[:2]):
                cells += [
                    f"{peak / MEGABYTE:.0f} MB",
                    f"{peak / size:.1f}",
                    f"{seconds * MEGABYTE / size:.3f}",
                ]
            print(f"| {' | '.join(cells)} | {read[2] or 'read'} |", flush=True)
            for path in Path(name).iterdir():
                path.unlink()


if __name__ == "__main__" and sys.argv[1:2] == ["large"]:
    print_large(int(sys.argv[2]), sys.argv[3:] or LARGE)
elif __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_SPACE, MAX_ADDRESS_SPACE))
    main()
