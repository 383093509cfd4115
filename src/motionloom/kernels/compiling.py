"""Kernels: functions of numbers and arrays that run as machine code, without the interpreter lock.

Their machine code is compiled when the package is built (:mod:`motionloom.kernels.build_library`): one
library for each level of instructions, of which the best that this processor knows is opened. Each carries a
digest of the kernels' sources. Where none was built from these, Numba compiles a kernel on its first call.

Kernels allocate nothing: whoever calls them brings arrays for results and scratch memory. What they take is
in their annotations (:mod:`motionloom.kernels.array_types`). Inputs that are not contiguous are copied.
"""

from __future__ import annotations

import ctypes
import logging
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy import ndarray

from motionloom.errors import MissingPackageError
from motionloom.kernels.array_types import parse_array_type

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")

FOLDER = Path(__file__).parent / "library"
"""Where the libraries are; each has the name of its level."""

LEVELS = ("arm64", "x86-64-v2", "x86-64-v3")
"""Levels of instructions: every processor has the first of its kind, ``runs_v3`` tells of the last."""

ENDING = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")

NUMBERS: dict[str, Any] = {
    "float": ctypes.c_double,
    "int": ctypes.c_int64,
    "bool": ctypes.c_bool,
    "None": None,
}
"""Types of numbers in C, by annotation."""

NUMBA_ONLY = ("NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT", "NUMBA_DEBUG", "NUMBA_DEBUGINFO")
"""Settings of Numba that change machine code: with one of them set, Numba compiles and calls all kernels."""

HEADER = object.__basicsize__
"""Bytes of an array before the fields of NumPy's binary interface, which libraries take."""

READ, WRITTEN = 0x0101, 0x0501
"""NumPy's flags of arrays that are contiguous and aligned, and of those that are writeable too."""

_lock = RLock()

logger = logging.getLogger("motionloom")


class KernelParameter(NamedTuple):
    """What a kernel takes: a number of a type of C, or an array that has these flags."""

    name: str
    number: Any
    dtype: np.dtype[Any] | None = None
    n_dimensions: int = 0
    flags: int = 0

    def fit(self, argument: Any) -> Any:
        """Return an array that the kernel can take: this one or, of an input, a contiguous copy."""
        what = f"the kernel's argument {self.name!r}"
        if not isinstance(argument, np.ndarray):
            raise TypeError(f"{what} must be an array, not {type(argument).__name__}")
        if argument.dtype != self.dtype or argument.ndim != self.n_dimensions:
            wanted = f"{self.n_dimensions} dimensions of {self.dtype}"
            raise TypeError(f"{what} must have {wanted}, not {argument.ndim} of {argument.dtype}")
        if self.flags == WRITTEN and argument.flags.num & WRITTEN != WRITTEN:
            raise ValueError(f"{what} is written to: it must be contiguous and writeable")
        return np.require(np.asarray(argument), requirements=("C", "A"))


