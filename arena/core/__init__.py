"""The pure core: knows no framework and no single game."""
