"""Run work on a Dask cluster, where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from typing import cast

from motionloom.errors import MissingPackageError, MotionloomError

TIMEOUT = 10.0
"""Seconds for which a scheduler may be silent before it counts as unreachable."""

RETRIES = 3
"""How often a piece of work is tried again whose worker was lost."""


@contextmanager
def connect_scheduler(address: str) -> Iterator[Executor]:
    """Give an executor that runs work on the cluster of a Dask scheduler.

    Files are read by the workers, so all of them must see the same folders. Work whose worker ends is done
    again by another one.

    Parameters
    ----------
    address
        Where the scheduler is, such as ``tcp://render-01:8786``.

    >>> with connect_scheduler("tcp://render-01:8786") as executor:                  # doctest: +SKIP
    ...     lib.add("//storage/takes", executor=executor)
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        install = "pip install 'motionloom[dask]'"
        raise MissingPackageError("distributed", "a Dask scheduler", install) from None
    try:
        client = distributed.Client(address, timeout=TIMEOUT)
    except (OSError, ValueError) as error:
        raise MotionloomError(
            f"no Dask scheduler answers at {address} ({error})", remedy="start one with `dask scheduler`"
        ) from None
    with client:
        yield cast(Executor, client.get_executor(pure=False, retries=RETRIES))
