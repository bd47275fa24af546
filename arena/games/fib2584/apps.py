from django.apps import AppConfig


class Fib2584Config(AppConfig):
    """The game's Django app, through which the site finds the game's templates and static files."""

    name = "arena.games.fib2584"
    label = "fib2584"
