"""Machine code of kernels on disk, loaded without Numba.

One file per kernel and signature: a line with a checksum and the name of the function, then an object file as
LLVM writes it. Files lie in a folder named after everything that machine code depends on (this processor, the
versions of llvmlite and Numba, the source of all kernels), so nothing has to be invalidated. A file that is
damaged is compiled again; where no folder can be written, every process compiles for itself.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from motionloom.kernels.machine_code_cache import say_once

FORMAT = 1
"""Version of the files; another one makes another folder."""

LIBRARY_FUNCTIONS = {
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "exp", "log", "pow", "hypot", "fmod"),
    *("floor", "ceil", "rint", "round", "fabs", "copysign", "memcpy", "memmove", "memset"),
}
"""What machine code that is kept may call: every process has these functions. Anything else, such as Numba's
allocator, would be missing where Numba is not loaded, and LLVM would end the process."""

NO_FOLDER = "no folder for machine code is writable: every run compiles it again (set NUMBA_CACHE_DIR)"

UNREACHED = "define void @NRT_MemInfo_call_dtor(ptr %memory) { ret void }"
"""Numba frees arrays through this function. Kernels that are kept allocate none, so it is never called."""

_loaded: list[bytes] = []
"""Object files that were linked."""

Signature = tuple[tuple[str, int], ...]


def load(name: str, signature: Signature) -> int | None:
    """Return the address of a kernel's machine code, or None where it has to be compiled.

    Parameters
    ----------
    name
        Module and name of the kernel, such as ``"dtw.sweep"``.
    signature
        Element type and number of dimensions of every argument.
    """
    folder = find_folder()
    if folder is None:
        return None
    path = folder / _file_name(name, signature)
    try:
        content = path.read_bytes()
    except OSError:
        return None
    head, _, code = content.partition(b"\n")
    checksum, _, symbol = head.partition(b" ")
    if checksum.decode("ascii", "replace") != _checksum(symbol + code):
        say_once(f"machine code in {folder} is damaged: it is compiled again")
        return None
    return _link(code, symbol.decode())


def keep(name: str, signature: Signature, assembly: str) -> int | None:
    """Keep a kernel's machine code for later processes, and return its address.

    Parameters
    ----------
    name, signature
        As for :func:`load`.
    assembly
        LLVM assembly with the kernel as its one external function.

    Returns
    -------
    The address, or None where the code needs Numba: it allocates, or this LLVM cannot read it.
    """
    if _find_numba() is None:
        return None
    import llvmlite.binding as llvm

    try:
        machine = _engine()[1]
        module = llvm.parse_assembly(assembly)
        module.link_in(llvm.parse_assembly(UNREACHED))
        declared = [f.name for f in module.functions if f.is_declaration]
        declared += [g.name for g in module.global_variables if g.is_declaration]
        missing = {n for n in declared if not n.startswith("llvm.")} - LIBRARY_FUNCTIONS
        symbols = [f.name for f in module.functions if f.linkage.name == "external" and not f.is_declaration]
        symbols.remove("NRT_MemInfo_call_dtor")
        if missing or len(symbols) != 1:
            return None
        code = machine.emit_object(module)
    except (RuntimeError, ValueError):
        return None
    symbol = symbols[0].encode()
    folder = find_folder()
    if folder is None:
        say_once(NO_FOLDER)
    else:
        content = _checksum(symbol + code).encode() + b" " + symbol + b"\n" + code
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _write_whole(folder / _file_name(name, signature), content)
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            say_once(f"machine code cannot be kept in {folder} ({reason}): every run compiles it again")
    return _link(code, symbols[0])


def find_folder() -> Path | None:
    """Return the folder for machine code of this processor and these versions, or None without Numba.

    It lies in the folder that ``NUMBA_CACHE_DIR`` names, else beside the kernels, else in the user's folder
    for caches, whichever can be written first.
    """
    return _choose_folder(os.environ.get("NUMBA_CACHE_DIR", ""))


@cache
def _choose_folder(given: str) -> Path | None:
    key = _key()
    if key is None:
        return None
    beside = Path(__file__).parent / "__pycache__"
    for folder in [Path(given)] if given else [beside, *_user_caches()]:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder / f"machine-code-{key}"
    return Path(given) / f"machine-code-{key}" if given else None


def _user_caches() -> list[Path]:
    """Return the user's folder for caches, where there is one."""
    try:
        home = Path.home()
    except RuntimeError:
        return []
    given = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    if given:
        return [Path(given) / "motionloom"]
    return [home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "motionloom"]


def _find_numba() -> Path | None:
    """Return Numba's folder without importing it."""
    try:
        spec = find_spec("numba")
    except ValueError:
        return None
    return Path(spec.origin).parent if spec is not None and spec.origin else None


@cache
def _key() -> str | None:
    """Return a digest of everything that machine code depends on, or None without Numba."""
    numba = _find_numba()
    if numba is None or find_spec("llvmlite") is None:
        return None
    import llvmlite
    import llvmlite.binding as llvm

    digest = blake2b(digest_size=12)
    features = llvm.get_host_cpu_features().flatten()
    for part in (FORMAT, llvmlite.__version__, llvm.get_process_triple(), llvm.get_host_cpu_name(), features):
        digest.update(f"{part}\n".encode())
    for path in [numba / "_version.py", *sorted(Path(__file__).parent.glob("*.py"))]:
        with suppress(OSError):
            digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _engine() -> tuple[Any, Any]:
    """Return LLVM's engine that machine code is linked in, and the machine it is for."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="static" if triple.startswith(("x86", "i686")) else "default",  # the only one that works
        codemodel="jitdefault",
        jit=True,
    )
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine), machine


def _link(code: bytes, symbol: str) -> int:
    """Return the address of a function in an object file, which is loaded."""
    import llvmlite.binding as llvm

    engine, _ = _engine()
    _loaded.append(code)  # LLVM does not copy it
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return int(engine.get_function_address(symbol))


def _file_name(name: str, signature: Signature) -> str:
    digest = blake2b(repr(signature).encode(), digest_size=8).hexdigest()
    return f"{name}-{digest}.o"


def _checksum(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file so that other processes see all of it or nothing."""
    temporary = path.with_suffix(f".{os.getpid()}")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
