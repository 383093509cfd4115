"""The browser of benchmarks that look at pages."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.studio.browser.running_studio import FLAGS


@contextmanager
def open_chromium() -> Iterator[tuple[Browser, Path]]:
    """Open a browser and an empty folder beside it; leave, with a sentence, where there is no Chromium."""
    program = shutil.which("chromium")
    if program is None:
        raise SystemExit("there is no Chromium: install Debian's package chromium")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser, Path(place)
        browser.close()
