from django.apps import AppConfig


class ReversiConfig(AppConfig):
    """Finds the templates and static files of the game."""

    name = "arena.games.reversi"
    label = "reversi"
