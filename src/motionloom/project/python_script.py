"""A clip of a project as a Python script."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import PurePath

from motionloom.files.formats import formats_of
from motionloom.project.clip_edits import check_own_frames
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.evaluate_recipe import (
    blend_options,
    registration_options,
    sequence_options,
    transition_options,
)
from motionloom.project.export_settings import AS_IT_IS, ExportSettings
from motionloom.project.folder import DRAWN, file_stems, printable_name, script_path
from motionloom.project.recipes import (
    BlendRecipe,
    CopyRecipe,
    EnforceRecipe,
    FileRecipe,
    FramespaceRecipe,
    JointKey,
    LoopRecipe,
    MotionRecipe,
    RegistrationRecipe,
    RetargetRecipe,
    SequenceRecipe,
    TransitionRecipe,
    WarpRecipe,
)

HOMES = {
    "Marks": "motionloom.project.document",
    "EventMark": "motionloom.project.document",
    "PlantMark": "motionloom.project.document",
    "PolylineInterpolant": "motionloom.framespace",
    "check_fit": "motionloom.workflows",
    "frame_in_cycle": "motionloom.cycles.cyclify",
    "try_cyclify": "motionloom.cycles.cyclify",
    "make_motion": "motionloom.synthesis.motions",
    "apply_marks": "motionloom.project.clip_edits",
    "plant_blend": "motionloom.workflows",
    "plant_transition": "motionloom.workflows",
    "put_blend_in_place": "motionloom.blending.result",
    "render": "motionloom.display",
    "replace": "dataclasses",
    "ensure_annotated": "motionloom.workflows",
    "scale_warp": "motionloom.warping",
    "warp_from_text": "motionloom.warping.warp_file",
}
"""Names that scripts use besides those of the package itself, and where they are imported from."""


def write_python(document: Document, id: str, output: str, settings: ExportSettings = AS_IT_IS) -> str:
    """Write a Python script that makes the clip of an item and saves it to a file.

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
    for item in document.with_sources(id):
        lines = _Statements(item, names).write()
        blocks.append("\n".join([f"# {printable_name(item.name)}", *lines]))
    blocks.append("\n".join(_saving(names[id], file_stems(document)[id], output, settings)))
    head = f"# Makes {printable_name(output)}. Run it in the folder of the project.\n\n{_imports(blocks)}"
    return "\n\n".join([head, *blocks]) + "\n"


def _imports(blocks: Sequence[str]) -> str:
    """Write the imports of all names that the statements mention."""
    names_in_code = {word for block in blocks for word in re.findall(r"\w+", _without_texts(block))}
    homes: dict[str, list[str]] = {}
    for name, home in HOMES.items():
        if name in names_in_code:
            homes.setdefault(home, []).append(name)
    lines = [f"from {home} import {', '.join(sorted(homes[home]))}" for home in sorted(homes)]
    first = [f"{line}\n" for line in lines if line.startswith("from dataclasses")]
    rest = [line for line in lines if line.startswith("from motionloom")]
    return "\n".join([*first, "import motionloom as ml", *rest])


def _without_texts(block: str) -> str:
    """Return statements without comments and strings, which may hold any word."""
    code = "\n".join(line for line in block.splitlines() if not line.startswith("#"))
    return re.sub(r"\"(\\.|[^\"\\])*\"|'(\\.|[^'\\])*'", "", code)


def _saving(name: str, stem: str, output: str, settings: ExportSettings) -> list[str]:
    ending = PurePath(output).suffix.lower()
    part = "" if settings.frames is None else f"[{settings.frames[0]}:{settings.frames[1] + 1}]"
    is_resampled = settings.fps is not None and ending not in DRAWN
    part += f".resampled({settings.fps!r})" if is_resampled else ""
    cut = [f"{name} = {name}{part}"] if part else []
    given = settings.save_options(ending)
    if ending in DRAWN:
        return [*cut, write_call("render", name, write_string(output), **given, overwrite=True)]
    if any("animation" in format.write_options for format in formats_of(ending)):
        named = write_call("ml.save", name, write_string(output), **given, animation=stem, overwrite=True)
        return [*cut, named]
    saved = write_call("ml.save", name, write_string(output), **given, overwrite=True)
    if ending != ".npz":
        return [*cut, saved]
    # The format remembers where a clip came from: the file in which commands keep it.
    origin = f"replace({name}.source, path={write_string(script_path(stem))})"
    return [*cut, f"{name} = replace({name}, source={origin})", saved]


