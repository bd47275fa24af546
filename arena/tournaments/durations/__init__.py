"""Durations of matches: samples of finished matches, the load of the workers, and the expected end of a tournament."""
