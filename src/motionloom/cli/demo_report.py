"""The files of the demo: motions, images, plots, and an HTML page that shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from importlib.util import find_spec
from itertools import count
from math import isnan
from pathlib import Path

import numpy as np

from motionloom import __version__
from motionloom.atomic_write import atomic_output
from motionloom.cli.demo_story import GAITS, MOTIONS, DemoMotion, Story, loop_file, make_story
from motionloom.display import plot, render
from motionloom.files import save, save_with_clips
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve
from motionloom.viewer import is_built, view

PAGE, CLIPS_IMAGE, CURVE_FILE, CURVE_PLOT = "report.html", "nine-motions.png", "gaits.npz", "gaits.png"

N_STEPS = 3 + len(MOTIONS)
"""Steps of the progress bar: clips, curve, every motion, and writing the files."""

SHOWN_METRES, LANE_SPACING = 3.6, 4.6
"""How much of each clip the first image shows, and the distance between the three gaits in it, metres."""

N_POSES = 14
"""Poses in the image of one motion."""

SHOWN_MEASURES = (
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
"""Measures that the page shows if a motion has them."""

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #0b0b0b; background: #fcfcfb; max-width: 62rem;
       margin: 2rem auto; padding: 0 1rem; }
img { max-width: 100%; }
iframe { width: 100%; height: 30rem; border: 1px solid #ddd; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: left; padding: .2rem 1rem .2rem 0; border-bottom: 1px solid #ddd; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
code { background: #f0efec; padding: 0 .2rem; }
"""

NO_VIEWER = (
    "<p>The figures would move here if the viewer's page were built: run "
    "<code>python studio/build_page.py</code> (it needs Node) and the demo again.</p>"
)

CLIP_FILES = [f"{name}.bvh" for name in GAITS]
LOOP_FILES = [loop_file(name) for name in GAITS]


def demo_files() -> list[str]:
    """Return the names of all files that the demo writes; plots and viewer pages only where they can be."""
    plots = [CURVE_PLOT, *(f"{name}-plot.png" for name in MOTIONS)] if find_spec("matplotlib") else []
    suffixes = (".bvh", ".png", ".html") if is_built() else (".bvh", ".png")
    motions = [f"{name}{suffix}" for name in MOTIONS for suffix in suffixes]
    return [*CLIP_FILES, *LOOP_FILES, CLIPS_IMAGE, CURVE_FILE, *motions, *plots, PAGE]


def run_demo(
    folder: Path, *, overwrite: bool = False, progress: Callable[[int, int], None] | None = None
) -> list[Path]:
    """Make new motion from the built-in clips and write motions, images and a page into a folder.

    Parameters
    ----------
    folder
        Where to write; it must exist.
    overwrite
        Whether existing files may be replaced.
    progress
        Called with the number of finished steps and the number of all steps.

    >>> run_demo(Path("demo"))    # doctest: +SKIP
    """
    steps = count(1)

    def done() -> None:
        if progress is not None:
            progress(next(steps), N_STEPS)

    write_story(make_story(done), folder, overwrite=overwrite)
    done()
    return [folder / name for name in demo_files()]


def write_story(story: Story, folder: Path, *, overwrite: bool = False) -> None:
    """Write all files of the demo into an existing folder; plots only if matplotlib is installed."""
    for name, clip in zip(CLIP_FILES, story.clips.values(), strict=True):
        save(clip, folder / name, overwrite=overwrite)
    _render_clips(list(story.clips.values()), folder / CLIPS_IMAGE, overwrite)
    save_with_clips(
        story.curve, folder / CURVE_FILE, [folder / name for name in LOOP_FILES], overwrite=overwrite
    )
    with_plots = find_spec("matplotlib") is not None
    if with_plots:
        plot.registration(story.curve, folder / CURVE_PLOT, overwrite=overwrite)
    images = {"clips": [CLIPS_IMAGE], "curve": [CURVE_PLOT] if with_plots else []}
    for motion in story.motions:
        images[motion.name] = _write_motion(motion, folder, with_plots, overwrite)
    with atomic_output(folder / PAGE, overwrite=overwrite) as temporary:
        temporary.write_text(_page(story.curve, story.motions, images), encoding="utf-8")


