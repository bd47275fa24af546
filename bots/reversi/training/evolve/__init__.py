"""Evolve the weights of ``engine.evaluation``'s features with a genetic algorithm."""
