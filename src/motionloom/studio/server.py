"""Running the studio: a socket that only this machine reaches, a browser that opens it, an end that saves."""

from __future__ import annotations

import errno
import os
import socket
import sys
import webbrowser
from asyncio import Protocol
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from motionloom.errors import MissingPackageError, MotionloomError
from motionloom.messages import Argument
from motionloom.project.document import Document
from motionloom.project.folder import ProjectFolder
from motionloom.studio.folder_lock import only_studio
from motionloom.studio.limit_arenas import limit_arenas
from motionloom.studio.opening import open_document

if TYPE_CHECKING:
    from motionloom.project.cache import Cache
    from motionloom.project.evaluator import Evaluator

HOST = "127.0.0.1"
"""The studio listens here and nowhere else: no other machine can reach it."""

PAGE_VARIABLE = "MOTIONLOOM_STUDIO_PAGE"
"""Environment variable that names a folder with another build of the page, for whoever works on it."""

SHUTDOWN_TIMEOUT = 2
"""Seconds that requests have to finish when the studio ends."""

MAX_CHARACTER_BYTES = 4
"""Bytes of a character in UTF-8. Messages up to here are read whole and then refused; only longer ones are
cut off while they are sent, where the code that says why may not arrive."""

MAX_REQUEST_SECONDS = 10.0
"""Seconds within which a request must come on a connection that was opened: browsers send it at once, or open
another connection later."""

BACKLOG = 128
"""Connections that may wait until the server takes them."""


def serve(
    project: Path,
    files: tuple[Path, ...] = (),
    *,
    port: int | None = None,
    browser: bool = True,
    announce: Callable[[str], None] = print,
) -> None:
    """Open a project in the studio and serve it until somebody stops it (Ctrl-C).

    Parameters
    ----------
    project
        The project's folder; it is made where there is none.
    files
        Motion files to copy into the project.
    port
        Where to listen; by default a free port.
    browser
        Whether to open the page in the browser.
    announce
        Told the address of the page once it can be opened.
    """
    _check_packages()
    page = page_folder()
    folder = _make_folder(project)
    limit_arenas()
    with only_studio(folder.path), listening(port) as listener, limit_memory():
        document = _open(folder, files)
        _run(folder, document, page, listener, browser, announce)


def page_folder() -> Path:
    """Return the folder of the built page, or raise an error that says how to build it."""
    given = os.environ.get(PAGE_VARIABLE)
    folder = Path(given) if given else Path(__file__).parent / "page"
    if not (folder / "index.html").is_file():
        raise MotionloomError(
            f"the studio's page is not in {folder}: build it with `make studio` in a checkout (needs Node), "
            "or install a released package (pip install 'motionloom[studio]')"
        )
    return folder


def listening(port: int | None) -> socket.socket:
    """Open a socket that listens on a port of this machine; by default a free one."""
    # Asyncio sends small answers at once only over sockets that say they speak TCP, not over protocol 0.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            # Without it a port stays taken for a minute after the studio ended.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port or 0))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno != errno.EADDRINUSE:
            raise MotionloomError(
                f"cannot listen on port {port}: {(error.strerror or '').lower()}"
            ) from error
        raise MotionloomError(
            f"port {port} is in use",
            remedy=("choose another with ", Argument("port"), ", or leave it out to have a free one"),
        ) from error
    return listener


def _run(
    folder: ProjectFolder,
    document: Document,
    page: Path,
    listener: socket.socket,
    browser: bool,
    announce: Callable[[str], None],
) -> None:
    import uvicorn

    from motionloom.studio.app import studio_app
    from motionloom.studio.limits import MAX_CHARACTERS
    from motionloom.studio.security import Door, new_token
    from motionloom.studio.session import Session

    open_evaluator = _evaluators(folder)
    door = Door(port=listener.getsockname()[1], token=new_token())
    session = Session(folder, document, open_evaluator)
    app = studio_app(session, door, page)
    config = uvicorn.Config(
        app,
        http=impatient_protocol(),
        log_level="warning",
        access_log=False,
        server_header=False,
        # Nothing stands between the browser and the studio that could tell of other addresses.
        proxy_headers=False,
        ws_max_size=MAX_CHARACTERS * MAX_CHARACTER_BYTES,
        # Poses are small and many: compressing them would cost more time than sending them.
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
    )
    announce(door.address)
    if browser:
        Thread(target=webbrowser.open, args=(door.issue_ticket(),), daemon=True).start()
    # Ctrl-C is how the studio is meant to be ended; everything is saved when it comes through to here.
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])
    if session.lost is not None:
        raise MotionloomError(session.lost)


