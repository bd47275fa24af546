"""The package that contains the entry point."""
