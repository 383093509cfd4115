"""Motion graphs: built and walked, and motion along paths and to places, on captured takes."""
