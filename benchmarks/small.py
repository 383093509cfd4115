"""Run benchmarks on inputs so small that a run only shows whether they still work.

`python -m benchmarks.small files loading` runs some of `python -m benchmarks` in this way; the figures say
nothing. A module of benchmarks states what it takes then: `SMALL` names its constants with other values,
`SMALL_WORDS` is what follows its name on the command line, and `SMALL_PARTS` are modules that it imports
late.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

Set = Callable[[Any, str, Any], object]


def run_small(name: str, put: Set = setattr) -> None:
    """Run a benchmark on small inputs.

    Parameters
    ----------
    name
        One of :data:`benchmarks.__main__.MODULES`.
    put
        Sets an attribute of a module; a test takes one that is undone.
    """
    module = import_benchmark(name)
    for part in getattr(module, "SMALL_PARTS", ()):
        import_benchmark(part)
    for other in [other for key, other in sys.modules.items() if key.startswith("benchmarks.")]:
        for constant, value in getattr(other, "SMALL", {}).items():
            assert hasattr(other, constant), f"{other.__name__} has no constant {constant}"
            put(other, constant, value)
    put(sys, "argv", [name, *getattr(module, "SMALL_WORDS", ())])
    module.main()


def import_benchmark(name: str) -> ModuleType:
    """Import a benchmark: a module, or a package that is run."""
    name = f"benchmarks.{name}"
    spec = find_spec(name)
    is_package = spec is not None and spec.submodule_search_locations is not None
    return import_module(f"{name}.__main__" if is_package else name)


if __name__ == "__main__":
    for each in sys.argv[1:]:
        run_small(each)
