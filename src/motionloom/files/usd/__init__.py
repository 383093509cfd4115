"""USD stages (.usd, .usda, .usdc): a UsdSkel skeleton and its animation.

Time codes are frames, so the stage's time codes per second are the frame rate. Rest and bind transforms are
those of the skeleton's rest pose. What UsdSkel has no place for (constraints, events, free ends of chains) is
JSON text in the custom data ``motionloom`` of the animation, in the unit and axes of the stage.

Reading goes through :mod:`worker` (the USD library in a process of its own) and :mod:`motion` (what it found
as a clip).
"""

from motionloom.files.usd.read import read_usd
from motionloom.files.usd.write import write_usd

__all__ = ["read_usd", "write_usd"]
