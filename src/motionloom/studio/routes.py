"""Every HTTP request that the page makes, one short handler each.

A handler reads the request, asks the session, and returns a pack (binary) or JSON. What is computed lives in
the module of its noun, which is imported on the first request, so that the studio starts without it. Nothing
is imported, computed or encoded on the event loop, since all tabs would wait for it.
"""

from __future__ import annotations

import asyncio
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, get_args

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from motionloom.errors import MotionloomError, ParameterError
from motionloom.project.document import Document, Item
from motionloom.project.edits import without_edit
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import (
    BlendRecipe,
    FramespaceRecipe,
    TransitionRecipe,
    WarpRecipe,
    sources_of,
)
from motionloom.studio.background import run_in_background
from motionloom.studio.character_routes import CHARACTER_ROUTES
from motionloom.studio.error_responses import shorten
from motionloom.studio.export_routes import EXPORT_ROUTES
from motionloom.studio.exports import (
    check_format,
    file_name,
    list_formats,
    parse_settings,
)
from motionloom.studio.packs import pack
from motionloom.studio.page_words import in_page_words
from motionloom.studio.requests import (
    check_present,
    find_item,
    find_session,
    respond_with_bytes,
    respond_with_json,
)
from motionloom.studio.responses import ErrorResponse, TransitionMethodName, Transitions
from motionloom.studio.uploads import check_suffix, receive_file, store_upload

if TYPE_CHECKING:
    from motionloom.blending import BlendResult
    from motionloom.framespace import Framespace
    from motionloom.motion import Clip, Result
    from motionloom.project.evaluator import Evaluator
    from motionloom.registration import RegistrationCurve
    from motionloom.warping import WarpReport

IMMUTABLE = "private, max-age=31536000, immutable"
"""Cache header of a clip: the same key is the same motion, so a browser never has to ask twice."""


def check_pair(asked: QueryParams, n_clips: int) -> tuple[int, int]:
    """Return the two clips of a blend that a request asks for: ``a`` and ``b``, by default the first two.

    >>> check_pair(QueryParams("a=2"), 3)
    (2, 1)
    """
    try:
        a, b = int(asked.get("a", "0")), int(asked.get("b", "1"))
    except ValueError:
        a = b = -1
    if a == b or not (0 <= a < n_clips and 0 <= b < n_clips):
        raise ParameterError(f"a and b must be two different clips of the blend, each 0 to {n_clips - 1}")
    return a, b


async def get_clip(request: Request) -> Response:
    """Return the pack of a clip by its key."""
    content = await find_session(request).pack(request.path_params["key"])
    return respond_with_bytes(content, {"cache-control": IMMUTABLE})


async def get_motions(request: Request) -> Response:
    """List the built-in motions with their options."""

    def find() -> object:
        from motionloom.studio.motions import list_motions

        return list_motions()

    return await respond_with_json(find)


async def get_formats(request: Request) -> Response:
    """List the file types that can be added and exported."""
    return await respond_with_json(list_formats)


async def post_file(request: Request) -> Response:
    """Add an uploaded file to the project; the response holds its path there."""
    incoming: asyncio.Semaphore = request.app.state.incoming
    slots: asyncio.Semaphore = request.app.state.uploads
    name = request.query_params.get("name", "")
    await run_in_background(partial(check_suffix, name))
    async with incoming:
        pieces = await receive_file(request, name)
        async with slots:
            found = await run_in_background(partial(store_upload, find_session(request).folder, name, pieces))
    return JSONResponse(to_plain(found))


async def get_script(request: Request) -> Response:
    """Return the script that makes the clip of an item, in Python or as commands."""
    session, language = find_session(request), request.query_params.get("language", "python")
    item, format = request.path_params["item"], check_format(request.query_params.get("format", "bvh"))
    settings = parse_settings(request.query_params)
    if language not in ("python", "commands"):
        raise ParameterError(f"the script language must be python or commands, not {language!r}")
    document = session.document
    if any(each.marks and each.marks.edit for each in document.with_sources(item)):
        document = await session.ask(lambda evaluator, _: evaluator.retime_marks(document, item), item)

    def write() -> str:
        from motionloom.project.command_script import write_commands
        from motionloom.project.python_script import write_python

        output = file_name(document, item, format)
        return (write_python if language == "python" else write_commands)(document, item, output, settings)

    return PlainTextResponse(await run_in_background(write))


async def get_notes(request: Request) -> Response:
    """Return all notes on an item, also those that are only looked for now."""
    evaluated = await find_session(request).evaluate(request.path_params["item"])
    return await respond_with_json(lambda: [in_page_words(note) for note in evaluated.notes])


async def get_quality(request: Request) -> Response:
    """Return the quality report of an item."""
    session, item = find_session(request), find_item(request)
    evaluated = await session.evaluate(item.id)
    sources = [(await session.evaluate(source)).clip for source in sources_of(item.recipe)]

    def measure() -> object:
        from motionloom.studio.quality import report_quality

        return report_quality(evaluated.clip, evaluated.before, sources, evaluated.seams)

    return await respond_with_json(measure)


async def get_registration(request: Request) -> Response:
    """Return the distance grid and the curve of two clips of a blend, as a pack.

    That clips cannot be registered, for instance because no curve can meet the pins, is a normal response:
    the pack of an ErrorResponse.
    """
    item = find_item(request)
    if not isinstance(item.recipe, BlendRecipe):
        raise ParameterError(f"{item.name} is not a blend, so it has no registration")
    sources, pair = item.recipe.sources, check_pair(request.query_params, len(item.recipe.sources))

    def find(evaluator: Evaluator, document: Document) -> tuple[RegistrationCurve, list[Clip]]:
        curve = evaluator.curve(document, item.id)
        return curve, [evaluator.evaluate(document, source).clip for source in sources]

    def pack_both(curve: RegistrationCurve, clips: list[Clip]) -> bytes:
        from motionloom.studio.registrations import find_part, pack_registration

        parts = [find_part(curve, k, sources[k], clips[k]) for k in pair]
        return pack_registration(curve, pair, parts)

    try:
        curve, clips = await find_session(request).ask(find, item.id)
        content = await run_in_background(partial(pack_both, curve, clips))
    except MotionloomError as error:
        check_present(request, item)
        content = pack(ErrorResponse(error=shorten(error.message)), {})
    return respond_with_bytes(content)


