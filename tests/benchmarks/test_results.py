"""docs/results.md is of this version, and README.md quotes it."""

from __future__ import annotations

import pytest

import motionloom
from benchmarks import __main__ as benchmarks
from benchmarks.readme import README, VERSION, find_number, replace_table, write_table
from benchmarks.small import import_benchmark

RESULTS = benchmarks.RESULTS.read_text(encoding="utf-8")

PART = """# Results

What `make bench` printed: Motionloom 0.1.0, commit abc.

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


def test_the_results_are_of_this_version() -> None:
    found = VERSION.search(RESULTS)
    assert found is not None
    assert found[1] == motionloom.__version__, "run `make bench`, then `python -m benchmarks.readme`"


def test_a_figure_is_taken_from_its_own_part() -> None:
    assert find_number(PART, "files", r"^  motionloom load +([\d.]+) ms$") == "43.62"
    assert find_number(PART, "gltf", r"^  motionloom load +([\d.]+) ms$") == "1.00"


@pytest.mark.parametrize("results", ["nothing", PART])
def test_results_without_a_figure_or_a_version_are_refused(results: str) -> None:
    with pytest.raises(SystemExit, match=r"results\.md (does not say of which version|holds no such line)"):
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
