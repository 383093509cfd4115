"""Find Blender: the program, or a Python that has the package ``bpy``."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from motionloom.errors import MotionloomError

BLENDER_VARIABLE = "MOTIONLOOM_BLENDER"
"""Environment variable that names the Blender program, or a Python that has ``bpy``."""

BPY_VERSIONS = {(3, 11): "4.5.15", (3, 13): "5.2.3"}
"""The release of ``bpy`` for each Python version that has one."""

WORKER = Path(__file__).with_name("worker.py")
"""The script that reads and writes FBX files inside Blender."""


def environment_folder() -> Path:
    """Return the folder of the environment that ``motionloom install-fbx`` makes, in the user's cache."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "motionloom" / "blender"


def environment_python(folder: Path) -> Path:
    """Return the Python of an environment."""
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def blender_command(script: Path) -> list[str]:
    """Return the command that runs a script inside Blender, without the script's arguments.

    Tried are, in this order: what the environment variable ``MOTIONLOOM_BLENDER`` names, the environment
    of ``motionloom install-fbx``, ``bpy`` in this Python, and the program ``blender``.
    """
    named = os.environ.get(BLENDER_VARIABLE)
    if named:
        if shutil.which(named) is None:
            raise MotionloomError(
                f"{BLENDER_VARIABLE} names {named}, which is not a program: correct or unset it"
            )
        return _command_for(named, script)
    own = environment_python(environment_folder())
    if own.is_file():
        return _command_for(str(own), script)
    if find_spec("bpy") is not None:
        return _command_for(sys.executable, script)
    found = shutil.which("blender")
    if found is not None:
        return _command_for(found, script)
    raise MotionloomError(
        "FBX files are read and written through Blender, which was not found",
        remedy="run 'motionloom install-fbx', "
        f"or name the Blender program in the environment variable {BLENDER_VARIABLE}",
    )


def is_blender_there() -> bool:
    """Whether Blender was found."""
    try:
        blender_command(WORKER)
    except MotionloomError:
        return False
    return True


def _command_for(program: str, script: Path) -> list[str]:
    """Blender needs options before the script and two dashes after it; a Python just runs it."""
    if "python" in Path(program).name.lower():
        return [program, "-P", str(script), "--"]
    quiet = ["--background", "--factory-startup", "--disable-autoexec", "--python-exit-code", "1"]
    return [program, *quiet, "--python", str(script), "--"]
