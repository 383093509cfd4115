"""`motionloom library`: make, fill and search libraries of takes."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from motionloom.cli.library_contents import compact, export, summary, web
from motionloom.cli.library_options import connect, folder, jobs, open_library, scheduler
from motionloom.cli.options import ANY_PATH, Command, as_json, force, option
from motionloom.cli.output import print_json, print_line, progress, refuse_existing
from motionloom.errors import MotionloomError, ParameterError

if TYPE_CHECKING:
    from motionloom.library.add_files import AddReport
    from motionloom.library.hits import Hit, Hits
    from motionloom.library.library import Library
    from motionloom.library.take import Segment, Take
    from motionloom.motion import Clip


@click.group()
def library() -> None:
    """Make, fill and search libraries of takes.

    A library is a folder. `add` reads motion files once, `search` finds where else somebody does the same.
    """


for _command in (web, summary, compact, export):
    library.add_command(_command)


@library.command(cls=Command)
@folder
def create(library: Path) -> None:
    """Make an empty library."""
    from motionloom.library.library import Library

    print_line(repr(Library(library)))


@library.command(cls=Command)
@folder
@click.argument("files", nargs=-1, required=True, type=ANY_PATH, metavar="FILE...")
@option("--tag", "tags", multiple=True, metavar="WORD", help="Word for all of these takes; can be repeated.")
@option(
    "--descriptions",
    type=ANY_PATH,
    metavar="CSV",
    help="Table with the columns take (a file's name without suffix), description and subject, or some.",
)
@jobs
@scheduler
@as_json
def add(
    library: Path,
    files: Sequence[Path],
    tags: tuple[str, ...],
    descriptions: Path | None,
    jobs: int,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Read motion files, folders or patterns, and add their takes to LIBRARY.

    LIBRARY is made where there is none. Files that were added before and have not changed are left alone, so
    an interrupted call goes on where it stopped.
    """
    from motionloom.library.library import Library

    table = _read_descriptions(descriptions) if descriptions is not None else []
    opened = Library(library)
    with connect(scheduler) as executor, progress("add", quiet=as_json) as show:
        report = opened.add(
            files,
            tags=tags,
            descriptions={row["take"]: row["description"] for row in table if row.get("description")},
            subjects={row["take"]: row["subject"] for row in table if row.get("subject")},
            jobs=jobs,
            executor=executor,
            progress=show,
        )
    _print_report(opened, report, as_json)


@library.command(cls=Command)
@folder
@jobs
@scheduler
@as_json
def update(library: Path, jobs: int, scheduler: str | None, as_json: bool) -> None:
    """Read files again that changed since they were added."""
    opened = open_library(library)
    with connect(scheduler) as executor, progress("update", quiet=as_json) as show:
        report = opened.update(jobs=jobs, executor=executor, progress=show)
    _print_report(opened, report, as_json)


@library.command("list", cls=Command)
@folder
@click.argument("words", nargs=-1, metavar="[WORD...]")
@as_json
def list_takes(library: Path, words: Sequence[str], as_json: bool) -> None:
    """List the takes that have one of the words as a tag, in their name or description; or all."""
    takes = [take for take in open_library(library).takes if not words or any(map(take.has_word, words))]
    if as_json:
        print_json([_facts(take) for take in takes])
        return
    for take in takes:
        more = ", ".join(filter(None, [take.description, *take.tags]))
        mark = "" if take.not_searchable is None else f" (not searchable: {take.not_searchable})"
        print_line(f"{take.name:<24} {take.duration:7.2f} s {take.fps:6.1f} fps  {more}{mark}")


@library.command(cls=Command)
@folder
@as_json
def info(library: Path, as_json: bool) -> None:
    """Show how much a library holds, and which files could not be read."""
    opened = open_library(library)
    failed = {file.path: file.reason for file in opened.files if file.reason is not None}
    unsearchable = [take for take in opened.takes if take.not_searchable is not None]
    minutes = sum(take.duration for take in opened.takes) / 60.0
    size = sum(path.stat().st_size for path in opened.path.iterdir() if path.is_file())
    if as_json:
        facts = {"takes": len(opened.takes), "minutes": minutes, "bytes": size, "failed": failed}
        print_json(facts | {"not_searchable": {take.name: take.not_searchable for take in unsearchable}})
        return
    print_line(f"{len(opened.takes)} takes, {minutes:.1f} minutes, {size / 1e6:.1f} MB")
    for take in unsearchable:
        print_line(f"{take.name}: not searchable: {take.not_searchable}")
    for path, reason in failed.items():
        print_line(f"{path}: {reason}")


