"""A clip of a project as a shell script of motionloom commands."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from math import degrees
from pathlib import PurePath

from motionloom.options.command_line import write_words
from motionloom.options.registration import REGISTRATION
from motionloom.project.clip_edits import annotations_of
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.evaluate_recipe import (
    blend_options,
    registration_options,
    sequence_options,
    transition_options,
    warp_of,
)
from motionloom.project.export_settings import AS_IT_IS, ExportSettings
from motionloom.project.folder import DRAWN, MAP_FILE, SCRIPT_OUTPUT_FOLDER, printable_name, script_paths
from motionloom.project.recipes import (
    BlendRecipe,
    CopyRecipe,
    EnforceRecipe,
    FileRecipe,
    FramespaceRecipe,
    LoopRecipe,
    MotionRecipe,
    RegistrationRecipe,
    RetargetRecipe,
    SequenceRecipe,
    TransitionRecipe,
    WarpRecipe,
)
from motionloom.warping import Layer, Warp
from motionloom.warping.keys import key_to_dict
from motionloom.warping.warp_file import warp_to_dict

MAX_LINE = 100
"""Characters after which a call goes on in the next line."""

OUTPUT = "-o"
"""The option, which every call has, that names the file to write."""

END = "END"
"""The line that ends a file within the script; lines of JSON never look like it."""


def write_commands(document: Document, id: str, output: str, settings: ExportSettings = AS_IT_IS) -> str:
    """Write a POSIX shell script that makes the clip of an item and saves it to a file.

    It runs in the folder of the project, and keeps what it makes on the way in ``made/``.

    >>> from motionloom.project.edits import AddItem
    >>> walk = AddItem(name="walk", recipe=FileRecipe(path="clips/walk.bvh")).apply(Document())
    >>> print(write_commands(walk, "c1", "walk.glb"))
    #!/bin/sh
    # Makes walk.glb. Run it in the folder of the project.
    set -e
    mkdir -p made
    <BLANKLINE>
    # walk
    motionloom edit clips/walk.bvh -o made/walk.npz --force --annotate
    <BLANKLINE>
    motionloom convert made/walk.npz -o walk.glb --force
    <BLANKLINE>
    """
    kept = script_paths(document)
    blocks = [
        "\n".join([f"# {printable_name(item.name)}", *_Commands(item, kept).write()])
        for item in document.with_sources(id)
    ]
    command = "render" if PurePath(output).suffix.lower() in DRAWN else "convert"
    given = {"fps": settings.fps, "to_unit": settings.unit, "to_up": settings.up}
    last = _call(command, kept[id], OUTPUT, output, "--force", *_options(given))
    if settings.frames is not None:
        trim = f"--trim={settings.frames[0]}f:{settings.frames[1]}f"
        last = "\n".join([_call("edit", kept[id], OUTPUT, kept[id], "--force", trim), last])
    return "\n\n".join([_head(output), *blocks, last]) + "\n"


def _head(output: str) -> str:
    lines = [
        "#!/bin/sh",
        f"# Makes {printable_name(output)}. Run it in the folder of the project.",
        "set -e",
        f"mkdir -p {SCRIPT_OUTPUT_FOLDER}",
    ]
    return "\n".join(lines)


class _Commands:
    """The calls that make one item of those before it."""

    def __init__(self, item: Item, paths: Mapping[str, str]) -> None:
        self.item, self.paths, self.path = item, paths, paths[item.id]
        self.lines: list[str] = []

    def write(self) -> list[str]:
        recipe = self.item.recipe
        match recipe:
            case FileRecipe():
                self._edit(_as_argument(recipe.path), plants=self.item.marks is None)
                return self.lines
            case MotionRecipe():
                self._make("synthesize", recipe.motion, *_options(recipe.options))
                self._edit(self.path, plants=self.item.marks is None)
                return self.lines
            case BlendRecipe():
                self._blend(recipe)
            case TransitionRecipe():
                self._make("transition", *self._sources(recipe.first, recipe.second), *_transition(recipe))
            case EnforceRecipe():
                given = {"ground": recipe.ground, "stretch": recipe.stretch}
                self._make("enforce", *self._sources(recipe.source), *_options(given))
            case LoopRecipe():
                near = None if recipe.near is None else f"{recipe.near}f"
                words = _options({"near": near, "cycles": recipe.cycles})
                self._make("cyclify", *self._sources(recipe.source), *words)
            case WarpRecipe():
                self._warp(recipe)
            case SequenceRecipe():
                words = _options(sequence_options(recipe))
                self._make("concatenate", *self._sources(*recipe.sources), *words)
            case CopyRecipe():
                yaw, x, z = recipe.place or (0.0, 0.0, 0.0)
                place = None if recipe.place is None else f"{degrees(yaw)!r},{x!r},{z!r}"
                words = _options({"place": place, "fps": recipe.fps})
                self._make("edit", *self._sources(recipe.source), *words)
            case RetargetRecipe():
                to = recipe.path if recipe.to is None else self.paths[recipe.to]
                map_file = MAP_FILE if recipe.joint_map else None
                words = _options({"to": to, "map_file": map_file, "no_plant": not recipe.plant})
                self._make("retarget", *self._sources(recipe.source), *words)
            case FramespaceRecipe():
                self._make("framespace", *self._sources(*recipe.sources), *_framespace(recipe))
        if self.item.edit != ClipEdit() or self.item.marks is not None:
            self._edit(self.path)
        return self.lines

    def _sources(self, *ids: str) -> list[str]:
        return [self.paths[id] for id in ids]

    def _make(self, command: str, *words: str) -> None:
        self.lines.append(_call(command, *words, OUTPUT, self.path, "--force"))

    def _beside(self, ending: str) -> str:
        """Return a path beside that of the clip; file names of clips have no dots, so it is unique."""
        return self.path.removesuffix(".npz") + ending

    def _file(self, ending: str, data: object) -> str:
        """Have the script write a JSON file."""
        path = self._beside(ending)
        text = "\n".join(_json_lines(data))
        self.lines.append(f"cat > {shlex.quote(path)} << '{END}'\n{text}\n{END}")
        return path

    def _edit(self, source: str, plants: bool = False) -> None:
        edit, marks = self.item.edit, self.item.marks
        words = [source, OUTPUT, self.path, "--force"]
        if edit.trim is not None:
            words.append(f"--trim={edit.trim[0]}f:{edit.trim[1]}f")
        words += _options(
            {
                "repair": edit.repair,
                "smooth": edit.smooth,
                "speed": edit.speed,
                "reverse": edit.reverse,
                "mirror": edit.mirror,
                "root-motion": edit.root_motion,
                "travel": edit.travel,
            }
        )
        if marks is not None:
            words.append(f"--annotations={self._file('.marks.json', annotations_of(marks))}")
        self.lines.append(_call("edit", *words, *(["--annotate"] if plants else [])))

    def _blend(self, recipe: BlendRecipe) -> None:
        sources, words = self._sources(*recipe.sources), ["--plant" if recipe.plant else "--no-plant"]
        if recipe.registration != RegistrationRecipe():
            curve = self._beside(".curve.npz")
            words_of_curve = [*sources, OUTPUT, curve, "--force", *_registration(recipe.registration)]
            self.lines.append(_call("register", *words_of_curve))
            sources = [curve]
        if recipe.keys:
            keys = [{"time": key.time, "weights": list(key.weights)} for key in recipe.keys]
            words += [f"--keys={self._file('.keys.json', keys)}", f"--easing={recipe.easing}"]
        else:
            words.append(f"--weights={_row(recipe.weights)}")
        words += [f"--part={part}={_row(row)}" for part, row in (recipe.parts or {}).items()]
        flags = {"allow_unfit": recipe.allow_unfit, "in_place": recipe.in_place}
        words += _options({**blend_options(recipe), **flags})
        self._make("blend", *sources, *words)

    def _warp(self, recipe: WarpRecipe) -> None:
        if recipe.preset is not None:
            words = [f"--preset={recipe.preset}"]
        else:
            words = [f"--keys={self._file('.warp.json', _warp_data(warp_of(recipe)))}"]
            words += _options({"keep_plants": recipe.keep_plants})
        if recipe.amount != 1.0:
            words += _options({"amount": recipe.amount})
        self._make("warp", *self._sources(recipe.source), *words)


def _registration(options: RegistrationRecipe) -> list[str]:
    cut = [] if options.cut == "whole" else [f"--cut={options.cut}"]
    return cut + write_words(REGISTRATION, registration_options(options))


def _warp_data(warp: Warp) -> dict[str, object]:
    """Convert a warp to plain data; the keys of a single usual layer need no layer around them."""
    data = warp_to_dict(warp)
    if warp.layers not in ((), (Layer(warp.keys),)):
        return data
    keys = [key_to_dict(key) for key in warp.keys]
    return {name: value for name, value in data.items() if name != "layers"} | (
        {"keys": keys} if keys else {}
    )


def _transition(recipe: TransitionRecipe) -> list[str]:
    words = [] if recipe.at is None else ["--at", ",".join(map(str, recipe.at))]
    words += _options({"half_width": recipe.half_width, **transition_options(recipe)})
    if recipe.method != "registration":
        words += _options({"method": recipe.method})
    return words + _options({"loop": recipe.loop, "plant": recipe.plant})


def _framespace(recipe: FramespaceRecipe) -> list[str]:
    words = [f"--curve={_vertices(recipe.curve)}"]
    if recipe.upper is not None:
        words.append(f"--upper={_vertices(recipe.upper)}")
    flags = {"polyline": recipe.polyline, "decoupled": recipe.decoupled, "loop": recipe.loop}
    return words + _options({"cycles": recipe.cycles, **flags})


def _vertices(vertices: Iterable[Sequence[float]]) -> str:
    return " ".join(":".join(map(repr, vertex)) for vertex in vertices)


def _row(numbers: Iterable[float]) -> str:
    return ",".join(map(repr, numbers))


def _options(given: Mapping[str, object]) -> list[str]:
    """Write options as words: a flag for True, nothing for False or None."""
    words = []
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words.append(f"{option}={value if isinstance(value, str) else repr(value)}")
    return words


def _json_lines(data: object) -> list[str]:
    """Write plain data as readable JSON, one line for each entry of its lists."""
    if isinstance(data, list):
        rows = [json.dumps(entry, ensure_ascii=False) for entry in data]
        return ["[", *(f"  {row}," for row in rows[:-1]), *(f"  {row}" for row in rows[-1:]), "]"]
    if not isinstance(data, dict):
        return [json.dumps(data, ensure_ascii=False)]
    lines = ["{"]
    for n, (name, value) in enumerate(data.items(), 1):
        first, *more = _json_lines(value) if isinstance(value, list) else [json.dumps(value)]
        inner = [f"{json.dumps(name)}: {first}", *more]
        inner[-1] += "," if n < len(data) else ""
        lines += [f"  {line}" for line in inner]
    return [*lines, "}"]


def _as_argument(path: str) -> str:
    """Write a path so that it is not taken for an option."""
    return f"./{path}" if path.startswith("-") else path


def _with_values(words: Sequence[str]) -> list[str]:
    """Quote the words; the output file stays beside its option."""
    quoted = [shlex.quote(word) for word in words]
    at = quoted.index(OUTPUT)
    return [*quoted[:at], f"{OUTPUT} {quoted[at + 1]}", *quoted[at + 2 :]]


def _call(*words: str) -> str:
    """Write a command line, quoted and wrapped."""
    lines = ["motionloom"]
    for word in _with_values(words):
        if len(lines[-1]) + 1 + len(word) > MAX_LINE:
            lines[-1] += " \\"
            lines.append(f"  {word}")
        else:
            lines[-1] += f" {word}"
    return "\n".join(lines)