class _Statements:
    """The statements that make one item of those before it."""

    def __init__(self, item: Item, names: Mapping[str, str]) -> None:
        self.item, self.names, self.name = item, names, names[item.id]
        self.lines: list[str] = []

    def write(self) -> list[str]:
        recipe = self.item.recipe
        match recipe:
            case FileRecipe():
                self._set(write_call("ml.load", write_string(recipe.path)))
            case MotionRecipe():
                motion, options = write_string(recipe.motion), write_value(recipe.options)
                self._set(f"{write_call('make_motion', motion, options)}.clip")
            case BlendRecipe():
                self._blend(recipe)
            case TransitionRecipe():
                self._transition(recipe)
            case EnforceRecipe():
                stated = _drop_none(ground=recipe.ground, stretch=recipe.stretch)
                source = f"ensure_annotated({self.names[recipe.source]})"
                self._set(f"{write_call('ml.enforce', source, **stated)}.clip")
            case LoopRecipe():
                stated = _drop_none(near=recipe.near, cycles=recipe.cycles)
                self._set(f"{write_call('ml.cyclify', self.names[recipe.source], **stated)}.clip")
            case WarpRecipe():
                self._warp(recipe)
            case FramespaceRecipe():
                self._framespace(recipe)
            case SequenceRecipe():
                clips = write_list([f"ensure_annotated({self.names[id]})" for id in recipe.sources])
                self._set(f"{write_call('ml.concatenate', clips, **sequence_options(recipe))}.clip")
            case CopyRecipe():
                place = "" if recipe.place is None else f".placed(ml.GroundTransform{recipe.place!r})"
                rate = "" if recipe.fps is None else f".resampled({recipe.fps!r})"
                self._set(f"{self.names[recipe.source]}{place}{rate}")
            case RetargetRecipe():
                self._retarget(recipe)
        self._finish()
        return self.lines

    def _set(self, value: str) -> None:
        self.lines.append(f"{self.name} = {value}")

    def _sources(self, ids: Sequence[str]) -> str:
        return f"[{', '.join(self.names[id] for id in ids)}]"

    def _finish(self) -> None:
        """Edit, marks and plants."""
        edit, marks = self.item.edit, self.item.marks
        if edit.repair:
            self._set(f"{write_call('ml.repair', self.name)}.clip")
        if edit.smooth is not None:
            self._set(f"{write_call('ml.smooth', self.name, cutoff=edit.smooth)}.clip")
        if edit != ClipEdit():
            trim = "" if edit.trim is None else f"[{edit.trim[0]}:{edit.trim[1] + 1}]"
            speed = "" if edit.speed is None else f".sped_up({edit.speed!r})"
            turned = ".reversed()" if edit.reverse else ""
            self._set(f"{self.name}{trim}{speed}{turned}{'.mirrored()' if edit.mirror else ''}")
        if edit.root_motion is not None:
            self._set(write_call("ml.move_root_motion", self.name, repr(edit.root_motion)))
        if edit.travel is not None:
            change = "ml.recover_travel" if edit.travel == "recover" else "ml.put_in_place"
            self._set(f"{write_call(change, self.name)}.clip")
        if marks is not None:
            check_own_frames(marks)
            self._set(write_call("apply_marks", self.name, write_value(marks)))
        elif isinstance(self.item.recipe, FileRecipe | MotionRecipe):
            self._set(f"ensure_annotated({self.name})")

    def _blend(self, recipe: BlendRecipe) -> None:
        clips, weights, stated = self._sources(recipe.sources), _weights(recipe), blend_options(recipe)
        if recipe.plant and not recipe.parts and recipe.registration == RegistrationRecipe():
            allow = {"allow_unfit": True} if recipe.allow_unfit else {}
            allow |= {"in_place": True} if recipe.in_place else {}
            self._set(f"{write_call('ml.mix', clips, weights, **allow, **stated)}.clip")
            return
        self._register(clips, recipe)
        if recipe.parts:
            skeleton = "curve.clips[curve.reference].skeleton"
            self.lines.append(
                f"layers = {write_call('ml.part_weights', skeleton, write_value(recipe.parts))}"
            )
            stated["joint_weights"] = Code("layers")
        expression = write_call("ml.blend", "curve", weights, **stated)
        if recipe.plant:
            self._set(expression)
            expression = write_call("plant_blend", self.name, "curve", "prepared")
        if recipe.in_place:
            expression = write_call("put_blend_in_place", expression)
        self._set(f"{expression}.clip")

    def _register(self, clips: str, recipe: BlendRecipe) -> None:
        options = recipe.registration
        cut = {} if options.cut == "auto" else {"cut": options.cut}
        self.lines.append(f"prepared = {write_call('ml.prepare', clips, **cut)}")
        self.lines.append(f"curve = {write_call('prepared.register', **registration_options(options))}")
        if not recipe.allow_unfit:
            self.lines.append("check_fit(curve)")

    def _transition(self, recipe: TransitionRecipe) -> None:
        clips = [f"ensure_annotated({self.names[id]})" for id in (recipe.first, recipe.second)]
        stated = _drop_none(at=recipe.at, half_width=recipe.half_width)
        if recipe.method != "registration":
            stated["method"] = recipe.method
        stated |= transition_options(recipe)
        if recipe.loop:
            self.lines.append(f"first, second = {', '.join(clips)}")
            self.lines.append("one, two = try_cyclify(first).clip, try_cyclify(second).clip")
            clips = ["one", "two"]
            stated["loop"] = True
            if recipe.at is not None:
                a, b = recipe.at
                frames = f"frame_in_cycle({a}, first, one), frame_in_cycle({b}, second, two)"
                stated["at"] = Code(f"({frames})")
        expression = write_call("ml.transition", *clips, **stated)
        self._set(f"plant_transition({expression}).clip" if recipe.plant else f"{expression}.clip")

    def _warp(self, recipe: WarpRecipe) -> None:
        source = self.names[recipe.source]
        if recipe.preset is not None:
            amount = [] if recipe.amount == 1.0 else [repr(recipe.amount)]
            named = write_call("ml.warp_preset", source, write_string(recipe.preset), *amount)
            self._set(f"{named}.clip")
            return
        keys = write_list([_key(key) for key in recipe.keys])
        times = [write_value(list(recipe.times))] if recipe.times else []
        expression = write_call("ml.Warp.of", keys, *times)
        if recipe.saved is not None:
            saved = write_call("warp_from_text", write_string(recipe.saved))
            expression = f"{saved} + {expression}" if recipe.keys or recipe.times else saved
        if recipe.amount != 1.0:
            expression = write_call("scale_warp", source, expression, repr(recipe.amount))
        kept = {"keep_plants": True} if recipe.keep_plants else {}
        self._set(f"{write_call('ml.warp', source, expression, **kept)}.clip")

    def _retarget(self, recipe: RetargetRecipe) -> None:
        source = f"ensure_annotated({self.names[recipe.source]})"
        target = (
            self.names[recipe.to] if recipe.to else write_call("ml.load", write_string(recipe.path or ""))
        )
        stated: dict[str, object] = {} if recipe.plant else {"plant": False}
        if recipe.joint_map:
            self.lines.append(f"source, target = {source}, {target}")
            source, target = "source", "target"
            corrections = write_value(recipe.joint_map)
            stated["mapping"] = Code(f"ml.joint_mapping(source, target).redriven({corrections})")
        self._set(f"{write_call('ml.retarget', source, target, **stated)}.clip")

    def _framespace(self, recipe: FramespaceRecipe) -> None:
        decoupled = {"decoupled": True} if recipe.decoupled else {}
        self.lines.append(
            f"space = {write_call('ml.Framespace', self._sources(recipe.sources), **decoupled)}"
        )
        stated: dict[str, object] = {"cycles": recipe.cycles}
        if recipe.upper is not None:
            stated["upper"] = Code(_curve(recipe.upper, recipe.polyline))
        if recipe.loop:
            stated["loop"] = True
        self._set(f"{write_call('space.blend', _curve(recipe.curve, recipe.polyline), **stated)}.clip")


