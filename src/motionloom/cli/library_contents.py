"""`motionloom library web|summary|compact|export`: what a library holds as a whole, also as an HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import sqrt
from pathlib import Path

import click

from motionloom.cli.library_options import connect, folder, jobs, open_library, scheduler
from motionloom.cli.options import ANY_PATH, Command, as_json, force, option
from motionloom.cli.output import print_json, print_line, progress, refuse_existing
from motionloom.library.summary import SPEED_EDGES, TURN_EDGES, LibrarySummary, label_bins

SHOWN_LINKS = 20
"""Links of a match web that are printed; --json prints all."""

words_argument = click.argument("words", nargs=-1, metavar="[WORD...]")

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; } td, th { padding: .3em .7em; text-align: right; }
th { font-weight: normal; color: #667; } td.text { text-align: left; }
.map td { min-width: 4em; border: 1px solid #fff; }
@media (prefers-color-scheme: dark) {
  body { background: #15181d; color: #dde; } .map td { border-color: #15181d; }
}
"""


@click.command(cls=Command)
@folder
@words_argument
@option("--max-distance", type=float, default=0.08, metavar="METRES", help="Distance of poses at most.")
@option("--min-duration", type=float, default=0.5, metavar="SECONDS", help="Shortest link.")
@option("--rate", type=click.Choice(["10", "30"]), default="10", help="Samples per second.")
@option("--file", type=ANY_PATH, metavar="WEB", help="Keep the web in this file, not in memory.")
@force
@jobs
@scheduler
@as_json
def web(
    library: Path,
    words: Sequence[str],
    max_distance: float,
    min_duration: float,
    rate: str,
    file: Path | None,
    force: bool,
    jobs: int,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Compare takes all with all, and list the segments that run alongside each other, nearest first.

    With words, only takes that have one of them as a tag, in their name or description.
    """
    refuse_existing([file], force)
    opened = open_library(library)
    with connect(scheduler) as executor, progress("web", quiet=as_json) as show:
        found = opened.match_web(
            *words,
            max_distance=max_distance,
            min_duration=min_duration,
            rate=30 if rate == "30" else 10,
            file=file,
            overwrite=force,
            jobs=jobs,
            executor=executor,
            progress=show,
        )
    if as_json:
        print_json(
            [
                {
                    "takes": [link.a.take.name, link.b.take.name],
                    "frames": [[link.a.start, link.a.end], [link.b.start, link.b.end]],
                    "distance": link.distance,
                    "path": link.path.tolist(),
                }
                for link in found
            ]
        )
        return
    for n in range(min(SHOWN_LINKS, len(found))):
        link = found[n]
        print_line(f"{100 * link.distance:6.1f} cm  {link.a}  and  {link.b}")
    print_line(f"{len(found)} links between {len(found.takes)} takes; --json prints all")


@click.command(cls=Command)
@folder
@option("--near-duplicates", is_flag=True, help="Also look for takes with almost the same motion.")
@option("--page", type=ANY_PATH, metavar="HTML", help="Also write the summary to this page.")
@force
@as_json
def summary(library: Path, near_duplicates: bool, page: Path | None, force: bool, as_json: bool) -> None:
    """Show what a library holds.

    Hours, skeletons, strides by speed and turn, starts, stops, turns and loops, takes with faults of capture
    or doubtful frame rates.
    """
    from motionloom.atomic_write import atomic_output

    refuse_existing([page], force)
    opened = open_library(library)
    with progress("summary", quiet=as_json) as show:
        found = opened.summary(near_duplicates=near_duplicates, progress=show)
    if page is not None:
        with atomic_output(page, force) as path:
            path.write_text(make_summary_page(found, opened.path.name), encoding="utf-8")
    if as_json:
        print_json(found.facts())
        return
    print_line(str(found))
    if page is not None:
        print_line(f"wrote {page}")


@click.command(cls=Command)
@folder
@as_json
def compact(library: Path, as_json: bool) -> None:
    """Give back the space of takes that were removed, and of older versions' larger files."""
    freed = open_library(library).compact()
    if as_json:
        print_json({"freed": freed})
    else:
        print_line(f"{freed / 1e6:.1f} MB fewer")


@click.command(cls=Command)
@folder
@click.argument("output", type=ANY_PATH, metavar="FOLDER")
@words_argument
@option("--suffix", default=".bvh", metavar=".SUFFIX", help="Format of the files.")
@force
@as_json
def export(
    library: Path, output: Path, words: Sequence[str], suffix: str, force: bool, as_json: bool
) -> None:
    """Write the motion of takes to files in FOLDER, with a table of their descriptions and tags.

    With words, only takes that have one of them as a tag, in their name or description.
    """
    opened = open_library(library)
    with progress("export", quiet=as_json) as show:
        paths = opened.export(output, *words, suffix=suffix, overwrite=force, progress=show)
    if as_json:
        print_json([str(path) for path in paths])
    else:
        print_line(f"wrote {len(paths)} files into {output}")


def make_summary_page(summary: LibrarySummary, title: str) -> str:
    """Return the page.

    The darker a field of the map, the more strides have that speed and turn; empty fields are not covered.
    """
    max_count = max(1, int(summary.strides.max(initial=0)))
    rows = []
    for label, counts in zip(label_bins(SPEED_EDGES), summary.strides.tolist(), strict=True):
        fields = []
        for count in counts:
            alpha = sqrt(count / max_count)
            ink = "#fff" if alpha > 0.55 else "inherit"
            fields.append(
                f'<td style="background:rgb(38 90 160 / {alpha:.2f});color:{ink}">{count or ""}</td>'
            )
        rows.append(f"<tr><th>{escape(label)} m/s</th>{''.join(fields)}</tr>")
    titles = "".join(f"<th>{escape(label)}</th>" for label in label_bins(TURN_EDGES))
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{summary.n_takes} takes, {summary.hours:.2f} hours, {len(summary.skeletons)} skeletons. "
        f"{summary.starts} starts, {summary.stops} stops, "
        f"{summary.direction_changes} changes of direction, {summary.loops} loops.</p>",
        "<h2>Strides by speed and turn</h2>",
        "<p>Degrees per second; left is positive. Empty fields are not covered.</p>",
        f'<table class="map"><tr><th></th>{titles}</tr>{"".join(rows)}</table>',
        "<h2>Skeletons</h2>",
        _table(
            ["joints", "takes", "minutes"],
            [[str(j), str(n), f"{60 * hours:.1f}"] for j, n, hours in summary.skeletons],
        ),
    ]
    if summary.near_duplicates is not None:
        parts += [
            "<h2>Near-duplicates</h2>",
            _table(["takes"], [[", ".join(group)] for group in summary.near_duplicates]),
        ]
    for head, takes in (
        ("Faults of capture", summary.faults),
        ("Doubtful frame rates", summary.doubtful_rates),
        ("Not searchable", summary.not_searchable),
    ):
        parts += [f"<h2>{head}</h2>", _table(["take", "note"], [list(item) for item in takes.items()])]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style>{''.join(parts)}</html>\n"
    )


def _table(titles: list[str], rows: list[list[str]]) -> str:
    if not rows:
        return "<p>None.</p>"
    top = "".join(f"<th>{escape(head)}</th>" for head in titles)
    body = "".join(
        "<tr>" + "".join(f'<td class="text">{escape(value)}</td>' for value in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{top}</tr>{body}</table>"
