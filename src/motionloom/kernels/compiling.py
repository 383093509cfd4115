"""How kernels are compiled: on their first call, once per machine, without the interpreter lock.

Numba compiles a kernel, and :mod:`motionloom.kernels.machine_code` keeps the machine code. Later processes
load it through llvmlite alone: importing Numba and preparing it takes most of a second, more than most
commands have to compute. Numba itself calls kernels whose machine code cannot be kept (those that allocate),
and takes arguments other than numbers and contiguous arrays.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from functools import cached_property
from threading import RLock
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from motionloom.errors import MissingPackageError
from motionloom.kernels import machine_code
from motionloom.kernels.interrupts import defer_interrupts, deferral
from motionloom.kernels.machine_code_cache import MachineCodeCache, report_progress, say_once

Function = TypeVar("Function", bound=Callable[..., Any])
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Signs = npt.NDArray[np.int8]

ARRAYS = {
    np.dtype(np.float64): "float64",
    np.dtype(np.int64): "int64",
    np.dtype(np.uint8): "uint8",
    np.dtype(np.int8): "int8",
    np.dtype(np.int16): "int16",
    np.dtype(np.bool_): "boolean",
}
"""Element types of arrays that machine code is kept for, by Numba's names."""

NUMBERS: dict[type, str] = {
    float: "float64",
    np.float64: "float64",
    int: "int64",
    np.int64: "int64",
    bool: "boolean",
    np.bool_: "boolean",
}
"""Types of numbers that machine code is kept for, by Numba's names."""

RESULTS: dict[object, Any] = {"None": None, "int": ctypes.c_int64, "float": ctypes.c_double}
"""What kernels return, by annotation, and where they write it."""

NUMBA_RESULTS = {"None": "none", "int": "int64", "float": "float64"}
"""What kernels return, by annotation, in Numba's names."""

C_TYPES: dict[str, Any] = {"float64": ctypes.c_double, "int64": ctypes.c_int64, "boolean": ctypes.c_bool}

NUMBA_ONLY = ("NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT", "NUMBA_DEBUG", "NUMBA_DEBUGINFO")
"""Settings of Numba that change machine code: with one of them set, Numba compiles and calls all kernels."""

_lock = RLock()


class Kernel:
    """A function that is compiled when it is first called.

    Parameters
    ----------
    function
        Takes numbers and arrays, writes to the arrays, and returns nothing, an integer or a float.
    """

    def __init__(self, function: FunctionType) -> None:
        self.py_func = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self._by_signature: dict[machine_code.Signature, Callable[..., Any]] = {}
        self._by_numba: Callable[..., Any] | None = None
        is_numbas = any(os.environ.get(name, "0") not in ("", "0") for name in NUMBA_ONLY)
        # On Windows, functions of the C library are only found through Numba.
        is_numbas |= sys.platform == "win32"
        self._is_kept = function.__annotations__.get("return") in RESULTS and not is_numbas

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        signature = _signature(arguments) if self._is_kept else None
        if signature is None:
            return self.by_numba(*arguments)
        native = self._by_signature.get(signature)
        if native is None:
            with _lock:
                native = self._by_signature.get(signature) or self._load_or_compile(signature)
                self._by_signature[signature] = native
        return native(*arguments)

    @property
    def by_numba(self) -> Callable[..., Any]:
        """The kernel as Numba calls it, with its own cache: faster to call, and slower to load."""
        # Not a cached property: in Python 3.11 those have a lock of their own, and threads would wait for
        # each other for ever.
        if self._by_numba is None:
            with _lock:
                self._by_numba = self._by_numba or self._wrap_by_numba()
        return self._by_numba

    def _wrap_by_numba(self) -> Callable[..., Any]:
        """Return the function that Numba compiles when it is called."""
        with defer_interrupts():
            njit = _import_numba().njit
            function = self._with_numba_callees()
            try:
                compiled = njit(function, cache=True, nogil=True, error_model="numpy")
            except RuntimeError:
                # Numba raises at decoration time when no cache folder is writable (read-only install).
                say_once(machine_code.NO_FOLDER)
                return cast("Callable[..., Any]", njit(function, nogil=True, error_model="numpy"))
            compiled._cache = MachineCodeCache(compiled._cache, self.__name__)
            return cast("Callable[..., Any]", compiled)

    @cached_property
    def inline(self) -> Callable[..., Any]:
        """The kernel as other kernels call it: part of their machine code, never a call."""
        njit = _import_numba().njit
        compiled = njit(
            self._with_numba_callees(),
            nogil=True,
            error_model="numpy",
            no_cpython_wrapper=True,
            no_cfunc_wrapper=True,
            forceinline=True,
        )
        return cast("Callable[..., Any]", compiled)

    def _with_numba_callees(self) -> FunctionType:
        """Return the function with other kernels replaced by what Numba can compile."""
        function = self.py_func
        callees = {
            name: value.inline
            for name in function.__code__.co_names
            if isinstance(value := function.__globals__.get(name), Kernel)
        }
        copy = FunctionType(function.__code__, {**function.__globals__, **callees}, function.__name__)
        copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
        return copy

    def _load_or_compile(self, signature: machine_code.Signature) -> Callable[..., Any]:
        """Return the function for one signature: kept machine code, or newly compiled."""
        name = f"{self.py_func.__module__.rpartition('.')[2]}.{self.__name__}"
        address = machine_code.load(name, signature)
        if address is None:
            with defer_interrupts():
                address = machine_code.keep(name, signature, self._compile(signature))
        if address is None:
            return self.by_numba
        return _make_call(address, signature, RESULTS[self.py_func.__annotations__["return"]])

    def _compile(self, signature: machine_code.Signature) -> str:
        """Return the LLVM assembly of the kernel for pointers, sizes and numbers."""
        numba = _import_numba()
        report_progress(self.__name__)
        parameters: list[str] = []
        arguments: list[str] = []
        types: list[Any] = []
        for n, (element, n_dimensions) in enumerate(signature):
            kind = getattr(numba.types, element)
            sizes = [f"a{n}_{axis}" for axis in range(n_dimensions)]
            parameters += [f"a{n}", *sizes]
            arguments.append(f"a{n}" if n_dimensions < 0 else f"carray(a{n}, ({', '.join(sizes)},))")
            types.append(kind if n_dimensions < 0 else numba.types.CPointer(kind))
            types += [numba.types.int64] * len(sizes)
        # A name of its own: processes count functions anew, and LLVM links what many of them compiled.
        name = f"entry_{self.py_func.__module__.rpartition('.')[2]}_{self.__name__}"
        source = f"def {name}({', '.join(parameters)}): return function({', '.join(arguments)})"
        names: dict[str, Any] = {"function": self.inline, "carray": numba.carray}
        exec(source, names)
        entry = numba.njit(
            tuple(types), nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
        )(names[name])
        self._check_result(str(entry.nopython_signatures[0].return_type))
        (assembly,) = entry.inspect_llvm().values()
        return cast(str, assembly)

    def _check_result(self, found: str) -> None:
        """Fail where a kernel returns another type than it says: its bytes would be misread."""
        stated = self.py_func.__annotations__["return"]
        if found != NUMBA_RESULTS[stated]:
            raise TypeError(f"the kernel {self.__name__} returns {found} and is annotated {stated}")


