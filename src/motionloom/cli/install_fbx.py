"""`motionloom install-fbx`: an environment with Blender, through which FBX files are read and written."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import click

from motionloom.atomic_write import make_folder
from motionloom.errors import MotionloomError
from motionloom.files.fbx.blender import BPY_VERSIONS, environment_folder, environment_python

DOWNLOAD, INSTALLED = "370 MB", "920 MB"
"""What is loaded, and what it takes on the disk."""

LIBRARIES = "libx11-6 libxrender1 libxfixes3 libxi6 libxkbcommon0 libsm6 libgl1"
"""Debian's packages with the system libraries that Blender loads, which a server may lack."""

CHECK = "import bpy; print(bpy.app.version_string)"


@click.command("install-fbx")
@click.option("--yes", is_flag=True, help="Do not ask before loading.")
@click.option("--force", is_flag=True, help="Make the environment again where there is one.")
def install_fbx(yes: bool, force: bool) -> None:
    """Make an environment with Blender, through which FBX files are read and written.

    Blender's Python package needs an environment of its own. It is made in the user's cache folder and found
    there without further settings; removing the folder removes it. An installed Blender does as well: name
    its program in the environment variable MOTIONLOOM_BLENDER.
    """
    folder = environment_folder()
    if environment_python(folder).is_file() and not force:
        click.echo(f"{folder} is there already: --force makes it again")
        return
    python, version = _python_for_bpy()
    if not yes:
        click.confirm(f"Load Blender {version} ({DOWNLOAD}, {INSTALLED} in {folder})?", abort=True, err=True)
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
    click.echo(f"Blender {found} is in {folder}: FBX files can be read and written now")


def _python_for_bpy() -> tuple[str, str]:
    """A Python that Blender's package exists for, this one if possible, and the release for it."""
    own = sys.version_info[:2]
    if own in BPY_VERSIONS:
        return sys.executable, BPY_VERSIONS[own]
    for (major, minor), version in BPY_VERSIONS.items():
        found = shutil.which(f"python{major}.{minor}")
        if found is not None and _starts(found):
            return found, version
    known = " and ".join(f"{major}.{minor}" for major, minor in BPY_VERSIONS)
    raise MotionloomError(
        f"Blender's package exists for Python {known}, and none of them was found: install one of them, or "
        "Blender itself"
    )


def _starts(python: str) -> bool:
    """Whether a Python really is there: version managers have commands for all that they know."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def _run(command: list[str], purpose: str) -> str:
    """Run a program and give its output, or fail with the last line that it said."""
    click.echo(f"{Path(command[0]).name} {' '.join(command[1:])}", err=True)
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise MotionloomError(f"could not {purpose}: {command[0]} {error.strerror}") from None
    if ended.returncode != 0:
        said = (ended.stderr or ended.stdout).strip().splitlines() or [f"exit code {ended.returncode}"]
        hint = f" (on Debian: apt install {LIBRARIES})" if "cannot open shared object" in said[-1] else ""
        raise MotionloomError(f"could not {purpose}: {said[-1]}{hint}")
    return ended.stdout
