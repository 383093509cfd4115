"""Limit the memory of a process that runs another library; workers run this file by its path.

Nothing of Motionloom is imported here, because the Python of a worker may not have it.
"""

MAX_MEMORY = 8 << 30
"""Bytes of address space; a damaged file may ask for any amount."""


def limit_memory() -> None:
    """Make allocations beyond any sensible size fail, where the system can."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    # A lower limit that the caller already has (ulimit -v) stays: only it may be kept or lowered.
    known = [limit for limit in resource.getrlimit(resource.RLIMIT_AS) if limit != resource.RLIM_INFINITY]
    limit = min([MAX_MEMORY, *known])
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
