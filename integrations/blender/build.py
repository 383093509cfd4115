"""Build the extension for Blender into a folder, ``dist`` by default.

``python integrations/blender/build.py [FOLDER]`` writes a small zip; its users have Motionloom in a Python of
their own. ``--bundle linux-x64 windows-x64 macos-arm64``, or ``--bundle all``, adds zips that bring
Motionloom as wheels, with everything that it needs and Blender lacks: one for each platform and each Python
that Blender has had since 4.2, because an extension cannot hold the same package for two Pythons. That needs
pip and a network or an index that pip knows; ``--wheel FILE`` takes a wheel of Motionloom that is built
already.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGE = HERE / "motionloom_addon"
MANIFEST = "blender_manifest.toml"

PLATFORMS = {
    "linux-x64": tuple(
        f"manylinux{tag}_x86_64" for tag in ("_2_28", "_2_27", "_2_17", "2014")
    ),  # Blender itself needs glibc 2.28
    "windows-x64": ("win_amd64",),
    "macos-arm64": ("macosx_12_0_arm64", "macosx_11_0_arm64"),
}
"""Tags of wheels for each of Blender's platforms."""


@dataclass(frozen=True)
class Line:
    """Blenders that have the same Python.

    Attributes
    ----------
    python
        Their Python.
    first, until
        The first of these versions, and the first one that is no longer one of them; "" while there is none.
    scipy
        The newest SciPy that works with the NumPy of all of them; constraints.txt has the other versions.
    """

    python: str
    first: str
    until: str
    scipy: str

    @property
    def label(self) -> str:
        """These versions in the name of a file."""
        return "blender_4.2_to_5.0" if self.until else f"blender_{self.first.removesuffix('.0')}"


LINES = (
    Line("3.11", "4.2.0", "5.1.0", "1.15.3"),  # NumPy 1.24 in Blender 4.2 and 4.3; SciPy 1.16 needs 1.25
    Line("3.13", "5.1.0", "", "1.17.1"),
)

BUNDLED = ("lazy-loader", "packaging")
"""What Motionloom needs beside NumPy, which Blender has, SciPy, and what only its command line imports."""

COMPILER = ("numba", "llvmlite")
"""What a wheel of Motionloom without compiled kernels needs too."""

_READABLE_BY_ALL = 0o644 << 16


def version() -> str:
    """Return the version of the package, which is the extension's."""
    text = (ROOT / "src/motionloom/__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found is not None
    return found[1]


def build(folder: Path) -> Path:
    """Write the small zip into a folder and return its path; equal content makes equal zips."""
    return _write_zip(folder / f"{PACKAGE.name}-{version()}.zip", {})


def build_bundle(folder: Path, platform: str, line: Line, wheels: list[Path]) -> Path:
    """Write a zip that brings wheels into a folder and return its path."""
    name = f"{PACKAGE.name}-{version()}-{line.label}-{platform.replace('-', '_')}.zip"
    settings = {"platforms": [platform], "wheels": [f"./wheels/{wheel.name}" for wheel in sorted(wheels)]}
    versions = {"blender_version_min": line.first, "blender_version_max": line.until}
    return _write_zip(folder / name, settings | {key: text for key, text in versions.items() if text}, wheels)


def fetch_wheels(folder: Path, platform: str, line: Line, own: Path) -> list[Path]:
    """Download what Motionloom's wheel needs for a platform and a Python, and return the paths."""
    names = BUNDLED + (COMPILER if own.stem.endswith("-any") else ())
    locked = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    wanted = [entry for entry in locked if entry.partition("==")[0] in names]
    options = [f"--platform={tag}" for tag in PLATFORMS[platform]] + [f"--python-version={line.python}"]
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "download", "--no-deps"]
    choices = ["--only-binary=:all:", "--dest", str(folder), *options]
    subprocess.run([*pip, *choices, *wanted, f"scipy=={line.scipy}"], check=True)
    return sorted(folder.glob("*.whl"))


def build_wheel(folder: Path, platform: str) -> Path:
    """Build Motionloom's own wheel for a platform into a folder and return its path.

    Where kernels cannot be compiled for it on this machine, it is one for all platforms.
    """
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    command = [*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, env={**os.environ, "MOTIONLOOM_PLATFORM": platform})
    (wheel,) = folder.glob("motionloom-*.whl")
    return wheel


def _write_zip(path: Path, settings: dict[str, str | list[str]], wheels: list[Path] | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, MANIFEST, _manifest(settings).encode())
        _add(archive, "LICENSE", (ROOT / "LICENSE").read_bytes())
        for file in sorted(PACKAGE.glob("*.py")):
            content = file.read_bytes()
            if file.name == "__init__.py":
                numbers = ", ".join(version().split("."))
                content = content.replace(b'"version": (0, 0, 0)', f'"version": ({numbers})'.encode())
            _add(archive, file.name, content)
        for wheel in sorted(wheels or []):
            _add(archive, f"wheels/{wheel.name}", wheel.read_bytes(), zipfile.ZIP_STORED)
    return path


def _manifest(settings: dict[str, str | list[str]]) -> str:
    """The manifest with the version and settings that replace those of the source."""
    lines = []
    for line in (PACKAGE / MANIFEST).read_text(encoding="utf-8").splitlines():
        if line.partition(" = ")[0] not in settings and not line.startswith("#"):
            lines.append(line)
        if line.startswith("id = "):
            lines.append(f'version = "{version()}"')
            lines += [f"{name} = {_toml(value)}" for name, value in settings.items()]
    return "\n".join([*lines, ""])


def _toml(value: str | list[str]) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return "[\n" + "".join(f'    "{item}",\n' for item in value) + "]"


def _add(archive: zipfile.ZipFile, name: str, content: bytes, method: int = zipfile.ZIP_DEFLATED) -> None:
    """Add a file, in the folder that the older kind of add-on needs; without a date, which would differ."""
    member = zipfile.ZipInfo(f"{PACKAGE.name}/{name}")
    member.external_attr = _READABLE_BY_ALL
    member.compress_type = method
    archive.writestr(member, content)


def main() -> None:
    """Build what the command line names, and print the paths and sizes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=Path("dist"))
    parser.add_argument("--bundle", nargs="+", default=[], choices=[*PLATFORMS, "all"], metavar="PLATFORM")
    parser.add_argument("--wheel", type=Path, help="Motionloom's wheel (default: built from this checkout)")
    arguments = parser.parse_args()
    paths = [build(arguments.folder)]
    with tempfile.TemporaryDirectory(prefix="motionloom-extension-") as name:
        work = Path(name)
        chosen = list(PLATFORMS) if "all" in arguments.bundle else arguments.bundle
        for platform in chosen:
            own = arguments.wheel or build_wheel(work / platform, platform)
            for line in LINES:
                wheels = [own, *fetch_wheels(work / platform / line.python, platform, line, own)]
                paths.append(build_bundle(arguments.folder, platform, line, wheels))
    for path in paths:
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
