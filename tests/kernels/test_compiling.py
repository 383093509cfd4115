"""Kernels as machine code: the library's bits are Numba's, and it takes only what a kernel can take."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import motionloom as ml
from motionloom import kernels
from motionloom.blending import LiveBlend
from motionloom.kernels import compiling
from motionloom.kernels.array_types import Floats1, Floats2, OutFloats1
from motionloom.kernels.build_library import BuildError, compile_kernels, find_kernels
from motionloom.kernels.compiling import Kernel, bind, kernel
from motionloom.library.exact_search import find_cheapest_paths
from motionloom.library.signatures import bound_distances, make_windows, measure_distances, sign_windows
from motionloom.registration.distance import distance
from motionloom.synthesis import jog, walk
from tests.kernels import test_paint, test_route_search
from tests.registration.test_common_parts import local_path

needs_library = pytest.mark.skipif(
    compiling.open_library() is None, reason="no library of kernels was built: `make kernels` does"
)


def add_rows(rows: Floats2, first: int, positive: bool, out: OutFloats1) -> int:
    for i in range(first, rows.shape[0]):
        for j in range(rows.shape[1]):
            out[j] += rows[i, j] if positive else -rows[i, j]
    return int(rows.shape[0]) - first


def allocate(out: OutFloats1) -> None:
    numbers = np.empty(out.shape[0])
    numbers[0] = out[0]
    out[0] = numbers[0] + 1.0


ROWS = np.array([[9.0, 9.0], [1.0, 2.0], [10.0, 20.0]])


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """Lets a test look for libraries in another folder."""

    def look_in(folder: Path) -> None:
        monkeypatch.setattr(compiling, "FOLDER", folder)
        compiling.open_library.cache_clear()

    yield look_in
    monkeypatch.undo()
    compiling.open_library.cache_clear()


def use_kernels(folder: Path) -> None:
    """Do what calls all kernels."""
    rng = np.random.default_rng(0)
    clips = [walk(duration=2.0, fps=30).clip, jog(duration=2.0, fps=30).clip]
    ml.save(clips[0], folder / "walk.bvh")
    ml.enforce(ml.annotate(ml.repair(ml.load(folder / "walk.bvh"))))
    distance(clips[0], clips[1], placements=True)
    curve = ml.register(clips)
    ml.blend(curve, [0.3, 0.7])
    live = LiveBlend(curve)
    kernels.advance.rate(
        rng.random((5, 2)).cumsum(0), False, np.empty((0, 4)), np.array([0.5, 0.5]), np.ones(2), 0.2, 0.5, 0
    )
    live.step(1 / 60, [0.2, 0.8])
    kernels.advance.flight_fractions(np.array([[0.0, 1.0, 1.0, 1.0]]), 10, rng.random(5) * 3.0, np.empty(5))
    three = [rng.random((2, 3)) for _ in range(4)]
    kernels.place.vote(
        three[0], three[1], three[2], 1, three[3], np.array([0.4, 0.6]), np.ones(3), np.ones(3)
    )
    rows, numbers = rng.normal(size=(10, 8)), rng.random(3)
    kernels.average.average_rotations(
        *(
            rows,
            np.array([1, 4, 6]),
            np.ones((3, 2), np.int8),
            numbers,
            numbers,
            np.empty((0, 3)),
            numbers,
            0.3,
        ),
        *(np.empty(8), np.empty(2)),
    )
    kernels.hand_over.hand_over(
        *(rng.normal(size=(3, 4)), np.full(3, 1 / 3), 0.1, 0.1, 0.4),
        *(np.zeros(4), np.ones(3), np.empty((3, 4)), np.empty(3)),
    )
    kernels.route_steps.wrap(7.0)
    kernels.advance.ballistic_fraction(1.5, 1.0)
    local_path(rng.normal(size=(9, 11)))
    test_paint.test_a_polygon_covers_its_area()
    test_paint.test_a_line_of_one_pixel_by_hand()
    test_route_search._search(test_route_search.TinyGraph.of(0), test_route_search._path(0.3, 1.5))
    test_route_search.test_travel_to_a_moment_goes_through_other_takes()
    windows = make_windows(rng.normal(size=(30, 17, 3)), 30)
    signatures, n = sign_windows(windows), windows.heights.shape[1]
    find_cheapest_paths(measure_distances(windows, windows), np.full(n, 1.0 / n))
    bound_distances(signatures, signatures)
    flat = np.ascontiguousarray(signatures).ravel()
    library = ml.Library(folder / "takes.library")
    library.add(folder / "walk.bvh")
    library.search(clips[1], k=2)
    joined = np.ascontiguousarray(np.stack([*windows.ground, windows.heights]).transpose(2, 0, 1))
    take = flat, joined, np.sum(windows.ground**2, axis=(0, 1))
    cells, distances = np.zeros((n * n, 2), np.int64), np.zeros(n * n)
    count = kernels.match_web.find_minima(
        *(*take, *take, 1e9, 1, 0, n, np.empty((3, n + 2)), np.empty((3, n), np.float32), cells, distances)
    )
    kernels.match_web.chain_minima(
        *(cells[:count].copy(), distances[:count].copy(), 1, np.empty(count, np.bool_)),
        *(np.zeros(count, np.int64), np.zeros(count + 1, np.int64)),
    )


@needs_library
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_every_kernel_gives_the_bits_of_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: dict[str, list[Any]] = {}
    fit = Kernel._fit

    def record(self: Kernel, arguments: Any) -> tuple[list[Any], list[Any]]:
        fitted, passed = fit(self, arguments)
        if len(calls.setdefault(self.symbol, [])) < 3:
            calls[self.symbol].append([np.array(a) if isinstance(a, np.ndarray) else a for a in fitted])
        return fitted, passed

    with monkeypatch.context() as patch:
        patch.setattr(Kernel, "_fit", record)
        use_kernels(tmp_path)
    assert set(calls) == {each.symbol for each in find_kernels()}
    # Of the live blend only the start was recorded: let it move.
    calls["live_blend_step"][0][24] = np.array([0.7, np.inf])
    for each in find_kernels():
        compiled = each.compile(cache=True)
        for recorded in calls[each.symbol]:
            own, numbas = ([np.array(a) if isinstance(a, np.ndarray) else a for a in recorded] for _ in "ab")
            result = each(*own)
            assert each._is_native
            np.testing.assert_equal(result, compiled(*numbas), each.symbol)
            for a, b in zip(own, numbas, strict=True):
                assert not isinstance(a, np.ndarray) or a.tobytes() == b.tobytes(), each.symbol


@needs_library
def test_a_library_of_other_sources_is_not_used(fresh: Callable[[Path], None], tmp_path: Path) -> None:
    shutil.copytree(compiling.FOLDER, tmp_path / "same")
    shutil.copytree(compiling.FOLDER, tmp_path / "other")
    for path in (tmp_path / "other").iterdir():
        content = path.read_bytes()
        digest = compiling.digest_sources().encode()
        assert content.count(digest) == 1
        path.write_bytes(content.replace(digest, digest[::-1]))
    fresh(tmp_path / "same")
    assert compiling.open_library() is not None
    fresh(tmp_path / "other")
    assert compiling.open_library() is None


@pytest.mark.parametrize("content", [None, b"", b"no library"])
def test_where_no_library_can_be_opened_there_is_none(
    fresh: Callable[[Path], None], tmp_path: Path, content: bytes | None
) -> None:
    for level in compiling.LEVELS if content is not None else ():
        (tmp_path / f"{level}{compiling.ENDING}").write_bytes(content or b"")
    fresh(tmp_path)
    assert compiling.open_library() is None


@pytest.mark.parametrize("setting", compiling.NUMBA_ONLY)
def test_settings_of_numba_leave_kernels_to_it(
    fresh: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    fresh(compiling.FOLDER)
    monkeypatch.setenv(setting, "1")
    assert compiling.open_library() is None


def test_inputs_that_are_strided_are_copied() -> None:
    flights, out = np.array([[0.0, 1.0, 1.0, 1.0]]), np.empty(2)
    kernels.advance.flight_fractions(flights, 10, np.array([0.5, 9.0, 1.5, 9.0])[::2], out)
    assert out.tolist() == [1.0, 0.5]


@pytest.mark.parametrize(
    ("out", "error", "said"),
    [
        (np.empty(4)[::2], ValueError, "'out' is written to: it must be contiguous and writeable"),
        (np.broadcast_to(np.empty(1), 2), ValueError, "'out' is written to"),
        (np.empty(2, np.float32), TypeError, "'out' must have 1 dimensions of float64, not 1 of float32"),
        (np.empty((2, 1)), TypeError, "'out' must have 1 dimensions of float64, not 2 of float64"),
        ([0.0, 0.0], TypeError, "'out' must be an array, not list"),
    ],
)
def test_outputs_that_cannot_be_written_are_refused(out: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        kernels.advance.flight_fractions(np.empty((0, 4)), 10, np.zeros(2), out)


def test_arguments_are_counted() -> None:
    with pytest.raises(TypeError, match="the kernel flight_fractions takes 4 arguments, not 3"):
        kernels.advance.flight_fractions(np.empty((0, 4)), 10, np.zeros(2))  # type: ignore[call-arg]


def test_bound_kernels_see_what_arrays_hold() -> None:
    flights, positions, out = np.array([[0.0, 1.0, 1.0, 1.0]]), np.array([0.5]), np.empty(1)
    run = bind(kernels.advance.flight_fractions, flights, 10, positions, out)
    del flights
    run()
    assert out.tolist() == [1.0]
    positions[0] = 1.5
    run()
    assert out.tolist() == [0.5]
    with pytest.raises(ValueError, match="must be contiguous"):
        bind(kernels.advance.flight_fractions, np.empty((0, 4)), 10, np.zeros(4)[::2], np.empty(2))


def test_kernels_that_only_kernels_call_say_so() -> None:
    with pytest.raises(TypeError, match="only kernels can call taps"):
        kernels.average.taps(0.5)


@pytest.mark.slow
def test_numba_compiles_what_no_library_has() -> None:
    compiled, out = kernel(add_rows), np.zeros(2)
    assert compiled(ROWS, 1, True, out) == 2
    assert out.tolist() == [11.0, 22.0]
    assert not compiled._is_native  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_cache_that_numba_cannot_use_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numba = pytest.importorskip("numba")
    (tmp_path / "cache").write_text("a file where the folder is to be")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    out = np.zeros(2)
    assert kernel(add_rows)(ROWS, 1, False, out) == 2
    assert out.tolist() == [-11.0, -22.0]


@pytest.mark.slow
def test_kernels_that_allocate_are_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    numba = pytest.importorskip("numba")
    monkeypatch.setattr(numba.config, "CPU_NAME", numba.config.CPU_NAME)  # put back what the build changes
    monkeypatch.setattr(numba.config, "CPU_FEATURES", numba.config.CPU_FEATURES)
    monkeypatch.setattr("motionloom.kernels.build_library.find_kernels", lambda: [kernel(allocate)])
    with pytest.raises(BuildError, match=r"kernels call NRT_MemInfo_alloc.*: they may not allocate"):
        compile_kernels("x86-64-v2")


def test_inputs_are_typed_so_that_numba_refuses_to_write_to_them() -> None:
    def write(rows: Floats1) -> None:
        rows[0] = 1.0

    numba = pytest.importorskip("numba")
    with pytest.raises(numba.core.errors.TypingError, match="Cannot modify readonly array"):
        cast(Kernel, kernel(write)).compile()
