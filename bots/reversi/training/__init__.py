"""Train and evolve the house bots' weights, and generate balanced openings."""
