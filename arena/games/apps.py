from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Finds the tags and the general templates for games; each game is an app of its own."""

    name = "arena.games"
