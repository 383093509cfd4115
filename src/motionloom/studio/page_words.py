"""Sentences of the library in the words of the page, where there are no functions, arguments or options."""

from __future__ import annotations

import re

REPLACEMENTS = (
    (r" \(motionloom\.cyclify\)", " (New > Loop)"),
    (r"(find [^:]*?) with motionloom\.annotate\w*", r"\1 with the marks of the timeline"),
    (r" \((?:motionloom|ml)\.[\w.]+(?:, (?:motionloom|ml)\.[\w.]+)*\)", ""),
    (r" \(motionloom\.repair or `motionloom repair` mends what it can\)", " (Clean up mends what it can)"),
    # What a caller or a command could state: "(override with unit= or --unit)".
    (r" \([^()]*\w+=\w* or --[\w-]+[^()]*\)", ""),
    (r": (?:state|name) it with \w+= or --[\w-]+", ""),
    (r"(?:motionloom|ml)\.(?:\w+\.)*(\w+)(?:\(\))?", r"\1"),
)
"""Patterns of what a page cannot follow, and what it says instead."""


def in_page_words(sentence: str) -> str:
    """Return a sentence without what only callers of the library, or of commands, can do.

    >>> in_page_words("the up axis is Z (override with up= or --up)")
    'the up axis is Z'
    >>> in_page_words("loops (motionloom.cyclify) go on as long as you like")
    'loops (New > Loop) go on as long as you like'
    """
    for pattern, words in REPLACEMENTS:
        sentence = re.sub(pattern, words, sentence)
    return sentence
