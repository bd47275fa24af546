"""Self-play of Suit Pairs: compiled rules, opponents to measure against, and the shipped levels."""
