"""Registrations: how the clips of a blend correspond, two at a time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from motionloom.errors import MotionloomError, ParameterError
from motionloom.project.document import Document
from motionloom.project.recipes import BlendRecipe
from motionloom.studio.aside import aside
from motionloom.studio.heads import Problem
from motionloom.studio.packing import packed
from motionloom.studio.session import Session

if TYPE_CHECKING:
    from motionloom.motion import Clip
    from motionloom.project.evaluation import Evaluator
    from motionloom.registration import RegistrationCurve


async def registration(request: Request) -> Response:
    """The distance grid of two clips of a blend and their curve, as a pack; or the pack of a Problem.

    That clips cannot be registered, as of pins that no curve can meet, is an answer like any other.
    """
    from motionloom.studio.registration_packs import part_of, registration_pack

    session: Session = request.app.state.session
    item = session.document.item(request.path_params["item"])
    if not isinstance(item.recipe, BlendRecipe):
        raise ParameterError(f"{item.name} is no blend, so nothing is registered for it")
    sources = item.recipe.sources
    pair = checked_pair(request.query_params, len(sources))

    def found(evaluator: Evaluator, document: Document) -> tuple[RegistrationCurve, list[Clip]]:
        curve = evaluator.curve(document, item.id)
        return curve, [evaluator.outcome(document, source).clip for source in sources]

    try:
        curve, clips = await session.asked(found)
        parts = [part_of(curve, k, sources[k], clips[k]) for k in pair]
        pack = await aside(partial(registration_pack, curve, pair, parts))
    except MotionloomError as error:
        pack = packed(Problem(error=str(error)), {})
    return Response(pack, media_type="application/octet-stream")


def checked_pair(asked: QueryParams, n_clips: int) -> tuple[int, int]:
    """Which two clips of a blend are meant: ``a`` and ``b``, the first two unless stated.

    >>> checked_pair(QueryParams("a=2"), 3)
    (2, 1)
    """
    try:
        a, b = int(asked.get("a", "0")), int(asked.get("b", "1"))
    except ValueError:
        a = b = -1
    if a == b or not (0 <= a < n_clips and 0 <= b < n_clips):
        raise ParameterError(f"a and b must be two different clips of the blend, each 0 to {n_clips - 1}")
    return a, b


routes = [Route("/api/registration/{item}", registration)]
