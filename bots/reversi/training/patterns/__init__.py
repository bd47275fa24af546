"""Learn the pattern weights of the engine from its games against itself."""
