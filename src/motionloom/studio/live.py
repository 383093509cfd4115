"""Live control: a blend that a tab steers while it runs.

The clips are those of a blend item, as they are registered for it, or closed to cycles where that is asked
for and possible. Cycles go on for ever. Clips with two ends begin again at their start when they are through,
and the body stays where it is: it jumps into the first pose but not to another place.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from motionloom.errors import MotionloomError, ParameterError
from motionloom.project.document import Document
from motionloom.project.edits import SetRecipe
from motionloom.project.recipes import BlendRecipe
from motionloom.studio.background import run_in_background
from motionloom.studio.error_responses import describe_unexpected
from motionloom.studio.messages import LiveStart, LiveStarted, LiveStep
from motionloom.studio.packs import pack
from motionloom.studio.responses import LiveHeader
from motionloom.studio.session import Session, encode

if TYPE_CHECKING:
    from motionloom.blending import Controls, LiveBlend
    from motionloom.blending.weights import JointWeights
    from motionloom.project.evaluator import Evaluator
    from motionloom.registration import RegistrationCurve


class Screen(Protocol):
    """What a live blend is shown on: a tab."""

    def say(self, text: str) -> None:
        """Send a message."""

    def show(self, pose: bytes) -> None:
        """Send a pose; the latest wins."""

    def refuse(self, error: str, serial: int | None = None, *, steering: bool = False) -> None:
        """Say why a message was not followed."""


@dataclass
class Steering:
    """A blend that runs, and what is needed to begin it again."""

    item: str
    curve: RegistrationCurve
    recipe: BlendRecipe
    parts: JointWeights | None
    blend: LiveBlend
    controls: Controls | None
    """Finds the weights of a speed and a turn; None where the clips do not travel."""
    time_before: float = 0.0
    """Seconds that went by in runs before this one."""

    def step(self, message: LiveStep) -> bytes:
        """Advance by a step and return the pose as a pack."""
        weights = self._find_weights(message)
        pose = self.blend.step(message.dt, weights)
        finished = self.blend.finished
        got = None if self.controls is None else self.controls.speed_and_turn(self.blend.weights)
        header = LiveHeader(
            serial=message.serial,
            time=self.time_before + self.blend.time,
            u=self.blend.u,
            weights=tuple(self.blend.weights.tolist()),
            finished=finished,
            speed=None if got is None else got.speed,
            turn=None if got is None else got.turn,
        )
        content = pack(header, {"positions": pose.world_positions(), "rotations": pose.world_rotations()})
        if finished:
            self._begin_again(weights)
        return content

    def _find_weights(self, message: LiveStep) -> tuple[float, ...]:
        if self.controls is None or (message.speed is None and message.turn is None):
            return message.weights
        return tuple(self.controls.weights(speed=message.speed, turn=message.turn).tolist())

    def describe(self) -> LiveStarted:
        """Describe the blend, as a tab needs it before the first pose."""
        skeleton = self.blend.pose.skeleton
        pace = [(0.0, 0.0)] * self.curve.n_clips if self.controls is None else self.controls.clips
        return LiveStarted(
            item=self.item,
            names=skeleton.names,
            parents=tuple(skeleton.parents.tolist()),
            speeds=tuple(speed for speed, _ in pace),
            turn_rates=tuple(turn for _, turn in pace),
            cut=self.recipe.registration.cut,
            goes_on=self.curve.clips[0].cyclic,
        )

    def _begin_again(self, weights: tuple[float, ...]) -> None:
        from motionloom.blending import LiveBlend

        self.time_before += self.blend.time
        self.blend = LiveBlend(
            self.curve,
            weights=weights,
            place=self.blend.placement,
            rate_law=self.recipe.rate_law,
            joint_weights=self.parts,
        )


def start_steering(evaluator: Evaluator, document: Document, message: LiveStart) -> Steering:
    """Begin to steer the clips of a blend."""
    from motionloom.blending import LiveBlend
    from motionloom.blending.layers import part_weights

    item = document.item(message.item)
    if not isinstance(item.recipe, BlendRecipe):
        raise ParameterError(f"{item.name} is not a blend", remedy="select a blend to steer it")
    curve, recipe = evaluator.curve(document, item.id), item.recipe
    if message.loops and not curve.clips[0].cyclic:
        curve, recipe = _close_loops(evaluator, document, item.id, recipe, curve)
    parts = part_weights(curve.clips[curve.reference].skeleton, item.recipe.parts or {})
    blend = LiveBlend(
        curve, weights=message.weights, rate_law=item.recipe.rate_law, joint_weights=parts, start=message.u
    )
    # The first pose compiles or loads kernels, which is not to happen on the event loop.
    blend.pose.world_positions()
    return Steering(item.id, curve, recipe, parts, blend, _find_controls(curve))


def _close_loops(
    evaluator: Evaluator, document: Document, id: str, recipe: BlendRecipe, curve: RegistrationCurve
) -> tuple[RegistrationCurve, BlendRecipe]:
    """Return the curve and the recipe with clips closed to cycles, or as they are where that does not fit."""
    options = recipe.registration
    # Frames that somebody chose count in the clips as they are cut now.
    if options.cut != "auto" or options.pins or (options.start, options.end) != (None, None):
        return curve, recipe
    looped = replace(recipe, registration=replace(options, cut="loops"))
    try:
        closed = evaluator.curve(SetRecipe(item=id, recipe=looped).apply(document), id)
    except MotionloomError:
        return curve, recipe
    from motionloom.registration import Verdict

    worse = closed.report.verdict is Verdict.UNFIT and curve.report.verdict is not Verdict.UNFIT
    return (curve, recipe) if worse else (closed, looped)


class LiveControl:
    """The live blend of one tab: started, stepped and stopped by its messages."""

    def __init__(self, session: Session, screen: Screen) -> None:
        self._session = session
        self._screen = screen
        self._steering: Steering | None = None
        self._starting: asyncio.Task[None] | None = None

    def start(self, message: LiveStart) -> None:
        """Begin to steer, as soon as the clips are registered; what was steered before ends."""
        self.stop()
        self._starting = asyncio.create_task(self._start(message))

    async def step(self, message: LiveStep) -> None:
        """Go on, and show the pose."""
        if self._steering is not None:
            self._screen.show(await run_in_background(partial(self._steering.step, message)))
        elif self._starting is None:
            raise ParameterError("nothing is being steered", remedy="send live_start first")

    def stop(self) -> None:
        """Stop steering."""
        if self._starting is not None:
            self._starting.cancel()
        self._starting, self._steering = None, None

    async def _start(self, message: LiveStart) -> None:
        try:
            steering = await self._session.ask(lambda e, d: start_steering(e, d, message), message.item)
            description = await self._session.ask(lambda e, d: steering.describe(), message.item)
        except MotionloomError as error:
            self._screen.refuse(error.message, steering=True)
        except Exception as error:
            self._screen.refuse(describe_unexpected("starting live control", error), steering=True)
        else:
            self._steering = steering
            self._screen.say(encode(description))


def _find_controls(curve: RegistrationCurve) -> Controls | None:
    """Return the control of a gait by speed and turn; None for other motion."""
    from motionloom.annotation.strides import is_locomotion
    from motionloom.blending import Controls

    # One cycle has too few strikes to tell a gait by; going round on the spot has the speed zero anyway.
    return Controls(curve) if all(clip.cyclic or is_locomotion(clip) for clip in curve.clips) else None
