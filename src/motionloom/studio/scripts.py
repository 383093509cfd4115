"""Scripts: what makes the clip of an item again, in Python or as commands."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from motionloom.errors import ParameterError
from motionloom.studio.aside import aside
from motionloom.studio.exports import checked_format, file_name
from motionloom.studio.session import Session


async def script(request: Request) -> Response:
    """The script of an item as text."""
    session: Session = request.app.state.session
    document, language = session.document, request.query_params.get("language", "python")
    item, format = request.path_params["item"], checked_format(request.query_params.get("format", "bvh"))
    output = file_name(document, item, format)
    if language == "python":
        from motionloom.project.python_script import as_python as written
    elif language == "commands":
        from motionloom.project.command_script import as_commands as written
    else:
        raise ParameterError(f"scripts are written in python or commands, not in {language!r}")
    return PlainTextResponse(await aside(partial(written, document, item, output)))


routes = [Route("/api/scripts/{item}", script)]
