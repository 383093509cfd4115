"""Numbers that nobody means, in every numeric option of every command: a sentence, never a raw error."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

import motionloom as ml
from motionloom.cli.main import commands, main
from motionloom.synthesis import jog, walk

ABSURD = ("1" + "0" * 400, "inf", "nan", "1e300", "-1e300", "1e-300")

ONE_FILE = (
    "annotate",
    "convert",
    "cyclify",
    "edit",
    "enforce",
    "info",
    "measure",
    "repair",
    "render",
    "warp",
)
TWO_FILES = ("blend", "compare", "concatenate", "register", "transition", "variations")


def numeric_options(name: str) -> list[str]:
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    numeric = (click.types.FloatParamType, click.types.IntParamType)
    return [
        option.opts[0]
        for option in command.params
        if isinstance(option, click.Option) and isinstance(option.type, numeric)
    ]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ONE_FILE + TWO_FILES)
def test_absurd_options_are_refused_in_sentences(name: str, tmp_path: Path) -> None:
    ml.save(ml.annotate(walk(duration=1.6, fps=30).clip), tmp_path / "walk.npz")
    ml.save(ml.annotate(jog(duration=1.4, fps=30).clip), tmp_path / "jog.npz")
    files = [str(tmp_path / file) for file in ("walk.npz", "jog.npz")[: 1 + (name in TWO_FILES)]]
    codes: set[object] = set()
    for option in numeric_options(name):
        for value in ABSURD:
            out = [] if name in ("info", "measure", "compare") else ["-o", str(tmp_path / "out.npz")]
            try:
                main([name, *files, *out, f"{option}={value}"])
            except SystemExit as end:
                codes.add(end.code)
    assert codes <= {None, 0, 1, 2}  # None is success
