"""Motion graphs: takes joined by transitions that were made and measured, and motion along their routes."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