def _weights(recipe: BlendRecipe) -> str:
    if not recipe.keys:
        return write_value(recipe.weights)
    keys = {key.time: key.weights for key in recipe.keys}
    easing = [] if recipe.easing == "smooth" else [write_string(recipe.easing)]
    return write_call("ml.KeyedWeights", write_value(keys), *easing)


def _key(key: JointKey) -> str:
    value = key.value[0] if key.kind == "scale" else key.value
    ease = {} if key.ease == JointKey.ease else {"ease": key.ease}
    return write_call("ml.Key", repr(key.time), write_string(key.joint), **{key.kind: value}, **ease)


def _curve(vertices: Sequence[Sequence[float]], polyline: bool) -> str:
    drawn = write_value(list(vertices))
    return f"PolylineInterpolant({drawn})" if polyline else drawn


def _drop_none(**choices: object) -> dict[str, object]:
    return {name: value for name, value in choices.items() if value is not None}


def _variables(document: Document) -> dict[str, str]:
    """Choose a variable name for each item, by id."""
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
        "source",
        "target",
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


MAX_LINE = 100
"""Characters after which a call is written with one argument per line."""


class Code(str):
    """A value that is code already."""


def write_call(function: str, *arguments: str, **choices: object) -> str:
    """Write a call as code; arguments are code already, keywords are values.

    >>> write_call("ml.load", write_string("walk.bvh"), fps=30)
    'ml.load("walk.bvh", fps=30)'
    """
    parts = [*arguments, *(f"{name}={write_value(value)}" for name, value in choices.items())]
    line = f"{function}({', '.join(parts)})"
    return line if len(line) <= MAX_LINE and "\n" not in line else f"{function}({_indent(parts)})"


