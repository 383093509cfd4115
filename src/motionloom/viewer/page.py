"""The viewer page: one HTML file that holds the player and the motion, and asks no network for anything."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from os import PathLike
from pathlib import Path

from motionloom.atomic_write import atomic_output
from motionloom.errors import MotionloomError
from motionloom.validation import check_path
from motionloom.viewer.clip_data import PackedClip
from motionloom.viewer.page_data import PageData

TEMPLATE_VARIABLE = "MOTIONLOOM_VIEWER_PAGE"
"""Environment variable that names another build of the page, for whoever works on it."""

TITLE, POSTER, DATA = "<!--title-->", "<!--poster-->", "<!--data-->"
"""Places of the template that are filled in, in this order."""

NOTEBOOK_HEIGHT = 480
"""Height of the page in a notebook, pixels."""


@dataclass(frozen=True)
class ViewerPage:
    """A self-contained HTML page that plays motion; notebooks show it as the result of a cell.

    Attributes
    ----------
    html
        The page.
    title
        Its title.

    >>> page = ViewerPage("<!doctype html>…", "walk")
    >>> page
    <ViewerPage: walk, 18 bytes>
    """

    html: str
    title: str

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the page to a file and return its path; an existing file is replaced only on request."""
        target = check_path(path)
        with atomic_output(target, overwrite) as temporary:
            temporary.write_text(self.html, encoding="utf-8", errors="replace")
        return target

    def __repr__(self) -> str:
        return f"<ViewerPage: {self.title}, {len(self.html.encode('utf-8', 'replace'))} bytes>"

    def _repr_html_(self) -> str:
        """Return a frame with the page, which can reach neither the notebook nor the network."""
        return (
            f'<iframe title="{escape(self.title)}" sandbox="allow-scripts" allow="fullscreen" '
            f'width="100%" height="{NOTEBOOK_HEIGHT}" frameborder="0" srcdoc="{escape(self.html)}"></iframe>'
        )


def read_template() -> str:
    """Return the page without motion, or raise an error that says how to build it."""
    path = template_path()
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        raise MotionloomError(
            f"the viewer's page is not in {path.parent}: build it with 'python studio/build_page.py' in a "
            "checkout (needs Node), or install a released package (pip install motionloom)"
        ) from None


def template_path() -> Path:
    """Return where the page without motion is, or would be after it was built."""
    given = os.environ.get(TEMPLATE_VARIABLE)
    return Path(given) if given else Path(__file__).parent / "page" / "viewer.html"


def is_built() -> bool:
    """Tell whether the page was built, so that motion can be shown in it."""
    return template_path().is_file()


def fill_page(data: PageData, clips: Sequence[PackedClip], poster: str) -> ViewerPage:
    """Fill the page with motion.

    Parameters
    ----------
    data
        What the page shows; its clips are those of ``clips``.
    clips
        The motion, a piece for each clip, so that the page unpacks those that are seen first.
    poster
        An SVG element that is shown until the motion is.
    """
    template = read_template()
    pieces = [_script("page", "application/json", _write_json(asdict(data)))]
    for n, clip in enumerate(clips):
        packed = b64encode(clip.packed).decode("ascii")
        pieces.append(_script(f"clip-{n}", "application/octet-stream", packed))
    head, after_title = template.split(TITLE, 1)
    before_poster, after_poster = after_title.split(POSTER, 1)
    tail, end = after_poster.split(DATA, 1)
    # Names of files may hold bytes that are no UTF-8, which a page cannot hold.
    title = data.title.encode("utf-8", "replace").decode("utf-8")
    parts = [head, escape(title), before_poster, poster, tail, "\n".join(pieces), end]
    return ViewerPage("".join(parts), title)


def _script(name: str, media_type: str, content: str) -> str:
    return f'<script type="{media_type}" id="{name}">{content}</script>'


def _write_json(value: object) -> str:
    """Write JSON that cannot end the script element that holds it."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
