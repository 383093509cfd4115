"""`motionloom install-fbx`: Blender's Python package in its own environment, to read and write FBX."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import click

from motionloom.atomic_write import make_folder
from motionloom.cli.options import command, option
from motionloom.cli.output import print_line
from motionloom.errors import MotionloomError
from motionloom.files.fbx.blender import BPY_VERSIONS, environment_folder, environment_python

DOWNLOAD, INSTALLED = "370 MB", "920 MB"
"""Size of the download, and on the disk."""

LIBRARIES = "libx11-6 libxrender1 libxfixes3 libxi6 libxkbcommon0 libsm6 libgl1"
"""Debian packages with the system libraries that Blender needs, which a server may lack."""

CHECK = "import bpy; print(bpy.app.version_string)"


@command("install-fbx")
@option("--yes", is_flag=True, help="Download without asking.")
@option("--force", is_flag=True, help="Install again if it is installed already.")
def install_fbx(yes: bool, force: bool) -> None:
    """Install Blender's Python package, to read and write FBX files.

    It gets an environment of its own in your cache folder and is found there automatically; delete the folder
    to remove it. An installed Blender works too: set the environment variable MOTIONLOOM_BLENDER to its
    program.
    """
    folder = environment_folder()
    if environment_python(folder).is_file() and not force:
        print_line(f"{folder} exists already: use --force to install again")
        return
    python, version = _python_for_bpy()
    if not yes:
        click.confirm(
            f"Download Blender {version} ({DOWNLOAD}; {INSTALLED} in {folder})?", abort=True, err=True
        )
    shutil.rmtree(folder, ignore_errors=True)
    make_folder(folder.parent)
    try:
        _run([python, "-m", "venv", str(folder)], "make the environment")
        own = str(environment_python(folder))
        _run([own, "-m", "pip", "install", f"bpy=={version}"], "install Blender's package")
        found = _run([own, "-c", CHECK], "start Blender").strip().splitlines()[-1]
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    print_line(f"Blender {found} is installed in {folder}: FBX files can be read and written now")


def _python_for_bpy() -> tuple[str, str]:
    """Return a Python that Blender's package supports, this one if possible, and the release for it."""
    own = sys.version_info[:2]
    if own in BPY_VERSIONS:
        return sys.executable, BPY_VERSIONS[own]
    for (major, minor), version in BPY_VERSIONS.items():
        found = shutil.which(f"python{major}.{minor}")
        if found is not None and _starts(found):
            return found, version
    known = " and ".join(f"{major}.{minor}" for major, minor in BPY_VERSIONS)
    raise MotionloomError(
        f"Blender's package needs Python {known}, and neither was found",
        remedy="install one of them, or Blender itself",
    )


def _starts(python: str) -> bool:
    """Whether a Python really runs: version managers have commands for versions that are not installed."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def _run(command: list[str], purpose: str) -> str:
    """Run a program and return its output, or fail with the last line that it printed."""
    print_line(f"{Path(command[0]).name} {' '.join(command[1:])}", err=True)
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise MotionloomError(f"could not {purpose}: {command[0]} {error.strerror}") from None
    if ended.returncode != 0:
        lines = (ended.stderr or ended.stdout).strip().splitlines() or [f"exit code {ended.returncode}"]
        hint = f" (on Debian: apt install {LIBRARIES})" if "cannot open shared object" in lines[-1] else ""
        raise MotionloomError(f"could not {purpose}: {lines[-1]}{hint}")
    return ended.stdout
