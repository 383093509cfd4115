from __future__ import annotations

import sys
from pathlib import Path

import pytest

if sys.platform == "linux":
    import resource

    import numpy as np

    from motionloom.studio.memory import bounded_memory, memory_of_machine

    @pytest.mark.parametrize("content", [None, "max\n", "nonsense"])
    def test_without_a_container_all_memory_counts(tmp_path: Path, content: str | None) -> None:
        container = tmp_path / "memory.max"
        if content is not None:
            container.write_text(content)
        with open("/proc/meminfo") as facts:
            total = int(facts.readline().split()[1]) * 1024
        assert memory_of_machine(container) == pytest.approx(total, rel=0.01)

    def test_a_container_has_what_it_is_given(tmp_path: Path) -> None:
        (tmp_path / "memory.max").write_text("123456789\n")
        assert memory_of_machine(tmp_path / "memory.max") == 123456789

    def test_what_is_too_large_fails_and_the_bound_goes_again() -> None:
        before = resource.getrlimit(resource.RLIMIT_DATA)
        with bounded_memory(0.5), pytest.raises(MemoryError):
            np.zeros(memory_of_machine() // 8)
        assert resource.getrlimit(resource.RLIMIT_DATA) == before

    def test_a_bound_that_is_there_already_is_not_widened() -> None:
        before = resource.getrlimit(resource.RLIMIT_DATA)
        narrow = memory_of_machine() // 2
        resource.setrlimit(resource.RLIMIT_DATA, (narrow, before[1]))
        try:
            with bounded_memory(0.9):
                assert resource.getrlimit(resource.RLIMIT_DATA)[0] == narrow
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, before)
