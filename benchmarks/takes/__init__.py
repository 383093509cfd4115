"""Takes as they come: what becomes of pairs of raw takes of the library."""
