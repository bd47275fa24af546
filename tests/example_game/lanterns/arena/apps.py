from django.apps import AppConfig


class LanternsConfig(AppConfig):
    """The Django app with the game's templates, static files and translations."""

    name = "tests.example_game.lanterns.arena"
    label = "lanterns"
