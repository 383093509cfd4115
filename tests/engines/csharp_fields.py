"""Classes of scripts for Unity, and whether data fills them.

Unity's reader of JSON leaves a field empty, without a word, that is named otherwise or of another type.
"""

from __future__ import annotations

import re
from typing import Any

Classes = dict[str, dict[str, str]]
"""Name of a class -> its fields -> their types."""


def find_classes(code: str) -> Classes:
    """The serializable classes of a script."""
    return {
        name: {field: kind for kind, field in re.findall(r"public (\w+(?:\[\])?) (\w+);", body)}
        for name, body in re.findall(r"\[(?:System\.)?Serializable\] class (\w+) \{(.*?)\}", code)
    }


def fits(value: Any, kind: str, classes: Classes) -> bool:
    """Whether a value of JSON fills a type."""
    if kind.endswith("[]"):
        return isinstance(value, list) and all(fits(each, kind[:-2], classes) for each in value)
    if kind in classes:
        return all(fits(value[name], of, classes) for name, of in classes[kind].items())
    types: dict[str, tuple[type, ...]] = {"string": (str,), "bool": (bool,), "float": (int, float)}
    return isinstance(value, types[kind])
