from django.apps import AppConfig


class Fib2584StudyConfig(AppConfig):
    """The Django app for the pages of 2584 other than match pages: the solver, the learner, and luck adjustment."""

    name = "arena.games.fib2584.study"
    label = "fib2584_study"

    def ready(self) -> None:
        from arena.games.fib2584.rules import GAME
        from arena.games.fib2584.study.review import review
        from arena.matches import reviews

        reviews.register(GAME.name, review)
