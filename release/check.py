"""Check a release: build it, install it in bare environments of every Python there is, and try it.

``make release-check``, or ``python release/check.py`` with ``--python PROGRAM…`` for some Pythons only,
``--tests PATH…`` for some tests or ``--tests all`` for the slow ones and those in the browser too,
``--keep FOLDER`` for the environments, ``--no-build`` for what is in ``dist`` already, ``--only-sdist`` to
leave out the wheel.
Files are built into ``dist``. Needs a network or an index that pip knows, and npm for the studio's page.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
QUICK = ("-m", "not browser and not slow and not corpus")
"""What `make check` runs."""

SDIST_TESTS = ROOT / "build" / "sdist-tests.txt"
"""Where the whole output of the source distribution's tests is kept."""

SMOKE = """
import sys, motionloom as ml
walk, jog = ml.load("demo/walk.bvh"), ml.load("demo/jog.bvh")
mixed = ml.mix([walk, jog], [0.3, 0.7])
assert mixed.clip.n_frames > 60, mixed
ml.save(mixed.clip, "mixed.bvh")
print(ml.__version__, ml.__file__)
"""

NO_NUMBA = """
import importlib.util
assert importlib.util.find_spec("numba") is None, "the wheel brings Numba"
from motionloom.kernels import compiling
print(compiling.open_library()._name)
"""

PAGES = ("motionloom/studio/page/index.html", "motionloom/viewer/page/viewer.html")

Step = Callable[[], str]


@dataclass
class Report:
    """What was tried, how it went, and how long it took."""

    lines: list[str] = field(default_factory=list)
    failed: int = 0

    def run(self, title: str, step: Step) -> None:
        """Run a step; a failure is told and counted, and the others go on."""
        start = time.monotonic()
        try:
            said = step()
            outcome = "ok"
        except (subprocess.CalledProcessError, AssertionError, OSError) as error:
            said = _explain(error)
            outcome = "FAILED"
            self.failed += 1
        line = f"{outcome:<6} {time.monotonic() - start:6.1f} s  {title}: {said}"
        self.lines.append(line)
        print(line, flush=True)


def main() -> int:
    """Check everything; 1 where something failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--python", nargs="*", default=None, help="Pythons to install for (default: all found)"
    )
    parser.add_argument(
        "--tests", nargs="*", default=["tests"], help="tests of the source distribution to run, or all"
    )
    parser.add_argument(
        "--keep", type=Path, help="folder for the environments, kept (default: a temporary one)"
    )
    parser.add_argument("--no-build", action="store_true", help="check what is in dist already")
    parser.add_argument("--only-sdist", action="store_true", help="leave out the wheel")
    arguments = parser.parse_args()
    report = Report()
    pythons = [Path(name) for name in arguments.python] if arguments.python else find_pythons()
    missing = sorted(set(VERSIONS) - {_version(python)[:4] for python in pythons})
    print("Pythons:", ", ".join(f"{_version(p)} ({p})" for p in pythons), flush=True)
    if missing:
        print("not found:", ", ".join(missing), flush=True)
    with _work_folder(arguments.keep) as folder:
        if not arguments.no_build:
            report.run("build", lambda: build(folder))
        wheel, sdist = _one(ROOT / "dist", "*.whl"), _one(ROOT / "dist", "*.tar.gz")
        report.run("sizes", lambda: list_sizes(wheel, sdist))
        report.run("pages", lambda: find_pages(wheel))
        report.run("kernels", lambda: find_libraries(wheel))
        report.run("links", lambda: check_links(wheel))
        for python in [] if arguments.only_sdist else pythons:
            check_wheel(report, python, wheel, folder, is_newest=python == pythons[-1])
        check_sdist(report, pythons[0], sdist, folder, arguments.tests)
    print(f"{len(report.lines)} checks, {report.failed} failed")
    return int(report.failed > 0)


def find_pythons() -> list[Path]:
    """Return one Python of each release that Motionloom supports, and the system's own."""
    homes = sorted(Path.home().glob(".pyenv/versions/*/bin/python"), reverse=True)
    named = [Path(path) for version in VERSIONS if (path := shutil.which(f"python{version}"))]
    found: dict[str, Path] = {}
    for python in [Path(sys.executable), *homes, *named, Path("/usr/bin/python3")]:
        try:
            version = _version(python)
        except (OSError, subprocess.CalledProcessError):
            continue  # a shim of a version that is not installed
        if version.rpartition(".")[0] in VERSIONS and not any(python.samefile(p) for p in found.values()):
            found.setdefault(version, python)
    return [found[version] for version in sorted(found, key=lambda text: [*map(int, text.split("."))])]


