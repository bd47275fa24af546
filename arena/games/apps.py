from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Django app of the template tags and general templates for games; each game is an app of its own."""

    name = "arena.games"
