"""The WebSocket of a tab: messages in, messages and poses out."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from motionloom.errors import MotionloomError
from motionloom.project.edits import MAX_ITEMS
from motionloom.project.plain_data import from_plain
from motionloom.studio.background import run_in_background
from motionloom.studio.error_responses import describe_unexpected, shorten
from motionloom.studio.limits import MAX_CHARACTERS, check_lists
from motionloom.studio.live import LiveControl
from motionloom.studio.messages import (
    Applied,
    Do,
    FromPage,
    LiveStart,
    LiveStep,
    LiveStop,
    MakeAgain,
    Redo,
    Refused,
    StopJob,
    Undo,
)
from motionloom.studio.session import Session, encode

MAX_QUEUED, MAX_QUEUED_CHARACTERS = 4 * MAX_ITEMS, 64 * 1024 * 1024
"""Messages, and their characters, that wait for a tab that does not read them; it is cut off beyond that, and
is shown everything anew when it comes back."""

MAX_INLINE_CHARACTERS = 8192
"""Length of a message up to which it is read at once, in some milliseconds; longer ones in a thread."""

WRONG_KIND, GARBAGE, TOO_LARGE, TOO_SLOW = 1003, 1007, 1009, 1013
"""Close codes: binary where text is meant, text that is no JSON, a message too large, messages not read."""


class Unreadable(Exception):
    """A message that no page of ours sends: the socket is closed with a code."""

    def __init__(self, code: int, reason: str) -> None:
        self.code = code
        super().__init__(reason)


class Tab:
    """One tab of the browser: what waits to be sent to it, and its live blend.

    Messages are sent in order. Of poses only the latest is sent, so that a slow page is never behind.
    """

    def __init__(self, socket: WebSocket, session: Session) -> None:
        self.socket = socket
        self.session = session
        self.live = LiveControl(session, self)
        self._waiting: deque[str] = deque()
        self._queued_characters = 0
        self._pose: bytes | None = None
        self._something = asyncio.Event()
        self._closing: asyncio.Task[None] | None = None

    def say(self, text: str) -> None:
        """Send a message in its turn."""
        if self._closing is not None:
            return
        self._waiting.append(text)
        self._queued_characters += len(text)
        self._something.set()
        too_long = self._queued_characters > MAX_QUEUED_CHARACTERS and len(self._waiting) > 1
        if len(self._waiting) > MAX_QUEUED or too_long:
            self._waiting.clear()
            self._closing = asyncio.create_task(self._cut_off())

    def show(self, pose: bytes) -> None:
        """Send a pose, in place of one that was not sent yet."""
        self._pose = pose
        self._something.set()

    def refuse(self, error: str, serial: int | None = None, *, steering: bool = False) -> None:
        """Say why a message was not followed."""
        self.say(encode(Refused(error=shorten(error), serial=serial, steering=steering)))

    async def write(self) -> None:
        """Send what waits, as long as there is somebody to read it."""
        # A tab that is gone shows in reading as well, which ends everything; one that answers no ping for a
        # while is cut off, so that little can wait for it.
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            while True:
                await self._something.wait()
                self._something.clear()
                while self._waiting:
                    text = self._waiting.popleft()
                    self._queued_characters -= len(text)
                    await self.socket.send_text(text)
                    # Sending may not wait for anything; others are to have their turn.
                    await asyncio.sleep(0)
                if self._pose is not None:
                    pose, self._pose = self._pose, None
                    await self.socket.send_bytes(pose)

    async def _cut_off(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            await self.socket.close(TOO_SLOW, "messages are not read: connect again")

    async def read(self) -> None:
        """Follow messages until the page goes."""
        while (received := await self.socket.receive())["type"] != "websocket.disconnect":
            text = received.get("text")
            if text is None or len(text) <= MAX_INLINE_CHARACTERS:
                message = read_message(text)
            else:
                message = await run_in_background(partial(read_message, text))
            if message.error:
                self.refuse(message.error, message.serial, steering=message.steering)
            else:
                await self._follow(message)
            # Messages that are here already are received without waiting; others are to have their turn.
            await asyncio.sleep(0)

    async def _follow(self, read: ReadMessage) -> None:
        try:
            match read.message:
                case Do():
                    await self.session.do(read.message.edit, read.message.gesture)
                    self.say(encode(Applied(serial=read.message.serial)))
                case Undo():
                    await self.session.undo()
                case Redo():
                    await self.session.redo()
                case LiveStart():
                    self.live.start(read.message)
                case LiveStep():
                    await self.live.step(read.message)
                case LiveStop():
                    self.live.stop()
                case StopJob():
                    self.session.stop_job(read.message.item)
                case MakeAgain():
                    self.session.make_again(read.message.item)
        except MotionloomError as error:
            self.refuse(error.message, read.serial, steering=read.steering)
        except Exception as error:
            sentence = describe_unexpected("following a message", error)
            self.refuse(sentence, read.serial, steering=read.steering)


async def talk(socket: WebSocket) -> None:
    """Serve one tab from its first message to its last."""
    await socket.accept()
    session: Session = socket.app.state.session
    tab = Tab(socket, session)
    session.join(tab)
    writing = asyncio.create_task(tab.write())
    try:
        await tab.read()
    except Unreadable as fault:
        await socket.close(fault.code, str(fault))
    finally:
        session.leave(tab)
        tab.live.stop()
        writing.cancel()


@dataclass(frozen=True)
class ReadMessage:
    """A message of the page, or why it is refused; the serial of its edit, and whether it is of steering."""

    message: FromPage | None
    error: str
    serial: int | None
    steering: bool


def read_message(text: str | None) -> ReadMessage:
    """Read a message: JSON of a known kind, with lists that are not too long.

    >>> read_message('{"type": "undo"}').message
    Undo(type='undo')
    """
    data = decode(text)
    serial, steering = serial_of(data), is_steering(data)
    try:
        message = from_plain(FromPage, data)
        check_lists(message)
    except MotionloomError as error:
        return ReadMessage(None, error.message, serial, steering)
    except Exception as error:
        return ReadMessage(None, describe_unexpected("reading a message", error), serial, steering)
    return ReadMessage(message, "", serial, steering)


def decode(text: str | None) -> object:
    """Decode the JSON of a message, or raise the reason to close the socket."""
    if text is None:
        raise Unreadable(WRONG_KIND, "messages of the page are text")
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(
            TOO_LARGE, f"a message has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read"
        )
    try:
        data: object = json.loads(text)
        # Half of a surrogate pair can be written as JSON but stands for no character, and could not be saved.
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Unreadable(GARBAGE, "messages of the page are JSON") from None
    return data


def serial_of(data: object) -> int | None:
    """Return the serial of an edit, or none for other messages; those of steering have serials of their own.

    >>> serial_of({"type": "do", "serial": 3}), serial_of({"type": "live_step", "serial": 3}), serial_of([])
    (3, None, None)
    """
    serial = data.get("serial") if isinstance(data, dict) and data.get("type") == "do" else None
    return serial if type(serial) is int else None


def is_steering(data: object) -> bool:
    """Whether a message is a start or a step of live control."""
    return isinstance(data, dict) and data.get("type") in ("live_start", "live_step")


ROUTES = [WebSocketRoute("/ws", talk)]
