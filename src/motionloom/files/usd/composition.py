"""Check what a USD stage is composed of before the library composes it; a part of the worker's script.

A stage refers to other layers, which refer to further ones, and a reference may repeat everything below what
it refers to. Layers are therefore looked at one by one, as files, before a stage is opened: all of them must
be plain files in the stage's folder or below, and what they add up to must be in proportion to what they
hold. Nothing of Motionloom is imported here: ``worker.py`` runs this file by its path.
"""

import glob
import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

PRIMS_PER_SPEC = 20
"""Prims that a stage may have for every prim that its layers hold."""

MORE_MEMORY = "; it needs more memory"
"""End of the sentence about a stage that may be read once it is allowed more memory, as whoever started the
worker knows it."""


class CompositionFault(Exception):
    """The sentence that says what is wrong with a stage."""


class Block(NamedTuple):
    """A prim of a layer with all below it: its part of :attr:`Contents.arcs`, and how many prims it has."""

    first: int
    last: int
    n_prims: int


class Contents:
    """What a layer holds: its prims, and the arcs by which they take on others.

    Attributes
    ----------
    layer
        The layer.
    targets
        The real path of every file that the layer refers to, by the path that it writes.
    blocks
        The prims of each path without variants; several where variants have the same prim.
    arcs
        The file, "" for the layer itself, and the prim that arcs lead to, in the order of the prims they are
        at: what is below a prim comes before it.
    n_prims
        Prims and variants of prims.
    clip_assets
        The paths of value clips as the layer writes them.
    """

    def __init__(self, layer: Any) -> None:
        self.layer = layer
        self.targets: dict[str, str] = {}
        self.blocks: dict[Any, list[Block]] = {}
        self.arcs: list[tuple[str, Any]] = []
        self.n_prims = 0
        self.clip_assets: list[str] = []
        unclaimed: list[tuple[Any, int, int]] = []  # of prims whose parent is still to come
        layer.Traverse("/", lambda path: self._visit(path, unclaimed))
        self.blocks[layer.pseudoRoot.path] = [Block(0, len(self.arcs), self.n_prims)]

    def _visit(self, path: Any, unclaimed: list[tuple[Any, int, int]]) -> None:
        """Note a prim, or a variant of it, after everything below it."""
        if not (path.IsPrimPath() or path.IsPrimVariantSelectionPath()):
            return
        found = self.layer.GetObjectAtPath(path)
        spec = getattr(found, "primSpec", found)  # a variant keeps its prim apart
        if not hasattr(spec, "referenceList"):  # a set of variants, which come by themselves
            return
        first_arc, n_below = len(self.arcs), 0
        while unclaimed and unclaimed[-1][0].HasPrefix(path):
            _, first_arc, n_prims = unclaimed.pop()
            n_below += n_prims
        self.arcs.extend(list_arcs(spec))
        self.n_prims += 1
        unclaimed.append((path, first_arc, n_below + 1))
        if path.IsPrimPath():
            block = Block(first_arc, len(self.arcs), n_below + 1)
            self.blocks.setdefault(path.StripAllVariantSelections(), []).append(block)
        self.clip_assets.extend(list_clips(spec, os.path.dirname(self.layer.realPath)))


def list_arcs(spec: Any) -> Iterator[tuple[str, Any]]:
    """Yield the file and the prim that references, payloads, inherits and specializes of a prim lead to."""
    for listed in (spec.referenceList, spec.payloadList):
        for arc in listed.GetAppliedItems():
            yield arc.assetPath, arc.primPath
    for listed in (spec.inheritPathList, spec.specializesList):
        for path in listed.GetAppliedItems():
            yield "", path


def list_clips(spec: Any, folder: str) -> Iterator[str]:
    """Yield the paths, as a layer in a folder writes them, of the value clips of a prim."""
    for settings in (spec.GetInfo("clips") or {}).values():
        yield from (asset.path for asset in settings.get("assetPaths") or ())
        manifest, template = settings.get("manifestAssetPath"), settings.get("templateAssetPath")
        if manifest:
            yield manifest.path
        if template:
            yield template
            yield from glob.glob(os.path.join(glob.escape(folder), re.sub("#+", "*", template)))


def find_fault(path: str, max_prims: int) -> str | None:
    """Return what is wrong with what a stage is composed of, or None.

    Parameters
    ----------
    path
        The stage.
    max_prims
        Prims that it may have where it holds few itself.
    """
    try:
        known = read_layers(path)
        check_prims(path, known, max_prims)
    except CompositionFault as fault:
        return str(fault)
    return None


