"""Learn the engine's pattern weights from its games against itself."""
