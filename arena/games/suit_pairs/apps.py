from django.apps import AppConfig


class SuitPairsConfig(AppConfig):
    """The game's Django app, through which the site finds the game's templates and static files."""

    name = "arena.games.suit_pairs"
    label = "suit_pairs"
