"""How many files one has to open: those that run in one warm call, and those with a single importer.

python -m benchmarks.footprint            the figures
python -m benchmarks.footprint register   the files of one call, by name

`tests/benchmarks/test_footprint.py` holds them to :data:`CEILINGS`.
"""

from __future__ import annotations

import ast
import sys
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import FrameType

import motionloom as ml
from motionloom.project.document import Document, Item
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import BlendRecipe, MotionRecipe
from motionloom.synthesis import jog, walk

SOURCE = Path(ml.__file__).parent

CEILINGS = {
    "register": 42,
    "blend": 25,
    "enforce": 38,
    "transition": 79,
    "mix": 83,
    "studio blend": 111,
    "studio slider": 67,
}
"""Files that run in one warm call of each at most. A change that needs more of them has to be worth it."""


def files_run(call: Callable[[], object]) -> list[str]:
    """Files under the package whose functions run while a call is made that was made before."""
    call()
    seen: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    inside = (Path(name) for name in seen)
    return sorted(str(path.relative_to(SOURCE)) for path in inside if path.is_relative_to(SOURCE))


def calls() -> dict[str, Callable[[], object]]:
    """The calls that are followed, by name."""
    walking = ml.annotate(walk(duration=4.0, fps=30).clip)
    jogging = ml.annotate(jog(duration=3.0, phase=0.4, fps=30).clip)
    strides = ml.match_strides([walking, jogging])
    curve = ml.register(strides)
    half = ml.blend(curve, [0.5, 0.5]).clip
    return {
        "register": lambda: ml.register(strides),
        "blend": lambda: ml.blend(curve, [0.5, 0.5]),
        "enforce": lambda: ml.enforce(half),
        "transition": lambda: ml.transition(walking, jogging),
        "mix": lambda: ml.mix([walking, jogging], [0.5, 0.5]),
        "studio blend": _studio_blend,
        "studio slider": _studio_slider(),
    }


def _studio_blend() -> object:
    """Evaluate a blend of two built-in gaits as the studio does, with nothing kept from before."""
    return Evaluator(ProjectFolder("nowhere")).evaluate(_blend_document(), "c3")


def _studio_slider() -> Callable[[], object]:
    """Return what the studio does when the slider of a blend is moved: other weights of the same clips."""
    document, evaluator, places = _blend_document(), Evaluator(ProjectFolder("nowhere")), count(1)

    def move() -> object:
        weight = 0.5 + 0.01 * next(places)
        blend = document.items[-1]
        assert isinstance(blend.recipe, BlendRecipe)
        moved = replace(blend, recipe=replace(blend.recipe, weights=(1.0 - weight, weight)))
        return evaluator.evaluate(replace(document, items=(*document.items[:-1], moved)), "c3")

    return move


def _blend_document() -> Document:
    """Return a document with two built-in gaits and their blend."""
    items = [
        Item(id=f"c{n}", name=name, recipe=MotionRecipe(motion=name, options={"fps": 30.0}))
        for n, name in enumerate(("walk", "jog"), start=1)
    ]
    recipe = BlendRecipe(sources=("c1", "c2"), weights=(0.5, 0.5))
    return Document(items=(*items, Item(id="c3", name="half", recipe=recipe)), next_number=4)


def importers() -> dict[str, set[str]]:
    """For each module of the package, the modules that import it; packages' own lists of names apart."""
    found: dict[str, set[str]] = defaultdict(set)
    names = {
        ".".join(("motionloom", *path.relative_to(SOURCE).with_suffix("").parts)): path
        for path in SOURCE.rglob("*.py")
    }
    for name, path in names.items():
        if path.name == "__init__.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for imported in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                    if imported in names:
                        found[imported].add(name)
    return found


def main() -> None:
    """Print the figures."""
    wanted = " ".join(sys.argv[1:])
    for name, call in calls().items():
        files = files_run(call)
        if wanted == name:
            print("\n".join(files))
        elif not wanted:
            print(f"{name:>14}: {len(files):3} files run in one warm call, {CEILINGS[name]} at most")
    if wanted:
        return
    modules = [path for path in SOURCE.rglob("*.py") if path.name != "__init__.py"]
    single = [name for name, users in importers().items() if len(users) == 1]
    print(f"files in all: {len(list(SOURCE.rglob('*.py')))} ({len(modules)} beside __init__.py)")
    print(f"imported by a single other file: {len(single)}")


if __name__ == "__main__":
    main()
