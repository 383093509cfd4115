from .path import Action, Arrival, Line, Stretch
from .path_report import ActionReport, PathReport

__all__ = [
    "Action",
    "ActionReport",
    "Arrival",
    "Line",
    "PathReport",
    "Stretch",
]
