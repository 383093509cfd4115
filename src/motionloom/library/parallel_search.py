"""`search_all`: many searches in one state of a library, here, in several processes or on other machines.

A search in one step is one piece of work. A single search in several steps hands the hits of each step over,
which are its queries then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial

from motionloom.errors import ParameterError
from motionloom.jobs.parallel import run_all
from motionloom.kernels.threads import single_threaded
from motionloom.library.exact_search import Match
from motionloom.library.hits import Hits
from motionloom.library.library_search import Found, LibrarySearch, Place, SearchOptions
from motionloom.library.library_state import LibraryState, StateName, open_state
from motionloom.library.signatures import Singles
from motionloom.library.take import Segment
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike, unwrap

FAILURE = "a process ended while it searched"


def search_one(
    query: ClipLike | Segment,
    state: LibraryState,
    options: SearchOptions,
    *,
    jobs: int,
    executor: Executor | None,
) -> Hits:
    """Search for a motion; see :meth:`motionloom.Library.search`."""
    place = place_query(query, state)
    search = LibrarySearch(place, state, options)
    if jobs == 1 and executor is None:
        return search.make_hits(search.run())

    def find_all(wanted: Sequence[tuple[Singles, float]]) -> list[list[Match]]:
        work = partial(_find_there, state.name, place if isinstance(place, Place) else None, options)
        return run_all(work, wanted, FAILURE, jobs=jobs, executor=executor)

    return search.make_hits(search.run(find_all))


def search_all(
    queries: Sequence[ClipLike | Segment],
    state: LibraryState,
    options: SearchOptions,
    *,
    jobs: int,
    executor: Executor | None,
    progress: Callable[[int, int], None] | None,
) -> list[Hits]:
    """Search for many motions; see :meth:`motionloom.Library.search_all`."""
    if len(queries) == 1:
        # There is nothing to hand over but its steps.
        found_alone = search_one(queries[0], state, options, jobs=jobs, executor=executor)
        if progress is not None:
            progress(1, 1)
        return [found_alone]
    located = [place_query(query, state) for query in queries]
    if jobs == 1 and executor is None:
        work: Callable[[tuple[int, Clip | Place]], Found] = partial(_search, state, options)
    else:
        work = partial(_search_there, state.name, options)
    found = run_all(work, list(enumerate(located)), FAILURE, jobs=jobs, executor=executor, progress=progress)
    return [
        LibrarySearch(query, state, options).make_hits(each)
        for query, each in zip(located, found, strict=True)
    ]


def place_query(query: ClipLike | Segment, state: LibraryState) -> Clip | Place:
    """Return where in the library a query lies, or its motion where it lies elsewhere."""
    if not isinstance(query, Segment):
        return unwrap(query)
    take = query.take
    # Another library may have given the same number to another take.
    if any((own.id, own.name, own.n_frames) == (take.id, take.name, take.n_frames) for own in state.takes):
        return Place(take.id, query.start, query.end, query.mirrored)
    return query.clip()


def _search_there(name: StateName, options: SearchOptions, item: tuple[int, Clip | Place]) -> Found:
    """Search in a process that works for another one, whose caller uses all cores already."""
    with single_threaded():
        return _search(open_state(name), options, item)


def _search(state: LibraryState, options: SearchOptions, item: tuple[int, Clip | Place]) -> Found:
    number, query = item
    try:
        return LibrarySearch(query, state, options).run()
    except ParameterError as error:
        raise ParameterError(f"query {number + 1}: {error}") from None


def _find_there(
    name: StateName, query: Place | None, options: SearchOptions, wanted: tuple[Singles, float]
) -> list[Match]:
    """Search for what a hit resembles, in a process that works for another one."""
    with single_threaded():
        return LibrarySearch(query, open_state(name), options).find(*wanted)
