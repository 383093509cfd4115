"""`OutdatedError`: a request about a state of the project that has passed."""

from __future__ import annotations

from motionloom.errors import ParameterError


class OutdatedError(ParameterError):
    """A page asked about something that was changed or removed while the request was on its way.

    Nobody did anything wrong, and the page hears of the change anyway.
    """