def _evaluators(folder: ProjectFolder) -> Callable[[], Evaluator]:
    """Return what opens the evaluator of a thread; all of them know what any of them made."""
    known: list[Cache] = []
    opening = Lock()

    def open_evaluator() -> Evaluator:
        from motionloom.project.cache import Cache
        from motionloom.project.evaluator import Evaluator

        with opening:
            if not known:
                known.append(Cache())
        return Evaluator(folder, known[0])

    return open_evaluator


def impatient_protocol(seconds: float = MAX_REQUEST_SECONDS) -> type[Protocol]:
    """Return the protocol of a server that closes connections on which no request comes.

    Uvicorn waits for a first request for ever, and for the rest of its head.
    """
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class ImpatientProtocol(H11Protocol):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self._requests = 0
            self._check = self.loop.call_later(seconds, self._close_if_silent, 0)

        def connection_lost(self, exc: Exception | None) -> None:
            self._check.cancel()
            super().connection_lost(exc)

        def handle_events(self) -> None:
            before = self.cycle
            super().handle_events()
            self._requests += self.cycle is not before

        def _close_if_silent(self, before: int) -> None:
            """Close a connection on which nothing is answered, and no request came since the last look."""
            # A connection that became a WebSocket has another protocol by now.
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            is_idle = self.cycle is None or self.cycle.response_complete
            if is_idle and self._requests == before:
                self.transport.close()
            else:
                self._check = self.loop.call_later(seconds, self._close_if_silent, self._requests)

    return ImpatientProtocol


def _make_folder(path: Path) -> ProjectFolder:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise MotionloomError(f"cannot make the project's folder {path}: {reason}") from error
    return ProjectFolder(path)


def _open(folder: ProjectFolder, files: tuple[Path, ...]) -> Document:
    try:
        return open_document(folder, files)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise MotionloomError(
            f"cannot write into the project's folder {folder.path}: {reason}",
            remedy=("make room there, or choose another with ", Argument("project")),
        ) from error


def _check_packages() -> None:
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as error:
        raise MissingPackageError(
            error.name or "starlette", "the studio", "pip install 'motionloom[studio]'"
        ) from None


MEMORY_FRACTION = 0.75
"""Fraction of the machine's memory that the studio may take; the browser and the system need the rest."""

CONTAINER = Path("/sys/fs/cgroup/memory.max")
"""Where Linux says how many bytes a container may take; "max" stands for all there are."""


if sys.platform == "linux":

    def total_memory(container: Path = CONTAINER) -> int:
        """Return the memory of the machine, or of this container, in bytes.

        >>> total_memory() > 2**20
        True
        """
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        with suppress(OSError, ValueError):
            return min(whole, int(container.read_text()))
        return whole

    @contextmanager
    def limit_memory(fraction: float = MEMORY_FRACTION) -> Iterator[None]:
        """Have allocations beyond a fraction of the memory fail with a ``MemoryError`` inside of the block.

        Without it the system kills the process, and again whenever the project is opened, since what was too
        large is part of it. Other systems than Linux have no such bound, and page to the disk instead.
        """
        import resource

        before = resource.getrlimit(resource.RLIMIT_DATA)
        limit = int(total_memory() * fraction)
        bounds = [limit, *(bound for bound in before if bound != resource.RLIM_INFINITY)]
        resource.setrlimit(resource.RLIMIT_DATA, (min(bounds), before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, before)

else:

    @contextmanager
    def limit_memory(fraction: float = MEMORY_FRACTION) -> Iterator[None]:
        """Do nothing: this system has no bound that tells a program in time."""
        yield
