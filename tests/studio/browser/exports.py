"""Getting files and scripts out of the page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.studio.browser.running_studio import RunningStudio

FORMATS = {"BVH": "bvh", "GLB": "glb", "USD": "usdc", "NPZ": "npz"}
"""What formats are called in the page, and the endings of their files."""


def choose(studio: RunningStudio, name: str, format: str) -> None:
    """Select a clip and a format to export it in."""
    studio.select(studio.item(name)["id"])
    studio.page.get_by_role("radio", name=format).check()


def exported(studio: RunningStudio, name: str, format: str) -> tuple[str, bytes]:
    """The name and the content of the file that the page downloads."""
    choose(studio, name, format)
    return press_export(studio.page, FORMATS.get(format, format))


def press_export(page: Page, ending: str) -> tuple[str, bytes]:
    """Press the button; the name and the content of the file that the page downloads."""
    with page.expect_download() as started:
        page.get_by_role("button", name=f"Export as {ending.upper()}").click()
    file = started.value
    return file.suggested_filename, Path(file.path()).read_bytes()


def copied(page: Page, language: str) -> str:
    """The script that the page puts onto the clipboard."""
    page.evaluate("navigator.clipboard.writeText('nothing yet')")
    page.get_by_role("button", name=f"Copy as {language}").click()
    page.get_by_text("Copied. Run it in the project folder.").wait_for()
    script: str = page.evaluate("navigator.clipboard.readText()")
    assert page.locator(".script").text_content() == script
    return script
