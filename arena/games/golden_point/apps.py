from django.apps import AppConfig


class GoldenPointConfig(AppConfig):
    """The game's Django app, through which the site finds the game's templates and static files."""

    name = "arena.games.golden_point"
    label = "golden_point"
