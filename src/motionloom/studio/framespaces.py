"""Framespaces: the space that the clips of an item span, and the curve drawn through it."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from motionloom.errors import MotionloomError, ParameterError
from motionloom.project.document import Document
from motionloom.project.recipes import FramespaceRecipe
from motionloom.studio.aside import aside
from motionloom.studio.session import Session
from motionloom.studio.warps import PACK, unedited

if TYPE_CHECKING:
    from motionloom.blending import BlendResult
    from motionloom.framespace import Framespace
    from motionloom.project.evaluation import Evaluator

MOST_VERTICES = 1000
"""Vertices of a curve that is drawn in the page; more are taken for a mistake."""


async def framespace(request: Request) -> Response:
    """The states of a framespace and the curve through it, as a pack; also where the curve makes no clip."""
    from motionloom.studio.framespace_packs import framespace_pack

    session: Session = request.app.state.session
    item = session.document.item(request.path_params["item"])
    recipe = item.recipe
    if not isinstance(recipe, FramespaceRecipe):
        raise ParameterError(f"{item.name} is no framespace, so no curve goes through it")

    def found(evaluator: Evaluator, document: Document) -> tuple[Framespace, BlendResult | None]:
        space = evaluator.space(document, item.id)
        try:
            return space, evaluator.outcome(unedited(document, item.id), item.id).blend
        except MotionloomError:
            # Its row in the list says why; states and curve are there to mend it with.
            return space, None

    space, blend = await session.asked(found)
    pack = await aside(partial(framespace_pack, space, recipe, blend, item.edit))
    return Response(pack, media_type=PACK)


async def curve(request: Request) -> Response:
    """The curve that vertices make, as a pack: what dragging shows before it is done."""
    from motionloom.studio.framespace_packs import curve_pack

    asked = request.query_params
    vertices = checked_vertices(asked.get("vertices", ""))
    return Response(curve_pack(vertices, asked.get("polyline") == "true"), media_type=PACK)


def checked_vertices(text: str) -> list[list[float]]:
    """Vertices written as JSON, each a list of numbers.

    >>> checked_vertices("[[0, 0], [1, 0.5]]")
    [[0.0, 0.0], [1.0, 0.5]]
    """
    try:
        rows = [[float(number) for number in row] for row in json.loads(text)]
    except (TypeError, ValueError, RecursionError):
        raise ParameterError("vertices must be a JSON list of lists of numbers, [[x, v], …]") from None
    if not 0 < len(rows) <= MOST_VERTICES:
        raise ParameterError(f"a curve has 1 to {MOST_VERTICES} vertices, not {len(rows)}")
    return rows


routes = [Route("/api/framespace/{item}", framespace), Route("/api/framespace-curve", curve)]
