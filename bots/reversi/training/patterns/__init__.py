"""Learns what the patterns of the board are worth, from games that the engine plays with itself."""
