"""Paths over the ground: how they are drawn, how motion is bent to them, and how closely it follows."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
