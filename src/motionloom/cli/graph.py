"""`motionloom graph`: join takes by transitions, and make motion that goes on for ever."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.graph_paths import follow, goto
from motionloom.cli.library_options import connect, jobs, open_library, scheduler
from motionloom.cli.options import ANY_PATH, Command, as_json, force, option, output_file, parse_named
from motionloom.cli.output import (
    all_or_nothing,
    check_motion_file,
    check_plot,
    print_result,
    print_written,
    progress,
    refuse_existing,
)
from motionloom.cli.reading import Reader, print_losses, reading_options
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.graphs.graph import MotionGraph
    from motionloom.library.take import Take
    from motionloom.motion import Clip

graph_file = click.argument("graph", type=ANY_PATH, metavar="GRAPH")


@click.group()
def graph() -> None:
    """Join takes by transitions, and make motion that goes on for ever.

    `build` finds, makes and measures the transitions between takes; `walk` wanders through them,
    `follow` goes along a drawn line, and `goto` to a place.
    """


graph.add_command(follow)
graph.add_command(goto)


@graph.command(cls=Command)
@click.argument("files", nargs=-1, type=ANY_PATH)
@output_file
@option("--library", type=ANY_PATH, metavar="LIBRARY", help="A library whose takes to join.")
@option(
    "--word",
    "words",
    multiple=True,
    metavar="WORD",
    help="Takes of the library with this word as a tag, in their name or description; can be repeated.",
)
@option(
    "--tag",
    "tags",
    multiple=True,
    metavar="LABEL=PATTERN",
    help="Label takes whose names match, such as run=*_jog*; can be repeated.",
)
@option("--threshold", type=float, metavar="M", help="Largest distance of poses that meet, metres.")
@option("--keep", type=float, default=0.9, metavar="X", help="Fraction of frames to keep if it is chosen.")
@option(
    "--density",
    type=int,
    metavar="N",
    help="Transitions from and to each second of a take. [default: more the fewer takes there are]",
)
@option("--carry/--no-carry", default=True, help="Save the takes with the graph.")
@jobs
@scheduler
@reading_options
@force
@as_json
def build(
    files: Sequence[Path],
    output: Path,
    library: Path | None,
    words: tuple[str, ...],
    tags: tuple[str, ...],
    threshold: float | None,
    keep: float,
    density: int | None,
    carry: bool,
    jobs: int,
    scheduler: str | None,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Build a motion graph from takes and save it as .npz.

    The takes are in FILES, which may be folders or patterns too, or in a library.
    """
    from motionloom.files.process_files import collect_files
    from motionloom.graphs.graph import MotionGraph

    refuse_existing([output], force)
    if output.suffix.lower() != ".npz":
        raise ParameterError("a motion graph is saved as .npz", subject=str(output))
    found = collect_files(files, None) if files else []
    # A graph that is built again may lie beside its takes.
    paths = [path for path, _ in found if path.resolve() != output.resolve()]
    takes: list[Clip | Take] = [reader.read(path) for path in paths]
    names = [path.stem for path in paths]
    if library is not None:
        chosen = [take for take in open_library(library).takes if not words or any(map(take.has_word, words))]
        takes += chosen
        names += [take.name for take in chosen]
    elif words:
        raise ParameterError("--word chooses takes of a library", remedy="name it with --library")
    if not takes:
        raise ParameterError("name files, or a library with --library, whose takes to join")
    with progress("transitions", quiet=as_json) as show, connect(scheduler) as executor:
        result = MotionGraph(
            takes,
            threshold=threshold,
            keep=keep,
            density=density,
            names=names,
            tags=_find_labels(names, tags) if tags else None,
            jobs=jobs,
            executor=executor,
            progress=show,
        )
    with all_or_nothing([output]):
        result.save(output, carry=carry, overwrite=force)
    print_result("motion graph", {"wrote": str(output)} | _facts(result), _notes(result), as_json)


def _find_labels(names: Sequence[str], tags: Sequence[str]) -> list[list[str]]:
    """Return the labels of each take, of patterns such as ``run=*_jog*``."""
    patterns = [parse_named("--tag", text, "LABEL=PATTERN") for text in tags]
    for label, pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise ParameterError(f"--tag {label}={pattern} matches none of the takes")
    return [[label for label, pattern in patterns if fnmatchcase(name, pattern)] for name in names]


@graph.command(cls=Command)
@graph_file
@as_json
def info(graph: Path, as_json: bool) -> None:
    """Show what a motion graph holds: frames kept, transitions, and how long from any moment to any other."""
    from motionloom.graphs.graph_file import load_graph

    opened = load_graph(graph)
    print_result(str(graph), _facts(opened), _notes(opened), as_json)


@graph.command(cls=Command)
@graph_file
@output_file
@option("--duration", type=float, default=60.0, metavar="S", help="Seconds of motion.")
@option("--seed", type=int, default=0, metavar="N", help="Another number gives another walk.")
@option("--start", metavar="TAKE", show_default="any", help="Name of the take to start in.")
@option("--plant/--no-plant", default=True, help="Keep planted feet in place.")
@force
@as_json
def walk(
    graph: Path,
    output: Path,
    duration: float,
    seed: int,
    start: str | None,
    plant: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Make the motion of a random walk through GRAPH."""
    from motionloom.files import save
    from motionloom.graphs.graph_file import load_graph

    check_motion_file(output)
    refuse_existing([output], force)
    result = load_graph(graph).walk(duration, seed, start=start, plant=plant)
    with all_or_nothing([output]):
        save(result.clip, output, overwrite=force)
    print_losses(result.clip, output)
    facts = {
        "wrote": str(output),
        "frames": result.clip.n_frames,
        "seconds": round(result.clip.duration, 2),
        "transitions": len(result.report.seams) // 2,
        "takes": result.weights.shape[1],
    }
    print_result("random walk", facts, result.report.notes, as_json)


@graph.command("map", cls=Command)
@graph_file
@output_file
@force
@as_json
def draw_map(graph: Path, output: Path, force: bool, as_json: bool) -> None:
    """Plot GRAPH: its takes over time, what is kept of them, and the transitions between them."""
    from motionloom.display import plot
    from motionloom.graphs.graph_file import load_graph

    check_plot(output)
    refuse_existing([output], force)
    plot.graph(load_graph(graph), output, overwrite=force)
    print_written([output], as_json)


def _facts(graph: MotionGraph) -> dict[str, Any]:
    report = graph.report
    return {
        "takes": len(graph.nodes),
        "seconds": round(report.duration, 1),
        "transitions": len(graph.edges),
        "per_minute": round(report.edges_per_minute),
        "threshold_cm": round(100.0 * report.threshold, 2),
        "frames_kept": f"{report.frames_kept} of {report.frames}",
        "core_percent": round(100.0 * report.core_fraction, 1),
        "median_seconds_to_anywhere": round(report.median_time, 2),
        "max_seconds_to_anywhere": round(report.max_time, 2),
        "tried": report.tried,
        "not_good_enough": dict(report.rejections),
        "labels_kept_percent": {tag: round(100.0 * kept, 1) for tag, kept in report.tags},
    }


def _notes(graph: MotionGraph) -> list[str]:
    return [*graph.report.notes, *graph.report.lost]
