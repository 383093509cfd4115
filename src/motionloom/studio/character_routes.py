"""HTTP requests about characters: meshes, textures, clips on them, and joint maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from motionloom.errors import ParameterError
from motionloom.studio.background import run_in_background
from motionloom.studio.outdated import OutdatedError
from motionloom.studio.requests import find_item, find_session, respond_with_bytes, respond_with_json

if TYPE_CHECKING:
    from motionloom.project.document import Document
    from motionloom.project.evaluator import EvaluatedClip, Evaluator


async def get_mannequin(request: Request) -> Response:
    """Return the mannequin of the skeleton of an item, as a pack."""
    session = find_session(request)
    evaluated = await session.evaluate(find_item(request).id)

    def make() -> bytes:
        from motionloom.studio.characters import pack_mesh

        return pack_mesh(session.characters.mannequin(evaluated.clip))

    return respond_with_bytes(await run_in_background(make))


async def get_character(request: Request) -> Response:
    """Return the mesh of a character, as a pack."""
    session = find_session(request)
    character = session.document.character(request.path_params["character"])

    def make() -> bytes:
        from motionloom.studio.characters import pack_mesh

        return pack_mesh(session.characters.mesh(character))

    return respond_with_bytes(await run_in_background(make))


async def get_texture(request: Request) -> Response:
    """Return the texture of a material of a character, as the image file that it is."""
    session = find_session(request)
    character = session.document.character(request.path_params["character"])
    materials = (await run_in_background(lambda: session.characters.mesh(character))).materials
    number = request.path_params["material"]
    texture = materials[number].texture if number < len(materials) else None
    if texture is None:
        raise ParameterError(f"{character.name} has no texture {number}")
    return respond_with_bytes(texture)


async def get_character_clip(request: Request) -> Response:
    """Return the motion of an item on a character, as a pack; with a key, only where it is the motion's."""
    session = find_session(request)
    character = session.document.character(request.path_params["character"])
    item, key = find_item(request), request.query_params.get("key")

    def evaluate(evaluator: Evaluator, document: Document) -> EvaluatedClip:
        if key is not None and evaluator.key(document, item.id) != key:
            raise OutdatedError(f"{item.name} has changed since")
        return evaluator.evaluate(document, item.id)

    evaluated = await session.ask(evaluate, item.id)

    def make() -> bytes:
        from motionloom.studio.characters import pack_character_motion

        return pack_character_motion(session.characters.retarget(evaluated.clip, character), character)

    return respond_with_bytes(await run_in_background(make))


async def get_joint_map(request: Request) -> Response:
    """Return which joints of an item drive those of a character."""
    session = find_session(request)
    character = session.document.character(request.path_params["character"])
    evaluated = await session.evaluate(find_item(request).id)

    def view() -> object:
        from motionloom.studio.characters import view_joint_map

        return view_joint_map(evaluated.clip, session.characters.clip(character), character.joint_map)

    return await respond_with_json(view)


CHARACTER_ROUTES = [
    Route("/api/mannequins/{item}", get_mannequin),
    Route("/api/characters/{character}/mesh", get_character),
    Route("/api/characters/{character}/textures/{material:int}", get_texture),
    Route("/api/characters/{character}/clips/{item}", get_character_clip),
    Route("/api/characters/{character}/maps/{item}", get_joint_map),
]
