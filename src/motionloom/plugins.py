"""Plugins: what other installed packages add through entry points.

A package adds something by naming it in its ``pyproject.toml``, for example::

    [project.entry-points."motionloom.measures"]
    sway = "my_package:measure_sway"
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TypeVar

from motionloom.errors import PluginWarning

T = TypeVar("T")


def load_plugins(group: str, check: Callable[[object], T]) -> dict[str, T]:
    """Load every plugin of an entry-point group, sorted by name.

    A plugin that cannot be imported or is refused is reported with a :class:`PluginWarning` that names it,
    and skipped: one broken package must not stop the others.

    Parameters
    ----------
    group
        The entry-point group, such as ``"motionloom.measures"``.
    check
        Takes the loaded object and returns the plugin, or raises an error that says what is wrong with it.

    >>> load_plugins("motionloom.no_such_group", check=str)
    {}
    """
    from importlib.metadata import entry_points

    plugins: dict[str, T] = {}
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        try:
            plugins[entry.name] = check(entry.load())
        except Exception as error:
            warnings.warn(
                f"skipped the plugin {entry.name!r} ({entry.value}, group {group!r}): "
                f"{type(error).__name__}: {error}",
                PluginWarning,
                stacklevel=2,
            )
    return plugins
