"""`motionloom library search`: find what resembles one motion or many."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from motionloom.atomic_write import make_folder
from motionloom.cli.library_options import connect, folder, jobs, open_library, scheduler
from motionloom.cli.options import ANY_PATH, Command, as_json, force, option
from motionloom.cli.output import print_json, print_line, progress, refuse_existing
from motionloom.errors import MotionloomError, ParameterError

if TYPE_CHECKING:
    from motionloom.library.hits import Hit, Hits
    from motionloom.library.library import Library
    from motionloom.library.take import Segment
    from motionloom.motion import Clip


@click.command(cls=Command)
@folder
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...")
@option("--start", type=float, default=0.0, metavar="SECONDS", help="Where in the query to start.")
@option("--end", type=float, metavar="SECONDS", show_default="its end", help="Where in the query to end.")
@option("-k", "count", type=int, default=20, metavar="N", help="Hits to find.")
@option("--mirrored", is_flag=True, help="Search for mirrored motion too.")
@option("--word", "words", multiple=True, metavar="WORD", help="Search only takes with one of these words.")
@option("--subject", "subjects", multiple=True, metavar="NAME", help="Search only takes of these subjects.")
@option("--min-duration", type=float, default=0.0, metavar="SECONDS", help="Shortest hit.")
@option("--max-duration", type=float, metavar="SECONDS", show_default="none", help="Longest hit.")
@option("--min-speed", type=float, default=0.0, metavar="M/S", help="Slowest hit, over the ground.")
@option("--max-speed", type=float, metavar="M/S", show_default="none", help="Fastest hit, over the ground.")
@option(
    "--max-distance",
    type=float,
    metavar="METRES",
    show_default="none",
    help="Farthest hit, in mean distance.",
)
@option("--steps", type=click.IntRange(1, 3), default=1, help="Steps: with 2 or 3, hits become queries too.")
@option("--rate", type=click.Choice(["10", "30"]), default="10", help="Samples per second.")
@option("--save", "output", type=ANY_PATH, metavar="FOLDER", help="Also write the hits' motion to BVH files.")
@option(
    "--sheet",
    type=ANY_PATH,
    metavar="HTML",
    help="Also show the hits as moving figures on this page; with many queries, pages in this folder.",
)
@jobs
@scheduler
@force
@as_json
def search(
    library: Path,
    queries: Sequence[str],
    start: float,
    end: float | None,
    count: int,
    mirrored: bool,
    words: tuple[str, ...],
    subjects: tuple[str, ...],
    min_duration: float,
    max_duration: float | None,
    min_speed: float,
    max_speed: float | None,
    max_distance: float | None,
    steps: int,
    rate: str,
    output: Path | None,
    sheet: Path | None,
    jobs: int,
    scheduler: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Find the segments of LIBRARY that resemble QUERY most: a motion file, or the name of a take.

    Hits are listed nearest first. Distances are means over the query, in centimetres of an adult. With
    several queries, or a folder of them, each has its own hits; --jobs and --scheduler spread them.
    """
    opened = open_library(library)
    examples = _read_queries(opened, queries, start, end)
    is_single = len(examples) == 1
    names = list(examples)
    pages = [sheet if is_single else sheet / f"{name}.html" for name in names] if sheet is not None else []
    folders = [output if is_single else output / name for name in names] if output is not None else []
    refuse_existing(pages, force)
    if sheet is not None and not is_single:
        make_folder(sheet)
    with connect(scheduler) as executor, progress("search", quiet=as_json or is_single) as show:
        found = opened.search_all(
            examples.values(),
            k=count,
            mirrored=mirrored,
            words=words,
            subjects=subjects,
            min_duration=min_duration,
            max_duration=max_duration,
            min_speed=min_speed,
            max_speed=max_speed,
            max_distance=max_distance,
            steps=steps,
            rate=30 if rate == "30" else 10,
            jobs=jobs,
            executor=executor,
            progress=show,
        )
    files = [_save_hits(hits, folder, force) for hits, folder in zip(found, folders, strict=False)]
    for page, (name, example), hits in zip(pages, examples.items(), found, strict=False):
        _write_sheet(hits, example, page, name, force)
    if as_json:
        facts = [
            {
                "query": name,
                "spread": hits.spread,
                "limit": hits.limit,
                "hits": [_hit_facts(hit) for hit in hits],
                "files": files[n] if files else [],
            }
            for n, (name, hits) in enumerate(zip(names, found, strict=True))
        ]
        print_json(facts[0] if is_single else facts)
        return
    for name, hits in zip(names, found, strict=True):
        if not is_single:
            print_line(f"{name}:")
        _print_hits(hits)
    if output is not None:
        print_line(f"wrote {sum(map(len, files))} files into {output}")
    for page in pages:
        print_line(f"wrote {page}")


