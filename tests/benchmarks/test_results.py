"""README.md quotes docs/results.md, and says of which version its figures are."""

from __future__ import annotations

from subprocess import CompletedProcess

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks.bounds import MISSED
from benchmarks.readme import README, RUN, find_number, replace_table, write_table
from benchmarks.small import import_benchmark
from motionloom import __version__

RESULTS = benchmarks.RESULTS.read_text(encoding="utf-8")

PART = """# Results

What `make bench` printed on 2026-11-15: Motionloom 0.1.0, commit abc, Python 3.11.7.

## files

```text
  motionloom load     43.62 ms
  other load         415.00 ms      9.52 × ours
```

## gltf

  motionloom load     1.00 ms
"""


def test_readme_quotes_the_results() -> None:
    readme = README.read_text(encoding="utf-8")
    assert readme == replace_table(readme, RESULTS), "run `python -m benchmarks.readme`"


def test_readme_says_of_which_run_its_figures_are() -> None:
    found = RUN.search(RESULTS)
    assert found is not None
    first_line = write_table(RESULTS).splitlines()[0]
    assert f"version {found['version']}" in first_line
    assert f"on {found['day']}" in first_line
    assert first_line in README.read_text(encoding="utf-8")


def test_the_results_are_of_this_version() -> None:
    found = RUN.search(RESULTS)
    assert found is not None
    assert found["version"] == __version__, "run `make bench` on a machine that does nothing else"
    assert found["commit"] is not None


def test_what_missed_its_bound_is_among_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = CompletedProcess([], MISSED, "a table\nmissed: some clips did not come back\n", "")
    monkeypatch.setattr("subprocess.run", lambda *_, **__: ran)
    part = benchmarks.run("gltf", small=True)
    assert part is not None
    assert "missed: some clips did not come back" in part
    monkeypatch.setattr("subprocess.run", lambda *_, **__: CompletedProcess([], 1, "", "no"))
    assert benchmarks.run("gltf", small=True) is None
    head = benchmarks.write_head(14.2, ["files"], ["gltf"])
    assert "These benchmarks failed: files." in head
    assert "These benchmarks missed their bounds: gltf." in head


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("printed on 2026-11-15: Motionloom 0.1.0, Python 3.11.7", "version 0.1.0 on 2026-11-15 "),
        (
            "printed on 2026-11-19 in 14 minutes: Motionloom 0.2.0, commit abc with changes, Python 3.11.7",
            "version 0.2.0, commit abc with changes, on 2026-11-19 ",
        ),
    ],
)
def test_the_run_is_read_from_the_head(head: str, said: str) -> None:
    results = RESULTS.replace(RESULTS[: RESULTS.index("\n## ")], f"# Results\n\n{head}.\n")
    assert said in write_table(results).splitlines()[0]


def test_a_figure_is_taken_from_its_own_part() -> None:
    assert find_number(PART, "files", r"^  motionloom load +([\d.]+) ms$") == "43.62"
    assert find_number(PART, "gltf", r"^  motionloom load +([\d.]+) ms$") == "1.00"


@pytest.mark.parametrize("results", ["nothing", PART])
def test_results_without_a_figure_or_a_version_are_refused(results: str) -> None:
    with pytest.raises(
        SystemExit, match=r"results\.md (does not say of which version and day|holds no such line)"
    ):
        write_table(results)


def test_unknown_benchmarks_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        benchmarks.main(["lodaing"])
    assert "there is no benchmark lodaing; there are start, files, loading" in capsys.readouterr().err


def test_every_benchmark_says_what_it_is_about() -> None:
    for name in benchmarks.MODULES:
        module = import_benchmark(name)
        assert callable(module.main)
        assert (module.__doc__ or "").strip(), name
