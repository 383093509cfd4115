"""A scene for Godot 4.3 and later: the clips' skeleton with an AnimationTree that holds the blend space.

Godot's blend spaces play their clips side by side, each at its own pace, whatever the lengths. So all are
stretched to one length (a custom timeline of AnimationNodeAnimation), and a time scale after the blend space
gives the pace back; the script of the tree sets both from one request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

SCRIPT = "motionloom_blend_space.gd"

MAX_POINTS = 64
"""Points that Godot's blend spaces hold."""

SKELETON = "Skeleton3D"
"""Name that Godot's importer gives to the skeleton of a file."""


def write_scene(table: Mapping[str, Any], glb: str) -> str:
    """Return the scene of a blend space as text.

    Parameters
    ----------
    table
        From :func:`motionloom.engines.save_blend_space.make_table`.
    glb
        Name of the file with all clips, in the folder of the scene.
    """
    clips, axes = table["clips"], table["axes"]
    timeline = float(np.mean([clip["duration"] for clip in clips]))
    parts = [
        f"[gd_scene load_steps={len(clips) + 6} format=3]",
        f'[ext_resource type="PackedScene" path={_quote(glb)} id="model"]',
        f'[ext_resource type="Script" path={_quote(SCRIPT)} id="script"]',
    ]
    for n, clip in enumerate(clips):
        parts.append(
            _resource(
                "AnimationNodeAnimation",
                f"clip_{n}",
                animation=f"&{_quote(clip['name'])}",
                use_custom_timeline="true",
                timeline_length=_number(timeline),
                stretch_time_scale="true",
                start_offset="0.0",
                loop_mode="1" if table["loop"] else "0",
            )
        )
    parts += [
        _write_blend_space(table),
        _resource("AnimationNodeTimeScale", "rate"),
        '[sub_resource type="AnimationNodeBlendTree" id="tree"]\n'
        'nodes/space/node = SubResource("space")\n'
        "nodes/space/position = Vector2(0, 100)\n"
        'nodes/rate/node = SubResource("rate")\n'
        "nodes/rate/position = Vector2(200, 100)\n"
        "nodes/output/position = Vector2(400, 100)\n"
        'node_connections = [&"rate", 0, &"space", &"output", 0, &"rate"]',
        f'[node name={_quote(table["name"])} instance=ExtResource("model")]',
        _write_tree(table, timeline, [(axis["min"] + axis["max"]) / 2.0 for axis in axes]),
    ]
    return "\n\n".join(parts) + "\n"


def write_import_settings(fps: float) -> str:
    """Return the settings with which Godot imports the clips: all their frames, and none thinned out.

    By default Godot takes 30 frames per second and drops keys, which moves a fast foot by centimetres.
    """
    return (
        '[remap]\n\nimporter="scene"\nimporter_version=1\ntype="PackedScene"\n\n[params]\n\n'
        f"animation/fps={round(fps)}\n"
        '_subresources={\n"nodes": {\n"PATH:AnimationPlayer": {\n"optimizer/enabled": false\n}\n}\n}\n'
    )


def _write_blend_space(table: Mapping[str, Any]) -> str:
    axes = table["axes"]
    flat = len(axes) == 1
    lines = [f'[sub_resource type="AnimationNodeBlendSpace{len(axes)}D" id="space"]']
    for n, clip in enumerate(table["clips"]):
        lines.append(f'blend_point_{n}/node = SubResource("clip_{n}")')
        lines.append(f"blend_point_{n}/pos = {_point(clip['position'])}")
    if not flat:
        # Godot would triangulate by itself as if the units of both axes were equal.
        lines.append("auto_triangles = false")
        lines.append(f"triangles = PackedInt32Array({', '.join(map(str, table['triangles']))})")
    # The limits start at ±1 and refuse values beyond each other, so a wide one leads the way.
    low, high = [axis["min"] for axis in axes], [axis["max"] for axis in axes]
    lines.append(f"min_space = {_point([min(value, -1.0) for value in low])}")
    lines.append(f"max_space = {_point(high)}")
    lines.append(f"min_space = {_point(low)}")
    steps = [(axis["max"] - axis["min"]) / (axis["count"] - 1) for axis in axes]
    lines.append(f"snap = {_point(steps)}")
    labels = ["value_label"] if flat else ["x_label", "y_label"]
    for label, axis in zip(labels, axes, strict=True):
        lines.append(f"{label} = {_quote(' '.join([axis['name'], axis['unit']]).strip())}")
    return "\n".join([*lines, "sync = true"])


def _write_tree(table: Mapping[str, Any], timeline: float, centre: Sequence[float]) -> str:
    durations = ", ".join(_number(clip["duration"]) for clip in table["clips"])
    markers = ", ".join(
        f"{_quote(clip['name'])}: [{', '.join(_list_marker(marker) for marker in clip['markers'])}]"
        for clip in table["clips"]
    )
    lines = ['[node name="AnimationTree" type="AnimationTree" parent="."]']
    if table["root_motion"] == "root":
        lines.append(f'root_motion_track = NodePath("{SKELETON}:root")')
    lines += [
        'tree_root = SubResource("tree")',
        'anim_player = NodePath("../AnimationPlayer")',
        'script = ExtResource("script")',
        f"request = Vector2({', '.join(_number(value) for value in (*centre, 0.0)[:2])})",
        f"durations = PackedFloat32Array({durations})",
        f"timeline = {_number(timeline)}",
        f"markers = {{{markers}}}",
    ]
    return "\n".join(lines)


def _list_marker(marker: Mapping[str, Any]) -> str:
    return f"{_quote(marker['name'])}, {_number(marker['time'])}"


def _resource(kind: str, id: str, **properties: str) -> str:
    head = f'[sub_resource type="{kind}" id="{id}"]'
    return "\n".join([head, *(f"{name} = {value}" for name, value in properties.items())])


def _point(values: Sequence[float]) -> str:
    if len(values) == 1:
        return _number(values[0])
    return f"Vector2({', '.join(map(_number, values))})"


def _number(value: float) -> str:
    return repr(round(float(value), 6))


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
