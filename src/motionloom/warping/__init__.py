"""Motion warping: reshape one clip with a few keys (Witkin & Popović 1995), on quaternions.

:func:`warp` meets keys and :func:`reach` hits a target with the most suitable of several clips;
:func:`apply_preset` and :func:`stepping_stones` are whole edits of a walk. :func:`bend_path` drags the path,
:func:`retime_events` and :func:`retime_to_beat` move events in time, :func:`scale_bands` and
:func:`waveshape` filter joint motion.

>>> from motionloom.synthesis import walk
>>> clip = walk(duration=2.0).clip
>>> bent = warp(clip, [Key(1.0, "Spine", rotate=(0.5, 0, 0))])
>>> bent.report.n_moments
1
"""

from motionloom.warping.bend_path import bend_path
from motionloom.warping.carry_warp import carry_warp
from motionloom.warping.generalize_warp import generalize_warp
from motionloom.warping.keys import Key, pose_keys
from motionloom.warping.obstacles import Obstacle
from motionloom.warping.presets import PRESETS, PresetEdit, apply_preset, preset_edit, preset_keys
from motionloom.warping.reach import ReachReport, reach
from motionloom.warping.resolve_warp import ResolvedWarp, resolve_warp
from motionloom.warping.retime_events import retime_events, retime_to_beat
from motionloom.warping.signal_processing import scale_bands, soft_limits, waveshape
from motionloom.warping.stepping_stones import stepping_stones
from motionloom.warping.time_keys import TimeKeys
from motionloom.warping.times import TimeMap
from motionloom.warping.warp import KeyOutcome, WarpReport, scale_warp, warp
from motionloom.warping.warp_data import Layer, Warp

__all__ = [
    "PRESETS",
    "Key",
    "KeyOutcome",
    "Layer",
    "Obstacle",
    "PresetEdit",
    "ReachReport",
    "ResolvedWarp",
    "TimeKeys",
    "TimeMap",
    "Warp",
    "WarpReport",
    "apply_preset",
    "bend_path",
    "carry_warp",
    "generalize_warp",
    "pose_keys",
    "preset_edit",
    "preset_keys",
    "reach",
    "resolve_warp",
    "retime_events",
    "retime_to_beat",
    "scale_bands",
    "scale_warp",
    "soft_limits",
    "stepping_stones",
    "warp",
    "waveshape",
]
