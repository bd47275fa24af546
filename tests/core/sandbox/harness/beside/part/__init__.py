"""An additional package available inside the jail."""