def _write_motion(motion: DemoMotion, folder: Path, with_plots: bool, overwrite: bool) -> list[str]:
    """Save a motion with its image and plot; returns the names of the images."""
    name = motion.name
    save(motion.clip, folder / f"{name}.bvh", overwrite=overwrite)
    render([motion.clip], folder / f"{name}.png", n_poses=N_POSES, overwrite=overwrite)
    images = [f"{name}.png"]
    if is_built():
        page = folder / f"{name}.html"
        names, clips = ["feet planted", "blended"], [motion.clip, motion.result.clip]
        view(clips, page, names=names, layout="placed", title=motion.title, overwrite=overwrite)
        images.insert(0, page.name)
    if with_plots:
        plot.blend(motion.result, folder / f"{name}-plot.png", names=motion.source_names, overwrite=overwrite)
        images.append(f"{name}-plot.png")
    return images


def _render_clips(clips: Sequence[Clip], path: Path, overwrite: bool) -> None:
    """Render the first metres of all clips in one scene: jog, walk and sneak side by side, three of each."""
    shown = []
    for n, clip in enumerate(clips):
        steps = np.linalg.norm(np.diff(clip.body.root_positions[:, [0, 2]], axis=0), axis=1)
        n_frames = int(np.searchsorted(np.cumsum(steps), SHOWN_METRES)) + 1
        shown.append(clip[:n_frames].placed(GroundTransform(x=LANE_SPACING * (1 - n // 3))))
    render(shown, path, n_poses=4, overwrite=overwrite)


def _page(curve: RegistrationCurve, motions: Sequence[DemoMotion], images: dict[str, list[str]]) -> str:
    """Return the page as HTML; ``images`` names the images of "clips", "curve" and each motion."""
    report = curve.report
    parts = [
        "<h1>Motionloom: new motion from nine clips</h1>",
        "<p>Motionloom made all the motion on this page, the nine clips included. The motion files lie "
        "beside this page.</p>",
        _section("The clips", "A walk, a jog and a sneak, each straight, to the left and to the right.")
        + _images(images["clips"]),
        _section(
            "Registration",
            f"One cycle of each clip, registered as cycles; {len(curve.matches)} foot plants correspond. "
            f"Verdict: {report}.",
        )
        + _images(images["curve"]),
        *(() if is_built() else (NO_VIEWER,)),
        *(
            _section(motion.title, motion.text) + _images(images[motion.name]) + _table(motion)
            for motion in motions
        ),
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
    return "\n".join(_image(escape(name)) for name in names)


def _image(name: str) -> str:
    """Show an image, or a viewer page once it is scrolled into view."""
    if name.endswith(".html"):
        return f'<p><iframe src="{name}" title="{name}" loading="lazy"></iframe></p>'
    return f'<p><img src="{name}" alt="{name}"></p>'


def _table(motion: DemoMotion) -> str:
    """Return a table of the measures before and after the feet were planted."""
    before = {figure.name: figure.value for figure in motion.before}
    rows = [
        f'<tr><td>{escape(figure.name)}</td><td class="number">{_number(before.get(figure.name))}</td>'
        f'<td class="number">{_number(figure.value)}</td><td>{escape(figure.unit)}</td></tr>'
        for figure in motion.after
        if figure.name in SHOWN_MEASURES
    ]
    head = "<tr><th>measure</th><th>blended</th><th>feet planted</th><th>unit</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _number(value: float | None) -> str:
    """Format a value; a dash if it could not be measured."""
    return "–" if value is None or isnan(value) else f"{value:.2f}"