async def get_transitions(request: Request) -> Response:
    """Measure a transition made by each method, the chosen one among them."""
    session, item = find_session(request), find_item(request)
    if not isinstance(item.recipe, TransitionRecipe):
        raise ParameterError(f"{item.name} is not a transition, so there are no methods to compare")
    clips = [(await session.evaluate(id)).clip for id in (item.recipe.first, item.recipe.second)]
    # By now the evaluator has imported nearly everything that this needs.
    await run_in_background(partial(import_module, "motionloom.studio.transitions"))
    from motionloom.studio.transitions import find_repeated_frames, measure_method

    methods = [
        await measure_method(session, item, method, clips) for method in get_args(TransitionMethodName)
    ]
    check_present(request, item)
    repeats = (
        await run_in_background(partial(find_repeated_frames, clips)) if item.recipe.loop else (None, None)
    )
    return await respond_with_json(lambda: Transitions(methods=tuple(methods), repeats=repeats))


def _find_warp(evaluator: Evaluator, document: Document, item: Item) -> tuple[Clip, Result[WarpReport]]:
    """Return the source of a warp, and what the warp makes of it before the item's edit."""
    from motionloom.motion import Result

    assert isinstance(item.recipe, WarpRecipe)
    source = evaluator.evaluate(document, item.recipe.source).clip
    warped = evaluator.evaluate(without_edit(document, item.id), item.id)
    assert warped.warp is not None
    return source, Result(warped.clip, warped.warp)


async def get_warp(request: Request) -> Response:
    """Return the curves of one joint of a warp, before and after, as a pack."""
    item = find_item(request)
    if not isinstance(item.recipe, WarpRecipe):
        raise ParameterError(f"{item.name} is not a warp, so it has no keys")
    recipe, joint = item.recipe, request.query_params.get("joint", "")

    source, warped = await find_session(request).ask(partial(_find_warp, item=item), item.id)

    def pack_curves() -> bytes:
        from motionloom.studio.warps import pack_warp

        return pack_warp(source, warped, recipe, item.edit, joint)

    return respond_with_bytes(await run_in_background(pack_curves))


async def get_stage_objects(request: Request) -> Response:
    """Return what a warp is made for, as the page draws it."""
    item = find_item(request)
    if not isinstance(item.recipe, WarpRecipe):
        raise ParameterError(f"{item.name} is not a warp, so nothing stands on its path")
    recipe = item.recipe

    source, warped = await find_session(request).ask(partial(_find_warp, item=item), item.id)

    def find_objects() -> object:
        from motionloom.studio.stage_objects import find_stage_objects

        return find_stage_objects(source, warped, recipe)

    return await respond_with_json(find_objects)


async def get_warp_presets(request: Request) -> Response:
    """Return pictures of the warp presets, as a pack."""

    def pack_pictures() -> bytes:
        from motionloom.studio.warps import pack_presets

        return pack_presets()

    return respond_with_bytes(await run_in_background(pack_pictures))


async def get_framespace(request: Request) -> Response:
    """Return the states of a framespace and the curve through it, as a pack.

    The states and the curve are there even where the curve makes no clip, so that it can be corrected.
    """
    item = find_item(request)
    recipe = item.recipe
    if not isinstance(recipe, FramespaceRecipe):
        raise ParameterError(f"{item.name} is not a framespace, so there is no curve through it")

    def find(evaluator: Evaluator, document: Document) -> tuple[Framespace, BlendResult | None]:
        space = evaluator.space(document, item.id)
        try:
            return space, evaluator.evaluate(without_edit(document, item.id), item.id).blend
        except MotionloomError:
            return space, None

    space, blend = await find_session(request).ask(find, item.id)

    def pack_space() -> bytes:
        from motionloom.studio.framespaces import pack_framespace

        return pack_framespace(space, recipe, blend, item.edit)

    return respond_with_bytes(await run_in_background(pack_space))


async def get_framespace_curve(request: Request) -> Response:
    """Return the curve through vertices, as a pack: what the page shows while a vertex is dragged."""
    vertices, polyline = request.query_params.get("vertices", ""), request.query_params.get("polyline")

    def sample() -> bytes:
        from motionloom.studio.framespaces import pack_curve, parse_vertices

        return pack_curve(parse_vertices(vertices), polyline == "true")

    return respond_with_bytes(await run_in_background(sample))


ROUTES = [
    Route("/api/clips/{key}", get_clip),
    Route("/api/motions", get_motions),
    Route("/api/formats", get_formats),
    Route("/api/files", post_file, methods=["POST"]),
    Route("/api/scripts/{item}", get_script),
    Route("/api/notes/{item}", get_notes),
    Route("/api/quality/{item}", get_quality),
    Route("/api/registration/{item}", get_registration),
    Route("/api/transitions/{item}", get_transitions),
    Route("/api/warp/{item}", get_warp),
    Route("/api/stage-objects/{item}", get_stage_objects),
    Route("/api/warp-presets", get_warp_presets),
    Route("/api/framespace/{item}", get_framespace),
    Route("/api/framespace-curve", get_framespace_curve),
    *EXPORT_ROUTES,
    *CHARACTER_ROUTES,
]
