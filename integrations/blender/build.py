"""Build the add-on's zip: ``python integrations/blender/build.py [FOLDER]``, into ``dist`` by default.

The zip installs as an extension of Blender 4.2 and later, and as an add-on of the older kind.
"""

from __future__ import annotations

import sys
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE / "motionloom_addon"
LICENSE = HERE.parents[1] / "LICENSE"
MANIFEST = "blender_manifest.toml"

_READABLE_BY_ALL = 0o644 << 16


def build(folder: Path) -> Path:
    """Write the zip into a folder and return its path; equal content makes equal zips."""
    manifest = tomllib.loads((PACKAGE / MANIFEST).read_text(encoding="utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{manifest['id']}-{manifest['version']}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in (PACKAGE / MANIFEST, LICENSE, *sorted(PACKAGE.glob("*.py"))):
            member = zipfile.ZipInfo(f"{PACKAGE.name}/{file.name}")
            member.external_attr = _READABLE_BY_ALL
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, file.read_bytes())
    return path


if __name__ == "__main__":
    print(build(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")))
