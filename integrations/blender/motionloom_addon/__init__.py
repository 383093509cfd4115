"""Motionloom in Blender: import clips, and blend, join and plant the actions of an armature.

Blender's modules are imported when the add-on is switched on, not here: :mod:`jobs` is also run by a Python
that has Motionloom and no Blender.
"""

from __future__ import annotations

bl_info = {
    "name": "Motionloom",
    "author": "The Motionloom authors",
    "version": (0, 1, 0),
    "blender": (4, 2, 0),
    "location": "3D View > Sidebar > Motionloom",
    "description": "New motion from actions: blends, transitions, planted feet",
    "category": "Animation",
}


def register() -> None:
    """Switch the add-on on."""
    from . import importing, operators, panel, preferences, properties

    for module in (preferences, properties, operators, importing, panel):
        module.register()


def unregister() -> None:
    """Switch the add-on off."""
    from . import importing, operators, panel, preferences, properties

    for module in (panel, importing, operators, properties, preferences):
        module.unregister()
