"""Messages in the words of the page: fields and buttons instead of arguments and functions."""

from __future__ import annotations

from motionloom.messages import Argument, Operation, Words, render, spell

FIELDS = {
    "allow_unfit": "“Blend even if the clips do not match”",
    "at": "“Meeting frames”",
    "cut": "“Clip range” in the Registration tab",
    "half_width": "“Half width”",
    "keep": "“Keep at least”",
    "loop": "“Loop clips that are too short”",
    "pins": "a click on the map of the Registration tab",
    "slope_limit": "“Slope limit” in the Registration tab",
}
"""Arguments that messages ask for, and where the page takes them."""

BUTTONS = {
    "annotate": "the marks of the timeline",
    "cyclify": "New > Loop",
    "repair": "Clean up",
    "retarget": "Retarget",
}
"""Functions, and where the page does the same."""


class PageWords(Words):
    """What messages mention, as a page calls it."""

    def name_subject(self, parameter: str) -> str:
        """Return the argument as people write it."""
        return spell(parameter)

    def name_argument(self, argument: Argument) -> str | None:
        """Return the field that gives an argument; reading options have none."""
        return FIELDS.get(argument.name)

    def name_operation(self, operation: Operation) -> str | None:
        """Return where the page does what a function does."""
        return BUTTONS.get(operation.verb)


PAGE = PageWords()


def in_page_words(sentence: str) -> str:
    """Return a sentence without what only callers of the library, or of commands, can do.

    >>> from motionloom.messages import Message
    >>> in_page_words(Message("the up axis is Z", remedy=("override with ", Argument("up"))))
    'the up axis is Z'
    >>> in_page_words(Message("it is no loop", remedy=("close it with ", Operation("motionloom.cyclify"))))
    'it is no loop: close it with New > Loop'
    """
    return render(sentence, PAGE)
