"""Libraries: folders of takes that are indexed once and searched by example."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
