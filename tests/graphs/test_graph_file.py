"""Saved graphs: nothing is lost, takes are carried or found again, damaged files give sentences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError, ParameterError
from motionloom.graphs.graph import MotionGraph
from motionloom.synthesis import walk


def test_a_graph_is_read_as_it_was_saved(gaits: MotionGraph, tmp_path: Path) -> None:
    ml.save(gaits, tmp_path / "gaits.npz")
    read = ml.load(tmp_path / "gaits.npz", ml.MotionGraph)
    assert read.report == gaits.report
    assert [(n.name, n.tags) for n in read.nodes] == [(n.name, n.tags) for n in gaits.nodes]
    for own, other in zip(read.edges, gaits.edges, strict=True):
        assert (own.source, own.departure, own.target, own.landing) == (
            other.source,
            other.departure,
            other.target,
            other.landing,
        )
        assert own.displacement == other.displacement
        assert own.clip.content_hash(annotations=False) == other.clip.content_hash(annotations=False)
        for mine, theirs in zip(own.clip.constraints, other.clip.constraints, strict=True):
            assert (mine.joint, mine.kind) == (theirs.joint, theirs.kind)
            assert np.allclose([mine.start, mine.end], [theirs.start, theirs.end], atol=1e-9)
        assert np.array_equal(own.frames, other.frames)
    a, b = (graph.walk(6.0, seed=2, plant=False).clip for graph in (read, gaits))
    assert a.content_hash(annotations=False) == b.content_hash(annotations=False)


def test_takes_can_stay_in_their_files(tmp_path: Path) -> None:
    ml.save(walk(duration=5.0, fps=30).clip, tmp_path / "walk.npz")
    graph = MotionGraph([ml.load(tmp_path / "walk.npz")])
    graph.save(tmp_path / "light.npz", carry=False)
    ml.save(graph, tmp_path / "whole.npz")
    assert (tmp_path / "light.npz").stat().st_size < (tmp_path / "whole.npz").stat().st_size
    assert len(ml.load(tmp_path / "light.npz", ml.MotionGraph).edges) == len(graph.edges)
    (tmp_path / "walk.npz").unlink()
    with pytest.raises(FileFormatError, match="keep the takes where they were"):
        ml.load(tmp_path / "light.npz", ml.MotionGraph)
    ml.save(walk(duration=6.0, fps=30).clip, tmp_path / "walk.npz")
    with pytest.raises(FileFormatError, match="differs from the one that the graph was made of"):
        ml.load(tmp_path / "light.npz", ml.MotionGraph)
    assert len(ml.load(tmp_path / "whole.npz", ml.MotionGraph).edges) == len(graph.edges)


def test_takes_that_were_never_in_a_file_must_be_carried(gaits: MotionGraph, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="save the graph with its takes"):
        gaits.save(tmp_path / "gaits.npz", carry=False)


def test_files_of_other_kinds_are_refused(gaits: MotionGraph, tmp_path: Path) -> None:
    ml.save(gaits.nodes[0].clip, tmp_path / "clip.npz")
    with pytest.raises(FileFormatError, match="holds a Clip, not a MotionGraph: expect a Clip"):
        ml.load(tmp_path / "clip.npz", ml.MotionGraph)
    ml.save(gaits, tmp_path / "gaits.npz")
    with pytest.raises(FileFormatError, match="holds a MotionGraph, not a Clip: expect a MotionGraph"):
        ml.load(tmp_path / "gaits.npz", ml.Clip)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        (0, 99.0, "do not fit its takes"),
        (1, -1.0, "do not fit its takes"),
        (1, 0.5, "table of transitions is damaged"),
        (4, 3.0, "do not have the frames that they claim"),
    ],
)
def test_edges_that_do_not_fit_are_refused(
    gaits: MotionGraph, tmp_path: Path, column: int, value: float, message: str
) -> None:
    from motionloom.files.native.archive import read_archive, write_archive
    from motionloom.graphs.graph_file import FORMAT

    path = gaits.save(tmp_path / "gaits.npz")
    header, arrays = read_archive(path, FORMAT, 1)
    table = np.array(arrays["table"])
    table[0, column] = value
    write_archive(path, header.values, {**arrays, "table": table}, overwrite=True)
    with pytest.raises(FileFormatError, match=message):
        ml.load(path, ml.MotionGraph)


def test_a_graph_that_leads_nowhere_is_refused(gaits: MotionGraph, tmp_path: Path) -> None:
    edge = next(e for e in gaits.edges if e.landing <= e.departure or e.source != e.target)
    dead = MotionGraph.restore(gaits.nodes, [replace(edge, departure=5, landing=100)], gaits.report)
    with pytest.raises(FileFormatError, match="lead nowhere"):
        ml.load(dead.save(tmp_path / "dead.npz"), ml.MotionGraph)
