"""How near blends come to real motion that was not used: `python -m benchmarks.quality`."""
