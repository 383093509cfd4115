"""What the documents mention exists: files, headings, names of the library, commands and their options."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import click
import pytest

import motionloom as ml
from motionloom.cli.main import COMMANDS, commands

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("**/*.md")),
]
IDS = [str(page.relative_to(ROOT)) for page in PAGES]

OTHER_PROGRAMS = {"--background", "--only", "--against"}
"""Options of other programs that stand on a line with a command of ours."""


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^):]+)\)", page.read_text(encoding="utf-8")):
        path, _, heading = target.partition("#")
        linked = page.parent / path if path else page
        assert linked.exists(), target
        assert not heading or heading in anchors(linked), target


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_names_of_the_library_exist(page: Path) -> None:
    for name in re.findall(r"\bml\.([a-zA-Z_][\w.]*)", page.read_text(encoding="utf-8")):
        found: object = ml
        for part in name.rstrip(".").split("."):
            assert hasattr(found, part), f"ml.{name}"
            found = getattr(found, part)


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_commands_and_options_exist(page: Path) -> None:
    context = click.Context(commands)
    text = page.read_text(encoding="utf-8")
    spans = re.findall(r"`(?:motionloom )?([a-z]+(?:-[a-z]+)* [^`]*)`", text)
    lines = [
        line
        for block in re.findall(r"```\w*\n(.*?)```", text, flags=re.DOTALL)
        for line in block.splitlines()
    ]
    calls = [line.removeprefix("motionloom ") for line in lines if line.startswith("motionloom ")]
    for call in [*calls, *(span for span in spans if " --" in span)]:
        name = call.split()[0]
        if call in ("--version", "--help"):
            continue
        command = commands.get_command(context, name) if name in COMMANDS else None
        if call in calls:
            assert command is not None, call
        if isinstance(command, click.Group):
            command = command.get_command(context, call.split()[1])
            assert command is not None, call
        if command is not None:
            known = {
                word for parameter in command.params for word in (*parameter.opts, *parameter.secondary_opts)
            }
            given = set(re.findall(r"(?<=\s)--[a-z][a-z-]*", call)) - OTHER_PROGRAMS
            assert given <= known | {"--help"}, call


WITH_FLAGS = ("cli", "options", "kernels", "viewer", "project", "files/fbx/blender.py")
"""Where strings hold options: commands and declarations, programs that are run, scripts and pages."""


def test_no_sentence_of_the_library_names_an_option_of_the_command_line() -> None:
    package = ROOT / "src" / "motionloom"
    found = []
    for path in sorted(package.rglob("*.py")):
        if path.relative_to(package).as_posix().startswith(WITH_FLAGS):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        found += [
            f"{path.name}, line {node.lineno}: {node.value!r}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in documents
            and re.search(r"(?<![\w-])--[a-z]", node.value)
        ]
    assert found == []
