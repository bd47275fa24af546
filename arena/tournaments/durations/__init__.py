"""Durations of matches: samples of finished ones, the load of the workers, and the expected end of a tournament."""
