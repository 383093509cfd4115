"""Motionloom makes new motion from captured motion.

>>> import motionloom as ml
>>> clip = ml.load("walk.bvh")                  # doctest: +SKIP
>>> ml.save(clip.mirrored(), "mirrored.bvh")    # doctest: +SKIP

Names load on first use, so that importing the package costs next to nothing; `__init__.pyi` lists them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

__version__ = "0.2.0"
