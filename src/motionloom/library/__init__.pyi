from .add_files import AddReport
from .hits import Hit, Hits
from .library import Library
from .match_web import MatchWeb, WebLink
from .summary import LibrarySummary
from .take import Segment, Take

__all__ = [
    "AddReport",
    "Hit",
    "Hits",
    "Library",
    "LibrarySummary",
    "MatchWeb",
    "Segment",
    "Take",
    "WebLink",
]