def write_list(entries: Sequence[str]) -> str:
    """Code of several values as code of a list of them."""
    return _enclose("[", entries, "]")


def _indent(parts: Sequence[str]) -> str:
    inner = ",\n".join(parts).replace("\n", "\n    ")
    return f"\n    {inner},\n"


def write_value(value: object) -> str:
    """Write plain data and dataclasses as code; code stays as it is.

    >>> write_value({"head": (1.0, 0.0)})
    '{"head": (1.0, 0.0)}'
    """
    if isinstance(value, Code):
        return str(value)
    if isinstance(value, str):
        return write_string(value)
    if isinstance(value, dict):
        entries = [f"{write_value(name)}: {write_value(entry)}" for name, entry in value.items()]
        return _enclose("{", entries, "}")
    if isinstance(value, list):
        return _enclose("[", [write_value(entry) for entry in value], "]")
    if isinstance(value, tuple):
        return _enclose("(", [write_value(entry) for entry in value], ",)" if len(value) == 1 else ")")
    if is_dataclass(value) and not isinstance(value, type):
        stated = {field.name: getattr(value, field.name) for field in fields(value)}
        usual = {field.name: field.default for field in fields(value)}
        return write_call(type(value).__name__, **{n: v for n, v in stated.items() if v != usual[n]})
    return repr(value)


def _enclose(opening: str, entries: Sequence[str], closing: str) -> str:
    line = f"{opening}{', '.join(entries)}{closing}"
    if len(line) <= MAX_LINE and "\n" not in line:
        return line
    return f"{opening}{_indent(entries)}{closing[-1]}"


def write_string(words: str) -> str:
    """Write a string literal, in double quotes where that is as short."""
    plain = repr(words)
    return f'"{plain[1:-1]}"' if plain[0] == "'" and '"' not in plain else plain
