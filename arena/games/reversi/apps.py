from django.apps import AppConfig


class ReversiConfig(AppConfig):
    """The game's Django app, through which the site finds the game's templates and static files."""

    name = "arena.games.reversi"
    label = "reversi"
