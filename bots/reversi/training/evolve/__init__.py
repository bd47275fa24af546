"""Evolves what the things are worth that ``engine.evaluation`` counts, by a genetic algorithm."""
