"""Transitions: all ways to make one, side by side with their measures."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, get_args

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from motionloom.errors import MotionloomError, ParameterError
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.plain_data import from_plain, to_plain
from motionloom.project.recipes import TransitionRecipe
from motionloom.studio.aside import aside
from motionloom.studio.heads import MethodMeasures, TransitionMethodName, Transitions
from motionloom.studio.pack_cache import PackCache
from motionloom.studio.session import Session

if TYPE_CHECKING:
    from motionloom.motion import Clip
    from motionloom.project.evaluation import Evaluator, Outcome

_measured = PackCache(most_bytes=1 << 20)
"""Measures by the key of the motion: the same key is the same motion in every project."""


async def transitions(request: Request) -> Response:
    """What each method makes of a transition, the one that is chosen among them."""
    session: Session = request.app.state.session
    item = session.document.item(request.path_params["item"])
    if not isinstance(item.recipe, TransitionRecipe):
        raise ParameterError(f"{item.name} is no transition, so there are no ways to make it")
    clips = [(await session.outcome(id)).clip for id in (item.recipe.first, item.recipe.second)]
    methods = [await _measures(session, item, method, clips) for method in get_args(TransitionMethodName)]
    repeats = await aside(partial(_repeats, clips)) if item.recipe.loop else (None, None)
    return JSONResponse(to_plain(Transitions(methods=tuple(methods), repeats=repeats)))


async def _measures(
    session: Session, item: Item, method: TransitionMethodName, clips: list[Clip]
) -> MethodMeasures:
    """The measures of one method; where it cannot be made, why."""
    assert isinstance(item.recipe, TransitionRecipe)
    recipe = replace(item.recipe, method=method)
    # Trimming or reversing what was made would take its seams away or turn them round.
    tried = replace(item, recipe=recipe, edit=ClipEdit(), marks=None)

    def made(evaluator: Evaluator, document: Document) -> Outcome:
        items = tuple(tried if other.id == tried.id else other for other in document.items)
        return evaluator.outcome(replace(document, items=items), tried.id)

    try:
        outcome = await session.asked(made)
    except MotionloomError as error:
        return MethodMeasures(method=method, error=str(error))
    return await aside(partial(_kept_measures, outcome, recipe, clips))


def _kept_measures(outcome: Outcome, recipe: TransitionRecipe, clips: list[Clip]) -> MethodMeasures:
    from motionloom.studio.transition_measures import measures_of

    kept = _measured.get(outcome.key)
    if kept is None:
        kept = json.dumps(to_plain(measures_of(outcome, recipe, clips))).encode()
        _measured.put(outcome.key, kept)
    found: MethodMeasures = from_plain(MethodMeasures, json.loads(kept))
    return found


def _repeats(clips: list[Clip]) -> tuple[tuple[float, float] | None, tuple[float, float] | None]:
    from motionloom.studio.transition_measures import repeated

    first, second = map(repeated, clips)
    return first, second


routes = [Route("/api/transitions/{item}", transitions)]
