"""`view`, `sheet` and `show`: clips as an interactive page, in a file, a notebook or the browser."""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
import warnings
import webbrowser
from collections.abc import Iterable, Sequence, Sized
from dataclasses import replace
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, get_args

from motionloom.errors import ParameterError
from motionloom.messages import Operation
from motionloom.motion import Clip, PointClip
from motionloom.motion.result import unwrap
from motionloom.quality.compare import Comparison
from motionloom.validation import check_choice, check_string
from motionloom.viewer.clip_data import pack_clip, thin
from motionloom.viewer.comparison import compute_curves, list_rows
from motionloom.viewer.page import ViewerPage, draw_poster, fill_page
from motionloom.viewer.page_data import Layout, PageData, PageKind

MAX_CLIPS = 500
"""Clips of one page at most: beyond, even a sheet would be too long to look at."""

PAGE_PREFIX = "motionloom-view-"
"""How the names of temporary pages begin."""

PAGE_LIFETIME = 7 * 24 * 3600.0
"""Seconds for which a temporary page is kept: a tab that is still open after a week can be opened anew."""


def view(
    clips: object,
    path: str | PathLike[str],
    *,
    names: Sequence[str] | None = None,
    captions: Sequence[str] | None = None,
    layout: Layout | None = None,
    title: str | None = None,
    overwrite: bool = False,
) -> Path:
    """Write clips to an interactive page: one HTML file to open in any browser, without a network.

    The page plays, scrubs and orbits; it shows foot plants, paths, earlier and later poses, and several
    clips side by side, on each other, or divided by a line that can be dragged.

    Parameters
    ----------
    clips
        A clip, a clip of points or a blend result, or several of them; or one comparison.
    path
        The ``.html`` file to write.
    names
        What the clips are called; by default the names of their files.
    captions
        A line of text for each clip.
    layout
        Where several clips stand at first: "placed" (where their motion is), "start" (all from one place, in
        one direction), "side" (side by side, the default) or "wipe" (the first left and the second right of
        a line).
    title
        Title of the page; by default the names of the clips.
    overwrite
        Replace an existing file.

    Returns
    -------
    Path
        The page that was written.

    Raises
    ------
    ParameterError
        There is nothing to show, or names do not fit.
    FileExistsRefusal
        The page exists, and ``overwrite`` is not set.

    >>> import motionloom as ml
    >>> ml.view([walk, run], "gaits.html", names=["walk", "run"])      # doctest: +SKIP
    PosixPath('gaits.html')
    """
    page = view_page(clips, names=names, captions=captions, layout=layout, title=title)
    return page.save(path, overwrite=overwrite)


def sheet(
    items: Iterable[object],
    path: str | PathLike[str],
    *,
    names: Sequence[str] | None = None,
    captions: Sequence[str] | None = None,
    title: str | None = None,
    overwrite: bool = False,
) -> Path:
    """Write many clips to one page as a grid of small moving figures; a click opens one of them.

    Only figures that are in view move, so that a sheet of hundreds stays smooth.

    Parameters
    ----------
    items
        Clips, clips of points, blend results, or other values that have a clip (``.clip`` or ``.clip()``).
    path
        The ``.html`` file to write.
    names, captions
        What each figure is called, and a line of text below it; by default the names of the files.
    title
        Title of the page.
    overwrite
        Replace an existing file.

    Returns
    -------
    Path
        The page that was written.

    Raises
    ------
    ParameterError
        There is nothing to show, or names do not fit.
    FileExistsRefusal
        The page exists, and ``overwrite`` is not set.

    >>> import motionloom as ml
    >>> ml.sheet(clips, "sheet.html", title="All walks")      # doctest: +SKIP
    PosixPath('sheet.html')
    """
    page = sheet_page(items, names=names, captions=captions, title=title)
    return page.save(path, overwrite=overwrite)


def show(
    clips: object,
    *,
    names: Sequence[str] | None = None,
    captions: Sequence[str] | None = None,
    layout: Layout | None = None,
    title: str | None = None,
) -> None:
    """Show clips: below the cell of a notebook, elsewhere as a page in the browser.

    Parameters
    ----------
    clips, names, captions, layout, title
        As for :func:`view`.

    Returns
    -------
    None
        The page is shown.

    Raises
    ------
    ParameterError
        There is nothing to show, or names do not fit.

    >>> import motionloom as ml
    >>> ml.show([walk, run])      # doctest: +SKIP
    """
    # Nothing is returned: a notebook would show the result of its last line once more.
    display_page(view_page(clips, names=names, captions=captions, layout=layout, title=title))


def view_page(
    clips: object,
    *,
    names: Sequence[str] | None = None,
    captions: Sequence[str] | None = None,
    layout: Layout | None = None,
    title: str | None = None,
) -> ViewerPage:
    """Return the page that :func:`view` writes."""
    if layout is not None:
        check_choice("layout", layout, get_args(Layout))
    if isinstance(clips, Comparison):
        return _comparison_page(clips, layout, title)
    single = isinstance(clips, Clip | PointClip) or hasattr(clips, "clip")
    return _build([clips] if single else clips, "view", names, captions, layout, title)


def sheet_page(
    items: Iterable[object],
    *,
    names: Sequence[str] | None = None,
    captions: Sequence[str] | None = None,
    title: str | None = None,
) -> ViewerPage:
    """Return the page that :func:`sheet` writes."""
    return _build(items, "sheet", names, captions, None, title)


