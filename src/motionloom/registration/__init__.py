"""Registration curves: how clips correspond in time, in place and in their constraints."""
