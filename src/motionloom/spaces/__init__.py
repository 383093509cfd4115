"""Motion spaces: ask for what a motion does instead of blend weights."""

from motionloom.spaces import parameters
from motionloom.spaces.space import MotionSpace

__all__ = ["MotionSpace", "parameters"]
