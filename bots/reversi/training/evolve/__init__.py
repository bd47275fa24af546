"""Evolution of the weights of ``engine.evaluation``'s features by a genetic algorithm."""
