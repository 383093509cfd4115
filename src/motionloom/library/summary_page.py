"""The summary of a library as a page: one HTML file with the map of its gaits."""

from __future__ import annotations

from html import escape
from math import sqrt

from motionloom.library.summary import SPEED_EDGES, TURN_EDGES, LibrarySummary, label_bins

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; } td, th { padding: .3em .7em; text-align: right; }
th { font-weight: normal; color: #667; } td.text { text-align: left; }
.map td { min-width: 4em; border: 1px solid #fff; }
@media (prefers-color-scheme: dark) {
  body { background: #15181d; color: #dde; } .map td { border-color: #15181d; }
}
"""


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
