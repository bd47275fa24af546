"""The pure core: independent of frameworks and of individual games."""
