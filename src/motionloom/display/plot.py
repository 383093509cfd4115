"""Plots: `registration`, `blend`, `framespace`, `space`, `graph`, `path`, `warp` and `gallery`, each
drawn into an image file.

They need matplotlib (``pip install 'motionloom[plot]'``), which is imported when one is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.atomic_write import atomic_output
from motionloom.display.plot_style import PAPER
from motionloom.errors import MissingPackageError, ParameterError
from motionloom.motion.result import unwrap
from motionloom.validation import check_count, check_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from motionloom.annotation.ground import Surface
    from motionloom.blending import BlendResult
    from motionloom.display.plot_graph import DrawnGraph
    from motionloom.framespace import Framespace
    from motionloom.motion import Result
    from motionloom.motion.result import ClipLike
    from motionloom.paths.path import Line as GroundLine
    from motionloom.registration import RegistrationCurve
    from motionloom.spaces.space import MotionSpace
    from motionloom.warping import ReachReport, WarpReport

__all__ = ["blend", "framespace", "gallery", "graph", "path", "registration", "space", "warp"]

SUFFIXES = (".png", ".svg", ".pdf")
"""Formats of plots."""

DPI = 130
"""Pixels per inch of a ``.png``."""


def registration(curve: RegistrationCurve, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Plot a registration curve.

    At the top, for each clip, its distance grid with the reference (dark is near) and the timewarp curve. At
    the bottom, the constraints of all clips over the common parameter u, by joint and kind, with bands
    between those that match. Cyclic clips are drawn over the cycle that the curve covers.

    Parameters
    ----------
    curve
        The registration curve.
    path
        File to write: ``.png``, ``.svg`` or ``.pdf``.
    overwrite
        Whether an existing file may be replaced.

    >>> import motionloom as ml
    >>> curve = ml.load("walks.npz", ml.RegistrationCurve)       # doctest: +SKIP
    >>> ml.plot.registration(curve, "walks.png")        # doctest: +SKIP
    """
    from motionloom.display.plot_registration import draw_registration

    check_plot_file(path)
    return _save(draw_registration(curve), path, overwrite)


def blend(
    result: BlendResult,
    path: str | PathLike[str],
    *,
    names: Sequence[str] | None = None,
    overwrite: bool = False,
) -> Path:
    """Plot what a blend is made of.

    Over time: the weights of the clips, the parameter u and its rate, the source frame of each clip, and the
    constraints of the result. Beside them the path of the root from above with its heading, in the colour of
    the clip that has the largest weight.

    Parameters
    ----------
    result
        The blend.
    path
        File to write: ``.png``, ``.svg`` or ``.pdf``.
    names
        A name for each clip; numbers by default.
    overwrite
        Whether an existing file may be replaced.

    >>> import motionloom as ml
    >>> ml.plot.blend(ml.transition(walk, run), "switch.png")    # doctest: +SKIP
    """
    from motionloom.display.plot_blend import draw_blend

    check_plot_file(path)
    return _save(draw_blend(result, _clip_names(names, result.weights.shape[1])), path, overwrite)


def framespace(
    space: Framespace,
    result: BlendResult,
    path: str | PathLike[str],
    *,
    names: Sequence[str] | None = None,
    overwrite: bool = False,
) -> Path:
    """Plot a blend in its framespace.

    At the top, one cycle of the clips with their matched states, before and after the warp for even weights.
    In the middle, the interpolant in the space and the states that it passes. At the bottom, the pelvis
    (distance travelled and height) and the swing of both hips over time, with the cycles marked.

    Parameters
    ----------
    space
        The framespace.
    result
        A blend that it made.
    path
        File to write: ``.png``, ``.svg`` or ``.pdf``.
    names
        A name for each clip; numbers by default.
    overwrite
        Whether an existing file may be replaced.

    >>> import motionloom as ml
    >>> space = ml.Framespace([walk, run])                                  # doctest: +SKIP
    >>> jog = space.blend([(0, 0.0), (1, 1.0)], cycles=6)                   # doctest: +SKIP
    >>> ml.plot.framespace(space, jog, "jog.png")                           # doctest: +SKIP
    """
    from motionloom.display.plot_framespace import draw_framespace

    check_plot_file(path)
    return _save(draw_framespace(space, result, _clip_names(names, len(space.clips))), path, overwrite)


def space(
    motion_space: MotionSpace,
    path: str | PathLike[str],
    *,
    names: Sequence[str] | None = None,
    n_requests: int = 200,
    overwrite: bool = False,
) -> Path:
    """Plot a motion space: its clips, the measured blends between them, and how exactly requests are met.

    Two parameters are one picture, three are the three views of a box, and one is a line. Dots are random
    requests in the colour of the error that their weights have without correction.

    Parameters
    ----------
    motion_space
        The space.
    path
        File to write: ``.png``, ``.svg`` or ``.pdf``.
    names
        A name for each clip; numbers by default.
    n_requests
        Random requests that are made and measured.
    overwrite
        Whether an existing file may be replaced.

    >>> import motionloom as ml
    >>> ml.plot.space(ml.load("kicks.npz", ml.MotionSpace), "kicks.png")    # doctest: +SKIP
    """
    from motionloom.display.plot_space import draw_space

    check_plot_file(path)
    check_count("n_requests", n_requests)
    given = _clip_names(names, motion_space.curve.n_clips)
    return _save(draw_space(motion_space, given, n_requests), path, overwrite)


