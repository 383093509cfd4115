from __future__ import annotations

import pytest

from motionloom.project.command_script import as_commands
from motionloom.project.python_script import as_python
from tests.studio.conftest import Studio, small_document


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("c9", "the project has no clip 'c9'"),
        ("c1?language=basic", "scripts are written in python or commands, not in 'basic'"),
        ("c1?format=exe", "clips are exported as bvh"),
    ],
)
def test_what_cannot_be_written_is_refused(studio: Studio, query: str, error: str) -> None:
    answer = studio.get(f"/api/scripts/{query}")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(error)


def test_scripts_are_those_of_the_project(studio: Studio) -> None:
    document = small_document()
    assert studio.get("/api/scripts/c3?format=glb").text == as_python(document, "c3", "both.glb")
    commands = studio.get("/api/scripts/c3?language=commands&format=bvh")
    assert commands.text == as_commands(document, "c3", "both.bvh")
    assert commands.headers["content-type"] == "text/plain; charset=utf-8"
