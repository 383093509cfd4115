"""Shell code written from values: commands with their options, and those that make one clip of a script."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence

MAX_LINE = 100
"""Characters after which a call goes on in the next line."""

OUTPUT = "-o"
"""The option, which every call has, that names the file to write."""

END = "END"
"""The line that ends a file within the script; lines of JSON never look like it."""


def write_call(*words: str) -> str:
    """Write a command line, quoted and wrapped.

    >>> write_call("edit", "walk cycle.bvh", "-o", "made/walk.npz", "--force")
    "motionloom edit 'walk cycle.bvh' -o made/walk.npz --force"
    """
    lines = ["motionloom"]
    for word in _with_values(words):
        if len(lines[-1]) + 1 + len(word) > MAX_LINE:
            lines[-1] += " \\"
            lines.append(f"  {word}")
        else:
            lines[-1] += f" {word}"
    return "\n".join(lines)


def write_options(given: Mapping[str, object]) -> list[str]:
    """Write options as words: a flag for True, nothing for False or None.

    >>> write_options({"half_width": 0.4, "loop": True, "near": None})
    ['--half-width=0.4', '--loop']
    """
    words = []
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words.append(f"{option}={value if isinstance(value, str) else repr(value)}")
    return words


def write_row(numbers: Iterable[float]) -> str:
    """Write numbers as the value of an option.

    >>> write_row((0.5, 1.0))
    '0.5,1.0'
    """
    return ",".join(map(repr, numbers))


def as_argument(path: str) -> str:
    """Write a path so that it is not taken for an option."""
    return f"./{path}" if path.startswith("-") else path


class ShellCalls:
    """The commands that make one item of a document of those before it.

    Parameters
    ----------
    path
        The file that the item's clip is written to.
    paths
        Files of all items, by id.

    >>> calls = ShellCalls("made/loop.npz", {"c1": "made/walk.npz"})
    >>> calls.make("cyclify", *calls.sources("c1"), "--near=3f")
    >>> calls.lines
    ['motionloom cyclify made/walk.npz --near=3f -o made/loop.npz --force']
    """

    def __init__(self, path: str, paths: Mapping[str, str]) -> None:
        self.path, self.paths = path, paths
        self.edited = path
        """The file that the item's edit is applied to; a recipe that only names a file puts that here."""
        self.lines: list[str] = []

    def sources(self, *ids: str) -> list[str]:
        """Return the files of clips made before."""
        return [self.paths[id] for id in ids]

    def call(self, *words: str) -> None:
        """Add a command."""
        self.lines.append(write_call(*words))

    def make(self, command: str, *words: str) -> None:
        """Add the command that writes the item's file."""
        self.call(command, *words, OUTPUT, self.path, "--force")

    def beside(self, ending: str) -> str:
        """Return a path beside that of the clip; file names of clips have no dots, so it is unique."""
        return self.path.removesuffix(".npz") + ending

    def write_file(self, ending: str, data: object) -> str:
        """Have the script write a JSON file, and return its path."""
        path = self.beside(ending)
        text = "\n".join(_json_lines(data))
        self.lines.append(f"cat > {shlex.quote(path)} << '{END}'\n{text}\n{END}")
        return path


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


def _with_values(words: Sequence[str]) -> list[str]:
    """Quote the words; the output file stays beside its option."""
    quoted = [shlex.quote(word) for word in words]
    at = quoted.index(OUTPUT)
    return [*quoted[:at], f"{OUTPUT} {quoted[at + 1]}", *quoted[at + 2 :]]
