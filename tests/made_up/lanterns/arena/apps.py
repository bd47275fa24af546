from django.apps import AppConfig


class LanternsConfig(AppConfig):
    """Finds the templates, static files and translations of the game."""

    name = "tests.made_up.lanterns.arena"
    label = "lanterns"
