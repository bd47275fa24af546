"""Learn the engine's pattern weights from its self-play games."""
