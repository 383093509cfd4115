"""Warps: what the keys of an item do to a joint over time, and pictures of the presets."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from motionloom.errors import ParameterError
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.edits import SetEdit, SetMarks
from motionloom.project.recipes import WarpRecipe
from motionloom.studio.aside import aside
from motionloom.studio.session import Session

if TYPE_CHECKING:
    from motionloom.motion import Clip
    from motionloom.project.evaluation import Evaluator

PACK = "application/octet-stream"


async def warp(request: Request) -> Response:
    """The curves of one joint of a warp, before and after, as a pack."""
    from motionloom.studio.warp_packs import warp_pack

    session: Session = request.app.state.session
    item = session.document.item(request.path_params["item"])
    recipe = checked_warp(item)
    joint = request.query_params.get("joint", "")

    def found(evaluator: Evaluator, document: Document) -> tuple[Clip, Clip]:
        source = evaluator.outcome(document, recipe.source).clip
        return source, evaluator.outcome(unedited(document, item.id), item.id).clip

    source, warped = await session.asked(found)
    pack = await aside(partial(warp_pack, source, warped, item, joint))
    return Response(pack, media_type=PACK)


async def warp_presets(request: Request) -> Response:
    """Pictures of the warp presets, as a pack."""
    from motionloom.studio.warp_packs import warp_presets_pack

    return Response(await aside(warp_presets_pack), media_type=PACK)


def checked_warp(item: Item) -> WarpRecipe:
    """The recipe of an item that is a warp."""
    if not isinstance(item.recipe, WarpRecipe):
        raise ParameterError(f"{item.name} is no warp, so it has no keys")
    return item.recipe


def unedited(document: Document, id: str) -> Document:
    """The document with an item as its recipe makes it, before it is trimmed, sped up or marked."""
    whole = SetEdit(item=id, edit=ClipEdit()).applied(document)
    return SetMarks(item=id, marks=None).applied(whole)


routes = [Route("/api/warp/{item}", warp), Route("/api/warp-presets", warp_presets)]
