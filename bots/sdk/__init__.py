"""What a bot may import of the arena, and the harness that runs it; standard library only."""