def kernel(function: Function) -> Function:
    """Compile a function on its first call; keep the machine code on disk where that is possible."""
    return cast(Function, Kernel(cast(FunctionType, function)))


def by_numba(compiled: Function) -> Function:
    """Return a kernel as Numba calls it: where it allocates, or is called thousands of times per second.

    Otherwise every process would compile a kernel that allocates before it finds that it cannot be kept.
    """
    return cast(Function, cast(Kernel, compiled).by_numba)


def _signature(arguments: tuple[Any, ...]) -> machine_code.Signature | None:
    """Return types and dimensions of arguments, or None where only Numba can take them."""
    found = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            element = ARRAYS.get(argument.dtype)
            flags = argument.flags
            if element is None or argument.ndim == 0 or not (flags.c_contiguous and flags.aligned):
                return None
            found.append((element, argument.ndim))
        else:
            number = NUMBERS.get(type(argument))
            if number is None:
                return None
            found.append((number, -1))
    return tuple(found)


def _make_call(address: int, signature: machine_code.Signature, result: Any) -> Callable[..., Any]:
    """Return a function that passes arrays as pointers and sizes to machine code.

    Numba's own functions take where to write the result and where to write an exception, and return a status;
    kernels raise nothing.
    """
    c_types: list[Any] = [ctypes.c_void_p, ctypes.c_void_p]
    for element, n_dimensions in signature:
        c_types.append(C_TYPES[element] if n_dimensions < 0 else ctypes.c_void_p)
        c_types += [ctypes.c_int64] * n_dimensions
    native = ctypes.CFUNCTYPE(ctypes.c_int32, *c_types)(address)

    def call(*arguments: Any) -> Any:
        returned = (result or ctypes.c_int64)()
        exception = ctypes.c_void_p()
        flat: list[Any] = [ctypes.addressof(returned), ctypes.addressof(exception)]
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                flat.append(argument.__array_interface__["data"][0])
                flat.extend(argument.shape)
            else:
                flat.append(argument)
        native(*flat)
        return None if result is None else returned.value

    return call


_numba: Any = None


def _import_numba() -> Any:
    """Import Numba, and defer interrupts while it compiles."""
    global _numba
    if _numba is None:
        with defer_interrupts():
            try:
                import numba
            except ModuleNotFoundError:
                raise MissingPackageError("numba", "this computation", "pip install numba") from None
            from numba.core import event

            class Compilation(event.Listener):
                def on_start(self, _: event.Event) -> None:
                    deferral.begin()

                def on_end(self, _: event.Event) -> None:
                    deferral.end()

            event.register("numba:compile", Compilation())  # type: ignore[no-untyped-call]
            _numba = numba
    return _numba
