from django.apps import AppConfig


class SuitPairsConfig(AppConfig):
    """Finds the templates and static files of the game."""

    name = "arena.games.suit_pairs"
    label = "suit_pairs"
