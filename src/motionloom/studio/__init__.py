"""The studio: a page in the browser over the same functions as the command line."""
