"""The interface of a game, the list of games, and one folder per game."""
