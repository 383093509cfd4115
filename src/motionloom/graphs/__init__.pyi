from .graph import MotionGraph
from .report import GraphReport

__all__ = ["GraphReport", "MotionGraph"]