@library.command(cls=Command)
@folder
@click.argument("query", metavar="QUERY")
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
@option("--sheet", type=ANY_PATH, metavar="HTML", help="Also show the hits as moving figures on this page.")
@force
@as_json
def search(
    library: Path,
    query: str,
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
    force: bool,
    as_json: bool,
) -> None:
    """Find the segments of LIBRARY that resemble QUERY most: a motion file, or the name of a take.

    Hits are listed nearest first. Distances are means over the query, in centimetres of an adult.
    """
    refuse_existing([sheet], force)
    opened = open_library(library)
    example = _read_query(opened, query, start, end)
    hits = opened.search(
        example,
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
    )
    names = _save_hits(hits, output, force) if output is not None else []
    if sheet is not None:
        _write_sheet(hits, example, sheet, query, force)
    if as_json:
        facts = {"spread": hits.spread, "limit": hits.limit}
        print_json(facts | {"hits": [_hit_facts(hit) for hit in hits], "files": names})
        return
    for rank, hit in enumerate(hits, 1):
        print_line(f"{rank:4} {100 * hit.distance:6.1f} cm  {hit.segment}  {hit.segment.take.description}")
    print_line(f"{len(hits)} hits; the query's own poses lie {100 * hits.spread:.1f} cm apart")
    print_line(f"{len(hits.near())} of them within {100 * hits.limit:.1f} cm, probably the same motion")
    if output is not None:
        print_line(f"wrote {len(names)} files into {output}")
    if sheet is not None:
        print_line(f"wrote {sheet}")


@library.command(cls=Command)
@folder
@click.argument("takes", nargs=-1, required=True, metavar="TAKE...")
def remove(library: Path, takes: Sequence[str]) -> None:
    """Forget takes, by their names; their files stay as they are."""
    open_library(library).remove(takes)
    print_line(f"removed {len(takes)} takes")


@library.command(cls=Command)
@folder
@as_json
def check(library: Path, as_json: bool) -> None:
    """Check that a library is whole: every array as it was written, every file where it was."""
    faults = open_library(library).check()
    if as_json:
        print_json(faults)
    else:
        print_line("\n".join(faults) or "everything is as it was written")
    if any("damaged" in fault for fault in faults):
        raise MotionloomError(f"{library} is damaged: see above")


def _read_descriptions(path: Path) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise MotionloomError(f"{path}: cannot be read ({error})") from None
    if not rows or "take" not in rows[0] or not {"description", "subject"} & set(rows[0]):
        raise MotionloomError(f"{path}: needs the columns take and description, or take and subject")
    return [row for row in rows if row["take"]]


def _read_query(library: Library, query: str, start: float, end: float | None) -> Clip | Segment:
    from motionloom.files import load

    path = Path(query)
    if path.suffix and path.exists():
        clip = load(path)
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
    from motionloom.atomic_write import make_folder
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
        raise MotionloomError("there are no hits to show: allow a larger --max-distance")
    clip, name, words = example, Path(query).stem, ""
    if isinstance(example, Segment):
        clip, name, words = example.clip(), str(example), example.take.description
    clips = [clip, *(hit.clip().placed(hit.placement) for hit in hits)]
    captions = [f"the query  {words}".rstrip()]
    for hit in hits:
        doubt = "" if hit.distance <= hits.limit else "  (probably other motion)"
        captions.append(f"{100 * hit.distance:.1f} cm{doubt}  {hit.segment.take.description}".rstrip())
    names = [name, *(str(hit.segment) for hit in hits)]
    sheet(clips, path, names=names, captions=captions, title=f"Like {names[0]}", overwrite=overwrite)


def _print_report(library: Library, report: AddReport, json_wanted: bool) -> None:
    failed = {str(path): reason for path, reason in report.failed.items()}
    if json_wanted:
        counts = {
            "added": len(report.added),
            "copies": len(report.copies),
            "unchanged": len(report.unchanged),
        }
        print_json(counts | {"failed": failed})
    else:
        for path, reason in [*report.failed.items(), *report.not_searchable.items()]:
            print_line(f"motionloom: {path}: {reason}", err=True)
        print_line(f"{report}: {library!r}")
    if failed:
        files = "1 file" if len(failed) == 1 else f"{len(failed)} files"
        raise MotionloomError(f"{files} could not be read; all others are in the library")


def _facts(take: Take) -> dict[str, object]:
    return {
        "name": take.name,
        "files": take.files,
        "frames": take.n_frames,
        "fps": take.fps,
        "description": take.description,
        "tags": take.tags,
        "notes": take.notes,
        "not_searchable": take.not_searchable,
    }


def _hit_facts(hit: Hit) -> dict[str, object]:
    segment, placement = hit.segment, hit.placement
    return {
        "take": segment.take.name,
        "start": segment.start,
        "end": segment.end,
        "mirrored": segment.mirrored,
        "distance": hit.distance,
        "steps": hit.steps,
        "placement": {"yaw": placement.yaw, "x": placement.x, "z": placement.z},
        "path": hit.path.tolist(),
        "description": segment.take.description,
    }
