from django.apps import AppConfig


class Fib2584Config(AppConfig):
    """Finds the templates and static files of the game."""

    name = "arena.games.fib2584"
    label = "fib2584"
