"""Jobs: the same work for many items, in several processes; other libraries in a process of their own."""
