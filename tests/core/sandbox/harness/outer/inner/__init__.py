"""The package of the entry point."""
