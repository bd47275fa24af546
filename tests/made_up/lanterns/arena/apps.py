from django.apps import AppConfig


class LanternsConfig(AppConfig):
    """The Django app with the game's templates, static files and translations."""

    name = "tests.made_up.lanterns.arena"
    label = "lanterns"
