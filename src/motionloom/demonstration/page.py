"""The page that shows the demonstration: one HTML file beside its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isnan

from motionloom import __version__
from motionloom.demonstration.story import Made
from motionloom.registration import RegistrationCurve

SHOWN = (
    "path length",
    "mean speed",
    "mean slide",
    "largest slide",
    "largest sink",
    "largest stretch",
    "seam acceleration",
    "seam jerk",
    "joint speed ratio",
)
"""Measures that the page shows, where a motion has them."""

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #0b0b0b; background: #fcfcfb; max-width: 62rem;
       margin: 2rem auto; padding: 0 1rem; }
img { max-width: 100%; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: left; padding: .2rem 1rem .2rem 0; border-bottom: 1px solid #ddd; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
code { background: #f0efec; padding: 0 .2rem; }
"""


def page(curve: RegistrationCurve, made: Sequence[Made], pictures: dict[str, list[str]]) -> str:
    """The page as HTML; ``pictures`` names the pictures of each motion, of the "clips" and of the "curve"."""
    parts = [
        "<h1>Motionloom: new motion from nine clips</h1>",
        "<p>All motion on this page is made by the toolkit itself, clips included. Files of the same names "
        "lie beside this page.</p>",
        _section("The clips", "A walk, a jog and a sneak, each straight, to the left and to the right.")
        + _images(pictures["clips"]),
        _section(
            "Registration",
            f"One cycle of each clip, registered round the cycle: {len(curve.matches)} foot plants belong "
            f"together. Verdict: {curve.report.verdict.value}.",
        )
        + _images(pictures["curve"]),
        *(_section(each.title, each.text) + _images(pictures[each.name]) + _table(each) for each in made),
        f"<p>Motionloom {escape(__version__)}</p>",
    ]
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Motionloom demo</title><style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _section(title: str, text: str) -> str:
    return f"<h2>{escape(title)}</h2>\n<p>{escape(text)}</p>\n"


def _images(names: Sequence[str]) -> str:
    if not names:
        return "<p>Plots need matplotlib: install it with <code>pip install 'motionloom[plot]'</code>.</p>"
    return "\n".join(f'<p><img src="{escape(name)}" alt="{escape(name)}"></p>' for name in names)


def _table(made: Made) -> str:
    """The measures before and after feet were planted."""
    before = {figure.name: figure.value for figure in made.before}
    rows = [
        f'<tr><td>{escape(figure.name)}</td><td class="number">{_number(before.get(figure.name))}</td>'
        f'<td class="number">{_number(figure.value)}</td><td>{escape(figure.unit)}</td></tr>'
        for figure in made.after
        if figure.name in SHOWN
    ]
    head = "<tr><th>measure</th><th>blended</th><th>feet planted</th><th>unit</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _number(value: float | None) -> str:
    """A figure, or a dash where it could not be taken."""
    return "–" if value is None or isnan(value) else f"{value:.2f}"
