from . import parameters as parameters
from .live_space import LiveSpace
from .report import SpaceReport
from .space import MotionSpace

__all__ = ["LiveSpace", "MotionSpace", "SpaceReport", "parameters"]
