"""Compile all kernels into the package, one library for each level of instructions.

``python src/motionloom/kernels/build_library.py [FOLDER]`` builds for this machine, ``--platform`` for others
with the same kind of processor; several have a folder each. Numba compiles; the package ziglang links, or
for this machine the program ``cc``.
"""

from __future__ import annotations

import argparse
import ctypes
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

if "motionloom" not in sys.modules:
    # Kernels need NumPy alone; the package's own __init__ needs more than is there when a wheel is built.
    bare = ModuleType("motionloom")
    bare.__path__ = [str(Path(__file__).parents[1])]
    sys.modules["motionloom"] = bare

from motionloom import kernels
from motionloom.kernels import compiling


class Platform(NamedTuple):
    """What a library is built for: by LLVM's name and by zig's, with the tag of its wheel."""

    triple: str
    target: str
    tag: str
    ending: str
    levels: tuple[str, ...]


X64 = ("x86-64-v2", "x86-64-v3")
PROCESSORS = {"arm64": "generic"}
"""LLVM's names of the simplest processors of levels, where they differ from the level's."""

PLATFORMS = {
    "linux-x64": Platform(
        "x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64", ".so", X64
    ),
    "linux-arm64": Platform(
        "aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64", ".so", ("arm64",)
    ),
    "windows-x64": Platform("x86_64-pc-windows-gnu", "x86_64-windows-gnu", "win_amd64", ".dll", X64),
    "macos-x64": Platform(
        "x86_64-apple-macosx11.0.0", "x86_64-macos.11.0", "macosx_11_0_x86_64", ".dylib", X64
    ),
    "macos-arm64": Platform(
        "arm64-apple-macosx11.0.0", "aarch64-macos.11.0", "macosx_11_0_arm64", ".dylib", ("arm64",)
    ),
}

LIBRARY_FUNCTIONS = {
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "sqrtf", "exp", "log", "pow", "hypot"),
    *("fmod", "floor", "ceil", "rint", "round", "fabs", "copysign", "memcpy", "memmove", "memset"),
}
"""What kernels may call: functions of C that every system has. Anything else is Numba's own."""

UNREACHED = "define void @NRT_MemInfo_call_dtor(ptr %memory) { ret void }"
"""Numba frees arrays through this function. Kernels allocate none, so it is never called."""

DETECTION = """
#include <cpuid.h>
#ifdef _WIN32
__declspec(dllexport)
#endif
int runs_v3(void) {
    unsigned r[4], low, high;
    if (!__get_cpuid(1, r, r + 1, r + 2, r + 3) || (r[2] & 0x38401000) != 0x38401000) return 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6 || !__get_cpuid_count(7, 0, r, r + 1, r + 2, r + 3)) return 0;
    if ((r[1] & 0x128) != 0x128 || !__get_cpuid(0x80000001, r, r + 1, r + 2, r + 3)) return 0;
    return (r[2] & 0x20) != 0;
}
"""
"""Whether processor and system have what x86-64-v3 adds: FMA, MOVBE, AVX, F16C; BMI, AVX2, BMI2; LZCNT."""


class BuildError(Exception):
    """Kernels cannot be compiled or linked; the message says why."""


def find_kernels() -> list[compiling.Kernel]:
    """Return all kernels that Python calls, in order of their symbols."""
    modules = (getattr(kernels, name) for name in kernels.__all__)
    found = [value for module in modules for value in vars(module).values()]
    own = {
        k.symbol: k
        for k in found
        if isinstance(k, compiling.Kernel) and k.parameters is not None and not k.__name__.startswith("_")
    }
    return [own[symbol] for symbol in sorted(own)]


