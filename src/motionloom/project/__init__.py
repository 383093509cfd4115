"""A project: clips with their recipes, edits that can be undone, and what evaluates and saves them."""
