"""Modules of the arena that bots may import, and the harness that runs bots; standard library only."""
