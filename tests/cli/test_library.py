"""`motionloom library`, from an empty folder to hits."""

from __future__ import annotations

from pathlib import Path

import pytest

import motionloom as ml
from motionloom.synthesis import kick, walk
from motionloom.viewer import is_built
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def takes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two takes, and beside it a table of descriptions."""
    folder = tmp_path_factory.mktemp("library") / "takes"
    folder.mkdir()
    ml.save(walk(duration=2.0, fps=30).clip, folder / "walk.npz")
    ml.save(kick(fps=30).clip, folder / "kick.npz")
    (folder.parent / "table.csv").write_text("take,description\nkick,a front kick\n")
    return folder


def test_add_list_search_and_check(run: Run, takes: Path, tmp_path: Path) -> None:
    library = tmp_path / "takes.library"
    ended = run(
        "library", "add", library, takes, "--descriptions", takes.parent / "table.csv", "--tag", "own"
    )
    assert (ended.code, "2 added" in ended.out) == (0, True)
    assert run("library", "add", library, takes, "--json").json()["unchanged"] == 2
    assert "a front kick, own" in run("library", "list", library, "kick").out
    assert [take["name"] for take in run("library", "list", library, "--json").json()] == ["kick", "walk"]
    query = (library, takes / "kick.npz", "--start", 0.2, "--end", 1.2)
    hit = run("library", "search", *query, "-k", 1, "--json").json()["hits"][0]
    assert (hit["take"], hit["start"], hit["end"]) == ("kick", 6, 37)
    ended = run("library", "search", library, "walk", "--end", 0.9, "-k", 2, "--save", tmp_path / "hits")
    assert "2 hits; the query's own poses lie" in ended.out
    assert len(list((tmp_path / "hits").glob("*.bvh"))) == 2
    assert run("library", "check", library).out == "everything is as it was written\n"
    assert "2 takes, 0.1 minutes" in run("library", "info", library).out
    assert run("library", "update", library, "--json").json()["unchanged"] == 2
    assert run("library", "remove", library, "walk").code == 0
    assert len(run("library", "list", library, "--json").json()) == 1


def test_many_queries_find_what_each_finds(run: Run, takes: Path, tmp_path: Path) -> None:
    library, options = tmp_path / "takes.library", ("--end", 0.9, "-k", 2)
    run("library", "add", library, takes)
    found = run("library", "search", library, takes, "walk", *options, "--json").json()
    assert [each["query"] for each in found] == ["kick", "walk", "walk_2"]
    for each, query in zip(found, (takes / "kick.npz", takes / "walk.npz", "walk"), strict=True):
        alone = run("library", "search", library, query, *options, "--json").json()
        assert each["hits"] == alone["hits"]
    ended = run("library", "search", library, "kick", "walk", *options, "--save", tmp_path / "hits")
    assert "kick:\n" in ended.out
    assert f"wrote 4 files into {tmp_path / 'hits'}" in ended.out
    assert len(list((tmp_path / "hits" / "walk").glob("*.bvh"))) == 2


def test_what_a_library_holds(run: Run, takes: Path, tmp_path: Path) -> None:
    library = tmp_path / "takes.library"
    ml.save(walk(duration=3.5, fps=30).clip, tmp_path / "walk.npz")
    assert run("library", "add", library, takes / "kick.npz", tmp_path / "walk.npz").code == 0
    links = run("library", "web", library, "walk", "--json").json()
    assert links
    assert links[0]["takes"] == ["walk", "walk"]
    assert f"{len(links)} links between 1 takes" in run("library", "web", library, "walk").out
    page = tmp_path / "summary.html"
    ended = run("library", "summary", library, "--near-duplicates", "--page", page)
    assert (ended.code, "2 takes" in ended.out, "0 groups of near-duplicates" in ended.out) == (0, True, True)
    assert "Strides by speed and turn" in page.read_text()
    assert run("library", "summary", library, "--json").json()["takes"] == 2
    assert "MB fewer" in run("library", "compact", library).out
    assert run("library", "export", library, tmp_path / "out", "walk", "--json").json() == [
        str(tmp_path / "out" / "walk.bvh")
    ]
    ended = run("library", "export", library, tmp_path / "out", "walk")
    assert (ended.code, "exists" in ended.complaint) == (1, True)


def test_files_that_cannot_be_read_are_named(run: Run, takes: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.bvh").write_text("HIERARCHY")
    ended = run("library", "add", tmp_path / "own", tmp_path / "broken.bvh", takes)
    assert ended.code == 1
    assert f"{tmp_path / 'broken.bvh'}: " in ended.err
    assert ended.complaint == "1 file could not be read; all others are in the library"
    assert run("library", "info", tmp_path / "own", "--json").json()["takes"] == 2


def test_wrong_calls(run: Run, takes: Path, tmp_path: Path) -> None:
    ended = run("library", "search", tmp_path / "none", "walk")
    assert (ended.code, "is no library: make one with" in ended.complaint) == (1, True)
    assert run("library", "create", tmp_path / "empty").code == 0
    ended = run("library", "search", tmp_path / "empty", "walk")
    assert (ended.code, "has no take 'walk'" in ended.complaint) == (2, True)
    ended = run("library", "search", tmp_path / "empty", takes / "walk.npz", "--start", 3)
    assert (ended.code, "are no part of a query of 2.00 s" in ended.complaint) == (2, True)
    ended = run("library", "add", tmp_path / "own", takes, "--descriptions", takes / "walk.npz")
    assert (ended.code, "cannot be read" in ended.complaint) == (1, True)
    (tmp_path / "table.csv").write_text("name,words\na,b\n")
    ended = run("library", "add", tmp_path / "own", takes, "--descriptions", tmp_path / "table.csv")
    assert "needs the columns take and description" in ended.complaint


def test_hits_are_shown_on_a_sheet(run: Run, takes: Path, tmp_path: Path) -> None:
    if not is_built():
        pytest.skip("the viewer's page is not built: run 'python studio/build_page.py'")
    library, page = tmp_path / "takes.library", tmp_path / "hits.html"
    run("library", "add", library, takes)
    ended = run("library", "search", library, "kick", "--end", 0.9, "-k", 3, "--sheet", page)
    assert (ended.code, f"wrote {page}" in ended.out) == (0, True)
    assert "Like kick" in page.read_text(encoding="utf-8")
    ended = run("library", "search", library, "kick", "--end", 0.9, "--sheet", page)
    assert (ended.code, "already exists" in ended.complaint) == (1, True)
    ended = run("library", "search", library, "kick", "--max-distance", 0, "--sheet", tmp_path / "none.html")
    assert ended.complaint == "there are no hits to show: allow a larger --max-distance"
