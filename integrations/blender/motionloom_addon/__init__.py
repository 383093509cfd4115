"""Motionloom in Blender: import clips, and blend, join, loop, repair and retarget the actions of armatures.

Blender's modules are imported when the add-on is switched on, not here: :mod:`jobs` is also run by a Python
that has Motionloom and no Blender.
"""

from __future__ import annotations

from typing import Any

bl_info = {
    "name": "Motionloom",
    "author": "The Motionloom authors",
    "version": (0, 0, 0),  # build.py writes the version of the package
    "blender": (4, 2, 0),
    "location": "3D View > Sidebar > Motionloom",
    "description": "New motion from actions: blend, transition, loop, repair, retarget",
    "category": "Animation",
}


def register() -> None:
    """Switch the add-on on."""
    for module in _modules():
        module.register()


def unregister() -> None:
    """Switch the add-on off."""
    for module in reversed(_modules()):
        module.unregister()


def _modules() -> tuple[Any, ...]:
    """What is switched on, in this order, and off in the reverse one."""
    from . import active_action, importing, operators, panel, preferences, properties, retargeting

    return preferences, properties, operators, active_action, retargeting, importing, panel