def display_page(page: ViewerPage) -> None:
    """Show a page in the notebook that this runs in, or else in the browser."""
    if is_notebook():
        from IPython.display import display

        display(page)
    else:
        open_page(page)


def open_page(page: ViewerPage, path: Path | None = None) -> Path:
    """Open a page in the browser, from the file that it was written to or else from a temporary one.

    Temporary pages are removed by a later call, a week after they were written: the browser may show them
    until then.
    """
    if path is None:
        _remove_old_pages(Path(tempfile.gettempdir()))
        with tempfile.NamedTemporaryFile("w", prefix=PAGE_PREFIX, suffix=".html", delete=False) as file:
            path = Path(file.name)
        page.save(path, overwrite=True)
    if webbrowser.open(path.absolute().as_uri()) is False:
        warnings.warn(f"no browser could be opened: open {path} in one yourself", stacklevel=2)
    return path


def _remove_old_pages(folder: Path) -> None:
    """Remove temporary pages that are older than a week."""
    for page in folder.glob(f"{PAGE_PREFIX}*.html"):
        with contextlib.suppress(OSError):  # of another user, or gone already
            if time.time() - page.stat().st_mtime > PAGE_LIFETIME:
                page.unlink()


def is_notebook() -> bool:
    """Tell whether this runs in the kernel of a notebook: Jupyter, VS Code and the like."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and getattr(shell, "kernel", None) is not None


def _build(
    items: object,
    kind: PageKind,
    names: Sequence[str] | None,
    captions: Sequence[str] | None,
    layout: Layout | None,
    title: str | None,
) -> ViewerPage:
    clips = _take_clips(items)
    names = _check_texts("names", names, len(clips)) or _name_clips(clips)
    captions = _check_texts("captions", captions, len(clips)) or [""] * len(clips)
    data = PageData(
        kind=kind,
        title=_title(names) if title is None else check_string("title", title),
        layout=layout or ("side" if len(clips) > 1 else "placed"),
        clips=(),
        notes=(),
        rows=(),
        curves=(),
    )
    return _fill(data, clips, names, captions)


def _comparison_page(comparison: Comparison, layout: Layout | None, title: str | None) -> ViewerPage:
    if not comparison.clips:
        raise ParameterError(
            "the comparison holds no clips to show", remedy=("make it with ", Operation("motionloom.compare"))
        )
    data = PageData(
        kind="compare",
        title=_title(comparison.names) if title is None else check_string("title", title),
        layout=layout or "side",
        clips=(),
        notes=comparison.notes(),
        rows=list_rows(comparison),
        curves=compute_curves(comparison.clips),
    )
    return _fill(data, list(comparison.clips), list(comparison.names), [""] * len(comparison.names))


def _fill(
    data: PageData, clips: list[Clip | PointClip], names: Sequence[str], captions: Sequence[str]
) -> ViewerPage:
    thinned, step = thin(clips)
    notes = data.notes
    if step > 1:
        notes = (f"The page shows one frame in {step}: all of them would not fit into a browser.", *notes)
    packed = [pack_clip(*each) for each in zip(thinned, names, captions, strict=True)]
    filled = replace(data, clips=tuple(each.data for each in packed), notes=notes)
    return fill_page(filled, packed, draw_poster(clips))


def _take_clips(items: object) -> list[Clip | PointClip]:
    """Return the clips of the values that a caller gave, or fail with what is wrong."""
    if not isinstance(items, Iterable) or isinstance(items, str | bytes | dict):
        raise ParameterError(
            f"must be a clip or a sequence of clips, not {items!r:.60}", parameter="clips", value=items
        )
    clips = [_take_clip(n, item) for n, item in enumerate(items)]
    if not clips:
        raise ParameterError("there is nothing to show", remedy="give at least one clip")
    if len(clips) > MAX_CLIPS:
        raise ParameterError(
            f"a page shows at most {MAX_CLIPS} clips, not {len(clips)}", remedy="write several pages"
        )
    return clips


def _take_clip(n: int, given: Any) -> Clip | PointClip:
    item = found = unwrap(given)
    if not isinstance(item, Clip | PointClip) and hasattr(item, "clip"):
        found = item.clip() if callable(item.clip) else item.clip
    if not isinstance(found, Clip | PointClip):
        raise ParameterError(f"clips[{n}] must be a clip, not {item!r:.60}", remedy="load it first")
    if found.n_frames == 0:
        raise ParameterError(f"clips[{n}] has no frames to show")
    return found


def _check_texts(what: str, texts: Sequence[str] | None, count: int) -> list[str] | None:
    if texts is None:
        return None
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        given = "one string" if isinstance(texts, str) else f"{texts!r:.60}"
        raise ParameterError(
            f"must be one for each of the {count} clips, not {given}", parameter=what, value=given
        )
    listed = list(islice(texts, count + 1))  # an iterator may have no end
    if len(listed) != count:
        n_given = len(texts) if isinstance(texts, Sized) else len(listed)
        raise ParameterError(
            f"must be one for each of the {count} clips, not {n_given}", parameter=what, value=n_given
        )
    return [check_string(f"{what}[{n}]", text) for n, text in enumerate(listed)]


def _name_clips(clips: Sequence[Clip | PointClip]) -> list[str]:
    """Return the names of the clips' files; a number where a clip has none."""
    stems = [Path(clip.source.path).stem for clip in clips]
    if len(clips) == 1:
        return [stems[0] or "clip"]
    return [stem or f"clip {n}" for n, stem in enumerate(stems, 1)]


def _title(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 3 else f"{', '.join(names[:2])} and {len(names) - 2} more"
