"""List what is installed: versions, licences and known advisories, where a database of them can be reached.

``python release/audit.py`` exits with 1 if an advisory is known for a package. It says so where none could be
asked for.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata

PACKAGE = "motionloom"
MAX_LICENCE = 40
"""Characters of a licence that are shown; some packages state the whole text."""


def main() -> int:
    """Print the list; 1 where an advisory is known."""
    needed = find_requirements()
    width = max(len(name) for name in needed)
    for name, why in sorted(needed.items()):
        installed = metadata.distribution(name)
        print(
            f"{name:<{width}}  {installed.version:<16}  {describe_licence(installed):<{MAX_LICENCE}}  {why}"
        )
    print(f"{len(needed)} packages")
    return report_advisories()


def find_requirements() -> dict[str, str]:
    """Return the installed packages that the project needs, directly or not, and by which extra."""
    found: dict[str, str] = {}
    for extra in ("", *sorted(metadata.metadata(PACKAGE).get_all("Provides-Extra") or ())):
        waiting = [(PACKAGE, extra)]
        while waiting:
            name, wanted = waiting.pop()
            for requirement in metadata.requires(name) or ():
                needed = re.match(r"[\w.-]+", requirement)
                condition = re.search(r"extra\s*==\s*['\"]([\w-]+)", requirement)
                if needed is None or (condition[1] if condition else "") not in ("", wanted):
                    continue
                key = needed[0].lower().replace("_", "-")
                if key not in found and key != PACKAGE and is_installed(key):
                    found[key] = extra or "base"
                    waiting.append((key, ""))
    return found


def is_installed(name: str) -> bool:
    """Return whether a package is here; those for other systems are not."""
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def describe_licence(installed: metadata.Distribution) -> str:
    """Return the licence that a package states, on one line."""
    stated = installed.metadata
    classifiers = [line for line in stated.get_all("Classifier") or () if line.startswith("License ::")]
    named = [line.rpartition(":: ")[2] for line in classifiers]
    written = [text for key in ("License-Expression", "License") for text in stated.get_all(key) or ()]
    short = [text for text in written if text and "\n" not in text]
    text = next(iter([*short[:1], *named, *short, "not stated"]))
    return text if len(text) <= MAX_LICENCE else f"{text[: MAX_LICENCE - 1]}…"


def report_advisories() -> int:
    """Print the advisories that pip-audit knows; 1 where there are any."""
    if not is_installed("pip-audit"):
        print("advisories: not asked for, because pip-audit is not installed")
        return 0
    ended = subprocess.run(
        [sys.executable, "-m", "pip_audit", "--skip-editable", "--progress-spinner", "off"],
        capture_output=True,
        text=True,
        check=False,
    )
    if "No known vulnerabilities" in ended.stderr:
        print("advisories: none known")
        return 0
    if ended.stdout.strip():
        print(ended.stdout)
        return 1
    reason = (ended.stderr.strip().splitlines() or ["no answer"])[-1][:200]
    print(f"advisories: no database could be reached ({reason})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
