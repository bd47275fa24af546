"""An additional package of the jail."""
