"""What importing the package may load, and which folders may import which."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from motionloom.kernels import compiling

ROOT = Path(__file__).parents[2]
HEAVY = ("scipy", "numba", "matplotlib", "click", "rich", "PIL", "starlette", "uvicorn", "websockets")


def run(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)


def loaded_after(statement: str) -> set[str]:
    found = run(f"import sys\n{statement}\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))")
    assert found.returncode == 0, found.stderr
    return set(found.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_after("import motionloom").isdisjoint(HEAVY)


def test_the_command_line_loads_click_only() -> None:
    loaded = loaded_after("import motionloom.cli.main")
    assert "click" in loaded
    assert loaded.isdisjoint(set(HEAVY) - {"click"})


HIDDEN = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
import numpy as np
import motionloom as ml
from motionloom.geometry import rotations

turned = np.tile(rotations.from_yaw(0.5), (2, 1, 1))
clip = ml.Clip(ml.Skeleton(("a",), np.array([-1]), np.zeros((1, 3))), 0.1, np.zeros((2, 3)), turned)
print(clip.at(0.5).rotations.shape, clip.resampled(20).n_frames)
from pathlib import Path
from motionloom.kernels import compiling
compiling.FOLDER = Path(sys.argv[1])
try:
    print(clip.world_positions().shape)
except ml.MotionloomError as error:
    print(error)
"""


def test_without_numba_arrays_work_and_kernels_say_what_to_install(tmp_path: Path) -> None:
    found = run(HIDDEN, str(tmp_path))
    assert found.stdout.splitlines() == [
        "(1, 4) 3",
        "without compiled kernels for this platform, this computation needs the package 'numba': "
        "install it with `pip install 'motionloom[jit]'`",
    ], found.stderr


def test_with_compiled_kernels_nothing_needs_numba() -> None:
    if compiling.open_library() is None:
        pytest.skip("no library of kernels was built from these sources: `make kernels` does")
    assert run(HIDDEN, str(compiling.FOLDER)).stdout.splitlines() == ["(1, 4) 3", "(2, 1, 3)"]


def test_without_its_extra_the_studio_says_what_to_install() -> None:
    hidden = (
        "import sys\nsys.modules['starlette'] = None\nfrom motionloom.cli.main import main\nmain(['studio'])"
    )
    found = run(hidden)
    assert found.stderr == (
        "motionloom: the studio needs the package 'starlette': install it with "
        "`pip install 'motionloom[studio]'`\n"
    )


@pytest.mark.slow
def test_import_rules_hold() -> None:
    """The contracts in pyproject.toml: layers, and packages that numeric code must not know."""
    script = Path(sys.executable).with_name("lint-imports")
    if not script.exists():
        pytest.fail("import-linter is part of the test extra but is not installed")
    found = subprocess.run([script, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def test_every_public_name_is_documented() -> None:
    import motionloom as ml

    for name in ml.__all__:
        assert getattr(ml, name).__doc__, name
