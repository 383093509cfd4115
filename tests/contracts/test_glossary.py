"""Names and texts use the field's words: the scan that keeps a private dialect from coming back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "motionloom"

WORDS = {
    "turns": "rotations, yaws",
    "places": "positions",
    "way": "transform, offset, path",
    "ways": "transforms, offsets, paths",
    "share": "fraction",
    "shares": "fractions",
    "most": "max",
    "least": "min",
    "longest": "max",
    "shortest": "min",
    "fastest": "max",
    "slowest": "min",
    "largest": "max",
    "smallest": "min",
    "farthest": "max",
    "settle": "regularize",
    "settled": "regularized",
    "settling": "regularize",
    "findings": "stats",
    "course": "placement",
    "courses": "placements",
    "laid": "place",
    "made": "result",
    "wish": "request",
    "wishes": "requests",
    "used": "unrolled",
    "middle": "segment, mean",
    "going": "speed_and_turn",
    "strung": "chain",
    "stringing": "chain",
    "ready": "preset, prepared",
    "family": "presets",
    "endings": "formats, suffixes",
    "keeping": "store",
    "aside": "background",
    "heads": "responses",
    "problems": "errors",
    "spoken": "describe",
    "told": "report",
    "whom": "name the thing",
    "likeness": "similarity",
    "nearness": "proximity",
    "strange": "unknown, unsafe",
    "goodbye": "shutdown",
}
"""Words that no identifier holds, and what to say instead."""

FILE_NAMES = (
    "pipeline",
    "making",
    "checks",
    "heads",
    "problems",
    "standard",
    "utils",
    "helpers",
    "common",
    "misc",
)
"""File names that tell nobody what is inside."""

ALLOWED: dict[str, str] = {}
"""Identifiers in which such a word is the right one, with the reason."""

NOT_PARTICIPLES = {
    "biped",
    "speed",
    "seed",
    "feed",
    "need",
    "embed",
    "fixed",
    "shared",
    "weighted",
    "signed",
    "windowed",
    "mixed",
}
"""First words of function names that end like a participle but are none, or are adjectives of the field."""

IRREGULAR = {
    *("begun", "bent", "brought", "built", "chosen", "drawn", "found", "frozen", "given", "grown", "held"),
    *("hidden", "kept", "known", "laid", "made", "met", "rewritten", "sent", "shown", "spoken", "strung"),
    *("taken", "told", "written"),
}

COPY_METHODS = {
    *(
        "arranged",
        "inverted",
        "mirrored",
        "moved",
        "placed",
        "replaced",
        "resampled",
        "retimed",
        "reversed",
        "scaled",
    ),
    "sped_up",
}
"""Methods that return a changed copy of their object keep the participle."""

PHRASES = {
    "must be a text": "must be a string",
    "go over from": "transition from",
    "goes over to": "transitions to",
    "ready-made": "preset",
    "even if unfit": "allow unfit",
    "let the feet go": "turn planting off",
    "in their midst": "in the middle",
    "whatever exporter": "every common exporter",
    "as they should fall": "consistent with gravity",
    "looked at, cut, blended, mended": "view, trim, blend and clean up",
    "unless stated": "by default",
    "what a joint counts": "joint weight",
    "go over to": "transition to",
    "figure of sticks": "stick figure",
    "way of rotating": "rotation mode",
    "ways of rotating": "rotation modes",
}
"""Phrases of texts for people that are literal translations, and plain English for them."""

TEXTS = (
    *("README.md", "CONTRIBUTING.md"),
    *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")) if path.name != "results.md"),
)


def split_words(name: str) -> list[str]:
    """The words of an identifier, in lower case."""
    return [word for word in re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_") if word]


def defined_names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every name that a file gives to something: functions, classes, parameters, variables, attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node.lineno
            case ast.arg():
                yield node.arg, node.lineno
            case ast.Name(ctx=ast.Store()):
                yield node.id, node.lineno
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr, node.lineno


def is_participle(name: str) -> bool:
    words = split_words(name)
    if not words:
        return False
    return words[0] in IRREGULAR or (words[0].endswith("ed") and words[0] not in NOT_PARTICIPLES)


def functions(tree: ast.AST) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, bool]]:
    """Every function that is not a property, and whether it is a method."""
    for parent in ast.walk(tree):
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
                if not decorators & {"property", "cached_property"}:
                    yield node, isinstance(parent, ast.ClassDef)


def dialect(tree: ast.AST) -> Iterator[str]:
    """What a file says in words of its own, with the line and the word to use."""
    for name, line in defined_names(tree):
        for word in split_words(name):
            if word in WORDS and name not in ALLOWED:
                yield f"line {line}: {name}: say {WORDS[word]}, not {word}"
    for node, is_method in functions(tree):
        if is_participle(node.name) and not (is_method and node.name in COPY_METHODS):
            yield f"line {node.lineno}: {node.name}: functions are verbs"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("turns = 1", "say rotations, yaws, not turns"),
        ("def f(share): pass", "say fraction, not share"),
        ("MOST_CELLS = 4", "say max, not most"),
        ("class MadeClip: pass", "say result, not made"),
        ("def fitted(): pass", "functions are verbs"),
        ("class A:\n def _kept(self): pass", "functions are verbs"),
    ],
)
def test_the_scan_finds_the_dialect(code: str, message: str) -> None:
    assert any(message in finding for finding in dialect(ast.parse(code)))


@pytest.mark.parametrize(
    "code", ["rotations = 1", "class Clip:\n def mirrored(self): pass", "def seed_walk(): pass", "almost = 1"]
)
def test_the_scan_leaves_plain_names_alone(code: str) -> None:
    assert list(dialect(ast.parse(code))) == []


ROOMS = sorted(
    path.name for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
)


@pytest.mark.parametrize("room", ROOMS)
def test_names_are_the_fields_words(room: str) -> None:
    top = SOURCE / room
    found = [
        f"{path.relative_to(ROOT)}, {finding}"
        for path in sorted([top] if top.is_file() else top.rglob("*.py"))
        for finding in dialect(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_files_are_named_after_what_they_give() -> None:
    names = [
        path
        for path in SOURCE.rglob("*.py")
        if path.stem in FILE_NAMES or set(split_words(path.stem)) & WORDS.keys()
    ]
    assert names == []


def texts_for_people() -> Iterator[tuple[str, str]]:
    """Pages that users read, and every string of the package: messages, help and docstrings."""
    for name in TEXTS:
        yield name, (ROOT / name).read_text(encoding="utf-8")
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield f"{path.relative_to(ROOT)}, line {node.lineno}", node.value


def test_texts_are_plain_english() -> None:
    found = [
        f"{where}: say {better!r}, not {phrase!r}"
        for where, text in texts_for_people()
        for phrase, better in PHRASES.items()
        if phrase in " ".join(text.lower().split())
    ]
    assert found == []


def test_one_type_has_one_name() -> None:
    homes: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(path.relative_to(SOURCE).as_posix())
    twice = {name: paths for name, paths in homes.items() if len(paths) > 1}
    assert twice == {}
