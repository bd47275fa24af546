from django.apps import AppConfig


class GamesConfig(AppConfig):
    """The Django app with the template tags and templates shared by all games; each game is a separate app."""

    name = "arena.games"
