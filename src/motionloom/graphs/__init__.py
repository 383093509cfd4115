"""Motion graphs: takes joined by transitions that were made and measured, and motion along their routes."""