class Kernel:
    """A function that runs as machine code.

    Parameters
    ----------
    function
        Takes numbers and arrays, writes to the arrays, and returns nothing, an integer or a float. Kernels
        that only other kernels call may take and return anything that Numba compiles.
    """

    def __init__(self, function: FunctionType) -> None:
        self.py_func = function
        self.__doc__, self.__name__ = function.__doc__, function.__name__
        self.symbol = f"{function.__module__.rpartition('.')[2]}_{function.__name__}"
        self._code: Callable[..., Any] | None = None
        self._is_native = False

    @cached_property
    def parameters(self) -> tuple[KernelParameter, ...] | None:
        """What the kernel takes, or None where only other kernels can call it."""
        found = []
        for name, annotation in self.py_func.__annotations__.items():
            array = parse_array_type(annotation)
            if array is not None:
                found.append(KernelParameter(name, None, *array[:2], WRITTEN if array.is_written else READ))
            elif annotation in NUMBERS:
                found.append(KernelParameter(name, NUMBERS[annotation]))
            else:
                return None
        return tuple(found[:-1])

    def __call__(self, *arguments: Any) -> Any:
        """Run the machine code."""
        code = self._code or self._load()
        fitted, passed = self._fit(arguments)
        return code(*(passed if self._is_native else fitted))

    def _fit(self, arguments: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Return the arguments with arrays that the kernel can take, and with the addresses of their fields.

        The arrays must be kept as long as their addresses are used.
        """
        if len(arguments) != len(self._expected):
            raise TypeError(
                f"the kernel {self.__name__} takes {len(self._expected)} arguments, not {len(arguments)}"
            )
        fitted, passed = list(arguments), list(arguments)
        for n, dtype, n_dimensions, flags in self._arrays:
            array = arguments[n]
            if not (
                type(array) is ndarray
                and (array.dtype is dtype or array.dtype == dtype)
                and array.ndim == n_dimensions
                and array.flags.num & flags == flags
            ):
                fitted[n] = array = self._expected[n].fit(array)
            passed[n] = id(array) + HEADER
        return fitted, passed

    def _load(self) -> Callable[..., Any]:
        """Return the kernel's function in the library, or the one that Numba makes."""
        with _lock:
            if self.parameters is None:
                raise TypeError(
                    f"only kernels can call {self.__name__}: its arrays have no stated dimensions"
                )
            if self._code is None:
                self._expected = self.parameters
                self._arrays = [(n, *each[2:]) for n, each in enumerate(self.parameters) if each.dtype]
                code = getattr(open_library(), self.symbol, None)
                if code is None:
                    logger.info(f"compiling {self.__name__}", extra={"progress": True})
                    code = self.compile(cache=True)
                else:
                    code.argtypes = [parameter.number or ctypes.c_void_p for parameter in self._expected]
                    code.restype = NUMBERS[self.py_func.__annotations__["return"]]
                    self._is_native = True
                self._code = code
            return cast("Callable[..., Any]", self._code)

    def compile(self, **options: Any) -> Any:
        """Return the function that Numba makes of the kernel, with Numba's ``options``."""
        numba = _import_numba()
        names = {ctypes.c_double: "float64", ctypes.c_int64: "int64", ctypes.c_bool: "boolean", None: "none"}
        types = []
        for _, number, dtype, n_dimensions, flags in self.parameters or ():
            if dtype is None:
                types.append(getattr(numba.types, names[number]))
            else:
                types.append(numba.types.Array(numba.from_dtype(dtype), n_dimensions, "C", flags == READ))
        result = getattr(numba.types, names[NUMBERS[self.py_func.__annotations__["return"]]])
        function = self._with_compiled_callees()
        # Numba's cache looks at the file of a kernel, but not at those of the kernels that it calls.
        function.__qualname__ += f"-{digest_sources()}"
        try:
            return numba.njit([result(*types)], nogil=True, error_model="numpy", **options)(function)
        except Exception:
            # A cache that is damaged, or cannot be written, raises anything.
            if not options.pop("cache", False):
                raise
            return numba.njit([result(*types)], nogil=True, error_model="numpy", **options)(function)

    @cached_property
    def inline(self) -> Any:
        """The kernel as other kernels call it: part of their machine code, never a call."""
        options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
        njit = _import_numba().njit(nogil=True, error_model="numpy", **options)
        return njit(self._with_compiled_callees())

    def _with_compiled_callees(self) -> FunctionType:
        """Return the function with other kernels replaced by what Numba can compile."""
        function = self.py_func
        called = ((name, function.__globals__.get(name)) for name in function.__code__.co_names)
        callees = {name: value.inline for name, value in called if isinstance(value, Kernel)}
        copy = FunctionType(function.__code__, {**function.__globals__, **callees}, function.__name__)
        copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
        return copy


def kernel(function: Function) -> Function:
    """Make a function a kernel."""
    return cast(Function, Kernel(cast(FunctionType, function)))


def bind(compiled: Callable[..., Result], *arguments: Any) -> Callable[[], Result]:
    """Return a function that runs a kernel with these arguments, whatever its arrays hold by then.

    Arguments are checked once, which takes most of the time of a short call. All arrays must be contiguous.
    """
    own = cast(Kernel, compiled)
    code = own._code or own._load()
    fitted, addressed = own._fit(arguments)
    if any(a is not b for a, b in zip(arguments, fitted, strict=True)):
        raise ValueError(f"arrays that are bound to the kernel {own.__name__} must be contiguous")
    passed = addressed if own._is_native else fitted
    # Keeps the arrays: their addresses would not.
    return lambda kept=fitted: code(*passed)  # type: ignore[misc]


@cache
def digest_sources() -> str:
    """Return a digest of the sources of all kernels, which state their signatures too."""
    digest = blake2b(digest_size=16)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


@cache
def open_library() -> ctypes.CDLL | None:
    """Return the best library for this processor, or None where none was built from these sources."""
    probe, best = np.empty(1), None
    if any(os.environ.get(name, "0") not in ("", "0") for name in NUMBA_ONLY):
        return None
    if ctypes.c_void_p.from_address(id(probe) + HEADER).value != probe.ctypes.data:
        return None  # a Python whose objects begin differently
    for level in LEVELS:
        path = FOLDER / f"{level}{ENDING}"
        # A file that is damaged, or that another program wrote, is no library of ours.
        with suppress(OSError, ValueError, AttributeError):
            if path.exists() and (best is None or best.runs_v3()):
                library = ctypes.CDLL(str(path))
                if (ctypes.c_char * 32).in_dll(library, "digest").raw.decode() == digest_sources():
                    best = library
    return best


def _import_numba() -> Any:
    try:
        import numba
    except ModuleNotFoundError:
        purpose = "without compiled kernels for this platform, this computation"
        raise MissingPackageError("numba", purpose, "pip install 'motionloom[jit]'") from None
    return numba
