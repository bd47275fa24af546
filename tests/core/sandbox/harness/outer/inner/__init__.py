"""The package of the entry."""
