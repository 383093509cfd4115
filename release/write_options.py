"""Write what follows from the declarations of options: wire types, fields of the page, tables of the docs.

``python -m release.write_options`` writes the files anew; ``tests/contracts/test_options.py`` compares them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

from motionloom.options import Option, Table
from motionloom.options.forms import FORMS, TABLES, RecipeForm
from motionloom.options.option import Kind

ROOT = Path(__file__).parents[1]
FIELDS = ROOT / "src" / "motionloom" / "project" / "recipes" / "option_fields.py"
PAGE = ROOT / "studio" / "client" / "src" / "core" / "options.ts"

WIRE = {
    "flag": "bool",
    "count": "int",
    "number": "float",
    "labels": "tuple[str, ...]",
    "factors": "dict[str, float]",
    "rows": "dict[str, tuple[float, ...]]",
    "frames": "tuple[float, ...]",
    "pins": "tuple[tuple[float, ...], ...]",
    "pair": "tuple[float, float]",
    "pairs": "tuple[tuple[float, float], ...]",
    "placement": "tuple[float, float, float]",
}
"""Types of fields in projects, by what values look like; words go beside them."""

ENTRIES = {
    "labels": "(MAX_NAMES,)",
    "factors": "(MAX_NAMES,)",
    "rows": "(MAX_NAMES, MAX_SOURCES)",
    "frames": "(MAX_SOURCES,)",
    "pins": "(MAX_VERTICES, MAX_SOURCES)",
    "pairs": "(MAX_VERTICES, 2)",
}
"""How many entries lists of these kinds may have, and lists in them."""

MAX_LINE = 110

MAX_SHOWN = 1000
"""Bounds that are shown at most."""

NOTE = "Written by `python -m release.write_options`; change `motionloom/options`, not this file."

TABLE = re.compile(r"(?<=<!-- options: )(\w+)( -->\n).*?(?=<!-- end of options -->)", re.DOTALL)


def write_fields() -> str:
    """Write the module with the options of recipes as dataclasses."""
    body = "\n\n\n".join(_dataclass(form) for form in FORMS)
    keys = [name for name in ("FORMERLY", "MAX_ENTRIES") if name in body]
    limits = [name for name in ("MAX_NAMES", "MAX_SOURCES", "MAX_VERTICES") if name in body]
    head = [
        f'"""Options as fields of recipes.\n\n{NOTE}\n"""',
        "",
        "from __future__ import annotations",
        "",
        "from dataclasses import dataclass, field",
        "from typing import Literal",
        "",
        f"from motionloom.project.plain_data import {', '.join(keys)}",
        f"from motionloom.project.recipes.recipe import {', '.join(limits)}",
    ]
    return "\n".join(head) + "\n\n\n" + body + "\n"


def _dataclass(form: RecipeForm) -> str:
    head = f'@dataclass(frozen=True, kw_only=True)\nclass {form.name}Fields:\n    """{form.summary}"""\n'
    return "\n".join([head, *map(_write_field, form.table)])


def _write_field(option: Option) -> str:
    """Write a field with its default; the length of lists and the name of version 0.1 are metadata."""
    default = repr(option.empty).replace("'", '"')
    entries = {"FORMERLY": json.dumps(option.formerly)} if option.formerly else {}
    if option.kind in ENTRIES:
        entries["MAX_ENTRIES"] = ENTRIES[option.kind]
    left = f"    {option.name}: {wire_type(option)} = "
    if not entries:
        return left + default
    metadata = ", ".join(f"{name}: {value}" for name, value in entries.items())
    inner = f"default={default}, metadata={{{metadata}}}"
    line = f"{left}field({inner})"
    return line if len(line) <= MAX_LINE else f"{left}field(\n        {inner}\n    )"


def wire_type(option: Option) -> str:
    """Return the type of the field of an option in projects."""
    words = (
        f"Literal[{', '.join(f'{chr(34)}{word}{chr(34)}' for word in option.words)}]" if option.words else ""
    )
    members = [words] if option.kind == "choice" else [WIRE[option.kind], words]
    none = "None" if option.empty is None else ""
    return option.wire or " | ".join(filter(None, [*members, none]))


def write_page() -> str:
    """Write the module of the page with form fields and defaults."""
    blocks = [_PAGE_HEAD]
    for form in FORMS:
        name = form.name.upper()
        fields = [_field(option, form) for option in form.table if not option.section]
        defaults = {option.name: option.empty for option in form.table}
        rows = "".join(f"  {json.dumps(field, ensure_ascii=False)},\n" for field in fields)
        blocks.append(f"export const {name}_FIELDS: readonly OptionField[] = [\n{rows}];\n")
        filled = f"{json.dumps(defaults, indent=2)} satisfies Partial<{form.recipe}>"
        blocks.append(f"export const {name}_DEFAULTS = {filled};\n")
    types = ", ".join(sorted(form.recipe for form in FORMS))
    return "\n".join([f"// {NOTE}\n", f'import type {{ {types} }} from "./messages";\n', *blocks])


_PAGE_HEAD = """/** A field of a form: an option as it is declared. */
export interface OptionField {
  name: string;
  kind: __KINDS__;
  label: string;
  help: string;
  /** What an empty field stands for. */
  usual: string;
  /** Whether few people need it. */
  folded: boolean;
  /** The value of a field that nobody filled in; null leaves the choice to the library. */
  default: unknown;
  /** Whether the default is null. */
  optional: boolean;
  /** Words that are values, each with its label. */
  words: Record<string, string>;
  min: number | null;
  max: number | null;
  step: number | null;
}
""".replace("__KINDS__", " | ".join(f'"{kind}"' for kind in get_args(Kind)))


def _field(option: Option, form: RecipeForm) -> dict[str, Any]:
    unit = {"seconds": " (s)", "metres": " (m)"}.get(option.unit, "")
    labels = option.labels or {word: word for word in option.words}
    low = option.min if option.above is None else option.step or option.above
    if option.kind == "count" and low is None:
        low = 1
    return {
        "name": option.name,
        "kind": option.kind,
        "label": option.label + unit,
        "help": option.help,
        "usual": labels.get(option.usual, option.usual),
        "folded": option.folded,
        "default": option.empty,
        "optional": option.empty is None,
        "words": dict(labels),
        "min": low,
        "max": option.max,
        "step": option.step if option.step is not None else 1 if option.kind == "count" else None,
    }


def write_tables(text: str) -> str:
    """Return a page of the documentation with its tables of options as they are declared."""
    return TABLE.sub(lambda found: f"{found[1]}{found[2]}{_table(TABLES[found[1]])}", text)


def _table(table: Table) -> str:
    lines = ["| option | meaning | values | default |", "| --- | --- | --- | --- |"]
    lines += [
        f"| `{option.name}` | {option.help.removesuffix('.')} | {_values(option)} | {_default(option)} |"
        for option in table
    ]
    return "\n".join(lines) + "\n"


def _values(option: Option) -> str:
    words = [f'`"{word}"`' for word in option.words]
    shapes = {
        "flag": "true or false",
        "labels": "labels",
        "factors": "joint name → factor",
        "rows": "name → one weight per clip",
        "frames": "one frame per clip",
        "pins": "one frame per clip each",
        "pair": "two numbers",
        "pairs": "pairs of seconds",
        "placement": "a `GroundTransform`",
    }
    number = _range(option) if option.kind in ("count", "number") else shapes.get(option.kind, "")
    return " or ".join(filter(None, [", ".join(words), number]))


def _range(option: Option) -> str:
    noun = "whole number" if option.kind == "count" else "number"
    low = 1 if option.kind == "count" and option.min is None else option.min
    unit = f" {option.unit}" if option.unit else ""
    if option.above is not None:
        bounds = f" above {option.above:g}"
    else:
        bounds = "" if low is None else f" from {low:g}"
    # Bounds that only keep out nonsense say nothing.
    high = "" if option.max is None or option.max > MAX_SHOWN else f" to {option.max:g}"
    return f"{noun}{bounds}{high}{unit}"


def _default(option: Option) -> str:
    if option.kind == "flag":
        return "true" if option.default else "false"
    return option.usual or "none"


def documents() -> list[Path]:
    """Return the pages of the documentation that hold tables of options."""
    return [page for page in sorted((ROOT / "docs").glob("*.md")) if TABLE.search(page.read_text("utf-8"))]


def main() -> None:
    """Write all files anew."""
    FIELDS.write_text(write_fields(), encoding="utf-8")
    PAGE.write_text(write_page(), encoding="utf-8")
    for page in documents():
        page.write_text(write_tables(page.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
