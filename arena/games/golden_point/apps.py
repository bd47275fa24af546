from django.apps import AppConfig


class GoldenPointConfig(AppConfig):
    """Finds the templates and static files of the game."""

    name = "arena.games.golden_point"
    label = "golden_point"