def build(folder: Path) -> str:
    """Build the source distribution, and the wheel from it alone."""
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    _run([sys.executable, "-m", "hatchling", "build", "-t", "sdist"], ROOT)
    sdist = _one(ROOT / "dist", "*.tar.gz")
    tree = unpack(sdist, folder / "from-sdist")
    _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(ROOT / "dist")], tree)
    return f"{sdist.name}, {_one(ROOT / 'dist', '*.whl').name}"


def list_sizes(wheel: Path, sdist: Path) -> str:
    """Return the sizes of what is published."""
    return ", ".join(f"{path.name} {path.stat().st_size / 1e6:.2f} MB" for path in (wheel, sdist))


def find_pages(wheel: Path) -> str:
    """Return the pages of studio and viewer in the wheel, which is built without them where npm fails."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for page in PAGES:
        assert page in names, f"{wheel.name} has no {page}: see what npm said above"
    return ", ".join(PAGES)


def find_libraries(wheel: Path) -> str:
    """Return the libraries of compiled kernels in the wheel, which is built without them where that fails."""
    with zipfile.ZipFile(wheel) as archive:
        names = [Path(name).name for name in archive.namelist() if "/kernels/library/" in name]
    assert names, f"{wheel.name} has no compiled kernels: see what building it said"
    return ", ".join(names)


def check_links(wheel: Path) -> str:
    """Count the links of the description that PyPI shows, all of which must be whole."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        links = re.findall(r"\]\(([^)\s]+)\)", archive.read(name).decode("utf-8"))
    relative = [link for link in links if not link.startswith("https://")]
    assert links, "the description has no links"
    assert not relative, f"PyPI cannot follow {', '.join(relative)}"
    return f"{len(links)} in the description, none relative"


def check_wheel(report: Report, python: Path, wheel: Path, folder: Path, *, is_newest: bool) -> None:
    """Install the wheel for one Python without extras, and try it; types and licences for the newest."""
    version = _version(python)
    home = folder / f"wheel-{version}"
    inside = home / "bin" / "python" if os.name == "posix" else home / "Scripts" / "python.exe"
    work = folder / f"work-{version}"
    work.mkdir()

    def run(*words: str) -> str:
        return _run([str(inside), *words], work)

    def refuse(*words: str) -> str:
        command = [str(inside), *words]
        ended = subprocess.run(
            command, cwd=work, env=_bare_environment(), capture_output=True, text=True, check=False
        )
        assert ended.returncode == 1, (ended.returncode, ended.stderr[-500:])
        assert len(ended.stderr.splitlines()) == 1, ended.stderr
        return ended.stderr.strip()

    def install(*what: str) -> str:
        start = time.monotonic()
        pip(inside, "install", "-q", *what)
        return f"{time.monotonic() - start:.0f} s"

    report.run(f"{version} install", lambda: make_environment(python, home, inside) + install(str(wheel)))
    report.run(f"{version} demo", lambda: run("-m", "motionloom", "demo", "-o", "demo").splitlines()[-1])
    report.run(f"{version} smoke", lambda: run("-c", SMOKE).strip())
    view = ("-m", "motionloom", "view", "mixed.bvh", "-o", "mixed.html", "--no-browser")
    report.run(f"{version} viewer", lambda: run(*view).strip())
    report.run(
        f"{version} warm info", lambda: _time(lambda: run("-m", "motionloom", "info", "demo/walk.bvh"))
    )
    report.run(f"{version} downstream", lambda: run(str(ROOT / "release/downstream.py"), ".").splitlines()[0])
    report.run(f"{version} without studio", lambda: refuse("-m", "motionloom", "studio"))
    report.run(
        f"{version} without plot",
        lambda: refuse(
            *("-m", "motionloom", "register", "demo/walk.bvh", "demo/jog.bvh"),
            *("-o", "gaits.npz", "--plot", "gaits.png"),
        ),
    )
    report.run(
        f"{version} with plot",
        lambda: install(f"{wheel}[plot]") + run("-c", "import motionloom as m; m.plot.blend"),
    )
    if is_newest:
        report.run(f"{version} types", lambda: check_types(inside, install))
        audit = str(ROOT / "release" / "audit.py")
        report.run(f"{version} licences", lambda: run(audit).strip().replace("\n", "\n    "))

    report.run(f"{version} without numba", lambda: run("-c", NO_NUMBA).strip())


