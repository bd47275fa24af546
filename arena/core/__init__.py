"""The pure core: independent of frameworks and of single games."""