def _print_hits(hits: Hits) -> None:
    for rank, hit in enumerate(hits, 1):
        print_line(f"{rank:4} {100 * hit.distance:6.1f} cm  {hit.segment}  {hit.segment.take.description}")
    print_line(f"{len(hits)} hits; the query's own poses lie {100 * hits.spread:.1f} cm apart")
    print_line(f"{len(hits.near())} of them are probably the same motion: near for how common they are")


def _read_queries(
    library: Library, queries: Sequence[str], start: float, end: float | None
) -> dict[str, Clip | Segment]:
    """Return what to search for by names that differ: files, those in folders and patterns, and takes."""
    from motionloom.files.process_files import collect_files, is_pattern

    found: dict[str, Clip | Segment] = {}
    for query in queries:
        path = Path(query)
        many = path.is_dir() or is_pattern(path)
        for each in [str(file) for file, _ in collect_files([path], None)] if many else [query]:
            name, number = Path(each).stem, 1
            while name in found:
                number += 1
                name = f"{Path(each).stem}_{number}"
            found[name] = _read_query(library, each, start, end)
    return found


def _read_query(library: Library, query: str, start: float, end: float | None) -> Clip | Segment:
    from motionloom.files import load_clip

    path = Path(query)
    if path.suffix and path.exists():
        clip = load_clip(path)
        first, last = _frames(start, end, clip.fps, clip.n_frames)
        return clip[first:last]
    take = library.take(query)
    return take.segment(*_frames(start, end, take.fps, take.n_frames))


def _frames(start: float, end: float | None, fps: float, n_frames: int) -> tuple[int, int]:
    """Return first and last frame, the last not included, of a stretch of time."""
    duration = (n_frames - 1) / fps
    until = duration if end is None else end
    if not 0.0 <= start < until <= duration + 1.0 / fps:
        raise ParameterError(
            f"--start {start:g} and --end {until:g} are no part of a query of {duration:.2f} s"
        )
    return round(start * fps), min(n_frames, round(until * fps) + 1)


def _save_hits(hits: Sequence[Hit], output: Path, overwrite: bool) -> list[str]:
    from motionloom.files import save

    paths = [output / f"{n:03d}_{hit.segment.take.name}.bvh" for n, hit in enumerate(hits, 1)]
    refuse_existing(paths, overwrite)
    make_folder(output)
    for hit, path in zip(hits, paths, strict=True):
        save(hit.clip(), path, overwrite=overwrite)
    return list(map(str, paths))


def _write_sheet(hits: Hits, example: Clip | Segment, path: Path, query: str, overwrite: bool) -> None:
    """Write the query and its hits to a page, facing the same way; name those that probably are no hits."""
    from motionloom.library.take import Segment
    from motionloom.viewer.view import sheet

    if not hits:
        raise MotionloomError("there are no hits to show", remedy="allow a larger --max-distance")
    clip, name, words = example, query, ""
    if isinstance(example, Segment):
        clip, name, words = example.clip(), str(example), example.take.description
    clips = [clip, *(hit.clip().placed(hit.placement) for hit in hits)]
    near = hits.near().hits
    captions = [f"the query  {words}".rstrip()]
    for hit in hits:
        doubt = "" if hit in near else "  (probably other motion)"
        captions.append(f"{100 * hit.distance:.1f} cm{doubt}  {hit.segment.take.description}".rstrip())
    names = [name, *(str(hit.segment) for hit in hits)]
    sheet(clips, path, names=names, captions=captions, title=f"Like {names[0]}", overwrite=overwrite)


def _hit_facts(hit: Hit) -> dict[str, object]:
    segment, placement = hit.segment, hit.placement
    return {
        "take": segment.take.name,
        "start": segment.start,
        "end": segment.end,
        "mirrored": segment.mirrored,
        "distance": hit.distance,
        "limit": hit.limit,
        "steps": hit.steps,
        "placement": {"yaw": placement.yaw, "x": placement.x, "z": placement.z},
        "path": hit.path.tolist(),
        "description": segment.take.description,
    }
