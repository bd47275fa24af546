"""What a game is, the list of games, and a folder a game."""
