"""What the add-on says when something cannot be done."""

from __future__ import annotations


class Refusal(Exception):
    """A sentence for the user: what was wrong, where, and what to do."""
