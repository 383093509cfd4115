"""A script that runs inside Blender: installs the add-on, presses its buttons, and notes what comes of it.

``blender_session.py ZIP PROGRAM RESULT PATHS WALK JOG OTHER MARKERS SPIKED`` writes arrays and facts by name
into RESULT. PROGRAM is what the add-on's preferences name, "" for Blender's own Python; PATHS is JSON:
folders with packages that it gets, the version that they are for, whether the zip brings them, a Python
without Motionloom, and whether to press all buttons.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np


def install(zipped: str, program: str) -> None:
    """Install the add-on as users do, and set its preferences."""
    import bpy

    from tests.integrations.blender_notes import ADDON

    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.extensions.package_install_files(filepath=zipped, repo="user_default", enable_on_install=True)
    bpy.context.preferences.addons[ADDON].preferences.program = program


def validate(zipped: str) -> tuple[int, str]:
    """What ``blender --command extension validate`` says of a zip, by the script behind it."""
    import bpy

    scripts = Path(bpy.utils.system_resource("SCRIPTS"))
    tags = scripts / "modules/_bpy_internal/extensions/tags.py"
    known = [f"--valid-tags={tags}"] if tags.is_file() else []
    command = [sys.executable, str(scripts / "addons_core/bl_pkg/cli/blender_ext.py"), "validate", *known]
    run = subprocess.run([*command, zipped], capture_output=True, text=True, check=False, timeout=60)
    return run.returncode, run.stdout + run.stderr


def main(
    zipped: str,
    program: str,
    result: str,
    paths: str,
    walk: str,
    jog: str,
    other: str,
    markers: str,
    spiked: str,
) -> None:
    """Install, press, note."""
    sys.path.append(str(Path(__file__).parents[2]))
    import bpy

    from tests.integrations import blender_buttons, blender_notes, blender_rigs

    given, said = json.loads(paths), blender_notes.said
    here = given["bundled"] or (not program and list(sys.version_info[:2]) == given["version"])
    if here and not given["bundled"]:
        sys.path.extend(given["folders"])
    said |= {"here": here, "version": bpy.app.version, "python": "{}.{}".format(*sys.version_info[:2])}
    said |= {"validated": validate(zipped)}
    if here or program:
        install(zipped, program)
        armature = blender_buttons.import_two([walk, jog])
        blender_buttons.blend_two(armature)
        if given["all"]:
            blender_buttons.press_all(armature)
            blender_buttons.draw_panels()
            blender_buttons.import_at_another_rate(walk)
            blender_buttons.plant_what_blender_imported(walk)
            blender_buttons.import_other_bodies(other, walk, markers)
            blender_rigs.there_and_back(through_clips=here)
            blender_rigs.import_beside_rigs_that_cannot_be_used(walk)
        if given["all"] or given["bundled"]:
            blender_buttons.clean_up_and_retarget(spiked, other)
        blender_buttons.wrong_programs(given["empty"])
        said["runs in"] = getattr(sys.modules.get("motionloom"), "__file__", "another process")
        said["numpy"] = np.__version__
        bpy.ops.preferences.addon_disable(module=blender_notes.ADDON)
        bpy.ops.preferences.addon_install(filepath=zipped)
        bpy.ops.preferences.addon_enable(module="motionloom_addon")
        said["older kind"] = "motionloom_addon" in bpy.context.preferences.addons
    text = np.frombuffer(json.dumps(said).encode(), dtype=np.uint8)
    np.savez(result, said=text, **blender_notes.noted)


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :])
    os._exit(0)  # Blender 4.2 as a module crashes when it ends and properties of add-ons have callbacks
