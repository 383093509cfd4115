"""Blend spaces for game engines, from motion spaces.

:mod:`save_blend_space` writes the clips of a grid, :mod:`table` what all engines need to know about them, and
:mod:`godot` a scene. Unity and Unreal make their assets with scripts that run in their editors; those and the
script of Godot's scene are in the folder ``scripts`` and are copied beside the clips.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
