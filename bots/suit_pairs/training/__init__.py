"""Self-play of Suit Pairs: compiled rules, opponents for measurements, and the shipped levels."""