def read_layers(path: str) -> dict[str, Contents]:
    """Return the contents of all layers that a stage is composed of, by their real paths.

    Layers are looked at before anything they refer to is opened.
    """
    from pxr import Sdf, Tf

    folder = os.path.realpath(os.path.dirname(path))
    known: dict[str, Contents] = {}
    waiting = [os.path.realpath(path)]
    while waiting:
        place = waiting.pop()
        try:
            layer = Sdf.Layer.FindOrOpen(path if place == os.path.realpath(path) else place)
        except Tf.ErrorException:  # opening the stage says what is damaged
            continue
        if layer is None or place in known:
            continue
        known[place] = contents = Contents(layer)
        for asset in (*layer.GetCompositionAssetDependencies(), *contents.clip_assets):
            if asset:
                target = find_target(layer, str(asset), folder)
                contents.targets[str(asset)] = target
                waiting.extend([target] if os.path.isfile(target) else [])
    return known


def find_target(layer: Any, asset: str, folder: str) -> str:
    """Return the real path of a file that a layer refers to: a plain one in the folder or below."""
    from pxr import Ar, Sdf

    if Sdf.VariableExpression.IsExpression(asset):
        raise CompositionFault(
            f"refers to a file by an expression, {asset[:60]!r}: only plain paths are read"
        )
    written = Sdf.Layer.SplitIdentifier(asset)[0]  # without arguments of the file format
    outer = Ar.SplitPackageRelativePathOuter(layer.ComputeAbsolutePath(written))[0]
    target = str(os.path.realpath(os.path.join(os.path.dirname(layer.realPath), outer)))
    if not is_inside(target, folder):
        raise CompositionFault(f"refers to {asset[:60]!r}, which lies outside the file's folder")
    if os.path.exists(target) and not os.path.isfile(target):
        raise CompositionFault(f"refers to {asset[:60]!r}, which is not a plain file")
    return target


def is_inside(path: str, folder: str) -> bool:
    """Tell whether a real path lies in a folder or below."""
    try:
        return os.path.commonpath([folder, path]) == folder
    except ValueError:  # another drive
        return False


def find_foreign_layer(stage: Any, path: str) -> str | None:
    """Return what is wrong where a stage that was opened uses a layer outside of its folder after all."""
    from pxr import Ar

    folder = os.path.realpath(os.path.dirname(path))
    for layer in stage.GetUsedLayers(includeClipLayers=True):
        outer = Ar.SplitPackageRelativePathOuter(layer.realPath)[0]
        if outer and not is_inside(os.path.realpath(outer), folder):
            return f"is composed of {os.path.basename(outer)[:60]!r}, which lies outside the file's folder"
    return None


def check_prims(path: str, known: dict[str, Contents], max_prims: int) -> None:
    """Refuse a stage whose arcs repeat prims out of proportion to those that its layers hold.

    Every prim counts as often as arcs lead to it or to a prim above it, and so does every arc; all variants
    count.
    """
    from pxr import Sdf

    limit = max(max_prims, PRIMS_PER_SPEC * sum(contents.n_prims for contents in known.values()))
    stacks: dict[str, list[Contents]] = {}
    n_prims, waiting = 0, [(os.path.realpath(path), Sdf.Path.absoluteRootPath)]
    while waiting:
        place, prim = waiting.pop()
        if place not in stacks:
            stacks[place] = list_stack(place, known)
        if prim.isEmpty and place in known:
            prim = known[place].layer.GetDefaultPrimAsPath()
        for contents in stacks[place]:
            for block in contents.blocks.get(prim, ()):
                n_prims += block.n_prims + block.last - block.first
                if n_prims > limit:
                    raise CompositionFault(
                        f"repeats prims by references within references: it would have more than {limit} of "
                        f"them{MORE_MEMORY}"
                    )
                for asset, target in contents.arcs[block.first : block.last]:
                    waiting.append((contents.targets[asset] if asset else place, target))


def list_stack(place: str, known: dict[str, Contents]) -> list[Contents]:
    """Return the contents of a layer and of its sublayers, theirs included."""
    found: dict[str, Contents] = {}
    waiting = [place]
    while waiting:
        each = waiting.pop()
        if each in known and each not in found:
            found[each] = known[each]
            waiting.extend(found[each].targets[asset] for asset in found[each].layer.subLayerPaths if asset)
    return list(found.values())
