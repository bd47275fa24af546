from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Django app with the template tags and templates shared by all games; each game is an app of its own."""

    name = "arena.games"
