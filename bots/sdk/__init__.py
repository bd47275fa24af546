"""The harness that runs bots, and the arena's modules that bots may import; standard library only."""
