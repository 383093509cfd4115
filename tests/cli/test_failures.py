from __future__ import annotations

from pathlib import Path

import pytest

from motionloom.cli.failures import Failures
from motionloom.errors import FileExistsRefusal, MotionloomError, ParameterError


def failing(n_files: int, *errors: MotionloomError) -> Failures:
    """Failures after these errors, each in a file of its own."""
    failures = Failures(n_files)
    for n, error in enumerate(errors):
        with failures.kept(Path(f"{n}.bvh")):
            raise error
    return failures


def test_the_error_of_a_single_file_is_the_command_s_own() -> None:
    with pytest.raises(ParameterError, match="it alone"):
        failing(1, ParameterError("it alone"))


def test_no_failure_ends_well() -> None:
    failing(2).finish("read")


def test_one_of_several(capsys: pytest.CaptureFixture[str]) -> None:
    failures = failing(2, FileExistsRefusal("a.bvh"))
    told = "a.bvh already exists: choose another name, or replace it with --force"
    assert capsys.readouterr().err == f"motionloom: {told}\n"
    assert failures.facts() == [{"file": "0.bvh", "error": told}]
    with pytest.raises(MotionloomError, match="1 of 2 files could not be read"):
        failures.finish("read")


@pytest.mark.parametrize(
    ("errors", "wrong_call"),
    [
        ([ParameterError("a"), ParameterError("b")], True),
        ([ParameterError("a"), MotionloomError("b")], False),
        ([ParameterError("a")], False),
    ],
)
def test_the_call_is_wrong_when_it_was_for_every_file(
    errors: list[MotionloomError], wrong_call: bool
) -> None:
    with pytest.raises(MotionloomError) as raised:
        failing(2, *errors).finish("read")
    assert isinstance(raised.value, ParameterError) is wrong_call
