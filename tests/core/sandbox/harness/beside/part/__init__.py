"""A further package of the jail."""
