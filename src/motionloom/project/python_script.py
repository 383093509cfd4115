"""A clip of a project as a Python script."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import PurePath

from motionloom.files.endings import GLTF
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.evaluate_recipe import blend_options, registration_options
from motionloom.project.file_names import DRAWN, file_stems, printable_name, script_path
from motionloom.project.recipes import (
    BlendRecipe,
    EnforceRecipe,
    FileRecipe,
    FramespaceRecipe,
    JointKey,
    MotionRecipe,
    RegistrationOptions,
    TransitionRecipe,
    WarpRecipe,
)

HOMES = {
    "Marks": "motionloom.project.document",
    "EventMark": "motionloom.project.document",
    "PlantMark": "motionloom.project.document",
    "PolylineInterpolant": "motionloom.framespace",
    "check_fit": "motionloom.workflows",
    "frame_in_cycle": "motionloom.cycles.repeating",
    "make_motion": "motionloom.synthesis.options",
    "apply_marks": "motionloom.project.clip_edits",
    "part_weights": "motionloom.blending.layers",
    "plant_blend": "motionloom.workflows",
    "plant_transition": "motionloom.workflows",
    "render": "motionloom.display",
    "repeating": "motionloom.cycles.repeating",
    "replace": "dataclasses",
    "ensure_annotated": "motionloom.workflows",
    "scale_warp": "motionloom.warping",
}
"""Names that scripts use besides those of the package itself, and where they are imported from."""


def write_python(document: Document, id: str, output: str) -> str:
    """A Python script that makes the clip of an item and writes it to a file.

    It runs in the folder of the project.

    >>> from motionloom.project.edits import AddItem
    >>> walk = AddItem(name="walk", recipe=FileRecipe(path="clips/walk.bvh")).apply(Document())
    >>> print(write_python(walk, "c1", "walk.bvh"))
    # Makes walk.bvh. Run it in the folder of the project.
    <BLANKLINE>
    import motionloom as ml
    from motionloom.workflows import ensure_annotated
    <BLANKLINE>
    # walk
    walk = ml.load("clips/walk.bvh")
    walk = ensure_annotated(walk)
    <BLANKLINE>
    ml.save(walk, "walk.bvh", overwrite=True)
    <BLANKLINE>
    """
    names = _variables(document)
    blocks = []
    for item in document.needed(id):
        lines = _Statements(item, names).written()
        blocks.append("\n".join([f"# {printable_name(item.name)}", *lines]))
    blocks.append("\n".join(_saving(names[id], file_stems(document)[id], output)))
    head = f"# Makes {printable_name(output)}. Run it in the folder of the project.\n\n{_imports(blocks)}"
    return "\n\n".join([head, *blocks]) + "\n"


def _imports(blocks: Sequence[str]) -> str:
    """The imports of all names that statements use."""
    used = {word for block in blocks for word in re.findall(r"\w+", _without_texts(block))}
    homes: dict[str, list[str]] = {}
    for name, home in HOMES.items():
        if name in used:
            homes.setdefault(home, []).append(name)
    lines = [f"from {home} import {', '.join(sorted(homes[home]))}" for home in sorted(homes)]
    first = [f"{line}\n" for line in lines if line.startswith("from dataclasses")]
    rest = [line for line in lines if line.startswith("from motionloom")]
    return "\n".join([*first, "import motionloom as ml", *rest])


def _without_texts(block: str) -> str:
    """Statements without comments and texts, which may hold any word."""
    code = "\n".join(line for line in block.splitlines() if not line.startswith("#"))
    return re.sub(r"\"(\\.|[^\"\\])*\"|'(\\.|[^'\\])*'", "", code)


def _saving(name: str, stem: str, output: str) -> list[str]:
    ending = PurePath(output).suffix.lower()
    if ending in DRAWN:
        return [call("render", name, text_of(output), overwrite=True)]
    if ending in GLTF:
        return [call("ml.save", name, text_of(output), animation=stem, overwrite=True)]
    saved = call("ml.save", name, text_of(output), overwrite=True)
    if ending != ".npz":
        return [saved]
    # The format remembers where a clip came from: the file in which commands keep it.
    origin = f"replace({name}.source, path={text_of(script_path(stem))})"
    return [f"{name} = replace({name}, source={origin})", saved]


class _Statements:
    """The statements that make one item of those before it."""

    def __init__(self, item: Item, names: Mapping[str, str]) -> None:
        self.item, self.names, self.name = item, names, names[item.id]
        self.lines: list[str] = []

    def written(self) -> list[str]:
        recipe = self.item.recipe
        match recipe:
            case FileRecipe():
                self._set(call("ml.load", text_of(recipe.path)))
            case MotionRecipe():
                self._set(f"{call('make_motion', text_of(recipe.motion), value_of(recipe.options))}.clip")
            case BlendRecipe():
                self._blend(recipe)
            case TransitionRecipe():
                self._transition(recipe)
            case EnforceRecipe():
                stated = _stated(ground=recipe.ground, stretch=recipe.stretch)
                self._set(call("ml.enforce", f"ensure_annotated({self.names[recipe.source]})", **stated))
            case WarpRecipe():
                self._warp(recipe)
            case FramespaceRecipe():
                self._framespace(recipe)
        self._finish()
        return self.lines

    def _set(self, value: str) -> None:
        self.lines.append(f"{self.name} = {value}")

    def _sources(self, ids: Sequence[str]) -> str:
        return f"[{', '.join(self.names[id] for id in ids)}]"

    def _finish(self) -> None:
        """Edit, marks and plants."""
        edit, marks = self.item.edit, self.item.marks
        if edit != ClipEdit():
            trim = "" if edit.trim is None else f"[{edit.trim[0]}:{edit.trim[1] + 1}]"
            speed = "" if edit.speed is None else f".sped_up({edit.speed!r})"
            turned = ".reversed()" if edit.reverse else ""
            self._set(f"{self.name}{trim}{speed}{turned}{'.mirrored()' if edit.mirror else ''}")
        if marks is not None:
            self._set(call("apply_marks", self.name, call("Marks", **vars(marks))))
        elif isinstance(self.item.recipe, FileRecipe | MotionRecipe):
            self._set(f"ensure_annotated({self.name})")

    def _blend(self, recipe: BlendRecipe) -> None:
        clips, weights, stated = self._sources(recipe.sources), _weights(recipe), blend_options(recipe)
        if recipe.plant and not recipe.parts and recipe.registration == RegistrationOptions():
            unfit = {"allow_unfit": True} if recipe.even_if_unfit else {}
            self._set(f"{call('ml.mix', clips, weights, **unfit, **stated)}.clip")
            return
        self._register(clips, recipe)
        if recipe.parts:
            skeleton = "curve.clips[curve.reference].skeleton"
            self.lines.append(f"layers = {call('part_weights', skeleton, value_of(recipe.parts))}")
            stated["joint_weights"] = Code("layers")
        made = call("ml.blend", "curve", weights, **stated)
        if recipe.plant:
            self._set(made)
            made = call("plant_blend", self.name, "curve", "prepared")
        self._set(f"{made}.clip")

    def _register(self, clips: str, recipe: BlendRecipe) -> None:
        options = recipe.registration
        cut = {} if options.cut == "auto" else {"cut": options.cut}
        self.lines.append(f"prepared = {call('ml.prepare', clips, **cut)}")
        self.lines.append(f"curve = {call('prepared.register', **registration_options(options))}")
        if not recipe.even_if_unfit:
            self.lines.append("check_fit(curve)")

    def _transition(self, recipe: TransitionRecipe) -> None:
        clips = [f"ensure_annotated({self.names[id]})" for id in (recipe.first, recipe.second)]
        stated = _stated(at=recipe.at, half_width=recipe.half_width)
        if recipe.method != "registration":
            stated["method"] = recipe.method
        if recipe.loop:
            self.lines.append(f"one, two = {', '.join(f'repeating({clip})' for clip in clips)}")
            clips = ["one", "two"]
            stated["loop"] = True
            if recipe.at is not None:
                first, second = recipe.at
                stated["at"] = Code(f"(frame_in_cycle({first}, one), frame_in_cycle({second}, two))")
        made = call("ml.transition", *clips, **stated)
        self._set(f"plant_transition({made}).clip" if recipe.plant else f"{made}.clip")

    def _warp(self, recipe: WarpRecipe) -> None:
        source = self.names[recipe.source]
        if recipe.preset is not None:
            amount = [] if recipe.amount == 1.0 else [repr(recipe.amount)]
            self._set(call("ml.warp_preset", source, text_of(recipe.preset), *amount))
            return
        keys = listed([_key(key) for key in recipe.keys])
        times = [value_of(list(recipe.times))] if recipe.times else []
        made = call("ml.Warp.of", keys, *times)
        if recipe.amount != 1.0:
            made = call("scale_warp", source, made, repr(recipe.amount))
        kept = {"keep_plants": True} if recipe.keep_plants else {}
        self._set(call("ml.warp", source, made, **kept))

    def _framespace(self, recipe: FramespaceRecipe) -> None:
        decoupled = {"decoupled": True} if recipe.decoupled else {}
        self.lines.append(f"space = {call('ml.Framespace', self._sources(recipe.sources), **decoupled)}")
        stated: dict[str, object] = {"cycles": recipe.cycles}
        if recipe.upper is not None:
            stated["upper"] = Code(_curve(recipe.upper, recipe.polyline))
        if recipe.loop:
            stated["loop"] = True
        self._set(f"{call('space.blend', _curve(recipe.curve, recipe.polyline), **stated)}.clip")


def _weights(recipe: BlendRecipe) -> str:
    if not recipe.keys:
        return value_of(recipe.weights)
    keys = {key.time: key.weights for key in recipe.keys}
    easing = [] if recipe.easing == "smooth" else [text_of(recipe.easing)]
    return call("ml.KeyedWeights", value_of(keys), *easing)


def _key(key: JointKey) -> str:
    value = key.value[0] if key.kind == "scale" else key.value
    ease = {} if key.ease == JointKey.ease else {"ease": key.ease}
    return call("ml.Key", repr(key.time), text_of(key.joint), **{key.kind: value}, **ease)


def _curve(vertices: Sequence[Sequence[float]], polyline: bool) -> str:
    drawn = value_of(list(vertices))
    return f"PolylineInterpolant({drawn})" if polyline else drawn


def _stated(**choices: object) -> dict[str, object]:
    return {name: value for name, value in choices.items() if value is not None}


def _variables(document: Document) -> dict[str, str]:
    """A variable for each item, by its id."""
    taken = {
        *keyword.kwlist,
        *dir(builtins),
        *HOMES,
        "ml",
        "curve",
        "prepared",
        "layers",
        "space",
        "one",
        "two",
    }
    found: dict[str, str] = {}
    for item in document.items:
        name = re.sub(r"[^a-z0-9]+", "_", item.name.lower()).strip("_")
        if not name or name[0].isdigit():
            name = f"clip_{name}".rstrip("_")
        while name in taken:
            name = f"{name}_{item.id}"
        taken.add(name)
        found[item.id] = name
    return found


LONGEST_LINE = 100
"""Characters after which a call is written with one argument per line."""


class Code(str):
    """A value that is code already."""


def call(function: str, *arguments: str, **choices: object) -> str:
    """A call as code; arguments are code already, choices are values.

    >>> call("ml.load", text_of("walk.bvh"), fps=30)
    'ml.load("walk.bvh", fps=30)'
    """
    parts = [*arguments, *(f"{name}={value_of(value)}" for name, value in choices.items())]
    line = f"{function}({', '.join(parts)})"
    return line if len(line) <= LONGEST_LINE and "\n" not in line else f"{function}({_indented(parts)})"


def listed(entries: Sequence[str]) -> str:
    """Code of several values as code of a list of them."""
    return _enclosed("[", entries, "]")


def _indented(parts: Sequence[str]) -> str:
    inner = ",\n".join(parts).replace("\n", "\n    ")
    return f"\n    {inner},\n"


def value_of(value: object) -> str:
    """Plain data and dataclasses as code; code stays as it is.

    >>> value_of({"head": (1.0, 0.0)})
    '{"head": (1.0, 0.0)}'
    """
    if isinstance(value, Code):
        return str(value)
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, dict):
        entries = [f"{value_of(name)}: {value_of(entry)}" for name, entry in value.items()]
        return _enclosed("{", entries, "}")
    if isinstance(value, list):
        return _enclosed("[", [value_of(entry) for entry in value], "]")
    if isinstance(value, tuple):
        return _enclosed("(", [value_of(entry) for entry in value], ",)" if len(value) == 1 else ")")
    if is_dataclass(value) and not isinstance(value, type):
        stated = {field.name: getattr(value, field.name) for field in fields(value)}
        usual = {field.name: field.default for field in fields(value)}
        return call(type(value).__name__, **{n: v for n, v in stated.items() if v != usual[n]})
    return repr(value)


def _enclosed(opening: str, entries: Sequence[str], closing: str) -> str:
    line = f"{opening}{', '.join(entries)}{closing}"
    if len(line) <= LONGEST_LINE and "\n" not in line:
        return line
    return f"{opening}{_indented(entries)}{closing[-1]}"


def text_of(words: str) -> str:
    """A text as code, in double quotes where that is as short."""
    plain = repr(words)
    return f'"{plain[1:-1]}"' if plain[0] == "'" and '"' not in plain else plain