def graph(graph: DrawnGraph, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Plot a motion graph.

    On the left each take is a bar over its seconds, thick where motion goes on for ever, with a line for each
    transition. On the right the paths of all takes from above, from one start.

    Parameters
    ----------
    graph
        The motion graph.
    path
        File to write: ``.png``, ``.svg`` or ``.pdf``.
    overwrite
        Whether an existing file may be replaced.

    >>> import motionloom as ml
    >>> ml.plot.graph(ml.load("walks.npz", ml.MotionGraph), "walks.png")      # doctest: +SKIP
    """
    from motionloom.display.plot_graph import draw_graph

    check_plot_file(path)
    return _save(draw_graph(graph), path, overwrite)


def path(
    result: BlendResult, line: GroundLine, path: str | PathLike[str], *, overwrite: bool = False
) -> Path:
    """Plot a motion along a path, from above.

    The path is a broad grey line, the body a thin one in the colours of its takes, with an arrow every second
    where it faces. Dots are planted heels and toes, left ones orange; crosses are actions.

    Parameters
    ----------
    result
        The motion, from :meth:`motionloom.MotionGraph.follow` or ``go_to``.
    line
        The path that it follows.
    path
        File to write: ``.png``, ``.svg`` or ``.pdf``.
    overwrite
        Whether an existing file may be replaced.

    >>> import motionloom as ml
    >>> ml.plot.path(graph.follow(line), line, "walk.png")    # doctest: +SKIP
    """
    from motionloom.display.plot_path import draw_path
    from motionloom.paths.path import as_path

    check_plot_file(path)
    return _save(draw_path(result, as_path(line)), path, overwrite)


def warp(
    source: ClipLike,
    result: Result[WarpReport] | Result[ReachReport],
    path: str | PathLike[str],
    *,
    ground: Surface | None = None,
    overwrite: bool = False,
) -> Path:
    """Plot what a warp changed.

    At the top, the curves of the joints that change most, original and warped, with a line at every key. At
    the bottom, poses of both from the side, those at keys in colour.

    Parameters
    ----------
    source
        The clip before :func:`motionloom.warp`.
    result
        What it returned.
    path
        File to write: ``.png``, ``.svg`` or ``.pdf``.
    ground
        The surface that was walked on, drawn below the warped poses.
    overwrite
        Whether an existing file may be replaced.

    >>> import motionloom as ml
    >>> ml.plot.warp(walk, ml.warp(walk, keys), "warp.png")    # doctest: +SKIP
    """
    from motionloom.display.plot_warp import draw_warp

    check_plot_file(path)
    return _save(draw_warp(unwrap(source), result, ground), path, overwrite)


def gallery(
    clips: Mapping[str, tuple[ClipLike, Surface | None]],
    path: str | PathLike[str],
    *,
    overwrite: bool = False,
) -> Path:
    """Plot one row of poses for each named clip, over the ground that it walks on.

    Parameters
    ----------
    clips
        Name -> clip and ground; None is a level floor.
    path
        File to write: ``.png``, ``.svg`` or ``.pdf``.
    overwrite
        Whether an existing file may be replaced.

    >>> import motionloom as ml
    >>> ml.plot.gallery({"walk": (walk, None), "stairs": (climb, stairs)}, "gallery.png")    # doctest: +SKIP
    """
    from motionloom.display.plot_warp import draw_gallery

    check_plot_file(path)
    if not clips:
        raise ParameterError("a gallery needs at least one clip")
    return _save(draw_gallery(clips), path, overwrite)


def check_plot_file(path: str | PathLike[str]) -> None:
    """Refuse a file name that no plot can be saved as, and any plot if matplotlib is missing.

    >>> check_plot_file("curve.txt")
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: curve.txt: plots are saved as .png, .svg or .pdf
    """
    if check_path(path).suffix.lower() not in SUFFIXES:
        raise ParameterError(
            f"plots are saved as {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}", subject=str(path)
        )
    if find_spec("matplotlib") is None:
        raise MissingPackageError("matplotlib", "plotting", "pip install 'motionloom[plot]'")


def _clip_names(names: Sequence[str] | None, n_clips: int) -> Sequence[str]:
    names = [f"clip {k}" for k in range(n_clips)] if names is None else list(names)
    if len(names) != n_clips:
        raise ParameterError(f"there are {n_clips} clips but {len(names)} names", remedy="name each clip")
    return names


def _save(figure: Figure, path: str | PathLike[str], overwrite: bool) -> Path:
    with atomic_output(path, overwrite=overwrite) as temporary:
        figure.savefig(temporary, dpi=DPI, facecolor=PAPER)
    return Path(path)
