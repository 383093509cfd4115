"""Running the command line inside the test process, and small motion files to run it on."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from motionloom import load, register, save
from motionloom.cli.main import main
from motionloom.errors import RegistrationWarning
from motionloom.motion import Clip
from motionloom.synthesis import reach_out, walk
from tests.files.bvh_texts import save_unmarked


@dataclass(frozen=True)
class Outcome:
    """How a run ended and what it said."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Standard output, which must be JSON and nothing else."""
        return json.loads(self.out)

    @property
    def complaint(self) -> str:
        """The last line on standard error, without the name of the program."""
        return self.err.splitlines()[-1].removeprefix("motionloom: ")


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], walk_bvh: Path) -> Run:
    """Run `motionloom` with these words; exit codes are made by `main`, so it is what runs.

    Writing the walk compiles kernels where none are stored, so the remark on compiling comes before the run.
    """

    def runs(*words: object) -> Outcome:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main([str(word) for word in words])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        code = end.value.code
        assert code is None or isinstance(code, int)
        return Outcome(code or 0, said.out, said.err)

    return runs


@pytest.fixture(scope="session")
def clip() -> Clip:
    """One second of walking at 30 frames per second."""
    return walk(duration=1.0, fps=30).clip


@pytest.fixture(scope="session")
def walk_bvh(clip: Clip, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The walking clip as a BVH file of another program; tests read it and leave it alone."""
    return save_unmarked(clip, tmp_path_factory.mktemp("motion") / "walk.bvh")


@pytest.fixture(scope="session")
def unfit_curve(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A registration of a walk with a reach, which is not to be blended."""
    folder = tmp_path_factory.mktemp("unfit")
    places = [
        save(clip, folder / f"{n}.npz")
        for n, clip in enumerate((walk(duration=2.0, fps=30).clip, reach_out(fps=30).clip))
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RegistrationWarning)
        return save(register([load(place) for place in places]), folder / "curve.npz")


@pytest.fixture
def broken_bvh(tmp_path: Path) -> Path:
    """A file that calls itself BVH and is none."""
    path = tmp_path / "broken.bvh"
    path.write_bytes(bytes(range(256)) * 8)
    return path