def check_types(inside: Path, install: Callable[..., str]) -> str:
    """Check the example of a program with mypy and pyright, which read the types of the installed package."""
    install("mypy", "pyright[nodejs]")
    example = str(ROOT / "release" / "downstream.py")
    said = []
    strict = ["mypy", "--strict", "--cache-dir", os.devnull, example]
    for words in (strict, ["pyright", "--pythonpath", str(inside), example]):
        # In a folder of its own: neither may see the source tree.
        with tempfile.TemporaryDirectory() as folder:
            said.append(
                f"{words[0]}: {_run([str(inside), '-m', *words], Path(folder)).strip().splitlines()[-1]}"
            )
    return ", ".join(said)


def check_sdist(report: Report, python: Path, sdist: Path, folder: Path, tests: Sequence[str]) -> None:
    """Install the source distribution, and run its own tests in it."""
    home = folder / "sdist"
    inside = home / "bin" / "python" if os.name == "posix" else home / "Scripts" / "python.exe"

    def install() -> str:
        make_environment(python, home, inside)
        pip(inside, "install", "-q", f"{sdist}[test]")
        return _run([str(inside), "-m", "motionloom", "--version"], folder).strip()

    def test() -> str:
        tree = unpack(sdist, folder / "tested")
        everything = list(tests) == ["all"]
        # Docstrings are tried in the installed package; those of src would import a second Motionloom.
        chosen = ["--pyargs", "tests", "motionloom"] if everything else [*QUICK, *tests]
        words = ["-m", "pytest", "-n", "2", "--dist", "worksteal", "-rfEs", "-p", "no:cacheprovider", *chosen]
        SDIST_TESTS.parent.mkdir(exist_ok=True)
        with SDIST_TESTS.open("w", encoding="utf-8") as output:
            ended = subprocess.run(
                [inside, *words],
                cwd=tree,
                env=_bare_environment(),
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
            )
        said = SDIST_TESTS.read_text(encoding="utf-8")
        assert ended.returncode == 0, said[-3000:]
        return f"{said.strip().splitlines()[-1]} (all of it in {SDIST_TESTS.relative_to(ROOT)})"

    report.run("sdist install with extra test", install)
    if tests:
        report.run(f"sdist runs its own tests ({' '.join(tests)})", test)


def make_environment(python: Path, home: Path, inside: Path) -> str:
    """Make an empty environment; Debian's Python cannot put pip into it, another pip then installs there."""
    subprocess.run([python, "-m", "venv", "--without-pip", "--clear", home], check=True, capture_output=True)
    assert inside.exists(), f"no Python in {home}"
    return ""


def pip(inside: Path, *words: str) -> None:
    """Run this Python's pip for another environment."""
    _run([sys.executable, "-m", "pip", "--python", str(inside), "--disable-pip-version-check", *words], ROOT)


def unpack(sdist: Path, folder: Path) -> Path:
    """Unpack a source distribution and return its folder."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return _one(folder, "motionloom-*")


def _run(command: Sequence[str], folder: Path) -> str:
    return subprocess.run(
        command, cwd=folder, env=_bare_environment(), check=True, capture_output=True, text=True
    ).stdout


def _bare_environment() -> dict[str, str]:
    """Return the variables of this process without those that lead to another Motionloom."""
    left_out = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in left_out}


def _time(step: Callable[[], object]) -> str:
    """Return the shortest of three times."""
    times = []
    for _ in range(3):
        start = time.monotonic()
        step()
        times.append(time.monotonic() - start)
    return f"{min(times):.2f} s"


def _version(python: Path) -> str:
    said = subprocess.run([python, "--version"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"\d+\.\d+\.\d+", said)
    if found is None:
        raise OSError(f"{python} does not say its version")
    return found[0]


def _one(folder: Path, pattern: str) -> Path:
    found = list(folder.glob(pattern))
    assert len(found) == 1, f"{len(found)} files {pattern} in {folder}"
    return found[0]


def _explain(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        said = "\n".join(part for part in (error.stdout, error.stderr) if part)
        return f"{' '.join(map(str, error.cmd))[:200]}\n{said[-3000:]}"
    return f"{type(error).__name__}: {error}"


@contextmanager
def _work_folder(kept: Path | None) -> Iterator[Path]:
    """Give a folder that is kept where one is named, and temporary otherwise."""
    if kept is None:
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)
        return
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    yield kept.resolve()


if __name__ == "__main__":
    sys.exit(main())
