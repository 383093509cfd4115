"""Motion as an interactive page: one file with the studio's own viewport, for browsers and notebooks."""

from motionloom.viewer.page import ViewerPage, is_built
from motionloom.viewer.view import open_page, sheet, sheet_page, show, view, view_page

__all__ = ["ViewerPage", "is_built", "open_page", "sheet", "sheet_page", "show", "view", "view_page"]
