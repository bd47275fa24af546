"""Training and evolution of the house bots' weights, and generation of balanced openings."""
