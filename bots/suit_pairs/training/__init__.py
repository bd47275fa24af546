"""Self-play for Suit Pairs: compiled rules, opponents for measurements, and the shipped levels."""
