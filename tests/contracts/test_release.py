"""What CI installs, and the list of it."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

import motionloom as ml

ROOT = Path(__file__).parents[2]


def test_every_dependency_of_ci_has_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = project["optional-dependencies"]
    wanted = [
        *project["dependencies"],
        *(name for extra in groups if extra != "bench" for name in groups[extra]),
    ]
    needed = {re.split(r"[^\w-]", name)[0].lower() for name in wanted} - {"motionloom"}
    lines = (ROOT / "constraints.txt").read_text().splitlines()[1:]
    pinned = {line.partition("==")[0].lower().replace("_", "-") for line in lines}
    assert needed - pinned == set()
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)
    assert len(pinned) == len(lines)


def test_the_audit_lists_versions_and_licences() -> None:
    listed = subprocess.run(
        [sys.executable, ROOT / "release/audit.py"], capture_output=True, text=True, check=False
    )
    rows = [line.split() for line in listed.stdout.splitlines()]
    numpy = next(row for row in rows if row[0] == "numpy")
    assert numpy[1] == __import__("numpy").__version__
    assert numpy[-1] == "base"
    assert "advisories: " in listed.stdout


def test_every_version_is_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["hatch"]["version"]["path"] == "src/motionloom/__init__.py"
    manifest = ROOT / "integrations/blender/motionloom_addon/blender_manifest.toml"
    assert "version" not in tomllib.loads(manifest.read_text()), "build.py adds it"
    assert f"version: {ml.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"## {ml.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_pictures_of_the_readme_are_small() -> None:
    assert (ROOT / "docs/images/blend.gif").stat().st_size < 300_000


def test_links_and_pictures_of_the_published_readme_are_whole() -> None:
    published = ProjectMetadata(str(ROOT), PluginManager()).core.readme
    targets = re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", published)
    links = [first or second for first, second in targets]
    assert len(links) > 40
    assert [link for link in links if not link.startswith("https://")] == []
    home = f"https://github.com/motionloom/motionloom/{{}}/v{ml.__version__}/{{}}"
    for link in (
        home.format("raw", "docs/images/blend.gif"),
        home.format("blob", "docs/start/install.md"),
        home.format("blob", "docs/blender.md#install"),
        home.format("blob", "README.md#file-formats"),
        home.format("tree", "examples"),
    ):
        assert link in links, link
    assert len(published.splitlines()) == len((ROOT / "README.md").read_text(encoding="utf-8").splitlines())


def test_the_sdist_holds_everything_that_is_tracked() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
    included = {*targets["sdist"]["include"], "pyproject.toml"}
    assert {line.partition("/")[0] for line in tracked.splitlines()} <= included


def test_only_wheels_are_built_with_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """An editable install would fetch 300 MB into an environment of its own: `make kernels` compiles."""
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT))
    backend = importlib.import_module("hatch_build")
    for package in ("numba", "ziglang"):
        assert any(name.startswith(package) for name in backend.get_requires_for_build_wheel())
        assert not any(name.startswith(package) for name in backend.get_requires_for_build_editable())
        assert not any(name.startswith(package) for name in backend.get_requires_for_build_sdist())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert not any(name.startswith("numba") for name in project["dependencies"])
    assert project["optional-dependencies"]["jit"] == ["numba>=0.61"]
