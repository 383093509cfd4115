"""Motion graphs: motion along paths and to places, measured on captured takes."""