def find_platform() -> str:
    """Return the name of this machine's platform."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower()
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(machine, machine)
    if f"{system}-{machine}" not in PLATFORMS:
        raise BuildError(f"libraries of kernels are not built for {system}-{machine}")
    return f"{system}-{machine}"


def build(folder: Path, names: Sequence[str]) -> list[Path]:
    """Write the libraries of platforms into a folder, or for several into a folder each."""
    if find_spec("numba") is None:
        raise BuildError("kernels are compiled by the package 'numba', which is not installed")
    own = find_platform()
    foreign = [name for name in names if name.endswith("arm64") != own.endswith("arm64")]
    if foreign:
        raise BuildError(f"kernels for {', '.join(foreign)} are compiled on such a processor, not on {own}")
    wanted = [(name, folder / name if len(names) > 1 else folder) for name in names]
    for _, place in wanted:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
    levels = {level for name in names for level in PLATFORMS[name].levels}
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(build_level, level, wanted) for level in sorted(levels)]
        return [path for job in jobs for path in job.result()]


def build_level(level: str, wanted: Sequence[tuple[str, Path]]) -> list[Path]:
    """Write the libraries of one level; a process has one, because Numba compiles for one processor."""
    import llvmlite.binding as llvm

    assembly = compile_kernels(level)
    paths = []
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    for name, folder in wanted:
        triple, target, _, ending, levels = PLATFORMS[name]
        if level not in levels:
            continue
        machine = llvm.Target.from_triple(triple).create_target_machine(
            cpu=PROCESSORS.get(level, level), opt=3, reloc="pic", codemodel="default"
        )
        own = re.sub(r'(?m)^target triple = ".*"', f'target triple = "{triple}"', assembly)
        own = re.sub(r'(?m)^target datalayout = ".*"', f'target datalayout = "{machine.target_data}"', own)
        paths.append(folder / f"{level}{ending}")
        link(machine.emit_object(llvm.parse_assembly(own)), target, paths[-1], is_own=name == find_platform())
    return paths


def compile_kernels(level: str) -> str:
    """Return LLVM assembly of all kernels for a level, and of the digest of their sources."""
    import llvmlite.binding as llvm
    from numba.core import config

    vars(config).update(CPU_NAME=PROCESSORS.get(level, level), CPU_FEATURES="")
    digest = f'@digest = dllexport constant [32 x i8] c"{compiling.digest_sources()}"'
    whole = llvm.parse_assembly(f"{UNREACHED}\n{digest}")
    for kernel in find_kernels():
        dispatcher = kernel.compile(no_cpython_wrapper=True, no_cfunc_wrapper=True)
        (assembly,) = dispatcher.inspect_llvm().values()
        (inner,) = re.findall(r"^define [^@]*i32 @([^(]+)\(ptr noalias", assembly, re.MULTILINE)
        module = llvm.parse_assembly(f"{assembly}\n{wrap(kernel, inner)}")
        for each in [*module.functions, *module.global_variables]:
            if not each.is_declaration and each.name != kernel.symbol:
                each.linkage = "internal"
        whole.link_in(module)
    whole.get_function("NRT_MemInfo_call_dtor").linkage = "internal"
    missing = {f.name for f in whole.functions if f.is_declaration and not f.name.startswith("llvm.")}
    missing |= {g.name for g in whole.global_variables if g.is_declaration}
    foreign = ", ".join(sorted(missing - LIBRARY_FUNCTIONS))
    if foreign:
        raise BuildError(f"kernels call {foreign}: they may not allocate memory, nor raise errors")
    return str(whole)


def wrap(kernel: compiling.Kernel, inner: str) -> str:
    """Return LLVM assembly of a function of C that calls what Numba compiled.

    It takes numbers, and for an array the address of NumPy's fields: data, number of dimensions, pointers to
    sizes and to steps. Numba's function takes them one by one, after the places for its result and for an
    exception, of which kernels raise none.
    """
    lines, taken, passed = [], [], []
    for n, (_, number, dtype, n_dimensions, _) in enumerate(kernel.parameters or ()):
        a = f"%a{n}"
        if dtype is None:
            kind = "double" if number is ctypes.c_double else f"i{8 * ctypes.sizeof(number)}"
            taken.append(f"{kind} {a}")
            passed.append(f"{kind} {a}")
            continue
        taken.append(f"ptr {a}")
        lines += [f"{a}data = load ptr, ptr {a}", f"{a}count0 = add i64 1, 0"]
        passed += ["ptr null", "ptr null", f"i64 {a}count{n_dimensions}", f"i64 {dtype.itemsize}"]
        passed.append(f"ptr {a}data")
        for field, what in ((2, "size"), (3, "step")):
            lines += [f"{a}{what}at = getelementptr i64, ptr {a}, i64 {field}"]
            lines += [f"{a}{what} = load ptr, ptr {a}{what}at"]
            for axis in range(n_dimensions):
                lines += [f"{a}{what}{axis}at = getelementptr i64, ptr {a}{what}, i64 {axis}"]
                lines += [f"{a}{what}{axis} = load i64, ptr {a}{what}{axis}at"]
                passed.append(f"i64 {a}{what}{axis}")
        lines += [f"{a}count{k + 1} = mul i64 {a}count{k}, {a}size{k}" for k in range(n_dimensions)]
    result = {"float": "double", "int": "i64", "None": "ptr"}[kernel.py_func.__annotations__["return"]]
    return "\n".join(
        [
            f"define dllexport {result} @{kernel.symbol}({', '.join(taken)}) {{",
            *(f"%result = alloca {result}", "%exception = alloca ptr", *lines),
            f"%status = call i32 @{inner}(ptr %result, ptr %exception, {', '.join(passed)})",
            *(f"%value = load {result}, ptr %result", f"ret {result} %value", "}"),
        ]
    )


def link(code: bytes, target: str, path: Path, *, is_own: bool) -> None:
    """Write a library with the code of an object file."""
    if find_spec("ziglang") is not None:
        linker = [sys.executable, "-m", "ziglang", "cc", "-target", target]
    elif is_own and shutil.which("cc"):
        linker = ["cc", "-fPIC"]
    else:
        raise BuildError("kernels are linked by the package 'ziglang' or the program 'cc': both are missing")
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / "kernels.o").write_bytes(code)
        (work / "detection.c").write_text(DETECTION if "x86_64" in target else "")
        files = ["kernels.o", "detection.c", "-o", path.name]
        if subprocess.run([*linker, "-shared", "-O2", "-s", *files, "-lm"], cwd=work, check=False).returncode:
            raise BuildError(f"{path.name} could not be linked for {target}: see above")
        shutil.copy(work / path.name, path)


def main() -> None:
    """Build what the command line names, and print the paths and sizes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=compiling.FOLDER)
    parser.add_argument("--platform", nargs="+", choices=PLATFORMS, help="default: this machine's")
    parser.add_argument("--tag", action="store_true", help="print the tag of the wheel at the end")
    arguments = parser.parse_args()
    try:
        names = arguments.platform or [find_platform()]
        for path in build(arguments.folder, names):
            print(f"{path}  {path.stat().st_size / 1e3:.0f} kB")
    except BuildError as error:
        sys.exit(f"{parser.prog}: {error}")
    if arguments.tag:
        # What cc links needs this system's C library, or a newer one.
        print(PLATFORMS[names[0]].tag if find_spec("ziglang") else sysconfig.get_platform().replace("-", "_"))


if __name__ == "__main__":
    main()
